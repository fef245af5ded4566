//! `tabiya train add`: looks for exercises in the player's games, and adds them to the record.

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;
use tabiya_front::failure::Failure;
use tabiya_front::flags::random;
use tabiya_front::output::{answer, say};
use tabiya_front::ranges::counted;
use tabiya_front::training::mining::{own_games, sides_elsewhere};
use tabiya_front::training::{self, Learner, Training};
use tabiya_game::Record;
use tabiya_rules::ByColor;
use tabiya_train::item::ItemKind;
use tabiya_train::log::Change;
use tabiya_train::mine::{Miner, RULES, game_digest};
use tabiya_train::trainer::Options;

use super::games::{Progress, Stop, for_each};

pub(super) const EXAMPLES: &str = "\
Examples:
  tabiya train add
  tabiya train add club-2026.pgn lichess.pgn.zst
  tabiya train add games.db

Your mistakes in these games become exercises, at most three of a game, and so do the tactics that either
side allowed. A game is yours if a player has the name of the setting `name` or one of train.names; the
others are passed over. Without a file, your saves and the imported games are searched, as `tabiya train`
does while it is open. It takes about a second a game. Ctrl-C stops it, and the same command goes on
where it stopped: a game that was searched is not searched again.

Keys of --json: games (that were searched), known (that had been searched before), own, tactics. Exit code 1
means that none of the games is yours.";

#[derive(Debug, Args)]
pub struct Add {
    /// Files of games, also compressed, folders of them, or databases; `-` is stdin [default: your own games]
    #[arg(value_name = "FILE|DB")]
    files: Vec<PathBuf>,
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
struct Adder<'a> {
    training: Training,
    miner: Miner,
    stop: &'a Stop,
    progress: Progress,
    added: Added,
}

pub(super) fn run(args: &Add, learner: &Learner) -> Result<(), Failure> {
    let stop = Stop::watch()?;
    let training = training::open(Options::default(), learner, random(None));
    let mut adder = Adder {
        training: training.map_err(Failure::unusable)?,
        miner: Miner::default(),
        stop: &stop,
        progress: Progress::of(0),
        added: Added::default(),
    };
    for notice in &adder.training.notices {
        say(&format!("tabiya: {notice}"));
    }
    let outcome = match args.files.is_empty() {
        true => adder.add_own(learner),
        false => adder.add_files(&args.files, learner),
    };
    drop(adder.progress);
    let added = adder.added;
    // What was found before a failure is stored.
    let is_none = added.games + added.known == 0;
    if !is_none {
        answer(args.json, &added, [sentence(&added)])?;
    }
    stop.finish();
    outcome?;
    match is_none {
        true => Err(Failure::No(NONE.to_owned())),
        false => Ok(()),
    }
}

const NONE: &str =
    "none of the games is yours; the settings name and train.names say under which names you play";

impl Adder<'_> {
    /// Searches the saves and the imported games.
    fn add_own(&mut self, learner: &Learner) -> Result<(), Failure> {
        let games = own_games(&learner.names, &self.stop.control);
        self.progress = Progress::of(games.len());
        for game in games {
            if self.passes_over(game.digest) {
                continue;
            }
            if let Some(read) = game.read(&learner.names) {
                self.add(&read.record, &read.from, read.sides)?;
            }
        }
        Ok(())
    }

    /// Searches those games of files and databases that are the player's.
    fn add_files(&mut self, files: &[PathBuf], learner: &Learner) -> Result<(), Failure> {
        let names = learner.names.clone();
        let sides = move |record: &Record| sides_elsewhere(record, &names);
        let is_own = |sides: ByColor<bool>| sides.white || sides.black;
        let counted = sides.clone();
        let wanted = move |record: &Record| is_own(counted(record));
        self.progress = Progress::counting(files, self.stop, wanted);
        let stop = self.stop;
        for_each(files, &stop.control, &mut |record, from| {
            let sides = sides(record);
            match is_own(sides) && !self.passes_over(game_digest(record)) {
                true => self.add(record, from, sides),
                false => Ok(()),
            }
        })
    }

    /// Whether a game has been searched before, or no more are to be.
    fn passes_over(&mut self, digest: u64) -> bool {
        let known = self.training.trainer.memory().scanned(digest);
        let is_known = known.is_some_and(|rules| rules >= RULES);
        self.added.known += u64::from(is_known);
        is_known || self.stop.control.should_stop()
    }

    /// Searches a game, and stores what was found before the next one.
    fn add(&mut self, record: &Record, from: &str, sides: ByColor<bool>) -> Result<(), Failure> {
        let Added {
            games,
            known,
            own,
            tactics,
        } = &mut self.added;
        self.progress.reach(*games + *known, *own + *tactics);
        let mined = self.miner.mine(record, from, sides, &self.stop.control);
        // One that was stopped is searched again the next time.
        let Ok(mined) = mined else {
            return Ok(());
        };
        let Training {
            trainer,
            record: log,
            ..
        } = &mut self.training;
        let entries = trainer.add_mined(game_digest(record), mined.into_items(), training::now());
        log.append(&entries).map_err(Failure::unusable)?;
        *games += 1;
        for entry in &entries {
            if let Change::Item(item) = &entry.change {
                let is_own = item.kind == ItemKind::Own;
                *(if is_own { &mut *own } else { &mut *tactics }) += 1;
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
