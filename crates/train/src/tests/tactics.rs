//! Exercises of several moves, new tactics, and the player's rating.

use tabiya_play::analysis::Verdict;
use tabiya_rules::{Move, Score};

use super::puzzles::{MATE_IN_TWO, tactic};
use super::*;
use crate::memory::Memory;
use crate::player;
use crate::queue::{self, RETENTION};
use crate::trainer::{Event, Judged, Options, Outcomes, Quality, Request, Trainer};

/// A session with one tactic of three moves, White's second one of which is quiet.
struct Session {
    trainer: Trainer,
    entries: Vec<Entry>,
    second: i64,
}

impl Session {
    fn new(item: Item) -> Session {
        let mut session = Session {
            trainer: Trainer::new(Memory::default(), 0, 1, Options::default()),
            entries: Vec::new(),
            second: 0,
        };
        session.entries = session.trainer.add([item], noon(10, 0));
        session.all(Request::Start);
        session
    }

    fn all(&mut self, request: Request) -> Outcomes {
        self.second += 1;
        let outcomes = self.trainer.handle(request, noon(10, self.second));
        self.entries.extend(outcomes.entries.clone());
        outcomes
    }

    fn typed(&mut self, text: &str) -> Outcomes {
        self.all(Request::Typed(text.to_owned()))
    }

    /// The grades that are stored.
    fn grades(&self) -> Vec<Grade> {
        let reviews = self.entries.iter().filter_map(|entry| match &entry.change {
            Change::Review(review) => Some(review.grade),
            _ => None,
        });
        reviews.collect()
    }

    /// Types a move that the engine judges, with White's scores for the positions that it is asked about.
    fn compared(&mut self, text: &str, found: &[(i32, &str)]) -> Vec<Event> {
        let task = self.typed(text).task.expect("the engine is asked");
        assert_eq!(task.positions.len(), found.len());
        let mut events = Vec::new();
        for (at, (score, line)) in found.iter().enumerate() {
            let position = *task.positions[at].current();
            let mut here = position;
            let best: Vec<Move> = line
                .split_whitespace()
                .map(|san| {
                    let m = here.parse_san(san).expect("legal");
                    here = here.play_unchecked(m);
                    m
                })
                .collect();
            let score = Score::Centipawns(*score).for_white(position.turn());
            let found = Verdict::found(score, &position, Some(9), best);
            let number = task.number;
            events = self.all(Request::Judged { number, at, found }).events;
        }
        events
    }
}

fn judged(events: &[Event]) -> &Judged {
    match events.first() {
        Some(Event::Judged(judged)) => judged,
        other => panic!("nothing judged: {other:?}"),
    }
}

/// A rook ending: 1...Ra2 2.Rxa2 with a second move to find. White wins the rook by a skewer.
fn skewer() -> Item {
    tactic("s,r6k/8/8/8/8/8/8/R3K2R b - - 0 1,h8g7 h1g1 g7f6 a1a8,1500,80,")
}

#[test]
fn a_solution_of_several_moves_is_one_attempt_and_the_replies_are_played() {
    let mut session = Session::new(tactic(MATE_IN_TWO));
    assert_eq!(
        session
            .trainer
            .last_move()
            .map(|last| last.to_string())
            .as_deref(),
        Some("g8h8")
    );
    let outcomes = session.typed("Rxh7+");
    assert_eq!(outcomes.entries, [], "it is not over");
    let first = judged(&outcomes.events);
    let reply = first.reply.as_ref().expect("a reply");
    assert_eq!(
        (first.quality, reply.san.as_str()),
        (Quality::Right, "2...Kg8")
    );
    assert!(first.line.is_empty() && first.grading.is_none());
    assert_eq!(session.trainer.position(), Some(reply.position));
    assert_eq!(session.trainer.last_move(), Some(reply.uci));
    let events = session.typed("Qe8#").events;
    let last = judged(&events);
    assert_eq!(last.line, ["2.Rxh7+", "Kg8", "3.Qe8#"]);
    assert_eq!(last.grading.map(|it| it.grade), Some(Grade::Good));
    let Some(Event::Ended(summary)) = events.last() else {
        panic!("{events:?}");
    };
    let [before, after] = summary.rating.expect("it counts");
    assert!(before == 1500 && after > 1500, "{summary:?}");
}

