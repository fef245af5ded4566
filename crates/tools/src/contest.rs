//! `tabiya match`: plays games between two players, and prints the score and what it says about their strength.

mod flags;

use std::io;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use tabiya_front::book_file;
use tabiya_front::config::engines::configured;
use tabiya_front::failure::Failure;
use tabiya_front::flags::random;
use tabiya_front::json::events;
use tabiya_front::matches::{self, Archive, DEFAULT_CLOCK, MatchOrder, Report, openings};
use tabiya_front::opening_names;
use tabiya_front::output::{Output, answer, say};
use tabiya_front::signals;
use tabiya_game::TimeControl;
use tabiya_play::contest::statistics::Decision;
use tabiya_play::contest::{
    Adjudication, ByEntrant, Contest, ContestError, End, Event, Finished, Openings, Plan,
    ThinkingLimit,
};
use tabiya_play::engines::KnownEngines;
use tabiya_rules::text::clean;

use crate::progress::spinner;
use crate::status_line::StatusLine;
use crate::watch_ends;
pub use flags::{EXAMPLES, Match};

/// How often the state of the match is shown while nothing happens.
const REDRAW_INTERVAL: Duration = Duration::from_millis(200);

/// What the command waits for.
enum Incoming {
    Event(Box<Event>),
    Signal(i32),
}

/// Plays the match.
pub fn run(args: &Match) -> Result<(), Failure> {
    let plan = plan(args)?;
    let file = args.pgn.as_deref().map(Archive::open).transpose();
    let file = file.map_err(|error| unwritable(args, &error))?;
    let report = Report::new(&plan);
    let (sender, incoming) = channel();
    let signal_sender = sender.clone();
    watch_ends(move |number| {
        let _ = signal_sender.send(Incoming::Signal(number));
    })?;
    let contest = Contest::start(plan, move |event| {
        // Nobody receives it once the command has ended.
        let _ = sender.send(Incoming::Event(Box::new(event)));
    });
    let contest =
        contest.map_err(|none| Failure::system("the match cannot begin", &none.into()))?;
    let mut running = RunningMatch {
        args,
        contest,
        report,
        file,
        output: Output::stdout(),
        status_line: StatusLine::new(),
        state: "starting".to_owned(),
        signal: None,
        written: Ok(()),
    };
    let end = running.watch(&incoming);
    running.finish(end)
}

/// A match while it is played.
struct RunningMatch<'a> {
    args: &'a Match,
    contest: Contest,
    report: Report,
    file: Option<Archive>,
    output: Output,
    status_line: StatusLine,
    /// What the status line says.
    state: String,
    /// The signal that asked for the end.
    signal: Option<i32>,
    /// Whether all finished games could be written.
    written: Result<(), Failure>,
}

