use std::sync::mpsc::channel;

use tabiya_play::opponents::EngineEvent;
use tabiya_rules::{Position, Score};
use tabiya_uci::{BestMove, Bound, BoundedScore, Info, SearchInfo};

use super::verdict_listener;

/// A search that ends at its limit of nodes may report a bound last. The exact score before it counts.
#[test]
fn a_bound_at_the_end_of_a_search_does_not_hide_its_score() {
    let (sender, verdicts) = channel();
    let hear = verdict_listener(Position::start(), move |verdict| {
        sender.send(verdict).expect("the test listens");
    });
    for (value, bound) in [(30, Bound::Exact), (90, Bound::Lower)] {
        let score = BoundedScore {
            value: Score::Centipawns(value),
            bound,
        };
        let info = Info::new().with_score(score);
        hear(EngineEvent::Report(0, SearchInfo::new(info, Vec::new())));
    }
    hear(EngineEvent::Move(0, BestMove::NONE));
    let verdict = verdicts.recv().expect("a verdict");
    let score = verdict.evaluation.map(|evaluation| evaluation.score);
    assert_eq!(score, Some(Score::Centipawns(30)));
}
