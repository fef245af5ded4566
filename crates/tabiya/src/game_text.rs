//! A game as text for files and other programs, the same in both fronts: PGN, JSON, and a picture of a position.

use tabiya_game::{Annotation, Node, Record, Session, Step, pgn};
use tabiya_rules::{Bitboard, Color};
use tabiya_svg::Picture;

use crate::review::Review;
use crate::{game_json, opening_names};

/// The game for export: with its opening if it was played with this program, otherwise without changes.
fn exported(session: &Session, review: Option<&Review>) -> Record {
    match review {
        None => opening_names::tagged(session.publish()),
        Some(review) if review.is_own() => opening_names::tagged(review.record(session)),
        Some(review) => review.record(session),
    }
}

/// The game as PGN.
pub(crate) fn pgn(session: &Session, review: Option<&Review>) -> String {
    pgn::to_string(&exported(session, review), pgn::Format::Export)
}

/// The game as JSON.
pub(crate) fn json(session: &Session, review: Option<&Review>) -> String {
    game_json::text(&exported(session, review))
}

/// A position of a game as SVG, with its last move and these marks.
pub(crate) fn picture(node: Node<'_>, bottom: Color, marked: &Annotation) -> String {
    Picture {
        board: node.position().board(),
        bottom,
        last: last_move(node),
        squares: &marked.squares,
        arrows: &marked.arrows,
    }
    .svg()
}

/// The squares of the move that led to a node.
pub(crate) fn last_move(node: Node<'_>) -> Bitboard {
    let played = node.step().and_then(Step::played);
    played.map_or(Bitboard::EMPTY, |played| {
        Bitboard::of(played.from()) | played.destination()
    })
}
