//! `tabiya pgn stats`: results, lengths, openings, years and players of files of games.

mod figures;
mod report;

use std::convert::Infallible;
use std::ops::ControlFlow;

use tabiya_front::failure::Failure;
use tabiya_front::opening_names;
use tabiya_front::output::OutputFile;
use tabiya_game::pgn::{self, Canceled, Flow, Part, PgnError, Replay, Response, Text, Visitor};
use tabiya_game::{GameResult, Step};
use tabiya_openings::{MAX_PLIES, Opening, Openings};
use tabiya_rules::Position;

use self::figures::{Figures, Game, OpeningName};
use super::flags::Stats;
use super::job::{Job, PartWriter};
use super::work;
use crate::read_opening_names;

/// How many characters of a name are kept.
const MAX_NAME_LENGTH: usize = 80;

pub(crate) fn run(args: &Stats) -> Result<(), Failure> {
    read_opening_names();
    // Created before hours of reading, so that a name that is taken is noticed at once.
    let picture = args.svg.as_deref().map(OutputFile::begin).transpose()?;
    let mut sum = Figures::default();
    let mut printer = work::run_job(args.clone(), &args.reading, &mut |figures, _| {
        sum.add(figures);
        Ok(ControlFlow::Continue(()))
    })?;
    if args.json {
        printer.output.json(&report::json(&sum, args.top))?;
    } else {
        printer.output.text(&report::text(&sum, args.top))?;
    }
    if let Some(mut file) = picture {
        file.add(&report::bars(&sum, args.top).svg())?;
        file.finish()?;
    }
    printer.finish()?;
    Failure::if_errors(sum.errors)
}

impl Job for Stats {
    type Item = Figures;

    fn read(&self, part: Part<'_>, writer: &mut PartWriter<'_, Figures>) -> Result<(), Canceled> {
        let mut reader = part.reader();
        let mut replay = Replay::new(Counter {
            families: self.families,
            openings: opening_names::known(),
            figures: Figures::default(),
            game: Game::default(),
            opening: None,
            is_set_up: false,
        });
        while reader.read_game(&mut replay)?.is_some() {
            let counter = replay.visitor_mut();
            if counter.figures.is_large() {
                writer.item(std::mem::take(&mut counter.figures));
            }
        }
        writer.item(replay.into_visitor().figures);
        Ok(())
    }
}

struct Counter {
    /// Whether only the family of an opening counts.
    families: bool,
    openings: &'static Openings,
    figures: Figures,
    game: Game,
    opening: Option<Opening<'static>>,
    is_set_up: bool,
}

impl Visitor for Counter {
    type Output = ();
    type Stop = Infallible;

    fn begin_game(&mut self, _: u64) -> ControlFlow<Infallible, Flow> {
        self.game.clear();
        self.opening = None;
        self.is_set_up = false;
        ControlFlow::Continue(Flow::Read)
    }

    fn tag(&mut self, name: &[u8], value: Text<'_>) -> Response<Infallible> {
        if let Some(place) = self.game.tags.place(name) {
            place.clear();
            let value = value.decode();
            let value = value.trim();
            if !matches!(value, "?" | "-") {
                place.extend(value.chars().take(MAX_NAME_LENGTH));
            }
        } else if name == b"Result" {
            self.game.result = pgn::parse_result(value).unwrap_or_default();
        }
        ControlFlow::Continue(())
    }

    fn start(&mut self, position: &Position) {
        self.is_set_up = *position != Position::start();
    }

    #[inline]
    fn step(&mut self, _: &Position, _: Step, after: &Position) -> Response<Infallible> {
        self.game.plies += 1;
        if self.game.plies <= MAX_PLIES as u64 {
            self.opening = self.openings.lookup(after).or(self.opening);
        }
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self) -> ControlFlow<Infallible, Flow> {
        ControlFlow::Continue(Flow::Skip)
    }

    fn result(&mut self, result: GameResult) {
        if self.game.result == GameResult::Unknown {
            self.game.result = result;
        }
    }

    fn error(&mut self, _: PgnError) {
        self.figures.errors += 1;
    }

    fn end_game(&mut self) {
        let opening = match self.opening {
            Some(opening) if self.families => OpeningName::Family(opening.family),
            Some(opening) => OpeningName::Named(opening),
            None if self.is_set_up => OpeningName::SetUp,
            None if self.game.plies == 0 => OpeningName::NoMoves,
            None => OpeningName::Unnamed,
        };
        self.figures.count(&self.game, opening);
    }
}
