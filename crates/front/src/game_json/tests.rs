//! A game as JSON.

use tabiya_game::pgn;

use super::text as json;

#[test]
fn evaluations_squares_and_arrows_are_written() {
    let text = "1. e4 {[%eval 0.31,12] [%csl Ge5,Rd4] [%cal Yg1f3]} e5 {[%eval #-3]} 2. Qh5 {[%eval #0]} *";
    let game = pgn::games(text.as_bytes()).next().expect("a game");
    let written = json(&game.record);
    for part in [
        r#""evaluation":{"cp":31,"depth":12}"#,
        r#""squares":[{"color":"green","square":"e5"},{"color":"red","square":"d4"}]"#,
        r#""arrows":[{"color":"yellow","from":"g1","to":"f3"}]"#,
        r#""evaluation":{"mate":-3}"#,
        r#""evaluation":{"mate_given":true}"#,
    ] {
        assert!(written.contains(part), "{part}\n{written}");
    }
    assert_eq!(written.matches("squares").count(), 1, "{written}");
}