#[test]
fn the_worst_move_decides_and_hints_begin_anew_with_each_move() {
    let mut session = Session::new(tactic(MATE_IN_TWO));
    session.typed("Rxh7+");
    let hint = session.all(Request::Hint).events;
    assert!(matches!(&hint[..], [Event::Hinted { san, .. }] if san == "Qe8#"));
    session.typed("Qe8#");
    assert_eq!(session.grades(), [Grade::Hard]);

    let mut session = Session::new(tactic(MATE_IN_TWO));
    session.typed("Rxh7+");
    let wrong = session.compared("Qe6+", &[(2000, ""), (-50, "")]);
    assert_eq!(judged(&wrong).quality, Quality::Wrong);
    assert_eq!(session.grades(), [Grade::Again]);
    session.typed("Qe8#");
    assert_eq!(session.grades(), [Grade::Again], "one attempt, one grade");

    let mut session = Session::new(tactic(MATE_IN_TWO));
    for _ in 0..3 {
        session.all(Request::Hint);
    }
    session.typed("Rxh7+");
    session.typed("Qe8#");
    assert_eq!(session.grades(), [Grade::Again], "the move was shown");

    let mut session = Session::new(tactic(MATE_IN_TWO));
    session.typed("Rxh7+");
    let shown = session.all(Request::Show).events;
    assert!(
        matches!(&shown[0], Event::Shown { san, line, .. } if san == "Qe8#" && line == &["3.Qe8#"])
    );
}

#[test]
fn any_mate_solves_it_at_any_move() {
    let two_rooks = || tactic("m,7k/5ppp/8/8/8/8/8/KRR5 b - - 0 1,h8g8 b1b7 g8h8 c1c8,1500,80,");
    for moves in [&["Rb8#"][..], &["Rb7", "Rb8#"]] {
        let mut session = Session::new(two_rooks());
        let events: Vec<Event> = moves
            .iter()
            .flat_map(|san| session.typed(san).events)
            .collect();
        assert!(matches!(events.last(), Some(Event::Ended(_))), "{events:?}");
        assert_eq!(session.grades(), [Grade::Good]);
    }
}

#[test]
fn after_an_accepted_deviation_the_engine_replies_until_the_chances_are_kept() {
    let mut session = Session::new(skewer());
    // Nearly as good, and the chances are those at the end of the solution: solved at once.
    let events = session.compared("Rhf1", &[(500, ""), (480, "Rxa1+ Kd2"), (500, "")]);
    let right = judged(&events);
    assert_eq!(
        (right.quality, right.reply.is_none()),
        (Quality::Right, true)
    );
    assert_eq!(session.grades(), [Grade::Good]);

    // As good as the best move, but the solution ends better: it has to be played out.
    let mut session = Session::new(skewer());
    let events = session.compared("Rhf1", &[(200, ""), (190, "Rxa1+ Kd2"), (900, "")]);
    let reply = judged(&events).reply.clone().expect("a reply");
    assert_eq!(reply.san, "2...Rxa1+");
    assert_eq!(session.grades(), []);
    let hint = session.all(Request::Hint).events;
    assert!(matches!(&hint[..], [Event::Hinted { san, .. }] if san == "Kd2"));
    // The engine's move, which still does not reach it; then one that does.
    let events = session.compared("Kd2", &[(200, "Ra2+ Ke3")]);
    assert!(judged(&events).reply.is_some());
    let events = session.compared("Ke3", &[(890, "Ra3+ Kd4")]);
    assert!(judged(&events).reply.is_none());
    assert_eq!(session.grades(), [Grade::Hard], "after a hint");
}

#[test]
fn a_known_deviation_is_accepted_also_if_the_engine_fails() {
    let mut item = skewer();
    item.also
        .push(item.position.parse_san("Kd2").expect("legal"));
    let mut session = Session::new(item);
    let task = session.typed("Kd2").task.expect("what follows");
    assert_eq!(task.positions.len(), 2, "the move and the end");
    let number = task.number;
    let events = session.all(Request::JudgeEnded { number }).events;
    assert_eq!(judged(&events).quality, Quality::Right);
    assert_eq!(session.grades(), [Grade::Good]);
    let mut session = Session::new(skewer());
    let number = session.typed("Kd2").task.expect("unknown here").number;
    let events = session.all(Request::JudgeEnded { number }).events;
    assert!(matches!(events[..], [Event::Unjudged { .. }]));
}

#[test]
fn a_rating_by_people_takes_the_place_of_an_estimate_and_not_the_other_way_round() {
    let measured = tactic(MATE_IN_TWO);
    let mut estimated = measured.clone();
    (estimated.rating, estimated.rd) = (Some(900), Some(350));
    for both in [[&measured, &estimated], [&estimated, &measured]] {
        let memory = memory(&both.map(Clone::clone), &[]);
        let item = memory.item(measured.id).expect("known");
        assert_eq!((item.rating, item.rd), (Some(1500), Some(80)));
        assert_eq!(memory.news(estimated.clone()), None);
    }
}

