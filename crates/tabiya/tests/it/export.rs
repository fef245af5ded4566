//! `tabiya export`.

#![cfg(feature = "serve")]

use std::fs;
use std::path::PathBuf;

use crate::support::{run, run_with};

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

fn written(folder: &tempfile::TempDir, pgn: &str) -> (PathBuf, PathBuf) {
    let (game, page) = (
        folder.path().join("game.pgn"),
        folder.path().join("game.html"),
    );
    fs::write(&game, pgn).expect("a file");
    (game, page)
}

#[test]
fn a_game_becomes_a_page_that_replaces_pages_only() {
    let folder = folder();
    let (game, page) = written(
        &folder,
        "[White \"Ada\"]\n[Black \"Bob\"]\n\n1. e4 {[%cal Ge2e4]} (1. d4) e5 $6 2. Nf3 {[%eval 0.3]} *\n\n[White \"Cy\"]\n\n1. c4 *\n",
    );
    let (game, name) = (
        game.to_str().expect("a name"),
        page.to_str().expect("a name"),
    );
    for _ in 0..2 {
        assert_eq!(run(&["export", game, "--html", name]).fine(), "");
        let text = fs::read_to_string(&page).expect("a page");
        assert!(text.starts_with("<!doctype html>") && text.contains("<title>Ada – Bob</title>"));
        assert!(text.contains("\"glyphs\":[\"?!\"]") && text.contains("\"score\":\"+0.30\""));
        assert!(text.contains("\"color\":\"green\""), "the arrow");
    }
    run(&["export", game, "--game", "2", "--html", name]).fine();
    let text = fs::read_to_string(&page).expect("a page");
    assert!(text.contains("<title>Cy – Black</title>"));
    let missing = run(&["export", game, "--game", "3", "--html", name]);
    assert_eq!(missing.code, 1, "{}", missing.err);
    fs::write(&page, "my notes").expect("a file");
    let refused = run(&["export", game, "--html", name]);
    assert_eq!((refused.code, refused.out.as_str()), (3, ""));
    assert!(refused.err.contains("left alone"), "{}", refused.err);
}

#[test]
fn what_is_wrong_with_a_game_is_said_and_the_rest_is_shown() {
    let folder = folder();
    let page = folder.path().join("game.html");
    let name = page.to_str().expect("a name");
    let out = run_with(&["export", "-", "--html", name], "1. e4 e5 2. Ke3 *\n");
    assert_eq!(out.code, 1);
    assert!(out.err.contains("Ke3"), "{}", out.err);
    assert!(
        fs::read_to_string(&page)
            .expect("a page")
            .contains("\"san\":\"e5\"")
    );
}
