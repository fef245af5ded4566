//! A line of a log: one JSON object, and the same as a value.
//!
//! Text becomes a raw line, and that an entry, whose moves are legal and whose identity is that of its position.

use serde::{Deserialize, Serialize};
use tabiya_rules::{Move, Position, SplitMix64, UciMove};

use crate::day::{MAX_OFFSET, MAX_TIME, Moment};
use crate::fsrs::Grade;
use crate::item::{Item, ItemId, ItemKind, Scope};

/// The version of the format that is written.
pub const VERSION: u32 = 1;

/// The longest line that is read or written, in bytes and without its end.
pub const MAX_LINE: usize = 16 << 10;

/// When something happened, and its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// Seconds since the beginning of 1970, UTC. Within a log it never falls.
    pub t: i64,
    /// The offset from UTC in minutes, where it happened.
    pub z: i16,
    /// A random number: of entries with the same number, one counts.
    pub n: u64,
}

/// What gives the entries of a log their times and numbers.
#[derive(Clone, Debug)]
pub(crate) struct Stamper {
    /// The time of the last entry.
    pub(crate) last: i64,
    random: SplitMix64,
}

impl Stamper {
    pub(crate) fn new(last: i64, seed: u64) -> Stamper {
        let random = SplitMix64::new(seed);
        Stamper { last, random }
    }

    /// An entry that is made now. A clock that went back is held at the time of the last entry.
    pub(crate) fn entry(&mut self, change: Change, now: Moment) -> Entry {
        self.last = self.last.max(now.seconds());
        let stamp = Stamp {
            t: self.last,
            z: now.z,
            n: self.random.next_u64(),
        };
        Entry { stamp, change }
    }

    /// A random number for an entry.
    pub(crate) fn number(&mut self) -> u64 {
        self.random.next_u64()
    }
}

/// An entry of a log.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// When it was written.
    pub stamp: Stamp,
    /// What it says.
    pub change: Change,
}

/// What an entry says.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Change {
    /// A log begins.
    Head,
    /// There is an exercise, or more is known about it.
    Item(Box<Item>),
    /// An exercise was answered.
    Review(Review),
    /// A review is withdrawn.
    Undo {
        /// The number of its entry.
        of: u64,
    },
    /// An exercise is suspended, or comes back.
    State {
        /// The exercise.
        id: ItemId,
        /// Its state from then on.
        to: ItemState,
    },
    /// A move is no longer accepted.
    Retract {
        /// The exercise.
        id: ItemId,
        /// The move.
        played: UciMove,
    },
    /// A game was searched for mistakes.
    Scanned {
        /// The beginning of its digest.
        game: u64,
        /// The version of the rules by which it was searched.
        rules: u32,
    },
}

/// An answer to an exercise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Review {
    /// The exercise.
    pub id: ItemId,
    /// How well it went.
    pub grade: Grade,
    /// How long it took, in milliseconds.
    pub ms: u64,
    /// The moves that were tried.
    pub tried: Vec<UciMove>,
    /// The number of hints that were given.
    pub hints: u8,
}

/// Whether an exercise is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ItemState {
    /// It is asked when it is due.
    Active,
    /// It is not asked.
    Suspended,
}

/// What a line turned out to be.
#[derive(Clone, Debug, PartialEq)]
pub enum Line {
    /// An entry.
    Entry(Box<Entry>),
    /// An entry that this version does not know.
    Unknown,
    /// Nothing that can be read.
    Unreadable,
}

/// A line as it is written. What a kind does not use is left out.
#[derive(Default, Serialize, Deserialize)]
struct RawLine {
    v: u32,
    k: String,
    #[serde(default)]
    t: i64,
    #[serde(default)]
    z: i16,
    #[serde(default)]
    n: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fen: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    best: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    also: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    wrong: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    line: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    last: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    w: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rating: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rd: Option<u32>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    themes: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ply: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    vs: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    date: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    grade: Option<Grade>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ms: Option<u64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    tried: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hints: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    of: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<ItemState>,
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    played: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    game: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rules: Option<u32>,
}

/// What every version of the format says about a line.
#[derive(Deserialize)]
struct RawKind<'a> {
    v: u32,
    #[serde(borrow)]
    k: Option<&'a str>,
}

