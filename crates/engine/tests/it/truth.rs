//! What the search says is true: lines can be played, mates are mates of that length, counts only grow, and depth 1 ends.

use tabiya_engine::{AlphaBeta, Control, Report, Request, Searcher, Settings};
use tabiya_rules::{MoveHistory, Position, Score, SplitMix64, Status};
use tabiya_uci::Bound;

use crate::support::size;

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
    let count = size("TABIYA_SEARCHES", 150);
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
        let (mut nodes, mut best_line) = (0, Vec::new());
        let answer = AlphaBeta::default().search(&request, &Control::new(), &mut |report| {
            check(&position, &report);
            assert!(report.nodes >= nodes && report.multi_pv as usize <= lines);
            nodes = report.nodes;
            if report.multi_pv == 1 {
                best_line = report.pv.clone();
            }
            mates += usize::from(report.score.is_mate());
        });
        assert!(moves.contains(&answer.best.expect("there are moves")));
        let begins = (best_line.first(), best_line.get(1));
        assert_eq!((answer.best.as_ref(), answer.ponder.as_ref()), begins);
    }
    println!("{mates} mates in {count} positions");
    assert!(mates > 0);
}

/// Returns a position with many queens and rooks, if the random squares make one.
fn crowd(random: &mut SplitMix64) -> Option<Position> {
    let mut board = ['1'; 64];
    for number in 0..8 + random.below(33) {
        let piece = match number {
            0 => 'K',
            1 => 'k',
            _ => ['Q', 'q', 'Q', 'q', 'R', 'r', 'R', 'r', 'N', 'b'][random.below(10)],
        };
        let square = random.below(64);
        if board[square] == '1' {
            board[square] = piece;
        }
    }
    let ranks: Vec<String> = board.chunks(8).map(|rank| rank.iter().collect()).collect();
    let mut placement = ranks.join("/");
    for empty in (2..=8).rev() {
        placement = placement.replace(&"1".repeat(empty), &empty.to_string());
    }
    let position = Position::from_fen(&format!("{placement} w - - 0 1")).ok()?;
    position.has_legal_move().then_some(position)
}

/// Captures without end are cut off. `TABIYA_CROWDS` says how many positions to search.
#[test]
fn depth_one_ends_soon_however_many_pieces_can_be_taken() {
    const MOST: u64 = 20_000;
    let mut random = SplitMix64::new(29);
    let mut searcher = AlphaBeta::new(&Settings::new().with_hash(1));
    let mut most = 0;
    for _ in 0..size("TABIYA_CROWDS", 500) {
        let position = std::iter::from_fn(|| Some(crowd(&mut random)))
            .flatten()
            .next();
        let position = position.expect("one of many is a position");
        searcher.new_game();
        let request = Request::new(MoveHistory::new(position)).with_depth(1);
        let mut nodes = 0;
        searcher.search(&request, &Control::new(), &mut |report| {
            nodes = nodes.max(report.nodes);
        });
        assert!((1..=MOST).contains(&nodes), "{position}: {nodes} nodes");
        most = most.max(nodes);
    }
    println!("{most} nodes at most");
}
