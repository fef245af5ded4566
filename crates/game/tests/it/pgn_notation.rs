//! The notations of moves in PGN: what is written, and that all of them are read again.

use tabiya_game::Record;
use tabiya_game::pgn::{self, Format, Notation};
use tabiya_rules::Position;

fn read(text: &str) -> Record {
    let game = pgn::games(text.as_bytes()).next().expect("a game");
    assert_eq!(game.errors, [], "{text}");
    game.record
}

fn written(record: &Record, notation: Notation) -> String {
    let mut text = String::new();
    pgn::write_as(record, Format::Compact, notation, &mut text).expect("a String takes everything");
    let moves = text.lines().rfind(|line| !line.starts_with('['));
    moves.expect("moves").to_owned()
}

#[test]
fn moves_are_written_in_three_notations_and_read_from_each() {
    for (start, [san, long, uci]) in [
        (
            Position::start().fen(),
            [
                "1.e4 d5 2.exd5 e5 3.dxe6 Bd7 4.exf7+ Ke7 5.fxg8=N+ Ke8 6.Nf3 Nc6 7.Be2 Qe7 8.O-O *",
                "1.e2-e4 d7-d5 2.e4xd5 e7-e5 3.d5xe6 Bc8-d7 4.e6xf7+ Ke8-e7 5.f7xg8=N+ Ke7-e8 6.Ng1-f3 Nb8-c6 \
                 7.Bf1-e2 Qd8-e7 8.O-O *",
                "1.e2e4 d7d5 2.e4d5 e7e5 3.d5e6 c8d7 4.e6f7 e8e7 5.f7g8n e7e8 6.g1f3 b8c6 7.f1e2 d8e7 8.e1g1 *",
            ],
        ),
        (
            "k7/8/K7/8/8/8/8/Q7 w - - 0 1".to_owned(),
            ["1.Qh8# *", "1.Qa1-h8# *", "1.a1h8 *"],
        ),
    ] {
        let tags = format!("[SetUp \"1\"]\n[FEN \"{start}\"]\n\n");
        let record = read(&format!("{tags}{san}"));
        for (notation, expected) in [
            (Notation::San, san),
            (Notation::Long, long),
            (Notation::Uci, uci),
        ] {
            let text = written(&record, notation);
            assert_eq!(text, expected);
            assert_eq!(read(&format!("{tags}{text}")), record, "{text}");
        }
    }
}

#[test]
fn a_null_move_is_the_same_in_every_notation() {
    let record = read("1.e4 -- 2.d4 *");
    assert_eq!(written(&record, Notation::San), "1.e4 -- 2.d4 *");
    assert_eq!(written(&record, Notation::Long), "1.e2-e4 -- 2.d2-d4 *");
    assert_eq!(written(&record, Notation::Uci), "1.e2e4 -- 2.d2d4 *");
}
