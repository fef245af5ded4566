//! Positions in 32 bytes.

use tabiya_rules::{Bitboard, Color, Position, Role, SplitMix64, Square, UnpackError, Waivers};

use crate::support::position;

#[test]
fn a_packed_position_comes_back_exactly() {
    for fen in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "rnbqkbnr/pppp1ppp/8/8/3Pp3/8/PPP1PPPP/RNBQKBNR b KQkq d3 0 3",
        "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 149 2147483647",
        "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 2147483647 1",
        "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
        "8/8/8/4k3/8/8/8/4K3 b - - 7 80",
    ] {
        let position = position(fen);
        let packed = position.pack().expect("few enough pieces");
        let back = Position::unpack(&packed).expect("just packed");
        assert_eq!(back.setup(), position.setup(), "{fen}");
        assert_eq!(back.key(), position.key(), "{fen}");
        assert_eq!(back.legal_en_passant(), position.legal_en_passant());
    }
}

#[test]
fn games_at_random_come_back_exactly() {
    let mut random = SplitMix64::new(1);
    for number in 0..200 {
        let mut position = Position::chess960(number * 4 % 960).expect("below 960");
        for _ in 0..120 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position = position.play_unchecked(moves[random.below(moves.len())]);
            let packed = position.pack().expect("no game has more pieces");
            let back = Position::unpack(&packed).expect("just packed");
            assert_eq!(back.setup(), position.setup());
        }
    }
}

#[test]
fn other_bytes_are_refused_or_are_the_only_form_of_what_they_say() {
    let mut random = SplitMix64::new(2);
    let mut accepted = 0;
    let start = Position::start().pack().expect("32 pieces");
    for _ in 0..200_000 {
        let mut bytes = start;
        for _ in 0..=random.below(3) {
            bytes[random.below(32)] = random.next_u64() as u8;
        }
        if let Ok(position) = Position::unpack(&bytes) {
            accepted += 1;
            assert_eq!(position.pack(), Some(bytes));
        }
    }
    assert!(accepted > 1_000, "{accepted}");
    assert_eq!(Position::unpack(&[0xff; 32]), Err(UnpackError::Malformed));
    assert_eq!(Position::unpack(&[0; 32]), Err(UnpackError::Malformed));
}

#[test]
fn one_piece_more_than_32_is_refused() {
    let mut setup = Position::start().setup();
    setup.castling_rooks = Bitboard::EMPTY;
    setup.board.set(Square::E4, Role::Pawn.of(Color::White));
    let position = setup
        .position_waiving(Waivers::MATERIAL)
        .expect("nine pawns, waived");
    assert_eq!(position.board().occupied().count(), 33);
    assert_eq!(position.pack(), None);
}
