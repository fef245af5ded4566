//! `tabiya train add`: looks for exercises in the player's games or takes them from files of puzzles, and adds them to the record.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use serde::Serialize;
use tabiya_front::failure::Failure;
use tabiya_front::flags::random;
use tabiya_front::output::{answer, say};
use tabiya_front::ranges::counted;
use tabiya_front::training::mining::{ReadGame, own_games, sides_elsewhere};
use tabiya_front::training::{self, Learner, Training};
use tabiya_train::item::ItemKind;
use tabiya_train::log::Change;
use tabiya_train::mine::{RULES, game_digest};
use tabiya_train::trainer::Options;

use super::games::{Search, for_each};
use super::puzzles;

pub(super) const EXAMPLES: &str = "\
Examples:
  tabiya train add
  tabiya train add club-2026.pgn lichess.pgn.zst
  tabiya train add games.db
  tabiya train add lichess_db_puzzle.csv.zst --rating 1300-1600 --themes fork,pin --count 200

Your mistakes in these games become exercises, at most three of a game, and so do the tactics that either
side allowed. A game is yours if a player has the name of the setting `name` or one of train.names; the
others are passed over. Without a file, your saves and the imported games are searched, as `tabiya train`
does while it is open. It takes about a second a game. Ctrl-C stops it, and the same command goes on
where it stopped: a game that was searched is not searched again.

Files whose names end with .csv, .csv.gz or .csv.zst are puzzles in the form of the Lichess puzzle database: a
line that names the columns (PuzzleId, FEN, Moves, Rating, RatingDeviation, Themes; the others are passed
over), then one puzzle a line, whose first move is the opponent's. Those that suit are taken in the order of
the file. A puzzle without a rating gets an estimate, and one without themes those that its solution shows.
`tabiya train` asks a few new ones each day, near your rating.

Keys of --json: games (that were searched), known (that had been searched before), own, tactics; with puzzles
read (rows), added, known (were there already), unreadable (rows). Exit code 1 means that none of the games is
yours, or that no puzzle was added.";

#[derive(Debug, Args)]
pub struct Add {
    /// Files of games, also compressed, folders of them, databases, or puzzles (.csv); `-` is stdin [default: your own games]
    #[arg(value_name = "FILE|DB")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    choice: puzzles::Choice,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What was done.
#[derive(Debug, Default, Serialize)]
struct Added {
    games: u64,
    known: u64,
    own: u64,
    tactics: u64,
}

/// A record that is added to.
struct Adder {
    training: Training,
    search: Search,
    added: Added,
}

pub(super) fn run(args: &Add, learner: &Learner) -> Result<(), Failure> {
    let count = args.files.iter().filter(|file| has_puzzles(file)).count();
    if count > 0 && count == args.files.len() {
        return puzzles::add(&args.files, &args.choice, args.json, learner);
    }
    if count > 0 || !args.choice.is_any() {
        return Err(Failure::Unusable(PUZZLES_APART.to_owned()));
    }
    let training = training::open(Options::default(), learner, random(None));
    let mut adder = Adder {
        training: training.map_err(Failure::unusable)?,
        search: Search::begin()?,
        added: Added::default(),
    };
    for notice in &adder.training.notices {
        say(&format!("tabiya: {notice}"));
    }
    let control = Arc::clone(&adder.search.control);
    let outcome = if args.files.is_empty() {
        let mut games = own_games(&learner.names, &control).into_iter();
        games.try_for_each(|game| match adder.is_known(game.digest) {
            true => Ok(()),
            false => game
                .read(&learner.names)
                .map_or(Ok(()), |read| adder.add(&read)),
        })
    } else {
        for_each(&args.files, &control, &mut |record, from| {
            let sides = sides_elsewhere(record, &learner.names);
            match (sides.white || sides.black) && !adder.is_known(game_digest(record)) {
                true => adder.add(&(record.clone(), from.to_owned(), sides)),
                false => Ok(()),
            }
        })
    };
    let added = &adder.added;
    let is_none = added.games + added.known == 0;
    adder.search.finish(|| match is_none {
        true => Ok(()),
        // What was found before a failure is stored.
        false => answer(args.json, added, [sentence(added)]),
    })?;
    outcome?;
    match is_none {
        true => Err(Failure::No(NONE.to_owned())),
        false => Ok(()),
    }
}

/// Whether a file has puzzles, by its name.
fn has_puzzles(path: &Path) -> bool {
    let name = path.to_string_lossy().to_ascii_lowercase();
    [".csv", ".csv.gz", ".csv.zst"]
        .into_iter()
        .any(|end| name.ends_with(end))
}

const PUZZLES_APART: &str = "files of puzzles (.csv) are added by a command of their own, and --rating, --themes and --count are \
    for them";

const NONE: &str =
    "none of the games is yours; the settings name and train.names say under which names you play";

impl Adder {
    /// Whether a game has been searched before.
    fn is_known(&mut self, digest: u64) -> bool {
        let known = self.training.trainer.memory().scanned(digest) >= Some(RULES);
        self.added.known += u64::from(known);
        known
    }

    /// Searches a game, and stores what was found before the next one.
    fn add(&mut self, (record, from, sides): &ReadGame) -> Result<(), Failure> {
        let added = &mut self.added;
        let so_far = (added.games + added.known, added.own + added.tactics);
        let Some(mined) = self.search.mine(record, from, *sides, so_far) else {
            return Ok(());
        };
        let (trainer, digest) = (&mut self.training.trainer, game_digest(record));
        let entries = trainer.add_mined(digest, mined.into_items(), training::now());
        let stored = self.training.record.append(&entries);
        stored.map_err(Failure::unusable)?;
        added.games += 1;
        for entry in &entries {
            if let Change::Item(item) = &entry.change {
                let is_own = item.kind == ItemKind::Own;
                added.own += u64::from(is_own);
                added.tactics += u64::from(!is_own);
            }
        }
        Ok(())
    }
}

/// What was done, such as `12 mistakes of yours and 3 tactics from 9 games.`
fn sentence(added: &Added) -> String {
    let known = match added.known {
        0 => String::new(),
        known => format!(
            "; {} had been searched before",
            counted(known, "game", "games")
        ),
    };
    format!(
        "{} of yours and {} from {}{known}.",
        counted(added.own, "mistake", "mistakes"),
        counted(added.tactics, "tactic", "tactics"),
        counted(added.games, "game", "games"),
    )
}
