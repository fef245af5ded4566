//! `tabiya engines` through the real program.

use serde_json::Value;

use crate::line_players::stockfish;
#[cfg(unix)]
use crate::saves::Home;
#[cfg(unix)]
use crate::support::finished;
use crate::support::{run, run_with};
#[cfg(unix)]
use crate::tui_saves::settle;

#[test]
fn the_list_can_be_read_by_programs() {
    let out = run(&["engines", "--json"]).fine();
    for line in out.lines() {
        let engine: Value = serde_json::from_str(line).expect("JSON");
        assert!(engine["name"].is_string() && engine["program"].is_string());
    }
    assert!(!run(&["engines"]).fine().is_empty());
}

/// An engine that is missing from the list may be missing because of a mistake in the file.
#[cfg(unix)]
#[test]
fn what_is_wrong_with_the_config_is_said() {
    let home = Home::new("engines-config");
    for (config, said) in [
        (
            "[engines.mine]\npath = 3\n",
            "config.toml:2:1: The path of mine",
        ),
        ("[engines.mine\npath", "This is not TOML"),
    ] {
        settle(&home, config);
        let run = finished(&home.command(&["engines"]).output().expect("it runs"));
        assert!(run.err.contains(said), "{run:?}");
        assert_eq!(run.code, 0, "{run:?}");
    }
}

#[test]
fn what_is_no_engine_is_exit_code_3_with_a_sentence() {
    for (engine, sentence) in [
        ("no-such-engine", "There is no engine 'no-such-engine'"),
        #[cfg(unix)]
        ("/bin/false", "exit code 1"),
        #[cfg(unix)]
        ("/etc/passwd", "may not be executed"),
    ] {
        let run = run_with(&["engines", "check", engine], "");
        assert_eq!((run.code, run.out.as_str()), (3, ""), "{engine}");
        assert!(run.err.contains(sentence), "{}", run.err);
    }
}

#[test]
fn the_programs_own_engine_passes() {
    let path = env!("CARGO_BIN_EXE_tabiya");
    // A path with arguments is one word.
    let engine = format!("'{path}' uci");
    let out = run(&["engines", "check", &engine, "--option", "Hash=1"]).fine();
    assert!(out.starts_with("Tabiya "), "{out}");
    assert!(out.contains("option:  Hash, "), "{out}");
    assert!(out.contains("It works: "), "{out}");
    let refused = run_with(&["engines", "check", &engine, "--option", "Hash=x"], "");
    assert_eq!(refused.code, 3);
    let out = run(&["engines", "check", &engine, "--json"]).fine();
    let found: Value = serde_json::from_str(&out).expect("JSON");
    assert!(
        found["options"]
            .as_array()
            .is_some_and(|all| all.len() >= 10)
    );
    assert!(found["best_move"].is_string());
}

#[test]
#[ignore = "needs Stockfish"]
fn stockfish_passes() {
    let path = stockfish();
    let out = run(&["engines", "check", &path.display().to_string()]).fine();
    assert!(
        out.contains("Stockfish") && out.contains("It works: "),
        "{out}"
    );
}
