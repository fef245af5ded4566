//! The search finds mates, draws and hanging pieces, keeps its limits, and reports only legal lines.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tabiya_rules::{Move, MoveHistory, Position, Score, SplitMix64};
use tabiya_uci::{BestMove, Go};

use super::AlphaBeta;
use crate::level::Level;
use crate::options::Settings;
use crate::searcher::{Control, Report, Request, Searcher};

fn game(fen: &str) -> MoveHistory {
    MoveHistory::new(Position::from_fen(fen).expect("valid"))
}

/// Searches, and checks that every line can be played.
fn search(request: &Request) -> (BestMove, Vec<Report>) {
    search_with(&mut AlphaBeta::default(), request, &Control::new())
}

fn search_with(
    searcher: &mut AlphaBeta,
    request: &Request,
    control: &Control,
) -> (BestMove, Vec<Report>) {
    let mut reports = Vec::new();
    let answer = searcher.search(request, control, &mut |report| {
        let mut position = *request.game.current();
        for &m in &report.pv {
            position = position.play(m).expect("every line is legal");
        }
        reports.push(report);
    });
    (answer, reports)
}

fn to_depth(fen: &str, depth: u32) -> (BestMove, Vec<Report>) {
    search(&Request::new(game(fen)).with_depth(depth))
}

fn text(fen: &str, m: Option<Move>) -> String {
    let position = Position::from_fen(fen).expect("valid");
    position.uci(m.expect("a move")).to_string()
}

#[test]
fn mates_are_found_and_counted() {
    for (fen, best, moves) in [
        ("k7/8/K7/8/8/8/8/Q7 w - - 0 1", None, 1),
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", Some("a1a8"), 1),
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", Some("a1a6"), 2),
        ("k7/8/1K6/8/8/8/8/7R b - - 0 1", None, -1),
    ] {
        let (answer, reports) = to_depth(fen, 16);
        let last = reports.last().expect("a report");
        assert_eq!(last.score, Score::mate(moves), "{fen}");
        if let Some(best) = best {
            assert_eq!(text(fen, answer.best), best, "{fen}");
        }
    }
}

#[test]
fn several_lines_are_different_and_sorted() {
    let fen = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 0 1";
    let (_, reports) = search(&Request::new(game(fen)).with_multi_pv(4).with_depth(6));
    let last = &reports[reports.len() - 4..];
    assert_eq!(last[0].score, Score::MateIn(1));
    for (a, b) in last.iter().zip(&last[1..]) {
        assert_eq!((a.multi_pv + 1, a.depth), (b.multi_pv, b.depth));
        assert_ne!(a.pv[0], b.pv[0]);
        if let (Score::Centipawns(a), Score::Centipawns(b)) = (a.score, b.score) {
            assert!(a >= b);
        }
    }
}

#[test]
fn several_lines_are_sorted_at_every_depth() {
    for fen in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r1bqkbnr/pp1ppppp/2n5/2p5/3PP3/5N2/PPP2PPP/RNBQKB1R b KQkq - 0 3",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    ] {
        let (answer, reports) = search(&Request::new(game(fen)).with_multi_pv(4).with_depth(8));
        assert_eq!(reports.len(), 4 * 8, "{fen}");
        for depth in reports.chunks(4) {
            let scores: Vec<_> = depth.iter().map(|report| report.score).collect();
            let ordered = |pair: &[Score]| match (pair[0], pair[1]) {
                (Score::Centipawns(a), Score::Centipawns(b)) => a >= b,
                _ => false,
            };
            assert!(scores.windows(2).all(ordered), "{fen}: {scores:?}");
        }
        let last = &reports[reports.len() - 4];
        assert_eq!(answer.best, Some(last.pv[0]), "{fen}");
    }
}

#[test]
fn every_line_has_an_aspiration_window() {
    // The best line is a mate, which has no window, so only the second line's window can change the node count.
    let fen = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 0 1";
    let nodes = |half_width| {
        let mut settings = Settings::default();
        settings.params.aspiration = half_width;
        let request = Request::new(game(fen)).with_multi_pv(2).with_depth(8);
        let (_, reports) = search_with(&mut AlphaBeta::new(&settings), &request, &Control::new());
        reports.last().expect("a report").nodes
    };
    assert_ne!(nodes(6), nodes(30));
}

