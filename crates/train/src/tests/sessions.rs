//! Training sessions.

use tabiya_game::pgn;
use tabiya_play::advice::Stage;
use tabiya_play::analysis::Verdict;
use tabiya_rules::{ByColor, Color, Score};

use super::*;
use crate::memory::Memory;
use crate::own;
use crate::trainer::{Event, Judged, Options, Outcomes, Quality, Request, Summary, Trainer};

/// A trainer whose record is what it has said to store.
struct Session {
    trainer: Trainer,
    entries: Vec<Entry>,
    second: i64,
    day: i64,
}

impl Session {
    fn new(items: &[Item], day: i64) -> Session {
        let mut session = Session {
            trainer: Trainer::new(Memory::default(), 0, 1, Options::default()),
            entries: Vec::new(),
            second: 0,
            day,
        };
        let items = items.to_vec();
        session.entries = session.trainer.add(items, noon(day, 0));
        session
    }

    /// The next session, with what was stored.
    fn next(self, day: i64) -> Session {
        let memory = Memory::of(self.entries.clone());
        assert_eq!(
            &memory,
            self.trainer.memory(),
            "what is stored is what is known"
        );
        let last = self.entries.last().map_or(0, |entry| entry.stamp.t);
        Session {
            trainer: Trainer::new(memory, last, day as u64, Options::default()),
            entries: self.entries,
            second: 0,
            day,
        }
    }

    fn all(&mut self, request: Request) -> Outcomes {
        self.second += 1;
        let outcomes = self.trainer.handle(request, noon(self.day, self.second));
        self.entries.extend(outcomes.entries.clone());
        outcomes
    }

    fn say(&mut self, request: Request) -> Vec<Event> {
        self.all(request).events
    }

    /// Answers with the best move, or with that of the game.
    fn answer(&mut self, right: bool) -> Vec<Event> {
        let item = self.trainer.current().expect("an exercise").clone();
        let played = if right { item.solution() } else { item.wrong };
        self.say(Request::Move(played.expect("a move")))
    }

    /// Answers everything right, and returns the summary.
    fn finish(&mut self) -> Summary {
        loop {
            if let Some(Event::Ended(summary)) = self.answer(true).last() {
                return *summary;
            }
        }
    }
}

fn judged(events: &[Event]) -> &Judged {
    let found = events.iter().find_map(|event| match event {
        Event::Judged(judged) => Some(judged),
        _ => None,
    });
    found.unwrap_or_else(|| panic!("nothing judged in {events:?}"))
}

fn asks(events: &[Event]) -> (usize, usize, ItemId) {
    match events.last() {
        Some(Event::Exercise(exercise)) => (exercise.number, exercise.of, exercise.item.id),
        other => panic!("no exercise: {other:?}"),
    }
}

#[test]
fn a_failed_exercise_returns_once_at_the_end_and_is_due_the_next_day() {
    let items = items(3);
    let mut session = Session::new(&items, 10);
    let (number, of, first) = asks(&session.say(Request::Start));
    assert_eq!((number, of), (1, 3));
    let events = session.answer(false);
    let wrong = judged(&events);
    assert_eq!(wrong.quality, Quality::Same);
    assert_eq!(
        wrong.grading.map(|it| (it.grade, it.due)),
        Some((Grade::Again, 1))
    );
    assert_eq!(events.len(), 1, "it is tried again");
    let right = session.answer(true);
    assert_eq!(judged(&right).grading, None, "it has its grade");
    session.answer(true);
    let (number, _, last) = asks(&session.answer(true));
    assert_eq!((number, last), (1, first));
    session.answer(false);
    let summary = session.finish();
    let expected = Summary {
        asked: 3,
        solved: 2,
        at_once: 2,
        tomorrow: 1,
        known: 3,
        rating: None,
    };
    assert_eq!(summary, expected);
    let mut session = session.next(11);
    let (_, of, due) = asks(&session.say(Request::Start));
    assert_eq!((of, due), (1, first));
    let grade = judged(&session.answer(true)).grading.expect("a grade");
    assert_eq!(grade.grade, Grade::Good);
    let mut session = session.next(11);
    let events = session.say(Request::Start);
    assert!(matches!(
        events[..],
        [Event::Ended(Summary { asked: 0, .. })]
    ));
}