/// The kinds of entries that this version knows.
const KINDS: [&str; 7] = [
    "head", "item", "review", "undo", "state", "retract", "scanned",
];

/// Reads a line, without its end. Also returns the version that it names.
#[must_use]
pub fn read(line: &[u8]) -> (Line, u32) {
    if line.len() > MAX_LINE {
        return (Line::Unreadable, VERSION);
    }
    if let Ok(raw) = serde_json::from_slice::<RawLine>(line) {
        let version = raw.v;
        let is_known = KINDS.contains(&raw.k.as_str());
        return match entry_of(raw) {
            Some(entry) => (Line::Entry(Box::new(entry)), version),
            // A later version may mean something else by it.
            None if version > VERSION || !is_known => (Line::Unknown, version),
            None => (Line::Unreadable, version),
        };
    }
    match serde_json::from_slice::<RawKind<'_>>(line) {
        Ok(RawKind { v, k }) if v > VERSION || k.is_some_and(|k| !KINDS.contains(&k)) => {
            (Line::Unknown, v)
        }
        Ok(RawKind { v, .. }) => (Line::Unreadable, v),
        Err(_) => (Line::Unreadable, VERSION),
    }
}

/// The value of a line; `None` if it does not make sense.
fn entry_of(raw: RawLine) -> Option<Entry> {
    let known = (0..=MAX_TIME).contains(&raw.t) && raw.z.abs() <= MAX_OFFSET;
    let stamp = Stamp {
        t: raw.t,
        z: raw.z,
        n: number(&raw.n).filter(|_| known)?,
    };
    let id = |raw: &RawLine| raw.id.as_deref()?.parse::<ItemId>().ok();
    let change = match raw.k.as_str() {
        "head" => Change::Head,
        "item" => Change::Item(Box::new(item_of(raw)?)),
        "review" => Change::Review(Review {
            id: id(&raw)?,
            grade: raw.grade?,
            ms: raw.ms.unwrap_or_default(),
            tried: coordinates(&raw.tried)?,
            hints: raw.hints.unwrap_or_default(),
        }),
        "undo" => Change::Undo {
            of: number(raw.of.as_deref()?)?,
        },
        "state" => Change::State {
            id: id(&raw)?,
            to: raw.to?,
        },
        "retract" => Change::Retract {
            id: id(&raw)?,
            played: raw.played?.parse().ok()?,
        },
        "scanned" => Change::Scanned {
            game: number(raw.game.as_deref()?)?,
            rules: raw.rules?,
        },
        _ => return None,
    };
    Some(Entry { stamp, change })
}

/// The exercise of a line. The identity is computed again.
fn item_of(raw: RawLine) -> Option<Item> {
    let id: ItemId = raw.id?.parse().ok()?;
    let position = Position::from_fen(&raw.fen?).ok()?;
    let mut kinds = ItemKind::ALL.into_iter();
    let kind = kinds.find(|kind| Some(kind.name()) == raw.kind.as_deref())?;
    let is_line = id.scope != Scope::Exercise;
    let moves = |texts: &[String]| -> Option<Vec<Move>> {
        let read = texts.iter().map(|text| position.parse_uci(text).ok());
        read.collect()
    };
    let best = moves(&raw.best)?;
    let item = Item {
        id,
        kind,
        best,
        also: moves(&raw.also)?,
        wrong: match &raw.wrong {
            Some(text) => Some(position.parse_uci(text).ok()?),
            None => None,
        },
        line: line_of(&position, &raw.line)?,
        last: match &raw.last {
            Some(text) => Some(text.parse().ok()?),
            None => None,
        },
        w: raw.w.filter(|w| (0.0..=1.0).contains(w)),
        rating: raw.rating,
        rd: raw.rd,
        themes: raw.themes,
        from: raw.from,
        ply: raw.ply,
        vs: raw.vs,
        date: raw.date,
        position,
    };
    let fits = item.id.key == ItemId::exercise(&item.position).key
        && is_line == (kind == ItemKind::Line)
        && !item.best.is_empty();
    fits.then_some(item)
}

