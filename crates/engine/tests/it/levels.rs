//! Levels against players that are simple enough to know how strong they are.

use tabiya_engine::{AlphaBeta, Control, Level, Request, Searcher};
use tabiya_rules::{Color, Move, Position, Role, SplitMix64, Status};
use tabiya_uci::Played;

const VALUES: [i32; 6] = [1, 3, 3, 5, 9, 0];

/// Pawns' worth for the side to move.
fn material(position: &Position) -> i32 {
    let pieces = position.board().material();
    let sum = |color: Color| -> i32 {
        Role::ALL
            .into_iter()
            .map(|role| pieces[color][role] as i32 * VALUES[role as usize])
            .sum()
    };
    sum(position.turn()) - sum(!position.turn())
}

/// The material after all captures that are worth it.
fn settled(position: &Position, mut alpha: i32, beta: i32, depth: u32) -> i32 {
    let standing = material(position);
    if standing >= beta || depth == 0 {
        return standing;
    }
    alpha = alpha.max(standing);
    for &m in &position.captures() {
        let value = -settled(&position.play(m), -beta, -alpha, depth - 1);
        if value >= beta {
            return value;
        }
        alpha = alpha.max(value);
    }
    alpha
}

/// Leaves nothing hanging, takes what hangs, mates if it can at once, and has no other idea.
fn careful(position: &Position, random: &mut SplitMix64) -> Move {
    let moves = position.legal_moves();
    let worth = |m: Move| {
        let next = position.play(m);
        match next.status() {
            Status::Checkmate { .. } => 1000,
            status if status.is_over() => 0,
            _ => -settled(&next, -100, 100, 6),
        }
    };
    let worths: Vec<i32> = moves.iter().map(|&m| worth(m)).collect();
    let best = worths.iter().copied().max().unwrap_or(0);
    let good: Vec<Move> = moves
        .iter()
        .zip(&worths)
        .filter(|&(_, &worth)| worth == best)
        .map(|(&m, _)| m)
        .collect();
    good[random.below(good.len())]
}

fn random_mover(position: &Position, random: &mut SplitMix64) -> Move {
    let moves = position.legal_moves();
    moves[random.below(moves.len())]
}

/// The level's points from a game; a long one is decided by a queen's worth of material, for neither of these
/// opponents knows how to mate.
fn points(
    level: Level,
    color: Color,
    opponent: fn(&Position, &mut SplitMix64) -> Move,
    seed: u64,
) -> f64 {
    let mut random = SplitMix64::new(seed);
    let mut searcher = AlphaBeta::default();
    let mut played = Played::default();
    loop {
        let position = *played.current();
        let lead = material(&position) * if position.turn() == color { 1 } else { -1 };
        match position.status() {
            Status::Checkmate { winner } => return f64::from(u8::from(winner == color)),
            Status::Ongoing if position.halfmove_clock() >= 100 || played.moves().len() > 300 => {
                return match lead {
                    9.. => 1.0,
                    ..=-9 => 0.0,
                    _ => 0.5,
                };
            }
            Status::Ongoing => {}
            _ => return 0.5,
        }
        let m = if position.turn() == color {
            let request = Request {
                level: Some(level),
                seed,
                ..Request::new(played.clone())
            };
            let answer = searcher.search(&request, &Control::new(), &mut |_| {});
            answer.best.expect("there are moves")
        } else {
            opponent(&position, &mut random)
        };
        played.push(m);
    }
}

fn score(level: u8, opponent: fn(&Position, &mut SplitMix64) -> Move) -> f64 {
    let count = std::env::var("TABIYA_RELEASE").map_or(10, |_| 200);
    let level = Level::new(level).expect("from 1 to 10");
    let sum: f64 = (0..count)
        .map(|seed| points(level, Color::ALL[seed as usize % 2], opponent, seed))
        .sum();
    sum / f64::from(count as u32)
}

#[test]
fn the_first_level_loses_to_somebody_careful() {
    let score = score(1, careful);
    println!("{score}");
    assert!(score <= 0.1);
}

#[test]
fn the_first_level_is_no_random_mover() {
    assert!(score(1, random_mover) >= 0.9);
}

#[test]
fn the_sixth_level_beats_somebody_careful() {
    assert!(score(6, careful) >= 0.8);
}
