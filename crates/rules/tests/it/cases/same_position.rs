//! When two positions are the same: equality, hashes and keys.

use std::hash::{BuildHasher, RandomState};

use tabiya_rules::{CastlingMode, Position};

use super::{after, position};

/// Returns whether two positions are equal, and checks that their hashes and keys agree with that.
fn are_the_same(a: &Position, b: &Position) -> bool {
    let state = RandomState::new();
    let same = a == b;
    assert_eq!(a.key() == b.key(), same, "{a} and {b}");
    if same {
        assert_eq!(state.hash_one(a), state.hash_one(b));
    }
    same
}

#[test]
fn the_order_of_moves_does_not_matter() {
    let start = Position::start();
    let (one, other) = ("g1f3 g8f6 b1c3 b8c6", "b1c3 b8c6 g1f3 g8f6");
    assert!(are_the_same(&after(&start, one), &after(&start, other)));
    assert!(are_the_same(&start, &after(&start, "g1f3 g8f6 f3g1 f6g8")));
}

#[test]
fn clocks_and_the_way_castling_is_written_do_not_matter() {
    let one = position("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    let other = position("4k3/8/8/8/8/8/8/4K2R w K - 77 90");
    assert!(are_the_same(&one, &other));
    assert!(are_the_same(
        &one,
        &one.with_castling_mode(CastlingMode::Chess960)
    ));
    assert_ne!(one.setup(), other.setup(), "the raw form tells them apart");
}

#[test]
fn placement_turn_and_rights_do() {
    let one = position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    for other in [
        "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R w KQk - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K1R1 w Qkq - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2Q w Qkq - 0 1",
    ] {
        assert!(!are_the_same(&one, &position(other)), "{other}");
    }
    let mut keys: Vec<u64> = [
        "-", "K", "Q", "KQ", "k", "Kk", "Qk", "KQk", "q", "Kq", "Qq", "KQq", "kq", "Kkq", "Qkq",
        "KQkq",
    ]
    .iter()
    .map(|rights| position(&format!("r3k2r/8/8/8/8/8/8/R3K2R w {rights} - 0 1")).key())
    .collect();
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), 16, "every set of rights has its own key");
}

#[test]
fn en_passant_matters_only_if_it_can_be_captured() {
    let without = position("4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1");
    let with = position("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1");
    assert!(!are_the_same(&without, &with));
    let nobody = position("4k3/8/8/3p4/8/8/8/4K3 w - - 0 1");
    let passed = position("4k3/8/8/3p4/8/8/8/4K3 w - d6 0 1");
    assert!(are_the_same(&nobody, &passed));
    assert_ne!(nobody.setup(), passed.setup());
}

#[test]
fn a_pinned_pawn_does_not_count() {
    for (one, other) in [
        (
            "7k/8/8/K2pP2r/8/8/8/8 w - d6 0 1",
            "7k/8/8/K2pP2r/8/8/8/8 w - - 0 1",
        ),
        (
            "7k/b7/8/2pP4/8/8/5K2/8 w - c6 0 1",
            "7k/b7/8/2pP4/8/8/5K2/8 w - - 0 1",
        ),
    ] {
        assert!(are_the_same(&position(one), &position(other)), "{one}");
        assert_ne!(
            position(one).polyglot_key(),
            position(other).polyglot_key(),
            "the format differs"
        );
    }
}

#[test]
fn a_position_after_a_pinned_double_push_repeats() {
    let start = position("6k1/1p2p1rp/rP1pR3/2pP1pP1/p1P2P1P/R5K1/8/8 b - - 0 1");
    let first = after(&start, "h5");
    assert_eq!(
        first
            .en_passant()
            .map(|square| square.to_string())
            .as_deref(),
        Some("h6")
    );
    assert_eq!(
        first.legal_en_passant(),
        None,
        "the pawn on g5 is pinned to its king"
    );
    let second = after(&first, "Rh6 Rh7 Re6 Rg7");
    let third = after(&second, "Rh6 Rh7 Re6 Rg7");
    assert!(are_the_same(&first, &second) && are_the_same(&second, &third));
}

#[test]
fn kings_that_walk_home_are_not_back_where_they_were() {
    let start = after(&Position::start(), "e2e4 e7e5");
    let back = after(&start, "e1e2 e8e7 e2e1 e7e8");
    assert_eq!(start.board(), back.board());
    assert!(!are_the_same(&start, &back), "the rights are gone");
    assert!(are_the_same(&back, &after(&back, "e1e2 e8e7 e2e1 e7e8")));
}
