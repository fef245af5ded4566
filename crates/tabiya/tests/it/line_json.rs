//! The line mode as JSON: one event a line.

use serde_json::{Value, json};

use crate::line_support::run_lines;

fn events(arguments: &[&str], lines: &[&str]) -> Vec<Value> {
    let out = run_lines(&[&["play", "--json"], arguments].concat(), lines).fine();
    out.lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect()
}

fn names(events: &[Value]) -> Vec<&str> {
    events
        .iter()
        .map(|event| event["event"].as_str().expect("a name"))
        .collect()
}

#[test]
fn every_line_is_an_object_with_an_event() {
    let events = events(&[], &["e2e4", "zzz", "fen", "undo", "redo"]);
    assert_eq!(
        names(&events),
        [
            "new_game", "turn", "moved", "turn", "refused", "turn", "answer", "turn", "undone",
            "turn", "redone", "turn", "goodbye"
        ]
    );
    assert_eq!(
        events[1],
        json!({
            "event": "turn", "side": "white",
            "fen": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "check": false, "legal_moves": 20, "claims": [], "white_ms": null, "black_ms": null,
        })
    );
    let after = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    assert_eq!(
        events[2],
        json!({
            "event": "moved", "ply": 1, "side": "white", "san": "e4", "uci": "e2e4", "captured": null, "check": false,
            "clock_ms": null, "fen": after,
        })
    );
    assert_eq!(
        events[4]["lines"][0],
        json!("Invalid move format 'zzz'. Use coordinate notation, e.g. e2e4.")
    );
    assert_eq!(
        events[6],
        json!({"event": "answer", "command": "fen", "lines": [after]})
    );
}

#[test]
fn there_is_no_board_and_no_prompt() {
    let out = run_lines(&["--json"], &["e4", "set board on", "quit"]).fine();
    assert!(
        out.lines().all(|line| line.starts_with("{\"event\":")),
        "{out}"
    );
}

#[test]
fn an_end_and_the_next_game() {
    let events = events(&[], &["f3", "e5", "g4", "Qh4"]);
    assert_eq!(
        names(&events)[8..],
        ["moved", "ended", "new_game", "turn", "goodbye"]
    );
    assert_eq!(
        events[9],
        json!({
            "event": "ended", "result": "0-1", "winner": "black", "reason": "checkmate",
            "text": "Checkmate! Black wins.",
        })
    );
}

#[test]
fn captures_claims_offers_and_resignation() {
    let capture = events(&["--fen", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"], &["e5d6"]);
    assert_eq!(
        capture[2]["captured"],
        json!({"side": "black", "piece": "pawn", "square": "d5"})
    );

    let claim = events(&["--fen", "4k3/8/8/8/8/8/8/R3K3 w - - 100 90"], &["draw"]);
    assert_eq!(
        names(&claim),
        [
            "new_game",
            "claim_available",
            "turn",
            "draw_claimed",
            "ended",
            "new_game",
            "turn",
            "goodbye"
        ]
    );
    assert_eq!(claim[1]["claims"], json!([{"rule": "fifty", "clock": 100}]));
    assert_eq!(claim[4]["reason"], json!("fifty"));

    let agreed = events(&[], &["offer", "accept"]);
    assert_eq!(
        names(&agreed)[2..6],
        ["draw_offered", "turn", "draw_accepted", "ended"]
    );
    assert_eq!(agreed[2]["side"], json!("white"));

    let resigned = events(&[], &["resign"]);
    assert_eq!(resigned[2], json!({"event": "resigned", "side": "white"}));
    assert_eq!(resigned[3]["winner"], json!("black"));
}

#[test]
fn whoever_gets_no_answer_is_told() {
    let all = events(&[], &["offer white", "e4", "e5", "takeback black", "Nf3"]);
    let lapsed: Vec<_> = all
        .iter()
        .filter(|event| {
            event["event"]
                .as_str()
                .is_some_and(|name| name.ends_with("_lapsed"))
        })
        .map(|event| (event["event"].as_str(), event["side"].as_str()))
        .collect();
    assert_eq!(
        lapsed,
        [
            (Some("draw_lapsed"), Some("white")),
            (Some("takeback_lapsed"), Some("black"))
        ]
    );
}

#[test]
fn takebacks_places_pauses_and_policies() {
    let all = events(
        &["--clock", "5+3"],
        &[
            "e4",
            "takeback white",
            "decline",
            "takeback white",
            "accept",
            "goto start",
            "pause",
            "pause",
            "set draws auto",
            "fen startpos",
            "flip",
        ],
    );
    let others: Vec<&str> = names(&all)
        .into_iter()
        .filter(|&name| name != "turn")
        .collect();
    assert_eq!(
        others,
        [
            "new_game",
            "moved",
            "takeback_asked",
            "takeback_declined",
            "takeback_asked",
            "takeback_granted",
            "undone",
            "went_to",
            "paused",
            "resumed",
            "policy_changed",
            "position_loaded",
            "answer",
            "goodbye"
        ]
    );
    let left = all[1]["white_ms"].as_u64().expect("a clock");
    assert!((200_000..=300_000).contains(&left), "{left}");
}
