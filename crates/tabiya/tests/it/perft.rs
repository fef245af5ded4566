//! `tabiya perft`, alone and with a suite.

use serde_json::json;

use test_suites::{PERFT, Suites, test_on_suites};

use crate::support::{json, run, run_with};

test_on_suites!(the_suites_hold);

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

#[test]
fn the_count_of_a_depth() {
    assert_eq!(run(&["perft", "0"]).fine(), "Nodes searched: 1\n");
    assert_eq!(run(&["perft", "4"]).fine(), "Nodes searched: 197281\n");
    assert_eq!(
        run(&["perft", "3", KIWIPETE]).fine(),
        "Nodes searched: 97862\n"
    );
    let bare: Vec<&str> = ["perft", "3"]
        .into_iter()
        .chain(KIWIPETE.split(' '))
        .collect();
    assert_eq!(run(&bare).fine(), "Nodes searched: 97862\n");
}

#[test]
fn divide_prints_the_count_below_each_move() {
    let out = run(&["perft", "2", "k7/8/K7/8/8/8/8/Q7 w - - 0 1", "--divide"]).fine();
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines[0], "a1a2: 1");
    assert_eq!(lines[lines.len() - 2], "");
    let total: u64 = lines
        .iter()
        .filter_map(|line| line.split_once(": "))
        .filter(|(played, _)| played.len() == 4)
        .map(|(_, count)| count.parse::<u64>().expect("a count"))
        .sum();
    assert_eq!(lines[lines.len() - 1], format!("Nodes searched: {total}"));
    assert!(lines[..lines.len() - 2].is_sorted());

    let start = run(&["perft", "2", "--divide"]).fine();
    assert!(start.contains("e2e4: 20\n") && start.ends_with("h2h4: 20\n\nNodes searched: 400\n"));
    assert_eq!(
        run(&["perft", "0", "--divide"]).fine(),
        "\nNodes searched: 1\n"
    );
}

#[test]
fn threads_and_a_table_give_the_same_numbers() {
    let plain = run(&["perft", "4", KIWIPETE, "--divide"]).fine();
    assert!(plain.ends_with("Nodes searched: 4085603\n"));
    for flags in [
        &["--threads", "2"][..],
        &["--hash", "4"],
        &["--threads", "3", "--hash", "1"],
    ] {
        let arguments: Vec<&str> = ["perft", "4", KIWIPETE, "--divide"]
            .into_iter()
            .chain(flags.iter().copied())
            .collect();
        assert_eq!(run(&arguments).fine(), plain, "{flags:?}");
    }
}

#[test]
fn castles_in_divide_follow_the_mode() {
    let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    assert!(
        run(&["perft", "1", fen, "--divide"])
            .fine()
            .contains("e1g1: 1")
    );
    assert!(
        run(&["perft", "1", fen, "--divide", "--chess960"])
            .fine()
            .contains("e1h1: 1")
    );
}

#[test]
fn json_has_the_count() {
    let fen = "k7/8/K7/8/8/8/8/Q7 b - - 0 1";
    assert_eq!(
        json(run(&["perft", "1", fen, "--json", "--divide"])),
        json!({"fen": fen, "depth": 1, "nodes": 1, "divide": [{"move": "a8b8", "nodes": 1}]})
    );
    assert_eq!(
        json(run(&["perft", "1", fen, "--json"])),
        json!({"fen": fen, "depth": 1, "nodes": 1})
    );
}

#[test]
fn a_bad_fen_is_refused() {
    assert!(
        run(&["perft", "3", "nothing"])
            .refused()
            .starts_with("tabiya: bad FEN")
    );
}

#[test]
fn a_table_beyond_all_memory_is_exit_code_3() {
    let run = run(&["perft", "1", "--hash", "1048576"]);
    // A machine that promises memory it does not have lets this pass.
    if run.code != 0 {
        assert_eq!((run.code, run.out.as_str()), (3, ""));
        assert_eq!(
            run.err,
            "tabiya: there is no memory for a table of 1048576 MiB\n"
        );
    }
}

const SUITE: &str = "\
# a remark

rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400 ;D3 8902
4k3/8/8/8/8/8/8/R3K2R w HA - 0 1 ;D1 26 ; why nothing\r
8/8/4k3/8/8/4K3/8/8 w - - ;D4 100000000
";

