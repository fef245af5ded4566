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
use tabiya_train::mine::Tactic;

use super::games::{Search, for_each};

pub(super) const EXAMPLES: &str = "\
Examples:
  tabiya train mine games.pgn -o tactics.csv
  tabiya train mine games.db -o tactics.csv

The tactics are what the mistakes of both sides allow: one move is clearly the best. The columns are those
of Lichess's puzzles: FEN is the position before the mistake, and Moves begins with it. The ratings
and the names of openings are empty. It takes about a second a game. Ctrl-C ends it, and what was found is written.";

/// The columns.
const HEADER: &str =
    "PuzzleId,FEN,Moves,Rating,RatingDeviation,Popularity,NbPlays,Themes,GameUrl,OpeningTags\n";

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
    table.add(HEADER)?;
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
            true => table.add(&row(tactic, record)),
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

/// The row of a tactic. No value has a comma.
fn row(tactic: &Tactic, record: &Record) -> String {
    let Tactic {
        item,
        before,
        mistake,
        ..
    } = tactic;
    let mut here = item.position;
    let mut line = before.uci(*mistake).to_string();
    for &played in &item.line {
        line += &format!(" {}", here.uci(played));
        here = here.play_unchecked(played);
    }
    let (id, fen, themes) = (item.id.to_string(), before.fen(), item.themes.join(" "));
    let (id, url) = (id.replace("x:", ""), address(record).unwrap_or_default());
    format!("{id},{fen},{line},,,,0,{themes},{url},\n")
}

/// Where the game is on the web, if it says so.
fn address(record: &Record) -> Option<&str> {
    let is_url = |value: &&str| value.starts_with("http") && !value.contains([',', '"']);
    let mut tags = ["GameURL", "Link", "Site"].into_iter();
    tags.find_map(|name| record.tags().get(name).filter(is_url))
}
