//! Names of openings in the program: in the line mode, in games that it writes, by the user's own table, and beside the codes
//! of real games.

use std::fs;
use std::path::PathBuf;

use tabiya_game::pgn;
use tabiya_openings::Openings;
use test_suites::{PGN_FILES, Suites, test_on_suites};

use crate::line_support::said;
use crate::pgn_support::file;
use crate::support::{command, finished, json, run};

test_on_suites!(codes_are_those_of_real_games);

#[test]
fn the_line_mode_names_the_opening_of_the_position() {
    let lines = [
        "opening", "Nf3", "Nc6", "e4", "e5", "Bb5", "a6", "h4", "opening", "goto 3", "opening",
    ];
    let found = said(&lines);
    let found: Vec<&str> = found.iter().map(String::as_str).collect();
    assert_eq!(found[0], "No position of this game has a name.");
    assert_eq!(found[1], "C70 Ruy Lopez: Morphy Defense");
    assert_eq!(found.last(), Some(&"C60 Ruy Lopez"), "{found:?}");
}

#[test]
fn games_that_the_program_writes_have_their_opening_and_those_it_copies_keep_theirs() {
    let found = said(&["e4", "c5", "Nf3", "d6", "pgn"]).join("\n");
    for tag in ["[ECO \"B50\"]", "[Opening \"Sicilian Defense\"]"] {
        assert!(found.contains(tag), "{tag}: {found}");
    }
    let name = file(
        "copied-opening.pgn",
        b"[Event \"x\"]\n\n1. e4 c5 2. Nf3 d6 *\n",
    );
    let found = said(&[&format!("review {name}"), "goto end", "pgn"]).join("\n");
    assert!(
        found.contains("[Event \"x\"]") && !found.contains("[ECO"),
        "{found}"
    );
}

#[test]
fn a_table_of_the_users_own_comes_before_the_standard_one() {
    let home = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("own-openings");
    fs::create_dir_all(home.join("tabiya")).expect("a folder");
    let table = home.join("own.tsv");
    let config = format!("[openings]\nfile = \"{}\"\n", table.display());
    fs::write(home.join("tabiya/config.toml"), config).expect("a file");
    let status = || {
        let mut asked = command(&["status", "--moves", "e4 e5", "--json"]);
        asked.env("XDG_CONFIG_HOME", &home);
        finished(&asked.output().expect("it runs"))
    };
    fs::write(&table, "C20\tClub: Ours\te4 e5\n").expect("a file");
    assert_eq!(json(status())["opening"]["name"], "Club: Ours");
    fs::write(&table, "C20\tClub: Ours\te4 e9\n").expect("a file");
    let found = status();
    assert!(
        found
            .err
            .contains("own.tsv: line 1: move 2, e9, cannot be played"),
        "{}",
        found.err
    );
    assert!(found.out.contains("King's Pawn Game"), "{}", found.out);
}

#[test]
fn analyse_names_the_opening() {
    let name = file("analyse-opening.pgn", b"1. e4 c5 2. Nf3 d6 *\n");
    let found = json(run(&["analyse", &name, "--nodes", "10", "--json"]));
    assert_eq!(found["opening"]["eco"], "B50");
    let fen = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    let found = json(run(&["analyse", fen, "--nodes", "10", "--json"]));
    assert_eq!(found["opening"]["name"], "Sicilian Defense");
}

/// The codes that the games of the suites have themselves: the same letter and first digit.
fn codes_are_those_of_real_games(suites: &Suites) {
    let (mut agreeing, mut total) = (0, 0);
    for suite in suites.files(PGN_FILES) {
        for game in pgn::games(&suite.bytes()) {
            let record = game.record;
            let standard = record.tags().get("FEN").is_none() && record.main_line_end().ply() > 8;
            let Some(eco) = record
                .tags()
                .get("ECO")
                .filter(|eco| eco.len() >= 3 && standard)
            else {
                continue;
            };
            let positions: Vec<_> = record.main_line().map(|node| *node.position()).collect();
            let found = Openings::standard().of_positions(&positions);
            let found = found.map_or("nothing".to_owned(), |found| found.eco.to_string());
            total += 1;
            if found[..2] == eco[..2] {
                agreeing += 1;
            } else {
                println!("{}: {eco} in the game, {found} here", suite.name);
            }
        }
    }
    println!("{agreeing} of {total} games agree");
    assert!(
        total > 0 && agreeing * 10 >= total * 9,
        "{agreeing} of {total}"
    );
}
