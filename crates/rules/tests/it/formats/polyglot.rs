//! Polyglot keys: the examples that the format's description publishes.

use tabiya_rules::{CastlingMode, Position};

use crate::support::{after, position};

#[test]
fn the_published_examples() {
    for (moves, key) in [
        ("", 0x463b_9618_1691_fc9c_u64),
        ("e2e4", 0x823c_9b50_fd11_4196),
        ("e2e4 d7d5", 0x0756_b944_61c5_0fb0),
        ("e2e4 d7d5 e4e5", 0x662f_afb9_65db_29d4),
        ("e2e4 d7d5 e4e5 f7f5", 0x22a4_8b5a_8e47_ff78),
        ("e2e4 d7d5 e4e5 f7f5 e1e2", 0x652a_607c_a3f2_42c1),
        ("e2e4 d7d5 e4e5 f7f5 e1e2 e8f7", 0x00fd_d303_c946_bdd9),
        ("a2a4 b7b5 h2h4 b5b4 c2c4", 0x3c81_23ea_7b06_7637),
        ("a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3", 0x5c3f_9b82_9b27_9560),
    ] {
        let position = after(&Position::start(), moves);
        assert_eq!(position.polyglot_key(), key, "{moves}");
        let again = Position::from_fen(&position.setup().fen_with(
            tabiya_rules::EnPassantMode::Always,
            tabiya_rules::CastlingNotation::ByMode,
        ));
        assert_eq!(
            again.map(|position| position.polyglot_key()),
            Ok(key),
            "{moves}, from text"
        );
    }
}

#[test]
fn the_key_does_not_depend_on_how_castling_is_written() {
    let start = Position::start();
    let other = start.with_castling_mode(CastlingMode::Chess960);
    assert_eq!(start.polyglot_key(), other.polyglot_key());
    assert_eq!(
        Position::chess960(518).map(|p| p.polyglot_key()),
        Some(start.polyglot_key())
    );
}

#[test]
fn a_pawn_beside_counts_even_if_it_is_pinned() {
    let pinned = position("7k/8/8/K2pP2r/8/8/8/8 w - d6 0 1");
    let without = position("7k/8/8/K2pP2r/8/8/8/8 w - - 0 1");
    assert_ne!(pinned.polyglot_key(), without.polyglot_key());
    assert_eq!(pinned.key(), without.key());
    let nobody = position("7k/8/8/K2p3r/8/8/8/8 w - d6 0 1");
    assert_eq!(
        nobody.polyglot_key(),
        position("7k/8/8/K2p3r/8/8/8/8 w - - 0 1").polyglot_key()
    );
}
