//! `tabiya pgn check`, `stats`, `filter` and `fens` on ordinary files.

use serde_json::{Value, json};

use crate::pgn_support::{ALL, GAMES, complaint, file, run_bytes};
use tabiya_game::pgn;
use test_suites::{PGN_FILES, Suites, test_on_suites};

use crate::support::{json, run, run_with};

test_on_suites!(the_counts_of_the_suites);

#[test]
fn check_names_every_error_and_ends_with_the_counts() {
    let name = file("check.pgn", GAMES.as_bytes());
    let found = run(&["pgn", "check", &name]);
    let lines: Vec<&str> = found.out.lines().collect();
    assert_eq!(lines.len(), 2, "{}", found.out);
    assert!(lines[0].starts_with(&complaint(&name)), "{}", lines[0]);
    assert_eq!(lines[1], "3 games, 12 moves, 1 errors, 1 warnings");
    assert_eq!((found.code, found.err.as_str()), (1, ""));

    let good = GAMES.replace("Qh7", "c4") + "*\n";
    let found = run_with(&["pgn", "check"], &good).fine();
    assert_eq!(found, "3 games, 14 moves, 0 errors\n");
    assert_eq!(
        run_with(&["pgn", "check", "-"], "").fine(),
        "0 games, 0 moves, 0 errors\n"
    );
    // Something else than a PGN.
    let found = run_with(&["pgn", "check"], "<svg></svg>\n");
    assert_eq!(found.code, 1, "{}", found.out);
    assert_eq!(
        found.err,
        "tabiya: there is text, but no game; pgn check reads files in PGN\n"
    );
}

#[test]
fn check_prints_json() {
    let found = run_with(&["pgn", "check", "--json"], GAMES);
    let values: Vec<Value> = found
        .out
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(values.len(), 2);
    let error = &values[0];
    assert_eq!(
        (&error["file"], &error["line"], &error["column"]),
        (&json!("stdin"), &json!(19), &json!(4))
    );
    assert!(
        error["error"]
            .as_str()
            .is_some_and(|it| it.starts_with("'Qh7' cannot be played."))
    );
    assert_eq!(
        (&error["game"], &error["white"], &error["black"]),
        (&json!(2), &json!("Bob, Ben"), &json!("Cleo"))
    );
    let warnings = json!({
        "result_mismatch": 0, "final_position": 0, "null_move": 0, "missing_termination": 1,
        "impossible_result": 0, "doubled_tag": 0, "stray_text": 0
    });
    assert_eq!(
        values[1],
        json!({"games": 3, "moves": 12, "variation_moves": 2, "errors": 1, "warnings": warnings})
    );
    assert_eq!(found.code, 1);
}

/// What `check --warnings` says about a text on stdin, and with which code it ends.
fn warnings(text: &str) -> (Vec<String>, i32) {
    let found = run_with(&["pgn", "check", "--warnings"], text);
    let is_empty = found.out.lines().any(|line| line.starts_with("0 games"));
    let no_game = "tabiya: there is text, but no game; pgn check reads files in PGN\n";
    assert_eq!(found.err, if is_empty { no_game } else { "" });
    (found.out.lines().map(str::to_owned).collect(), found.code)
}

