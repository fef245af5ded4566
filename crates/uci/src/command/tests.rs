//! Lines as GUIs send them, valid and not.

use tabiya_rules::CastlingMode;

use super::{PositionCommand, Skipped, UciCommand};

fn round(line: &str) -> String {
    UciCommand::parse(line.as_bytes())
        .unwrap_or_else(|error| panic!("{line}: {error}"))
        .to_string()
}

#[test]
fn good_lines_come_back_as_they_were() {
    for line in [
        "uci",
        "debug on",
        "debug off",
        "isready",
        "setoption name Clear Hash",
        "setoption name Debug Log File value /a  b/c",
        "register later",
        "register name Stefan MK code 4359874324",
        "ucinewgame",
        "position startpos",
        "position startpos moves e2e4 e7e5",
        "position fen 8/8/8/8/8/8/8/K1k5 w - - 0 1 moves a1a2",
        "go",
        "go infinite",
        "go ponder wtime 1000 btime 900 winc 10 binc 20 movestogo 40",
        "go depth 6 nodes 18 mate 3 movetime 100",
        "go perft 5",
        "go depth 3 searchmoves e2e4 d2d4",
        "stop",
        "ponderhit",
        "quit",
        "d",
        "bench",
    ] {
        assert_eq!(round(line), line);
    }
}

#[test]
fn junk_spaces_and_line_ends_are_passed_over() {
    assert_eq!(round("joho debug on\r\n"), "debug on");
    assert_eq!(round("  \t isready  \t "), "isready");
    assert_eq!(round("uci hello there"), "uci");
    assert_eq!(
        round("go  depth \t 5   foo bar nodes 7"),
        "go depth 5 nodes 7"
    );
    assert!(UciCommand::parse(b"debug joho on").is_err());
    for unknown in [
        "",
        " ",
        "is ready",
        "STOP",
        "uciok",
        "isready\0",
        "positionposition",
        "x d",
    ] {
        assert!(
            matches!(
                UciCommand::parse(unknown.as_bytes()),
                Ok(UciCommand::Unknown(_))
            ),
            "{unknown}"
        );
    }
}

#[test]
fn a_go_skips_what_it_cannot_read_and_says_so() {
    let read = |line: &str| {
        let mut all = Vec::new();
        let go = UciCommand::parse_with_skipped(line.as_bytes(), |skipped| all.push(skipped));
        (go.expect("every go is one").to_string(), all)
    };
    assert_eq!(read("go wtime -30 btime 5").0, "go wtime 0 btime 5");
    for number in ["x", "1.5", "1e9", "+5", "٥", "0x10", "-1", "0"] {
        let (go, skipped) = read(&format!("go depth {number} nodes 9"));
        assert_eq!(go, "go nodes 9");
        let key = "depth";
        let text = Some(number.to_owned());
        assert_eq!(skipped, [Skipped::Number { key, text }]);
    }
    let (go, skipped) = read("go depth depth 3");
    assert_eq!((go.as_str(), skipped.len()), ("go depth 3", 1));
    let (go, skipped) = read("go searchmoves e2e4 e2e4 e2e4 depth 1");
    assert_eq!(
        (go.as_str(), skipped.len()),
        ("go depth 1 searchmoves e2e4", 0)
    );
    let huge = format!("go nodes {} depth {}", "9".repeat(300), "9".repeat(300));
    assert_eq!(
        read(&huge).0,
        format!("go depth {} nodes {}", u32::MAX, i64::MAX)
    );
}

#[test]
fn a_position_is_whole_or_none() {
    for bad in [
        "position",
        "position fen",
        "position e2e4",
        "position startpos move e2e4",
        "position startpos moves e4",
        "position startpos moves e2e4,e7e5",
        "position startpos moves e2e4 quit",
    ] {
        assert!(UciCommand::parse(bad.as_bytes()).is_err(), "{bad}");
    }
    let play = |line: &str| match UciCommand::parse(line.as_bytes()) {
        Ok(UciCommand::Position(position)) => position.play(CastlingMode::Standard),
        other => panic!("{line}: {other:?}"),
    };
    assert!(play("position fen x").is_err());
    assert_eq!(
        play("position startpos moves e2e4 e2e4")
            .unwrap_err()
            .to_string(),
        "move 2, e2e4, is not legal: No piece on e2."
    );
    let game = play("position startpos moves e2e4 e7e5").expect("legal");
    assert_eq!(game.positions().count(), 3);
    assert_eq!(
        PositionCommand::from(&game).to_string(),
        "position startpos moves e2e4 e7e5"
    );
}

#[test]
fn a_value_cannot_smuggle_a_second_line() {
    let option = UciCommand::SetOption(crate::SetOption {
        name: "a".into(),
        value: Some("b\nquit\r\n\x1b".into()),
    });
    assert!(option.to_string().chars().all(crate::is_plain));
}
