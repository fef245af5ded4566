//! Values in serde formats: the usual text in JSON, few bytes in postcard.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{from_str, to_string};
use tabiya_rules::{
    Bitboard, Board, ByColor, ByRole, CastlingMode, CastlingSide, Color, File, HistoryStatus,
    IllegalMove, Move, MoveHistory, Piece, Position, Rank, Role, SanError, Score, Setup, Square,
    Status, UciMove, Waivers,
};

use crate::support::{after, board, random_placements, random_positions};

/// Returns the value read back from the compact form, and the length of that form in bytes.
fn compact<T: Serialize + DeserializeOwned>(value: &T) -> (T, usize) {
    let bytes = postcard::to_allocvec(value).expect("serializable");
    let again = postcard::from_bytes(&bytes).expect("deserializable");
    (again, bytes.len())
}

/// Checks that a value has this JSON, and that both forms can be read back.
macro_rules! is_written {
    ($($type:ty: $value:expr => $json:expr;)*) => {$(
        let value: $type = $value;
        assert_eq!(to_string(&value).expect("serializable"), $json);
        assert_eq!(from_str::<$type>($json).expect("deserializable"), value);
        assert_eq!(compact(&value).0, value, "{}", $json);
    )*};
}

#[test]
fn values_are_their_usual_texts() {
    let start = Position::start();
    is_written! {
        Square: Square::E4 => "\"e4\"";
        File: File::E => "\"e\"";
        Rank: Rank::Fourth => "\"4\"";
        Color: Color::Black => "\"black\"";
        Role: Role::Knight => "\"knight\"";
        Piece: Role::Queen.of(Color::White) => "\"Q\"";
        Piece: Role::Queen.of(Color::Black) => "\"q\"";
        UciMove: "e7e8q".parse().expect("a move") => "\"e7e8q\"";
        UciMove: UciMove::Null => "\"0000\"";
        Position: start => "\"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"";
        Setup: Setup::EMPTY => "\"8/8/8/8/8/8/8/8 w - - 0 1\"";
        Board: *start.board() => "\"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR\"";
        CastlingMode: CastlingMode::Chess960 => "\"chess960\"";
        CastlingSide: CastlingSide::Queen => "\"queen\"";
        Bitboard: Bitboard::EMPTY => "[]";
        Bitboard: Bitboard::from_iter([Square::C1, Square::H8]) => "[\"c1\",\"h8\"]";
        ByColor<u32>: ByColor::new(1, 2) => "{\"white\":1,\"black\":2}";
        ByRole<u32>: ByRole::from_fn(|role| role as u32) =>
            "{\"pawn\":0,\"knight\":1,\"bishop\":2,\"rook\":3,\"queen\":4,\"king\":5}";
        Score: Score::Centipawns(-35) => "{\"cp\":-35}";
        Score: Score::MateIn(3) => "{\"mate\":3}";
        Score: Score::MatedIn(3) => "{\"mate\":-3}";
        // UCI's 0 means that the side is mated.
        Score: Score::MatedIn(0) => "{\"mate\":0}";
        Score: Score::MateIn(0) => "\"mate_given\"";
        Status: Status::Stalemate => "{\"status\":\"stalemate\"}";
        Status: Status::Checkmate { winner: Color::White } =>
            "{\"status\":\"checkmate\",\"winner\":\"white\"}";
        HistoryStatus: HistoryStatus::FiftyMoves => "{\"status\":\"fifty_moves\"}";
        IllegalMove: IllegalMove::Blocked { by: Square::F7 } =>
            "{\"error\":\"blocked\",\"by\":\"f7\"}";
        SanError: start.parse_san("Nd2").expect_err("own piece") =>
            "{\"error\":\"illegal\",\"role\":\"knight\",\"to\":\"d2\",\
             \"reason\":{\"error\":\"own_piece\",\"square\":\"d2\",\"piece\":\"P\"},\
             \"candidates\":[\"Nb1a3\",\"Nb1c3\",\"Ng1f3\",\"Ng1h3\"]}";
    }
}

#[test]
fn compact_forms_are_small() {
    assert_eq!(compact(&Square::H8).1, 1);
    assert_eq!(compact(&Color::Black).1, 1);
    assert_eq!(compact(&Role::Queen.of(Color::Black)).1, 1);
    // The length and 32 bytes.
    assert_eq!(compact(&Position::start()).1, 33);
    // At most 16 bits, seven to a byte.
    let e4 = Position::start().parse_san("e4").expect("legal");
    assert!(compact(&e4).1 <= 3);
}

#[test]
fn a_move_on_its_own_says_what_moves() {
    let write = |fen: &str, san: &str| {
        let position: Position = fen.parse().expect("a position");
        let played = position.parse_san(san).expect("a legal move");
        let text = to_string(&played).expect("serializable");
        assert_eq!(from_str::<Move>(&text).expect("deserializable"), played);
        assert_eq!(compact(&played).0, played);
        text
    };
    let start = Position::start().fen();
    assert_eq!(write(&start, "e4"), "\"e2e4\"");
    assert_eq!(write(&start, "Nf3"), "\"Ng1f3\"");
    let castles = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    assert_eq!(write(castles, "O-O"), "\"Oe1h1\"");
    assert_eq!(write(castles, "Kf1"), "\"Ke1f1\"");
    let pawns = "4k3/P7/8/3pP3/8/8/8/4K3 w - d6 0 1";
    assert_eq!(write(pawns, "exd6"), "\"Ee5d6\"");
    assert_eq!(write(pawns, "a8=N"), "\"a7a8n\"");
}

