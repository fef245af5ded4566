//! The six kinds of pieces, pieces with their color, and a value for each kind.

use core::error::Error;
use core::fmt;
use core::ops::{Index, IndexMut};
use core::str::FromStr;

use crate::Color;
use crate::short_text::ShortText;

/// A kind of piece.
///
/// ```
/// use tabiya_rules::{Color, Role};
///
/// assert_eq!(Role::from_char('n'), Some(Role::Knight));
/// assert_eq!(Role::Knight.of(Color::White).char(), 'N');
/// assert_eq!(Role::Knight.to_string(), "Knight");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Role {
    Pawn,
    Knight,
    Bishop,
    Rook,
    Queen,
    King,
}

const _: () = assert!(size_of::<Option<Role>>() == 1 && size_of::<Option<Piece>>() == 2);

impl Role {
    /// All six, from pawn to king.
    pub const ALL: [Role; 6] = [
        Role::Pawn,
        Role::Knight,
        Role::Bishop,
        Role::Rook,
        Role::Queen,
        Role::King,
    ];

    /// What a pawn can promote to, the usual choice first.
    pub const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

    /// Returns the lower-case English letter: `p n b r q k`.
    #[must_use]
    pub const fn char(self) -> char {
        match self {
            Role::Pawn => 'p',
            Role::Knight => 'n',
            Role::Bishop => 'b',
            Role::Rook => 'r',
            Role::Queen => 'q',
            Role::King => 'k',
        }
    }

    /// Returns the upper-case English letter: `P N B R Q K`.
    #[must_use]
    pub const fn upper_char(self) -> char {
        self.char().to_ascii_uppercase()
    }

    /// Returns `Pawn`, `Knight`, `Bishop`, `Rook`, `Queen` or `King`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Role::Pawn => "Pawn",
            Role::Knight => "Knight",
            Role::Bishop => "Bishop",
            Role::Rook => "Rook",
            Role::Queen => "Queen",
            Role::King => "King",
        }
    }

    /// Returns the role that an English letter in either case stands for.
    #[must_use]
    pub const fn from_char(letter: char) -> Option<Role> {
        match letter {
            'p' | 'P' => Some(Role::Pawn),
            'n' | 'N' => Some(Role::Knight),
            'b' | 'B' => Some(Role::Bishop),
            'r' | 'R' => Some(Role::Rook),
            'q' | 'Q' => Some(Role::Queen),
            'k' | 'K' => Some(Role::King),
            _ => None,
        }
    }

    /// Returns the role with a number below 6.
    #[inline(always)]
    pub(crate) const fn from_low_bits(number: u32) -> Role {
        match number {
            0 => Role::Pawn,
            1 => Role::Knight,
            2 => Role::Bishop,
            3 => Role::Rook,
            4 => Role::Queen,
            _ => Role::King,
        }
    }

    /// Returns a piece of this kind and of a color.
    #[must_use]
    pub const fn of(self, color: Color) -> Piece {
        Piece { color, role: self }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A piece of one side.
///
/// ```
/// use tabiya_rules::{Color, Piece, Role};
///
/// let queen: Piece = "q".parse()?;
/// assert_eq!(queen, Role::Queen.of(Color::Black));
/// assert_eq!(queen.figure(), '♛');
/// # Ok::<(), tabiya_rules::ParsePieceError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Piece {
    /// The side it belongs to.
    pub color: Color,
    /// What kind it is.
    pub role: Role,
}

impl Piece {
    /// Returns the letter FEN uses: upper case for White, lower case for Black.
    #[must_use]
    pub const fn char(self) -> char {
        match self.color {
            Color::White => self.role.upper_char(),
            Color::Black => self.role.char(),
        }
    }

    /// Returns the piece that a FEN letter stands for.
    #[must_use]
    pub const fn from_char(letter: char) -> Option<Piece> {
        let color = if letter.is_ascii_uppercase() {
            Color::White
        } else {
            Color::Black
        };
        match Role::from_char(letter) {
            Some(role) => Some(Piece { color, role }),
            None => None,
        }
    }

