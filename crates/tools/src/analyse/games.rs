//! Analyzes the games of a file, several at once, and writes them in order.
//!
//! One thread reads the games and hands them out, others analyze them, and the command collects the results. An
//! interrupted run still delivers the finished games.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::Duration;

use tabiya_front::failure::Failure;
use tabiya_front::input_file::InputFile;
use tabiya_front::output::say;
use tabiya_front::signals;
use tabiya_game::pgn::{PgnGame, ReadSource, RecordReader};
use tabiya_play::analysis::{self, GameAnalyzer, PER_MOVE};
use tabiya_play::players::{PlayerConfig, StopHandle};
use tabiya_play::threads;
use tabiya_rules::text::clean;
use tabiya_uci::Overrun;

use super::result_writer::{Finished, ResultWriter};
use super::unanalysed;
use super::unfinished::Unfinished;
use super::{Analyse, go, player_config, start};
use crate::pgn::raw_text::RawText;
use crate::progress::{Measure, Progress};
use crate::watch_ends;

/// How often an idle thread checks whether more games are wanted.
const STOP_POLL: Duration = Duration::from_millis(50);

/// The next game by its index, with its result if there is nothing to analyze; or why there are no more.
type Job = Result<(usize, Box<PgnGame>, Option<Finished>), Failure>;

/// What a thread that analyzes reports.
enum WorkerEvent {
    /// Another position is analyzed.
    PositionDone,
    /// A game and its result, by its index.
    GameDone(usize, Box<PgnGame>, Finished),
    /// The engine exceeded its limits.
    Overran(Overrun),
}

/// A report of such a thread, or why it cannot continue.
type Report = Result<WorkerEvent, Failure>;

/// What the threads share.
#[derive(Default)]
struct ThreadControl {
    is_stopped: AtomicBool,
    /// Stops the engine of each thread.
    stop_handles: Vec<StopHandle>,
    /// The signal that asked for the end.
    signal: OnceLock<i32>,
    /// Whether the positions can be counted in advance: not if a file can be read only once.
    is_countable: bool,
    /// How many positions there are; 0 until they have been counted.
    positions: AtomicU64,
}

impl ThreadControl {
    fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed)
    }

    fn stop(&self) {
        self.is_stopped.store(true, Ordering::Relaxed);
        self.stop_handles.iter().for_each(StopHandle::stop);
    }
}

pub(super) fn run(args: &Analyse, path: &Path) -> Result<(), Failure> {
    let player_config = player_config(args)?;
    // An unusable engine is noticed before anything is read or written.
    let first = start(&player_config)?;
    let engine = clean(first.name()).into_owned();
    first.quit();
    let mut writer = ResultWriter::new(args, &engine)?;
    let shared = Arc::new(ThreadControl {
        stop_handles: (0..args.threads.get())
            .map(|_| StopHandle::default())
            .collect(),
        is_countable: InputFile::new(path).size().is_some(),
        ..ThreadControl::default()
    });
    let watched = Arc::clone(&shared);
    watch_ends(move |number| {
        watched.signal.get_or_init(|| number);
        watched.stop();
    })?;
    let jobs = start_reader(path, &shared, args.clone(), engine);
    let jobs = jobs.map_err(|error| Failure::system("the games cannot be read", &error))?;
    let outcome = analyze_all(args, &player_config, jobs, &shared, &mut writer);
    // Whatever happened, the finished games are written.
    let sum = writer.finish()?;
    if let Some(&number) = shared.signal.get() {
        say(&format!("interrupted; finished games: {}", sum.games));
        // The sender of the signal sees that it was obeyed.
        signals::die_by(number)?;
    }
    outcome?;
    if sum.taken_over > 0 {
        let games = sum.taken_over;
        say(&format!("games that an earlier run had finished: {games}"));
    }
    if sum.unanalysed > 0 {
        let what = "games that were not analyzed and are kept as they were";
        say(&format!("{what}: {}", sum.unanalysed));
    }
    if sum.games == 0 {
        return Err(Failure::No("there is no game in the file".to_owned()));
    }
    Failure::if_errors(sum.errors)
}

