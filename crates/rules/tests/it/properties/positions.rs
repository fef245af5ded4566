//! Properties of whole positions: random games, and placements that no game reaches.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

use tabiya_rules::{Color, Position, Role, Setup, Waivers};

use crate::support::{positions, random_placements, random_positions};
use fuzz_properties::position_holds_together;

#[test]
fn positions_of_random_games_agree_with_the_slow_rules_and_with_themselves() {
    random_positions(1, positions(25_000), position_holds_together);
}

#[test]
fn placements_that_no_game_reaches_do_so_too() {
    random_placements(2, 25_000, position_holds_together);
}

#[test]
fn the_key_along_a_game_is_the_key_of_the_position_read_again() {
    random_positions(3, 30_000, |position| {
        let again = position
            .setup()
            .position()
            .expect("games lead to positions");
        assert_eq!(again.key(), position.key(), "{position}");
        assert_eq!(again.polyglot_key(), position.polyglot_key(), "{position}");
    });
}

#[test]
fn different_positions_have_different_keys_and_equal_ones_equal_hashes() {
    let state = RandomState::new();
    let mut seen: HashMap<u64, (Position, u64)> = HashMap::new();
    random_positions(4, 20_000, |position| {
        let hash = state.hash_one(position);
        let (first, first_hash) = *seen.entry(position.key()).or_insert((*position, hash));
        assert_eq!(first, *position, "two positions share a key");
        assert_eq!(first_hash, hash);
    });
}

#[test]
fn a_mirrored_position_has_the_mirrored_moves() {
    let check = |position: &Position| {
        let mirrored = position.mirror();
        assert_eq!(mirrored.turn(), !position.turn());
        assert_eq!(mirrored.mirror().setup(), position.setup(), "{position}");
        let mut expected: Vec<_> = position
            .legal_moves()
            .iter()
            .map(|m| {
                (
                    m.from().flip_vertical(),
                    m.to().flip_vertical(),
                    m.promotion(),
                )
            })
            .collect();
        let mut moves: Vec<_> = mirrored
            .legal_moves()
            .iter()
            .map(|m| (m.from(), m.to(), m.promotion()))
            .collect();
        expected.sort_unstable();
        moves.sort_unstable();
        assert_eq!(moves, expected, "{position}");
    };
    random_positions(5, positions(4_000), check);
    random_placements(6, 4_000, check);
}

#[test]
fn a_position_flipped_sideways_has_the_flipped_moves() {
    let check = |position: &Position| match position.flip_horizontal() {
        None => assert!(!position.castling_rooks().is_empty()),
        Some(flipped) => {
            assert!(position.castling_rooks().is_empty());
            assert_eq!(
                flipped.flip_horizontal().map(|p| p.setup()),
                Some(position.setup())
            );
            let mut expected: Vec<_> = position
                .legal_moves()
                .iter()
                .map(|m| {
                    (
                        m.from().flip_horizontal(),
                        m.to().flip_horizontal(),
                        m.promotion(),
                    )
                })
                .collect();
            let mut moves: Vec<_> = flipped
                .legal_moves()
                .iter()
                .map(|m| (m.from(), m.to(), m.promotion()))
                .collect();
            expected.sort_unstable();
            moves.sort_unstable();
            assert_eq!(moves, expected, "{position}");
        }
    };
    random_positions(7, 4_000, check);
    random_placements(8, 4_000, check);
}

#[test]
fn passing_gives_the_other_side_the_same_board_without_en_passant() {
    random_positions(9, 5_000, |position| {
        let Some(passed) = position.pass() else {
            assert!(position.is_check(), "only a check forbids passing");
            return;
        };
        assert!(!position.is_check());
        let mut setup = position.setup();
        setup.turn = !setup.turn;
        setup.en_passant = None;
        // No move explains a check after a null move, so that reason is waived.
        let expected = setup
            .position_waiving(Waivers::IMPOSSIBLE_CHECK)
            .expect("nobody is in check");
        assert_eq!((passed, passed.key()), (expected, expected.key()));
        assert_eq!(passed.halfmove_clock(), position.halfmove_clock() + 1);
        let black = u32::from(position.turn() == Color::Black);
        assert_eq!(passed.fullmove_number(), position.fullmove_number() + black);
    });
}

#[test]
fn pins_checkers_and_attackers_agree_with_the_board() {
    let check = |position: &Position| {
        let board = position.board();
        for color in Color::ALL {
            for square in tabiya_rules::Square::ALL {
                let attackers = position.attackers(square, color);
                let slow = board.iter().filter(|&(from, piece)| {
                    piece.color == color && board.attacks_from(from).contains(square)
                });
                assert_eq!(
                    slow.map(|(from, _)| from)
                        .collect::<tabiya_rules::Bitboard>(),
                    attackers
                );
            }
            // Removing a pinned piece discovers its pinner; removing any other piece does not.
            let Some(king) = board.king(color) else {
                continue;
            };
            for (square, piece) in board.iter().filter(|(_, piece)| piece.color == color) {
                if piece.role == Role::King {
                    continue;
                }
                let mut without = *board;
                without.remove(square);
                let uncovered = without.attackers(king, !color) - board.attackers(king, !color);
                let pinner = position.pins(color).find(|&(pinned, _)| pinned == square);
                assert_eq!(
                    uncovered.single(),
                    pinner.map(|(_, pinner)| pinner),
                    "{position}"
                );
                assert_eq!(position.pinned(color).contains(square), pinner.is_some());
            }
        }
        let king = board.king(position.turn());
        let checkers = king.map(|king| position.attackers(king, !position.turn()));
        assert_eq!(
            position.checkers(),
            checkers.unwrap_or_default(),
            "{position}"
        );
    };
    random_positions(10, 1_500, check);
    random_placements(11, 1_500, check);
}

#[test]
fn per_side_material_agrees_with_the_whole() {
    let check = |position: &Position| {
        let [white, black] = Color::ALL.map(|color| position.has_mating_material(color));
        if position.is_insufficient_material() {
            assert!(!white && !black, "{position}");
        }
        let board = position.board();
        let both_kings = Color::ALL.iter().all(|&color| board.king(color).is_some());
        if both_kings && !white && !black {
            assert!(position.is_insufficient_material(), "{position}");
        }
    };
    random_placements(12, 20_000, check);
    random_positions(13, 20_000, check);
}

#[test]
fn validation_never_panics_and_waiving_more_never_refuses_more() {
    let single = [
        Waivers::NONE,
        Waivers::MISSING_KING,
        Waivers::BACK_RANK_PAWNS,
        Waivers::IMPOSSIBLE_CHECK,
        Waivers::MATERIAL,
        Waivers::CASTLING,
        Waivers::EN_PASSANT,
    ];
    random_placements(14, 3_000, |position| {
        let mut setup: Setup = position.setup();
        setup.castling_rooks |= tabiya_rules::Square::A1;
        let all = setup
            .position_waiving(Waivers::ALL)
            .expect("it was one before");
        for waivers in single {
            match setup.position_waiving(waivers) {
                Ok(position) => assert_eq!(position.board(), all.board()),
                Err(error) => {
                    assert!(error.kinds().count() > 0);
                    assert_eq!(error.setup, setup);
                }
            }
        }
    });
}
