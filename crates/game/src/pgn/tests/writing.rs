//! Games written as text and read back.

use super::super::{Format, MAX_DEPTH, PgnGame, games, to_string};
use crate::annotation::Comment;
use crate::record::{NodeId, Record};
use tabiya_rules::Position;

fn read(text: &str) -> PgnGame {
    let mut games: Vec<_> = games(text.as_bytes()).collect();
    assert_eq!(games.len(), 1, "{text}");
    games.remove(0)
}

fn both_ways(record: &Record) {
    for format in [Format::Export, Format::Compact] {
        let text = to_string(record, format);
        let game = read(&text);
        assert_eq!(game.errors, [], "{text}");
        assert_eq!(&game.record, record, "{text}");
        assert_eq!(to_string(&game.record, format), text);
    }
}

#[test]
fn the_export_format() {
    let text = r#"[Event "Café \"Régence\""]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[White "?"]
[Black "?"]
[Result "1-0"]
[ECO "C20"]
[Path "C:\\games"]

{root} 1. e4 $1 {[%eval 0.30,20] [%clk 0:01:00] [%emt 0:00:01.5]} {fine} ({one}
1. d4 d5 (1... Nf6 2. c4) 2. c4) (1. -- {[%csl Ga1,Rh8] [%cal Ye2e4] [%x y]})
1... e5 2. Nf3 1-0
"#;
    let game = read(text);
    assert_eq!(game.errors, []);
    assert_eq!(to_string(&game.record, Format::Export), text);
    assert_eq!(
        to_string(&game.record, Format::Compact),
        "[Event \"Café \\\"Régence\\\"\"]\n[ECO \"C20\"]\n[Path \"C:\\\\games\"]\n\n\
         {root} 1.e4 $1 {[%eval 0.30,20] [%clk 0:01:00] [%emt 0:00:01.5]} {fine} ({one} 1.d4 d5 \
         (1...Nf6 2.c4) 2.c4) (1.-- {[%csl Ga1,Rh8] [%cal Ye2e4] [%x y]}) 1...e5 2.Nf3 1-0\n"
    );
    both_ways(&game.record);
}

#[test]
fn nothing_but_a_result() {
    let record = Record::new(Position::start());
    assert_eq!(to_string(&record, Format::Compact), "*\n");
    both_ways(&record);
}

#[test]
fn lines_stay_below_eighty_columns() {
    let mut record = Record::new(Position::start());
    let mut at = NodeId::ROOT;
    for index in 0..300 {
        let san = ["Nf3", "Nf6", "Ng1", "Ng8"][index % 4];
        let played = record
            .node(at)
            .expect("added")
            .position()
            .parse_san(san)
            .expect("legal");
        at = record.add(at, played).expect("legal");
        if index % 7 == 0 {
            let text =
                "a comment of some length, with a sign % and [Event \"no tag\"] %and more of [it";
            record
                .annotation_mut(at)
                .expect("added")
                .comments
                .extend(Comment::new(text));
        }
    }
    let text = to_string(&record, Format::Export);
    assert!(text.lines().all(|line| line.chars().count() < 80), "{text}");
    assert!(text.lines().all(|line| !line.starts_with('%')), "{text}");
    assert!(
        text.lines().skip(8).all(|line| !line.starts_with('[')),
        "{text}"
    );
    both_ways(&record);
}

#[test]
fn start_positions_survive() {
    for text in [
        "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 3 7\"]\n\n7. e4 *",
        "[FEN \"4k3/8/8/8/4P3/8/8/4K3 b - e3 0 7\"]\n\n7... Kd7 8. e5 *",
        "[FEN \"bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1\"]\n\n1. e4 (1. f4 f5) *",
        "[Variant \"Chess960\"]\n\n1. e4 *",
        "[Variant \"Chess960\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 3 7\"]\n\n7. e4 *",
        "[FEN \"8/8/8/8/8/8/4P3/8 w - - 0 1\"]\n\n1. e4 *",
        "[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 5 9\"]\n\n9. e4 *",
    ] {
        let game = read(text);
        assert_eq!(game.errors, []);
        both_ways(&game.record);
    }
}

#[test]
fn comments_before_a_move_inside_a_line_go_to_the_move_before() {
    let mut record = read("1. e4 e5 2. Nf3 *").record;
    let e5 = record.cursor_line().nth(1).expect("e5").id();
    record
        .annotation_mut(e5)
        .expect("e5")
        .before
        .extend(Comment::new("early"));
    let text = to_string(&record, Format::Compact);
    assert_eq!(text, "1.e4 {early} 1...e5 2.Nf3 *\n");
    let again = read(&text).record;
    assert_eq!(
        again.root().next().expect("e4").annotation().comments[0].as_str(),
        "early"
    );
    record = Record::new(Position::start());
    record
        .annotation_mut(NodeId::ROOT)
        .expect("root")
        .before
        .extend(Comment::new("first"));
    assert_eq!(to_string(&record, Format::Compact), "{first} *\n");
}

#[test]
fn variations_inside_each_other() {
    // Alternatives to one move may be nested in the text; they become siblings.
    let game = read("1. e4 (1. d4 (1. c4 (1. Nf3))) e5 *");
    assert_eq!(game.record.root().children().count(), 4);
    both_ways(&game.record);

    let mut record = Record::new(Position::start());
    let mut at = NodeId::ROOT;
    for _ in 0..MAX_DEPTH {
        let moves = record.node(at).expect("added").position().legal_moves();
        record.add(at, moves[0]).expect("legal");
        at = record.add(at, moves[moves.len() - 1]).expect("legal");
    }
    both_ways(&record);
}
