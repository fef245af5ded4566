//! Mates in up to three moves are found. The positions are made here, and solved by trying everything.

use tabiya_engine::{AlphaBeta, Control, Level, Request, Searcher};
use tabiya_rules::{MoveHistory, Position, Score, SplitMix64, Status};

/// Can the side to move force mate in this many moves? Tries everything.
fn mates_in(position: &Position, moves: u32) -> bool {
    position.legal_moves().iter().any(|&m| {
        let next = position.play_unchecked(m);
        if moves == 1 && !next.is_check() {
            return false;
        }
        let answers = next.legal_moves();
        match (answers.is_empty(), next.is_check()) {
            (true, mated) => mated,
            (false, _) if moves == 1 => false,
            // The most forcing positions have the fewest answers, and one that escapes is enough.
            (false, _) => answers
                .iter()
                .all(|&answer| mates_in(&next.play_unchecked(answer), moves - 1)),
        }
    })
}

/// The least number of moves, up to three, in which the side to move mates.
fn distance(position: &Position) -> Option<u32> {
    (1..=3).find(|&moves| mates_in(position, moves))
}

/// Positions before a mate, from games of a level against a random mover that ended in one.
fn positions(count: usize) -> Vec<(MoveHistory, u32)> {
    let mut random = SplitMix64::new(20);
    let mut found: Vec<(MoveHistory, u32)> = Vec::new();
    let mut searcher = AlphaBeta::default();
    for seed in 0.. {
        let played = game(&mut searcher, &mut random, seed);
        let moves = played.moves();
        if !matches!(played.current().status(), Status::Checkmate { .. }) {
            continue;
        }
        // The mating side to move, one to five plies before the end.
        for back in [5, 3, 1].into_iter().filter(|&back| back <= moves.len()) {
            let mut before = MoveHistory::new(*played.start());
            for &m in &moves[..moves.len() - back] {
                before.push(m).expect("legal");
            }
            if let Some(moves) = distance(before.current()) {
                found.push((before, moves));
            }
        }
        if found.len() >= count {
            break;
        }
    }
    found
}

/// A game of a level with White against a random mover.
fn game(searcher: &mut AlphaBeta, random: &mut SplitMix64, seed: u64) -> MoveHistory {
    let mut played = MoveHistory::default();
    while played.current().status() == Status::Ongoing && played.moves().len() < 120 {
        let moves = played.current().legal_moves();
        let m = if played.moves().len() % 2 == 0 {
            let request = Request::new(played.clone())
                .with_level(Level::new(4))
                .with_seed(seed);
            let answer = searcher.search(&request, &Control::new(), &mut |_| {});
            answer.best.expect("there are moves")
        } else {
            moves[random.below(moves.len())]
        };
        played.push(m).expect("legal");
    }
    played
}

#[test]
fn mates_in_three_are_found() {
    let release = std::env::var("TABIYA_RELEASE").is_ok();
    let positions = positions(if release { 240 } else { 20 });
    let mut missed = Vec::new();
    let mut by_length = [0; 4];
    for (played, moves) in &positions {
        // About a tenth of a second for one thread.
        let request = Request::new(played.clone())
            .with_nodes(200_000)
            .with_mate(*moves)
            .with_depth(40);
        let mut last = None;
        AlphaBeta::default().search(&request, &Control::new(), &mut |report| {
            last = Some(report.score);
        });
        by_length[*moves as usize] += 1;
        match last {
            Some(Score::MateIn(found)) if found <= *moves => {}
            other => missed.push((played.current().to_string(), *moves, other)),
        }
    }
    println!("{by_length:?} by length, missed: {missed:?}");
    assert!(missed.len() * 20 <= positions.len(), "{missed:?}");
}
