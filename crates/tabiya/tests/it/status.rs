//! `tabiya status`: single positions, and positions that moves lead to.

use serde_json::{Value, json};

use crate::support::{json, run};

fn text(arguments: &[&str]) -> String {
    let all: Vec<&str> = ["status"]
        .into_iter()
        .chain(arguments.iter().copied())
        .collect();
    run(&all).fine()
}

fn value(arguments: &[&str]) -> Value {
    let all: Vec<&str> = ["status", "--json"]
        .into_iter()
        .chain(arguments.iter().copied())
        .collect();
    json(run(&all))
}

#[test]
fn an_ongoing_position() {
    assert_eq!(text(&[]), "ongoing\n");
    assert_eq!(
        value(&["startpos"]),
        json!({
            "fen": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "status": "ongoing", "winner": null, "reason": null, "check": false, "claims": [],
            "legal_moves": 20, "clock": 0, "repetitions": 1, "opening": null,
        })
    );
}

#[test]
fn the_keys_stand_in_their_order() {
    let out = run(&["status", "--json"]).fine();
    let places: Vec<usize> =
        "fen status winner reason check claims legal_moves clock repetitions opening"
            .split(' ')
            .map(|key| out.find(&format!("\"{key}\":")).expect("the key is there"))
            .collect();
    assert!(places.is_sorted());
}

#[test]
fn check_checkmate_and_stalemate() {
    assert_eq!(
        text(&["4k3/8/8/8/8/8/8/r3K3 w - - 0 1"]),
        "ongoing\ncheck: White is in check\n"
    );
    assert_eq!(
        text(&["k6Q/8/K7/8/8/8/8/8 b - - 0 1"]),
        "checkmate: White wins\n"
    );
    assert_eq!(text(&["k7/8/1QK5/8/8/8/8/8 b - - 0 1"]), "stalemate\n");
    assert_eq!(text(&["7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"]), "stalemate\n");

    let check = value(&["4k3/8/8/8/8/8/8/r3K3 w - - 3 9"]);
    assert_eq!(
        (&check["status"], &check["check"]),
        (&json!("ongoing"), &json!(true))
    );
    assert_eq!(check["clock"], json!(3));
    let mate = value(&["k6Q/8/K7/8/8/8/8/8 b - - 0 1"]);
    assert_eq!(
        (&mate["status"], &mate["winner"]),
        (&json!("checkmate"), &json!("white"))
    );
    assert_eq!(
        (&mate["reason"], &mate["check"]),
        (&Value::Null, &json!(true))
    );
    assert_eq!(mate["legal_moves"], json!(0));
    let stalemate = value(&["k7/8/1QK5/8/8/8/8/8 b - - 0 1"]);
    assert_eq!(
        (&stalemate["status"], &stalemate["winner"]),
        (&json!("stalemate"), &Value::Null)
    );
}

#[test]
fn insufficient_material() {
    for fen in [
        "8/8/4k3/8/8/4K3/8/8 w - - 0 1",
        "8/8/4k3/8/8/4KB2/8/8 w - - 0 1",
        "8/8/4k3/8/8/4KN2/8/8 w - - 0 1",
        "2b5/8/4k3/8/8/4K3/8/5B2 w - - 0 1",
    ] {
        assert_eq!(text(&[fen]), "draw: insufficient material\n", "{fen}");
        let value = value(&[fen]);
        assert_eq!(value["status"], json!("draw"));
        assert_eq!(value["reason"], json!("insufficient_material"));
    }
    for fen in [
        "5b2/8/4k3/8/8/4K3/8/5B2 w - - 0 1",
        "8/8/4k3/8/8/4KN2/5N2/8 w - - 0 1",
        "8/5n2/4k3/8/8/4KB2/8/8 w - - 0 1",
    ] {
        assert_eq!(text(&[fen]), "ongoing\n", "{fen}");
    }
}

