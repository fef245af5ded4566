//! `tabiya pgn fens`: prints the positions of games, one per line.

use std::convert::Infallible;
use std::ops::ControlFlow;

use serde::Serialize;
use tabiya_front::failure::Failure;
use tabiya_front::json;
use tabiya_game::Step;
use tabiya_game::pgn::{Canceled, Flow, Part, PgnError, PgnErrorKind, Replay, Response, Visitor};
use tabiya_rules::Position;

use super::flags::Fens;
use super::job::{Job, PartWriter};
use super::{mention, work};

pub(crate) fn run(args: &Fens) -> Result<(), Failure> {
    let mut errors = 0;
    let printer = work::run_job(args.clone(), &args.reading, &mut |more: u64, _| {
        errors += more;
        Ok(ControlFlow::Continue(()))
    })?;
    mention(errors);
    printer.finish()?;
    Failure::if_errors(errors)
}

impl Job for Fens {
    type Item = u64;

    fn read(&self, part: Part<'_>, writer: &mut PartWriter<'_, u64>) -> Result<(), Canceled> {
        let mut reader = part.reader();
        let mut replay = Replay::new(Printer {
            writer,
            job: self,
            offset: 0,
            ply: 0,
            last: None,
            unplayable: false,
            errors: 0,
        });
        reader.read_all(&mut replay)?;
        let printer = replay.into_visitor();
        printer.writer.item(printer.errors);
        Ok(())
    }
}

/// A position for `--json`.
#[derive(Serialize)]
struct Printed<'a> {
    file: &'a str,
    offset: u64,
    ply: u64,
    #[serde(rename = "move")]
    played: Option<String>,
    fen: String,
}

struct Printer<'a, 'b> {
    writer: &'a mut PartWriter<'b, u64>,
    job: &'a Fens,
    /// The offset of the game.
    offset: u64,
    ply: u64,
    /// The last position and its move, if only that is wanted.
    last: Option<(Position, Option<String>)>,
    /// Whether the starting position is invalid, so that no move can be played.
    unplayable: bool,
    errors: u64,
}

impl Printer<'_, '_> {
    fn print(&mut self, position: &Position, played: Option<String>) {
        let fen = position.fen();
        if !self.job.json {
            self.writer.line(&fen);
            return;
        }
        let printed = Printed {
            file: self.writer.file,
            offset: self.offset,
            ply: self.ply,
            played,
            fen,
        };
        self.writer.line(&json::line(&printed));
    }
}

impl Visitor for Printer<'_, '_> {
    type Output = ();
    type Stop = Infallible;

    fn begin_game(&mut self, offset: u64) -> ControlFlow<Infallible, Flow> {
        self.offset = offset;
        self.ply = 0;
        self.last = None;
        self.unplayable = false;
        ControlFlow::Continue(Flow::Read)
    }

    fn start(&mut self, position: &Position) {
        if self.unplayable {
            return;
        }
        if self.job.last {
            self.last = Some((*position, None));
        } else if self.job.start {
            self.print(position, None);
        }
    }

    fn step(&mut self, before: &Position, step: Step, after: &Position) -> Response<Infallible> {
        self.ply += 1;
        let wanted = step.played().filter(|_| self.job.json);
        let played = wanted.map(|played| before.uci(played).to_string());
        if self.job.last {
            self.last = Some((*after, played));
        } else {
            self.print(after, played);
        }
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self) -> ControlFlow<Infallible, Flow> {
        ControlFlow::Continue(Flow::Skip)
    }

    fn error(&mut self, error: PgnError) {
        self.errors += 1;
        self.unplayable |= matches!(error.kind, PgnErrorKind::Fen(_) | PgnErrorKind::Variant);
    }

    fn end_game(&mut self) {
        if let Some((position, played)) = self.last.take() {
            self.print(&position, played);
        }
    }
}