#[test]
fn a_wrong_answer_is_stored_before_it_is_shown() {
    let mut session = Session::new(&items(1), 10);
    session.say(Request::Start);
    let wrong = session.trainer.current().and_then(|item| item.wrong);
    let outcomes = session.all(Request::Move(wrong.expect("a move")));
    assert!(matches!(
        outcomes.entries[..],
        [Entry {
            change: Change::Review(_),
            ..
        }]
    ));
}

#[test]
fn hints_tell_more_and_more_and_lower_the_grade() {
    for (hints, grade) in [
        (0, Grade::Good),
        (1, Grade::Hard),
        (2, Grade::Hard),
        (3, Grade::Again),
    ] {
        let mut session = Session::new(&items(1), 10);
        session.say(Request::Start);
        for stage in [Stage::Piece, Stage::Square, Stage::Move]
            .into_iter()
            .take(hints)
        {
            let events = session.say(Request::Hint);
            assert!(matches!(&events[..], [Event::Hinted { stage: told, .. }] if *told == stage));
        }
        let events = session.answer(true);
        assert_eq!(judged(&events).grading.map(|it| it.grade), Some(grade));
    }
}

#[test]
fn reviews_are_undone_eased_shown_and_put_off() {
    let items = items(3);
    let mut session = Session::new(&items, 10);
    assert!(matches!(
        session.say(Request::Undo)[..],
        [Event::Nothing(_)]
    ));
    let (_, _, first) = asks(&session.say(Request::Start));
    let (_, _, second) = asks(&session.say(Request::Later));
    let (_, _, third) = asks(&session.say(Request::Show));
    assert_ne!(second, third);
    let events = session.say(Request::Undo);
    assert_eq!(asks(&events), (2, 3, second), "it is asked again");
    assert!(
        session
            .trainer
            .memory()
            .known(second)
            .is_some_and(|it| it.progress().is_none())
    );
    session.answer(true);
    let events = session.say(Request::Easy);
    let [Event::Eased(grading)] = &events[..] else {
        panic!("{events:?}");
    };
    assert!(
        grading.grade == Grade::Easy && grading.due > 8,
        "{grading:?}"
    );
    assert!(matches!(
        session.say(Request::Easy)[..],
        [Event::Nothing(_)]
    ));
    let (_, _, last) = asks(&session.answer(true));
    assert_eq!(
        last, first,
        "what was put off comes at the end, and nothing was failed"
    );
    assert_eq!(session.finish().at_once, 3);
    session.next(11);
}

#[test]
fn what_is_no_move_is_no_attempt() {
    let mut session = Session::new(&items(1), 10);
    session.say(Request::Start);
    for text in ["", "e9", "hello", "Ke4", "0000"] {
        let outcomes = session.all(Request::Typed(text.to_owned()));
        assert!(outcomes.entries.is_empty() && outcomes.task.is_none());
        assert!(
            matches!(outcomes.events[..], [Event::Refused { .. }]),
            "{text}"
        );
    }
    assert_eq!(session.finish().at_once, 1);
}

#[test]
fn a_session_ends_after_its_minutes_or_its_exercises() {
    let items = items(4);
    let options = Options {
        count: Some(2),
        minutes: Some(5),
        ..Options::default()
    };
    let mut trainer = Trainer::new(Memory::default(), 0, 1, options);
    trainer.add(items, noon(1, 0));
    let first = trainer.handle(Request::Start, noon(1, 0));
    assert_eq!(asks(&first.events).1, 2);
    let played = trainer.current().and_then(Item::solution).expect("a move");
    let late = trainer.handle(Request::Move(played), noon(1, 301));
    assert!(matches!(late.events.last(), Some(Event::Ended(_))));
}

