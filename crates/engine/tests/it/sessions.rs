//! Random sessions with the engine as a program: exactly one move for each `go`, none otherwise, and no hang.

use std::time::Duration;

use tabiya_rules::SplitMix64;

use crate::support::{Conversation, is_best, size};

const LIMIT: Duration = Duration::from_secs(20);

const LINES: [&str; 29] = [
    "uci",
    "isready",
    "ucinewgame",
    "debug on",
    "position startpos",
    "position startpos moves e2e4 e7e5 g1f3",
    "position fen 8/8/8/4k3/8/8/4P3/4K3 w - - 0 1",
    "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves e1g1",
    "go depth 1",
    "go depth 2",
    "go nodes 500",
    "go movetime 3",
    "go wtime 100 btime 100 winc 1 binc 1 movestogo 5",
    "go mate 1",
    "go depth 1 searchmoves e2e4 d2d4",
    "go ponder depth 1",
    "go infinite",
    "stop",
    "stop",
    "stop",
    "ponderhit",
    "ponderhit",
    "setoption name MultiPV value 2",
    "setoption name Hash value 2",
    "setoption name UCI_Chess960 value true",
    "setoption name Clear Hash",
    "setoption name UCI_ShowWDL value true",
    "d",
    "nonsense",
];

#[test]
fn random_sessions_have_one_move_for_each_go() {
    for seed in 0..size("TABIYA_SESSIONS", 40) {
        session(seed);
    }
}

fn session(seed: u64) {
    let mut random = SplitMix64::new(seed);
    let mut talk = Conversation::start();
    let mut asked = 0;
    for _ in 0..100 {
        let line = LINES[random.below(LINES.len())];
        asked += usize::from(line.starts_with("go"));
        talk.send(line.as_bytes());
        if random.below(8) == 0 {
            std::thread::sleep(Duration::from_millis(random.below(20) as u64));
        }
    }
    talk.send(b"stop");
    talk.send(b"setoption name The End");
    let mut seen = talk.lines.until(|line| line.contains("The End"), LIMIT);
    talk.send(b"quit");
    talk.assert_exit(LIMIT);
    // A superfluous move may come as late as this.
    seen.extend(std::iter::from_fn(|| talk.lines.next(LIMIT)));
    let moves = seen.iter().filter(|line| is_best(line)).count();
    assert_eq!(moves, asked, "seed {seed}");
}
