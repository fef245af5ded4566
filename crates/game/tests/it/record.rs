//! The record as a tree, without a session.

use tabiya_game::{
    AddError, Command, Comment, GameResult, Node, NodeId, Record, Session, Step, Timestamp, pgn,
};
use tabiya_rules::{ByColor, Color, Move, MoveHistory, Position, Role};

use crate::common::position;

fn add(record: &mut Record, parent: NodeId, text: &str) -> NodeId {
    let played = record
        .node(parent)
        .unwrap()
        .position()
        .parse_san(text)
        .unwrap();
    record.add(parent, played).unwrap()
}

fn line(record: &mut Record, moves: &str) -> Vec<NodeId> {
    let mut at = NodeId::ROOT;
    moves
        .split(' ')
        .map(|text| {
            at = add(record, at, text);
            at
        })
        .collect()
}

#[test]
fn nodes_know_their_surroundings() {
    let mut record = Record::new(Position::start());
    assert!(record.is_empty());
    let ids = line(&mut record, "e4 e5 Nf3");
    let c5 = add(&mut record, ids[0], "c5");
    assert_eq!(record.len(), 5);
    assert!(!record.is_empty());
    let e5 = record.node(ids[1]).unwrap();
    assert_eq!(e5.ply(), 2);
    assert_eq!(e5.parent().unwrap().id(), ids[0]);
    assert_eq!(e5.next().unwrap().id(), ids[2]);
    assert_eq!(e5.next_sibling().unwrap().id(), c5);
    assert_eq!(e5.children().count(), 1);
    assert!(e5.is_on_main_line() && !record.node(c5).unwrap().is_on_main_line());
    assert_eq!(e5.san().unwrap().to_string(), "e5");
    assert_eq!(record.root().step(), None);
    assert!(record.root().san().is_none());
    assert!(record.root().parent().is_none());
    let order: Vec<NodeId> = record.root().subtree().map(Node::id).collect();
    assert_eq!(order, [NodeId::ROOT, ids[0], ids[1], ids[2], c5]);
    let below: Vec<NodeId> = e5.subtree().map(Node::id).collect();
    assert_eq!(below, [ids[1], ids[2]]);
    assert_eq!(record.main_line_end().id(), ids[2]);
    assert_eq!(record.cursor_line().map(Node::id).collect::<Vec<_>>(), ids);
    assert_eq!(record.on_line(0).unwrap().id(), NodeId::ROOT);
    assert!(record.on_line(4).is_none());
}

#[test]
fn null_moves_are_steps_of_a_record() {
    let mut record = Record::new(Position::start());
    let pass = record.add_null(NodeId::ROOT).unwrap();
    let node = record.node(pass).unwrap();
    assert_eq!(node.step(), Some(Step::Null));
    assert_eq!(node.step().unwrap().played(), None);
    assert_eq!(node.position().turn(), Color::Black);
    let e5 = add(&mut record, pass, "e5");
    assert!(record.node(e5).unwrap().step().unwrap().played().is_some());
    let mut checked = Record::new(position("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1"));
    let error = checked.add_null(NodeId::ROOT).unwrap_err();
    assert_eq!(error, AddError::NullMoveInCheck);
    assert_eq!(error.to_string(), "A side in check cannot pass.");
}

#[test]
fn only_legal_moves_are_added() {
    let mut record = Record::new(Position::start());
    let ids = line(&mut record, "e4 e5");
    let e4: Move = record
        .node(ids[0])
        .unwrap()
        .step()
        .unwrap()
        .played()
        .unwrap();
    let error = record.add(ids[1], e4).unwrap_err();
    assert!(matches!(error, AddError::Illegal(_)));
    assert!(!error.to_string().is_empty());
    let mut other = Record::new(Position::start());
    let error = other.add(ids[1], e4).unwrap_err();
    assert_eq!(error.to_string(), "There is no such move in the record.");
    assert_eq!(other.add_null(ids[1]), Err(AddError::NoSuchNode));
    assert!(other.node(ids[0]).is_none());
    assert!(!other.go_to(ids[0]) && !other.delete(ids[0]) && !other.promote(ids[0]));
    assert!(other.annotation_mut(ids[0]).is_none());
    assert_eq!(other.occurrences(ids[0]), 0);
    assert_eq!(AddError::Full.to_string(), "The record is full.");
}

