//! Static exchange evaluation (SEE): the material outcome of a series of captures on one square, without playing it.

use super::Position;
use crate::cpu::{self, Sliders};
use crate::{Bitboard, Board, ByRole, Color, Move, Role, Square, attacks};

/// Piece values in centipawns for exchanges. The king's is larger than all others together, because it is never given
/// up.
pub const PIECE_VALUES: ByRole<i32> = ByRole([100, 310, 320, 500, 960, 20_000]);

/// The most pieces that can capture on one square: eight knights, and seven on each of eight lines.
const MAX_CAPTURES: usize = 64;

impl Position {
    /// Returns the static exchange evaluation of a legal move in centipawns: what it wins or loses if both sides keep
    /// capturing on its target square, each with its least valuable piece and only as long as that pays.
    ///
    /// ```
    /// use tabiya_rules::Position;
    ///
    /// let position = Position::from_fen("4k3/4p3/3p4/8/8/3R4/8/4K3 w - - 0 1")?;
    /// let capture = position.parse_san("Rxd6")?;
    /// assert_eq!(position.see(capture), 100 - 500);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "SEE")]
    #[doc(alias = "static_exchange_evaluation")]
    #[must_use]
    pub fn see(&self, m: Move) -> i32 {
        // Castling captures nothing, and exposes neither the rook nor the king.
        if m.is_castle() {
            return 0;
        }
        let (gain, mut victim, occupied) = self.first_capture(m);
        let sliders = cpu::compile_time_sliders();
        let mut exchange = Exchange::new(sliders, &self.board, self.turn, m.to(), occupied);
        // What the capturing side has won by then, if nothing follows.
        let mut gains = [0; MAX_CAPTURES];
        gains[0] = gain;
        let mut last = 0;
        while last + 1 < MAX_CAPTURES
            && let Some(role) = exchange.recapture()
        {
            last += 1;
            gains[last] = PIECE_VALUES[victim] - gains[last - 1];
            victim = role;
        }
        // Backwards: a side captures only if that is better than stopping.
        while last > 0 {
            gains[last - 1] = -gains[last].max(-gains[last - 1]);
            last -= 1;
        }
        gains[0]
    }

    /// Returns whether the static exchange evaluation of a legal move is at least `threshold` centipawns. Faster than
    /// [`Position::see`].
    #[doc(alias = "SEE")]
    #[must_use]
    pub fn see_ge(&self, m: Move, threshold: i32) -> bool {
        if m.is_castle() {
            return threshold <= 0;
        }
        let (gain, victim, occupied) = self.first_capture(m);
        let mut balance = gain - threshold;
        if balance < 0 {
            return false;
        }
        // Is it good enough even if the moved piece is lost for nothing?
        balance -= PIECE_VALUES[victim];
        if balance >= 0 {
            return true;
        }
        cpu::run(WinsExchange {
            position: self,
            to: m.to(),
            occupied,
            balance,
        })
    }

    /// Returns what a move other than castling wins at once, the piece that can be captured in return, and the occupied
    /// squares after it.
    #[inline(always)]
    fn first_capture(&self, m: Move) -> (i32, Role, Bitboard) {
        let captured = self.captured(m);
        let mut gain = captured.map_or(0, |(_, piece)| PIECE_VALUES[piece.role]);
        let mut victim = m.role();
        if let Some(role) = m.promotion() {
            gain += PIECE_VALUES[role] - PIECE_VALUES[Role::Pawn];
            victim = role;
        }
        let mut occupied = (self.board.occupied() - m.from()) | m.to();
        if let Some((square, _)) = captured.filter(|_| m.is_en_passant()) {
            occupied -= square;
        }
        (gain, victim, occupied)
    }
}

/// Whether the side to move wins the exchange on a square that it has just entered.
struct WinsExchange<'a> {
    position: &'a Position,
    to: Square,
    /// The occupied squares after the move.
    occupied: Bitboard,
    /// What is won over the threshold if the moved piece is lost: negative.
    balance: i32,
}

impl cpu::Task for WinsExchange<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<S: Sliders>(self, sliders: S) -> bool {
        let (board, turn) = (&self.position.board, self.position.turn);
        let mut exchange = Exchange::new(sliders, board, turn, self.to, self.occupied);
        // The balance of the side that moved last, as if its piece were captured now.
        let mut balance = self.balance;
        while let Some(role) = exchange.recapture() {
            balance = -balance - 1 - PIECE_VALUES[role];
            if balance >= 0 {
                break;
            }
        }
        // The side that cannot or will not recapture has lost the exchange.
        exchange.turn != turn
    }
}

/// A series of captures on one square.
struct Exchange<'a, S> {
    sliders: S,
    board: &'a Board,
    to: Square,
    /// The side that can capture next.
    turn: Color,
    occupied: Bitboard,
    attackers: Bitboard,
    diagonal: Bitboard,
    straight: Bitboard,
}

impl<'a, S: Sliders> Exchange<'a, S> {
    #[inline(always)]
    fn new(
        sliders: S,
        board: &'a Board,
        moved: Color,
        to: Square,
        occupied: Bitboard,
    ) -> Exchange<'a, S> {
        let [pawns, knights, bishops, rooks, queens, kings] = board.by_roles();
        let (diagonal, straight) = (bishops | queens, rooks | queens);
        let attacking_pawns = (attacks::pawn(Color::Black, to) & board.by_color(Color::White))
            | (attacks::pawn(Color::White, to) & board.by_color(Color::Black));
        Exchange {
            sliders,
            board,
            to,
            turn: !moved,
            occupied,
            attackers: (attacking_pawns & pawns)
                | (attacks::knight(to) & knights)
                | (attacks::king(to) & kings)
                | (sliders.bishop(to, occupied) & diagonal)
                | (sliders.rook(to, occupied) & straight),
            diagonal,
            straight,
        }
    }

    /// Captures with the least valuable attacker and returns its role; `None` if no attacker may capture.
    #[inline(always)]
    fn recapture(&mut self) -> Option<Role> {
        self.attackers &= self.occupied;
        let ours = self.attackers & self.board.by_color(self.turn);
        let (role, square) = least_valuable(self.board, ours)?;
        // A king cannot capture a defended piece.
        if role == Role::King && !(self.attackers & self.board.by_color(!self.turn)).is_empty() {
            return None;
        }
        self.occupied -= square;
        if matches!(role, Role::Pawn | Role::Bishop | Role::Queen) {
            self.attackers |= self.sliders.bishop(self.to, self.occupied) & self.diagonal;
        }
        if matches!(role, Role::Rook | Role::Queen) {
            self.attackers |= self.sliders.rook(self.to, self.occupied) & self.straight;
        }
        self.turn = !self.turn;
        Some(role)
    }
}

/// Returns the least valuable piece of a set, and its square.
#[inline(always)]
fn least_valuable(board: &Board, set: Bitboard) -> Option<(Role, Square)> {
    for role in Role::ALL {
        if let Some(square) = (set & board.by_role(role)).first() {
            return Some((role, square));
        }
    }
    None
}

#[cfg(test)]
mod tests;
