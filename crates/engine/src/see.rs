//! Static exchange evaluation (SEE): the material outcome of a series of captures on one square, without playing it.

use tabiya_rules::{Bitboard, Board, Color, Move, Position, Role, Square, attacks};

/// Piece values in centipawns, by role. The king comes last and is never given up.
pub const PIECE_VALUES: [i32; 6] = [100, 310, 320, 500, 960, 20_000];

/// Is the static exchange value of a legal move at least `threshold`, in centipawns?
///
/// ```
/// use tabiya_engine::see_ge;
/// use tabiya_rules::Position;
///
/// let position = Position::from_fen("4k3/4p3/3p4/8/8/3R4/8/4K3 w - - 0 1")?;
/// let capture = position.parse_san("Rxd6").expect("legal");
/// assert!(!see_ge(&position, capture, 0));
/// assert!(see_ge(&position, capture, -400));
/// # Ok::<(), tabiya_rules::ParseFenError>(())
/// ```
#[must_use]
pub fn see_ge(position: &Position, m: Move, threshold: i32) -> bool {
    // Castling captures nothing, and no rook or king is exposed by it.
    if m.is_castle() {
        return threshold <= 0;
    }
    let board = position.board();
    let to = m.to();
    let captured = position.captured(m);
    let mut balance =
        captured.map_or(0, |(_, piece)| PIECE_VALUES[piece.role as usize]) - threshold;
    let mut victim = m.role();
    if let Some(role) = m.promotion() {
        balance += PIECE_VALUES[role as usize] - PIECE_VALUES[Role::Pawn as usize];
        victim = role;
    }
    if balance < 0 {
        return false;
    }
    // Good enough even if the moved piece is lost for nothing?
    balance -= PIECE_VALUES[victim as usize];
    if balance >= 0 {
        return true;
    }
    let mut occupied = (board.occupied() - m.from()) | to;
    if let Some((square, _)) = captured.filter(|_| m.is_en_passant()) {
        occupied -= square;
    }
    wins_exchange(board, position.turn(), to, occupied, balance)
}

/// Lets both sides recapture with their least valuable attacker until one side would rather stop. `balance` is that of
/// the side that moved last, if its piece were captured now.
fn wins_exchange(
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
        let Some((role, square)) = least_valuable(board, ours) else {
            break;
        };
        // A king cannot capture a defended piece.
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
        balance = -balance - 1 - PIECE_VALUES[role as usize];
        turn = !turn;
        if balance >= 0 {
            break;
        }
    }
    // The side that cannot or will not recapture has lost the exchange.
    turn != moved
}

fn least_valuable(board: &Board, set: Bitboard) -> Option<(Role, Square)> {
    Role::ALL
        .into_iter()
        .find_map(|role| Some((role, (set & board.by_role(role)).first()?)))
}

#[cfg(test)]
mod tests;
