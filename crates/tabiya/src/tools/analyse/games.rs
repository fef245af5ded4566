//! The games of a file, several at once, written with everything that was found.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

use tabiya_game::pgn::{self, PgnGame, RecordReader, Source};
use tabiya_game::{Glyph, Record, Score};
use tabiya_rules::Color;

use super::{Analyse, go, recipe, start, unusable};
use crate::analysis::{self, Bench, GameAnalysis, PER_MOVE, plot};
use crate::clean::clean;
use crate::failure::Failure;
use crate::json::Json;
use crate::output::{Output, say};
use crate::room::{Halt, Recipe};
use crate::tools::pgn::input;
use crate::tools::progress::Progress;
use crate::tools::status::color_word;

/// How wide the curve of a game is in text.
const CURVE: usize = 80;

/// A file as a supply of bytes.
struct Bytes<R>(R);

impl<R: Read> Source for Bytes<R> {
    type Error = io::Error;

    fn fill(&mut self, buffer: &mut [u8]) -> Result<usize, io::Error> {
        self.0.read(buffer)
    }
}

/// What a thread has to tell.
enum Done {
    /// A game and what was found, by its number from 0.
    Game(usize, Box<PgnGame>, Box<GameAnalysis>),
    Failed(Failure),
}

/// What the threads share.
struct Shared<'a> {
    jobs: Mutex<Receiver<(usize, PgnGame)>>,
    recipe: &'a Recipe,
    /// Nothing more is wanted.
    stop: AtomicBool,
    read: AtomicU64,
}

pub(super) fn run(asked: &Analyse, path: &Path) -> Result<(), Failure> {
    let recipe = recipe(asked)?;
    // An engine that cannot be used is noticed before anything is read or written.
    let first = start(&recipe)?;
    let engine = clean(first.name()).into_owned();
    first.quit();
    let inputs = input::inputs(&[path.to_owned()]);
    let total = input::total(&inputs);
    let (jobs, receiver) = sync_channel(asked.threads.get());
    let shared = Shared {
        jobs: Mutex::new(receiver),
        recipe: &recipe,
        stop: AtomicBool::new(false),
        read: AtomicU64::new(0),
    };
    let mut desk = Desk::new(asked, &engine)?;
    let progress = Progress::new();
    let (sender, results) = channel();
    let outcome = thread::scope(|scope| {
        let reading = sender.clone();
        let (shared, inputs) = (&shared, &inputs);
        scope.spawn(move || {
            if let Err(failure) = read(inputs, &jobs, shared) {
                // Nobody waits any more when the command has ended.
                let _ = reading.send(Done::Failed(failure));
            }
        });
        for _ in 0..asked.threads.get() {
            let sender = sender.clone();
            scope.spawn(move || work(asked, shared, &sender));
        }
        drop(sender);
        let outcome = take(results, &mut desk, || {
            progress.reach_of(shared.read.load(Ordering::Relaxed), total);
        });
        shared.stop.store(true, Ordering::Relaxed);
        outcome
    });
    drop(progress);
    outcome?;
    desk.finish()
}

/// Hands out the games of the file.
fn read(
    inputs: &[input::Input],
    jobs: &SyncSender<(usize, PgnGame)>,
    shared: &Shared<'_>,
) -> Result<(), Failure> {
    let mut number = 0;
    for input in inputs {
        let failed = |error: io::Error| Failure::file(&input.name, &error);
        let bytes = input.open(&shared.read).map_err(failed)?;
        let mut reader = RecordReader::new(Bytes(bytes));
        while let Some(game) = reader.read().map_err(failed)? {
            if shared.stop.load(Ordering::Relaxed) || jobs.send((number, game)).is_err() {
                return Ok(());
            }
            number += 1;
        }
    }
    Ok(())
}

/// Looks at games until there are no more.
fn work(asked: &Analyse, shared: &Shared<'_>, sender: &Sender<Done>) {
    let mind = match start(shared.recipe) {
        Ok(mind) => mind,
        Err(failure) => {
            let _ = sender.send(Done::Failed(failure));
            return;
        }
    };
    let mut bench = Bench {
        mind,
        go: go(asked, PER_MOVE),
        halt: Halt::default(),
    };
    loop {
        let next = {
            let jobs = shared.jobs.lock().unwrap_or_else(PoisonError::into_inner);
            jobs.recv()
        };
        let Ok((number, game)) = next else { break };
        let halt = bench.halt.clone();
        let watch = || {
            if shared.stop.load(Ordering::Relaxed) {
                halt.stop();
            }
        };
        let done = match analysis::analyse(&game.record, &mut bench, watch) {
            Ok(analysis) => Done::Game(number, Box::new(game), Box::new(analysis)),
            Err(error) => Done::Failed(unusable(&error)),
        };
        let failed = matches!(done, Done::Failed(_));
        if sender.send(done).is_err() || failed {
            break;
        }
    }
    bench.mind.quit();
}

/// Takes the games in the order of the file, whoever is ready first.
fn take(results: Receiver<Done>, desk: &mut Desk, mut tick: impl FnMut()) -> Result<(), Failure> {
    let mut early = BTreeMap::new();
    let mut next = 0;
    for done in results {
        match done {
            Done::Failed(failure) => return Err(failure),
            Done::Game(number, game, analysis) => {
                early.insert(number, (game, analysis));
            }
        }
        while let Some((game, analysis)) = early.remove(&next) {
            next += 1;
            desk.game(next, *game, &analysis)?;
        }
        tick();
    }
    Ok(())
}

