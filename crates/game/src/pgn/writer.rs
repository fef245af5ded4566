//! Writes games as text, in export format or in as few bytes as possible.

use core::fmt::{self, Write};
use std::io;

use tabiya_rules::{CastlingMode, CastlingNotation, Color, EnPassantMode, Move, Position};

use super::wrap::Words;
use crate::annotation::{Annotation, Comment, clock_text};
use crate::record::{Node, Record, Step};

/// The tags that every game in export format has, in order, with the text for an unknown value.
const ROSTER: [(&str, &str); 6] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
];

/// How a game is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Format {
    /// The export format of the standard: the seven roster tags first, known or not, then the others; the moves in
    /// lines of less than 80 columns, except for longer words.
    #[default]
    Export,
    /// Only what the record holds: its tags in order, and the moves on one line.
    Compact,
}

/// How the moves of a game are written. The reader accepts all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Notation {
    /// `Nf3`, the only notation of the standard.
    #[default]
    San,
    /// `Ng1-f3`, with the square the piece comes from.
    Long,
    /// `g1f3`, the coordinates that engines use.
    Uci,
}

/// Returns a game as text, in the chosen format.
///
/// Reading the text gives the same record, with its cursor at the start. Comments before a move and after a variation
/// have a place in PGN only where a variation begins or ends; elsewhere they come back as comments on the move before.
/// Variations nested deeper than [`MAX_DEPTH`](super::MAX_DEPTH) are written, but cannot be read again.
///
/// ```
/// use tabiya_game::pgn::{self, Format};
/// use tabiya_game::{Comment, NodeId, Record};
/// use tabiya_rules::Position;
///
/// let start = Position::start();
/// let mut record = Record::new(start);
/// let e4 = record.add(NodeId::ROOT, start.parse_san("e4")?)?;
/// let c4 = record.add(NodeId::ROOT, start.parse_san("c4")?)?;
/// record.annotation_mut(c4).unwrap().comments.extend(Comment::new("also good"));
/// let e5 = record.node(e4).unwrap().position().parse_san("e5")?;
/// record.add(e4, e5)?;
/// assert_eq!(pgn::to_string(&record, Format::Compact), "1.e4 (1.c4 {also good}) 1...e5 *\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn to_string(record: &Record, format: Format) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write(record, format, &mut text);
    text
}

/// Writes a game that ends with a line break. Put an empty line between two games.
///
/// # Errors
/// Fails if the output fails.
pub fn write<W: Write>(record: &Record, format: Format, out: &mut W) -> fmt::Result {
    write_as(record, format, Notation::San, out)
}

/// Writes a game with its moves in the chosen notation.
///
/// ```
/// use tabiya_game::pgn::{self, Format, Notation};
///
/// let game = pgn::games(b"1. Nf3 d5 2. g3 *").next().expect("a game");
/// let mut text = String::new();
/// pgn::write_as(&game.record, Format::Compact, Notation::Long, &mut text)?;
/// assert_eq!(text, "1.Ng1-f3 d7-d5 2.g2-g3 *\n");
/// # Ok::<(), std::fmt::Error>(())
/// ```
///
/// # Errors
/// Fails if the output fails.
pub fn write_as<W: Write>(
    record: &Record,
    format: Format,
    notation: Notation,
    out: &mut W,
) -> fmt::Result {
    let has_tags = write_tags(record, format, out)?;
    if has_tags {
        out.write_char('\n')?;
    }
    Movetext {
        words: Words::new(out, format),
        format,
        notation,
        needs_number: true,
    }
    .write(record)
}

/// Writes a game to a file or any other [`io::Write`]. Use a [`BufWriter`](std::io::BufWriter), because it writes word
/// by word.
///
/// ```
/// use tabiya_game::Record;
/// use tabiya_game::pgn::{self, Format};
/// use tabiya_rules::Position;
///
/// let mut out = Vec::new();
/// pgn::write_to(&Record::new(Position::start()), Format::Compact, &mut out)?;
/// assert_eq!(out, b"*\n");
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// Fails if the output fails.
pub fn write_to<W: io::Write>(record: &Record, format: Format, out: &mut W) -> io::Result<()> {
    let mut text = Utf8 { out, failure: None };
    match write(record, format, &mut text) {
        Ok(()) => Ok(()),
        Err(fmt::Error) => Err(text.failure.unwrap_or_else(|| io::ErrorKind::Other.into())),
    }
}