#[test]
fn a_clock_that_goes_back_is_held() {
    let mut session = Session::new(&items(2), 10);
    session.say(Request::Start);
    session.answer(true);
    session.day = 4;
    session.answer(true);
    let times: Vec<i64> = session.entries.iter().map(|entry| entry.stamp.t).collect();
    assert!(times.is_sorted(), "{times:?}");
}

/// An engine's scores after the best move and after another, for the side that moves.
fn verdicts(session: &Session, best: Score, tried: Score) -> [Verdict; 2] {
    let item = session.trainer.current().expect("an exercise");
    [best, tried].map(|score| {
        let after = item.position.play_unchecked(item.best[0]);
        let score = match score {
            Score::Centipawns(score) => Score::Centipawns(-score),
            Score::MateIn(moves) => Score::MatedIn(moves),
            Score::MatedIn(moves) => Score::MateIn(moves),
        };
        Verdict::found(score, &after, Some(9), Vec::new())
    })
}

/// Tries a move that is not known, and lets an engine judge it.
fn compared(best: Score, tried: Score) -> (Session, Vec<Event>) {
    let mut session = Session::new(&items(1), 10);
    session.say(Request::Start);
    let item = session.trainer.current().expect("an exercise").clone();
    let mut moves = item.position.legal_moves().into_iter();
    let other = moves
        .find(|&m| !item.accepts(m) && item.wrong != Some(m))
        .expect("another move");
    let outcomes = session.all(Request::Move(other));
    assert!(matches!(outcomes.events[..], [Event::Asked { .. }]));
    assert!(outcomes.entries.is_empty());
    let task = outcomes.task.expect("the engine is asked");
    assert_eq!(task.positions.len(), 2);
    let number = task.number;
    let mut events = Vec::new();
    for (at, found) in verdicts(&session, best, tried).into_iter().enumerate() {
        events = session.say(Request::Judged { number, at, found });
    }
    (session, events)
}

#[test]
fn a_move_that_is_as_good_is_accepted_from_then_on() {
    let (session, events) = compared(Score::Centipawns(30), Score::Centipawns(20));
    let right = judged(&events);
    assert_eq!(right.quality, Quality::Right);
    assert!(right.loss.is_some_and(|loss| loss <= 0.05), "{right:?}");
    assert_eq!(right.grading.map(|it| it.grade), Some(Grade::Good));
    let session = session.next(11);
    let (item, _) = session
        .trainer
        .memory()
        .items()
        .next()
        .expect("an exercise");
    assert_eq!(item.also.len(), 1);
}

#[test]
fn a_playable_move_is_not_graded_and_a_worse_one_is_wrong() {
    let (mut session, events) = compared(Score::Centipawns(100), Score::Centipawns(55));
    let playable = judged(&events);
    assert_eq!(playable.quality, Quality::Playable, "{playable:?}");
    assert_eq!(playable.grading, None);
    let right = session.answer(true);
    assert_eq!(judged(&right).grading.map(|it| it.grade), Some(Grade::Hard));
    let (_, events) = compared(Score::Centipawns(100), Score::Centipawns(-100));
    assert_eq!(judged(&events).quality, Quality::Wrong);
}

#[test]
fn any_mate_is_right_and_a_win_instead_of_a_short_mate_is_playable() {
    let quality = |best, tried| judged(&compared(best, tried).1).quality;
    assert_eq!(quality(Score::MateIn(2), Score::MateIn(9)), Quality::Right);
    assert_eq!(
        quality(Score::Centipawns(900), Score::MateIn(5)),
        Quality::Right
    );
    let winning = Score::Centipawns(2000);
    assert_eq!(quality(Score::MateIn(2), winning), Quality::WinsToo);
    assert_eq!(quality(Score::MateIn(8), winning), Quality::Right);
    assert_eq!(
        quality(Score::MateIn(2), Score::Centipawns(0)),
        Quality::Wrong
    );
}

