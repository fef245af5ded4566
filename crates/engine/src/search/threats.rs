//! The squares that the side not to move attacks, for the histories and for move ordering.

use tabiya_rules::cpu::{self, Sliders, Task};
use tabiya_rules::{Bitboard, Color, Move, Position, Role, attacks};

/// The bonus for moving a piece away from the attack of a less valuable one, by role; moving into one costs as much.
const ESCAPE_BONUS: [i32; 6] = [0, 7_000, 7_000, 12_000, 16_000, 0];

/// What the side not to move attacks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Threats {
    /// By any piece.
    all: Bitboard,
    /// By a piece that is less valuable than the role.
    by_lesser: [Bitboard; 6],
}

impl Threats {
    /// No threats, where no quiet moves are looked up.
    pub(super) const NONE: Threats = Threats {
        all: Bitboard::EMPTY,
        by_lesser: [Bitboard::EMPTY; 6],
    };

    pub(super) fn new(position: &Position) -> Threats {
        cpu::run(FindThreats(position))
    }

    /// Is a piece attacked where it stands, and would it be where it goes? A number from 0 to 3.
    #[inline]
    pub(super) fn threat_index(&self, m: Move) -> usize {
        let threatened = |square| usize::from(self.all.contains(square));
        threatened(m.from()) * 2 + threatened(m.to())
    }

    /// What a quiet move gains in move ordering by escaping from a less valuable attacker.
    #[inline]
    pub(super) fn escape_bonus(&self, m: Move) -> i32 {
        let role = m.role() as usize;
        let threatened = |square| i32::from(self.by_lesser[role].contains(square));
        ESCAPE_BONUS[role] * (threatened(m.from()) - threatened(m.to()))
    }
}

struct FindThreats<'a>(&'a Position);

impl Task for FindThreats<'_> {
    type Output = Threats;

    #[inline(always)]
    fn run<S: Sliders>(self, sliders: S) -> Threats {
        let (board, enemy) = (self.0.board(), !self.0.turn());
        let occupied = board.occupied();
        let pawns = board.pieces(enemy, Role::Pawn);
        let pawns = match enemy {
            Color::White => pawns.shift(-1, 1) | pawns.shift(1, 1),
            Color::Black => pawns.shift(-1, -1) | pawns.shift(1, -1),
        };
        let mut minors = pawns;
        for square in board.pieces(enemy, Role::Knight) {
            minors |= attacks::knight(square);
        }
        for square in board.pieces(enemy, Role::Bishop) {
            minors |= sliders.bishop(square, occupied);
        }
        let mut rooks = minors;
        for square in board.pieces(enemy, Role::Rook) {
            rooks |= sliders.rook(square, occupied);
        }
        let mut all = rooks;
        for square in board.pieces(enemy, Role::Queen) {
            all |= sliders.queen(square, occupied);
        }
        for square in board.pieces(enemy, Role::King) {
            all |= attacks::king(square);
        }
        let none = Bitboard::EMPTY;
        Threats {
            all,
            by_lesser: [none, pawns, pawns, minors, rooks, none],
        }
    }
}

#[cfg(test)]
mod tests {
    //! Threats are what the pieces attack, one by one.

    use tabiya_rules::SplitMix64;

    use super::*;

    #[test]
    fn threats_are_what_the_pieces_attack() {
        for seed in 0..20 {
            let mut random = SplitMix64::new(seed);
            let mut position = Position::start();
            for _ in 0..150 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position = position.play_unchecked(moves[random.below(moves.len())]);
                let (threats, board) = (Threats::new(&position), position.board());
                let attacked_by = |roles: &[Role]| {
                    let pieces = board.iter().filter(|(_, piece)| {
                        piece.color != position.turn() && roles.contains(&piece.role)
                    });
                    pieces.fold(Bitboard::EMPTY, |set, (square, _)| {
                        set | board.attacks_from(square)
                    })
                };
                assert_eq!(threats.all, attacked_by(&Role::ALL), "{position}");
                let [_, knight, bishop, rook, queen, _] = threats.by_lesser;
                assert_eq!(knight, attacked_by(&Role::ALL[..1]), "{position}");
                assert_eq!(bishop, knight, "{position}");
                assert_eq!(rook, attacked_by(&Role::ALL[..3]), "{position}");
                assert_eq!(queen, attacked_by(&Role::ALL[..4]), "{position}");
            }
        }
    }
}
