//! Annotations of a move: comments, glyphs, clock readings, evaluations and marks on the board.
//!
//! Every value here has a normal form that survives PGN text unchanged: a [`Comment`] has no closing brace and no
//! embedded command, and a [`CommentCommand`] is never one that has a field of its own.

use core::fmt;
use core::str::FromStr;
use core::time::Duration;

use tabiya_rules::{Score, Square};

use crate::tags::one_line;

/// A comment in the normal form that PGN can carry: one line, single spaces, no closing brace, no `[%`.
///
/// Equality and hash are those of the normalized text.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Comment(Box<str>);

impl Comment {
    /// Normalizes a text; `None` if nothing is left of it.
    ///
    /// White space and control characters become single spaces, a closing brace becomes a parenthesis, and `[%`,
    /// which would begin an embedded command, is split by a space.
    ///
    /// ```
    /// use tabiya_game::Comment;
    ///
    /// assert_eq!(Comment::new("a  fine\nmove}").unwrap().as_str(), "a fine move)");
    /// assert_eq!(Comment::new(" \n "), None);
    /// ```
    pub fn new(text: &str) -> Option<Comment> {
        let mut normal = String::with_capacity(text.len());
        for word in one_line(text).split_whitespace() {
            if !normal.is_empty() {
                normal.push(' ');
            }
            for c in word.chars() {
                match c {
                    '}' => normal.push(')'),
                    '%' if normal.ends_with('[') => normal.push_str(" %"),
                    _ => normal.push(c),
                }
            }
        }
        if normal.is_empty() {
            None
        } else {
            Some(Comment(normal.into()))
        }
    }

    /// Returns the text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Comment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A numeric annotation glyph, the `$1` of PGN.
///
/// ```
/// use tabiya_game::Glyph;
///
/// assert_eq!(Glyph::from_symbol("!?"), Some(Glyph::INTERESTING));
/// assert_eq!(Glyph::BLUNDER.symbol(), Some("??"));
/// assert_eq!(Glyph::BLUNDER.to_string(), "$4");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Glyph(pub u8);

impl Glyph {
    /// `!`
    pub const GOOD: Glyph = Glyph(1);
    /// `?`
    pub const MISTAKE: Glyph = Glyph(2);
    /// `!!`
    pub const BRILLIANT: Glyph = Glyph(3);
    /// `??`
    pub const BLUNDER: Glyph = Glyph(4);
    /// `!?`
    pub const INTERESTING: Glyph = Glyph(5);
    /// `?!`
    pub const DUBIOUS: Glyph = Glyph(6);

    /// Returns whether the glyph judges the move: one of the six from `!` to `?!`.
    pub const fn is_move_assessment(self) -> bool {
        matches!(self.0, 1..=6)
    }

    /// Returns the symbol that people write for it, if it has one.
    pub const fn symbol(self) -> Option<&'static str> {
        Some(match self.0 {
            1 => "!",
            2 => "?",
            3 => "!!",
            4 => "??",
            5 => "!?",
            6 => "?!",
            7 => "□",
            10 => "=",
            13 => "∞",
            14 => "⩲",
            15 => "⩱",
            16 => "±",
            17 => "∓",
            18 => "+-",
            19 => "-+",
            22 | 23 => "⨀",
            146 => "N",
            _ => return None,
        })
    }

    /// Returns the glyph for one of the six symbols that follow a move, or for `$n`.
    pub fn from_symbol(text: &str) -> Option<Glyph> {
        Some(match text {
            "!" => Glyph::GOOD,
            "?" => Glyph::MISTAKE,
            "!!" => Glyph::BRILLIANT,
            "??" => Glyph::BLUNDER,
            "!?" => Glyph::INTERESTING,
            "?!" => Glyph::DUBIOUS,
            _ => {
                let digits = text.strip_prefix('$')?;
                if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
                    return None;
                }
                Glyph(digits.parse().ok()?)
            }
        })
    }
}

impl fmt::Display for Glyph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "${}", self.0)
    }
}

/// An evaluation from White's point of view: the argument of `[%eval …]`.
///
/// ```
/// use tabiya_game::Evaluation;
/// use tabiya_rules::Score;
///
/// let evaluation: Evaluation = "-1.25,20".parse()?;
/// assert_eq!((evaluation.score, evaluation.depth), (Score::Centipawns(-125), Some(20)));
/// # Ok::<(), tabiya_game::CommentCommandError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Evaluation {
    /// White's score.
    pub score: Score,
    /// The depth of the search it came from, if stated.
    pub depth: Option<u32>,
}

impl fmt::Display for Evaluation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.score.fmt(f)?;
        self.depth.map_or(Ok(()), |depth| write!(f, ",{depth}"))
    }
}

impl FromStr for Evaluation {
    type Err = CommentCommandError;

    /// Reads `0.35`, `-1.2`, `#3` and `#-3`, each with an optional depth after a comma.
    fn from_str(text: &str) -> Result<Evaluation, CommentCommandError> {
        let (value, depth) = match text.split_once(',') {
            None => (text, None),
            Some((value, depth)) => (value, Some(number(depth.trim())?)),
        };
        let score = value.trim().parse().map_err(|_| CommentCommandError)?;
        Ok(Evaluation { score, depth })
    }
}