/// Where the results go.
struct Desk {
    output: Output,
    file: Option<BufWriter<File>>,
    out: Option<PathBuf>,
    svg: Option<PathBuf>,
    json: bool,
    engine: String,
    errors: usize,
    games: usize,
}

impl Desk {
    fn new(asked: &Analyse, engine: &str) -> Result<Desk, Failure> {
        let file = asked.out.as_ref().map(|path| create(path)).transpose()?;
        Ok(Desk {
            output: Output::new(),
            file: file.map(BufWriter::new),
            out: asked.out.clone(),
            svg: asked.svg.clone(),
            json: asked.json,
            engine: engine.to_owned(),
            errors: 0,
            games: 0,
        })
    }

    fn game(
        &mut self,
        number: usize,
        game: PgnGame,
        analysis: &GameAnalysis,
    ) -> Result<(), Failure> {
        self.games = number;
        for error in &game.errors {
            self.errors += 1;
            say(&format!("game {number}: {error}"));
        }
        let mut record = game.record;
        if let Some(path) = &self.svg {
            let path = numbered(path, number);
            let mut file = create(&path)?;
            let svg = plot::svg(analysis, &title(&record));
            let written = file.write_all(svg.as_bytes());
            written.map_err(|error| failed(&path, &error))?;
        }
        if self.json {
            self.output.json(&json(number, &record, analysis))?;
        }
        let summary = summary(number, &record, analysis);
        analysis.annotate(&mut record);
        // A name that cannot stand in a tag is left out.
        let _ = record.tags_mut().set("Annotator", &self.engine);
        let text = pgn::to_string(&record, pgn::Format::Export);
        if let (Some(file), Some(path)) = (&mut self.file, &self.out) {
            let written = writeln!(file, "{text}");
            written.map_err(|error| failed(path, &error))?;
            if !self.json {
                for line in &summary {
                    self.output.line(line)?;
                }
            }
        } else if !self.json {
            self.output.line(&text)?;
            say(&summary.join("\n"));
        }
        self.output.flush()
    }

    fn finish(mut self) -> Result<(), Failure> {
        if let (Some(file), Some(path)) = (&mut self.file, &self.out) {
            let written = file.flush().and_then(|()| file.get_ref().sync_all());
            written.map_err(|error| failed(path, &error))?;
        }
        self.output.finish()?;
        match (self.games, self.errors) {
            (0, _) => Err(Failure::No("there is no game in the file".to_owned())),
            (_, 0) => Ok(()),
            _ => Err(Failure::Mismatch),
        }
    }
}

/// A file that does not exist yet: nobody's games are written over.
fn create(path: &Path) -> Result<File, Failure> {
    let file = OpenOptions::new().write(true).create_new(true).open(path);
    file.map_err(|error| failed(path, &error))
}

fn failed(path: &Path, error: &io::Error) -> Failure {
    Failure::file(&path.display().to_string(), error)
}

/// The name of the picture of a game: the first has the name that was given.
fn numbered(path: &Path, number: usize) -> PathBuf {
    if number == 1 {
        return path.to_owned();
    }
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let name = match path.extension() {
        Some(extension) => format!("{stem}-{number}.{}", extension.to_string_lossy()),
        None => format!("{stem}-{number}"),
    };
    path.with_file_name(name)
}

fn title(record: &Record) -> String {
    let tag = |name: &str| record.tags().get(name).unwrap_or("?").to_owned();
    format!(
        "{} – {}, {}",
        tag("White"),
        tag("Black"),
        record.result().as_str()
    )
}

/// How the sides played, and the curve.
fn summary(number: usize, record: &Record, analysis: &GameAnalysis) -> Vec<String> {
    let mut lines = vec![format!("{number}. {}", clean(&title(record)))];
    for color in Color::ALL {
        let Some(accuracy) = analysis.accuracy(color) else {
            continue;
        };
        let count = |mark| analysis.count(color, mark);
        lines.push(format!(
            "{color}: accuracy {accuracy:.0}, {} ?!, {} ?, {} ??",
            count(Glyph::DUBIOUS),
            count(Glyph::MISTAKE),
            count(Glyph::BLUNDER)
        ));
    }
    lines.extend(plot::text(analysis, CURVE));
    lines
}

fn json(number: usize, record: &Record, analysis: &GameAnalysis) -> Json {
    let tag = |name: &str| Json::from(record.tags().get(name).map(str::to_owned));
    let mut node = record.root();
    let mut moves = Vec::new();
    for (at, judged) in analysis.moves().enumerate() {
        let position = *node.position();
        let Some(next) = node.next() else { break };
        let (cp, mate) = match judged.after.evaluation.map(|evaluation| evaluation.score) {
            Some(Score::Centipawns(value)) => (Json::Signed(value.into()), Json::Null),
            Some(Score::Mate(moves)) => (Json::Null, Json::Signed(moves.into())),
            None => (Json::Null, Json::Null),
        };
        let best = judged.before.best.first();
        moves.push(Json::Object(vec![
            ("ply", (at + 1).into()),
            ("side", color_word(judged.by).into()),
            ("san", next.san().map(|san| san.to_string()).into()),
            ("cp", cp),
            ("mate", mate),
            ("loss", judged.loss.into()),
            ("mark", judged.mark.and_then(Glyph::symbol).into()),
            ("best", best.map(|&m| position.san(m).to_string()).into()),
        ]));
        node = next;
    }
    Json::Object(vec![
        ("game", number.into()),
        ("white", tag("White")),
        ("black", tag("Black")),
        ("result", record.result().as_str().into()),
        ("accuracy_white", analysis.accuracy(Color::White).into()),
        ("accuracy_black", analysis.accuracy(Color::Black).into()),
        ("moves", Json::List(moves)),
    ])
}
