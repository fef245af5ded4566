//! The opening tree of a PGN file of any size: how often each move was played in a position, and
//! how it scored. `tree FILE [MOVE…]`

use std::cmp::Reverse;
use std::collections::HashMap;
use std::error::Error;
use std::fs::File;

use tabiya_game::pgn::RecordReader;
use tabiya_game::{GameResult, Step};
use tabiya_rules::{Color, Move, Position};

/// How often a move was played, and the half points White scored with it.
#[derive(Clone, Copy, Default)]
struct Count {
    games: u32,
    half_points: u32,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let file = File::open(arguments.next().ok_or("expected a PGN file")?)?;
    let mut tree: HashMap<(u64, Move), Count> = HashMap::new();
    for game in RecordReader::from_read(file) {
        let record = game?.record;
        let half_points = match record.result() {
            GameResult::WhiteWins => 2,
            GameResult::Draw | GameResult::Unknown => 1,
            GameResult::BlackWins => 0,
        };
        let mut key = record.start().key();
        for node in record.main_line().take(30) {
            let Some(played) = node.step().and_then(Step::played) else {
                break;
            };
            let count = tree.entry((key, played)).or_default();
            count.games += 1;
            count.half_points += half_points;
            key = node.position().key();
        }
    }
    let mut position = Position::start();
    for text in arguments {
        position = position.play(position.parse_san(&text)?)?;
    }
    let count = |m| Some((m, *tree.get(&(position.key(), m))?));
    let moves = position.legal_moves();
    let mut found: Vec<(Move, Count)> = moves.iter().copied().filter_map(count).collect();
    found.sort_by_key(|(_, count)| Reverse(count.games));
    for (m, Count { games, half_points }) in found {
        let white = f64::from(half_points) * 50.0 / f64::from(games);
        let score = match position.turn() {
            Color::White => white,
            Color::Black => 100.0 - white,
        };
        let san = position.san(m).to_string();
        println!("{san:<7} {games:>7} games {score:>5.1} %");
    }
    Ok(())
}