/// The moves of a line from a position.
fn line_of(position: &Position, texts: &[String]) -> Option<Vec<Move>> {
    let mut here = *position;
    let mut line = Vec::with_capacity(texts.len());
    for text in texts {
        let next = here.parse_uci(text).ok()?;
        here = here.play(next).ok()?;
        line.push(next);
    }
    Some(line)
}

/// Reads moves in coordinates; `None` if one is not valid.
fn coordinates(texts: &[String]) -> Option<Vec<UciMove>> {
    texts.iter().map(|text| text.parse().ok()).collect()
}

/// A number in 16 hexadecimal digits.
fn number(text: &str) -> Option<u64> {
    let is_digit = |digit: u8| matches!(digit, b'0'..=b'9' | b'a'..=b'f');
    let fits = text.len() == 16 && text.bytes().all(is_digit);
    fits.then(|| u64::from_str_radix(text, 16).ok()).flatten()
}

fn texts<T: ToString>(values: &[T]) -> Vec<String> {
    values.iter().map(ToString::to_string).collect()
}

impl Entry {
    /// The line of this entry, without its end. It is at most [`MAX_LINE`] bytes long: of an exercise, texts that are too
    /// long are left out.
    #[must_use]
    pub fn line(&self) -> String {
        let line = json(&self.raw());
        if line.len() <= MAX_LINE {
            return line;
        }
        let raw = RawLine {
            themes: Vec::new(),
            from: None,
            vs: None,
            date: None,
            tried: Vec::new(),
            ..self.raw()
        };
        json(&raw)
    }

    fn raw(&self) -> RawLine {
        let Stamp { t, z, n } = self.stamp;
        let raw = RawLine {
            v: VERSION,
            t,
            z,
            n: format!("{n:016x}"),
            ..RawLine::default()
        };
        match &self.change {
            Change::Head => RawLine {
                k: "head".to_owned(),
                ..raw
            },
            Change::Item(item) => raw_item(item, raw),
            Change::Review(review) => RawLine {
                k: "review".to_owned(),
                id: Some(review.id.to_string()),
                grade: Some(review.grade),
                ms: Some(review.ms),
                tried: texts(&review.tried),
                hints: Some(review.hints),
                ..raw
            },
            Change::Undo { of } => RawLine {
                k: "undo".to_owned(),
                of: Some(format!("{of:016x}")),
                ..raw
            },
            Change::State { id, to } => RawLine {
                k: "state".to_owned(),
                id: Some(id.to_string()),
                to: Some(*to),
                ..raw
            },
            Change::Retract { id, played } => RawLine {
                k: "retract".to_owned(),
                id: Some(id.to_string()),
                played: Some(played.to_string()),
                ..raw
            },
            Change::Scanned { game, rules } => RawLine {
                k: "scanned".to_owned(),
                game: Some(format!("{game:016x}")),
                rules: Some(*rules),
                ..raw
            },
        }
    }
}

/// The fields of the line about an exercise.
fn raw_item(item: &Item, raw: RawLine) -> RawLine {
    let position = &item.position;
    let uci = |moves: &[Move]| -> Vec<String> {
        let texts = moves.iter().map(|&m| position.uci(m).to_string());
        texts.collect()
    };
    let mut here = *position;
    let line = item.line.iter().map(|&m| {
        let text = here.uci(m).to_string();
        here = here.play_unchecked(m);
        text
    });
    let line = line.collect();
    RawLine {
        k: "item".to_owned(),
        id: Some(item.id.to_string()),
        kind: Some(item.kind.name().to_owned()),
        fen: Some(position.fen()),
        best: uci(&item.best),
        also: uci(&item.also),
        wrong: item.wrong.map(|m| position.uci(m).to_string()),
        line,
        last: item.last.map(|last| last.to_string()),
        w: item.w.map(|w| (w * 1e4).round() / 1e4),
        rating: item.rating,
        rd: item.rd,
        themes: item.themes.clone(),
        from: item.from.clone(),
        ply: item.ply,
        vs: item.vs.clone(),
        date: item.date.clone(),
        ..raw
    }
}

fn json(raw: &RawLine) -> String {
    let text = serde_json::to_string(raw);
    // Only a map with keys that are not text would be refused, and there is none.
    debug_assert!(text.is_ok(), "{text:?}");
    text.unwrap_or_default()
}
