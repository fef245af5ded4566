//! Files of puzzles, themes, and the rating of exercises.

use super::*;
use crate::csv::{self, MAX_LINE, PuzzleFault, PuzzleRow, Rows};
use crate::puzzle::Puzzle;
use crate::rating::{DEVIATION, Rater, accuracy};
use crate::themes;

/// The columns of a file that has no more.
const HEADER: &str = "PuzzleId,FEN,Moves,Rating,RatingDeviation,Themes";

/// Black blunders with 1...Kg8-h8, and White mates in two: a rook is given up on h7.
pub(super) const MATE_IN_TWO: &str =
    "two,6k1/6pp/8/6N1/8/8/4Q3/K6R b - - 0 1,g8h8 h1h7 h8g8 e2e8,1500,80,mateIn2 short";

fn rows(text: &str) -> Vec<(u64, Result<PuzzleRow, PuzzleFault>)> {
    let rows = Rows::new(text.as_bytes()).expect("a header");
    rows.map(|row| row.expect("no file fails")).collect()
}

fn puzzle(line: &str) -> (Puzzle, PuzzleRow) {
    let row = rows(&format!("{HEADER}\n{line}\n"))
        .remove(0)
        .1
        .expect("a row");
    (Puzzle::try_from(&row).expect("legal"), row)
}

pub(super) fn tactic(line: &str) -> Item {
    let (puzzle, row) = puzzle(line);
    puzzle.item(&row)
}

#[test]
fn rows_are_found_by_the_names_of_the_columns_and_written_as_they_were() {
    let text = "\u{feff}Themes,Rating,fen,Moves,Other,PuzzleId\r\n\
        fork short,1400,8/8/8/8/8/8/8/8 w - - 0 1,e2e4 e7e5,\"a, \"\"b\"\"\",Xy1\r\n\
        \n\
        ,,8/8/8/8/8/8/8/8 w - - 0 1,e2e4 e7e5,,\n";
    let found = rows(text);
    let numbers: Vec<u64> = found.iter().map(|(number, _)| *number).collect();
    assert_eq!(numbers, [2, 4]);
    let row = found[0].1.clone().expect("a row");
    assert_eq!(
        (row.id.as_str(), row.rating, row.rd),
        ("Xy1", Some(1400), None)
    );
    assert_eq!(row.themes, ["fork", "short"]);
    assert_eq!(row.moves, ["e2e4", "e7e5"]);
    let odd = PuzzleRow {
        id: "a,\"b\"\n".to_owned(),
        ..row
    };
    let again = rows(&format!("{}\n{}\n", csv::HEADER, odd.line()))
        .remove(0)
        .1;
    assert_eq!(
        again.map(|row| (row.id, row.rating)),
        Ok(("a,\"b\"".to_owned(), Some(1400)))
    );
    assert!(Rows::new(&b"PuzzleId,Moves\n"[..]).is_err());
    assert!(Rows::new(&b""[..]).is_err());
    assert!(Rows::new(&[0xff; 40][..]).is_err());
    let endless = std::io::BufReader::new(std::io::repeat(b'F'));
    assert!(Rows::new(endless).is_err());
}

#[test]
fn nonsense_is_named_by_its_line_and_what_follows_is_read() {
    let long = "x".repeat(3 * MAX_LINE);
    let fen = "6k1/6pp/8/6N1/8/8/4Q3/K6R b - - 0 1";
    let lines = [
        (long.clone(), PuzzleFault::Row),
        (format!("\"{long}"), PuzzleFault::Row),
        ("a,\"b\"c,d".to_owned(), PuzzleFault::Row),
        ("only one".to_owned(), PuzzleFault::Columns),
        (format!("a,{fen},"), PuzzleFault::Columns),
        ("a,no position,e2e4 e7e5".to_owned(), PuzzleFault::Position),
        (format!("a,{fen},g8h8"), PuzzleFault::Length),
        (format!("a,{fen},g8h8 h1h7 h8g8"), PuzzleFault::Length),
        (
            format!("a,{fen},{}", "g8h8 ".repeat(82)),
            PuzzleFault::Length,
        ),
        (format!("a,{fen},g8h8 h1h9"), PuzzleFault::Move(2)),
        (format!("a,{fen},g8g1 h1h7"), PuzzleFault::Move(1)),
    ];
    let all: Vec<String> = lines.iter().map(|(line, _)| format!("{line}\n")).collect();
    let found = rows(&format!("{HEADER}\n{}{MATE_IN_TWO}", all.concat()));
    assert_eq!(found.len(), lines.len() + 1);
    for ((number, row), (at, (line, fault))) in found.iter().zip(lines.iter().enumerate()) {
        let puzzle = row.clone().and_then(|row| Puzzle::try_from(&row));
        let line: String = line.chars().take(60).collect();
        assert_eq!(puzzle.err(), Some(*fault), "{line}");
        assert_eq!(*number, at as u64 + 2);
    }
    assert!(found.last().is_some_and(|(_, row)| row.is_ok()));
}

