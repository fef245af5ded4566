//! `tabiya train mine`: the tactics of any games, in the columns of Lichess's puzzles.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use tabiya_front::failure::Failure;
use tabiya_front::output::{OutputFile, say};
use tabiya_front::ranges::counted;
use tabiya_game::Record;
use tabiya_rules::ByColor;
use tabiya_train::csv::{HEADER, PuzzleRow};
use tabiya_train::mine::Tactic;
use tabiya_train::rating::Rater;

use super::games::{Search, for_each};

pub(super) const EXAMPLES: &str = "\
Examples:
  tabiya train mine games.pgn -o tactics.csv
  tabiya train mine games.db -o tactics.csv

The tactics are what the mistakes of both sides allow: one move is clearly the best. The columns are those
of Lichess's puzzles: FEN is the position before the mistake, and Moves begins with it. The ratings are
estimates, and the names of openings are empty. It takes about a second a game. Ctrl-C ends it, and what was found is written.";

#[derive(Debug, Args)]
pub struct Mine {
    /// Files of games, also compressed, folders of them, or databases; `-` is stdin
    #[arg(value_name = "FILE|DB", required = true)]
    files: Vec<PathBuf>,
    /// The table, which is a new file
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
}

pub(super) fn run(args: &Mine) -> Result<(), Failure> {
    let mut table = OutputFile::begin(&args.out)?;
    table.add(&format!("{HEADER}\n"))?;
    let mut rater = Rater::new();
    let mut search = Search::begin()?;
    let (control, mut games, mut known) = (Arc::clone(&search.control), 0, HashSet::new());
    let outcome = for_each(&args.files, &control, &mut |record, from| {
        let so_far = (games, known.len() as u64);
        let Some(mined) = search.mine(record, from, ByColor::default(), so_far) else {
            return Ok(());
        };
        games += 1;
        let mut tactics = mined.tactics.iter();
        tactics.try_for_each(|tactic| match known.insert(tactic.item.id) {
            true => table.add(&line(tactic, record, &mut rater)),
            false => Ok(()),
        })
    });
    search.finish(|| {
        // What was found before a failure is written.
        table.finish()?;
        let tactics = counted(known.len() as u64, "tactic", "tactics");
        let games = counted(games, "game", "games");
        say(&format!("{tactics} from {games}"));
        Ok(())
    })?;
    outcome
}

/// The line of a tactic.
fn line(tactic: &Tactic, record: &Record, rater: &mut Rater) -> String {
    let mut item = tactic.item.clone();
    rater.complete(&mut item);
    let url = address(record).unwrap_or_default().to_owned();
    let row = tactic.puzzle.row(&item);
    PuzzleRow { url, ..row }.line() + "\n"
}

/// Where the game is on the web, if it says so.
fn address(record: &Record) -> Option<&str> {
    let is_url = |value: &&str| value.starts_with("http");
    let mut tags = ["GameURL", "Link", "Site"].into_iter();
    tags.find_map(|name| record.tags().get(name).filter(is_url))
}