#[test]
fn the_cursor_remembers_its_line() {
    let mut record = Record::new(Position::start());
    let main = line(&mut record, "e4 e5 Nf3 Nc6");
    let c5 = add(&mut record, main[0], "c5");
    let nc3 = add(&mut record, c5, "Nc3");
    assert_eq!(record.cursor().id(), NodeId::ROOT);
    assert!(record.go_to(nc3));
    assert_eq!(record.back(u32::MAX), 3);
    assert_eq!(record.forward(2), 2);
    assert_eq!(record.cursor().id(), c5);
    assert_eq!(record.forward(u32::MAX), 1);
    assert_eq!(record.cursor().id(), nc3);
    assert!(record.go_to(main[0]));
    assert_eq!(record.forward(1), 1);
    assert_eq!(record.cursor().id(), c5);
    assert!(record.go_to(main[1]));
    assert_eq!(record.forward(9), 2);
    assert_eq!(record.cursor().id(), main[3]);
    // If a deletion cuts the cursor's line, the cursor goes to the last node that is left.
    assert!(record.delete(main[1]));
    assert_eq!(record.cursor().id(), main[0]);
    assert_eq!(record.forward(9), 2);
    assert_eq!(record.cursor().id(), nc3);
    assert!(!record.delete(NodeId::ROOT));
    assert!(!record.promote_to_main_line(nc3));
}

#[test]
fn records_are_equal_by_what_they_say() {
    let build = || {
        let mut record = Record::new(Position::start());
        let ids = line(&mut record, "e4 e5");
        add(&mut record, ids[0], "c5");
        (record, ids)
    };
    let (record, ids) = build();
    // Another order of additions, and a deleted node, make no difference.
    let mut other = Record::new(Position::start());
    let doomed = add(&mut other, NodeId::ROOT, "a4");
    let e4 = add(&mut other, NodeId::ROOT, "e4");
    let c5 = add(&mut other, e4, "c5");
    add(&mut other, e4, "e5");
    assert!(other.delete(doomed) && other.demote(c5));
    other.go_to(NodeId::ROOT);
    assert_ne!(record, other, "the line ahead differs");
    let e5 = other.node(e4).unwrap().next().unwrap().id();
    other.go_to(e5);
    other.go_to(NodeId::ROOT);
    assert_eq!(record, other);

    let changed = |change: &dyn Fn(&mut Record)| {
        let (mut other, _) = build();
        change(&mut other);
        assert_ne!(record, other);
    };
    changed(&|other| other.set_result(GameResult::Draw));
    changed(&|other| other.tags_mut().set("White", "x").unwrap());
    changed(&|other| assert!(other.go_to(ids[0])));
    changed(&|other| {
        add(other, ids[1], "Nf3");
    });
    changed(&|other| {
        add(other, ids[0], "d5");
    });
    changed(&|other| {
        assert!(other.promote(other.node(ids[1]).unwrap().next_sibling().unwrap().id()));
    });
    changed(&|other| {
        other
            .annotation_mut(ids[0])
            .unwrap()
            .comments
            .extend(Comment::new("x"));
    });
    changed(&|other| assert!(other.delete(ids[1])));
    let later = position("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 2");
    assert_ne!(Record::new(Position::start()), Record::new(later));
    // An annotation that was accessed and left empty does not count.
    let (mut touched, _) = build();
    touched.annotation_mut(ids[0]).unwrap();
    assert_eq!(record, touched);
}

#[test]
fn deep_and_wide_records_need_no_stack() {
    let mut record = Record::new(Position::start());
    let cycle = ["g1f3", "g8f6", "f3g1", "f6g8"];
    let mut at = NodeId::ROOT;
    for ply in 0..20_000 {
        let played = record
            .node(at)
            .unwrap()
            .position()
            .parse_uci(cycle[ply % 4])
            .unwrap();
        at = record.add(at, played).unwrap();
    }
    let e4 = record.start().parse_san("e4").unwrap();
    for _ in 0..20_000 {
        record.add(NodeId::ROOT, e4).unwrap();
    }
    assert_eq!(record.clone(), record);
    assert_eq!(record.occurrences(at), 5_001);
    assert_eq!(record.root().subtree().count(), 40_001);
    let first = record.root().next().unwrap().id();
    assert!(record.delete(first));
    assert_eq!(record.len(), 20_001);
}

#[test]
fn a_game_that_was_read_becomes_a_history_of_its_main_line() {
    let game = pgn::games(&b"1. f3 (1. e4 e5 2. Nf3) e5 2. g4 Qh4# 0-1"[..]).next();
    let record = game.expect("a game").record;
    let history = MoveHistory::from(&record);
    assert_eq!(history.len(), 4);
    assert!(history.current().is_checkmate());

    let mut built = Record::default();
    built
        .add_line(NodeId::ROOT, ["f3", "e5", "g4", "Qh4#"])
        .expect("legal moves");
    assert_eq!(MoveHistory::from(&built), history);
    assert_eq!(built.cursor().history(), MoveHistory::default());
}