/// The color of a mark on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum MarkColor {
    /// `G`
    Green,
    /// `R`
    Red,
    /// `Y`
    Yellow,
    /// `B`
    Blue,
}

impl MarkColor {
    /// Returns the letter used in `[%csl …]` and `[%cal …]`.
    pub const fn letter(self) -> char {
        match self {
            MarkColor::Green => 'G',
            MarkColor::Red => 'R',
            MarkColor::Yellow => 'Y',
            MarkColor::Blue => 'B',
        }
    }

    /// Returns the color that a letter stands for.
    pub const fn from_letter(letter: char) -> Option<MarkColor> {
        Some(match letter {
            'G' => MarkColor::Green,
            'R' => MarkColor::Red,
            'Y' => MarkColor::Yellow,
            'B' => MarkColor::Blue,
            _ => return None,
        })
    }
}

/// A marked square, from `[%csl …]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SquareMark {
    /// Its color.
    pub color: MarkColor,
    /// The square.
    pub square: Square,
}

/// An arrow on the board, from `[%cal …]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Arrow {
    /// Its color.
    pub color: MarkColor,
    /// The square where it begins.
    pub from: Square,
    /// The square it points to.
    pub to: Square,
}

/// An embedded command of a comment, `[%name argument]`, for which [`Annotation`] has no field.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CommentCommand {
    name: Box<str>,
    argument: Box<str>,
}

impl CommentCommand {
    /// Returns the word after the percent sign: ASCII letters, digits and underscores.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns what follows the name, on one line without brackets and braces; may be empty.
    pub fn argument(&self) -> &str {
        &self.argument
    }
}

impl fmt::Display for CommentCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.argument.is_empty() {
            write!(f, "[%{}]", self.name)
        } else {
            write!(f, "[%{} {}]", self.name, self.argument)
        }
    }
}

/// Everything written about one move or, at the root of a record, before the first move.
///
/// ```
/// use std::time::Duration;
/// use tabiya_game::pgn;
///
/// let game = pgn::games(b"1. e4 $1 {[%clk 0:04:58] the usual move} *").next().ok_or("no game")?;
/// let first = game.record.root().next().ok_or("no move")?;
/// let annotation = first.annotation();
/// assert_eq!(annotation.comments[0].as_str(), "the usual move");
/// assert_eq!(annotation.clock, Some(Duration::from_secs(298)));
/// assert_eq!(annotation.glyphs.len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Annotation {
    /// Comments before the move. PGN has a place for them only where a variation begins.
    pub before: Vec<Comment>,
    /// Comments after the move.
    pub comments: Vec<Comment>,
    /// Comments after the whole variation that begins with the move. PGN has a place for them only there.
    pub after: Vec<Comment>,
    /// Glyphs, in order.
    pub glyphs: Vec<Glyph>,
    /// `[%clk …]`: the mover's clock after the move, increment included.
    pub clock: Option<Duration>,
    /// `[%emt …]`: how long the move took.
    pub elapsed: Option<Duration>,
    /// `[%eval …]`: the evaluation of the position after the move.
    pub evaluation: Option<Evaluation>,
    /// `[%csl …]`: marked squares.
    pub squares: Vec<SquareMark>,
    /// `[%cal …]`: arrows.
    pub arrows: Vec<Arrow>,
    commands: Vec<CommentCommand>,
}

impl Annotation {
    /// An empty annotation.
    pub const EMPTY: Annotation = Annotation {
        before: Vec::new(),
        comments: Vec::new(),
        after: Vec::new(),
        glyphs: Vec::new(),
        clock: None,
        elapsed: None,
        evaluation: None,
        squares: Vec::new(),
        arrows: Vec::new(),
        commands: Vec::new(),
    };

    /// Returns whether the annotation is empty.
    pub fn is_empty(&self) -> bool {
        *self == Annotation::EMPTY
    }

    /// Returns the embedded commands that have no field of their own, in order.
    pub fn commands(&self) -> &[CommentCommand] {
        &self.commands
    }