#[test]
fn check_warns_of_games_that_contradict_themselves() {
    let mate = "1. f3 e5 2. g4 Qh4#";
    let stalemate = "[FEN \"7k/8/5KQ1/8/8/8/8/8 w - - 0 1\"]\n\n1. Qf7";
    let tags = |result: &str| format!("[White \"A\"]\n[Black \"B\"]\n[Result \"{result}\"]\n\n");
    for (text, kind, sentence) in [
        (
            tags("1-0") + "1. e4 0-1",
            "result_mismatch",
            "stdin:1:1: game 1, A – B: warning: The Result tag says 1-0, but 0-1 follows the moves.",
        ),
        (
            tags("1-0") + mate + " 1-0",
            "final_position",
            "stdin:1:1: game 1, A – B: warning: The game ends with mate, so its result is 0-1, not 1-0.",
        ),
        (
            format!("{stalemate} 1-0"),
            "final_position",
            "stdin:1:1: game 1: warning: The game ends with stalemate, so its result is 1/2-1/2, not 1-0.",
        ),
        (
            tags("*") + "1. e4 -- 2. d4 *",
            "null_move",
            "stdin:1:1: game 1, A – B: warning: A null move is in the main line.",
        ),
        (
            tags("1-0") + "1. e4",
            "missing_termination",
            "stdin:1:1: game 1, A – B: warning: No result follows the moves.",
        ),
        (
            tags("2-0") + "1. e4 1-0",
            "impossible_result",
            "stdin:1:1: game 1, A – B: warning: The Result tag '2-0' is none of 1-0, 0-1, 1/2-1/2 and *.",
        ),
        (
            "[White \"A\"]\n[White \"B\"]\n\n1. e4 *".to_owned(),
            "doubled_tag",
            "stdin:1:1: game 1, B – ?: warning: The tag White occurs twice.",
        ),
        (
            "[Strange \"A\"]\n[Odd \"B\"]\n[Strange \"A\"]\n\n1. e4 *".to_owned(),
            "doubled_tag",
            "stdin:1:1: game 1: warning: The tag Strange occurs twice.",
        ),
        (
            "1. e4 *\n\nRound 2\n-------\n".to_owned() + &tags("1-0") + "1. d4 1-0",
            "stray_text",
            "stdin:3:1: warning: 'Round 2' is outside all games.",
        ),
    ] {
        let (lines, code) = warnings(&text);
        assert_eq!(code, 0, "{text}");
        assert_eq!(lines[0], sentence, "{text}");
        assert!(
            lines[lines.len() - 2].contains(&format!(" {kind}")),
            "{lines:?}"
        );
        assert!(lines[lines.len() - 1].ends_with(" warnings"), "{lines:?}");
        // Unless they are asked for, they are only counted.
        let brief = run_with(&["pgn", "check"], &text).fine();
        assert_eq!(brief.lines().collect::<Vec<_>>(), lines[lines.len() - 1..]);
    }
    for text in [
        tags("0-1") + mate + " 0-1",
        format!("{stalemate} 1/2-1/2"),
        tags("*") + "1. e4 (1. d4 --) e5 *",
        "1. e4 {no tag at all} *".to_owned(),
    ] {
        let (lines, _) = warnings(&text);
        assert_eq!(lines.len(), 1, "{lines:?}");
        assert!(lines[0].ends_with(" 0 errors"), "{lines:?}");
    }
    // Text without any game is no file of games.
    let (lines, code) = warnings("This is a letter.\n");
    assert_eq!((lines.len(), code), (3, 1));
}

#[test]
fn stats_count_results_lengths_openings_years_and_players() {
    let name = file("stats.pgn", GAMES.as_bytes());
    let found = run(&["pgn", "stats", &name]);
    assert_eq!(found.code, 1);
    let expected = "\
3 games, 12 moves, 1 errors

results
  1-0              1   33.3 %
  1/2-1/2          1   33.3 %
  0-1              0    0.0 %
  *                1   33.3 %

lengths in plies
  shortest         2
  median           3
  average          4.0
  longest          7

years, with wins, draws and losses of White
  2021             2  +1 =0 -0
  2022             1  +0 =1 -0

ratings, the mean of both, with wins, draws and losses of White
  2400–2599        1  +1 =0 -0

openings, with wins, draws and losses of White
  C20 King's Pawn Game: Wayward Queen Attack           1  +1 =0 -0
  D00 Queen's Pawn Game: Symmetrical Variation         1  +0 =1 -0
  from a position                                      1  +0 =0 -0

players, with wins, draws and losses of them
  Ann Archer         2  +1 =0 -0
  Bob, Ben           2  +0 =1 -1
  Cleo               2  +0 =1 -0
";
    assert_eq!(found.out, expected);

    let good = GAMES.replace("Qh7", "c4");
    let found = json(run_with(&["pgn", "stats", "--json", "--top", "1"], &good));
    assert_eq!(
        found,
        json!({
            "games": 3, "moves": 14, "errors": 0,
            "results": {"1-0": 1, "1/2-1/2": 1, "0-1": 0, "*": 1},
            "lengths": {"shortest": 3, "median": 4, "longest": 7},
            "openings": [
                {"opening": "King's Pawn Game: Wayward Queen Attack", "eco": "C20",
                 "games": 1, "wins": 1, "draws": 0, "losses": 0}
            ],
            "ratings": [{"from": 2400, "to": 2599, "games": 1, "wins": 1, "draws": 0, "losses": 0}],
            "years": [
                {"year": 2021, "games": 2, "wins": 1, "draws": 0, "losses": 0},
                {"year": 2022, "games": 1, "wins": 0, "draws": 1, "losses": 0}
            ],
            "players": [{"player": "Ann Archer", "games": 2, "wins": 1, "draws": 0, "losses": 0}],
            "other_openings": 0, "other_players": 0
        })
    );
    assert_eq!(
        run_with(&["pgn", "stats"], "").fine(),
        "0 games, 0 moves, 0 errors\n"
    );
}

