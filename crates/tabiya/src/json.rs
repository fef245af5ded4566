//! JSON as the program prints it: one value a line, with nothing in it that could act on a terminal.

pub(crate) mod events;

use std::fmt::{self, Write};
use std::io;
use std::time::Duration;

use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};
use tabiya_game::{Claim, Grounds};
use tabiya_rules::Color;
use tabiya_rules::text::is_safe;

/// A value on one line.
pub(crate) fn line(value: &impl Serialize) -> String {
    let mut bytes = Vec::new();
    let mut serializer = Serializer::with_formatter(&mut bytes, Safe);
    // Nothing but a map whose keys are no text could be refused, and there is none.
    let written = value.serialize(&mut serializer);
    debug_assert!(written.is_ok(), "{written:?}");
    String::from_utf8(bytes).unwrap_or_default()
}

/// How values are printed: without spaces, numbers with four decimals where they have any, and every character spelled
/// out that could act on a terminal.
struct Safe;

impl Formatter for Safe {
    fn write_f64<W: ?Sized + io::Write>(&mut self, writer: &mut W, value: f64) -> io::Result<()> {
        // Nothing is printed as a negative zero.
        write!(writer, "{:.4}", (value * 10_000.0).round() / 10_000.0 + 0.0)
    }

    fn write_string_fragment<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        let mut rest = fragment;
        while let Some(at) = rest.find(|sign| !is_safe(sign)) {
            let (safe, from) = rest.split_at(at);
            writer.write_all(safe.as_bytes())?;
            let mut signs = from.chars();
            for unit in signs.next().into_iter().flat_map(utf16) {
                write!(writer, "\\u{unit:04x}")?;
            }
            rest = signs.as_str();
        }
        writer.write_all(rest.as_bytes())
    }
}

fn utf16(sign: char) -> impl Iterator<Item = u16> {
    let mut units = [0; 2];
    let count = sign.encode_utf16(&mut units).len();
    units.into_iter().take(count)
}

/// A value to be printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Json {
    Null,
    Flag(bool),
    Number(u64),
    /// A whole number that may be negative.
    Signed(i64),
    /// In ten-thousandths.
    Decimal(i64),
    Text(String),
    List(Vec<Json>),
    /// The members keep their order.
    Object(Vec<(&'static str, Json)>),
}

impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Json::Null => f.write_str("null"),
            Json::Flag(flag) => write!(f, "{flag}"),
            Json::Number(number) => write!(f, "{number}"),
            Json::Signed(number) => write!(f, "{number}"),
            Json::Decimal(number) => {
                let sign = if *number < 0 { "-" } else { "" };
                let size = number.unsigned_abs();
                write!(f, "{sign}{}.{:04}", size / 10_000, size % 10_000)
            }
            Json::Text(text) => write_text(f, text),
            Json::List(values) => {
                f.write_char('[')?;
                for (at, value) in values.iter().enumerate() {
                    write!(f, "{}{value}", separator(at))?;
                }
                f.write_char(']')
            }
            Json::Object(members) => {
                f.write_char('{')?;
                for (at, (name, value)) in members.iter().enumerate() {
                    write!(f, "{}\"{name}\":{value}", separator(at))?;
                }
                f.write_char('}')
            }
        }
    }
}

fn separator(at: usize) -> &'static str {
    if at == 0 { "" } else { "," }
}

fn write_text(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    f.write_char('"')?;
    for c in text.chars() {
        match c {
            '"' | '\\' => write!(f, "\\{c}")?,
            '\n' => f.write_str("\\n")?,
            c if is_safe(c) => f.write_char(c)?,
            c => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    write!(f, "\\u{unit:04x}")?;
                }
            }
        }
    }
    f.write_char('"')
}

impl From<bool> for Json {
    fn from(flag: bool) -> Json {
        Json::Flag(flag)
    }
}

impl From<u64> for Json {
    fn from(number: u64) -> Json {
        Json::Number(number)
    }
}

impl From<u32> for Json {
    fn from(number: u32) -> Json {
        Json::Number(number.into())
    }
}

impl From<f64> for Json {
    /// Four decimals; JSON has no word for what is infinite or no number.
    fn from(number: f64) -> Json {
        if number.is_finite() {
            Json::Decimal((number * 10_000.0).round() as i64)
        } else {
            Json::Null
        }
    }
}

impl From<usize> for Json {
    fn from(number: usize) -> Json {
        // No machine that this runs on counts in more than 64 bits.
        Json::Number(number as u64)
    }
}

impl From<&str> for Json {
    fn from(text: &str) -> Json {
        Json::Text(text.to_owned())
    }
}

impl From<String> for Json {
    fn from(text: String) -> Json {
        Json::Text(text)
    }
}

impl<T: Into<Json>> From<Option<T>> for Json {
    fn from(value: Option<T>) -> Json {
        value.map_or(Json::Null, Into::into)
    }
}

impl<T: Into<Json>> From<Vec<T>> for Json {
    fn from(values: Vec<T>) -> Json {
        Json::List(values.into_iter().map(Into::into).collect())
    }
}

/// The word a color has in JSON.
pub(crate) fn color_word(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

/// A claim with the number that justifies it.
pub(crate) fn claim_json(claim: &Claim) -> Json {
    Json::Object(match &claim.grounds {
        Grounds::FiftyMoves { clock } => vec![("rule", "fifty".into()), ("clock", (*clock).into())],
        Grounds::Threefold { plies } => {
            vec![("rule", "threefold".into()), ("count", plies.len().into())]
        }
    })
}

/// A time in whole milliseconds.
pub(crate) fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests;
