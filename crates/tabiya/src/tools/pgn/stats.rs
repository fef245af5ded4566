//! `tabiya pgn stats`: results, lengths, openings, years and players of files of games.

mod report;
mod tally;

use std::convert::Infallible;
use std::ops::ControlFlow;

use tabiya_game::pgn::{self, Flow, PgnError, Reader, Replay, Response, Source, Text, Visitor};
use tabiya_game::{GameResult, Step};
use tabiya_rules::Position;

use self::tally::{Game, Tally};
use super::flags::Stats;
use super::job::{Job, Part, Sheet, Stopped};
use super::work;
use crate::failure::Failure;

/// How many moves name an opening that has no code.
const OPENING: usize = 4;

/// How many characters of a name are kept.
const NAME: usize = 80;

pub(crate) fn run(asked: &Stats) -> Result<(), Failure> {
    let mut sum = Tally::default();
    let mut desk = work::perform(Counting, &asked.reading, &mut |tally, _| {
        sum.add(tally);
        Ok(())
    })?;
    let top = if asked.top == 0 {
        usize::MAX
    } else {
        asked.top
    };
    if asked.json {
        desk.output.json(&report::json(&sum, top))?;
    } else {
        desk.output.text(&report::text(&sum, top))?;
    }
    desk.finish(sum.errors)
}

struct Counting;

impl Job for Counting {
    type Tally = Tally;

    fn read<S: Source<Error = Stopped>>(
        &self,
        part: Part<'_, S>,
        sheet: &mut Sheet<'_, Tally>,
    ) -> Result<(), Stopped> {
        let mut reader = Reader::starting_at(part.source, part.start);
        let mut replay = Replay::new(Counter::default());
        while reader.read_game(&mut replay)?.is_some() {
            let counter = replay.visitor_mut();
            if counter.tally.is_large() {
                sheet.tally(std::mem::take(&mut counter.tally));
            }
        }
        sheet.tally(replay.into_visitor().tally);
        Ok(())
    }
}

#[derive(Default)]
struct Counter {
    tally: Tally,
    game: Game,
    tagged_result: GameResult,
    is_set_up: bool,
}

impl Visitor for Counter {
    type Output = ();
    type Stop = Infallible;

    fn begin_game(&mut self, _: u64) -> ControlFlow<Infallible, Flow> {
        self.game.clear();
        self.tagged_result = GameResult::Unknown;
        self.is_set_up = false;
        ControlFlow::Continue(Flow::Read)
    }

    fn tag(&mut self, name: &[u8], value: Text<'_>) -> Response<Infallible> {
        let place = match name {
            b"White" => &mut self.game.white,
            b"Black" => &mut self.game.black,
            b"ECO" => &mut self.game.opening,
            b"Date" => &mut self.game.date,
            b"UTCDate" => &mut self.game.utc_date,
            b"Result" => {
                self.tagged_result = pgn::parse_result(value).unwrap_or_default();
                return ControlFlow::Continue(());
            }
            _ => return ControlFlow::Continue(()),
        };
        place.clear();
        let value = value.decode();
        let value = value.trim();
        if !matches!(value, "?" | "-") {
            place.extend(value.chars().take(NAME));
        }
        ControlFlow::Continue(())
    }

    fn start(&mut self, position: &Position) {
        self.is_set_up = *position != Position::start();
        self.game.has_code = !self.game.opening.is_empty();
        self.game.result = self.tagged_result;
    }

    #[inline]
    fn step(&mut self, before: &Position, step: Step, _: &Position) -> Response<Infallible> {
        self.game.plies += 1;
        if self.game.plies <= OPENING as u64 && !self.game.has_code && !self.is_set_up {
            self.game.name_move(before, step);
        }
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self) -> ControlFlow<Infallible, Flow> {
        ControlFlow::Continue(Flow::Skip)
    }

    fn result(&mut self, result: GameResult) {
        if self.tagged_result == GameResult::Unknown {
            self.game.result = result;
        }
    }

    fn error(&mut self, _: PgnError) {
        self.tally.errors += 1;
    }

    fn end_game(&mut self) {
        if self.game.opening.is_empty() {
            self.game.opening.push_str(if self.is_set_up {
                "from a position"
            } else {
                "no moves"
            });
        }
        self.tally.count(&self.game);
    }
}