    /// Adds an embedded command `[%name argument]`.
    ///
    /// `clk`, `emt`, `eval`, `csl` and `cal` with a valid argument set their fields, and marks are added to the
    /// existing ones. Anything else is kept unchanged in [`Annotation::commands`], except that runs of white space
    /// collapse.
    ///
    /// ```
    /// use core::time::Duration;
    /// use tabiya_game::Annotation;
    ///
    /// let mut annotation = Annotation::default();
    /// annotation.add_command("clk", "0:04:59.5")?;
    /// annotation.add_command("mood", "bright")?;
    /// assert_eq!(annotation.clock, Some(Duration::from_millis(299_500)));
    /// assert_eq!(annotation.commands()[0].to_string(), "[%mood bright]");
    /// # Ok::<(), tabiya_game::CommentCommandError>(())
    /// ```
    ///
    /// # Errors
    /// Fails if the name is not a word, or the argument contains a bracket or a brace.
    pub fn add_command(&mut self, name: &str, argument: &str) -> Result<(), CommentCommandError> {
        if name.is_empty() || !name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') {
            return Err(CommentCommandError);
        }
        if argument.contains(['[', ']', '{', '}']) {
            return Err(CommentCommandError);
        }
        let argument = one_line(argument)
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        if self.set_known_field(name, &argument).is_none() {
            self.commands.push(CommentCommand {
                name: name.into(),
                argument: argument.into(),
            });
        }
        Ok(())
    }

    /// Removes and returns all commands of this name that have no field of their own.
    pub fn remove_commands(&mut self, name: &str) -> Vec<CommentCommand> {
        let (gone, kept) = core::mem::take(&mut self.commands)
            .into_iter()
            .partition(|command| *command.name == *name);
        self.commands = kept;
        gone
    }

    /// Sets the field that a command has, if it has one and the argument is valid.
    fn set_known_field(&mut self, name: &str, argument: &str) -> Option<()> {
        match name {
            "clk" => self.clock = Some(parse_clock(argument)?),
            "emt" => self.elapsed = Some(parse_clock(argument)?),
            "eval" => self.evaluation = Some(argument.parse().ok()?),
            "csl" => self.squares.extend(marks(argument, square_mark)?),
            "cal" => self.arrows.extend(marks(argument, arrow)?),
            _ => return None,
        }
        Some(())
    }
}

/// The error returned when the argument of an embedded command is not valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CommentCommandError;

impl fmt::Display for CommentCommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("The text cannot stand in an embedded command of a comment.")
    }
}

impl core::error::Error for CommentCommandError {}

/// Returns a duration in the form of `[%clk …]`: `h:mm:ss`, with as many decimals as it needs.
///
/// ```
/// use core::time::Duration;
/// use tabiya_game::{clock_text, parse_clock};
///
/// let time = Duration::from_millis(3_661_250);
/// assert_eq!(clock_text(time).to_string(), "1:01:01.25");
/// assert_eq!(parse_clock("1:01:01.25"), Some(time));
/// ```
pub fn clock_text(time: Duration) -> impl fmt::Display {
    ClockText(time)
}

/// Reads `h:mm:ss`, `mm:ss` or plain seconds, with optional decimals.
pub fn parse_clock(text: &str) -> Option<Duration> {
    let (whole, fraction) = match text.split_once('.') {
        None => (text, 0),
        Some((whole, digits)) => (whole, nanoseconds(digits)?),
    };
    let mut seconds: u64 = 0;
    let mut parts = 0;
    for part in whole.split(':') {
        parts += 1;
        let value: u64 = number(part).ok()?;
        seconds = seconds.checked_mul(60)?.checked_add(value)?;
    }
    if parts > 3 {
        None
    } else {
        Some(Duration::new(seconds, fraction))
    }
}

struct ClockText(Duration);

impl fmt::Display for ClockText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0.as_secs();
        write!(
            f,
            "{}:{:02}:{:02}",
            seconds / 3600,
            seconds / 60 % 60,
            seconds % 60
        )?;
        write_fraction(f, self.0.subsec_nanos())
    }
}

/// Writes `.25` for 250,000,000 nanoseconds and nothing for zero.
pub(crate) fn write_fraction(f: &mut fmt::Formatter<'_>, nanoseconds: u32) -> fmt::Result {
    if nanoseconds == 0 {
        return Ok(());
    }
    let digits = format!("{nanoseconds:09}");
    write!(f, ".{}", digits.trim_end_matches('0'))
}

/// Reads the digits after a decimal point as nanoseconds; digits after the ninth are dropped.
pub(crate) fn nanoseconds(digits: &str) -> Option<u32> {
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    Some(
        digits
            .bytes()
            .chain(core::iter::repeat(b'0'))
            .take(9)
            .fold(0, |sum, digit| sum * 10 + u32::from(digit - b'0')),
    )
}

/// Accepts ASCII digits only, because `parse` alone would also accept a plus sign.
fn number<T: FromStr>(digits: &str) -> Result<T, CommentCommandError> {
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(CommentCommandError);
    }
    digits.parse().map_err(|_| CommentCommandError)
}

/// Reads marks separated by commas; `None` if one is not valid.
fn marks<T>(argument: &str, read: impl Fn(&str) -> Option<T>) -> Option<Vec<T>> {
    argument.split(',').map(|part| read(part.trim())).collect()
}

/// Reads a mark such as `Rd4`.
fn square_mark(text: &str) -> Option<SquareMark> {
    let color = MarkColor::from_letter(text.chars().next()?)?;
    Some(SquareMark {
        color,
        square: text.get(1..)?.parse().ok()?,
    })
}

/// Reads an arrow such as `Gc2c3`.
fn arrow(text: &str) -> Option<Arrow> {
    let color = MarkColor::from_letter(text.chars().next()?)?;
    Some(Arrow {
        color,
        from: text.get(1..3)?.parse().ok()?,
        to: text.get(3..)?.parse().ok()?,
    })
}
