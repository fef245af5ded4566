//! The answer of a database, in the format of the Lichess explorer.

use serde::Serialize;
use tabiya_db::{Game, MoveStats, PositionKey};
use tabiya_rules::{Color, Move};

use super::Named;
use crate::explorer::{Found, OwnResults};

/// The answer for `--json`.
#[derive(Debug, Serialize)]
pub struct ExploredJson {
    fen: String,
    /// The key of the position in the tables; as text, because many programs have numbers of only 53 bits.
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
    /// The player's results, if the games are the player's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    own: Option<OwnResults>,
}

#[derive(Debug, Serialize)]
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

#[derive(Debug, Serialize)]
struct Listed {
    /// The number of the game in the tables.
    id: String,
    uci: String,
    winner: Option<Color>,
    speed: Option<&'static str>,
    white: PlayerJson,
    black: PlayerJson,
    year: Option<u16>,
}

#[derive(Debug, Serialize)]
struct PlayerJson {
    name: String,
    rating: Option<u16>,
}

/// The answer of a database, for programs.
pub fn explored(found: &Found) -> ExploredJson {
    let (position, answer) = (&found.position, &found.answer);
    let row = |stats: &MoveStats| Row {
        uci: position.uci(stats.m).to_string(),
        san: position.san(stats.m).to_string(),
        white: stats.score.white,
        draws: stats.score.draws,
        black: stats.score.black,
        average_rating: stats.average_rating,
        last_year: stats.last_year,
    };
    let player = |name: &Option<String>, rating| PlayerJson {
        name: name.clone().unwrap_or_else(|| "?".to_owned()),
        rating,
    };
    let listed = |(m, game): &(Move, Game)| Listed {
        id: game.id.cast_signed().to_string(),
        uci: position.uci(*m).to_string(),
        winner: game.result.winner(),
        speed: game.speed.map(tabiya_db::Speed::word),
        white: player(&game.white, game.white_elo),
        black: player(&game.black, game.black_elo),
        year: game.year,
    };
    let key = PositionKey::of(position);
    ExploredJson {
        fen: position.fen(),
        key: key.signed().to_string(),
        key_check: key.check,
        opening: found.opening.map(Named::from),
        white: answer.score.white,
        draws: answer.score.draws,
        black: answer.score.black,
        moves: answer.moves.iter().map(row).collect(),
        top_games: answer.games.iter().map(listed).collect(),
        own: found.mine,
    }
}
