//! A game as a database keeps it: tags as columns, and the moves at a byte a ply.

use std::borrow::Cow;

use tabiya_game::GameResult;
use tabiya_rules::{Bitboard, Board, CastlingMode, Color, Move, Position, Role, Setup, Waivers};

use crate::facts::{Facts, Speed};
use crate::key::{PositionKey, mix};
use crate::move_code::{MoveCode, rank, unrank};
use crate::page::MAX_VALUE;

/// A game of a database.
///
/// Texts are those of the PGN file, decoded and shortened. An empty text and `?` are `None`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Game {
    /// The ID: a hash of the players, the date, the start position and the moves.
    pub id: u64,
    /// Who has the white pieces.
    pub white: Option<String>,
    /// Who has the black pieces.
    pub black: Option<String>,
    /// White's rating.
    pub white_elo: Option<u16>,
    /// Black's rating.
    pub black_elo: Option<u16>,
    /// The tournament.
    pub event: Option<String>,
    /// The place, or the address of the game.
    pub site: Option<String>,
    /// The round.
    pub round: Option<String>,
    /// The date as the tag has it, such as `2024.03.??`.
    pub date: Option<String>,
    /// The year of the date.
    pub year: Option<u16>,
    /// How it ended.
    pub result: GameResult,
    /// The code of the opening as the tag has it.
    pub eco: Option<String>,
    /// The time control as the tag has it.
    pub time_control: Option<String>,
    /// The speed class of the time control.
    pub speed: Option<Speed>,
    /// The FEN of the start position if it is not the standard one. In Chess960, castling rights are given by files.
    pub fen: Option<String>,
    /// All other tags, as a JSON object.
    pub tags: Option<String>,
    /// The file that the game was read from.
    pub source: String,
    /// The byte offset of the game in the text of the file.
    pub offset: u64,
    /// The moves: for each ply the place of the move among the legal ones.
    pub moves: Vec<u8>,
    /// The pieces in the final position, four bits for each number.
    pub material: u64,
    /// The pawns on their original squares in the final position, White's in the low eight bits.
    pub home_pawns: u16,
}

impl Game {
    /// What the game is counted by.
    #[must_use]
    pub fn facts(&self) -> Facts {
        let rating = match (self.white_elo, self.black_elo) {
            (Some(white), Some(black)) => Some(white.midpoint(black)),
            (one, other) => one.or(other),
        };
        Facts {
            result: self.result,
            year: self.year,
            speed: self.speed,
            rating,
        }
    }

    /// The start position; `None` if the FEN of a damaged row is not valid.
    #[must_use]
    pub fn start(&self) -> Option<Position> {
        let Some(fen) = &self.fen else {
            return Some(Position::start());
        };
        let position = Setup::from_fen(fen)
            .ok()?
            .position_waiving(Waivers::ALL)
            .ok()?;
        Some(position)
    }

    /// The moves of the game, each with the position before it. They end early in a damaged row.
    pub fn plies(&self) -> impl Iterator<Item = (Position, Move)> + '_ {
        let mut position = self.start();
        self.moves.iter().map_while(move |&place| {
            let before = position?;
            let m = unrank(&before, place)?;
            position = Some(before.play_unchecked(m));
            Some((before, m))
        })
    }

    /// Sets the ID.
    pub(crate) fn identify(&mut self) {
        let mut hash = Hasher(0x7461_6269_7961);
        for text in [&self.white, &self.black, &self.date, &self.fen] {
            hash.bytes(text.as_deref().unwrap_or_default().as_bytes());
        }
        hash.bytes(&self.moves);
        self.id = hash.0;
    }

    /// Whether the game can have a position, judged by its final position.
    pub(crate) fn may_reach(&self, wanted: &IrreversibleFeatures) -> bool {
        self.home_pawns & !wanted.home_pawns == 0
            && pieces(self.material, 0) <= wanted.pieces[0]
            && pieces(self.material, 20) <= wanted.pieces[1]
    }
}

/// The number of pieces of one side, from the four-bit numbers of their roles.
fn pieces(material: u64, shift: u32) -> u32 {
    (0..5)
        .map(|role| (material >> (shift + 4 * role) & 15) as u32)
        .sum()
}

/// What a game never undoes: captures, and pawns that left their original squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct IrreversibleFeatures {
    /// The number of pieces other than the king, by side.
    pieces: [u32; 2],
    home_pawns: u16,
}

impl IrreversibleFeatures {
    pub(crate) fn of(board: &Board) -> IrreversibleFeatures {
        let count = |color| board.by_color(color).count().saturating_sub(1);
        IrreversibleFeatures {
            pieces: [count(Color::White), count(Color::Black)],
            home_pawns: home_pawns(board),
        }
    }

    /// Whether a position with these features can come after one with the other.
    pub(crate) fn may_follow(&self, earlier: &IrreversibleFeatures) -> bool {
        self.home_pawns & !earlier.home_pawns == 0
            && self.pieces[0] <= earlier.pieces[0]
            && self.pieces[1] <= earlier.pieces[1]
    }
}