#[test]
fn a_suite_that_is_right_passes() {
    let run = run_with(&["perft", "--suite", "-", "--max-nodes", "10000"], SUITE);
    assert_eq!(run.out, "suite: 2 passed, 0 failed\n");
    assert_eq!(run.err, "1 left out: every count is over --max-nodes\n");
    assert_eq!(run.code, 0);
}

#[test]
fn each_mismatch_is_named_and_the_exit_code_is_1() {
    let text = "\
8/8/4k3/8/8/4K3/8/8 w - - 0 1 ;D1 8 ;D2 63
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 21 ;D2 400 ;D3 0
nothing ;D1 20
8/8/4k3/8/8/4K3/8/8 w - - 0 1 ;D1
8/8/4k3/8/8/4K3/8/8 w - - 0 1
";
    let run = run_with(&["perft", "--suite", "-"], text);
    assert_eq!((run.code, run.err.as_str()), (1, ""));
    let lines: Vec<&str> = run.out.lines().collect();
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    assert_eq!(
        lines[0],
        "line 1: D2 expected 63, found 57: 8/8/4k3/8/8/4K3/8/8 w - - 0 1"
    );
    assert_eq!(
        lines[1],
        format!("line 2: D1 expected 21, found 20: {start}")
    );
    assert_eq!(
        lines[2],
        format!("line 2: D3 expected 0, found 8902: {start}")
    );
    assert!(lines[3].starts_with("line 3: bad FEN, field 1"));
    assert!(lines[4].starts_with("line 4: expected a depth and a count such as D3 8902, not 'D1'"));
    assert!(lines[5].starts_with("line 5: expected counts"));
    assert_eq!(lines[6..], ["suite: 0 passed, 5 failed"]);
}

#[test]
fn a_suite_in_json_is_an_object_for_each_mismatch_and_the_summary() {
    let text = "8/8/4k3/8/8/4K3/8/8 w - - 0 1 ;D1 9\nnothing ;D1 1\n";
    let run = run_with(&["perft", "--suite", "-", "--json"], text);
    assert_eq!(run.code, 1);
    let values: Vec<serde_json::Value> = run
        .out
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let fen = "8/8/4k3/8/8/4K3/8/8 w - - 0 1";
    assert_eq!(
        values[0],
        json!({"line": 1, "fen": fen, "depth": 1, "expected": 9, "found": 8})
    );
    assert_eq!(
        (&values[1]["line"], &values[1]["fen"]),
        (&json!(2), &json!("nothing"))
    );
    assert!(values[1]["error"].is_string());
    assert_eq!(
        values[2..],
        [json!({"passed": 0, "failed": 2, "skipped": 0})]
    );
}

#[test]
fn a_file_that_cannot_be_read_is_exit_code_3() {
    for name in ["no such file", "."] {
        let run = run(&["perft", "--suite", name]);
        assert_eq!((run.code, run.out.as_str()), (3, ""));
        assert!(
            run.err.starts_with(&format!("tabiya: {name}: ")),
            "{}",
            run.err
        );
    }
}

fn the_suites_hold(suites: &Suites) {
    for suite in suites.files(PERFT) {
        let file = suite.path.to_str().expect("a path in UTF-8");
        let run = run(&[
            "perft",
            "--suite",
            file,
            "--max-nodes",
            "100000",
            "--threads",
            "2",
        ]);
        assert_eq!(run.code, 0, "{}", run.out);
        assert!(run.out.ends_with(" passed, 0 failed\n"), "{}", run.out);
    }
}

#[test]
fn numbers_that_are_none_are_said_in_words() {
    let refused = |arguments: &[&str]| {
        let run = run(arguments);
        assert_eq!(run.code, 2, "{arguments:?}");
        run.err
    };
    let text = refused(&["perft", "x"]);
    assert!(text.contains("a whole number from 0 to 255"), "{text}");
    let text = refused(&["match", "bot:1", "bot:1", "--games", "0"]);
    assert!(text.contains("a whole number, at least 1"), "{text}");
    let text = refused(&["match", "foo", "bot:1"]);
    assert!(
        text.contains("played by bots and engines") && !text.contains("human"),
        "{text}"
    );
}
