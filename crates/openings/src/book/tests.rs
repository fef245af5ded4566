//! Books are written and read back in every way, and anything that is not a book is an error.

use std::io::{self, Cursor, Read, Seek, SeekFrom};

use tabiya_rules::{Color, Position};

use super::*;

fn entry(position: &Position, uci: &str, weight: u16) -> BookEntry {
    BookEntry::new(position, position.parse_uci(uci).expect(uci), weight)
}

fn book(mut entries: Vec<BookEntry>) -> PolyglotBook<Cursor<Vec<u8>>> {
    entries.sort_by_key(|entry| entry.key);
    let mut bytes = Vec::new();
    write(entries, &mut bytes).expect("sorted entries");
    PolyglotBook::new(Cursor::new(bytes)).expect("a book")
}

#[test]
fn entries_are_the_bytes_of_the_format() {
    // The start position's key, e2e4 as 4 + 8·3 + 64·(4 + 8·1), the weight and the learned number, big-endian.
    let entry = BookEntry {
        learn: 0x0102_0304,
        ..entry(&Position::start(), "e2e4", 0xabcd)
    };
    let bytes = [
        0x46, 0x3b, 0x96, 0x18, 0x16, 0x91, 0xfc, 0x9c, 0x03, 0x1c, 0xab, 0xcd, 1, 2, 3, 4,
    ];
    assert_eq!(entry.to_bytes(), bytes);
    assert_eq!(BookEntry::from_bytes(bytes), entry);
}

#[test]
fn every_move_comes_back() {
    for fen in [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        "8/2P5/8/8/4pPk1/8/8/4K3 b - f3 0 1",
        "1nr1k2r/2P5/8/8/8/8/8/4K3 w k - 0 1",
    ] {
        let position = Position::from_fen(fen).expect(fen);
        for &m in &position.legal_moves() {
            assert_eq!(RawMove::new(m).resolve(&position), Some(m), "{fen} {m:?}");
        }
    }
    let start = Position::start();
    assert_eq!(RawMove(0).resolve(&start), None);
    assert_eq!(RawMove(u16::MAX).resolve(&start), None);
    let castle = Position::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1").expect("a position");
    let m = castle.parse_san("O-O").expect("a castle");
    // The king takes its rook in the format; its own two squares are read too.
    assert_eq!(RawMove::new(m), RawMove(7 | 4 << 6));
    assert_eq!(RawMove(6 | 4 << 6).resolve(&castle), Some(m));
}

#[test]
fn moves_are_found_in_a_large_book() {
    let mut entries = Vec::new();
    let mut positions = Vec::new();
    for number in 0..960 {
        let position = Position::chess960(number).expect("a start");
        let moves = position.legal_moves();
        let ucis = moves.iter().enumerate().map(|(i, &m)| (m, i as u16));
        entries.extend(ucis.map(|(m, i)| BookEntry::new(&position, m, i)));
        positions.push(position);
    }
    let mut book = book(entries.clone());
    assert_eq!(book.len(), entries.len() as u64);
    for position in &positions {
        let found = book.moves(position).expect("an answer");
        let listed: Vec<_> = position.legal_moves().iter().copied().collect();
        // Other starts have the same key only where they are the same position but for castling.
        for m in listed {
            assert!(found.iter().any(|found| found.m == m));
        }
    }
    let read: Result<Vec<_>, _> = book.entries().expect("a beginning").collect();
    entries.sort_by_key(|entry| entry.key);
    assert_eq!(read.expect("all entries"), entries);
    assert_eq!(book.entries_of(0).expect("an answer"), []);
    assert_eq!(book.entries_of(u64::MAX).expect("an answer"), []);
}

#[test]
fn moves_are_picked_by_weight() {
    let start = Position::start();
    let mut book = book(vec![
        entry(&start, "e2e4", 3),
        entry(&start, "d2d4", 1),
        entry(&start, "a2a3", 0),
        // Illegal and duplicate entries do not count.
        BookEntry {
            raw: RawMove(0),
            ..entry(&start, "e2e4", 999)
        },
        entry(&start, "e2e4", 7),
    ]);
    assert_eq!(book.moves(&start).expect("an answer").len(), 3);
    let best = book.best(&start).expect("an answer").expect("a move");
    assert_eq!(
        (best.m, best.weight),
        (start.parse_uci("e2e4").expect("a move"), 3)
    );
    let mut picked = [0; 2];
    for quarter in 0..4 {
        let random = (u64::MAX / 4 + 1) * quarter;
        for random in [random, random + (u64::MAX / 4)] {
            let found = book
                .pick(&start, random)
                .expect("an answer")
                .expect("a move");
            picked[usize::from(found.m == best.m)] += 1;
        }
    }
    assert_eq!(picked, [2, 6]);
    let other = start.play(best.m).expect("legal");
    assert_eq!(book.pick(&other, 5).expect("an answer"), None);
    assert_eq!(book.best(&other).expect("an answer"), None);
    let mut zero = self::book(vec![entry(&start, "a2a3", 0)]);
    assert_eq!(zero.best(&start).expect("an answer"), None);
    assert_eq!(zero.pick(&start, u64::MAX).expect("an answer"), None);
}

