//! `tabiya pgn check`: every error in files of games, with its place.

use tabiya_game::Step;
use tabiya_game::pgn::{Flow, MoveVisitor, PgnError, PgnErrorKind, Reader, Replay, Source};
use tabiya_rules::Position;

use super::flags::Check;
use super::job::{Job, Part, Sheet, Stopped};
use super::work;
use crate::clean::clean;
use crate::failure::Failure;
use crate::json::Json;

#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    games: u64,
    /// Of main lines.
    moves: u64,
    variation_moves: u64,
    errors: u64,
}

impl Tally {
    fn add(&mut self, other: Tally) {
        self.games += other.games;
        self.moves += other.moves;
        self.variation_moves += other.variation_moves;
        self.errors += other.errors;
    }
}

pub(crate) fn run(asked: &Check) -> Result<(), Failure> {
    let mut sum = Tally::default();
    let job = Checking { json: asked.json };
    let mut desk = work::perform(job, &asked.reading, &mut |tally| sum.add(tally))?;
    let Tally {
        games,
        moves,
        variation_moves,
        errors,
    } = sum;
    if asked.json {
        desk.output.json(&Json::Object(vec![
            ("games", games.into()),
            ("moves", moves.into()),
            ("variation_moves", variation_moves.into()),
            ("errors", errors.into()),
        ]))?;
    } else if games > 0 || !desk.is_unusable() {
        desk.output
            .line(&format!("{games} games, {moves} moves, {errors} errors"))?;
    }
    desk.finish(errors)
}

struct Checking {
    json: bool,
}

impl Job for Checking {
    type Tally = Tally;

    fn read<S: Source<Error = Stopped>>(
        &self,
        part: Part<'_, S>,
        sheet: &mut Sheet<'_, Tally>,
    ) -> Result<(), Stopped> {
        let mut reader = Reader::starting_at(part.source, part.start);
        let mut replay = Replay::new(Checker {
            sheet,
            name: part.name,
            json: self.json,
            depth: 0,
            tally: Tally::default(),
        });
        reader.read_all(&mut replay)?;
        let checker = replay.into_visitor();
        checker.sheet.tally(checker.tally);
        Ok(())
    }
}

struct Checker<'a, 'b> {
    sheet: &'a mut Sheet<'b, Tally>,
    name: &'a str,
    json: bool,
    /// How many variations are open.
    depth: u32,
    tally: Tally,
}

impl MoveVisitor for Checker<'_, '_> {
    fn begin_game(&mut self, _: u64) -> Flow {
        self.tally.games += 1;
        Flow::Read
    }

    #[inline]
    fn step(&mut self, _: &Position, _: Step, _: &Position) -> Result<(), PgnErrorKind> {
        if self.depth == 0 {
            self.tally.moves += 1;
        } else {
            self.tally.variation_moves += 1;
        }
        Ok(())
    }

    fn begin_variation(&mut self) -> Flow {
        self.depth += 1;
        Flow::Read
    }

    fn end_variation(&mut self) {
        self.depth -= 1;
    }

    #[cold]
    fn error(&mut self, error: PgnError) {
        self.tally.errors += 1;
        if !self.json {
            let line = format!("{}:{error}", self.name);
            self.sheet.line(&clean(&line));
            return;
        }
        let place = error.place;
        let shown = error.to_string();
        let sentence = shown
            .strip_prefix(&format!("{place}: "))
            .unwrap_or(&shown)
            .to_owned();
        let object = Json::Object(vec![
            ("file", self.name.into()),
            ("line", place.line().into()),
            ("column", place.column().into()),
            ("offset", place.offset().into()),
            ("error", sentence.into()),
        ]);
        self.sheet.line(&object.to_string());
    }
}
