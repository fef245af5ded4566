//! The suites of the folder that TABIYA_SUITES names: perft counts, complete move sets, FEN, SAN,
//! UCI moves, draws and Polyglot keys. Without the folder each says in a line that it was left out.

use std::collections::{BTreeSet, HashMap};

use tabiya_rules::{
    CastlingMode, CastlingNotation, Color, EnPassantMode, Position, SanError, Setup, Status,
    Waivers, perft,
};

use crate::support::{lines, position, suite, unescape};

/// Counts up to this many nodes are checked; the release tier raises it.
fn most_nodes() -> u64 {
    std::env::var("TABIYA_PERFT_NODES").map_or(100_000, |text| text.parse().expect("a number"))
}

fn check_perft(fen: &str, position: &Position, counts: &str) -> u32 {
    let mut checked = 0;
    for count in counts
        .split(';')
        .map(str::trim)
        .filter(|text| text.starts_with('D'))
    {
        let (depth, nodes) = count[1..].split_once(' ').expect("a depth and a count");
        let nodes: u64 = nodes.trim().parse().expect("a count");
        if nodes <= most_nodes() {
            let depth = depth.parse().expect("a depth");
            assert_eq!(perft(position, depth), nodes, "{fen} at depth {depth}");
            checked += 1;
        }
    }
    checked
}

#[test]
fn perft_counts_of_the_suites() {
    for file in [
        "perft/standard.txt",
        "perft/chess960.txt",
        "perft/ferdy_double_check.txt",
        "perft/ferdy_enpassant.txt",
        "perft/ferdy_single_check.txt",
    ] {
        let Some(text) = suite(file) else { continue };
        let mut checked = 0;
        for line in lines(&text) {
            let (fen, counts) = line.split_once(';').expect("a FEN and counts");
            // Positions on which programs only agree once checks need no explanation.
            let setup = Setup::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
            let position = setup
                .position_waiving(Waivers::EN_PASSANT.and(Waivers::IMPOSSIBLE_CHECK))
                .unwrap_or_else(|error| panic!("{fen}: {error}"));
            checked += check_perft(fen, &position, counts);
        }
        assert!(checked > 0, "{file} holds no count that is small enough");
    }
}

#[test]
fn perft_of_unreachable_positions() {
    let Some(text) = suite("perft/unreachable.txt") else {
        return;
    };
    for line in lines(&text) {
        let (fen, counts) = line.split_once(';').expect("a FEN and counts");
        let setup = Setup::from_fen(fen).expect("a FEN");
        assert!(
            setup.position().is_err(),
            "{fen} is no position without waivers"
        );
        match setup.position_waiving(Waivers::ALL) {
            Ok(position) => {
                check_perft(fen, &position, counts);
            }
            Err(error) => assert!(
                error.has(tabiya_rules::Reason::TooManyMoves),
                "{fen}: {error}"
            ),
        }
    }
}

/// A FEN without its en passant field, for suites that write it after every double step.
fn without_en_passant(fen: &str) -> String {
    let mut fields: Vec<&str> = fen.split_whitespace().collect();
    fields.remove(3);
    fields.join(" ")
}

#[test]
fn complete_move_sets_with_the_position_after_each() {
    let Some(text) = suite("movegen/rampart.txt") else {
        return;
    };
    for case in text.split("\npos ").skip(1) {
        let mut lines = case.lines();
        let fen = lines.next().expect("a FEN");
        let start = position(fen);
        let expected: BTreeSet<(String, String)> = lines
            .filter_map(|line| line.strip_prefix("mv ")?.split_once('\t'))
            .map(|(san, fen)| (san.to_owned(), without_en_passant(fen)))
            .collect();
        let found: BTreeSet<(String, String)> = start
            .legal_moves()
            .iter()
            .map(|&m| {
                (
                    start.san(m).to_string(),
                    without_en_passant(&start.play(m).fen()),
                )
            })
            .collect();
        assert_eq!(found, expected, "{fen}");
    }
}

