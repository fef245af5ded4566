//! Values in serde's formats: each as its usual text.

use serde_json::{from_str, to_string};
use tabiya_rules::{
    Bitboard, ByColor, ByRole, CastlingMode, CastlingSide, Color, Move, Piece, Position, Role,
    Setup, Square, Status, UciMove,
};

use crate::support::{after, board, random_placements, random_positions};

/// Checks both directions for a value whose JSON is known.
macro_rules! is_written {
    ($($type:ty: $value:expr => $json:expr;)*) => {$(
        let value: $type = $value;
        assert_eq!(to_string(&value).expect("serializable"), $json);
        assert_eq!(from_str::<$type>($json).expect("deserializable"), value);
    )*};
}

#[test]
fn values_are_their_usual_texts() {
    let start = Position::start();
    is_written! {
        Square: Square::E4 => "\"e4\"";
        Color: Color::Black => "\"black\"";
        Role: Role::Knight => "\"knight\"";
        Piece: Role::Queen.of(Color::White) => "\"Q\"";
        Piece: Role::Queen.of(Color::Black) => "\"q\"";
        UciMove: "e7e8q".parse().expect("a move") => "\"e7e8q\"";
        UciMove: UciMove::Null => "\"0000\"";
        Position: start => "\"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"";
        Setup: Setup::EMPTY => "\"8/8/8/8/8/8/8/8 w - - 0 1\"";
        CastlingMode: CastlingMode::Chess960 => "\"Chess960\"";
        CastlingSide: CastlingSide::Queen => "\"Queen\"";
        Bitboard: Bitboard::of(Square::C1) => "4";
        ByColor<u32>: ByColor::new(1, 2) => "{\"white\":1,\"black\":2}";
        ByRole<u32>: ByRole::from_fn(|role| role as u32) => "[0,1,2,3,4,5]";
        Status: Status::Stalemate => "\"Stalemate\"";
        Status: Status::Checkmate { winner: Color::White } => "{\"Checkmate\":{\"winner\":\"white\"}}";
    }
}

#[test]
fn what_is_no_value_is_refused() {
    assert!(from_str::<Square>("\"e9\"").is_err());
    assert!(from_str::<Color>("\"red\"").is_err());
    assert!(from_str::<Role>("\"Knight \"").is_err());
    assert!(from_str::<Piece>("\"x\"").is_err());
    assert!(from_str::<UciMove>("\"e2\"").is_err());
    assert!(from_str::<Position>("\"8/8/8/8/8/8/8/8 w\"").is_err());
    assert!(from_str::<Position>("\"4k3/8/8/8/8/8/8/4K3 w KQ - 0 1\"").is_err());
    assert!(from_str::<Move>("0").is_err());
    assert!(from_str::<Move>("65535").is_err());
    let message = from_str::<Square>("\"e9\"")
        .expect_err("no square")
        .to_string();
    assert!(message.starts_with("not a square"), "{message}");
}

#[test]
fn positions_come_back_with_their_counters_and_squares() {
    let check = |position: &Position| {
        let text = to_string(position).expect("serializable");
        let again: Position = from_str(&text).expect("deserializable");
        let again = again.with_castling_mode(position.castling_mode());
        assert_eq!(again.setup(), position.setup(), "{text}");
        for &m in &position.legal_moves() {
            let text = to_string(&m).expect("serializable");
            assert_eq!(from_str::<Move>(&text).expect("deserializable"), m);
        }
    };
    random_positions(61, 500, check);
    random_placements(62, 500, check);
    check(&after(&Position::start(), "e2e4"));
    check(&board("8/8/8/8/8/8/8/P7 w"));
}
