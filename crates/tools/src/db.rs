//! `tabiya db`: builds, extends, merges and inspects databases of games.

mod build;

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use serde::Serialize;
use tabiya_db::{Database, Share, TableInfo};
use tabiya_front::failure::Failure;
use tabiya_front::flags::count;
use tabiya_front::output::answer;
use tabiya_rules::text::clean;
use thiserror::Error;

pub const EXAMPLES: &str = "\
Examples:
  tabiya db build games.db 2023.pgn.zst 2024.pgn.zst
  tabiya db add games.db new.pgn
  tabiya db info games.db
  tabiya explorer --db games.db";

const BUILD_EXAMPLES: &str = "\
Examples:
  tabiya db build games.db 2023.pgn.zst 2024.pgn.zst
  tabiya db build games.db games.pgn --memory 2G
  tabiya db build games.db games.pgn --full
  tabiya db build share-3 games.pgn --part 3/16

The folder gets Parquet files that DuckDB, Polars and Spark read too; docs/database.md has their columns.
Games are known by their players, date and moves, and copies are left out. Games without a result are
stored but not counted; of a game with an error, the moves before it count. An interrupted build resumes
where it stopped if the same command is given again. With --full every position of every game gets a row
of its own, about ten times as many. With --part only a share of the keys is kept, so that several
machines can build a database independently; `tabiya db merge` merges the shares. Keys of --json: games,
read, errors. Exit code 1 means that there are errors in games, 3 that a file could not be used.";

const ADD_EXAMPLES: &str = "\
Examples:
  tabiya db add games.db new.pgn

Games that the database has already are left out. Until all is done, the database is as it was before.
Every position is sorted again, so this takes about as long as the database would take to be built, less
the time to read its games. Keys of --json: games, read, added, errors.";

const MERGE_EXAMPLES: &str = "\
Examples:
  tabiya db merge games.db share-1 share-2 share-3 share-4
  tabiya db merge all.db mine.db theirs.db

Shares that `db build --part` made become one database without sorting anything again. Whole databases
are joined: their games are sorted together, and copies are left out. Keys of --json: games.";

const INFO_EXAMPLES: &str = "\
Examples:
  tabiya db info games.db
  tabiya db info games.db --check

With --check every byte of every file is read and held against its checksum, every game is replayed, and
the other tables are held against what the games say; for a share, rows are only checked one by one. Keys of --json: data (the
folder with the Parquet files), games, read, errors, parts, share (null if it is whole), tables (a list
of {name, rows, bytes}), sources.";

#[derive(Debug, Subcommand)]
pub enum Db {
    /// Build a database from files of games
    #[command(after_help = BUILD_EXAMPLES)]
    Build(Build),
    /// Add the games of files to a database
    #[command(after_help = ADD_EXAMPLES)]
    Add(Add),
    /// Put shares of a database, or several databases, together
    #[command(after_help = MERGE_EXAMPLES)]
    Merge(Merge),
    /// Say what a database holds
    #[command(after_help = INFO_EXAMPLES)]
    Info(Info),
}

/// How much memory and how many threads may be used.
#[derive(Debug, Args)]
pub(crate) struct Resources {
    /// How much memory to use, about, such as 512M or 4G
    #[arg(long, value_name = "SIZE", default_value = "512M", value_parser = size)]
    memory: usize,
    /// How many threads to use [default: all cores]
    #[arg(long, value_name = "N", value_parser = count::<NonZeroUsize>)]
    threads: Option<NonZeroUsize>,
    /// Throw away what an interrupted build has left behind
    #[arg(long)]
    restart: bool,
}

#[derive(Debug, Args)]
pub struct Build {
    /// The folder of the database, which must be empty or not there yet
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// The files of games, also compressed; `-` is stdin
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    resources: Resources,
    /// Give every position of every game a row of its own
    #[arg(long)]
    full: bool,
    /// Build only a share of the database, such as 3/16
    #[arg(long, value_name = "K/N")]
    part: Option<Share>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
pub struct Add {
    /// The folder of the database
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// The files of games, also compressed; `-` is stdin
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    resources: Resources,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
pub struct Merge {
    /// The folder of the new database, which must be empty or not there yet
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// The shares or databases
    #[arg(value_name = "DB", required = true)]
    others: Vec<PathBuf>,
    #[command(flatten)]
    resources: Resources,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
pub struct Info {
    /// The folder of the database
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Read everything, and verify checksums, games and counts
    #[arg(long)]
    check: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// A text that is not a number of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a size is a number with K, M or G, such as 512M")]
struct NoSize;

/// Parses a number of bytes, such as `512M`.
fn size(text: &str) -> Result<usize, NoSize> {
    let digits = text.trim_end_matches(['B', 'b', 'i']);
    let mut units = [(['K', 'k'], 10), (['M', 'm'], 20), (['G', 'g'], 30)].into_iter();
    let (digits, shift) = units
        .find_map(|(unit, shift)| Some((digits.strip_suffix(unit)?, shift)))
        .unwrap_or((digits, 0));
    let number: usize = digits.parse().map_err(|_| NoSize)?;
    number.checked_mul(1 << shift).ok_or(NoSize)
}

/// Runs `tabiya db`.
pub fn run(args: &Db) -> Result<(), Failure> {
    match args {
        Db::Build(args) => build::build(args),
        Db::Add(args) => build::add(args),
        Db::Merge(args) => build::merge(args),
        Db::Info(args) => info(args),
    }
}

/// The contents of a database for `--json`.
#[derive(Serialize)]
struct Held {
    data: String,
    games: u64,
    read: u64,
    errors: u64,
    parts: u32,
    share: Option<String>,
    tables: Vec<Table>,
    sources: Vec<String>,
}

#[derive(Serialize)]
struct Table {
    name: &'static str,
    rows: u64,
    bytes: u64,
}

/// Shows what a database holds, and checks it if that is wanted.
fn info(args: &Info) -> Result<(), Failure> {
    let database = Database::open(&args.folder)?;
    if args.check {
        database.check()?;
    }
    let info = database.info();
    let share = (info.share != Share::WHOLE).then(|| info.share.to_string());
    let mut lines = Vec::new();
    if let Some(share) = &share {
        lines.push(format!("share {share} of a database"));
    }
    lines.push(format!("{} games", info.games));
    let mut tables = Vec::new();
    for &TableInfo { name, rows, bytes } in &info.tables {
        let each = bytes as f64 / info.games.max(1) as f64;
        lines.push(format!(
            "{name:<11} {rows:>11} rows  {bytes:>13} bytes  {each:>6.1} a game"
        ));
        tables.push(Table { name, rows, bytes });
    }
    let data = info.data.to_string_lossy().into_owned();
    lines.push(format!("files in {}", clean(&data)));
    if args.check {
        lines.push("every byte is as it was written, and the tables agree".to_owned());
    }
    let held = Held {
        data,
        games: info.games,
        read: info.games_read,
        errors: info.errors,
        parts: info.parts,
        share,
        tables,
        sources: info.sources,
    };
    answer(args.json, &held, lines)
}
