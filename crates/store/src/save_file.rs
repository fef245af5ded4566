//! A game as the text of a save, and the entries of a journal.
//!
//! A save is PGN in export format with three more tags. One holds the format, the number of the copy and the checksum:
//! `[TabiyaSave "1 17 0f3a…"]`. The others hold the players: `[WhitePlayer "human"]`, `[BlackPlayer "bot:4"]`. A
//! journal is a list of such texts, each after a line with its length.

use tabiya_game::{Session, pgn};
use tabiya_rules::{ByColor, Color};
use thiserror::Error;

/// The format that is written, and the newest one that can be read.
const VERSION: u32 = 1;

const SAVE_TAG: &str = "TabiyaSave";

/// The beginning of every entry of a journal.
const MARK: &str = "%tabiya-journal ";

/// The length of the checksum as text.
const SUM_LENGTH: usize = 16;

/// A game and its players.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedGame {
    /// The game.
    pub session: Session,
    /// Who plays each side, in the caller's own words; `None` if nobody of this program does, as in a game from
    /// elsewhere.
    pub players: ByColor<Option<String>>,
}

/// A readable copy of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SaveCopy {
    pub game: SavedGame,
    /// The number of the copy; later ones have higher numbers.
    pub number: u64,
    /// Whether this program wrote it, and nothing has changed it since.
    pub is_own: bool,
}

/// Why a text is not a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Unreadable {
    /// A newer version of the program wrote it.
    #[error(
        "it was written by a newer version of the program (format {0}, this one knows {VERSION})"
    )]
    Newer(u32),
    /// The file holds several games.
    #[error("it holds several games, and a save holds one")]
    Several,
    /// Something is missing or wrong.
    #[error(transparent)]
    Damaged(#[from] Damage),
}

/// What is damaged in the files of a save.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Damage {
    /// There are only tags or comments.
    #[error("there is no game in it")]
    NoGame,
    /// The game cannot be read from some place on. The text there is garbage and is not quoted.
    #[error("it is damaged at {0} (line:column)")]
    At(pgn::TextPosition),
    /// The program died before it had written an entry.
    #[error("its journal has no whole entry")]
    NoEntry,
}

fn player_tag(color: Color) -> &'static str {
    match color {
        Color::White => "WhitePlayer",
        Color::Black => "BlackPlayer",
    }
}

/// Returns the text of a save.
pub fn save_text(game: &SavedGame, number: u64, today: &str) -> String {
    let mut record = game.session.save();
    let tags = record.tags_mut();
    let has_date = tags.get("Date").is_some();
    let mut set = |name: &str, value: &str| {
        // The names are valid, so none is refused.
        let done = tags.set(name, value);
        debug_assert!(done.is_ok());
    };
    for color in Color::ALL {
        if let Some(player) = &game.players[color] {
            set(player_tag(color), player);
        }
    }
    set(
        SAVE_TAG,
        &format!("{VERSION} {number} {}", "0".repeat(SUM_LENGTH)),
    );
    if !has_date && !today.is_empty() {
        set("Date", today);
    }
    let mut text = pgn::to_string(&record, pgn::Format::Export);
    if let Some(at) = Stamp::find(&text).map(|stamp| stamp.sum_at) {
        let sum = sum_text(text.as_bytes());
        text.replace_range(at..at + SUM_LENGTH, &sum);
    }
    text
}

/// What the tag of a save says.
struct Stamp<'a> {
    version: u32,
    number: u64,
    /// The checksum as written there.
    sum: &'a str,
    /// Where the checksum is in the text.
    sum_at: usize,
}

impl Stamp<'_> {
    /// Finds the tag of a save in its text, and reads it.
    fn find(text: &str) -> Option<Stamp<'_>> {
        let tag = format!("\n[{SAVE_TAG} \"");
        let at = text.find(&tag)? + tag.len();
        let value = text.get(at..)?.split('"').next()?;
        let mut words = value.split(' ');
        let version = words.next()?.parse().ok()?;
        let number = words.next()?.parse().ok()?;
        let sum = words.next().filter(|sum| sum.len() == SUM_LENGTH)?;
        if words.next().is_some() {
            return None;
        }
        Some(Stamp {
            version,
            number,
            sum,
            sum_at: at + value.rfind(' ')? + 1,
        })
    }
}

/// Reads the text of a save, wherever it comes from.
pub fn read(bytes: &[u8]) -> Result<SaveCopy, Unreadable> {
    let (number, is_own) = stamp(bytes)?;
    let mut games = pgn::games(bytes);
    let game = games.next().ok_or(Damage::NoGame)?;
    if let Some(error) = game.errors.first() {
        return Err(Damage::At(error.place).into());
    }
    if games.next().is_some() {
        return Err(Unreadable::Several);
    }
    let mut record = game.record;
    let tags = record.tags_mut();
    tags.remove(SAVE_TAG);
    let players = ByColor::from_fn(|color| {
        let player = tags.remove(player_tag(color));
        player.map(String::from)
    });
    Ok(SaveCopy {
        game: SavedGame {
            session: Session::restore(record),
            players,
        },
        number,
        is_own,
    })
}

