//! The counts as text and as JSON.

use std::fmt::Write;

use serde::{Serialize, Serializer};
use tabiya_openings::Eco;
use tabiya_rules::text::clean;

use super::tally::{Lengths, ResultCounts, Table, Tally};
use crate::wording::explorer::percent;

/// Writing into a String never fails, so the result is ignored.
macro_rules! add {
    ($text:expr, $($what:tt)*) => { let _ = writeln!($text, $($what)*); };
}

pub(super) fn text(sum: &Tally, top: usize) -> String {
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

fn scores(text: &mut String, title: &str, rows: impl Iterator<Item = (String, ResultCounts)>) {
    for (at, (name, score)) in rows.enumerate() {
        if at == 0 {
            heading(text, title, "White");
        }
        add!(text, "  {name:<10} {:>7}  {score}", score.games);
    }
}

fn rows(text: &mut String, title: &str, side: &str, table: &Table, top: usize) {
    let ranking = table.ranking();
    if ranking.is_empty() {
        return;
    }
    let shown = &ranking[..ranking.len().min(top)];
    let names: Vec<_> = shown.iter().map(|&(name, _)| clean(name)).collect();
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
    openings: Vec<OpeningJson<'a>>,
    ratings: Vec<Band>,
    years: Vec<Year>,
    players: Vec<PlayerJson<'a>>,
    other_openings: u64,
    other_players: u64,
}

fn by_result<S: Serializer>(results: &ResultCounts, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(results.by_result())
}

#[derive(Serialize)]
struct Year {
    year: u16,
    #[serde(flatten)]
    score: ResultCounts,
}

#[derive(Serialize)]
struct Band {
    from: u32,
    to: u32,
    #[serde(flatten)]
    score: ResultCounts,
}

#[derive(Serialize)]
struct OpeningJson<'a> {
    opening: &'a str,
    eco: Option<&'a str>,
    #[serde(flatten)]
    score: ResultCounts,
}

#[derive(Serialize)]
struct PlayerJson<'a> {
    player: &'a str,
    #[serde(flatten)]
    score: ResultCounts,
}

pub(super) fn json(sum: &Tally, top: usize) -> StatsJson<'_> {
    let year = |(&year, &score): (&u16, &ResultCounts)| Year { year, score };
    let band = |(from, to, score)| Band { from, to, score };
    let openings = sum.openings.ranking().into_iter().take(top);
    let players = sum.players.ranking().into_iter().take(top);
    StatsJson {
        games: sum.results.games,
        moves: sum.moves,
        errors: sum.errors,
        results: sum.results,
        lengths: sum.lengths(),
        openings: openings
            .map(|(opening, score)| opening_json(opening, score))
            .collect(),
        ratings: sum.bands().map(band).collect(),
        years: sum.years.iter().map(year).collect(),
        players: players
            .map(|(player, score)| PlayerJson { player, score })
            .collect(),
        other_openings: sum.openings.others,
        other_players: sum.players.others,
    }
}

/// An opening with its code and name separated; a family has no code.
fn opening_json(name: &str, score: ResultCounts) -> OpeningJson<'_> {
    let parts = name
        .split_once(' ')
        .filter(|(eco, _)| eco.parse::<Eco>().is_ok());
    let (eco, opening) = parts.map_or((None, name), |(eco, name)| (Some(eco), name));
    OpeningJson {
        opening,
        eco,
        score,
    }
}
