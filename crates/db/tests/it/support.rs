//! Generated games with shared beginnings, a temporary folder, and counting by brute force.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use tabiya_db::{
    BuildOptions, Builder, Built, Collector, Database, DbError, ResultCounts, SourceFile, Speed,
};
use tabiya_game::pgn::{self, Reader, Replay};
use tabiya_game::{GameResult, Step};
use tabiya_rules::{Move, Position, SplitMix64};

/// A temporary folder, removed when it is dropped.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    pub(crate) fn new() -> Scratch {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("tabiya-db-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).expect("a folder");
        Scratch(path)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Games that begin alike and diverge, with copies, repetitions, Chess960, set-up positions, games without a result
/// or a rating, and errors.
pub(crate) fn games(seed: u64, count: usize) -> String {
    let mut random = SplitMix64::new(seed);
    let mut text = String::new();
    let mut earlier: Vec<String> = Vec::new();
    for number in 0..count {
        if number % 17 == 16 {
            let copy = &earlier[random.below(earlier.len())];
            text.push_str(copy);
            continue;
        }
        let game = game(&mut random, number);
        text.push_str(&game);
        earlier.push(game);
    }
    text
}

fn game(random: &mut SplitMix64, number: usize) -> String {
    let mut game = String::new();
    let mut position = Position::start();
    let result = ["1-0", "0-1", "1/2-1/2", "1-0", "0-1", "*"][random.below(6)];
    let _ = writeln!(game, "[Event \"Test {}\"]", number % 5);
    let _ = writeln!(game, "[White \"Player {}\"]", random.below(20));
    let _ = writeln!(game, "[Black \"Player {}\"]", random.below(20));
    let _ = writeln!(game, "[Result \"{result}\"]");
    let _ = writeln!(
        game,
        "[Date \"{}.01.{:02}\"]",
        2010 + random.below(12),
        1 + random.below(28)
    );
    if random.below(4) > 0 {
        let _ = writeln!(game, "[WhiteElo \"{}\"]", 1500 + random.below(1200));
        let _ = writeln!(game, "[BlackElo \"{}\"]", 1500 + random.below(1200));
    }
    if random.below(3) > 0 {
        let control = ["60+0", "180+2", "600+5", "5400+30", "1/86400"][random.below(5)];
        let _ = writeln!(game, "[TimeControl \"{control}\"]");
    }
    let _ = writeln!(game, "[Annotator \"Nobody \\\"{}\\\"\"]", number % 3);
    match number % 13 {
        5 => {
            position = Position::chess960((random.below(3) * 7) as u16).expect("a start");
            let _ = writeln!(game, "[Variant \"Chess960\"]\n[FEN \"{}\"]", position.fen());
        }
        9 => {
            let fen = "4k2r/8/8/3Pp3/8/8/8/R3K3 w Qk e6 0 1";
            position = Position::from_fen(fen).expect("a position");
            let _ = writeln!(game, "[SetUp \"1\"]\n[FEN \"{fen}\"]");
        }
        _ => {}
    }
    game.push('\n');
    let length = 4 + random.below(60);
    for ply in 0..length {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        // At first few choices, so that games go together for a while.
        let choices = if ply < 8 { 2 } else { moves.len() };
        let at = (position.key() as usize).wrapping_add(random.below(choices) * 7) % moves.len();
        let m = moves[at];
        let _ = write!(game, "{} ", position.san(m));
        position = position.play_unchecked(m);
    }
    if number % 41 == 40 {
        game.push_str("Qz9 ");
    }
    let _ = writeln!(game, "{result}\n");
    game
}

/// Builds a database from a file.
pub(crate) fn build(folder: &Path, file: &Path, options: BuildOptions) -> Result<Built, DbError> {
    let source = SourceFile::new(file, &file.to_string_lossy())?;
    feed(Builder::create(folder, vec![source], options)?, file)
}

/// Adds the games of a file to a database.
pub(crate) fn extend(folder: &Path, file: &Path, options: BuildOptions) -> Result<Built, DbError> {
    let source = SourceFile::new(file, &file.to_string_lossy())?;
    feed(Builder::extend(folder, vec![source], options)?, file)
}

fn feed(mut builder: Builder, file: &Path) -> Result<Built, DbError> {
    builder.read_bases(&mut |_, _| {})?;
    read(&mut builder, file, usize::MAX)?;
    builder.finish(&|_, _| {})
}

