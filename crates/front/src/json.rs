//! JSON output: one value per line, without control characters.

pub mod events;
pub mod explorer;
pub mod train;

use std::io;
use std::time::Duration;

use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};
use tabiya_openings::Opening;
use tabiya_rules::Score;
use tabiya_rules::text::is_safe;

/// Formats a value on one line.
pub fn line(value: &impl Serialize) -> String {
    let mut bytes = Vec::new();
    // Only a map with keys that are not text would be refused, and there is none.
    let written = write(value, &mut bytes);
    debug_assert!(written.is_ok(), "{written:?}");
    String::from_utf8(bytes).unwrap_or_default()
}

/// Writes a value that may be too large for memory.
pub fn write(value: &impl Serialize, out: &mut impl io::Write) -> io::Result<()> {
    Ok(value.serialize(&mut Serializer::with_formatter(out, Safe))?)
}

/// The format of values: no spaces, four decimals for fractions, and escapes for every character that could act on a
/// terminal.
struct Safe;

impl Formatter for Safe {
    fn write_f64<W: ?Sized + io::Write>(&mut self, writer: &mut W, value: f64) -> io::Result<()> {
        // Negative zero is never printed.
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
            let sign = signs.next().unwrap_or_default();
            for unit in sign.encode_utf16(&mut [0; 2]) {
                write!(writer, "\\u{unit:04x}")?;
            }
            rest = signs.as_str();
        }
        writer.write_all(rest.as_bytes())
    }
}

/// The name of an opening.
#[derive(Debug, Serialize)]
pub struct Named {
    pub eco: String,
    pub name: String,
}

impl From<Opening<'_>> for Named {
    fn from(opening: Opening<'_>) -> Named {
        Named {
            eco: opening.eco.to_string(),
            name: opening.to_string(),
        }
    }
}

/// A score from White's point of view as two keys, of which at most one is not null.
#[derive(Debug, Serialize)]
pub struct ScoreJson {
    cp: Option<i32>,
    mate: Option<i32>,
}

impl From<Option<Score>> for ScoreJson {
    fn from(score: Option<Score>) -> ScoreJson {
        ScoreJson {
            cp: score.and_then(Score::centipawns),
            mate: score.and_then(Score::moves_to_mate),
        }
    }
}

/// A time in whole milliseconds.
pub fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests;