/// The files on which each side's pawn has not moved, as bits.
fn home_pawns(board: &Board) -> u16 {
    let white: Bitboard = board.pieces(Color::White, Role::Pawn);
    let black: Bitboard = board.pieces(Color::Black, Role::Pawn);
    (white.0 >> 8 & 0xff | black.0 >> 40 & 0xff00) as u16
}

/// The number of pieces of each color and role, four bits each.
fn material(board: &Board) -> u64 {
    let mut signature = 0;
    let mut shift = 0;
    for color in [Color::White, Color::Black] {
        for role in [
            Role::Pawn,
            Role::Knight,
            Role::Bishop,
            Role::Rook,
            Role::Queen,
        ] {
            signature |= u64::from(board.pieces(color, role).count().min(15)) << shift;
            shift += 4;
        }
    }
    signature
}

/// The positions of one game in order, each once.
#[derive(Debug, Default)]
pub(crate) struct Line {
    pub(crate) moves: Vec<u8>,
    /// The positions in which a move was played, and the last one.
    pub(crate) places: Vec<PlaceInGame>,
    /// The keys of all positions so far.
    keys: Vec<u64>,
    /// The keys as a set, for games with long sequences of reversible moves.
    seen: std::collections::HashSet<u64>,
    end: Option<Position>,
}

/// A position of a game, and the move played there the first time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlaceInGame {
    pub(crate) key: PositionKey,
    pub(crate) code: MoveCode,
    pub(crate) ply: u16,
}

/// How many plies back repetitions are looked for one by one.
const LOOK_BACK: u32 = 100;

impl Line {
    pub(crate) fn begin(&mut self, start: &Position) {
        self.moves.clear();
        self.places.clear();
        self.keys.clear();
        self.seen.clear();
        self.end = Some(*start);
    }

    /// The next move of the game.
    pub(crate) fn play(&mut self, before: &Position, m: Move, after: &Position) {
        // Longer values are not read. No game that was played is a hundredth as long.
        if self.moves.len() >= MAX_VALUE {
            return;
        }
        self.moves.push(rank(&before.legal_moves(), m));
        self.visit(before, MoveCode::new(m));
        self.end = Some(*after);
    }

    /// The game is over: the last position is one of its positions too.
    pub(crate) fn finish(&mut self) -> Option<Position> {
        let end = self.end?;
        self.visit(&end, MoveCode::NONE);
        Some(end)
    }

    /// Records a position, and the move played there, unless the position has occurred before.
    fn visit(&mut self, position: &Position, code: MoveCode) {
        let hash = position.key();
        // Positions after the last number of a ply are in the game only.
        if let Ok(ply) = u16::try_from(self.keys.len())
            && !self.occurred(hash, position.halfmove_clock())
        {
            self.places.push(PlaceInGame {
                key: PositionKey::of(position),
                code,
                ply,
            });
        }
        self.keys.push(hash);
    }

    /// Whether a position has occurred before in this game.
    fn occurred(&mut self, hash: u64, clock: u32) -> bool {
        if clock <= LOOK_BACK {
            let mut back = self.keys.iter().rev().take(clock as usize);
            return back.any(|&earlier| earlier == hash);
        }
        if self.seen.is_empty() {
            self.seen.extend(&self.keys);
        }
        !self.seen.insert(hash)
    }
}

/// Sets what follows from the moves of a game.
pub(crate) fn complete(game: &mut Game, line: &mut Line) {
    if let Some(end) = line.finish() {
        game.material = material(end.board());
        game.home_pawns = home_pawns(end.board());
    }
    game.moves.clone_from(&line.moves);
    game.identify();
}

/// The FEN of a start position; `None` for the standard one.
pub(crate) fn start_fen(start: &Position) -> Option<String> {
    let is_standard =
        *start == Position::start() && start.castling_mode() == CastlingMode::Standard;
    (!is_standard).then(|| start.fen())
}

/// A shortened text; `None` if it says nothing.
pub(crate) fn text(value: &str) -> Option<String> {
    const MAX_LENGTH: usize = 1024;
    let value = value.trim();
    if matches!(value, "" | "?" | "-") {
        return None;
    }
    let cut = value.floor_char_boundary(MAX_LENGTH);
    Some(value.get(..cut).unwrap_or(value).to_owned())
}

/// The hash of IDs: of each text the length and then the bytes, eight to a word.
struct Hasher(u64);

impl Hasher {
    fn bytes(&mut self, bytes: &[u8]) {
        self.word(bytes.len() as u64);
        let (words, rest) = bytes.as_chunks::<8>();
        for word in words {
            self.word(u64::from_le_bytes(*word));
        }
        let mut last: Cow<'_, [u8]> = rest.into();
        if !last.is_empty() {
            last.to_mut().resize(8, 0);
            self.word(
                last.first_chunk()
                    .map_or(0, |word| u64::from_le_bytes(*word)),
            );
        }
    }

    /// Adds a number to the hash.
    fn word(&mut self, word: u64) {
        self.0 = mix(self.0 ^ word).wrapping_add(0x9e37_79b9_7f4a_7c15);
    }
}

#[cfg(test)]
mod tests;
