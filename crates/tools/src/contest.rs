//! `tabiya match`: plays games between two players, and prints the score and what it says about their strength.

mod flags;

use std::io;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use tabiya_front::book_file;
use tabiya_front::config::engines::configured;
use tabiya_front::failure::Failure;
use tabiya_front::flags::random;
use tabiya_front::json::events;
use tabiya_front::matches::{self, Archive, MatchOrder, Report, openings};
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

/// The default time control.
const DEFAULT_CLOCK: &str = "5s+0.05s";

/// How often the state of the match is shown while nothing happens.
const TURN: Duration = Duration::from_millis(200);

/// What the command waits for.
enum Incoming {
    Event(Box<Event>),
    Signal(i32),
}

/// Plays the match.
pub fn run(args: &Match) -> Result<(), Failure> {
    let plan = plan(args)?;
    let file = args.pgn.as_deref().map(Archive::open).transpose();
    let mut file = file.map_err(|error| unwritable(args, &error))?;
    let mut report = Report::new(&plan);
    let (sender, incoming) = channel();
    let signaled = sender.clone();
    watch_ends(move |number| {
        let _ = signaled.send(Incoming::Signal(number));
    })?;
    let contest = Contest::start(plan, move |event| {
        // Nobody receives it once the command has ended.
        let _ = sender.send(Incoming::Event(Box::new(event)));
    });
    let contest =
        contest.map_err(|none| Failure::system("the match cannot begin", &none.into()))?;
    let mut output = Output::stdout();
    let progress = StatusLine::new();
    let begun = Instant::now();
    let mut state = "starting".to_owned();
    let mut signal = None;
    let mut written = Ok(());
    let end = loop {
        match incoming.recv_timeout(TURN) {
            Ok(Incoming::Signal(number)) => {
                signal = Some(number);
                contest.stop();
            }
            Ok(Incoming::Event(event)) => match *event {
                Event::GameEnded(game) => {
                    let game = write_game(args, &game, file.as_mut(), &mut output, &progress);
                    written = written.and(game);
                    if written.is_err() {
                        contest.stop();
                    }
                }
                Event::Score(standing) => {
                    report.standing = standing;
                    state = report.line();
                }
                Event::Over(end) => break end,
                Event::Overran { by, overrun } => {
                    progress.aside(|| say(&report.overrun(by, overrun)));
                }
                Event::GameStarted { .. } | Event::Moved { .. } => {}
            },
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break End::Broken(ContestError::Silent),
        }
        progress.show(|_| format!("{} {state}", spinner(begun.elapsed())));
    };
    drop(progress);
    drop(contest);
    drop(output);
    // A game that could not be written was still played: the score comes before the error.
    let ended = report.ended(end);
    let score = events::match_score(&ended);
    written.and(answer(args.json, &score, ended.lines()))?;
    if let Some(number) = signal {
        // The sender sees that the signal was obeyed.
        signals::die_by(number)?;
    }
    match ended.end {
        End::Broken(error) => Err(Failure::Unusable(clean(&error.to_string()).into_owned())),
        End::Decided(Decision::Elo0) => Err(Failure::NoAlreadyPrinted),
        End::Decided(_) | End::Played | End::Stopped => Ok(()),
    }
}

/// Writes a finished game to its file, and to stdout as JSON.
fn write_game(
    args: &Match,
    game: &Finished,
    file: Option<&mut Archive>,
    output: &mut Output,
    progress: &StatusLine,
) -> Result<(), Failure> {
    let record = || opening_names::tagged(game.record.clone());
    let filed = file.map_or(Ok(0), |file| file.add(&record()));
    let filed = filed.map_err(|error| unwritable(args, &error)).map(drop);
    if !args.json {
        return filed;
    }
    filed.and(progress.aside(|| {
        output.json(&events::match_game(game))?;
        output.flush()
    }))
}

/// The file of the games cannot be used.
fn unwritable(args: &Match, error: &io::Error) -> Failure {
    let path = args.pgn.as_deref().unwrap_or(Path::new(""));
    Failure::system(clean(&path.display().to_string()), error)
}

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