/// Adapts an output of bytes to text, and keeps its error.
struct Utf8<'w, W> {
    out: &'w mut W,
    failure: Option<io::Error>,
}

impl<W: io::Write> Write for Utf8<'_, W> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.out.write_all(text.as_bytes()).map_err(|error| {
            self.failure = Some(error);
            fmt::Error
        })
    }
}

impl fmt::Display for Record {
    /// Writes the game as PGN in export format, ending with a line break.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write(self, Format::Export, f)
    }
}

/// Writes the tags, and returns whether there are any.
fn write_tags<W: Write>(record: &Record, format: Format, out: &mut W) -> Result<bool, fmt::Error> {
    let tags = record.tags();
    let mut count = 0;
    let mut tag = |name: &str, value: &str| {
        count += 1;
        write_tag(out, name, value)
    };
    if format == Format::Export {
        for (name, unknown) in ROSTER {
            tag(name, tags.get(name).unwrap_or(unknown))?;
        }
        tag("Result", record.result().as_str())?;
    }
    let start = record.start();
    let is_chess960 = start.castling_mode() == CastlingMode::Chess960;
    if is_chess960 {
        tag("Variant", "Chess960")?;
    }
    if !is_standard_start(start) {
        tag("SetUp", "1")?;
        tag(
            "FEN",
            &start.fen_with(EnPassantMode::Always, CastlingNotation::ByMode),
        )?;
    }
    let is_roster = |name: &str| ROSTER.iter().any(|&(roster, _)| roster == name);
    for (name, value) in tags.iter() {
        let is_written = match name {
            "Variant" => is_chess960,
            _ => format == Format::Export && is_roster(name),
        };
        if !is_written {
            tag(name, value)?;
        }
    }
    Ok(count > 0)
}

/// Returns whether this position needs no `FEN` tag.
fn is_standard_start(position: &Position) -> bool {
    position.castling_mode() == CastlingMode::Standard && position.fen() == Position::start().fen()
}

fn write_tag<W: Write>(out: &mut W, name: &str, value: &str) -> fmt::Result {
    write!(out, "[{name} \"")?;
    for c in value.chars() {
        if matches!(c, '"' | '\\') {
            out.write_char('\\')?;
        }
        out.write_char(c)?;
    }
    out.write_str("\"]\n")
}