/// Which of the three games a filter lets pass.
#[track_caller]
fn passing(flags: &[&str]) -> Vec<usize> {
    let games: Vec<&str> = GAMES.split("\n\n[Event").map(str::trim).collect();
    let out = run_with(&[&["pgn", "filter"], flags].concat(), GAMES).out;
    let found: Vec<usize> = (0..3).filter(|&at| out.contains(games[at])).collect();
    assert_eq!(out.matches("[Event").count(), found.len(), "{out}");
    found
}

#[test]
fn filters() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    for (flags, expected) in [
        (&[][..], &[0, 1, 2][..]),
        (&["--player", "ben BOB"], &[0, 1]),
        (&["--player", "arch"], &[0, 2]),
        (&["--player", "=arch"], &[]),
        (&["--player", "\"archer\""], &[0, 2]),
        (&["--player", "leo"], &[]),
        (&["--white", "cleo"], &[2]),
        (&["--black", "cleo"], &[1]),
        (&["--elo", "2400.."], &[0]),
        (&["--elo", "2450.."], &[]),
        (&["--result", "1-0"], &[0]),
        (&["--result", "*"], &[2]),
        (&["--date", "2021"], &[0, 2]),
        (&["--date", "2021.03.06..2022"], &[1, 2]),
        (&["--eco", "C"], &[0]),
        (&["--event", "open"], &[0, 2]),
        (&["--plies", "3..6"], &[2]),
        (&["--plies", "..2"], &[1]),
        (&["--position", "startpos"], &[0, 1]),
        (&["--position", start], &[0, 1]),
        (&["--position", "4k3/8/8/8/8/8/4P3/5RK1 b - - 7 9"], &[2]),
        (&["--material", "krpVk"], &[2]),
        (&["--material", "KvKPR"], &[2]),
        (&["--material", "KvK"], &[]),
        (&["--player", "cleo", "--position", "startpos"], &[1]),
        (&["--player", "cleo", "--invert"], &[0]),
        (&["--material", "KRPvK", "--invert"], &[0, 1]),
    ] {
        assert_eq!(passing(flags), expected, "{flags:?}");
    }
}

#[test]
fn filtered_games_are_copied_as_they_are_in_utf_8_and_stay_apart() {
    let text = b"\xEF\xBB\xBF[Event \"M\xE1rczy \xC3\xA1\"]\r\n\r\n1.e4 {\x01} e5  2.Nf3?! ;line\r\n1-0\r\n\r\n\r\n%escape\r\n1. d4 *\n{x} 1. c4";
    let (out, err, code) = run_bytes(&["pgn", "filter"], text);
    let expected: &[u8] = b"[Event \"M\xC3\xA1rczy \xC3\xA1\"]\r\n\r\n1.e4 {\x01} e5  2.Nf3?! ;line\r\n1-0\n\n1. d4 *\n\n{x} 1. c4\n\n";
    assert_eq!(
        String::from_utf8_lossy(&out),
        String::from_utf8_lossy(expected)
    );
    assert_eq!((out.as_slice(), err.as_str(), code), (expected, "", 0));

    let broken =
        "[White \"a\"]\n\n[Event \"b\"]\n\n1. e4 e5\n\n1. d4 {never\n\n[Event \"c\"]\n\n*\n";
    let found = run_with(&["pgn", "filter"], broken);
    assert_eq!(found.code, 1);
    assert_eq!(
        found.err,
        "tabiya: 1 error; `tabiya pgn check` shows where\n"
    );
    let again = run_with(&["pgn", "filter"], &found.out).fine();
    assert_eq!(again, found.out);
    assert!(
        run_with(&["pgn", "check"], &again)
            .fine()
            .starts_with("4 games")
    );
}

