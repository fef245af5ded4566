//! `tabiya train mine`: the tactics of any games, in the columns of Lichess's puzzles.

use std::collections::HashSet;
use std::path::PathBuf;

use clap::Args;
use tabiya_front::failure::Failure;
use tabiya_front::opening_names;
use tabiya_front::output::{Output, OutputFile, say};
use tabiya_front::ranges::counted;
use tabiya_game::Record;
use tabiya_rules::{ByColor, Move, Position};
use tabiya_train::mine::{Miner, Tactic};

use super::games::{Progress, Stop, for_each};
use crate::read_opening_names;

pub(super) const EXAMPLES: &str = "\
Examples:
  tabiya train mine games.pgn -o tactics.csv
  tabiya train mine games.db > tactics.csv

The tactics are what the mistakes of both sides allow: one move is clearly the best. The columns are those
of Lichess's puzzles: FEN is the position before the mistake, and Moves begins with it. The ratings are
empty. It takes about a second a game. Ctrl-C ends it, and what was found is written.";

/// The columns.
const HEADER: &str =
    "PuzzleId,FEN,Moves,Rating,RatingDeviation,Popularity,NbPlays,Themes,GameUrl,OpeningTags\n";

#[derive(Debug, Args)]
pub struct Mine {
    /// Files of games, also compressed, folders of them, or databases; `-` is stdin
    #[arg(value_name = "FILE|DB", required = true)]
    files: Vec<PathBuf>,
    /// Write the table to a new file instead of stdout
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Where the rows go.
enum Table {
    File(OutputFile),
    Stdout(Output),
}

impl Table {
    fn begin(args: &Mine) -> Result<Table, Failure> {
        let mut table = match &args.out {
            Some(path) => Table::File(OutputFile::begin(path)?),
            None => Table::Stdout(Output::stdout()),
        };
        table.add(HEADER)?;
        Ok(table)
    }

    fn add(&mut self, row: &str) -> Result<(), Failure> {
        match self {
            Table::File(file) => file.add(row),
            Table::Stdout(output) => {
                output.foreign(row.as_bytes())?;
                output.flush()
            }
        }
    }

    fn finish(self) -> Result<(), Failure> {
        match self {
            Table::File(file) => file.finish(),
            Table::Stdout(output) => output.finish(),
        }
    }
}

pub(super) fn run(args: &Mine) -> Result<(), Failure> {
    read_opening_names();
    let stop = Stop::watch()?;
    let mut table = Table::begin(args)?;
    let progress = Progress::counting(&args.files, &stop, |_| true);
    let (mut miner, mut games, mut known) = (Miner::default(), 0_u64, HashSet::new());
    let outcome = for_each(&args.files, &stop.control, &mut |record, from| {
        progress.reach(games, known.len() as u64);
        let mined = miner.mine(record, from, ByColor::default(), &stop.control);
        // A game that was not finished is left out.
        let Ok(mined) = mined else {
            return Ok(());
        };
        games += 1;
        for tactic in &mined.tactics {
            if known.insert(tactic.item.id) {
                table.add(&row(tactic, record))?;
            }
        }
        Ok(())
    });
    drop(progress);
    // What was found before a failure is written.
    table.finish()?;
    let tactics = counted(known.len() as u64, "tactic", "tactics");
    say(&format!(
        "{tactics} from {}",
        counted(games, "game", "games")
    ));
    stop.finish();
    outcome
}

/// The row of a tactic.
fn row(tactic: &Tactic, record: &Record) -> String {
    let item = &tactic.item;
    let line: Vec<Move> = [tactic.mistake]
        .into_iter()
        .chain(item.line.iter().copied())
        .collect();
    let tagged = opening_names::tagged(record.clone());
    let opening = tagged.tags().get("Opening").map(opening_tags);
    let columns = [
        item.id.to_string().replace("x:", ""),
        tactic.before.fen(),
        uci(tactic.before, &line),
        item.rating
            .map_or(String::new(), |rating| rating.to_string()),
        item.rd.map_or(String::new(), |rd| rd.to_string()),
        String::new(),
        "0".to_owned(),
        item.themes.join(" "),
        address(record).unwrap_or_default().to_owned(),
        opening.unwrap_or_default(),
    ];
    format!("{}\n", columns.map(|column| quoted(&column)).join(","))
}

/// A line in UCI notation.
fn uci(mut here: Position, line: &[Move]) -> String {
    let moves = line.iter().map(|&played| {
        let text = here.uci(played).to_string();
        here = here.play_unchecked(played);
        text
    });
    moves.collect::<Vec<_>>().join(" ")
}

/// Where the game is on the web, if it says so.
fn address(record: &Record) -> Option<&str> {
    let mut tags = ["GameURL", "Link", "Site"].into_iter();
    tags.find_map(|name| {
        record
            .tags()
            .get(name)
            .filter(|value| value.starts_with("http"))
    })
}

/// The names of an opening and of its family, as Lichess writes them: `Italian_Game Italian_Game_Evans_Gambit`.
fn opening_tags(name: &str) -> String {
    let tag = |name: &str| {
        let text = name.replace(|c: char| !c.is_alphanumeric() && !" -".contains(c), "");
        text.split_whitespace().collect::<Vec<_>>().join("_")
    };
    match name.split_once(':') {
        Some((family, _)) => format!("{} {}", tag(family), tag(name)),
        None => tag(name),
    }
}

/// A value of a table, with quotation marks if it needs them.
fn quoted(value: &str) -> String {
    match value.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", value.replace('"', "\"\"")),
        false => value.to_owned(),
    }
}
