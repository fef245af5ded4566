//! Static exchange: what a series of captures on one square brings, without playing it.

use tabiya_rules::{Bitboard, Board, Color, Move, Position, Role, Square, attacks};

/// What pieces count in an exchange, by role. The king comes last and is never given.
pub(crate) const VALUES: [i32; 6] = [100, 310, 320, 500, 960, 20_000];

/// Does the exchange that a legal move begins bring at least so much?
pub(crate) fn brings(position: &Position, m: Move, least: i32) -> bool {
    // A castle takes nothing, and nothing can be taken back but what stood there before.
    if m.is_castle() {
        return least <= 0;
    }
    let board = position.board();
    let to = m.to();
    let captured = position.captured(m);
    let mut balance = captured.map_or(0, |(_, piece)| VALUES[piece.role as usize]) - least;
    let mut standing = m.role();
    if let Some(role) = m.promotion() {
        balance += VALUES[role as usize] - VALUES[Role::Pawn as usize];
        standing = role;
    }
    if balance < 0 {
        return false;
    }
    // Even if what now stands there is lost for nothing?
    balance -= VALUES[standing as usize];
    if balance >= 0 {
        return true;
    }
    let mut occupied = (board.occupied() - m.from()) | to;
    if let Some((square, _)) = captured.filter(|_| m.is_en_passant()) {
        occupied -= square;
    }
    goes_on(board, position.turn(), to, occupied, balance)
}

/// Lets both sides capture with their cheapest pieces until one would rather stop. `balance` is that of the side that
/// moved last, if its piece were taken now.
fn goes_on(
    board: &Board,
    moved: Color,
    to: Square,
    mut occupied: Bitboard,
    mut balance: i32,
) -> bool {
    let diagonal = board.by_role(Role::Bishop) | board.by_role(Role::Queen);
    let straight = board.by_role(Role::Rook) | board.by_role(Role::Queen);
    let mut attackers = Color::ALL.into_iter().fold(Bitboard::EMPTY, |set, color| {
        set | board.attackers_through(to, color, occupied)
    });
    let mut turn = !moved;
    loop {
        attackers &= occupied;
        let ours = attackers & board.by_color(turn);
        let Some((role, square)) = cheapest(board, ours) else {
            break;
        };
        // A king takes only what nobody defends.
        if role == Role::King && !(attackers & board.by_color(!turn)).is_empty() {
            break;
        }
        occupied -= square;
        if matches!(role, Role::Pawn | Role::Bishop | Role::Queen) {
            attackers |= attacks::bishop(to, occupied) & diagonal;
        }
        if matches!(role, Role::Rook | Role::Queen) {
            attackers |= attacks::rook(to, occupied) & straight;
        }
        balance = -balance - 1 - VALUES[role as usize];
        turn = !turn;
        if balance >= 0 {
            break;
        }
    }
    // The side that cannot or will not go on has lost the exchange.
    turn != moved
}

fn cheapest(board: &Board, set: Bitboard) -> Option<(Role, Square)> {
    Role::ALL
        .into_iter()
        .find_map(|role| Some((role, (set & board.by_role(role)).first()?)))
}

#[cfg(test)]
mod tests;
