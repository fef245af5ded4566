//! The answers of databases, in lines and parts of lines.

use tabiya_db::{Game, MoveStats, ResultCounts};
use tabiya_rules::text::clean;
use tabiya_rules::{Move, Position};

use crate::explorer::{Found, GameFilter, OwnResults};
use crate::ranges::counted;

/// The width of a bar.
const BAR: usize = 20;

/// The titles of the explorer, by the database.
pub const GAMES: &str = "Explorer";
pub const OWN_GAMES: &str = "My games";

/// The prompt of the filter, and the hint about what can be typed there.
pub const FILTER: &str = "Filter: ";
pub const FILTER_EXAMPLE: &str = "carlsen white blitz years 2015..";

/// The text while a query is running.
pub const LOOKING: &str = "looking…";

/// Why the explorer is not shown.
pub const NO_BOARD: &str = "The explorer is shown beside a board.";
pub const NO_ROOM: &str = "There is no room for the explorer; make the window larger.";

/// The text for an empty list of games.
pub const NO_KNOWN_GAMES: &str = "No individual games are known here.";

/// The results of a position in a few words, the longest form first.
pub fn summaries(score: &ResultCounts, mine: Option<OwnResults>) -> Vec<String> {
    let games = score.games();
    let count = counted(games, "game", "games");
    let own = mine.and_then(|mine| own_score(&mine));
    let mut all = Vec::new();
    if let (Some(own), Some(mine)) = (own, mine) {
        all.push(format!("{count}  {own}"));
        all.push(own);
        let short = format!("you {:.0} %", own_share(&mine));
        let OwnResults { won, drawn, lost } = mine;
        all.push(format!("{short}  +{won} ={drawn} −{lost}"));
        all.push(short);
    }
    all.push(format!("{count}  {}", shares(score)));
    let [white, draws, black] = percents(score);
    all.push(format!("{count}  {white:.0}/{draws:.0}/{black:.0} %"));
    all.push(count);
    all
}

/// The text for a position that no game has.
pub fn no_game(filter: &GameFilter) -> &'static str {
    match *filter == GameFilter::default() {
        true => "No game goes on from this position.",
        false => "No game that passes the filter goes on from this position.",
    }
}

/// Everything known about a position, in lines.
pub fn report(found: &Found) -> Vec<String> {
    let (position, answer) = (&found.position, &found.answer);
    let mut lines = Vec::new();
    if let Some(opening) = &found.opening {
        lines.push(format!("{} {opening}", opening.eco));
    }
    let total = answer.score.games();
    if total == 0 {
        lines.push(no_game(&found.filter).to_owned());
        return lines;
    }
    let count = counted(total, "game", "games");
    lines.push(format!("{count}  {}", shares(&answer.score)));
    lines.extend(found.mine.and_then(|mine| own_score(&mine)));
    lines.push(String::new());
    let rows = answer.moves.iter();
    lines.extend(rows.map(|stats| row(position, stats, total)));
    if !answer.games.is_empty() {
        lines.push(String::new());
    }
    let games = answer.games.iter();
    lines.extend(games.map(|(m, game)| listed(position, *m, game)));
    lines
}

/// The player's results; `None` if none of the games is the player's.
pub(crate) fn own_score(mine: &OwnResults) -> Option<String> {
    let OwnResults { won, drawn, lost } = mine;
    (mine.games() > 0).then(|| {
        let share = own_share(mine);
        format!("You score {share:.0} %: won {won}, drew {drawn}, lost {lost}")
    })
}

/// The player's share of the points, in percent.
fn own_share(mine: &OwnResults) -> f64 {
    percent(2 * mine.won + mine.drawn, 2 * mine.games())
}

pub fn percent(part: u64, whole: u64) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

/// The results of the games, in percent.
pub fn shares(score: &ResultCounts) -> String {
    let [white, draws, black] = percents(score);
    format!("White {white:.0} %, draws {draws:.0} %, Black {black:.0} %")
}

/// The shares of White's wins, draws and Black's wins, in percent.
fn percents(score: &ResultCounts) -> [f64; 3] {
    [score.white, score.draws, score.black].map(|part| percent(part, score.games()))
}

/// A move with its results, in a line.
fn row(position: &Position, stats: &MoveStats, total: u64) -> String {
    let games = stats.score.games();
    let san = position.san(stats.m).to_string();
    let rating = or(stats.average_rating, "-");
    let year = or(stats.last_year, "-");
    let [white, draws, black] = percents(&stats.score);
    format!(
        "{san:<7} {games:>9} {:>5.1} %  {}  {white:>3.0} {draws:>3.0} {black:>3.0}  {rating:>4}  {year:>4}",
        percent(games, total),
        bar(&stats.score, BAR, ['#', '=', '.']),
    )
}

/// A number, or a text for an unknown one.
fn or(number: Option<u16>, unknown: &str) -> String {
    number.map_or_else(|| unknown.to_owned(), |number| number.to_string())
}

/// The results as a bar of this length: White's wins, draws, Black's wins.
pub fn bar(score: &ResultCounts, length: usize, [white, draw, black]: [char; 3]) -> String {
    let games = score.games().max(1);
    let cells = |count: u64| ((count * length as u64 * 2 + games) / (2 * games)) as usize;
    let (won, behind_draws) = (cells(score.white), cells(score.white + score.draws));
    let sign = |cell: usize| match cell {
        cell if cell < won => white,
        cell if cell < behind_draws => draw,
        _ => black,
    };
    (0..length).map(sign).collect()
}

/// A game in little room: without first names and ratings.
pub fn listed_briefly(game: &Game) -> String {
    let name = |name: &Option<String>| {
        let name = name.as_deref().unwrap_or("?");
        name.split(',').next().unwrap_or(name).to_owned()
    };
    let year = or(game.year, "????");
    let (white, black) = (name(&game.white), name(&game.black));
    let line = format!("{year} {} {white} – {black}", game.result);
    clean(&line).into_owned()
}

/// A game of a list, with the move played in it.
pub fn listed(position: &Position, m: Move, game: &Game) -> String {
    let player = |name: &Option<String>, elo: Option<u16>| {
        let name = name.as_deref().unwrap_or("?").to_owned();
        match elo {
            Some(elo) => format!("{name} ({elo})"),
            None => name,
        }
    };
    let white = player(&game.white, game.white_elo);
    let black = player(&game.black, game.black_elo);
    let year = or(game.year, "????");
    let line = format!(
        "{year}  {:<7} {white} – {black}  {}",
        position.san(m).to_string(),
        game.result
    );
    clean(&line).into_owned()
}
