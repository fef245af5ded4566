//! chess.com has a list of the months in which a player played, and the games of each month as JSON.

use std::borrow::Cow;
use std::io::BufReader;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use tabiya_store::disk::FileError;

use crate::error::ImportError;
use crate::folder::Folder;
use crate::games::{games, id};
use crate::http::{Answer, Body, Http};
use crate::month::Month;
use crate::{Import, Progress};

/// What is asked for.
const JSON: &str = "application/json";

/// The list of months.
#[derive(Deserialize)]
struct Archives {
    archives: Vec<String>,
}

/// The games of a month.
#[derive(Deserialize)]
struct Archive {
    games: Vec<Game>,
}

/// A game, as far as it is needed.
#[derive(Deserialize)]
struct Game {
    #[serde(default)]
    url: String,
    #[serde(default)]
    pgn: String,
    #[serde(default)]
    rules: String,
}

/// Fetches the games from the last month in the folder on, or from the given day's.
pub(crate) fn fetch(
    import: &Import,
    http: &Http<'_>,
    folder: &mut Folder<'_>,
    told: &mut dyn FnMut(Progress<'_>),
) -> Result<(), ImportError> {
    let first = match import.since {
        Some(since) => Some(since.month),
        None => folder.last_month()?,
    };
    let path = format!("/pub/player/{}/games/", import.account.lowercase());
    let list = http.ask(&format!("{path}archives"), JSON, None, told)?;
    let Answer::Body(list, _) = list else {
        return Ok(());
    };
    let Archives { archives } = parse(http, list, "a list of months")?;
    // Of an address only the month is taken, and only if the rest is what it should be.
    let month = |address: &String| {
        let month = import.origin.path(address)?.strip_prefix(&*path)?;
        let (year, month) = month.split_once('/')?;
        Month::new(year, month)
    };
    let months: Option<Vec<Month>> = archives.iter().map(month).collect();
    let mut months = months.ok_or_else(|| http.not_understood("a list of months"))?;
    months.sort_unstable();
    months.dedup();
    for month in months {
        if first.is_some_and(|first| month < first) {
            continue;
        }
        let tag = folder.tag(month)?;
        let path = format!("{path}{}", month.path());
        if let Answer::Body(body, tag) = http.ask(&path, JSON, tag.as_deref(), told)? {
            let Archive { games } = parse(http, body, "the games of a month")?;
            for game in &games {
                add(folder, game, month)?;
                told(Progress::Games(folder.summary));
            }
            folder.set_tag(month, tag.as_deref())?;
        }
    }
    Ok(())
}

/// Adds a game to the file of its month.
fn add(folder: &mut Folder<'_>, game: &Game, month: Month) -> Result<(), FileError> {
    if game.rules != "chess" {
        folder.summary.variants += 1;
        return Ok(());
    }
    let mut text = Cow::Borrowed(&*game.pgn);
    // Without it, the game could not be told from others.
    if id(&game.url).is_some() && !text.contains("[Link \"") {
        text = format!("[Link \"{}\"]\n{text}", game.url).into();
    }
    let found = games(text.as_bytes());
    folder.summary.unreadable += u64::from(found.is_empty());
    folder.add(text.as_bytes(), &found, Some(month))
}

/// Reads an answer in JSON.
fn parse<T: DeserializeOwned>(
    http: &Http<'_>,
    body: Body,
    expected: &'static str,
) -> Result<T, ImportError> {
    serde_json::from_reader(BufReader::new(body)).map_err(|error| match error.is_io() {
        true => http.broken(&error.into()),
        false => http.not_understood(expected),
    })
}
