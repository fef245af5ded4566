//! The suites: perft counts, complete move sets, FEN, SAN, UCI moves, draws and Polyglot keys; every file of each
//! kind.

use std::collections::{BTreeSet, HashMap};

use tabiya_rules::{
    CastlingMode, CastlingNotation, Color, EnPassantMode, Move, Position, SanError, Setup,
    SetupErrorKind, Status, Waivers, perft,
};

use test_suites::{
    BOOK_KEYS, DRAW_GAMES, DRAW_POSITIONS, FEN_ACCEPT, FEN_EITHER, FEN_REJECT, FEN_STARTS,
    MOVE_SETS, PERFT, SAN_PARSE, SAN_PRINT, SAN_SETS, Suites, UCI_LINES, UCI_MOVES, lines,
    test_on_suites, unescape,
};

use crate::support::position;

test_on_suites!(
    perft_counts_of_the_suites,
    perft_of_unreachable_positions,
    complete_move_sets_with_the_position_after_each,
    complete_sets_of_texts,
    every_fen_to_be_refused_is,
    every_fen_to_be_accepted_is_and_prints_canonically,
    fens_that_may_be_refused_are_stable_if_they_are_not,
    moves_are_read_as_the_suite_says,
    moves_are_printed_as_the_suite_says,
    uci_moves_are_read_as_the_suite_says,
    verdicts_on_single_positions,
    games_repeat_positions_when_the_suite_says,
    polyglot_keys_of_the_suite,
);

/// The most nodes that are counted; the release tier raises this.
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

fn perft_counts_of_the_suites(suites: &Suites) {
    let mut all = 0;
    for suite in suites.files(PERFT) {
        let mut checked = 0;
        for line in lines(&suite.text()).filter(|line| !line.contains(";why")) {
            let (fen, counts) = line.split_once(';').expect("a FEN and counts");
            // Positions on which programs agree only if checks need no explanation.
            let setup = Setup::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
            let position = setup
                .position_waiving(Waivers::EN_PASSANT.union(Waivers::IMPOSSIBLE_CHECK))
                .unwrap_or_else(|error| panic!("{fen}: {error}"));
            checked += check_perft(fen, &position, counts);
        }
        println!(
            "{}: {checked} counts of at most {} nodes",
            suite.name,
            most_nodes()
        );
        all += checked;
    }
    assert!(all > 0, "nothing was counted");
}

fn perft_of_unreachable_positions(suites: &Suites) {
    let mut checked = 0;
    for suite in suites.files(PERFT) {
        for line in lines(&suite.text()).filter(|line| line.contains(";why")) {
            let (fen, counts) = line.split_once(';').expect("a FEN and counts");
            let setup = Setup::from_fen(fen).expect("a FEN");
            match setup.position_waiving(Waivers::ALL) {
                Ok(position) => checked += check_perft(fen, &position, counts),
                Err(error) => assert!(
                    error
                        .kinds()
                        .any(|kind| matches!(kind, SetupErrorKind::TooManyMoves)),
                    "{fen}: {error}"
                ),
            }
        }
    }
    // A folder of more suites need not have any.
    assert!(
        checked > 0 || *suites != Suites::own(),
        "nothing was counted"
    );
}

fn complete_move_sets_with_the_position_after_each(suites: &Suites) {
    for suite in suites.files(MOVE_SETS) {
        for case in suite.text().split("\npos ").skip(1) {
            let mut lines = case.lines();
            let fen = lines.next().expect("a FEN");
            let start = position(fen);
            let expected: BTreeSet<(String, String)> = lines
                .filter_map(|line| line.strip_prefix("mv ")?.split_once('\t'))
                .map(|(san, fen)| (san.to_owned(), fen.to_owned()))
                .collect();
            let moves = start.legal_moves();
            let found = |mode| -> BTreeSet<(String, String)> {
                let after = |m| {
                    let next = start.play_unchecked(m);
                    next.fen_with(mode, CastlingNotation::ByMode)
                };
                let pair = |&m: &Move| (start.san(m).to_string(), after(m));
                moves.iter().map(pair).collect()
            };
            // A suite may write the en passant square only where it matters.
            if found(EnPassantMode::Legal) != expected {
                assert_eq!(found(EnPassantMode::Always), expected, "{fen}");
            }
        }
    }
}

fn complete_sets_of_texts(suites: &Suites) {
    for row in suites.rows(SAN_SETS) {
        let start = position(&row[0]);
        let expected: BTreeSet<&str> = row[1].split(' ').collect();
        let texts: Vec<_> = start.legal_moves().iter().map(|&m| start.san(m)).collect();
        let found: BTreeSet<&str> = texts.iter().map(|text| &**text).collect();
        assert_eq!(found, expected, "{}", row[0]);
    }
}

fn every_fen_to_be_refused_is(suites: &Suites) {
    for row in suites.rows(FEN_REJECT) {
        let read = Position::from_fen_bytes(&unescape(&row[1]));
        assert!(read.is_err(), "{row:?}");
    }
}

fn every_fen_to_be_accepted_is_and_prints_canonically(suites: &Suites) {
    for row in suites.rows(FEN_ACCEPT) {
        if let [fen] = row.as_slice() {
            let read = position(fen).with_castling_mode(CastlingMode::Chess960);
            let printed = read.fen_with(EnPassantMode::Always, CastlingNotation::Shredder);
            assert_eq!(&printed, fen);
        } else {
            let read = Position::from_fen_bytes(&unescape(&row[1]));
            let read = read.unwrap_or_else(|error| panic!("{row:?}: {error}"));
            assert_eq!(read.fen(), row[2], "{row:?}");
        }
    }
    for row in suites.rows(FEN_STARTS) {
        let start = Position::chess960(row[0].parse().expect("a number")).expect("below 960");
        assert_eq!(start.fen(), row[1]);
    }
}