/// Analyzes the games with several threads, and writes their results.
fn analyze_all(
    args: &Analyse,
    player_config: &PlayerConfig,
    jobs: Receiver<Job>,
    shared: &ThreadControl,
    writer: &mut ResultWriter<'_>,
) -> Result<(), Failure> {
    let jobs = Mutex::new(jobs);
    let (sender, reports) = channel();
    thread::scope(|scope| {
        for (started, stop) in shared.stop_handles.iter().enumerate() {
            let (worker_sender, jobs) = (sender.clone(), &jobs);
            let spawned = threads::spawn_scoped(scope, move || {
                analyze_games(args, player_config, stop, jobs, shared, &worker_sender);
            });
            if let Err(none) = spawned {
                // Fewer threads take longer, but one is needed.
                if started == 0 {
                    let failure = Failure::system("the games cannot be analyzed", &none.into());
                    let _ = sender.send(Err(failure));
                }
                break;
            }
        }
        drop(sender);
        let outcome = write_in_order(reports, writer, shared);
        shared.stop();
        outcome
    })
}

/// Starts the threads that read the games and count the positions. Games that an earlier run with the same output and
/// engine has finished are taken over. Nobody waits for these threads, because stdin may never end.
fn start_reader(
    path: &Path,
    shared: &Arc<ThreadControl>,
    args: Analyse,
    engine: String,
) -> io::Result<Receiver<Job>> {
    // One game in advance for each thread; more would only take memory.
    let (jobs, receiver) = sync_channel(shared.stop_handles.len());
    let (reading, from) = (Arc::clone(shared), InputFile::new(path));
    threads::spawn(move || {
        let unfinished = Unfinished::open(args, engine);
        if let Err(failure) = queue_games(&from, &jobs, &reading, unfinished) {
            // Nobody receives it if the command has ended.
            let _ = jobs.send(Err(failure));
        }
    })?;
    if shared.is_countable {
        let (counting, from) = (Arc::clone(shared), InputFile::new(path));
        // Without it, the progress cannot show how much is left.
        let _ = threads::spawn(move || count_positions(&from, &counting));
    }
    Ok(receiver)
}

/// Calls `visit` with each game of the file, until it returns false. A game that cannot be analyzed comes with its marked
/// text.
fn for_each_game(
    input: &InputFile,
    mut visit: impl FnMut(PgnGame, Option<String>) -> bool,
) -> Result<(), Failure> {
    let failed = |error: io::Error| Failure::system(&input.name, &error);
    let bytes_read = AtomicU64::new(0);
    let bytes = input.open(&bytes_read).map_err(failed)?;
    let (kept, source) = RawText::record(ReadSource::new(bytes), 0);
    let mut reader = RecordReader::new(source);
    while let Some(game) = reader.read().map_err(failed)? {
        let end = reader.offset();
        // A text that is too long to keep is written as far as it can be read.
        let marked = unanalysed::reason(&game)
            .and_then(|error| kept.with(game.offset, end, |text| unanalysed::marked(text, error)));
        kept.forget(end);
        if !visit(game, marked) {
            break;
        }
    }
    Ok(())
}

/// Queues the games of the file for the threads that analyze them.
fn queue_games(
    input: &InputFile,
    jobs: &SyncSender<Job>,
    shared: &ThreadControl,
    mut unfinished: Option<Unfinished>,
) -> Result<(), Failure> {
    let mut numbers = 0..;
    for_each_game(input, |game, marked| {
        let number = numbers.next().unwrap_or_default();
        let taken_over = unfinished
            .as_mut()
            .and_then(|earlier| earlier.next(number + 1, &game));
        if taken_over.is_none() {
            unfinished = None;
        }
        let finished = taken_over.map(Finished::TakenOver);
        let finished = finished.or_else(|| marked.map(Finished::Kept));
        !shared.is_stopped() && jobs.send(Ok((number, Box::new(game), finished))).is_ok()
    })
}

/// Counts the positions of all games.
fn count_positions(input: &InputFile, shared: &ThreadControl) {
    let mut sum = 0;
    let counted = for_each_game(input, |game, _| {
        sum += position_count(&game);
        !shared.is_stopped()
    });
    // The thread that hands out the games reports errors.
    if counted.is_ok() {
        shared.positions.store(sum, Ordering::Relaxed);
    }
}

