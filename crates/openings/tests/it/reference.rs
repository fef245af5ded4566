//! Compares the names with those of the suites: lines with a code, a name and moves.

use std::collections::BTreeMap;

use tabiya_openings::{Opening, Openings};
use tabiya_rules::{Move, Position};
use test_suites::{OPENINGS, Suites, test_on_suites};

test_on_suites!(names_are_those_of_the_reference);

/// How many lines of a thousand must get a name of the same family as in the reference, and a code with the same letter
/// and first digit.
const BAR: usize = 970;

fn moves(pgn: &str) -> Vec<Move> {
    let mut position = Position::start();
    let mut moves = Vec::new();
    for text in pgn.split(' ').filter(|text| !text.ends_with('.')) {
        let m = position.parse_san(text).expect(pgn);
        position = position.play(m).expect(pgn);
        moves.push(m);
    }
    moves
}

fn family(name: &str) -> &str {
    name.split(':').next().unwrap_or(name)
}

fn is_right(found: Option<Opening<'_>>, eco: &str, name: &str) -> bool {
    found.is_some_and(|opening| {
        opening.family == family(name) && opening.eco.to_string()[..2] == eco[..2]
    })
}

fn names_are_those_of_the_reference(suites: &Suites) {
    let openings = Openings::standard();
    let mut total = 0;
    let mut missed: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for row in suites.rows(OPENINGS) {
        let [eco, name, pgn] = &row[..] else {
            panic!("{row:?}");
        };
        if eco == "eco" {
            continue;
        }
        total += 1;
        let found = openings.of_game(&Position::start(), moves(pgn));
        if !is_right(found, eco, name) {
            let found = found.map_or("nothing".into(), |found| format!("{} {found}", found.eco));
            let line = format!("{eco} {name}, found {found}: {pgn}");
            missed.entry(family(name).into()).or_default().push(line);
        }
    }
    let count: usize = missed.values().map(Vec::len).sum();
    for line in missed.values().flatten() {
        println!("{line}");
    }
    println!("{} of {total} lines agree", total - count);
    assert!(
        (total - count) * 1000 >= total * BAR,
        "{count} of {total} lines differ"
    );
}
