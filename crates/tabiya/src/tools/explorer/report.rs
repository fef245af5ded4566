//! What a database says of a position, as a table for people and as JSON for programs.

use serde::Serialize;
use tabiya_db::{Answer, Game, MoveStats, PositionKey, Score};
use tabiya_game::GameResult;
use tabiya_openings::Opening;
use tabiya_rules::text::clean;
use tabiya_rules::{Color, Move, Position};

use crate::json::color_word;

/// How wide a bar is.
const BAR: usize = 20;

pub(super) fn text(
    position: &Position,
    opening: Option<Opening<'_>>,
    answer: &Answer,
) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(opening) = opening {
        lines.push(format!("{} {opening}", opening.eco));
    }
    let total = answer.score.games();
    if total == 0 {
        return lines;
    }
    lines.push(format!(
        "{total} {}  {}",
        plural(total),
        shares(&answer.score)
    ));
    lines.push(String::new());
    for stats in &answer.moves {
        lines.push(row(position, stats, total));
    }
    if !answer.games.is_empty() {
        lines.push(String::new());
    }
    for (m, game) in &answer.games {
        lines.push(listed(position, *m, game));
    }
    lines
}

fn plural(games: u64) -> &'static str {
    if games == 1 { "game" } else { "games" }
}

fn percent(part: u64, whole: u64) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

fn shares(score: &Score) -> String {
    let share = |part| percent(part, score.games());
    format!(
        "White {:.0} %, draws {:.0} %, Black {:.0} %",
        share(score.white),
        share(score.draws),
        share(score.black)
    )
}

fn row(position: &Position, stats: &MoveStats, total: u64) -> String {
    let games = stats.score.games();
    let san = position.san(stats.m).to_string();
    let rating = stats
        .average_rating
        .map_or(String::from("-"), |rating| rating.to_string());
    let year = stats
        .last_year
        .map_or(String::from("-"), |year| year.to_string());
    format!(
        "{san:<7} {games:>9} {:>5.1} %  {}  {:>3.0} {:>3.0} {:>3.0}  {rating:>4}  {year:>4}",
        percent(games, total),
        bar(&stats.score),
        percent(stats.score.white, games),
        percent(stats.score.draws, games),
        percent(stats.score.black, games),
    )
}

/// The results as a bar: wins of White, draws, wins of Black.
fn bar(score: &Score) -> String {
    let games = score.games().max(1);
    let cells = |count: u64| ((count * BAR as u64 * 2 + games) / (2 * games)) as usize;
    let (white, behind_draws) = (cells(score.white), cells(score.white + score.draws));
    let mut bar = String::with_capacity(BAR);
    for cell in 0..BAR {
        bar.push(match cell {
            cell if cell < white => '#',
            cell if cell < behind_draws => '=',
            _ => '.',
        });
    }
    bar
}

fn listed(position: &Position, m: Move, game: &Game) -> String {
    let player = |name: &Option<String>, elo: Option<u16>| {
        let name = name.as_deref().unwrap_or("?").to_owned();
        match elo {
            Some(elo) => format!("{name} ({elo})"),
            None => name,
        }
    };
    let white = player(&game.white, game.white_elo);
    let black = player(&game.black, game.black_elo);
    let year = game
        .year
        .map_or(String::from("????"), |year| year.to_string());
    let line = format!(
        "{year}  {:<7} {white} – {black}  {}",
        position.san(m).to_string(),
        game.result
    );
    clean(&line).into_owned()
}

/// The answer as `--json` prints it.
#[derive(Serialize)]
pub(super) struct Explored {
    fen: String,
    /// By what the tables know the position; as text, since many programs keep numbers of 53 bits.
    key: String,
    #[serde(rename = "keyCheck")]
    key_check: u16,
    opening: Option<Named>,
    white: u64,
    draws: u64,
    black: u64,
    moves: Vec<Row>,
    #[serde(rename = "topGames")]
    top_games: Vec<Listed>,
}

#[derive(Serialize)]
struct Named {
    eco: String,
    name: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    uci: String,
    san: String,
    white: u64,
    draws: u64,
    black: u64,
    average_rating: Option<u16>,
    last_year: Option<u16>,
}

#[derive(Serialize)]
struct Listed {
    /// The number by which the tables know the game.
    id: String,
    uci: String,
    winner: Option<&'static str>,
    speed: Option<&'static str>,
    white: Seat,
    black: Seat,
    year: Option<u16>,
}

#[derive(Serialize)]
struct Seat {
    name: String,
    rating: Option<u16>,
}

pub(super) fn json(position: &Position, opening: Option<Opening<'_>>, answer: &Answer) -> Explored {
    let row = |stats: &MoveStats| Row {
        uci: position.uci(stats.m).to_string(),
        san: position.san(stats.m).to_string(),
        white: stats.score.white,
        draws: stats.score.draws,
        black: stats.score.black,
        average_rating: stats.average_rating,
        last_year: stats.last_year,
    };
    let seat = |name: &Option<String>, rating| Seat {
        name: name.clone().unwrap_or_else(|| "?".to_owned()),
        rating,
    };
    let listed = |(m, game): &(Move, Game)| Listed {
        id: game.id.cast_signed().to_string(),
        uci: position.uci(*m).to_string(),
        winner: match game.result {
            GameResult::WhiteWins => Some(color_word(Color::White)),
            GameResult::BlackWins => Some(color_word(Color::Black)),
            GameResult::Draw | GameResult::Unknown => None,
        },
        speed: game.speed.map(tabiya_db::Speed::word),
        white: seat(&game.white, game.white_elo),
        black: seat(&game.black, game.black_elo),
        year: game.year,
    };
    let key = PositionKey::of(position);
    Explored {
        fen: position.fen(),
        key: key.signed().to_string(),
        key_check: key.check,
        opening: opening.map(|opening| Named {
            eco: opening.eco.to_string(),
            name: opening.to_string(),
        }),
        white: answer.score.white,
        draws: answer.score.draws,
        black: answer.score.black,
        moves: answer.moves.iter().map(row).collect(),
        top_games: answer.games.iter().map(listed).collect(),
    }
}