#[test]
fn complete_sets_of_texts() {
    let Some(text) = suite("san/complete_sets.tsv") else {
        return;
    };
    for line in lines(&text) {
        let mut columns = line.split('\t');
        let start = position(columns.next().expect("a FEN"));
        let expected: BTreeSet<&str> = columns.next().expect("moves").split(' ').collect();
        let texts: Vec<_> = start.legal_moves().iter().map(|&m| start.san(m)).collect();
        assert_eq!(
            texts.iter().map(|text| &**text).collect::<BTreeSet<_>>(),
            expected
        );
    }
}

#[test]
fn every_fen_to_be_refused_is() {
    let Some(text) = suite("fen/reject.tsv") else {
        return;
    };
    for line in lines(&text) {
        let mut columns = line.split('\t');
        let reason = columns.next().expect("a reason");
        let fen = unescape(columns.next().expect("a FEN"));
        let read = Position::from_fen_bytes(&fen);
        assert!(read.is_err(), "{reason}: {line}");
    }
    let Some(text) = suite("fen/reject_bulk_960.tsv") else {
        return;
    };
    for line in lines(&text) {
        let (_, fen) = line.split_once('\t').expect("a reason and a FEN");
        assert!(Position::from_fen(fen).is_err(), "{line}");
    }
}

#[test]
fn every_fen_to_be_accepted_is_and_prints_canonically() {
    if let Some(text) = suite("fen/accept.tsv") {
        for line in lines(&text) {
            let columns: Vec<&str> = line.split('\t').collect();
            let fen = unescape(columns[1]);
            let read = Position::from_fen_bytes(&fen);
            let read = read.unwrap_or_else(|error| panic!("{line}: {error}"));
            assert_eq!(read.fen(), columns[2], "{line}");
        }
    }
    if let Some(text) = suite("fen/accept_bulk_960.txt") {
        for fen in lines(&text) {
            let read = position(fen).with_castling_mode(CastlingMode::Chess960);
            assert_eq!(
                read.fen_with(EnPassantMode::Always, CastlingNotation::Shredder),
                fen
            );
        }
    }
    if let Some(text) = suite("fen/chess960_start.tsv") {
        for line in lines(&text) {
            let (number, fen) = line.split_once('\t').expect("a number and a FEN");
            let start = Position::chess960(number.parse().expect("a number")).expect("below 960");
            assert_eq!(start.fen(), fen);
        }
    }
}

#[test]
fn fens_that_may_be_refused_are_stable_if_they_are_not() {
    for (file, column) in [("fen/either.tsv", 1), ("fen/either_bulk_960.tsv", 1)] {
        let Some(text) = suite(file) else { continue };
        for line in lines(&text) {
            let fen = unescape(line.split('\t').nth(column).expect("a FEN"));
            let Ok(setup) = Setup::from_fen_bytes(&fen) else {
                continue;
            };
            for waivers in [Waivers::NONE, Waivers::ALL] {
                let Ok(position) = setup.position_waiving(waivers) else {
                    continue;
                };
                let printed = position.fen();
                let again = Setup::from_fen(&printed).expect("what was printed is a FEN");
                let again = again.position_waiving(waivers).expect("and a position");
                assert_eq!(again.fen(), printed, "{line}");
                assert_eq!(position.legal_moves().len(), position.count_legal_moves());
            }
        }
    }
}

#[test]
fn moves_are_read_as_the_suite_says() {
    let Some(text) = suite("san/parse.tsv") else {
        return;
    };
    for line in lines(&text) {
        let columns: Vec<&str> = line.split('\t').collect();
        let start = position(columns[0]);
        let (expected, level) = (columns[2], columns[3]);
        let read = start.parse_san_bytes(&unescape(columns[1]));
        match (level, read) {
            ("reject", read) => {
                let error = read.expect_err(line);
                if expected == "!ambiguous" {
                    assert!(matches!(error, SanError::Ambiguous { .. }), "{line}");
                }
            }
            ("either", Err(_)) => {}
            (_, read) => {
                let m = read.unwrap_or_else(|error| panic!("{line}: {error}"));
                assert_eq!(start.uci(m).to_string(), expected, "{line}");
            }
        }
    }
}

