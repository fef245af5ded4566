//! Random sessions: exactly one move for each `go`, none otherwise, and no hang.

use std::time::Duration;

use tabiya_rules::SplitMix64;

use crate::session::Session;
use crate::support::is_best;

#[test]
fn random_sessions_have_one_move_for_each_go() {
    let count = std::env::var("TABIYA_RELEASE").map_or(40, |_| 10_000);
    for seed in 0..count {
        session(seed);
    }
}

fn session(seed: u64) {
    let mut random = SplitMix64::new(seed);
    let mut session = Session::start();
    let mut asked = 0;
    for _ in 0..100 {
        let line = match random.below(16) {
            0 => "go infinite",
            1 => "go depth 1",
            2 => "go movetime 5",
            3 => "go ponder depth 2",
            4 => "go nodes 300",
            5 => "go wtime 50 btime 50",
            6 | 7 => "stop",
            8 | 9 => "ponderhit",
            10 => "position startpos moves e2e4",
            11 => "position fen 8/8/8/4k3/8/8/4P3/4K3 w - - 0 1",
            12 => "setoption name MultiPV value 2",
            13 => "ucinewgame",
            14 => "isready",
            _ => "nonsense",
        };
        asked += usize::from(line.starts_with("go"));
        session.say(line);
        if random.below(4) == 0 {
            std::thread::sleep(Duration::from_millis(random.below(5) as u64));
        }
    }
    session.say("stop");
    session.say("setoption name The End");
    let limit = Duration::from_secs(20);
    let seen = session.lines.until(|line| line.contains("The End"), limit);
    let moves = seen.iter().filter(|line| is_best(line)).count();
    assert_eq!(moves, asked, "seed {seed}");
    session.end();
}
