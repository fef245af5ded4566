//! Random openings are balanced, repeatable and different; files of both kinds are read.

use std::io::Cursor;

use tabiya_openings::{Book, BookEntry, BookError, BookMove, PolyglotBook, write};

use super::*;

fn random(seed: u64, pair: u32) -> Opening {
    let mut picker = OpeningPicker::new().expect("the engine inside");
    picker
        .find(&Openings::Random, seed, pair, &StopHandle::default())
        .expect("no book")
        .expect("an opening")
}

#[test]
fn random_openings_depend_on_seed_and_pair_only() {
    let first = random(1, 0);
    assert_eq!(first.moves.len(), RANDOM_PLIES);
    assert_eq!(random(1, 0), first);
    assert_ne!(random(1, 1), first);
    assert_ne!(random(2, 0), first);
    // A picker finds the same opening again after it has found others.
    let mut picker = OpeningPicker::new().expect("the engine inside");
    let stop = StopHandle::default();
    let mut find = |pair| {
        picker
            .find(&Openings::Random, 1, pair, &stop)
            .expect("no book")
    };
    let (other, again) = (find(5), find(0));
    assert!(other.is_some());
    assert_eq!(again, Some(first));
}

#[test]
fn a_halt_ends_the_search_for_an_opening() {
    let stop = StopHandle::default();
    stop.stop();
    let mut picker = OpeningPicker::new().expect("the engine inside");
    assert_eq!(picker.find(&Openings::Random, 1, 0, &stop), Ok(None));
}

#[test]
fn games_are_cut_to_their_first_moves() {
    let text = b"[White \"x\"]\n\n1. e4 e5 2. Nf3 Nc6 *\n\n[White \"y\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n*\n";
    let list = read_openings(text, 3).expect("openings");
    let lengths: Vec<_> = list.iter().map(|opening| opening.moves.len()).collect();
    assert_eq!(lengths, [3, 3]);
    // A move that ends the game is not part of an opening.
    let list = read_openings(text, 16).expect("openings");
    let lengths: Vec<_> = list.iter().map(|opening| opening.moves.len()).collect();
    assert_eq!(lengths, [4, 3]);
}

#[test]
fn positions_come_one_a_line() {
    let text = "# two\n\nrnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - id \"e4\";\n\
        rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1\n";
    let list = read_openings(text.as_bytes(), 16).expect("openings");
    assert_eq!(list.len(), 2);
    assert!(list.iter().all(|opening| opening.moves.is_empty()));
}

#[test]
fn what_cannot_be_played_is_named() {
    let line = |text: &str| read_openings(text.as_bytes(), 16).expect_err(text);
    assert_eq!(line(""), OpeningsError::None);
    assert_eq!(line("not chess"), OpeningsError::None);
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n";
    for bad in [
        "7k/8/8/8/8/8/8/8 w - -",
        "word",
        "k6Q/8/K7/8/8/8/8/8 b - - 0 1",
    ] {
        let error = line(&format!("{start}{bad}\n"));
        assert!(
            matches!(error, OpeningsError::Line { number: 2, .. }),
            "{error}"
        );
    }
}

#[test]
fn a_list_is_shuffled_by_its_seed_and_played_in_a_circle() {
    let text = b"1. e4 *\n\n1. d4 *\n\n1. c4 *\n\n1. f4 *\n\n1. g4 *\n\n1. b4 *\n";
    let list = read_openings(text, 16).expect("openings");
    let mut shuffled = Openings::Listed(list.clone());
    shuffled.shuffle(3);
    let Openings::Listed(other) = &shuffled else {
        panic!("a list");
    };
    assert_ne!(other, &list);
    assert!(list.iter().all(|opening| other.contains(opening)));
    let mut picker = OpeningPicker::new().expect("the engine inside");
    let found = picker.find(
        &Openings::Listed(list.clone()),
        0,
        7,
        &StopHandle::default(),
    );
    assert_eq!(found, Ok(list.get(1).cloned()));
}

/// A book of these lines, all moves of one weight.
fn book(lines: &[&str]) -> SharedBook {
    let mut entries = Vec::new();
    for line in lines {
        let mut position = Position::start();
        for text in line.split(' ') {
            let m = position.parse_san(text).expect("a move");
            entries.push(BookEntry::new(&position, m, 1));
            position = position.play_unchecked(m);
        }
    }
    entries.sort_by_key(|entry| entry.key);
    let mut bytes = Vec::new();
    write(entries, &mut bytes).expect("memory");
    SharedBook::new(PolyglotBook::new(Cursor::new(bytes)).expect("a book"))
}

fn booked(book: &SharedBook, plies: usize, pair: u32) -> Opening {
    let openings = Openings::Book {
        book: book.clone(),
        plies,
    };
    let mut picker = OpeningPicker::new().expect("the engine inside");
    let found = picker.find(&openings, 7, pair, &StopHandle::default());
    found.expect("the book is there").expect("an opening")
}

#[test]
fn openings_come_from_a_book() {
    let book = book(&["e4 e5 Nf3", "d4 d5 c4", "f3 e5 g4 Qh4#"]);
    let found: Vec<Opening> = (0..20).map(|pair| booked(&book, 16, pair)).collect();
    // The mate is not part of an opening.
    assert!(found.iter().all(|opening| opening.moves.len() == 3));
    assert!(found.iter().any(|opening| *opening != found[0]));
    assert_eq!(booked(&book, 16, 0), found[0]);
    assert_eq!(booked(&book, 2, 0).moves, found[0].moves[..2]);
}

#[test]
fn a_book_that_cannot_be_read_is_an_error() {
    /// A file that was truncated after it was opened.
    struct Cut;

    impl Book for Cut {
        type Error = BookError;

        fn moves(&mut self, _: &Position) -> Result<Vec<BookMove>, BookError> {
            Err(BookError::Length { bytes: 1 })
        }
    }

    let openings = Openings::Book {
        book: SharedBook::new(Cut),
        plies: 2,
    };
    let mut picker = OpeningPicker::new().expect("the engine inside");
    let found = picker.find(&openings, 7, 0, &StopHandle::default());
    assert!(found.is_err());
}