#[test]
fn moves_are_printed_as_the_suite_says() {
    let Some(text) = suite("san/print.tsv") else {
        return;
    };
    for line in lines(&text) {
        let columns: Vec<&str> = line.split('\t').collect();
        let start = position(columns[0]);
        let m = start
            .parse_uci(columns[1])
            .unwrap_or_else(|error| panic!("{line}: {error}"));
        assert_eq!(start.san(m).to_string(), columns[2], "{line}");
        assert_eq!(start.parse_san_strict(columns[2]), Ok(m), "{line}");
    }
}

#[test]
fn uci_moves_are_read_as_the_suite_says() {
    if let Some(text) = suite("san/uci_moves.tsv") {
        for line in lines(&text) {
            let columns: Vec<&str> = line.split('\t').collect();
            let start = position(columns[0]);
            let text = String::from_utf8(unescape(columns[1])).expect("UTF-8");
            let expected = columns[2].split(' ').next().expect("a move");
            match start.parse_uci(&text) {
                Ok(m) => assert_eq!(start.uci(m).to_string(), expected, "{line}"),
                Err(error) => assert_eq!(expected, "!", "{line}: {error}"),
            }
        }
    }
    if let Some(text) = suite("san/chess960_lines.tsv") {
        for line in lines(&text) {
            let columns: Vec<&str> = line.split('\t').collect();
            let mut position = position(columns[0]);
            for text in columns[1].split(' ') {
                let m = position
                    .parse_uci(text)
                    .unwrap_or_else(|e| panic!("{text}: {e}"));
                position = position.play(m);
            }
            assert_eq!(position.fen(), columns[2], "{line}");
        }
    }
}

#[test]
fn verdicts_on_single_positions() {
    let Some(text) = suite("draws/positions.tsv") else {
        return;
    };
    for line in lines(&text) {
        let columns: Vec<&str> = line.split('\t').collect();
        let position = position(columns[0]);
        let status = match (position.status(), position.is_check()) {
            (Status::Checkmate { .. }, _) => "checkmate",
            (Status::Stalemate, _) => "stalemate",
            (_, true) => "check",
            (_, false) => "none",
        };
        assert_eq!(status, columns[1], "{line}");
        let flag = |value: bool| if value { "1" } else { "0" };
        assert_eq!(
            flag(!position.has_mating_material(Color::White)),
            columns[2],
            "{line}"
        );
        assert_eq!(
            flag(!position.has_mating_material(Color::Black)),
            columns[3],
            "{line}"
        );
        assert_eq!(
            flag(position.is_insufficient_material()),
            columns[4],
            "{line}"
        );
        assert_eq!(flag(position.halfmove_clock() >= 150), columns[6], "{line}");
    }
}

#[test]
fn games_repeat_positions_when_the_suite_says() {
    let Some(text) = suite("draws/games.tsv") else {
        return;
    };
    for line in lines(&text) {
        let columns: Vec<&str> = line.split('\t').collect();
        let mut position = position(columns[1]);
        let mut seen: HashMap<Position, u32> = HashMap::from([(position, 1)]);
        let (mut third, mut fifth) = (None, None);
        for (index, text) in columns[2].split_whitespace().enumerate() {
            let m = position
                .parse_uci(text)
                .unwrap_or_else(|error| panic!("{text}: {error}"));
            position = position.play(m);
            let count = seen.entry(position).or_default();
            *count += 1;
            if *count >= 3 {
                third.get_or_insert(index + 1);
            }
            if *count >= 5 {
                fifth.get_or_insert(index + 1);
            }
        }
        let ply = |ply: Option<usize>| ply.map_or("-".to_owned(), |ply| ply.to_string());
        assert_eq!(ply(third), columns[3], "{line}");
        assert_eq!(ply(fifth), columns[4], "{line}");
        assert_eq!(seen[&position].to_string(), columns[7], "{line}");
        assert_eq!(position.fen(), columns[9], "{line}");
    }
}

#[test]
fn polyglot_keys_of_the_suite() {
    let Some(text) = suite("hash/polyglot_keys.tsv") else {
        return;
    };
    for line in lines(&text) {
        let columns: Vec<&str> = line.split('\t').collect();
        let setup = Setup::from_fen(columns[0]).expect("a FEN");
        let position = setup.position_waiving(Waivers::ALL).expect("a position");
        let key = u64::from_str_radix(columns[1], 16).expect("a key");
        assert_eq!(position.polyglot_key(), key, "{line}");
    }
}