fn fens_that_may_be_refused_are_stable_if_they_are_not(suites: &Suites) {
    for row in suites.rows(FEN_EITHER) {
        let Ok(setup) = Setup::from_fen_bytes(&unescape(&row[1])) else {
            continue;
        };
        for waivers in [Waivers::NONE, Waivers::ALL] {
            let Ok(position) = setup.position_waiving(waivers) else {
                continue;
            };
            let printed = position.fen();
            let again = Setup::from_fen(&printed).expect("what was printed is a FEN");
            let again = again.position_waiving(waivers).expect("and a position");
            assert_eq!(again.fen(), printed, "{row:?}");
            assert_eq!(position.legal_moves().len(), position.count_legal_moves());
        }
    }
}

fn moves_are_read_as_the_suite_says(suites: &Suites) {
    for row in suites.rows(SAN_PARSE) {
        let start = position(&row[0]);
        let (expected, level) = (&row[2], &row[3]);
        let read = start.parse_san_bytes(&unescape(&row[1]));
        match (level.as_str(), read) {
            ("reject", Ok(m)) => panic!("{row:?} was read as {m:?}"),
            ("reject", Err(error)) => {
                let ambiguous = matches!(error, SanError::Ambiguous { .. });
                assert!(expected != "!ambiguous" || ambiguous, "{row:?}: {error}");
            }
            ("either", Err(_)) => {}
            (_, read) => {
                let m = read.unwrap_or_else(|error| panic!("{row:?}: {error}"));
                assert_eq!(&start.uci(m).to_string(), expected, "{row:?}");
            }
        }
    }
}

fn moves_are_printed_as_the_suite_says(suites: &Suites) {
    for row in suites.rows(SAN_PRINT) {
        let start = position(&row[0]);
        let m = start
            .parse_uci(&row[1])
            .unwrap_or_else(|error| panic!("{row:?}: {error}"));
        assert_eq!(start.san(m).to_string(), row[2], "{row:?}");
        assert_eq!(start.parse_san_strict(&row[2]), Ok(m), "{row:?}");
    }
}

fn uci_moves_are_read_as_the_suite_says(suites: &Suites) {
    for row in suites.rows(UCI_MOVES) {
        let start = position(&row[0]);
        let text = String::from_utf8_lossy(&unescape(&row[1])).into_owned();
        let expected = row[2].split(' ').next().expect("a move");
        match start.parse_uci(&text) {
            Ok(m) => assert_eq!(start.uci(m).to_string(), expected, "{row:?}"),
            Err(error) => assert_eq!(expected, "!", "{row:?}: {error}"),
        }
    }
    for row in suites.rows(UCI_LINES) {
        let mut position = position(&row[0]);
        for text in row[1].split(' ') {
            let m = position
                .parse_uci(text)
                .unwrap_or_else(|error| panic!("{text}: {error}"));
            position = position.play_unchecked(m);
        }
        assert_eq!(position.fen(), row[2], "{row:?}");
    }
}

fn verdicts_on_single_positions(suites: &Suites) {
    for row in suites.rows(DRAW_POSITIONS) {
        let position = position(&row[0]);
        let status = match (position.status(), position.is_check()) {
            (Status::Checkmate { .. }, _) => "checkmate",
            (Status::Stalemate, _) => "stalemate",
            (_, true) => "check",
            (_, false) => "none",
        };
        assert_eq!(status, row[1], "{row:?}");
        let flag = |value: bool| if value { "1" } else { "0" };
        assert_eq!(
            flag(!position.has_mating_material(Color::White)),
            row[2],
            "{row:?}"
        );
        assert_eq!(
            flag(!position.has_mating_material(Color::Black)),
            row[3],
            "{row:?}"
        );
        assert_eq!(flag(position.is_insufficient_material()), row[4], "{row:?}");
        assert_eq!(flag(position.halfmove_clock() >= 150), row[6], "{row:?}");
    }
}

fn games_repeat_positions_when_the_suite_says(suites: &Suites) {
    for row in suites.rows(DRAW_GAMES) {
        let mut position = position(&row[1]);
        let mut seen: HashMap<Position, u32> = HashMap::from([(position, 1)]);
        let (mut third, mut fifth) = (None, None);
        for (index, text) in row[2].split_whitespace().enumerate() {
            let m = position
                .parse_uci(text)
                .unwrap_or_else(|error| panic!("{text}: {error}"));
            position = position.play_unchecked(m);
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
        assert_eq!(ply(third), row[3], "{row:?}");
        assert_eq!(ply(fifth), row[4], "{row:?}");
        assert_eq!(seen[&position].to_string(), row[7], "{row:?}");
        assert_eq!(position.fen(), row[9], "{row:?}");
    }
}

fn polyglot_keys_of_the_suite(suites: &Suites) {
    for row in suites.rows(BOOK_KEYS) {
        let setup = Setup::from_fen(&row[0]).expect("a FEN");
        let position = setup.position_waiving(Waivers::ALL).expect("a position");
        let key = u64::from_str_radix(&row[1], 16).expect("a key");
        assert_eq!(position.polyglot_key(), key, "{row:?}");
    }
}