#[test]
fn hanging_pieces_are_taken_and_poisoned_ones_are_not() {
    let (answer, _) = to_depth("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1", 4);
    assert_eq!(answer.best.expect("a move").to().to_string(), "d5");
    let (answer, _) = to_depth("4k3/2p5/3p4/8/8/8/3Q4/4K3 w - - 0 1", 4);
    assert_ne!(answer.best.expect("a move").to().to_string(), "d6");
}

#[test]
fn draws_are_seen() {
    for (fen, depth) in [
        // Fifty moves are over after the next one, whatever it is.
        ("4k3/8/8/8/8/8/8/Q3K3 w - - 99 80", 6),
        // Too little to win with.
        ("4k3/8/8/8/8/8/8/2N1K3 w - - 0 1", 6),
    ] {
        let (_, reports) = to_depth(fen, depth);
        match reports.last().expect("a report").score {
            Score::Centipawns(score) => assert!(score.abs() <= 1, "{fen}: {score}"),
            mate @ (Score::MateIn(_) | Score::MatedIn(_)) => panic!("{fen}: {mate:?}"),
        }
    }
}

#[test]
fn a_winning_side_does_not_repeat() {
    // The rook goes back and forth; the third time would be a draw, and a pawn more should win.
    let mut game = game("6k1/5ppp/8/8/8/8/PP3PPP/R5K1 w - - 0 1");
    for text in [
        "a1d1", "g8f8", "d1a1", "f8g8", "a1d1", "g8f8", "d1a1", "f8g8",
    ] {
        let m = game.current().parse_uci(text).expect("legal");
        game.push(m).expect("legal");
    }
    let back = game.current().parse_uci("a1d1").expect("legal");
    let (answer, reports) = search(&Request::new(game).with_depth(8));
    assert!(matches!(
        reports.last().expect("a report").score,
        Score::Centipawns(score) if score > 300
    ));
    assert_ne!(answer.best, Some(back));
}

#[test]
fn only_the_moves_asked_for_are_searched() {
    let mut request = Request::new(MoveHistory::default());
    let wanted = [
        request.game.current().parse_uci("a2a3").expect("legal"),
        request.game.current().parse_uci("h2h4").expect("legal"),
    ];
    request.moves = wanted.to_vec();
    request.multi_pv = 5;
    request.depth = Some(6);
    let (answer, reports) = search(&request);
    assert!(wanted.contains(&answer.best.expect("a move")));
    assert!(reports.iter().all(|report| wanted.contains(&report.pv[0])));
}

#[test]
fn it_stops_when_it_is_told() {
    for threads in [1, 2] {
        let mut searcher = AlphaBeta::new(&Settings {
            threads,
            ..Settings::default()
        });
        let control = Control::new();
        let request = Request::new(MoveHistory::default());
        let begun = std::thread::scope(|scope| {
            let searching = scope.spawn(|| searcher.search(&request, &control, &mut |_| {}));
            std::thread::sleep(Duration::from_millis(50));
            let begun = Instant::now();
            control.stop();
            assert!(searching.join().expect("no panic").best.is_some());
            begun
        });
        // Milliseconds on a machine with nothing else to do; this limit means that it hangs.
        assert!(begun.elapsed() < Duration::from_secs(5));
    }
}

#[test]
fn node_limits_are_kept() {
    for nodes in [1, 10, 1000, 5000] {
        let (answer, reports) = search(&Request::new(MoveHistory::default()).with_nodes(nodes));
        assert!(answer.best.is_some());
        assert!(reports.iter().all(|report| report.nodes <= nodes));
    }
}

#[test]
fn engines_do_not_disturb_each_other() {
    let request = Request::new(MoveHistory::default()).with_nodes(30_000);
    let alone = search(&request);
    let together: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..3).map(|_| scope.spawn(|| search(&request))).collect();
        threads
            .into_iter()
            .map(|thread| thread.join().expect("no panic"))
            .collect()
    });
    assert!(together.iter().all(|other| *other == alone));
}

