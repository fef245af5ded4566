//! Every public type can be sent to another thread and shared with it.

use tabiya_rules::*;

fn both<T: Send + Sync>() {}

#[test]
fn every_public_type_is_send_and_sync() {
    both::<Bitboard>();
    both::<Squares>();
    both::<Board>();
    both::<ByColor<u8>>();
    both::<ByRole<u8>>();
    both::<CastlingMode>();
    both::<CastlingSide>();
    both::<CastlingNotation>();
    both::<Color>();
    both::<Diagram>();
    both::<DiagramLabels>();
    both::<DiagramPieces>();
    both::<EnPassantMode>();
    both::<Epd>();
    both::<EpdError>();
    both::<EpdMovesError>();
    both::<EpdOperation>();
    both::<FenError>();
    both::<FenExpected>();
    both::<FenField>();
    both::<File>();
    both::<HistoryStatus>();
    both::<IllegalMove>();
    both::<Move>();
    both::<MoveHistory>();
    both::<MoveList>();
    both::<MoveSet>();
    both::<ParseFenError>();
    both::<ParseSquareError>();
    both::<ParseUciError>();
    both::<PerftTable>();
    both::<Piece>();
    both::<PlayError>();
    both::<Position>();
    both::<PositionKey>();
    both::<Rank>();
    both::<Role>();
    both::<San>();
    both::<SanError>();
    both::<Setup>();
    both::<SetupError>();
    both::<Square>();
    both::<Status>();
    both::<UciError>();
    both::<UciMove>();
    both::<Waivers>();
    both::<MoveDelta>();
    both::<MoveFilter>();
    both::<ParseColorError>();
    both::<ParsePieceError>();
    both::<ParseScoreError>();
    both::<Score>();
    both::<SetupErrorKind>();
    both::<UnpackError>();
}

#[test]
fn no_public_type_is_left_out() {
    let left_out = test_suites::unlisted_types("rules", include_str!("threads.rs"));
    assert!(left_out.is_empty(), "not in the list above: {left_out:?}");
}