/// Tactics with these ratings.
fn rated(ratings: &[u32]) -> Vec<Item> {
    let items = items(ratings.len()).into_iter().zip(ratings);
    let rated = items.map(|(mut item, &rating)| {
        item.kind = ItemKind::Tactic;
        (item.wrong, item.from) = (None, None);
        (item.rating, item.rd) = (Some(rating), Some(80));
        item
    });
    rated.collect()
}

fn memory(items: &[Item], reviews: &[(usize, i64, Grade)]) -> Memory {
    let items_of = (1..).zip(items).map(|(n, item)| added(n, noon(1, 0), item));
    let reviews = (1_000_000..).zip(reviews).map(|(n, &(at, day, grade))| {
        reviewed(n, noon(day, n as i64 - 1_000_000), items[at].id, grade)
    });
    Memory::of(items_of.chain(reviews))
}

#[test]
fn only_the_first_attempt_at_a_tactic_changes_the_rating() {
    let mut items = rated(&[1500; 4]);
    items[3].kind = ItemKind::Own;
    let at = |reviews: &[(usize, i64, Grade)], day| {
        player::rating(&memory(&items, reviews), noon(day, 0).day())
    };
    assert_eq!(at(&[(3, 2, Grade::Good)], 2), None, "an own mistake");
    let once = at(&[(0, 2, Grade::Good)], 2).expect("a rating");
    assert!(once.rating > 1600.0 && once.deviation < 350.0, "{once:?}");
    let again = [
        (0, 2, Grade::Good),
        (0, 2, Grade::Again),
        (3, 2, Grade::Again),
    ];
    assert_eq!(at(&again, 2), Some(once));
    let idle = at(&again, 60).expect("a rating");
    assert!(idle.rating == once.rating && idle.deviation > once.deviation);
    let rating = |grade| at(&[(0, 2, grade)], 2).expect("a rating").rating;
    assert!(rating(Grade::Again) < 1400.0);
    assert!((rating(Grade::Hard) - 1500.0).abs() < 1e-9);
    // Two on one day are one period, on two days two.
    let together = at(&[(0, 2, Grade::Good), (1, 2, Grade::Again)], 3);
    let apart = at(&[(0, 2, Grade::Good), (1, 3, Grade::Again)], 3);
    assert_ne!(together, apart);
}

#[test]
fn new_tactics_suit_the_player_and_own_mistakes_come_first() {
    let ratings: Vec<u32> = (0..60).map(|at| 600 + 40 * at).collect();
    let items = rated(&ratings);
    let of = |memory: &Memory, kind| {
        let queue = queue::of(memory, noon(3, 0).day(), RETENTION, kind);
        let asked = queue.items.into_iter();
        let asked = asked.map(|id| memory.item(id).expect("known").clone());
        asked.collect::<Vec<Item>>()
    };
    let asked = of(&memory(&items, &[]), None);
    assert_eq!(asked.len(), 5);
    let suits = |item: &Item| item.rating.is_some_and(|it| it.abs_diff(1500) <= 150);
    assert!(asked.iter().all(suits), "{asked:?}");
    // The nearest ones, if none suits.
    let hard = of(&memory(&items[40..], &[]), None);
    let hardest = hard.iter().filter_map(|item| item.rating).max();
    assert_eq!((hard.len(), hardest), (5, Some(600 + 40 * 44)));
    let mut mixed = items;
    mixed[..3]
        .iter_mut()
        .for_each(|item| item.kind = ItemKind::Own);
    let kinds: Vec<ItemKind> = of(&memory(&mixed, &[]), None)
        .iter()
        .map(|it| it.kind)
        .collect();
    assert_eq!(kinds[..3], [ItemKind::Own; 3]);
    assert_eq!(kinds[3..], [ItemKind::Tactic; 2]);
    // One kind only, whatever has been done of the other.
    let done = memory(
        &mixed,
        &[
            (0, 3, Grade::Good),
            (1, 3, Grade::Good),
            (2, 3, Grade::Good),
        ],
    );
    assert_eq!(of(&done, Some(ItemKind::Tactic)).len(), 5);
    assert_eq!(of(&done, Some(ItemKind::Own)).len(), 0);
    assert_eq!(of(&done, None).len(), 2);
}