#[test]
fn several_threads_find_the_same_mate() {
    let mut searcher = AlphaBeta::new(&Settings {
        threads: 3,
        ..Settings::default()
    });
    let request = Request::new(game("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1")).with_depth(16);
    for _ in 0..5 {
        let (_, reports) = search_with(&mut searcher, &request, &Control::new());
        assert_eq!(reports.last().expect("a report").score, Score::MateIn(2));
        searcher.new_game();
    }
}

#[test]
fn a_level_is_the_same_after_whatever_came_before() {
    let mut used = AlphaBeta::default();
    for number in [1, 5, 8] {
        let ask = |seed| {
            Request::new(MoveHistory::default())
                .with_level(Level::new(number))
                .with_seed(seed)
        };
        let fresh = search(&ask(3)).0;
        search_with(&mut used, &ask(4), &Control::new());
        search_with(
            &mut used,
            &Request::new(MoveHistory::default()).with_nodes(20_000),
            &Control::new(),
        );
        assert_eq!(search_with(&mut used, &ask(3), &Control::new()).0, fresh);
    }
    let openings: std::collections::BTreeSet<_> = (0..20)
        .map(|seed| {
            search(
                &Request::new(MoveHistory::default())
                    .with_level(Level::new(3))
                    .with_seed(seed),
            )
            .0
            .best
        })
        .collect();
    assert!(openings.len() > 3, "levels vary their openings");
}

#[test]
fn a_budget_ends_a_search_by_itself() {
    let control = Control::new();
    control.limit_from_now(crate::time::Budget {
        soft: Some(Duration::from_millis(5)),
        hard: Duration::from_secs(600),
    });
    let begun = Instant::now();
    let (answer, _) = search_with(
        &mut AlphaBeta::default(),
        &Request::new(MoveHistory::default()),
        &control,
    );
    assert!(answer.best.is_some() && begun.elapsed() < Duration::from_secs(60));
}

#[test]
fn a_network_that_is_set_is_searched_with() {
    use crate::evaluation::network::Network;
    use crate::evaluation::network::tests::random_file;
    let own = Settings::default();
    let other = Settings {
        network: Some(Arc::new(
            Network::from_bytes(&random_file(1)).expect("a network"),
        )),
        ..Settings::default()
    };
    let reports = |searcher: &mut AlphaBeta| {
        let request = Request::new(MoveHistory::default()).with_depth(6);
        let mut reports = Vec::new();
        searcher.search(&request, &Control::new(), &mut |report| {
            reports.push(report);
        });
        reports
    };
    let [by_own, by_other] = [&own, &other].map(|settings| reports(&mut AlphaBeta::new(settings)));
    assert_ne!(by_own, by_other);
    // Nothing that one network thought is left when the other thinks.
    let mut searcher = AlphaBeta::new(&own);
    for (settings, expected) in [(&own, &by_own), (&other, &by_other), (&own, &by_own)] {
        assert_eq!(searcher.configure(settings), None);
        assert_eq!(reports(&mut searcher), *expected);
    }
}

/// A random position with many queens and rooks, in which captures have no end.
fn crowded_position(random: &mut SplitMix64) -> Option<Position> {
    let mut board = [None; 64];
    let mut put = |random: &mut SplitMix64, piece: char| {
        let square = random.below(64);
        board[square] = board[square].or(Some(piece));
    };
    put(random, 'K');
    put(random, 'k');
    for _ in 0..8 + random.below(25) {
        let role = ['q', 'q', 'q', 'r', 'r', 'n', 'b', 'p'][random.below(8)];
        let piece = if random.below(2) == 0 {
            role.to_ascii_uppercase()
        } else {
            role
        };
        put(random, piece);
    }
    let ranks: Vec<String> = board
        .chunks(8)
        .map(|rank| rank.iter().map(|piece| piece.unwrap_or('1')).collect())
        .collect();
    let mut placement = ranks.join("/");
    for empty in (2..=8).rev() {
        placement = placement.replace(&"1".repeat(empty), &empty.to_string());
    }
    let position = Position::from_fen(&format!("{placement} w - - 0 1")).ok()?;
    position.has_legal_move().then_some(position)
}

/// Searches to depth 1, and checks that it takes few nodes.
fn check_depth_one(position: Position) {
    let fen = position.fen();
    let (_, reports) = search(&Request::new(MoveHistory::new(position)).with_depth(1));
    let nodes = reports.last().expect("a report").nodes;
    assert!(nodes <= 20_000, "{fen}: {nodes} nodes");
}