#[test]
fn fifty_moves_are_a_claim_and_seventy_five_a_draw() {
    let at = |clock: u32| format!("4k3/8/8/8/8/8/8/R3K3 w - - {clock} 90");
    assert_eq!(text(&[&at(99)]), "ongoing\n");
    assert_eq!(
        text(&[&at(100)]),
        "ongoing\nclaim: White may claim a draw by the 50-move rule (clock 100)\n"
    );
    let open = value(&[&at(149)]);
    assert_eq!(open["claims"], json!([{"rule": "fifty", "clock": 149}]));
    for clock in [150, 151, 4000] {
        assert_eq!(text(&[&at(clock)]), "draw: 75-move rule\n");
        assert_eq!(value(&[&at(clock)])["reason"], json!("seventy_five"));
    }
    assert_eq!(text(&[&at(100), "--draws", "auto"]), "draw: 50-move rule\n");
    let auto = value(&[&at(100), "--draws", "auto"]);
    assert_eq!(
        (&auto["reason"], &auto["claims"]),
        (&json!("fifty"), &json!([]))
    );
}

#[test]
fn mate_comes_before_every_draw() {
    let fen = "k6Q/8/K7/8/8/8/8/8 b - - 150 90";
    assert_eq!(text(&[fen, "--draws", "auto"]), "checkmate: White wins\n");
    let before = "k7/8/K7/8/8/8/8/Q7 w - - 99 90";
    assert_eq!(
        text(&[before, "--moves", "a1h8"]),
        "checkmate: White wins\n"
    );
}

#[test]
fn moves_in_either_notation_are_played_first() {
    assert_eq!(
        text(&["--moves", "f2f3 e7e5 g2g4 d8h4"]),
        "checkmate: Black wins\nopening: A00 Barnes Opening: Fool's Mate\n"
    );
    assert_eq!(
        text(&["--moves", "e2e4 e5 Qh5 Nc6 Bc4 Nf6 Qxf7#"]),
        "checkmate: White wins\nopening: C20 King's Pawn Game: Wayward Queen Attack\n"
    );
    let after = value(&["--moves", "e4"]);
    assert_eq!(
        after["fen"],
        json!("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1")
    );
    assert_eq!(value(&["--moves", "  "])["legal_moves"], json!(20));
}

fn knights(cycles: usize) -> String {
    ["Nf3 Nf6 Ng1 Ng8"].repeat(cycles).join(" ")
}

#[test]
fn repetition_is_counted_from_the_start() {
    let once = value(&["--moves", &knights(1)]);
    assert_eq!(
        (&once["repetitions"], &once["claims"]),
        (&json!(2), &json!([]))
    );
    let thrice = value(&["--moves", &knights(2)]);
    assert_eq!(thrice["repetitions"], json!(3));
    assert_eq!(thrice["claims"], json!([{"rule": "threefold", "count": 3}]));
    assert_eq!(
        text(&["--moves", &knights(2)]),
        "ongoing\nclaim: White may claim a draw by threefold repetition (occurred 3 times)\n\
         opening: A05 Zukertort Opening: Indian Defense\n"
    );
    assert_eq!(
        text(&["--moves", &knights(4)]),
        "draw: fivefold repetition\nopening: A05 Zukertort Opening: Indian Defense\n"
    );
    let fivefold = value(&["--moves", &knights(4)]);
    assert_eq!(
        (&fivefold["reason"], &fivefold["repetitions"]),
        (&json!("fivefold"), &json!(5))
    );
    let auto = value(&["--moves", &knights(2), "--draws", "auto"]);
    assert_eq!(
        (&auto["status"], &auto["reason"]),
        (&json!("draw"), &json!("threefold"))
    );
}

#[test]
fn kings_without_their_rights_are_not_where_they_were() {
    let moves: Vec<&str> = ["e2e4", "e7e5"]
        .into_iter()
        .chain(["Ke2", "Ke7", "Ke1", "Ke8"].into_iter().cycle().take(12))
        .collect();
    let count =
        |plies: usize| value(&["--moves", &moves[..plies].join(" ")])["repetitions"].clone();
    assert_eq!(count(10), json!(2));
    assert_eq!(count(12), json!(3));
    assert_eq!(count(14), json!(3));
}

#[test]
fn an_en_passant_capture_that_a_pin_forbids_makes_no_difference() {
    let fen = "6k1/1p2p1rp/rP1pR3/2pP1pP1/p1P2P1P/R5K1/8/8 b - - 0 1";
    let moves = "h5 Rh6 Rh7 Re6 Rg7 Rh6 Rh7 Re6 Rg7";
    assert_eq!(value(&[fen, "--moves", moves])["repetitions"], json!(3));
}