    /// Returns the Unicode chess figure, outlined for White (`♘`) and filled for Black (`♞`).
    #[must_use]
    pub const fn figure(self) -> char {
        match (self.color, self.role) {
            (Color::White, Role::Pawn) => '♙',
            (Color::White, Role::Knight) => '♘',
            (Color::White, Role::Bishop) => '♗',
            (Color::White, Role::Rook) => '♖',
            (Color::White, Role::Queen) => '♕',
            (Color::White, Role::King) => '♔',
            (Color::Black, Role::Pawn) => '♟',
            (Color::Black, Role::Knight) => '♞',
            (Color::Black, Role::Bishop) => '♝',
            (Color::Black, Role::Rook) => '♜',
            (Color::Black, Role::Queen) => '♛',
            (Color::Black, Role::King) => '♚',
        }
    }
}

impl fmt::Display for Piece {
    /// Writes `White Knight`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = ShortText::<12>::new();
        for part in [self.color.name(), " ", self.role.name()] {
            text.push_all(part);
        }
        text.fmt(f)
    }
}

impl FromStr for Role {
    type Err = ParsePieceError;

    /// Reads an English letter or name in any case: `n`, `Knight`.
    fn from_str(text: &str) -> Result<Role, ParsePieceError> {
        let mut letters = text.chars();
        if let (Some(letter), None) = (letters.next(), letters.next()) {
            return Role::from_char(letter).ok_or(ParsePieceError);
        }
        let named = |role: &Role| text.eq_ignore_ascii_case(role.name());
        Role::ALL.into_iter().find(named).ok_or(ParsePieceError)
    }
}

impl FromStr for Piece {
    type Err = ParsePieceError;

    /// Reads a FEN letter, or a color and a name: `N`, `White Knight`.
    fn from_str(text: &str) -> Result<Piece, ParsePieceError> {
        let mut letters = text.chars();
        if let (Some(letter), None) = (letters.next(), letters.next()) {
            return Piece::from_char(letter).ok_or(ParsePieceError);
        }
        let (color, role) = text.split_once(' ').ok_or(ParsePieceError)?;
        Ok(Piece {
            color: color.parse().map_err(|_| ParsePieceError)?,
            role: role.parse()?,
        })
    }
}

/// The error returned when a text is not a piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParsePieceError;

impl fmt::Display for ParsePieceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a piece: expected one of the letters p n b r q k, or its English name")
    }
}

impl Error for ParsePieceError {}

/// One value for each role, indexed by [`Role`].
///
/// ```
/// use tabiya_rules::{ByRole, Color, Position, Role};
///
/// let board = *Position::start().board();
/// let counts = ByRole::from_fn(|role| board.pieces(Color::White, role).count());
/// assert_eq!((counts[Role::Pawn], counts[Role::Queen]), (8, 1));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct ByRole<T>(pub(crate) [T; 6]);

impl<T> ByRole<T> {
    /// Computes the six values from their roles.
    #[inline]
    pub fn from_fn(mut make: impl FnMut(Role) -> T) -> Self {
        // `array::map` is not always inlined.
        ByRole([
            make(Role::Pawn),
            make(Role::Knight),
            make(Role::Bishop),
            make(Role::Rook),
            make(Role::Queen),
            make(Role::King),
        ])
    }

    /// Returns the values with their roles, from pawn to king.
    pub fn iter(&self) -> impl Iterator<Item = (Role, &T)> {
        Role::ALL.into_iter().zip(&self.0)
    }
}

impl<T> Index<Role> for ByRole<T> {
    type Output = T;

    #[inline]
    fn index(&self, role: Role) -> &T {
        &self.0[role as usize]
    }
}

impl<T> IndexMut<Role> for ByRole<T> {
    #[inline]
    fn index_mut(&mut self, role: Role) -> &mut T {
        &mut self.0[role as usize]
    }
}
