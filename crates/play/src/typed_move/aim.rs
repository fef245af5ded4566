//! What a text that cannot be played says about the move that was meant.

use tabiya_rules::{File, Move, Position, Role, Square};

/// The greatest number of moves that are suggested.
const MAX_SUGGESTIONS: usize = 3;

/// How many squares a suggested move's target may be from the typed one.
const MAX_DISTANCE: u32 = 2;

/// A text that looks like a move: a piece and a target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Aim {
    /// The kinds of pieces that may be meant; empty for any.
    roles: Vec<Role>,
    from: Option<Square>,
    /// The file of a pawn.
    file: Option<File>,
    to: Square,
}

impl Aim {
    /// Reads what a text aims at; `None` if it does not look like a move.
    #[must_use]
    pub fn of(text: &str) -> Option<Aim> {
        let text: String = text
            .chars()
            .filter(|c| c.is_ascii_alphanumeric() && *c != 'x')
            .collect();
        let square = |at: usize| text.get(at..at + 2)?.to_ascii_lowercase().parse().ok();
        // Only a promotion may follow the square.
        let (at, to): (usize, Square) = (0..=2)
            .filter_map(|end| text.len().checked_sub(2 + end))
            .find_map(|at| Some((at, square(at)?)))?;
        let before = text.get(..at)?;
        if before.len() > 3 {
            // No move has this much before its square, so it is the name of a command.
            return None;
        }
        let mut aim = Aim {
            roles: Vec::new(),
            from: square(0).filter(|_| before.len() == 2),
            file: None,
            to,
        };
        match before.chars().next() {
            None => {
                aim.roles = vec![Role::Pawn];
                aim.file = Some(to.file());
            }
            Some(letter @ 'a'..='h') if aim.from.is_none() => {
                aim.roles = vec![Role::Pawn];
                aim.file = File::from_char(letter);
                if letter == 'b' {
                    aim.roles.push(Role::Bishop);
                }
            }
            Some(letter) if aim.from.is_none() => aim.roles.extend(Role::from_char(letter)),
            Some(_) => {}
        }
        Some(aim)
    }

    /// The legal moves nearby, nearest first, in the typed notation.
    #[must_use]
    pub fn near(&self, position: &Position) -> Vec<String> {
        let mut found: Vec<(u32, Move)> = position
            .legal_moves()
            .into_iter()
            .filter(|&played| self.is_meant(played))
            .map(|played| (played.destination().distance(self.to), played))
            .filter(|&(distance, _)| distance <= self.reach())
            .collect();
        found.sort_by_key(|&(distance, _)| distance);
        let nearest = found.first().map(|&(distance, _)| distance);
        let is_exact = nearest == Some(0);
        if found.len() > MAX_SUGGESTIONS || is_exact {
            found.retain(|&(distance, _)| Some(distance) == nearest);
        }
        let written = |played: Move| match self.from {
            Some(_) => position.uci(played).to_string(),
            None => position.san(played).to_string(),
        };
        // A promotion has four moves.
        let most = if is_exact { 4 } else { MAX_SUGGESTIONS };
        let texts = found.into_iter().map(|(_, played)| written(played));
        texts.take(most).collect()
    }

    /// How far the target of a suggested move may be from the typed square. If the piece is unknown, the square must be
    /// right.
    fn reach(&self) -> u32 {
        if self.roles.is_empty() && self.from.is_none() {
            0
        } else {
            MAX_DISTANCE
        }
    }

    /// Whether a move fits what is known about the intended one.
    fn is_meant(&self, played: Move) -> bool {
        let pawn = played.role() == Role::Pawn;
        self.from.is_none_or(|from| played.from() == from)
            && (self.roles.is_empty() || self.roles.contains(&played.role()))
            && (!pawn || self.file.is_none_or(|file| played.from().file() == file))
    }
}

/// Whether a text means castling.
#[must_use]
pub fn is_castling(text: &str) -> bool {
    let of_castling = |c: char| matches!(c, 'o' | 'O' | '0' | '-');
    text.contains('-') && text.trim().chars().all(of_castling)
}

/// Replaces the figures of pieces in a text with their letters.
#[must_use]
pub fn without_figures(text: &str) -> String {
    let letter = |c: char| match c {
        '♔' | '♚' => 'K',
        '♕' | '♛' => 'Q',
        '♖' | '♜' => 'R',
        '♗' | '♝' => 'B',
        '♘' | '♞' => 'N',
        other => other,
    };
    text.chars().map(letter).collect()
}

/// The end of a text that would be a move if that were a square of the board, such as `e9`.
#[must_use]
pub fn square_off_board(text: &str) -> Option<&str> {
    let text = text.trim();
    let (head, square) = text.split_at_checked(text.len().checked_sub(2)?)?;
    let is_move = head.chars().all(|c| "KQRBNabcdefghx12345678-".contains(c));
    let alike = matches!(square.as_bytes(), [b'a'..=b'z', b'0'..=b'9']);
    (is_move && alike && square.parse::<Square>().is_err()).then_some(square)
}