#[test]
fn the_first_iteration_is_short_however_many_captures_there_are() {
    for fen in [
        "q2k2q1/2nqn2b/1n1P1n1b/2rnr2Q/1NQ1QN1Q/3Q3B/2RQR2B/Q2K2Q1 w - - 0 1",
        "r3kb1r/4q2p/2npbnpB/pppP2PP/PPP1pp2/3BPP1R/2QK4/RN4N1 b k - 2 21",
    ] {
        check_depth_one(Position::from_fen(fen).expect("valid"));
    }
    let mut random = SplitMix64::new(1);
    let positions = std::iter::from_fn(|| Some(crowded_position(&mut random)));
    let crowded: Vec<Position> = positions.take(2000).flatten().take(60).collect();
    assert_eq!(
        crowded.len(),
        60,
        "too few of the random positions are valid"
    );
    crowded.into_iter().for_each(check_depth_one);
}

#[test]
fn the_best_move_begins_the_last_line_reported() {
    for fen in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r1bqkbnr/pp1ppppp/2n5/2p5/3PP3/5N2/PPP2PPP/RNBQKB1R b KQkq - 0 3",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "2rr2k1/pp3ppp/1qn1pn2/3p4/3P4/1PN1PN2/P4PPP/2RQ1RK1 w - - 0 15",
    ] {
        for multi_pv in [1, 3] {
            for i in 1..120 {
                let nodes = i * i;
                let request = Request::new(game(fen))
                    .with_multi_pv(multi_pv)
                    .with_nodes(nodes);
                let (answer, reports) = search(&request);
                let last = reports.iter().rev().find(|report| report.multi_pv == 1);
                if let Some(last) = last {
                    assert_eq!(answer.best, Some(last.pv[0]), "{fen} {multi_pv} {nodes}");
                    let reply = last.pv.get(1).copied();
                    assert_eq!(answer.ponder, reply, "{fen} {multi_pv} {nodes}");
                }
            }
        }
    }
}

#[test]
fn a_soft_node_limit_ends_with_an_iteration() {
    let request = |soft_nodes, depth| {
        Request::new(game(
            "r2q1rk1/pp2bppp/2npbn2/4p3/4P3/1NN1BP2/PPPQ2PP/2KR1B1R b - - 0 10",
        ))
        .with_soft_nodes(soft_nodes)
        .with_depth(depth)
    };
    let (_, reports) = search(&request(Some(3000), None));
    let last = reports.last().expect("a report");
    // The last iteration went over the limit, and was searched to its end.
    assert!((3000..30_000).contains(&last.nodes), "{}", last.nodes);
    let before = reports.iter().rfind(|report| report.depth < last.depth);
    assert!(before.expect("an iteration before").nodes < 3000);
    let (_, alone) = search(&request(None, Some(last.depth)));
    assert_eq!(alone, reports);
    // With one node the first iteration may take ten, and is cut off there.
    let (answer, reports) = search(&request(Some(1), None));
    assert!(answer.best.is_some());
    assert!(
        reports.iter().all(|report| report.nodes <= 10),
        "{reports:?}"
    );
}

#[test]
fn without_time_for_a_search_the_move_is_sane() {
    let control = Control::new();
    control.stop();
    // The queen hangs.
    let request = Request::new(game("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1"));
    let (answer, _) = search_with(&mut AlphaBeta::default(), &request, &control);
    assert_eq!(answer.best.expect("a move").to().to_string(), "d5");
}

#[test]
fn a_seed_makes_games_at_full_strength_differ() {
    let nodes_of = |seed| {
        let settings = Settings {
            seed,
            ..Settings::default()
        };
        let go = Go::new().with_depth(8);
        let request = Request::from_go(&settings, &MoveHistory::default(), &go);
        let (_, reports) = search(&request);
        reports.last().expect("a report").nodes
    };
    assert_eq!(nodes_of(None), nodes_of(None));
    assert_eq!(nodes_of(Some(5)), nodes_of(Some(5)));
    assert!((1..5).any(|seed| nodes_of(Some(seed)) != nodes_of(Some(5))));
}
