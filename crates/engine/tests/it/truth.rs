//! What the search says is true: lines can be played, mates are mates of that length, counts only grow.

use tabiya_engine::{AlphaBeta, Control, Report, Request, Searcher};
use tabiya_rules::{MoveHistory, Position, Score, SplitMix64, Status};
use tabiya_uci::Bound;

fn check(position: &Position, report: &Report) {
    let mut end = *position;
    for &m in &report.pv {
        end = end
            .play(m)
            .unwrap_or_else(|_| panic!("{report:?} in {position}"));
    }
    match report.score {
        Score::Centipawns(value) => assert!(value.abs() < 20_000),
        // A search that is stopped may know of a mate only by a bound, with the first moves of its line.
        Score::MateIn(moves) | Score::MatedIn(moves) if report.bound != Bound::Exact => {
            assert!(
                report.pv.len() as u32 <= 2 * moves,
                "{report:?} in {position}"
            );
        }
        mate @ (Score::MateIn(_) | Score::MatedIn(_)) => {
            assert!(
                matches!(end.status(), Status::Checkmate { .. }),
                "{report:?} in {position}"
            );
            let plies = report.pv.len() as u32;
            let expected = if plies % 2 == 1 {
                Score::MateIn(plies.div_ceil(2))
            } else {
                Score::MatedIn(plies / 2)
            };
            assert_eq!(mate, expected, "{report:?} in {position}");
        }
    }
}

#[test]
fn reports_are_true() {
    let mut random = SplitMix64::new(8);
    let count = std::env::var("TABIYA_RELEASE").map_or(150, |_| 10_000);
    let mut mates = 0;
    for i in 0..count {
        let mut played = MoveHistory::default();
        // Late positions of random games are wild and full of mates.
        for _ in 0..random.below(160) {
            let moves = played.current().legal_moves();
            match moves.len() {
                0 => break,
                many => played.push(moves[random.below(many)]).expect("legal"),
            }
        }
        let position = *played.current();
        let moves = position.legal_moves().to_vec();
        if moves.is_empty() {
            continue;
        }
        let lines = if i % 2 == 0 { 1 } else { 4.min(moves.len()) };
        let request = Request::new(played).with_multi_pv(lines).with_nodes(10_000);
        let mut nodes = 0;
        let answer = AlphaBeta::default().search(&request, &Control::new(), &mut |report| {
            check(&position, &report);
            assert!(report.nodes >= nodes && report.multi_pv as usize <= lines);
            nodes = report.nodes;
            mates += usize::from(report.score.is_mate());
        });
        assert!(moves.contains(&answer.best.expect("there are moves")));
    }
    println!("{mates} mates in {count} positions");
    assert!(mates > 0);
}