/// Returns the number of the copy, and whether it is unchanged since this program wrote it.
fn stamp(bytes: &[u8]) -> Result<(u64, bool), Unreadable> {
    let text = std::str::from_utf8(bytes).ok();
    let Some((text, stamp)) = text.and_then(|text| Some((text, Stamp::find(text)?))) else {
        return Ok((0, false));
    };
    if stamp.version > VERSION {
        return Err(Unreadable::Newer(stamp.version));
    }
    let mut plain = text.to_owned();
    plain.replace_range(
        stamp.sum_at..stamp.sum_at + SUM_LENGTH,
        &"0".repeat(SUM_LENGTH),
    );
    Ok((stamp.number, sum_text(plain.as_bytes()) == stamp.sum))
}

/// Returns whether a text is unchanged since this program wrote it, and its tags say how the game ended.
pub(crate) fn is_surely_over(bytes: &[u8]) -> bool {
    let result = |text: &str| {
        let tags = text.split("\n\n").next().unwrap_or_default();
        let line = tags.lines().find(|line| line.starts_with("[Result "));
        line.is_some_and(|line| !line.contains('*'))
    };
    matches!(stamp(bytes), Ok((_, true))) && std::str::from_utf8(bytes).is_ok_and(result)
}

/// Returns a checksum that detects every change of a single byte: 64-bit FNV-1a.
pub(crate) fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |sum, &byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

fn sum_text(bytes: &[u8]) -> String {
    format!("{:016x}", checksum(bytes))
}

/// Returns a journal entry for the text of a save.
pub fn journal_entry(text: &str) -> String {
    let sum = sum_text(text.as_bytes());
    format!("{MARK}{sum} {}\n{text}\n", text.len())
}

/// What a journal holds.
#[derive(Clone, Copy, Debug)]
pub struct JournalContents<'a> {
    /// The text of its last whole entry.
    pub last: Option<&'a [u8]>,
    pub tail: Tail,
}

/// What comes after the last whole entry of a journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tail {
    Nothing,
    /// The beginning of an entry. The program died while writing it, before it reported the change as saved.
    Torn,
    /// Anything else, which this program has not left there.
    Strange,
}

/// Finds the last whole entry of a journal. Everything after the first invalid entry is ignored, because nothing is
/// ever appended to a journal whose last write failed.
pub fn read_journal(bytes: &[u8]) -> JournalContents<'_> {
    let mut last = None;
    let mut rest = bytes;
    while let Some((text, after)) = next_entry(rest) {
        last = Some(text);
        rest = after;
    }
    let tail = match rest {
        [] => Tail::Nothing,
        rest if is_torn(rest) => Tail::Torn,
        _ => Tail::Strange,
    };
    JournalContents { last, tail }
}

/// The longest possible first line of an entry.
const MAX_HEAD_LENGTH: usize = 64;

/// Returns the checksum and the length in the first line of an entry, and what follows that line.
fn entry_head(bytes: &[u8]) -> Option<(&str, usize, &[u8])> {
    let mut head = bytes.iter().take(MAX_HEAD_LENGTH);
    let end = head.position(|&byte| byte == b'\n')?;
    let line = std::str::from_utf8(bytes.get(..end)?).ok()?;
    let (sum, length) = line.strip_prefix(MARK)?.split_once(' ')?;
    Some((sum, length.parse().ok()?, bytes.get(end + 1..)?))
}

/// Returns the text of an entry and what follows it.
fn next_entry(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (sum, length, body) = entry_head(bytes)?;
    let (text, after) = body.split_at_checked(length)?;
    let after = after.strip_prefix(b"\n")?;
    (sum_text(text) == sum).then_some((text, after))
}

/// Returns whether bytes are the beginning of an entry, and were so when they were written. A length that was changed
/// later also makes a whole entry look cut off, but then its text is whole by its own checksum, or other entries
/// follow.
fn is_torn(bytes: &[u8]) -> bool {
    let Some((sum, length, body)) = entry_head(bytes) else {
        return is_torn_head(bytes);
    };
    let text = body.strip_suffix(b"\n").unwrap_or(body);
    let next = format!("\n{MARK}");
    body.len() <= length
        && sum.len() == SUM_LENGTH
        && sum.bytes().all(|byte| byte.is_ascii_hexdigit())
        && !matches!(stamp(text), Ok((_, true)))
        && !body
            .windows(next.len())
            .any(|found| found == next.as_bytes())
}

/// Returns whether bytes are the beginning of the first line of an entry.
fn is_torn_head(bytes: &[u8]) -> bool {
    let Some(rest) = bytes.strip_prefix(MARK.as_bytes()) else {
        return MARK.as_bytes().starts_with(bytes);
    };
    let (sum, length) = rest.split_at(rest.len().min(SUM_LENGTH));
    let digits = length.strip_prefix(b" ").unwrap_or(length);
    let has_blank = length.is_empty() || digits.len() < length.len();
    bytes.len() < MAX_HEAD_LENGTH
        && sum.iter().all(u8::is_ascii_hexdigit)
        && has_blank
        && digits.iter().all(u8::is_ascii_digit)
}
