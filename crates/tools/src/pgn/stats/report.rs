//! The counts as text, as JSON, and as bars for a picture.

use std::fmt::{Display, Write};
use std::hash::Hash;

use serde::{Serialize, Serializer};
use tabiya_front::wording::explorer::percent;
use tabiya_rules::text::clean;
use tabiya_svg::{BarGroup, ResultBar, ResultBars};

use super::figures::{Figures, Lengths, OpeningName, ResultCounts, Table};

/// Writing into a String never fails, so the result is ignored.
macro_rules! add {
    ($text:expr, $($what:tt)*) => { let _ = writeln!($text, $($what)*); };
}

/// The report for people, with the `top` most frequent openings and players.
pub(super) fn text(sum: &Figures, top: usize) -> String {
    let results = sum.results;
    let (games, moves, errors) = (results.games, sum.moves, sum.errors);
    let mut text = format!("{games} games, {moves} moves, {errors} errors\n");
    if games == 0 {
        return text;
    }
    add!(text, "\nresults");
    for (name, count) in results.by_result() {
        let share = percent(count, games);
        add!(text, "  {name:<8} {count:>9}  {share:>5.1} %");
    }
    add!(text, "\nlengths in plies");
    let average = moves as f64 / games as f64;
    let lengths = sum.lengths();
    add!(text, "  shortest {:>9}", lengths.shortest);
    add!(text, "  median   {:>9}", lengths.median);
    add!(text, "  average  {average:>11.1}");
    add!(text, "  longest  {:>9}", lengths.longest);
    scores(&mut text, "years", sum.years());
    scores(&mut text, "ratings, the mean of both", sum.ratings());
    rows(&mut text, "openings", "White", &sum.openings, top);
    rows(&mut text, "players", "them", &sum.players, top);
    text
}

fn heading(text: &mut String, title: &str, side: &str) {
    add!(text, "\n{title}, with wins, draws and losses of {side}");
}

/// Adds a section with a row for each score, unless there are none.
fn scores(text: &mut String, title: &str, rows: impl Iterator<Item = (String, ResultCounts)>) {
    for (at, (name, score)) in rows.enumerate() {
        if at == 0 {
            heading(text, title, "White");
        }
        add!(text, "  {name:<10} {:>7}  {score}", score.games);
    }
}

/// Adds a section with the `top` names that have the most games.
fn rows<K: Hash + Eq + Display>(
    text: &mut String,
    title: &str,
    side: &str,
    table: &Table<K>,
    top: usize,
) {
    let ranking = table.ranking();
    if ranking.is_empty() {
        return;
    }
    let shown = &ranking[..ranking.len().min(top)];
    let names = shown.iter().map(|(name, _)| name.to_string());
    let names: Vec<_> = names.map(|name| clean(&name).into_owned()).collect();
    let width = names.iter().map(|name| name.chars().count()).max();
    let width = width.unwrap_or_default().max(8);
    heading(text, title, side);
    for (name, (_, score)) in names.iter().zip(shown) {
        add!(text, "  {name:<width$} {:>9}  {score}", score.games);
    }
    let hidden = ranking.len() - shown.len();
    if hidden > 0 {
        add!(text, "  and {hidden} more");
    }
    let others = table.others;
    if others > 0 {
        add!(text, "  and {others} games of names that came later");
    }
}

/// The counts for `--json`.
#[derive(Serialize)]
pub(super) struct StatsJson<'a> {
    games: u64,
    moves: u64,
    errors: u64,
    #[serde(serialize_with = "by_result")]
    results: ResultCounts,
    lengths: Lengths,
    openings: Vec<Row<'a>>,
    ratings: Vec<Row<'a>>,
    years: Vec<Row<'a>>,
    players: Vec<Row<'a>>,
    other_openings: u64,
    other_players: u64,
}

fn by_result<S: Serializer>(results: &ResultCounts, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(results.by_result())
}

/// The score of some games.
#[derive(Serialize)]
struct Row<'a> {
    #[serde(flatten)]
    name: RowName<'a>,
    #[serde(flatten)]
    score: ResultCounts,
}

/// What the games of a row have in common.
#[derive(Serialize)]
#[serde(untagged)]
enum RowName<'a> {
    Opening {
        opening: String,
        eco: Option<String>,
    },
    Band {
        from: u32,
        to: u32,
    },
    Year {
        year: u16,
    },
    Player {
        player: &'a str,
    },
}

/// The report for programs, with the `top` most frequent openings and players.
pub(super) fn json(sum: &Figures, top: usize) -> StatsJson<'_> {
    let row = |(name, score)| Row { name, score };
    let openings = sum.openings.ranking().into_iter().take(top);
    let openings = openings.map(|(name, score)| (opening(*name), score));
    let ratings = sum.bands();
    let ratings = ratings.map(|(from, to, score)| (RowName::Band { from, to }, score));
    let years = sum.years.iter();
    let years = years.map(|(&year, &score)| (RowName::Year { year }, score));
    let players = sum.players.ranking().into_iter().take(top);
    let players = players.map(|(player, score)| (RowName::Player { player }, score));
    StatsJson {
        games: sum.results.games,
        moves: sum.moves,
        errors: sum.errors,
        results: sum.results,
        lengths: sum.lengths(),
        openings: openings.map(row).collect(),
        ratings: ratings.map(row).collect(),
        years: years.map(row).collect(),
        players: players.map(row).collect(),
        other_openings: sum.openings.others,
        other_players: sum.players.others,
    }
}

/// An opening with its code; a family has none.
fn opening(name: OpeningName) -> RowName<'static> {
    match name {
        OpeningName::Named(opening) => RowName::Opening {
            opening: opening.to_string(),
            eco: Some(opening.eco.to_string()),
        },
        OpeningName::Family(_)
        | OpeningName::SetUp
        | OpeningName::NoMoves
        | OpeningName::Unnamed => RowName::Opening {
            opening: name.to_string(),
            eco: None,
        },
    }
}

/// The counts as bars, with this many openings.
pub(super) fn bars(sum: &Figures, top: usize) -> ResultBars {
    let openings = sum.openings.ranking().into_iter().take(top);
    let openings = openings.map(|(name, score)| bar(name.to_string(), score));
    let named = |(name, score)| bar(name, score);
    let group = |title: &str, bars| BarGroup {
        title: title.to_owned(),
        bars,
    };
    ResultBars {
        title: format!("{} games", sum.results.games),
        groups: vec![
            group("Results", vec![bar("all games".to_owned(), sum.results)]),
            group("Openings", openings.collect()),
            group(
                "Ratings, the mean of both",
                sum.ratings().map(named).collect(),
            ),
            group("Years", sum.years().map(named).collect()),
        ],
    }
}

fn bar(label: String, score: ResultCounts) -> ResultBar {
    ResultBar {
        label,
        white_wins: score.wins,
        draws: score.draws,
        black_wins: score.losses,
        unknown: score.unknown(),
    }
}
