//! An exercise: a position, the moves that solve it, and where it comes from. Its identity is the position.

use std::fmt;
use std::str::FromStr;

use tabiya_rules::{Move, Position, PositionKey, UciMove};

/// What an exercise trains, as far as its identity goes: the same position can be an exercise and a place in a repertoire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// A position to solve: `x`.
    Exercise,
    /// A position of White's repertoire: `rw`.
    White,
    /// A position of Black's repertoire: `rb`.
    Black,
}

impl Scope {
    const ALL: [Scope; 3] = [Scope::Exercise, Scope::White, Scope::Black];

    fn prefix(self) -> &'static str {
        match self {
            Scope::Exercise => "x",
            Scope::White => "rw",
            Scope::Black => "rb",
        }
    }
}

/// The identity of an exercise: transpositions, and the same puzzle from two files, are one exercise.
///
/// Its text is the prefix and the position's key in 20 hexadecimal digits, such as `x:9d39247e33776d41a07c`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ItemId {
    /// What it is an identity among.
    pub scope: Scope,
    /// The key of the position.
    pub key: PositionKey,
}

impl ItemId {
    /// The identity of a position to solve.
    #[must_use]
    pub fn exercise(position: &Position) -> ItemId {
        ItemId {
            scope: Scope::Exercise,
            key: PositionKey::of(position),
        }
    }
}

impl fmt::Display for ItemId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PositionKey { hash, check } = self.key;
        write!(f, "{}:{hash:016x}{check:04x}", self.scope.prefix())
    }
}

/// The error returned when a text is not the identity of an exercise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not the identity of an exercise: expected x:, rw: or rb: and 20 hexadecimal digits")]
pub struct ParseItemIdError;

impl FromStr for ItemId {
    type Err = ParseItemIdError;

    fn from_str(text: &str) -> Result<ItemId, ParseItemIdError> {
        let (prefix, digits) = text.split_once(':').ok_or(ParseItemIdError)?;
        let mut scopes = Scope::ALL.into_iter();
        let scope = scopes.find(|scope| scope.prefix() == prefix);
        let is_digit = |digit: u8| matches!(digit, b'0'..=b'9' | b'a'..=b'f');
        if digits.len() != 20 || !digits.bytes().all(is_digit) {
            return Err(ParseItemIdError);
        }
        let (hash, check) = digits.split_at(16);
        Ok(ItemId {
            scope: scope.ok_or(ParseItemIdError)?,
            key: PositionKey {
                hash: u64::from_str_radix(hash, 16).map_err(|_| ParseItemIdError)?,
                check: u16::from_str_radix(check, 16).map_err(|_| ParseItemIdError)?,
            },
        })
    }
}

/// The kind of an exercise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ItemKind {
    /// A mistake of the player: find better.
    Own,
    /// A tactic to solve.
    Tactic,
    /// A position of the repertoire.
    Line,
}

impl ItemKind {
    /// All kinds.
    pub const ALL: [ItemKind; 3] = [ItemKind::Own, ItemKind::Tactic, ItemKind::Line];

    /// Its name in a log.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            ItemKind::Own => "own",
            ItemKind::Tactic => "tactic",
            ItemKind::Line => "line",
        }
    }
}

/// An exercise. Its moves are legal in its position.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Item {
    /// Its identity.
    pub id: ItemId,
    /// What kind it is.
    pub kind: ItemKind,
    /// The position to solve.
    pub position: Position,
    /// The best moves, at least one.
    pub best: Vec<Move>,
    /// Other moves that are as good.
    pub also: Vec<Move>,
    /// The move that was played instead.
    pub wrong: Option<Move>,
    /// The best line. That of a tactic is its solution, with the opponent's replies.
    pub line: Vec<Move>,
    /// The opponent's move that led to the position.
    pub last: Option<UciMove>,
    /// The expected score of the best move, from 0 to 1.
    pub w: Option<f64>,
    /// The rating of the exercise.
    pub rating: Option<u32>,
    /// The deviation of that rating.
    pub rd: Option<u32>,
    /// What it is about, such as `pin`.
    pub themes: Vec<String>,
    /// The game it comes from: a file below the data folder.
    pub from: Option<String>,
    /// The ply of the mistake in that game, counted from 1.
    pub ply: Option<u32>,
    /// The opponent in that game.
    pub vs: Option<String>,
    /// The date of that game, as in PGN.
    pub date: Option<String>,
}

impl Item {
    /// An exercise of one best move, about which nothing else is known.
    #[must_use]
    pub fn new(kind: ItemKind, position: Position, best: Move) -> Item {
        Item {
            id: ItemId::exercise(&position),
            kind,
            position,
            best: vec![best],
            also: Vec::new(),
            wrong: None,
            line: vec![best],
            last: None,
            w: None,
            rating: None,
            rd: None,
            themes: Vec::new(),
            from: None,
            ply: None,
            vs: None,
            date: None,
        }
    }

    /// The move that is shown as the solution; `None` if all have been retracted.
    #[must_use]
    pub fn solution(&self) -> Option<Move> {
        self.best.first().or(self.also.first()).copied()
    }

    /// The moves to find, with the opponent's replies between them: of a tactic the whole line, otherwise one move.
    #[must_use]
    pub fn to_find(&self) -> &[Move] {
        let length = match self.kind {
            // The opponent has no last word.
            ItemKind::Tactic => self.line.len().saturating_sub(1) | 1,
            ItemKind::Own | ItemKind::Line => 1,
        };
        match self.line.first() {
            Some(&first) if self.accepts(first) => &self.line[..length],
            Some(_) | None => self
                .best
                .get(..1)
                .or(self.also.get(..1))
                .unwrap_or_default(),
        }
    }

    /// Whether a move solves it.
    #[must_use]
    pub fn accepts(&self, played: Move) -> bool {
        self.best.contains(&played) || self.also.contains(&played)
    }

    /// Adds what another item of the same identity knows: accepted moves, themes, and what was unknown.
    pub(crate) fn merge(&mut self, other: Item) {
        for m in other.best.into_iter().chain(other.also) {
            if !self.accepts(m) {
                self.also.push(m);
            }
        }
        for theme in other.themes {
            if !self.themes.contains(&theme) {
                self.themes.push(theme);
            }
        }
        self.wrong = self.wrong.or(other.wrong);
        self.last = self.last.or(other.last);
        self.w = self.w.or(other.w);
        // One that people gave takes the place of an estimate.
        let surer = |rd: Option<u32>| rd.unwrap_or(u32::MAX);
        if other.rating.is_some() && (self.rating.is_none() || surer(other.rd) < surer(self.rd)) {
            (self.rating, self.rd) = (other.rating, other.rd);
        }
        if self.from.is_none() {
            self.from = other.from;
            self.ply = other.ply;
            self.vs = other.vs;
            self.date = other.date;
        }
    }

    /// Whether another item has nothing that this one does not know.
    #[must_use]
    pub fn covers(&self, other: &Item) -> bool {
        let mut merged = self.clone();
        merged.merge(other.clone());
        merged == *self
    }

    /// Takes an accepted move back.
    pub(crate) fn retract(&mut self, played: Move) {
        self.best.retain(|&m| m != played);
        self.also.retain(|&m| m != played);
        if self.line.first() == Some(&played) {
            self.line.clear();
        }
    }
}
