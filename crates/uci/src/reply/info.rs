//! `info`: what an engine reports during a search.

use std::fmt;
use std::iter::Peekable;
use std::time::Duration;

use tabiya_rules::{MAX_MOVES, Move, Position, Score, UciMove};

use crate::option::after_word;
use crate::text::{OneLine, count, number, shortened, words};

/// The most moves of a line that are kept.
pub const MAX_LINE_MOVES: usize = 256;

/// The highest line number: no position has more moves.
pub const MAX_MULTI_PV: u32 = MAX_MOVES as u32;

/// Scores in centipawns beyond this are ignored.
const MAX_CENTIPAWNS: i64 = 1_000_000;

/// Mates further away than this are ignored.
const MAX_MATE: i64 = 10_000;

/// What follows the word `info`. Any field may be missing; values that cannot be read or are absurd count as missing.
///
/// ```
/// use tabiya_rules::Score;
/// use tabiya_uci::{Info, Reply};
///
/// let Reply::Info(info) = Reply::parse(b"info depth 12 score cp -31 nodes x pv e2e4 e7e5") else {
///     panic!("an info");
/// };
/// assert_eq!(info.depth, Some(12));
/// assert_eq!(info.score.map(|score| score.value), Some(Score::Centipawns(-31)));
/// assert_eq!(info.nodes, None);
/// assert_eq!(info.pv.len(), 2);
/// ```
#[derive(Clone, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub struct Info {
    /// Depth in plies.
    pub depth: Option<u32>,
    /// The depth of the deepest line.
    pub selective_depth: Option<u32>,
    /// The number of the line, from 1 for the best.
    pub multi_pv: Option<u32>,
    /// The score, for the side to move.
    pub score: Option<BoundedScore>,
    /// The probabilities (WDL) that the side to move wins, draws and loses.
    pub wdl: Option<Wdl>,
    /// Nodes searched.
    pub nodes: Option<u64>,
    /// Nodes per second.
    pub nodes_per_second: Option<u64>,
    /// How full the transposition table is, in thousandths.
    pub hash_full: Option<u32>,
    /// Positions found in endgame tablebases.
    pub table_hits: Option<u64>,
    /// The CPU load, in thousandths.
    pub cpu_load: Option<u32>,
    /// The time of the search so far.
    pub time: Option<Duration>,
    /// The principal variation, at most [`MAX_LINE_MOVES`] long.
    pub pv: Vec<UciMove>,
    /// The move being searched.
    pub current_move: Option<UciMove>,
    /// The number of that move, from 1.
    pub current_move_number: Option<u32>,
    /// A move and the line that refutes it.
    pub refutation: Vec<UciMove>,
    /// The line being searched.
    pub current_line: Option<CurrentLine>,
    /// Any text.
    pub string: Option<String>,
}

/// The score of the side to move, and whether it is exact.
///
/// ```
/// use tabiya_rules::Score;
/// use tabiya_uci::{Bound, BoundedScore, Info};
///
/// let score = BoundedScore { value: Score::MateIn(3), bound: Bound::Exact };
/// assert_eq!(Info::new().with_score(score).to_string(), "info score mate 3");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BoundedScore {
    /// The score.
    pub value: Score,
    /// Whether it is exact or a bound.
    pub bound: Bound,
}

/// Whether a score is exact.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Bound {
    /// The score is exact.
    Exact,
    /// A lower bound: the score is at least this.
    Lower,
    /// An upper bound: the score is at most this.
    Upper,
}

/// The probabilities of a win, a draw and a loss of the side to move, in thousandths. They add up to 1000.
#[doc(alias = "win_draw_loss")]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Wdl {
    /// To win.
    pub win: u16,
    /// To draw.
    pub draw: u16,
    /// To lose.
    pub loss: u16,
}

/// The line that a CPU is searching.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CurrentLine {
    /// The CPU, from 1, if named.
    pub cpu: Option<u32>,
    /// The moves.
    pub moves: Vec<UciMove>,
}

