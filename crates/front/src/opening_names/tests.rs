//! The user's own names, and names in the tags of games.

use std::path::Path;

use tabiya_game::pgn;
use tabiya_store::disk::SystemDisk;

use super::{load, tag, tagged};

fn record(text: &str) -> tabiya_game::Record {
    let game = pgn::games(text.as_bytes()).next();
    game.expect("a game").record
}

#[test]
fn a_file_adds_to_the_names_or_says_what_is_wrong() {
    let folder = std::env::temp_dir().join(format!("tabiya-names-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("own.tsv");
    std::fs::write(
        &path,
        "eco\tname\tpgn\nC20\tThe House: Ours\t1. e4 e5 2. h4\n",
    )
    .expect("a file");
    let own = load(&SystemDisk, &path).expect("a table");
    let game = record("1. h4 e5 2. e4 a6 *");
    let named = own.lookup(game.main_line_end().parent().expect("a move").position());
    assert_eq!(named.expect("a name").to_string(), "The House: Ours");
    std::fs::write(&path, "C20\tNo moves\n").expect("a file");
    let error = load(&SystemDisk, &path).expect_err("no table").to_string();
    assert!(error.contains("own.tsv: line 1: expected"), "{error}");
    let missing = load(&SystemDisk, Path::new("/no/such.tsv")).expect_err("no file");
    assert!(missing.to_string().contains("/no/such.tsv"), "{missing}");
    std::fs::remove_dir_all(&folder).expect("the folder is ours");
}

#[test]
fn a_game_gets_its_opening_unless_it_says_one() {
    let own = tagged(record("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *"));
    let text = pgn::to_string(&own, pgn::Format::Compact);
    assert!(text.starts_with("[ECO \"C"), "{text}");
    assert!(
        text.contains("[Opening \"Ruy Lopez\"]\n[Variation \""),
        "{text}"
    );
    let given = record("[ECO \"A00\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 *");
    assert_eq!(tagged(given.clone()), given);
    let unnamed = record("[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1. O-O *");
    assert_eq!(tagged(unnamed.clone()), unnamed);
    // Without a variation, an old one goes.
    let mut old = record("[Variation \"Old\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 *");
    let position = *old.main_line_end().position();
    let opening = super::known().lookup(&position).expect("a name");
    tag(&mut old, opening);
    assert_eq!(old.tags().get("Opening"), Some("Ruy Lopez"));
    assert_eq!(old.tags().get("Variation"), opening.variation);
}
