//! Lichess streams the games of a player as PGN, the oldest first.

use crate::error::ImportError;
use crate::folder::Folder;
use crate::games::{Arrived, Stream, games};
use crate::http::{Answer, Http};
use crate::{Import, Progress};

/// What is asked for.
const PGN: &str = "application/x-chess-pgn";

/// The earliest moment that the site accepts, in milliseconds since 1970.
const EARLIEST: i64 = 1_356_998_400_070;

/// Fetches the games that began since the newest one in the folder, or since the given day.
pub(crate) fn fetch(
    import: &Import,
    http: &Http<'_>,
    folder: &mut Folder<'_>,
    report: &mut dyn FnMut(Progress<'_>),
) -> Result<(), ImportError> {
    let since = match import.since {
        Some(since) => Some(since.seconds),
        None => folder.newest()?,
    };
    let since = since.map_or(String::new(), |seconds| {
        format!("&since={}", (seconds * 1000).max(EARLIEST))
    });
    let name = import.account.lowercase();
    let path = format!("/api/games/user/{name}?sort=dateAsc&clocks=true&evals=false{since}");
    let body = match http.ask(&path, PGN, None, report)? {
        Answer::Body(body, _) => body,
        Answer::Missing => return Err(http.unknown_player()),
        Answer::Unchanged => return Ok(()),
    };
    let mut stream = Stream::new(body);
    let (mut has_games, mut is_blank, mut is_cut) = (false, true, false);
    while let Some(arrived) = stream.next().map_err(|error| http.broken(&error))? {
        let Arrived::Games(text) = arrived else {
            return Err(http.not_understood("games"));
        };
        let mut found = games(&text);
        // One without an end may be where the connection broke; if more follows, it is only damaged.
        folder.summary.unreadable += u64::from(is_cut);
        let last = found.pop_if(|game| !game.is_whole);
        is_cut = last.is_some_and(|game| game.id.is_some());
        has_games |= is_cut || found.iter().any(|game| game.id.is_some());
        is_blank &= text.trim_ascii().is_empty();
        folder.add(&text, &found, None)?;
        report(Progress::Games(folder.summary));
        http.check()?;
    }
    match (is_cut, has_games || is_blank) {
        (true, _) => Err(http.cut()),
        (false, false) => Err(http.not_understood("games")),
        (false, true) => Ok(()),
    }
}
