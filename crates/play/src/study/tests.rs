//! A judgment is stored with its game, and restored from it.

use tabiya_game::pgn;
use tabiya_rules::Score;

use super::*;

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