#[test]
fn a_puzzle_begins_after_the_opponents_move_and_keeps_what_its_row_knows() {
    let item = tactic(MATE_IN_TWO);
    assert_eq!(item.position.fen(), "7k/6pp/8/6N1/8/8/4Q3/K6R w - - 1 2");
    assert_eq!(
        item.last.map(|last| last.to_string()).as_deref(),
        Some("g8h8")
    );
    assert_eq!((item.rating, item.rd), (Some(1500), Some(80)));
    assert_eq!(item.themes, ["mateIn2", "short"]);
    assert_eq!(item.to_find().len(), 3);
    let stored = added(7, noon(1, 0), &item);
    let (read, _) = crate::log::read(stored.line().as_bytes());
    assert_eq!(read, crate::log::Line::Entry(Box::new(stored)));
    let bare = tactic("two,6k1/6pp/8/6N1/8/8/4Q3/K6R b - - 0 1,g8h8 h1h7 h8g8 e2e8,,,");
    assert_eq!(
        (bare.rating, bare.themes),
        (None, vec!["mateIn2".to_owned()])
    );
}

/// The names of the themes that are found.
fn found(position: &str, moves: &str) -> Vec<&'static str> {
    let (puzzle, _) = puzzle(&format!("t,{position},{moves},,,"));
    let last = Some((&puzzle.before, puzzle.last));
    themes::of(&puzzle.position, &puzzle.solution, last)
}