#[test]
fn errors_in_games_that_are_not_written_do_not_count() {
    let found = run_with(&["pgn", "filter", "--result", "1-0"], GAMES).fine();
    assert_eq!(found.matches("[Event").count(), 1);
}

#[test]
fn fens_are_the_positions_after_every_move() {
    let found = run_with(&["pgn", "fens"], "1. e4 (1. d4) e5 *\n1. -- d5 *").fine();
    assert_eq!(
        found,
        "\
rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1
rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 1 1
rnbqkbnr/ppp1pppp/8/3p4/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 2
"
    );
    let last = run_with(&["pgn", "fens", "--last"], GAMES);
    let lines: Vec<&str> = last.out.lines().collect();
    assert_eq!(
        lines,
        [
            "r1bqkb1r/pppp1Qpp/2n2n2/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 4",
            "rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 2",
            "8/4k3/8/8/4P3/8/8/5RK1 b - - 0 2",
        ]
    );
    assert_eq!(last.code, 1);
    assert_eq!(
        last.err,
        "tabiya: 1 error; `tabiya pgn check` shows where\n"
    );
    let game = "[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1. O-O *";
    let found = run_with(&["pgn", "fens", "--start", "--json"], game).fine();
    let values: Vec<Value> = found
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(
        values,
        [
            json!({"file": "stdin", "offset": 0, "ply": 0, "move": null, "fen": "4k3/8/8/8/8/8/8/4K2R w K - 0 1"}),
            json!({"file": "stdin", "offset": 0, "ply": 1, "move": "e1g1", "fen": "4k3/8/8/8/8/8/8/5RK1 b - - 1 1"}),
        ]
    );
    let bad = "[FEN \"nothing\"]\n\n1. e4 *";
    let found = run_with(&["pgn", "fens", "--last"], bad);
    assert_eq!((found.out.as_str(), found.code), ("", 1));
}

#[test]
fn every_command_has_help_with_examples() {
    for command in ALL.into_iter().chain(["dedupe"]) {
        let help = run(&["pgn", command, "--help"]).fine();
        assert!(help.contains("Examples:\n"), "{command}");
        assert!(help.contains(&format!("tabiya pgn {command}")), "{command}");
    }
    let help = run(&["pgn", "--help"]).fine();
    assert!(help.contains("Examples:\n"));
    assert!(ALL.iter().all(|command| help.contains(command)));
}

#[test]
fn wrong_flags_are_exit_code_2() {
    for flags in [
        &[][..],
        &["sort"],
        &["check", "--threads", "0"],
        &["filter", "--elo", "strong"],
        &["filter", "--date", "yesterday"],
        &["filter", "--eco", "Z"],
        &["filter", "--result", "2-0"],
        &["filter", "--material", "RvR"],
        &["filter", "--plies", "9..1"],
        &["fens", "--last", "--start"],
    ] {
        let found = run(&[&["pgn"], flags].concat());
        assert_eq!((found.code, found.out.as_str()), (2, ""), "{flags:?}");
        assert!(!found.err.is_empty(), "{flags:?}");
    }
    assert!(
        run(&["pgn", "filter", "--position", "nothing"])
            .refused()
            .contains("bad FEN")
    );
}

fn the_counts_of_the_suites(suites: &Suites) {
    for suite in suites.files(PGN_FILES) {
        let games: Vec<_> = pgn::games(&suite.bytes()).collect();
        let plies = games.iter().map(|game| game.record.main_line_end().ply());
        let plies: u32 = plies.sum();
        let found = run(&[
            "pgn",
            "check",
            suite.path.to_str().expect("a path in UTF-8"),
        ]);
        let last = found.out.lines().last().unwrap_or_default();
        let expected = format!("{} games, {plies} moves, ", games.len());
        assert!(
            last.starts_with(&expected),
            "{}: {last}, not {expected}",
            suite.name
        );
        let errors = games.iter().any(|game| !game.errors.is_empty());
        assert_eq!(found.code, i32::from(errors), "{}: {last}", suite.name);
    }
}

#[test]
fn a_file_that_is_not_there_is_said_and_nothing_else() {
    let run = run(&["pgn", "check", "/no/such/games.pgn"]);
    assert_eq!((run.code, run.out.as_str()), (3, ""));
    assert_eq!(
        run.err,
        "tabiya: /no/such/games.pgn: there is no such file or folder\n"
    );
}