/// Reads a file, or its first games, into a database that is being built.
pub(crate) fn read(builder: &mut Builder, file: &Path, most: usize) -> Result<(), DbError> {
    let name = file.to_string_lossy();
    let Some(from) = builder.remaining(&name) else {
        return Ok(());
    };
    let text = fs::read(file).expect("a file");
    let mut reader = Reader::new(&text[..]);
    let mut replay = Replay::new(Collector::new(builder.scope(), &name, from));
    let mut count = 0;
    while count < most
        && reader
            .read_game(&mut replay)
            .expect("memory can be read")
            .is_some()
    {
        count += 1;
        if count.is_multiple_of(50) {
            builder.add(replay.visitor_mut().take())?;
        }
    }
    builder.add(replay.visitor_mut().take())
}

pub(crate) fn options() -> BuildOptions {
    let mut options = BuildOptions::default();
    options.threads = NonZeroUsize::new(2).expect("two");
    options
}

/// A filter for counting by brute force.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wanted {
    pub(crate) ratings: Option<RangeInclusive<u16>>,
    pub(crate) years: Option<RangeInclusive<u16>>,
    pub(crate) speed: Option<Speed>,
    pub(crate) white: Option<String>,
}

/// A game for counting by brute force.
pub(crate) struct Plain {
    pub(crate) positions: Vec<Position>,
    pub(crate) moves: Vec<Move>,
    result: GameResult,
    white: String,
    year: Option<u16>,
    rating: Option<u16>,
    speed: Option<Speed>,
}

/// The games of a text, each once.
pub(crate) fn plain(text: &str) -> Vec<Plain> {
    let mut seen = std::collections::HashSet::new();
    let mut games = Vec::new();
    for game in pgn::games(text.as_bytes()) {
        let record = &game.record;
        let tags = record.tags();
        let tag = |name: &str| tags.get(name).unwrap_or_default().to_owned();
        let (mut positions, mut moves) = (vec![*record.start()], Vec::new());
        for step in main_line(record) {
            let Step::Move(m) = step else { break };
            positions.push(positions[positions.len() - 1].play_unchecked(m));
            moves.push(m);
        }
        let texts: Vec<String> = moves
            .iter()
            .zip(&positions)
            .map(|(&m, p)| p.uci(m).to_string())
            .collect();
        let identity = (
            tag("White"),
            tag("Black"),
            tag("Date"),
            positions[0].fen(),
            texts,
        );
        if !seen.insert(identity) {
            continue;
        }
        let elo = |name: &str| tag(name).parse::<u16>().ok();
        games.push(Plain {
            positions,
            moves,
            result: record.result(),
            white: tag("White"),
            year: tag("Date").get(..4).and_then(|year| year.parse().ok()),
            rating: elo("WhiteElo")
                .zip(elo("BlackElo"))
                .map(|(white, black)| white.midpoint(black)),
            speed: Speed::from_pgn(&tag("TimeControl")),
        });
    }
    games
}

fn main_line(record: &tabiya_game::Record) -> Vec<Step> {
    record
        .main_line()
        .filter_map(tabiya_game::Node::step)
        .collect()
}

/// Counts by walking through all games.
pub(crate) fn count(
    games: &[Plain],
    position: &Position,
    wanted: &Wanted,
) -> BTreeMap<String, ResultCounts> {
    let mut counts: BTreeMap<String, ResultCounts> = BTreeMap::new();
    let within = |range: &Option<RangeInclusive<u16>>, value: Option<u16>| {
        range
            .as_ref()
            .is_none_or(|range| value.is_some_and(|value| range.contains(&value)))
    };
    for game in games {
        if !within(&wanted.ratings, game.rating)
            || !within(&wanted.years, game.year)
            || wanted.speed.is_some_and(|speed| game.speed != Some(speed))
            || wanted
                .white
                .as_ref()
                .is_some_and(|white| *white != game.white)
        {
            continue;
        }
        let Some(ply) = game.positions.iter().position(|other| other == position) else {
            continue;
        };
        let Some(&m) = game.moves.get(ply) else {
            continue;
        };
        let score = counts.entry(position.san(m).to_string()).or_default();
        match game.result {
            GameResult::WhiteWins => score.white += 1,
            GameResult::Draw => score.draws += 1,
            GameResult::BlackWins => score.black += 1,
            GameResult::Unknown => {}
        }
    }
    counts.retain(|_, score| score.games() > 0);
    counts
}

/// All data files of a database with their bytes.
pub(crate) fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let data = Database::open(folder).expect("a database").info().data;
    for table in fs::read_dir(&data).expect("a folder") {
        let table = table.expect("an entry").path();
        for file in fs::read_dir(&table).expect("a folder") {
            let path = file.expect("an entry").path();
            let name = path
                .strip_prefix(&data)
                .expect("below")
                .to_string_lossy()
                .into_owned();
            files.insert(name, fs::read(&path).expect("a file"));
        }
    }
    files
}
