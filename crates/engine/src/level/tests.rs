//! Levels are in order, and what they overlook and misjudge depends on the seed and the position alone.

use tabiya_rules::Role;

use super::*;

#[test]
fn the_levels_are_in_order() {
    for (i, level) in Level::ALL.into_iter().enumerate() {
        assert_eq!(usize::from(level.number()), i + 1);
        assert_eq!(Level::new(level.number()), Some(level));
        assert_eq!(level.number().to_string().parse(), Ok(level));
        assert!(level.to_string().contains(level.name()));
    }
    for pair in LEVELS.windows(2) {
        let (low, high) = (&pair[0], &pair[1]);
        let step = high.elo - low.elo;
        // Full strength is as strong as it can be.
        let most = high.nodes.map_or(u32::MAX, |_| 400);
        assert!((120..=most).contains(&step), "{} {}", low.name, high.name);
        assert!(low.nodes.unwrap_or(u64::MAX) < high.nodes.unwrap_or(u64::MAX));
        assert!(low.noise >= high.noise && low.overlooked >= high.overlooked);
    }
    for text in ["", "0", "11", "-1", "three", "99999999999"] {
        assert!(text.parse::<Level>().is_err(), "{text}");
    }
}

#[test]
fn ratings_are_on_the_scale_of_the_levels() {
    let root = Position::start();
    for level in Level::ALL.into_iter().filter(|level| level.is_limited()) {
        let by_elo = Handicap::of_elo(level.elo(), 5, &root);
        assert_eq!(by_elo, Handicap::of_level(level, 5, &root));
    }
    let full = Level::FULL.elo();
    assert_eq!(Handicap::of_elo(full, 5, &root), Handicap::NONE);
    // Just below it there is a node limit.
    let nodes = Handicap::of_elo(full - 1, 5, &root).nodes;
    assert!(
        nodes.is_some_and(|nodes| nodes <= FULL_STRENGTH_NODES),
        "{nodes:?}"
    );
    let mut last = Handicap::of_elo(0, 5, &root);
    for elo in 1..full + 50 {
        let next = Handicap::of_elo(elo, 5, &root);
        assert!(
            next.nodes.unwrap_or(u64::MAX) >= last.nodes.unwrap_or(u64::MAX),
            "{elo}"
        );
        assert!(next.noise <= last.noise && next.overlooked <= last.overlooked);
        last = next;
    }
    assert_eq!(last, Handicap::NONE);
}

#[test]
fn above_the_last_limited_level_each_doubling_is_worth_the_same() {
    for number in [1, 2, 3, 50, 1_000, 28_000, 400_000, 1 << 30] {
        assert_eq!(from_linear_log2(linear_log2(number)), number);
    }
    let nodes_at = |elo| {
        let nodes = Handicap::of_elo(elo, 5, &Position::start()).nodes;
        nodes.expect("limited") as f64
    };
    let (low, high) = (LEVELS[8].elo, Level::FULL.elo());
    let steps: Vec<f64> = (0..4)
        .map(|i| nodes_at(low + (high - low) * i / 4))
        .collect();
    let factor = (FULL_STRENGTH_NODES as f64 / nodes_at(low)).powf(0.25);
    for pair in steps.windows(2) {
        let ratio = pair[1] / pair[0];
        assert!((ratio / factor - 1.0).abs() < 0.1, "{steps:?}");
    }
}

#[test]
fn the_same_seed_sees_the_same() {
    let root = Position::start();
    let [first, second] = [Level::ALL[0], Level::ALL[4]];
    for level in [first, second] {
        let again = [1, 1, 2].map(|seed| Handicap::of_level(level, seed, &root));
        assert_eq!(again[0], again[1]);
        let errors = again.map(|h| (0..100).map(|key| h.misjudge(0, key)).collect::<Vec<_>>());
        assert_eq!(errors[0], errors[1]);
        assert_ne!(errors[0], errors[2]);
        let most = level.params().noise as i32;
        assert!(errors[0].iter().all(|error| error.abs() <= most));
        assert!(errors[0].iter().any(|&error| error > 0) && errors[0].iter().any(|&e| e < 0));
    }
}

#[test]
fn the_share_of_overlooked_moves_is_kept() {
    let root = Position::start();
    let moves = root.legal_moves();
    for level in Level::ALL {
        let mut overlooked = 0;
        for seed in 0..500 {
            let handicap = Handicap::of_level(level, seed, &root);
            overlooked += moves
                .iter()
                .filter(|&&m| handicap.overlooks(&root, m))
                .count();
        }
        let share = overlooked * 1024 / (500 * moves.len());
        assert!(
            (share as i32 - level.params().overlooked as i32).abs() < 20,
            "{level}"
        );
    }
}

#[test]
fn the_more_is_captured_the_less_it_is_overlooked() {
    // The queen can take one piece of each kind.
    let fen = "1k6/3n4/5b2/8/1p1Q3q/8/5r2/2K5 w - - 0 1";
    let position = Position::from_fen(fen).expect("a position");
    let usual = Level::FIRST.params().overlooked;
    let seeds = 4_000;
    let handicaps: Vec<Handicap> = (0..seeds)
        .map(|seed| Handicap::of_level(Level::FIRST, seed, &position))
        .collect();
    let mut kinds = 0;
    for m in position.captures() {
        let overlooked = handicaps
            .iter()
            .filter(|handicap| handicap.overlooks(&position, m))
            .count();
        let share = overlooked as i32 * 1024 / seeds as i32;
        let captured = position.board().role_at(m.to()).expect("a piece");
        let quarters = match captured {
            Role::Pawn => 4,
            Role::Knight | Role::Bishop => 3,
            Role::Rook => 2,
            Role::Queen | Role::King => 1,
        };
        let expected = usual as i32 * quarters / 4;
        assert!((share - expected).abs() < 40, "{captured:?}: {share}");
        kinds += 1;
    }
    assert_eq!(kinds, 5);
}