crate::setters!(Info {
    /// Sets the depth in plies.
    with_depth(depth: impl Into<Option<u32>>);
    /// Sets the depth of the deepest line.
    with_selective_depth(selective_depth: impl Into<Option<u32>>);
    /// Sets the number of the line, from 1 for the best.
    with_multi_pv(multi_pv: impl Into<Option<u32>>);
    /// Sets the score, for the side to move.
    with_score(score: impl Into<Option<BoundedScore>>);
    /// Sets the probabilities (WDL) that the side to move wins, draws and loses.
    with_wdl(wdl: impl Into<Option<Wdl>>);
    /// Sets the nodes searched.
    with_nodes(nodes: impl Into<Option<u64>>);
    /// Sets the nodes per second.
    with_nodes_per_second(nodes_per_second: impl Into<Option<u64>>);
    /// Sets how full the transposition table is, in thousandths.
    with_hash_full(hash_full: impl Into<Option<u32>>);
    /// Sets the positions found in endgame tablebases.
    with_table_hits(table_hits: impl Into<Option<u64>>);
    /// Sets the CPU load, in thousandths.
    with_cpu_load(cpu_load: impl Into<Option<u32>>);
    /// Sets the time of the search so far.
    with_time(time: impl Into<Option<Duration>>);
    /// Sets the principal variation.
    with_pv(pv: Vec<UciMove>);
    /// Sets the move being searched.
    with_current_move(current_move: impl Into<Option<UciMove>>);
    /// Sets the number of that move, from 1.
    with_current_move_number(current_move_number: impl Into<Option<u32>>);
    /// Sets a move and the line that refutes it.
    with_refutation(refutation: Vec<UciMove>);
    /// Sets the line being searched.
    with_current_line(current_line: impl Into<Option<CurrentLine>>);
    /// Sets a text.
    with_string(string: impl Into<Option<String>>);
});

impl Info {
    /// Creates an empty `info`.
    #[must_use]
    pub fn new() -> Info {
        Info::default()
    }

    /// Creates a text for the user.
    #[must_use]
    pub fn message(text: impl fmt::Display) -> Info {
        let text = OneLine(&text.to_string()).to_string();
        Info {
            string: Some(shortened(&text).to_owned()),
            ..Info::default()
        }
    }

    /// Returns whether it holds only a text.
    #[must_use]
    pub fn is_message(&self) -> bool {
        self.string.is_some() && self.score.is_none() && self.pv.is_empty() && self.depth.is_none()
    }

    /// Returns the moves of the principal variation, up to the first that is not legal.
    #[must_use]
    pub fn legal_pv(&self, position: &Position) -> Vec<Move> {
        let mut position = *position;
        let mut moves = Vec::new();
        for &text in &self.pv {
            let Ok(m) = position.resolve_uci(text) else {
                break;
            };
            moves.push(m);
            position = position.play_unchecked(m);
        }
        moves
    }

    /// Reads what follows the word `info`.
    pub(crate) fn parse(rest: &str) -> Info {
        let mut info = Info::default();
        // Everything after this word is text, whatever it looks like.
        let fields = match after_word(rest, "string") {
            Some(text) => {
                info.string = Some(shortened(text).to_owned());
                rest.get(..rest.len() - text.len() - "string".len())
            }
            None => Some(rest),
        };
        let mut words = words(fields.unwrap_or_default()).peekable();
        while let Some(key) = words.next() {
            info.read_field(key, &mut words);
        }
        info
    }

    fn read_field<'a>(&mut self, key: &str, words: &mut Peekable<impl Iterator<Item = &'a str>>) {
        match key {
            "depth" => self.depth = value(words),
            "seldepth" => self.selective_depth = value(words),
            "multipv" => {
                self.multi_pv = value(words).filter(|number| (1..=MAX_MULTI_PV).contains(number));
            }
            "score" => self.score = BoundedScore::read(words),
            "lowerbound" => self.bound(Bound::Lower),
            "upperbound" => self.bound(Bound::Upper),
            "wdl" => self.wdl = Wdl::read(words),
            "nodes" => self.nodes = value(words),
            "nps" => self.nodes_per_second = value(words),
            "hashfull" => self.hash_full = value(words).filter(|&full| full <= 1000),
            "tbhits" => self.table_hits = value(words),
            "cpuload" => self.cpu_load = value(words),
            "time" => self.time = value(words).map(Duration::from_millis),
            "pv" => self.pv = line(words),
            "currmove" => self.current_move = words.next_if(|w| is_move(w)).and_then(a_move),
            "currmovenumber" => self.current_move_number = value(words),
            "refutation" => self.refutation = line(words),
            "currline" => {
                self.current_line = Some(CurrentLine {
                    cpu: value(words),
                    moves: line(words),
                });
            }
            // An unknown word; the words that belong to it are skipped one by one.
            _ => {}
        }
    }

    fn bound(&mut self, bound: Bound) {
        if let Some(score) = &mut self.score {
            score.bound = bound;
        }
    }
}