#[test]
fn a_game_becomes_a_history_of_moves_that_begins_after_a_pass() {
    let mut session = Session::default();
    for text in ["e4", "e5", "Nf3"] {
        session
            .apply(Command::play(text), Timestamp::ORIGIN)
            .expect("legal");
    }
    session
        .apply(Command::undo(1), Timestamp::ORIGIN)
        .expect("something to undo");
    let history = MoveHistory::from(&session);
    assert_eq!(history.moves().len(), 2);
    assert_eq!(history.current(), session.position());
    assert_eq!(history, session.record().cursor().history());

    let mut record = Record::new(Position::start());
    let pass = record.add_null(NodeId::ROOT).expect("no check");
    let e5 = record.node(pass).expect("there").position().parse_san("e5");
    let end = record.add(pass, e5.expect("a move")).expect("legal");
    let history = record.node(end).expect("there").history();
    assert_eq!(history.moves().len(), 1);
    assert!(!history.start().turn().is_white());
}

#[test]
fn the_name_of_a_node_names_nothing_in_another_game() {
    let (mut one, mut other) = (
        Record::new(Position::start()),
        Record::new(Position::start()),
    );
    let here = line(&mut one, "e4 e5 Nf3");
    let there = line(&mut other, "d4 d5 c4 e6");
    for id in here {
        assert!(other.node(id).is_none());
        assert!(!other.go_to(id) && !other.delete(id) && !other.promote(id));
        assert!(other.annotation_mut(id).is_none());
        let e4 = one.node(NodeId::ROOT).unwrap().position().parse_san("e4");
        assert_eq!(other.add(id, e4.unwrap()), Err(AddError::NoSuchNode));
    }
    assert_eq!(other.len(), 5);
    // A clone has the same IDs, and the start has one ID in all records.
    let copy = other.clone();
    for id in there {
        assert_eq!(copy.node(id).map(Node::ply), other.node(id).map(Node::ply));
        assert!(one.node(id).is_none());
    }
    assert!(one.node(NodeId::ROOT).is_some() && other.node(NodeId::ROOT).is_some());
}

#[test]
fn the_cursors_line_and_the_main_line_are_two_things() {
    let mut record = Record::new(Position::start());
    let main = line(&mut record, "e4 e5 Nf3");
    let variation = add(&mut record, main[0], "c5");
    record.go_to(variation);
    let sans = |nodes: Vec<Node<'_>>| {
        let texts = nodes
            .into_iter()
            .filter_map(|node| Some(node.san()?.to_string()));
        texts.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(sans(record.cursor_line().collect()), "e4 c5");
    assert_eq!(sans(record.main_line().collect()), "e4 e5 Nf3");
    assert_eq!(record.main_line_end().id(), main[2]);
    let last = record.main_line().last().unwrap();
    assert_eq!(last.position().fen().split(' ').nth(1), Some("b"));
}

#[test]
fn tags_that_follow_from_the_record_answer_too() {
    let mut record = Record::new(Position::start());
    assert_eq!(record.tags().get("Result"), Some("*"));
    assert_eq!(record.tags().get("FEN"), None);
    assert_eq!(record.tags().get("SetUp"), None);
    record.set_result(GameResult::Draw);
    record.tags_mut().set("White", "Anna").unwrap();
    assert_eq!(record.tags().get("Result"), Some("1/2-1/2"));
    assert_eq!(record.tags().get("White"), Some("Anna"));
    assert_eq!(
        record.tags().iter().collect::<Vec<_>>(),
        [("White", "Anna")]
    );

    let fen = "4k3/8/8/8/8/8/8/R3K3 w A - 3 9";
    let record = Record::new(position(fen));
    assert_eq!(record.tags().get("FEN"), Some(fen));
    assert_eq!(record.tags().get("SetUp"), Some("1"));
    assert_eq!(record.tags().get("Variant"), Some("Chess960"));
    assert!(record.tags().is_empty(), "nothing was set");
}

#[test]
fn captures_are_those_on_the_way_to_a_node() {
    let text = b"[FEN \"4k3/P5p1/8/5P2/8/8/1r6/4K2R w K - 0 1\"]\n\n\
        1. a8=Q+ Ke7 (1... Kf7 2. Rh8 g5 3. fxg6+ Kxg6) 2. Kd1 Rb8 3. Qxb8 *";
    let game = pgn::games(text).next().expect("one game");
    let end = game.record.main_line_end();
    assert_eq!(end.captures()[Color::White], [Role::Rook]);
    assert_eq!(end.captures()[Color::Black], []);
    assert_eq!(game.record.root().captures(), ByColor::default());
    let first = game.record.root().next().expect("a move");
    let side_line = first.children().nth(1).expect("a variation");
    let captures = side_line.subtree().last().expect("itself").captures();
    // En passant.
    assert_eq!(captures[Color::White], [Role::Pawn]);
    assert_eq!(captures[Color::Black], [Role::Pawn]);

    // What a pawn has become is what is captured.
    let text = b"[FEN \"4k3/P7/8/8/8/1r6/8/4K3 w - - 0 1\"]\n\n1. a8=Q+ Rb8 2. Kd1 Rxa8 *";
    let game = pgn::games(text).next().expect("one game");
    let captures = game.record.main_line_end().captures();
    assert_eq!(captures[Color::Black], [Role::Queen]);
}