/// What is left to write. A list of these replaces recursion, so that no depth is too much.
enum Pending<'a> {
    /// A node that continues a line, and the alternatives to it.
    Step(Node<'a>),
    /// An alternative and those after it.
    Variations(Node<'a>),
    /// What follows a node.
    After(Node<'a>),
    /// The end of the variation that begins with a node.
    Close(Node<'a>),
}

struct Movetext<'w, W> {
    words: Words<'w, W>,
    format: Format,
    notation: Notation,
    /// Whether a move by Black needs its number because something stands between it and White's move.
    needs_number: bool,
}

impl<W: Write> Movetext<'_, W> {
    fn write(mut self, record: &Record) -> fmt::Result {
        let root = record.root();
        self.comments(&root.annotation().before)?;
        self.annotation(root.annotation())?;
        self.comments(&root.annotation().after)?;
        let mut pending = vec![Pending::After(root)];
        while let Some(next) = pending.pop() {
            match next {
                Pending::Step(node) => {
                    self.step(node)?;
                    self.comments(&node.annotation().after)?;
                    pending.push(Pending::After(node));
                    pending.extend(node.next_sibling().map(Pending::Variations));
                }
                Pending::Variations(node) => {
                    pending.extend(node.next_sibling().map(Pending::Variations));
                    pending.push(Pending::Close(node));
                    self.words.open();
                    self.needs_number = true;
                    self.step(node)?;
                    pending.push(Pending::After(node));
                }
                Pending::After(node) => pending.extend(node.next().map(Pending::Step)),
                Pending::Close(node) => {
                    self.words.close();
                    self.needs_number = true;
                    self.comments(&node.annotation().after)?;
                }
            }
        }
        self.words.word(record.result().as_str())?;
        self.words.finish()
    }

    /// Writes the move of a node and everything before and after it.
    fn step(&mut self, node: Node<'_>) -> fmt::Result {
        let (Some(step), Some(parent)) = (node.step(), node.parent()) else {
            return Ok(());
        };
        let annotation = node.annotation();
        self.comments(&annotation.before)?;
        let position = parent.position();
        let dots = match position.turn() {
            Color::White => ".",
            Color::Black => "...",
        };
        let mut number = String::new();
        if position.turn() == Color::White || self.needs_number {
            number = format!("{}{dots}", position.fullmove_number());
        }
        let san = match step {
            Step::Move(played) => move_text(position, played, self.notation),
            Step::Null => Step::NULL_TEXT.to_owned(),
        };
        match self.format {
            Format::Compact => self.words.word(&format!("{number}{san}"))?,
            Format::Export => {
                if !number.is_empty() {
                    self.words.word(&number)?;
                }
                self.words.word(&san)?;
            }
        }
        self.needs_number = false;
        self.annotation(annotation)
    }

    /// Writes what follows a move: glyphs, embedded commands in one comment, and the comments.
    fn annotation(&mut self, annotation: &Annotation) -> fmt::Result {
        for glyph in &annotation.glyphs {
            self.words.word(&glyph.to_string())?;
        }
        let commands = commands(annotation);
        if !commands.is_empty() {
            self.in_braces(commands.iter().map(String::as_str))?;
        }
        self.comments(&annotation.comments)
    }

    /// Writes comments, each in its own braces.
    fn comments(&mut self, comments: &[Comment]) -> fmt::Result {
        for comment in comments {
            self.in_braces(comment.as_str().split(' '))?;
        }
        Ok(())
    }

    /// Writes the words of a comment. No line is broken where the next word would look like the beginning of an
    /// escaped line or of a tag.
    fn in_braces<'a>(&mut self, words: impl Iterator<Item = &'a str>) -> fmt::Result {
        for (index, word) in words.enumerate() {
            if index == 0 {
                self.words.word(&format!("{{{word}"))?;
            } else if word.starts_with('%') || word.starts_with('[') && !word.starts_with("[%") {
                self.words.join(word);
            } else {
                self.words.word(word)?;
            }
        }
        self.words.append('}');
        self.needs_number = true;
        Ok(())
    }
}

/// Returns a move in the chosen notation.
fn move_text(position: &Position, played: Move, notation: Notation) -> String {
    match notation {
        Notation::San => position.san(played).to_string(),
        Notation::Uci => position.uci(played).to_string(),
        Notation::Long => position.lan(played).to_string(),
    }
}

/// Returns the embedded commands of an annotation as text, those with fields first.
fn commands(annotation: &Annotation) -> Vec<String> {
    let mut commands = Vec::new();
    if let Some(evaluation) = annotation.evaluation {
        commands.push(format!("[%eval {evaluation}]"));
    }
    if let Some(time) = annotation.clock {
        commands.push(format!("[%clk {}]", clock_text(time)));
    }
    if let Some(time) = annotation.elapsed {
        commands.push(format!("[%emt {}]", clock_text(time)));
    }
    let squares = annotation
        .squares
        .iter()
        .map(|mark| format!("{}{}", mark.color.letter(), mark.square));
    let arrows = annotation
        .arrows
        .iter()
        .map(|arrow| format!("{}{}{}", arrow.color.letter(), arrow.from, arrow.to));
    let (squares, arrows): (Vec<_>, Vec<_>) = (squares.collect(), arrows.collect());
    if !squares.is_empty() {
        commands.push(format!("[%csl {}]", squares.join(",")));
    }
    if !arrows.is_empty() {
        commands.push(format!("[%cal {}]", arrows.join(",")));
    }
    commands.extend(annotation.commands().iter().map(ToString::to_string));
    commands
}
