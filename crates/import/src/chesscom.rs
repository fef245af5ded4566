//! chess.com has a list of the months in which a player played, and the games of each month as JSON.

use std::borrow::Cow;
use std::cell::Cell;
use std::fmt;
use std::io::{self, BufReader, Read};
use std::marker::PhantomData;

use serde::de::{
    DeserializeOwned, DeserializeSeed, Error, IgnoredAny, MapAccess, SeqAccess, Visitor,
};
use serde::{Deserialize, Deserializer};

use crate::error::ImportError;
use crate::folder::Folder;
use crate::games::{Found, games, id};
use crate::http::{Answer, Body, Http};
use crate::month::Month;
use crate::{Import, Progress, Since};

/// What is asked for.
const JSON: &str = "application/json";

/// The most months in the list of a player: a century.
const MAX_MONTHS: usize = 1200;

/// A game, as far as it is needed.
#[derive(Deserialize)]
struct Game {
    url: String,
    #[serde(default)]
    pgn: String,
    rules: String,
}

/// Fetches the games from the last month in the folder on, or from the given day's.
pub(crate) fn fetch(
    import: &Import,
    http: &Http<'_>,
    folder: &mut Folder<'_>,
    report: &mut dyn FnMut(Progress<'_>),
) -> Result<(), ImportError> {
    let first = match import.since {
        Some(since) => Some(since.month),
        None => folder.months()?.first().copied(),
    };
    let path = format!("/pub/player/{}/games/", import.account.lowercase());
    let list = match http.ask(&format!("{path}archives"), JSON, None, report)? {
        Answer::Body(list, _) => list,
        Answer::Missing => return Err(http.unknown_player()),
        Answer::Unchanged => return Ok(()),
    };
    let mut months = Vec::new();
    let expected = "a list of months";
    let strange = || http.not_understood(expected);
    parse(
        http,
        list,
        ("archives", expected),
        &mut |address: String| {
            // Of an address only the month is taken, and only if the rest is what it should be.
            let month = import.origin.path(&address);
            let month = month.and_then(|month| month.strip_prefix(&*path)?.split_once('/'));
            let month = month.and_then(|(year, month)| Month::new(year, month));
            months.push(month.ok_or_else(strange)?);
            (months.len() <= MAX_MONTHS)
                .then_some(())
                .ok_or_else(strange)
        },
    )?;
    months.retain(|&month| first.is_none_or(|first| month >= first));
    months.sort_unstable();
    months.dedup();
    for month in months {
        let tag = folder.tag(month)?;
        let path = format!("{path}{}", month.path());
        match http.ask(&path, JSON, tag.as_deref(), report)? {
            Answer::Unchanged => {}
            Answer::Missing => folder.summary.missing.push(month.to_string()),
            Answer::Body(body, tag) => {
                let mut is_all = true;
                parse(http, body, ("games", "the games of a month"), &mut |game| {
                    http.check()?;
                    is_all &= add(folder, &game, month, import.since)?;
                    report(Progress::Games(folder.summary));
                    Ok(())
                })?;
                // Without the tag, the games that were not wanted are asked for another time.
                if is_all {
                    folder.set_tag(month, tag.as_deref())?;
                }
            }
        }
    }
    Ok(())
}

/// Adds a game to the file of its month; `false` if it began too early.
fn add(
    folder: &mut Folder<'_>,
    game: &Game,
    month: Month,
    since: Option<Since>,
) -> Result<bool, ImportError> {
    if game.rules != "chess" {
        folder.summary.variants += 1;
        return Ok(true);
    }
    let mut text = Cow::Borrowed(&*game.pgn);
    // Without it, the game could not be told from others.
    if id(&game.url).is_some() && !text.contains("[Link \"") {
        text = format!("[Link \"{}\"]\n{text}", game.url).into();
    }
    let mut found = games(text.as_bytes());
    folder.summary.unreadable += u64::from(found.is_empty());
    let count = found.len();
    let is_early = |game: &Found| match (game.moment, since) {
        (Some((_, at)), Some(since)) => at < since.seconds,
        _ => false,
    };
    found.retain(|game| !is_early(game));
    folder.add(text.as_bytes(), &found, Some(month))?;
    Ok(found.len() == count)
}

/// Reads the list under a key of an object in JSON, item by item.
fn parse<T: DeserializeOwned>(
    http: &Http<'_>,
    body: Body,
    (key, expected): (&'static str, &'static str),
    each: &mut dyn FnMut(T) -> Result<(), ImportError>,
) -> Result<(), ImportError> {
    let read = Cell::new(0);
    let mut failed = None;
    let limited = Limited { body, read: &read };
    let mut json = serde_json::Deserializer::from_reader(BufReader::new(limited));
    let mut one = |item| {
        read.set(0);
        each(item).map_err(|error| failed = Some(error)).is_ok()
    };
    let items = Items {
        key: Some(key),
        each: &mut one,
        item: PhantomData,
    };
    let done = items.deserialize(&mut json).and_then(|()| json.end());
    done.map_err(|error| match failed {
        Some(failed) => failed,
        None if error.is_io() && read.get() <= MAX_ITEM => http.broken(&error.into()),
        None => http.not_understood(expected),
    })
}

/// The most bytes of one item, or of all that is outside of the list.
const MAX_ITEM: usize = 1 << 20;

/// A body, as long as it has no longer item.
struct Limited<'a> {
    body: Body,
    /// The bytes since the last item.
    read: &'a Cell<usize>,
}

impl Read for Limited<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.body.read(buffer)?;
        self.read.set(self.read.get() + count);
        match self.read.get() > MAX_ITEM {
            true => Err(io::ErrorKind::FileTooLarge.into()),
            false => Ok(count),
        }
    }
}

/// A list, of which no more than one item is in memory.
struct Items<'a, T> {
    /// Where the list is in an object; `None` for the list itself.
    key: Option<&'static str>,
    each: &'a mut dyn FnMut(T) -> bool,
    item: PhantomData<T>,
}

impl<'de, T: DeserializeOwned> DeserializeSeed<'de> for Items<'_, T> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        match self.key {
            Some(_) => from.deserialize_map(self),
            None => from.deserialize_seq(self),
        }
    }
}

impl<'de, T: DeserializeOwned> Visitor<'de> for Items<'_, T> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a list, under {:?}", self.key)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut has_list = false;
        while let Some(key) = map.next_key::<String>()? {
            if self.key == Some(&*key) {
                has_list = true;
                let (key, each, item) = (None, &mut *self.each, PhantomData);
                map.next_value_seed(Items { key, each, item })?;
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        let missing = || A::Error::custom("there is no list");
        has_list.then_some(()).ok_or_else(missing)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while let Some(item) = list.next_element()? {
            if !(self.each)(item) {
                return Err(A::Error::custom("an item that cannot be used"));
            }
        }
        Ok(())
    }
}