#[test]
fn a_history_is_its_start_and_its_moves() {
    let mut history = MoveHistory::new(Position::start());
    for text in ["e4", "e5", "Nf3"] {
        history.push_san(text).expect("legal");
    }
    let text = to_string(&history).expect("serializable");
    assert_eq!(
        text,
        "{\"start\":\"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\",\
         \"mode\":\"standard\",\"moves\":[\"e2e4\",\"e7e5\",\"g1f3\"]}"
    );
    assert_eq!(
        from_str::<MoveHistory>(&text).expect("deserializable"),
        history
    );
    assert_eq!(compact(&history).0, history);
    let illegal = text.replace("e7e5", "e7e4");
    let error = from_str::<MoveHistory>(&illegal).expect_err("illegal");
    assert!(error.to_string().starts_with("e7e4: "), "{error}");
}

#[test]
fn what_is_no_value_is_refused() {
    assert!(from_str::<Square>("\"e9\"").is_err());
    assert!(from_str::<Color>("\"red\"").is_err());
    assert!(from_str::<Role>("\"Knight \"").is_err());
    assert!(from_str::<Piece>("\"x\"").is_err());
    assert!(from_str::<UciMove>("\"e2\"").is_err());
    assert!(from_str::<Bitboard>("[\"e4\",\"e4\"]").is_err());
    assert!(from_str::<Position>("\"8/8/8/8/8/8/8/8 w\"").is_err());
    assert!(from_str::<Position>("\"4k3/8/8/8/8/8/8/4K3 w KQ - 0 1\"").is_err());
    for text in ["g1f3", "Ng1", "Ng1f3q", "0000", "Xe2e4", "e1h1", "", "é2e4"] {
        assert!(from_str::<Move>(&format!("\"{text}\"")).is_err(), "{text}");
    }
    let message = from_str::<Square>("\"e9\"")
        .expect_err("no square")
        .to_string();
    assert!(message.starts_with("not a square"), "{message}");
    let message = from_str::<Color>("\"red\"")
        .expect_err("no color")
        .to_string();
    assert!(message.contains("white or black"), "{message}");
    let message = from_str::<Bitboard>("7").expect_err("no list").to_string();
    assert!(message.contains("a list of squares"), "{message}");
    assert!(postcard::from_bytes::<Square>(&[64]).is_err());
    assert!(postcard::from_bytes::<Color>(&[2]).is_err());
    assert!(postcard::from_bytes::<Piece>(&[12]).is_err());
    assert!(postcard::from_bytes::<Move>(&[0]).is_err());
    assert!(postcard::from_bytes::<Position>(&[32; 33]).is_err());
    assert!(postcard::from_bytes::<Position>(&[3, 0xff, 0xff, 0xff]).is_err());
}

#[test]
fn positions_come_back_with_their_counters_and_squares() {
    let check = |position: &Position| {
        let text = to_string(position).expect("serializable");
        let again: Position = from_str(&text).expect("deserializable");
        let again = again.with_castling_mode(position.castling_mode());
        assert_eq!(again.setup(), position.setup(), "{text}");
        let (again, _) = compact(position);
        let again = again.with_castling_mode(position.castling_mode());
        assert_eq!(again.setup(), position.setup(), "{text}");
        for &m in &position.legal_moves() {
            let text = to_string(&m).expect("serializable");
            assert_eq!(from_str::<Move>(&text).expect("deserializable"), m);
            assert_eq!(compact(&m).0, m);
            let uci = position.uci(m);
            assert_eq!(compact(&uci).0, uci);
        }
    };
    random_positions(61, 500, check);
    random_placements(62, 500, check);
    check(&after(&Position::start(), "e2e4"));
    check(&board("8/8/8/8/8/8/8/P7 w"));
}

#[test]
fn a_board_with_too_many_pieces_to_be_packed_is_written_as_its_fen() {
    let fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPPPPPP/RNBQKBNR w - - 7 9";
    let setup: Setup = fen.parse().expect("a setup");
    let position = setup.position_waiving(Waivers::MATERIAL).expect("waived");
    assert_eq!(position.pack(), None);
    let (again, length) = compact(&position);
    assert_eq!(again.setup(), position.setup());
    // Its length takes a byte more.
    assert_eq!(length, fen.len() + 1);
    let read = |fen: &str| {
        let bytes = postcard::to_allocvec(fen).expect("serializable");
        postcard::from_bytes::<Position>(&bytes)
    };
    assert_eq!(read(fen).map(|read| read.setup()), Ok(setup));
    for fen in [
        fen.replace(" 7 ", " x "),
        fen.replace("RNBQKBNR", "KNBQKBNR"),
        String::new(),
    ] {
        assert!(read(&fen).is_err(), "{fen}");
    }
}