impl BoundedScore {
    /// Creates an exact score.
    #[must_use]
    pub const fn exact(value: Score) -> BoundedScore {
        BoundedScore {
            value,
            bound: Bound::Exact,
        }
    }

    fn read<'a>(words: &mut Peekable<impl Iterator<Item = &'a str>>) -> Option<BoundedScore> {
        let kind = words.next_if(|word| matches!(*word, "cp" | "mate"))?;
        let value = number(words.next_if(|word| number(word).is_some())?)?;
        let within = |limit: i64| {
            let value = Some(value).filter(|value| (-limit..=limit).contains(value))?;
            i32::try_from(value).ok()
        };
        Some(BoundedScore::exact(match kind {
            "cp" => Score::Centipawns(within(MAX_CENTIPAWNS)?),
            _ => Score::mate(within(MAX_MATE)?),
        }))
    }
}

impl Wdl {
    fn read<'a>(words: &mut Peekable<impl Iterator<Item = &'a str>>) -> Option<Wdl> {
        let wdl = Wdl {
            win: value(words)?,
            draw: value(words)?,
            loss: value(words)?,
        };
        let sum = u32::from(wdl.win) + u32::from(wdl.draw) + u32::from(wdl.loss);
        (sum == 1000).then_some(wdl)
    }
}

/// Reads the next number. Any other word stays, because it may be a key.
fn value<'a, T: TryFrom<u64>>(words: &mut Peekable<impl Iterator<Item = &'a str>>) -> Option<T> {
    let value = count(words.peek()?)?;
    words.next();
    Some(value)
}

fn a_move(word: &str) -> Option<UciMove> {
    word.parse().ok()
}

fn is_move(word: &str) -> bool {
    a_move(word).is_some()
}

/// Reads the moves that come next, and keeps the first ones.
fn line<'a>(words: &mut Peekable<impl Iterator<Item = &'a str>>) -> Vec<UciMove> {
    let mut moves = Vec::new();
    while let Some(m) = words.next_if(|word| is_move(word)).and_then(a_move) {
        if moves.len() < MAX_LINE_MOVES {
            moves.push(m);
        }
    }
    moves
}

impl fmt::Display for BoundedScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.value {
            Score::Centipawns(value) => write!(f, "cp {value}")?,
            Score::MateIn(moves) => write!(f, "mate {moves}")?,
            Score::MatedIn(0) => f.write_str("mate 0")?,
            Score::MatedIn(moves) => write!(f, "mate -{moves}")?,
        }
        match self.bound {
            Bound::Exact => Ok(()),
            Bound::Lower => f.write_str(" lowerbound"),
            Bound::Upper => f.write_str(" upperbound"),
        }
    }
}

impl fmt::Display for Info {
    /// Writes the line, beginning with the word `info`. A text comes last, because it takes the rest of the line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("info")?;
        field(f, "depth", self.depth)?;
        field(f, "seldepth", self.selective_depth)?;
        field(f, "multipv", self.multi_pv)?;
        field(f, "score", self.score)?;
        if let Some(wdl) = self.wdl {
            write!(f, " wdl {} {} {}", wdl.win, wdl.draw, wdl.loss)?;
        }
        field(f, "nodes", self.nodes)?;
        field(f, "nps", self.nodes_per_second)?;
        field(f, "hashfull", self.hash_full)?;
        field(f, "tbhits", self.table_hits)?;
        field(f, "cpuload", self.cpu_load)?;
        field(f, "time", self.time.map(|time| time.as_millis()))?;
        field(f, "currmove", self.current_move)?;
        field(f, "currmovenumber", self.current_move_number)?;
        moves(f, "refutation", &self.refutation)?;
        if let Some(current) = &self.current_line {
            f.write_str(" currline")?;
            if let Some(cpu) = current.cpu {
                write!(f, " {cpu}")?;
            }
            current.moves.iter().try_for_each(|m| write!(f, " {m}"))?;
        }
        moves(f, "pv", &self.pv)?;
        field(f, "string", self.string.as_deref().map(OneLine))
    }
}

fn field(f: &mut fmt::Formatter<'_>, key: &str, value: Option<impl fmt::Display>) -> fmt::Result {
    match value {
        Some(value) => write!(f, " {key} {value}"),
        None => Ok(()),
    }
}

fn moves(f: &mut fmt::Formatter<'_>, key: &str, moves: &[UciMove]) -> fmt::Result {
    if moves.is_empty() {
        return Ok(());
    }
    write!(f, " {key}")?;
    moves.iter().try_for_each(|m| write!(f, " {m}"))
}
