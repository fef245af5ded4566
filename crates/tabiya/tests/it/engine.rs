//! `tabiya uci` and `tabiya bench` through the real program.

use crate::support::run_with;

#[test]
fn uci_answers_the_handshake_and_says_one_move_for_each_go() {
    let input = "uci\nisready\nposition startpos moves e2e4\ngo depth 2\n";
    let output = run_with(&["uci"], input);
    assert_eq!(output.code, 0);
    for line in ["uciok", "readyok"] {
        assert!(
            output.out.lines().any(|found| found == line),
            "{}",
            output.out
        );
    }
    assert_eq!(output.out.matches("bestmove").count(), 1, "{}", output.out);
}

#[test]
fn bench_prints_the_same_count_every_time() {
    let count = || {
        let output = run_with(&["bench"], "");
        assert_eq!(output.code, 0);
        let words: Vec<&str> = output.out.split_whitespace().collect();
        assert!(
            matches!(words.as_slice(), [_, "nodes", _, "nps"]),
            "{}",
            output.out
        );
        words[0].parse::<u64>().expect("a count")
    };
    assert_eq!(count(), count());
}
