//! Tests of reading and writing, and what they share.

mod errors;
mod events;
mod hostile;
mod records;
mod units;
mod visiting;
mod world;
mod writing;

use core::convert::Infallible;
use core::ops::ControlFlow;
use std::fmt::Write;

use super::{Flow, PgnError, PgnErrorKind, Reader, Response, Source, Text, Visitor};
use crate::outcome::GameResult;

/// Records every event as one word, so that a test can compare all of them.
#[derive(Debug, Default)]
pub(super) struct Trace {
    pub(super) text: String,
    /// What to answer when a variation begins.
    pub(super) skips_variations: bool,
    pub(super) skips_games: bool,
    pub(super) skips_moves: bool,
    /// Moves with this text are refused.
    pub(super) refuses: &'static str,
}

impl Trace {
    fn add(&mut self, event: std::fmt::Arguments<'_>) {
        if !self.text.is_empty() {
            self.text.push(' ');
        }
        self.text
            .write_fmt(event)
            .expect("a string takes everything");
    }
}

impl Visitor for Trace {
    type Output = ();
    type Stop = Infallible;

    fn begin_game(&mut self, _: u64) -> ControlFlow<Infallible, Flow> {
        self.add(format_args!("<"));
        if self.skips_games {
            ControlFlow::Continue(Flow::Skip)
        } else {
            ControlFlow::Continue(Flow::Read)
        }
    }

    fn tag(&mut self, name: &[u8], value: Text<'_>) -> Response<Infallible> {
        let name = String::from_utf8_lossy(name).into_owned();
        self.add(format_args!("{name}={:?}", value.decode()));
        if name == "Refused" {
            ControlFlow::Break(PgnErrorKind::Variant.into())
        } else {
            ControlFlow::Continue(())
        }
    }

    fn end_tags(&mut self) -> ControlFlow<Infallible, Flow> {
        self.add(format_args!("|"));
        if self.skips_moves {
            ControlFlow::Continue(Flow::Skip)
        } else {
            ControlFlow::Continue(Flow::Read)
        }
    }

    fn san(&mut self, san: &[u8]) -> Response<Infallible> {
        let san = String::from_utf8_lossy(san).into_owned();
        self.add(format_args!("{san}"));
        if !self.refuses.is_empty() && san == self.refuses {
            return ControlFlow::Break(PgnErrorKind::NullMoveInCheck.into());
        }
        ControlFlow::Continue(())
    }

    fn glyph(&mut self, glyph: u8) -> Response<Infallible> {
        self.add(format_args!("${glyph}"));
        ControlFlow::Continue(())
    }

    fn comment(&mut self, text: Text<'_>) -> Response<Infallible> {
        self.add(format_args!("{{{}}}", text.decode().escape_debug()));
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self) -> ControlFlow<Infallible, Flow> {
        self.add(format_args!("("));
        if self.skips_variations {
            ControlFlow::Continue(Flow::Skip)
        } else {
            ControlFlow::Continue(Flow::Read)
        }
    }

    fn end_variation(&mut self) {
        self.add(format_args!(")"));
    }

    fn result(&mut self, result: GameResult) {
        self.add(format_args!("{result}"));
    }

    fn error(&mut self, error: PgnError) {
        let PgnError { place, kind, text } = error;
        self.add(format_args!("!{kind:?}@{place}'{}'", text.escape_debug()));
    }

    fn end_game(&mut self) {
        self.add(format_args!(">"));
    }
}

/// A source that returns a few bytes at a time.
#[derive(Debug)]
pub(super) struct Pieces<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) size: usize,
}

impl Source for Pieces<'_> {
    type Error = Infallible;

    fn fill(&mut self, buffer: &mut [u8]) -> Result<usize, Infallible> {
        let size = self.size.min(buffer.len());
        self.bytes.fill(&mut buffer[..size])
    }
}

/// Returns all events of a text.
pub(super) fn trace(text: impl AsRef<[u8]>) -> String {
    trace_with(text, Trace::default())
}

pub(super) fn trace_with(text: impl AsRef<[u8]>, mut trace: Trace) -> String {
    Reader::new(text.as_ref())
        .read_all(&mut trace)
        .unwrap_or_else(|never| match never {});
    trace.text
}