#[test]
fn without_the_engine_no_move_is_called_wrong() {
    let mut session = Session::new(&items(2), 10);
    session.say(Request::Start);
    let item = session.trainer.current().expect("an exercise").clone();
    let others = item.position.legal_moves();
    let other = others
        .into_iter()
        .find(|&m| !item.accepts(m) && item.wrong != Some(m));
    let number = session
        .all(Request::Move(other.expect("a move")))
        .task
        .expect("a task")
        .number;
    let events = session.say(Request::JudgeEnded { number });
    assert!(matches!(events[..], [Event::Unjudged { .. }]));
    // An answer that comes too late is about nothing.
    let found = Verdict::default();
    assert_eq!(
        session.say(Request::Judged {
            number,
            at: 0,
            found
        }),
        []
    );
    assert_eq!(session.finish().at_once, 2);
}

/// A judged game: White goes wrong with 2.Qh5 a little, and Black with 2...Ke7 a lot.
const JUDGED: &str = "[White \"Anna\"]\n[Black \"Bo\"]\n[Date \"2026.11.12\"]\n\n\
    {[%eval 0.20] [%best e2e4]} 1. e4 {[%eval 0.25] [%best e7e5]} e5 {[%eval 0.20] [%best g1f3]} \
    2. Qh5 {[%eval -0.30] [%best b8c6 f1c4]} Ke7 {[%eval 15.00] [%best h5e5]} 3. Qxe5# 1-0";

#[test]
fn the_mistakes_of_a_judged_game_are_exercises() {
    let record = pgn::games(JUDGED.as_bytes()).next().expect("a game").record;
    let of =
        |color: Color| own::mistakes(&record, "saves/one.pgn", ByColor::from_fn(|it| it == color));
    assert_eq!(of(Color::White), []);
    let [item] = &of(Color::Black)[..] else {
        panic!("one mistake");
    };
    let san = |m| item.position.san(m).to_string();
    assert_eq!(
        item.best.iter().map(|&m| san(m)).collect::<Vec<_>>(),
        ["Nc6"]
    );
    assert_eq!(item.wrong.map(san).as_deref(), Some("Ke7"));
    assert_eq!(item.line.len(), 2);
    assert_eq!((item.ply, item.vs.as_deref()), (Some(4), Some("Anna")));
    assert_eq!(item.date.as_deref(), Some("2026.11.12"));
    let unjudged = JUDGED.replace("[%eval 0.25]", "");
    let record = pgn::games(unjudged.as_bytes())
        .next()
        .expect("a game")
        .record;
    let both = ByColor::from_fn(|_| true);
    assert_eq!(own::mistakes(&record, "", both), []);
}

#[test]
fn a_variation_that_is_evaluated_as_highly_is_accepted() {
    let text = JUDGED.replace(
        "Ke7 {[%eval 15.00] [%best h5e5]}",
        "Ke7 {[%eval 15.00] [%best h5e5]} (2... Qe7 {[%eval -0.25]}) (2... g6 {[%eval 8.00]})",
    );
    let record = pgn::games(text.as_bytes()).next().expect("a game").record;
    let both = ByColor::from_fn(|_| true);
    let items = own::mistakes(&record, "", both);
    let [item] = &items[..] else {
        panic!("{items:?}");
    };
    let also: Vec<String> = item
        .also
        .iter()
        .map(|&m| item.position.san(m).to_string())
        .collect();
    assert_eq!(also, ["Qe7"]);
}

#[test]
fn what_is_known_is_not_stored_again_and_a_retracted_move_stays_out() {
    let items = items(1);
    let mut session = Session::new(&items, 10);
    assert_eq!(session.entries.len(), 1);
    assert_eq!(session.trainer.add(items.clone(), noon(10, 1)), []);
    let (id, position) = (items[0].id, items[0].position);
    let mut memory = Memory::of(session.entries.drain(..));
    let played = position.uci(items[0].best[0]);
    memory.apply(entry(9, noon(10, 2), Change::Retract { id, played }));
    assert_eq!(memory.news(items[0].clone()), None);
    assert_eq!(memory.item(id).and_then(Item::solution), None);
}