#[test]
fn both_claims_at_once() {
    let fen = "4k3/8/8/8/8/8/8/R3K3 w - - 96 90";
    let moves = "a1a2 e8e7 a2a1 e7e8 a1a2 e8e7 a2a1 e7e8";
    assert_eq!(
        value(&[fen, "--moves", moves])["claims"],
        json!([{"rule": "fifty", "clock": 104}, {"rule": "threefold", "count": 3}])
    );
}

#[test]
fn a_refused_move_is_named_with_the_reason() {
    assert_eq!(
        run(&["status", "--moves", "e4 e5 e4e5"]).refused(),
        "tabiya: move 3 of --moves, 'e4e5', is refused: The way is blocked by the piece on e5.\n"
    );
    assert!(
        run(&["status", "--moves", "hello"])
            .refused()
            .contains("'hello'")
    );
    // The text is quoted twice, by the same rule.
    let accented = run(&["status", "--moves", "e\u{301}9"]).refused();
    assert_eq!(accented.matches("'e\u{301}9'").count(), 2, "{accented}");
    let promotion = "8/4P3/8/8/8/8/8/k6K w - - 0 1";
    assert!(
        run(&["status", promotion, "--moves", "e7e8"])
            .refused()
            .contains("Promotion piece required: q, r, b or n.")
    );
    for piece in ["q", "r"] {
        assert_eq!(
            text(&[promotion, "--moves", &format!("e7e8{piece}")]),
            "ongoing\n"
        );
    }
    for piece in ["b", "n"] {
        assert_eq!(
            text(&[promotion, "--moves", &format!("e7e8{piece}")]),
            "draw: insufficient material\n"
        );
    }
    for piece in ["k", "p", "qx"] {
        run(&["status", promotion, "--moves", &format!("e7e8{piece}")]).refused();
    }
}

#[test]
fn no_move_follows_the_end() {
    assert_eq!(
        run(&["status", "--moves", "f3 e5 g4 Qh4 a3"]).refused(),
        "tabiya: move 5 of --moves, 'a3', is refused: The game is over: Checkmate! Black wins.\n"
    );
}

#[test]
fn chess960_is_read_and_written() {
    let fen = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";
    assert_eq!(value(&[fen])["fen"], json!(fen));
    assert_eq!(
        value(&[fen, "--chess960"])["fen"],
        json!("4k3/8/8/8/8/8/8/R3K2R w HA - 0 1")
    );
    let castled = value(&[fen, "--chess960", "--moves", "e1h1"]);
    assert_eq!(castled["fen"], json!("4k3/8/8/8/8/8/8/R4RK1 b - - 1 1"));
}

#[test]
fn a_bad_fen_is_refused() {
    assert!(
        run(&["status", "nothing"])
            .refused()
            .starts_with("tabiya: bad FEN, field 1")
    );
}

#[test]
fn the_opening_is_named_by_position() {
    let ruy = "e4 e5 Nf3 Nc6 Bb5";
    assert_eq!(
        value(&["--moves", ruy])["opening"],
        json!({"eco": "C60", "name": "Ruy Lopez"})
    );
    assert_eq!(text(&["--moves", ruy]), "ongoing\nopening: C60 Ruy Lopez\n");
    // By another order of moves, from a FEN, and where the last moves have no name of their own.
    let fen = "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3";
    for arguments in [
        &["--moves", "Nf3 Nc6 e4 e5 Bb5"][..],
        &[fen],
        &[fen, "--moves", "h5 h4 Rh7"],
    ] {
        assert_eq!(value(arguments)["opening"]["name"], json!("Ruy Lopez"));
    }
    assert_eq!(
        value(&["4k3/8/8/8/8/8/8/4K3 w - - 0 1"])["opening"],
        Value::Null
    );
}

/// What is pasted from a game has its numbers.
#[test]
fn moves_may_have_their_numbers() {
    let plain = run(&["status", "--json", "--moves", "e4 e5 Nf3 Nc6"]).fine();
    for moves in [
        "1. e4 e5 2. Nf3 Nc6",
        "1.e4 e5 2.Nf3 Nc6",
        "1. e4 1... e5 2.Nf3 2...Nc6",
    ] {
        assert_eq!(
            run(&["status", "--json", "--moves", moves]).fine(),
            plain,
            "{moves}"
        );
    }
}
