//! What a position is worth without looking ahead: material and where the pieces stand.

use tabiya_rules::{Color, Position, Role, Square};

/// Hundredths of a pawn, by role.
pub(crate) const VALUES: [i32; 6] = [100, 320, 330, 500, 900, 0];

/// The worth of a white piece on a square; for Black the board is turned over.
static PLACES: [[i32; 64]; 6] = places();

/// For the side to move.
pub(crate) fn evaluate(position: &Position) -> i32 {
    let mut sum = 0;
    let queens = !position.board().by_role(Role::Queen).is_empty();
    for (square, piece) in position.board().iter() {
        let seen = match piece.color {
            Color::White => square,
            Color::Black => square.flip_vertical(),
        };
        let worth = if piece.role == Role::King {
            king(seen, queens)
        } else {
            PLACES[piece.role as usize][seen.index()]
        };
        sum += if piece.color == position.turn() {
            worth
        } else {
            -worth
        };
    }
    sum
}

/// A king hides while there are queens, and walks to the center afterwards.
fn king(square: Square, queens: bool) -> i32 {
    let center = PLACES[Role::King as usize][square.index()];
    if queens { -center } else { center }
}

const fn places() -> [[i32; 64]; 6] {
    let mut table = [[0; 64]; 6];
    let mut role = 0;
    while role < 6 {
        let mut square = 0;
        while square < 64 {
            table[role][square] = VALUES[role] + place(role, square);
            square += 1;
        }
        role += 1;
    }
    table
}

/// Steps to the edges, from 0 in a corner to 6 in the center, weighed by role; pawns count their way.
const fn place(role: usize, square: usize) -> i32 {
    let (file, rank) = (square % 8, square / 8);
    let file_steps = if file < 4 { file } else { 7 - file } as i32;
    let rank_steps = if rank < 4 { rank } else { 7 - rank } as i32;
    let center = file_steps + rank_steps;
    match role {
        0 => {
            let way = rank as i32 - 1;
            way * way * 2 + file_steps * if way > 1 { 4 } else { 1 }
        }
        1 => center * 7 - 20,
        2 => center * 4 - 10,
        3 => file_steps * 2 + if rank == 6 { 15 } else { 0 },
        4 => center,
        _ => center * 6,
    }
}

#[cfg(test)]
mod tests {
    //! Fair to both sides, and worth something.

    use super::*;

    #[test]
    fn both_sides_are_seen_alike() {
        let mut position = Position::start();
        for text in ["e4", "c5", "Nf3", "d6", "d4", "cxd4", "Nxd4"] {
            position = position.play(position.parse_san(text).expect("a move"));
            assert_eq!(evaluate(&position), evaluate(&position.mirror()), "{text}");
        }
        assert_eq!(evaluate(&Position::start()), 0);
    }

    #[test]
    fn material_counts_most() {
        let queen_up = Position::from_fen("4k3/8/8/8/8/8/8/Q3K3 w - - 0 1").expect("valid");
        assert!(evaluate(&queen_up) > 500);
    }
}
