//! `tabiya import`: fetches the user's own games from Lichess or chess.com, for the training.

use std::sync::{Arc, OnceLock};

use clap::{Args, ValueEnum};
use serde::Serialize;
use tabiya_front::config;
use tabiya_front::failure::Failure;
use tabiya_front::output::{answer, say};
use tabiya_front::ranges::counted;
use tabiya_front::signals;
use tabiya_front::training::{MAX_GAMES_FILE, games_folder};
use tabiya_import::{Account, ImportError, Origin, Progress, Since, Site, Stopper, Summary};
use tabiya_rules::text::clean;
use tabiya_store::paths::{self, Folders};

use crate::status_line::StatusLine;
use crate::watch_ends;

pub const EXAMPLES: &str = "\
Examples:
  tabiya import lichess anna64
  tabiya import chesscom anna64
  tabiya import lichess anna64 --since 2026-01-01

The games go to the folder train/games beside the saves, a file for each month, and the next import
fetches those since the newest one there. What is in a file already stays as it is. The only server
asked is lichess.org or api.chess.com. Whatever ends an import, whole games are kept. The setting
train.names has the names under which you play, so that `tabiya train` knows your side.

Keys of --json: host, player, new, known (were there already), variants (are not played here), unreadable,
files (those that were written), missing (months that chess.com lists but does not have). Exit code 1
means that there is no such player, 3 that not all games could be fetched. If no game had come by then,
nothing is printed.";

/// The sites, as they are typed.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum SiteName {
    Lichess,
    Chesscom,
}

#[derive(Debug, Args)]
pub struct Import {
    /// Where you play
    site: SiteName,
    /// Your name there
    name: String,
    /// Fetch the games since this day, such as 2026-01-31, also if newer ones are there already
    #[arg(long, value_name = "DATE")]
    since: Option<Since>,
    /// Ask a program on this machine in place of the site, such as http://127.0.0.1:8000
    #[arg(long, value_name = "URL")]
    base_url: Option<Origin>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Import) -> Result<(), Failure> {
    let site = match args.site {
        SiteName::Lichess => Site::Lichess,
        SiteName::Chesscom => Site::ChessCom,
    };
    let account = Account::new(site, &args.name);
    let account = account.map_err(|error| Failure::Usage(error.to_string()))?;
    let folders = Folders::find().map_err(Failure::unusable)?;
    let folder = games_folder(&folders);
    let lock = folders.state().join("import.lock");
    let mut import = tabiya_import::Import::new(account, folder, lock, MAX_GAMES_FILE);
    import.since = args.since;
    if let Some(origin) = &args.base_url {
        import.origin = origin.clone();
    }
    let (stopper, signal) = (Stopper::default(), Arc::new(OnceLock::new()));
    let (stop, first) = (stopper.clone(), Arc::clone(&signal));
    watch_ends(move |number| {
        first.get_or_init(|| number);
        stop.stop();
    })?;
    let (host, player) = (import.origin.host(), import.account.name());
    say(&format!("Asking {host} for the games of {player}."));
    let (line, mut is_waiting) = (StatusLine::new(), false);
    let (summary, done) = import.run(&stopper, &mut |progress| match progress {
        Progress::Waiting(left) => {
            if !std::mem::replace(&mut is_waiting, true) {
                let sentence = format!("{host} asks for fewer requests: waiting for a minute.");
                line.aside(|| say(&sentence));
            }
            line.show(|_| format!("waiting, {} s left", left.as_secs()));
        }
        Progress::Games(summary) => line.show(|_| sentence(summary)),
        _ => {}
    });
    drop(line);
    let mut lines = vec![format!("{}.", sentence(&summary))];
    if summary.new > 0 {
        lines.push(format!("They are in {}.", paths::shown(&import.folder)));
    }
    for month in &summary.missing {
        lines.push(format!(
            "{host} lists {month}, but does not have its games."
        ));
    }
    if summary.new > 0 {
        lines.extend(hint(&folders, player).into_iter().flatten());
    }
    if done.is_ok() || summary != Summary::default() {
        answer(args.json, &Imported::of(host, player, &summary), lines)?;
    }
    if let Some(&number) = signal.get() {
        let _ = signals::die_by(number);
    }
    done.map_err(|error| {
        let is_an_answer = matches!(error, ImportError::UnknownPlayer { .. });
        let kind = if is_an_answer {
            Failure::No
        } else {
            Failure::Unusable
        };
        kind(error.to_string())
    })
}

/// What to write into the settings so that training knows the player, unless it does.
fn hint(folders: &Folders, player: &str) -> Option<[String; 2]> {
    let file = folders.config_file();
    let settings = config::file::load(&file).settings;
    let known = settings.learner().names;
    if known.iter().any(|name| name.eq_ignore_ascii_case(player)) {
        return None;
    }
    let others = settings.other_names.iter().map(String::as_str);
    let names: Vec<&str> = others.chain([player]).collect();
    let names = names.join("; ").replace('\\', "\\\\").replace('"', "\\\"");
    let file = paths::shown(&file);
    Some([
        format!("If {player} is you, put this line into the table [train] of {file}:"),
        format!("names = \"{}\"", clean(&names)),
    ])
}

/// What was done: `12 new games, 3 already there`.
fn sentence(summary: &Summary) -> String {
    let Summary {
        new,
        known,
        variants,
        unreadable,
        ..
    } = *summary;
    let mut text = counted(new, "new game", "new games");
    for (count, what) in [
        (known, "already there"),
        (variants, "of variants that are not played here"),
        (unreadable, "that could not be read"),
    ] {
        if count > 0 {
            text += &format!(", {count} {what}");
        }
    }
    text
}

/// The answer in JSON.
#[derive(Serialize)]
struct Imported<'a> {
    host: &'a str,
    player: &'a str,
    new: u64,
    known: u64,
    variants: u64,
    unreadable: u64,
    files: Vec<String>,
    missing: &'a [String],
}

impl Imported<'_> {
    fn of<'a>(host: &'a str, player: &'a str, summary: &'a Summary) -> Imported<'a> {
        let files = summary.files.iter();
        Imported {
            host,
            player,
            new: summary.new,
            known: summary.known,
            variants: summary.variants,
            unreadable: summary.unreadable,
            files: files.map(|file| file.display().to_string()).collect(),
            missing: &summary.missing,
        }
    }
}
