//! A judgment is stored with its game, and restored from it.

use tabiya_game::pgn;
use tabiya_rules::Score;
use tabiya_uci::Go;

use super::*;
use crate::analysis::GameAnalyzer;
use crate::engines::KnownEngines;
use crate::players::{BlockingPlayer, PlayerConfig, StopHandle};

/// A game in which both sides have gone wrong once, with a judgment of every position.
fn judged() -> (Record, Study) {
    let text = b"1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0";
    let record = pgn::games(text).next().expect("a game").record;
    let mut session = Session::restore(record);
    let engine = PlayerSpec::Bot(None);
    let (mut study, task) = Study::of(session.record(), 1, engine).expect("moves");
    let scores = [20, 25, 20, -30, 900, 0];
    for (at, (history, score)) in task.positions.iter().zip(scores).enumerate() {
        let position = history.current();
        let found = match position.legal_moves().last() {
            None => Verdict::of_search(position, None),
            Some(&best) => {
                let score = Score::Centipawns(score).for_white(position.turn());
                Verdict::found(score, position, Some(9), vec![best])
            }
        };
        let marks = study.judge(session.record(), at, found);
        let kept = study.evaluation(at).expect("it is judged");
        for command in [kept].into_iter().chain(marks) {
            session.apply(command, Timestamp::ORIGIN).expect("room");
        }
    }
    study.done = true;
    (session.save(), study)
}

#[test]
fn a_judgment_is_found_again_in_the_text_of_its_game() {
    let (record, study) = judged();
    let text = pgn::to_string(&record, pgn::Format::Export);
    let again = pgn::games(text.as_bytes()).next().expect("a game").record;
    let found = Study::stored_in(&again).expect("a judgment");
    assert_eq!(found.analysis, study.analysis, "{text}");
    assert_eq!(found.turning_points(), [4]);
    assert!(found.is_complete(&again) && study.is_complete(&record));
}

#[test]
fn a_game_that_is_judged_in_part_is_not_judged() {
    let (record, study) = judged();
    let unjudged = pgn::games(b"1. e4 e5 2. Qh5 Ke7 *").next().expect("a game");
    assert!(Study::stored_in(&unjudged.record).is_none());
    let mut session = Session::restore(record);
    let third = session.record().on_line(3).expect("a move").id();
    let forget = Command::Evaluate {
        node: Some(third),
        evaluation: None,
        best: Vec::new(),
    };
    session.apply(forget, Timestamp::ORIGIN).expect("room");
    assert!(Study::stored_in(session.record()).is_none());
    session
        .apply(Command::Delete(third), Timestamp::ORIGIN)
        .expect("a move");
    assert!(!study.is_complete(session.record()), "it ends elsewhere");
    assert!(Study::stored_in(session.record()).is_some(), "the rest is");
}

#[test]
fn a_judgment_is_copied_to_the_same_game_only() {
    let (judged, study) = judged();
    let played = pgn::games(b"1. e4 e5 2. Qh5 Ke7 {why?} 3. Qxe5# 1-0");
    let played = played.into_iter().next().expect("a game").record;
    let mut session = Session::restore(played);
    assert!(!copy_judgment(&judged, &mut session, Timestamp::ORIGIN).is_empty());
    let found = Study::stored_in(session.record()).expect("a judgment");
    assert_eq!(found.analysis, study.analysis);
    let blunder = session.record().on_line(4).expect("a move").annotation();
    assert_eq!(blunder.glyphs, [Glyph::BLUNDER]);
    assert_eq!(
        blunder.comments[0].as_str(),
        "why?",
        "the user's words stay"
    );
    for other in [
        &b"1. e4 e5 2. Qh5 Ke7 *"[..],
        b"1. e4 e5 2. Qh5 Nf6 3. Qxe5+ *",
    ] {
        let other = pgn::games(other).next().expect("a game").record;
        let mut session = Session::restore(other.clone());
        assert_eq!(copy_judgment(&judged, &mut session, Timestamp::ORIGIN), []);
        assert_eq!(session.record().root().annotation().evaluation, None);
    }
}

/// What is written into a game, here by `analyse`, is a judgment that says the same when it is read again.
#[test]
fn an_analysis_is_read_again_as_a_judgment() {
    let config = PlayerConfig::of(&PlayerSpec::Bot(None), &KnownEngines::default());
    let config = config.expect("it is built in").expect("no person");
    let player = BlockingPlayer::start(&config).expect("a thread");
    let go = Go::new().with_nodes(1_000);
    let mut analyzer = GameAnalyzer::new(player, go, StopHandle::default());
    let mut reasons = 0;
    for line in include_str!("../analysis/explanation/games.pgn")
        .lines()
        .take(20)
    {
        let record = pgn::games(line.as_bytes()).next().expect("a game").record;
        let analysis = analysis::analyse(&record, &mut analyzer, || ()).expect("it answers");
        let mut annotated = record.clone();
        analysis.annotate(&mut annotated);
        let text = pgn::to_string(&annotated, pgn::Format::Export);
        let again = pgn::games(text.as_bytes()).next().expect("a game").record;
        let study = Study::stored_in(&again).expect("a judgment");
        assert!(again.tags().get("WhiteAccuracy").is_some());
        assert_eq!(
            study.analysis.marked(|_| true),
            analysis.marked(|_| true),
            "{text}"
        );
        for ply in analysis.marked(|_| true) {
            let (node, _, why) = study.judged(&again, ply).expect("it is marked");
            let comments = &again.node(node).expect("a move").annotation().comments;
            let said = comments.first().map(|comment| comment.as_str().to_owned());
            assert_eq!(said, why.map(|why| why.to_string()), "{text}");
            reasons += said.iter().filter(|said| !said.contains(" costs ")).count();
        }
    }
    assert!(reasons >= 20, "{reasons}");
}