#[test]
fn games_become_a_book() {
    let start = Position::start();
    let line = |text: &str| {
        let mut position = start;
        let mut moves = Vec::new();
        for san in text.split(' ') {
            let m = position.parse_san(san).expect(san);
            position = position.play(m).expect(san);
            moves.push(m);
        }
        moves
    };
    let mut builder = BookBuilder::new().plies(5).min_games(2);
    builder.add_game(&start, line("e4 e5 Nf3 Nc6 Bb5 a6"), Some(Color::White));
    builder.add_game(&start, line("Nf3 Nc6 e4 e5 Bb5 Nf6"), None);
    builder.add_game(&start, line("e4 e5 Nf3 Nf6"), Some(Color::Black));
    // The same position three times over is one game.
    builder.add_game(&start, line("Nf3 Nf6 Ng1 Ng8 Nf3"), None);
    let entries = builder.entries();
    assert!(entries.is_sorted_by_key(|entry| entry.key));
    let mut book = book(entries);
    let mut moves = |text: &str| {
        let mut position = start;
        for m in line(text) {
            position = position.play(m).expect("legal");
        }
        let found = book.moves(&position).expect("an answer");
        let texts = found
            .iter()
            .map(|found| (position.san(found.m).to_string(), found.weight));
        texts.collect::<Vec<_>>()
    };
    let expected = |list: &[(&str, u32)]| -> Vec<(String, u32)> {
        list.iter()
            .map(|&(san, weight)| (san.to_owned(), weight))
            .collect()
    };
    // By transposition: the win and the draw.
    assert_eq!(moves("e4 e5 Nf3 Nc6"), expected(&[("Bb5", 3)]));
    assert_eq!(moves("e4"), expected(&[("e5", 2)]));
    // Played in one game only, or beyond the limit.
    assert_eq!(moves("Nf3"), []);
    assert_eq!(moves("e4 e5 Nf3 Nc6 Bb5"), []);
    let first = BookBuilder::new().min_games(1).entries();
    assert!(first.is_empty());
}

#[test]
fn books_are_merged() {
    let start = Position::start();
    let next = start
        .play(start.parse_uci("e2e4").expect("a move"))
        .expect("legal");
    let learned = BookEntry {
        learn: 5,
        ..entry(&start, "d2d4", 65_535)
    };
    let mut books = [
        book(vec![
            entry(&start, "e2e4", 2),
            entry(&start, "d2d4", 65_535),
            entry(&next, "e7e5", 9),
        ]),
        book(vec![learned, entry(&start, "g1f3", 0)]),
        book(vec![]),
    ];
    let mut bytes = Vec::new();
    merge(&mut books, &mut bytes).expect("sorted books");
    let mut merged = PolyglotBook::new(Cursor::new(bytes)).expect("a book");
    assert_eq!(merged.len(), 4);
    let found = merged.entries_of(start.polyglot_key()).expect("an answer");
    let weights: Vec<_> = found
        .iter()
        .map(|entry| (entry.weight, entry.learn))
        .collect();
    // Scaled down, but no weight becomes 0.
    assert_eq!(weights, [(65_535, 5), (1, 0), (0, 0)]);
    assert_eq!(
        merged
            .best(&next)
            .expect("an answer")
            .map(|best| best.weight),
        Some(9)
    );
}

#[test]
fn what_is_no_book_is_an_error() {
    let bytes = Cursor::new(vec![0; 17]);
    let error = PolyglotBook::new(bytes).expect_err("17 bytes");
    assert!(matches!(error, BookError::Length { bytes: 17 }));
    let start = Position::start();
    let next = start
        .play(start.parse_uci("e2e4").expect("a move"))
        .expect("legal");
    let mut unsorted = vec![entry(&start, "e2e4", 1), entry(&next, "e7e5", 1)];
    unsorted.sort_by_key(|entry| u64::MAX - entry.key);
    let error = write(unsorted.clone(), Vec::new()).expect_err("unsorted");
    assert!(matches!(error, BookError::Unsorted { index: 1 }));
    let bytes: Vec<u8> = unsorted.iter().flat_map(|entry| entry.to_bytes()).collect();
    let mut books = [PolyglotBook::new(Cursor::new(bytes)).expect("whole entries")];
    let error = merge(&mut books, Vec::new()).expect_err("unsorted");
    assert!(matches!(error, BookError::Unsorted { index: 1 }), "{error}");
    let error = books[0].entry(2).expect_err("two entries");
    assert_eq!(error.to_string(), "there is no entry 2 in a book of 2");
    let mut empty = book(vec![]);
    assert!(empty.is_empty() && empty.moves(&start).expect("an answer").is_empty());
}

/// A file that is truncated after its length was read.
struct Cut(Cursor<Vec<u8>>);

impl Read for Cut {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.0.read(bytes)
    }
}

impl Seek for Cut {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let place = self.0.seek(to)?;
        if let SeekFrom::End(_) = to {
            self.0.get_mut().truncate(20);
        }
        Ok(place)
    }
}

#[test]
fn a_book_that_is_cut_is_an_error() {
    let start = Position::start();
    let bytes = entry(&start, "e2e4", 1).to_bytes().repeat(3);
    let mut book = PolyglotBook::new(Cut(Cursor::new(bytes))).expect("a book");
    assert!(matches!(book.moves(&start), Err(BookError::Io(_))));
    let read: Vec<_> = book.entries().expect("a beginning").collect();
    assert!(matches!(read[..], [Err(BookError::Io(_))]), "{read:?}");
}