impl RunningMatch<'_> {
    /// Writes the games and shows the score until the match is over.
    fn watch(&mut self, incoming: &Receiver<Incoming>) -> End {
        let started = Instant::now();
        loop {
            match incoming.recv_timeout(REDRAW_INTERVAL) {
                Ok(Incoming::Signal(number)) => {
                    self.signal = Some(number);
                    self.contest.stop();
                }
                Ok(Incoming::Event(event)) => {
                    if let Some(end) = self.handle_event(*event) {
                        return end;
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return End::Broken(ContestError::Silent),
            }
            let (spinner, state) = (spinner(started.elapsed()), &self.state);
            self.status_line.show(|_| format!("{spinner} {state}"));
        }
    }

    /// Handles an event. Returns how the match ended, if it did.
    fn handle_event(&mut self, event: Event) -> Option<End> {
        match event {
            Event::GameEnded(game) => {
                let written = self.write_game(&game);
                if written.is_err() {
                    self.contest.stop();
                }
                // The first error is the one to report.
                if self.written.is_ok() {
                    self.written = written;
                }
            }
            Event::Score(standing) => {
                self.report.standing = standing;
                self.state = self.report.line();
            }
            Event::Over(end) => return Some(end),
            Event::Overran { by, overrun } => {
                let sentence = self.report.overrun(by, overrun);
                self.status_line.aside(|| say(&sentence));
            }
            Event::GameStarted { .. } | Event::Moved { .. } => {}
        }
        None
    }

    /// Writes a finished game to its file, and to stdout as JSON.
    fn write_game(&mut self, game: &Finished) -> Result<(), Failure> {
        let record = || opening_names::tagged(game.record.clone());
        let filed = self.file.as_mut().map_or(Ok(0), |file| file.add(&record()));
        let filed = filed
            .map_err(|error| unwritable(self.args, &error))
            .map(drop);
        if !self.args.json {
            return filed;
        }
        let output = &mut self.output;
        filed.and(self.status_line.aside(|| {
            output.json(&events::match_game(game))?;
            output.flush()
        }))
    }

    /// Prints the score. A game that could not be written was still played, so the score comes before that error.
    fn finish(self, end: End) -> Result<(), Failure> {
        drop(self.status_line);
        drop(self.contest);
        drop(self.output);
        let ended = self.report.ended(end);
        let score = events::match_score(&ended);
        let printed = answer(self.args.json, &score, ended.lines());
        self.written.and(printed)?;
        if let Some(number) = self.signal {
            // The sender sees that the signal was obeyed.
            signals::die_by(number)?;
        }
        match ended.end {
            End::Broken(error) => Err(Failure::Unusable(clean(&error.to_string()).into_owned())),
            End::Decided(Decision::Elo0) => Err(Failure::NoAlreadyPrinted),
            End::Decided(_) | End::Played | End::Stopped => Ok(()),
        }
    }
}

/// The failure that the file of the games cannot be used.
fn unwritable(args: &Match, error: &io::Error) -> Failure {
    let path = args.pgn.as_deref().unwrap_or(Path::new(""));
    Failure::system(clean(&path.display().to_string()), error)
}

/// The openings, players, rules and limits of the match.
fn plan(args: &Match) -> Result<Plan, Failure> {
    let seed = random(args.seed).next_u64();
    let plies = args.plies.get();
    let mut openings = match (&args.openings, &args.book) {
        (Some(path), _) => openings(path, plies)?,
        (None, Some(path)) => Openings::Book {
            book: book_file::open_for_openings(path)?,
            plies,
        },
        (None, None) => Openings::Random,
    };
    if args.seed.is_some() {
        openings.shuffle(seed);
    }
    let order = MatchOrder {
        players: ByEntrant::new(args.a.clone(), args.b.clone()),
        games: args.games.get(),
        limit: limit(args)?,
        openings: None,
    };
    let known = KnownEngines::new(configured());
    let rules = args.adjudicate.iter();
    Ok(Plan {
        openings,
        adjudication: rules.fold(Adjudication::default(), |all, &rule| all.with(rule)),
        sprt: args.sprt,
        concurrency: args.concurrency.unwrap_or(NonZeroUsize::MIN),
        seed,
        ..matches::plan(order, &known).map_err(Failure::unusable)?
    })
}

/// How long the players may think about a move.
fn limit(args: &Match) -> Result<ThinkingLimit, Failure> {
    let limit = &args.limit;
    if let Some(nodes) = limit.nodes {
        return Ok(ThinkingLimit::Nodes(nodes.get()));
    }
    if let Some(millis) = limit.movetime {
        return Ok(ThinkingLimit::MoveTime(Duration::from_millis(millis.get())));
    }
    if let Some(depth) = limit.depth {
        return Ok(ThinkingLimit::Depth(depth.get()));
    }
    let usual = || DEFAULT_CLOCK.parse::<TimeControl>();
    let control = limit.clock.clone().map_or_else(usual, Ok);
    let control = control.map_err(|error| Failure::Usage(error.to_string()))?;
    Ok(ThinkingLimit::Clock(control))
}