/// How many positions of a game are analyzed: those of its moves, and the last one.
fn position_count(game: &PgnGame) -> u64 {
    1 + game.record.cursor_line().len() as u64
}

/// Analyzes games until there are no more.
fn analyze_games(
    args: &Analyse,
    player_config: &PlayerConfig,
    stop: &StopHandle,
    jobs: &Mutex<Receiver<Job>>,
    shared: &ThreadControl,
    sender: &Sender<Report>,
) {
    let player = match start(player_config) {
        Ok(player) => player,
        Err(failure) => {
            let _ = sender.send(Err(failure));
            return;
        }
    };
    let mut analyzer = GameAnalyzer::new(player, go(args, PER_MOVE), stop.clone());
    while let Some(job) = next_job(jobs, shared) {
        let report = job.and_then(|(number, game, finished)| {
            let finished = match finished {
                Some(finished) => finished,
                None => analyze_game(&game, &mut analyzer, sender)?,
            };
            Ok(WorkerEvent::GameDone(number, game, finished))
        });
        // Stopping the engine is not a failure; the game is just incomplete.
        if shared.is_stopped() {
            break;
        }
        let failed = report.is_err();
        if sender.send(report).is_err() || failed {
            break;
        }
    }
    analyzer.player.quit();
}

/// Analyzes a game, and reports each position. Nobody receives the reports once the command has ended.
fn analyze_game(
    game: &PgnGame,
    analyzer: &mut GameAnalyzer,
    sender: &Sender<Report>,
) -> Result<Finished, Failure> {
    let position_done = || {
        let _ = sender.send(Ok(WorkerEvent::PositionDone));
    };
    let found = analysis::analyse(&game.record, analyzer, position_done);
    let analysis = found.map_err(Failure::unusable)?;
    if let Some(how) = analyzer.overrun.take() {
        let _ = sender.send(Ok(WorkerEvent::Overran(how)));
    }
    Ok(Finished::Analysed(Box::new(analysis)))
}

/// Waits for the next game; `None` if there are no more, or no more are wanted.
fn next_job(jobs: &Mutex<Receiver<Job>>, shared: &ThreadControl) -> Option<Job> {
    while !shared.is_stopped() {
        let jobs = jobs.lock().unwrap_or_else(PoisonError::into_inner);
        match jobs.recv_timeout(STOP_POLL) {
            Ok(job) => return Some(job),
            Err(RecvTimeoutError::Disconnected) => return None,
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
    None
}

/// Writes the games in the order of the file, whichever is ready first. If a game never arrives, those after it come
/// last.
fn write_in_order(
    reports: Receiver<Report>,
    writer: &mut ResultWriter<'_>,
    shared: &ThreadControl,
) -> Result<(), Failure> {
    let progress = Progress::new(Measure::Positions);
    let mut early = BTreeMap::new();
    let mut next = 0;
    let mut positions_done = 0;
    let mut outcome = Ok(());
    let mut overran = false;
    for report in reports {
        match report {
            Ok(WorkerEvent::PositionDone) => positions_done += 1,
            // Once is enough, because it will happen at every position.
            Ok(WorkerEvent::Overran(how)) if !overran => {
                overran = true;
                progress.aside(|| say(&how.to_string()));
            }
            Ok(WorkerEvent::Overran(_)) => {}
            Err(failure) => {
                outcome = outcome.and(Err(failure));
                shared.stop();
            }
            Ok(WorkerEvent::GameDone(number, game, finished)) => {
                if !matches!(finished, Finished::Analysed(_)) {
                    positions_done += position_count(&game);
                }
                early.insert(number, (game, finished));
            }
        }
        while let Some((game, finished)) = early.remove(&next) {
            next += 1;
            progress.aside(|| writer.write_game(next, &game, &finished))?;
        }
        show_progress(&progress, shared, positions_done);
    }
    for (number, (game, finished)) in early {
        progress.aside(|| writer.write_game(number + 1, &game, &finished))?;
    }
    outcome
}

/// Shows how many positions are analyzed, once they have been counted or if they cannot be.
fn show_progress(progress: &Progress, shared: &ThreadControl, done: u64) {
    match shared.positions.load(Ordering::Relaxed) {
        0 if shared.is_countable => {}
        0 => progress.reach(done, None),
        all => progress.reach(done, all),
    }
}
