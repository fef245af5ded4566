//! `tabiya book build`: reads games on all cores and makes a book of them.

use std::convert::Infallible;
use std::io::BufWriter;
use std::ops::ControlFlow;

use serde::Serialize;
use tabiya_front::book_file::unusable_book;
use tabiya_front::failure::Failure;
use tabiya_front::ranges::counted;
use tabiya_game::pgn::{self, Canceled, Flow, Part, PgnError, Replay, Response, Text, Visitor};
use tabiya_game::{GameResult, Step};
use tabiya_openings::{BookBuilder, BookError, write};
use tabiya_rules::{Color, Move, Position};
use tabiya_store::disk::NewFile;

use super::Build;
use crate::pgn::job::{Job, PartWriter};
use crate::pgn::{mention, work};

/// How many games are passed on at once.
const GAMES_PER_BATCH: usize = 256;

pub(crate) fn run(args: &Build) -> Result<(), Failure> {
    let mut builder = BookBuilder::new()
        .plies(args.plies.into())
        .min_games(args.min_games.get());
    // Created before hours of reading, so that a name that is taken is noticed at once.
    let failed = |error| unusable_book(&args.out, BookError::Io(error));
    let mut file = NewFile::begin(&args.out).map_err(failed)?;
    let (mut games, mut errors) = (0_u64, 0);
    let mut printer = work::run_job(args.clone(), &args.reading, &mut |batch: Batch, _| {
        errors += batch.errors;
        games += batch.games.len() as u64;
        for game in batch.games {
            builder.add_game(&game.start, game.moves, game.winner);
        }
        Ok(ControlFlow::Continue(()))
    })?;
    if !printer.has_counts() {
        return printer.finish();
    }
    let book = builder.entries();
    let entries = book.len() as u64;
    write(book, BufWriter::new(&mut file)).map_err(|error| unusable_book(&args.out, error))?;
    file.finish().map_err(failed)?;
    let built = Built { games, entries };
    let games = counted(games, "game", "games");
    let entries = counted(entries, "entry", "entries");
    let line = format!("{games}, {entries}");
    printer.output.answer(args.json, &built, [line])?;
    mention(errors);
    printer.finish()?;
    Failure::if_errors(errors)
}

/// The new book for `--json`.
#[derive(Serialize)]
struct Built {
    games: u64,
    entries: u64,
}

/// The beginning of a game with a result.
struct Game {
    start: Position,
    moves: Vec<Move>,
    winner: Option<Color>,
}

/// Some games, and the number of errors in them.
#[derive(Default)]
pub(crate) struct Batch {
    games: Vec<Game>,
    errors: u64,
}

impl Job for Build {
    type Item = Batch;

    fn read(&self, part: Part<'_>, writer: &mut PartWriter<'_, Batch>) -> Result<(), Canceled> {
        let mut reader = part.reader();
        let mut replay = Replay::new(Collector {
            plies: self.plies.into(),
            batch: Batch::default(),
            start: Position::start(),
            moves: Vec::new(),
            result: GameResult::Unknown,
            is_cut: false,
        });
        while reader.read_game(&mut replay)?.is_some() {
            let collector = replay.visitor_mut();
            if collector.batch.games.len() >= GAMES_PER_BATCH {
                writer.item(std::mem::take(&mut collector.batch));
            }
        }
        writer.item(replay.into_visitor().batch);
        Ok(())
    }
}

struct Collector {
    plies: usize,
    batch: Batch,
    start: Position,
    moves: Vec<Move>,
    result: GameResult,
    /// Whether no further move counts: there are enough, or one is missing.
    is_cut: bool,
}

impl Visitor for Collector {
    type Output = ();
    type Stop = Infallible;

    fn begin_game(&mut self, _: u64) -> ControlFlow<Infallible, Flow> {
        self.moves.clear();
        self.result = GameResult::Unknown;
        self.is_cut = false;
        ControlFlow::Continue(Flow::Read)
    }

    fn tag(&mut self, name: &[u8], value: Text<'_>) -> Response<Infallible> {
        if name == b"Result" {
            self.result = pgn::parse_result(value).unwrap_or_default();
        }
        ControlFlow::Continue(())
    }

    fn start(&mut self, position: &Position) {
        self.start = *position;
    }

    fn step(&mut self, _: &Position, step: Step, _: &Position) -> Response<Infallible> {
        self.is_cut |= self.moves.len() == self.plies;
        if self.is_cut {
            return ControlFlow::Continue(());
        }
        match step {
            Step::Move(m) => self.moves.push(m),
            Step::Null => self.is_cut = true,
        }
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self) -> ControlFlow<Infallible, Flow> {
        ControlFlow::Continue(Flow::Skip)
    }

    fn result(&mut self, result: GameResult) {
        if self.result == GameResult::Unknown {
            self.result = result;
        }
    }

    fn error(&mut self, _: PgnError) {
        self.batch.errors += 1;
        self.is_cut = true;
    }

    fn end_game(&mut self) {
        if self.result == GameResult::Unknown {
            return;
        }
        self.batch.games.push(Game {
            start: self.start,
            moves: std::mem::take(&mut self.moves),
            winner: self.result.winner(),
        });
    }
}