#[test]
fn themes_are_found_where_they_are_and_not_beside() {
    let cases = [
        // A knight gives check and attacks the rook; with the queen on d8 it is only taken.
        (
            "r3k3/p7/8/3N4/8/8/6PP/6K1 b - - 0 1",
            "a7a6 d5c7 e8d7 c7a8",
            &["fork"][..],
        ),
        (
            "r2qk3/p7/8/3N4/8/8/6PP/6K1 b - - 0 1",
            "a7a6 d5c7 e8d7 c7a8",
            &[],
        ),
        // A bishop that nothing protects, one that a pawn protects, and one that has taken a bishop itself.
        (
            "6k1/5ppp/8/8/8/2b5/5PPP/2R3K1 b - - 0 1",
            "g8f8 c1c3",
            &["hangingPiece"],
        ),
        (
            "6k1/5ppp/8/8/1p6/2b5/5PPP/2R3K1 b - - 0 1",
            "g8f8 c1c3 b4c3 g1f1",
            &[],
        ),
        (
            "6k1/5ppp/5b2/8/8/2B5/5PPP/2R3K1 b - - 0 1",
            "f6c3 c1c3",
            &[],
        ),
        (
            "3k4/q7/8/4B3/8/8/8/4R2K b - - 0 1",
            "d8e8 e5d4 e8f7 d4a7",
            &["discoveredAttack"],
        ),
        (
            "3k4/q7/8/4B3/8/8/8/3R3K b - - 0 1",
            "d8e8 e5d4 e8f7 d4a7",
            &[],
        ),
        // The king leaves the line and the queen is behind it; if it stands beside, there is nothing.
        (
            "4q3/8/8/3k4/8/8/8/R5K1 b - - 0 1",
            "d5e5 a1e1 e5d5 e1e8",
            &["skewer"],
        ),
        (
            "4q3/8/8/3k4/8/8/8/R5K1 b - - 0 1",
            "d5d6 a1e1 d6d5 e1e8",
            &[],
        ),
        // The pawn on g7 may not take, unless there is no rook on its file.
        ("5k2/6p1/7p/8/8/4Q3/8/K5R1 b - - 0 1", "f8g8 e3h6", &["pin"]),
        ("5k2/6p1/7p/8/8/4Q3/8/K6R b - - 0 1", "f8g8 e3h6", &[]),
        (
            "5k2/5ppp/8/8/8/8/8/K3R3 b - - 0 1",
            "f8g8 e1e8",
            &["mateIn1", "backRankMate", "rookEndgame"],
        ),
        (
            "7k/R7/6K1/8/8/8/8/8 b - - 0 1",
            "h8g8 a7a8",
            &["mateIn1", "rookEndgame"],
        ),
        (
            "5r1k/6pp/8/6N1/8/8/8/K7 b - - 0 1",
            "f8g8 g5f7",
            &["mateIn1", "smotheredMate"],
        ),
        (
            "5r1k/5Q1p/8/6N1/8/8/8/K7 b - - 0 1",
            "f8g8 f7h7",
            &["mateIn1"],
        ),
        (
            "8/P7/8/8/8/7k/8/K7 b - - 0 1",
            "h3h4 a7a8q",
            &["promotion", "pawnEndgame"],
        ),
        (
            "8/5k2/8/3b4/8/8/4B3/4K3 b - - 0 1",
            "f7e7 e2b5",
            &["bishopEndgame"],
        ),
    ];
    for (position, moves, expected) in cases {
        assert_eq!(found(position, moves), expected, "{position} {moves}");
    }
    let shown = ["fork", "pin", "backRankMate", "mateIn2"].map(themes::is_shown);
    assert_eq!(shown, [true, false, false, true]);
}

/// Forty exercises from games that the engine played with random moves between its own, with the ratings and themes that
/// were worked out for them.
const FORTY: &str = include_str!("forty.csv");

#[test]
fn forty_exercises_are_rated_and_named_as_before() {
    let mut rater = Rater::new();
    let mut pairs = Vec::new();
    for (_, row) in rows(FORTY) {
        let row = row.expect("a row");
        let puzzle = Puzzle::try_from(&row).expect("legal");
        let last = Some((&puzzle.before, puzzle.last));
        let found = themes::of(&puzzle.position, &puzzle.solution, last);
        assert_eq!(found, row.themes, "{}", row.id);
        let before = row.rating.expect("a rating");
        let mut item = puzzle.item(&row);
        (item.rating, item.rd) = (None, None);
        rater.complete(&mut item);
        assert_eq!(item.rd, Some(DEVIATION));
        pairs.push((f64::from(before), f64::from(item.rating.expect("a rating"))));
    }
    assert_eq!(pairs.len(), 40);
    // Another engine finds some moves later or sooner, but an exercise is as hard as it was.
    let accuracy = accuracy(&pairs).expect("many");
    assert!(
        accuracy.mae < 60.0 && accuracy.spearman > 0.95,
        "{accuracy:?}"
    );
}

#[test]
fn ranks_share_ties_and_what_is_reversed_is_minus_one() {
    let of = |pairs: &[(f64, f64)]| accuracy(pairs).map(|it| (it.mae, it.spearman));
    assert_eq!(of(&[(1.0, 1.0)]), None);
    assert_eq!(
        of(&[(1.0, 3.0), (2.0, 2.0), (3.0, 1.0)]),
        Some((4.0 / 3.0, -1.0))
    );
    assert_eq!(of(&[(1.0, 5.0), (2.0, 5.0)]), Some((3.5, 0.0)));
    let (_, tied) = of(&[(1.0, 1.0), (2.0, 2.0), (2.0, 3.0), (4.0, 4.0)]).expect("many");
    assert!((tied - 0.948_683).abs() < 1e-6, "{tied}");
}
