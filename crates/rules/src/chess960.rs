//! The 960 start positions by number, and double Chess960, where each side has its own.

use crate::{Board, CastlingMode, Color, File, Position, Rank, Role, Setup, Square};

impl Position {
    /// Returns the Chess960 start position with a number from 0 to 959; 518 is standard chess.
    ///
    /// ```
    /// use tabiya_rules::Position;
    ///
    /// let position = Position::chess960(518).unwrap();
    /// assert_eq!(position.fen(), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1");
    /// assert_eq!(Position::chess960(960), None);
    /// ```
    #[must_use]
    pub fn chess960(number: u16) -> Option<Position> {
        Position::double_chess960(number, number)
    }

    /// Returns a start position in which each side has its own arrangement.
    #[must_use]
    pub fn double_chess960(white: u16, black: u16) -> Option<Position> {
        let mut setup = Setup {
            mode: CastlingMode::Chess960,
            ..Setup::EMPTY
        };
        for (color, number) in [(Color::White, white), (Color::Black, black)] {
            let home = Rank::First.relative_to(color);
            for (file, role) in File::ALL.into_iter().zip(back_rank(number)?) {
                put(&mut setup.board, file, home, color, role);
                put(
                    &mut setup.board,
                    file,
                    Rank::Second.relative_to(color),
                    color,
                    Role::Pawn,
                );
                if role == Role::Rook {
                    setup.castling_rooks |= Square::new(file, home);
                }
            }
        }
        setup.position().ok()
    }

    /// Returns the number of a start position: all pieces and pawns at home, in the same arrangement on both sides,
    /// whatever the castling rights. `None` for any other position.
    #[must_use]
    pub fn chess960_number(&self) -> Option<u16> {
        (0..960).find(|&number| {
            Position::chess960(number).is_some_and(|start| start.board() == self.board())
        })
    }
}

/// Puts a piece of a role and color on a square.
fn put(board: &mut Board, file: File, rank: Rank, color: Color, role: Role) {
    board.put(Square::new(file, rank), role.of(color));
}

/// Returns the pieces from the a-file to the h-file. The number encodes, from its low end, the light-squared bishop,
/// the dark-squared bishop, the queen among the six free squares, and the two knights among the five squares left after
/// that; a rook, the king and a rook take the rest.
fn back_rank(number: u16) -> Option<[Role; 8]> {
    if number >= 960 {
        return None;
    }
    let number = usize::from(number);
    let mut rank: [Option<Role>; 8] = [None; 8];
    rank[number % 4 * 2 + 1] = Some(Role::Bishop);
    rank[number / 4 % 4 * 2] = Some(Role::Bishop);
    place(&mut rank, number / 16 % 6, Role::Queen);
    let pair = number / 96;
    let mut index = 0;
    for first in 0..4 {
        for second in first + 1..5 {
            if index == pair {
                // Placing the second knight first keeps the first one's index valid.
                place(&mut rank, second, Role::Knight);
                place(&mut rank, first, Role::Knight);
            }
            index += 1;
        }
    }
    for role in [Role::Rook, Role::King, Role::Rook] {
        place(&mut rank, 0, role);
    }
    Some(rank.map(|role| role.unwrap_or(Role::Pawn)))
}

/// Puts a piece on the `index`th square that is still free.
fn place(rank: &mut [Option<Role>; 8], index: usize, role: Role) {
    if let Some(square) = rank.iter_mut().filter(|square| square.is_none()).nth(index) {
        *square = Some(role);
    }
}
