//! A game as text for files and other programs, the same in both fronts: PGN, JSON, and a picture of a position.

use tabiya_game::{Annotation, Node, Record, Step, pgn};
use tabiya_play::desk::Filed;
use tabiya_rules::{Bitboard, Color};
use tabiya_svg::Picture;

use crate::review::{self, Origin};
use crate::{game_json, opening_names};

/// The game for export: with its opening if it was played with this program, otherwise without changes.
fn exported(filed: Filed<'_, Origin>) -> Record {
    match filed {
        Filed::Review(review) if !review::is_own(review) => review.record(),
        Filed::Review(review) => opening_names::tagged(review.record()),
        Filed::Finished(finished) => opening_names::tagged(finished.session.publish()),
        Filed::Game(table) => opening_names::tagged(table.session().publish()),
    }
}

/// The game as PGN.
pub fn pgn(filed: Filed<'_, Origin>) -> String {
    pgn::to_string(&exported(filed), pgn::Format::Export)
}

/// The game as JSON.
pub fn json(filed: Filed<'_, Origin>) -> String {
    game_json::text(&exported(filed))
}

/// A position of a game as SVG, with its last move and these marks.
pub fn picture(node: Node<'_>, bottom: Color, marked: &Annotation) -> String {
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
pub fn last_move(node: Node<'_>) -> Bitboard {
    let played = node.step().and_then(Step::played);
    played.map_or(Bitboard::EMPTY, |played| {
        Bitboard::of(played.from()) | played.destination()
    })
}
