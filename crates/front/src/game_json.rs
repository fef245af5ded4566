//! A recorded game as JSON, which `json` prints and exports.

use serde::Serialize;
use tabiya_game::{Arrow, Comment, Evaluation, GameResult, Glyph, Node, Record, SquareMark, Tags};
use tabiya_rules::UciMove;

use crate::json;

/// How deeply nested variations are written. Deeper ones are left out, so that no reader is overwhelmed.
const MAX_VARIATION_DEPTH: usize = 64;

/// A game.
#[derive(Debug, Serialize)]
pub struct Game<'a> {
    start: String,
    result: GameResult,
    tags: &'a Tags,
    moves: Vec<Move<'a>>,
}

/// A move, with its alternatives.
#[derive(Debug, Serialize)]
struct Move<'a> {
    ply: u32,
    san: String,
    uci: Option<UciMove>,
    fen: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    comments: Vec<&'a Comment>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    glyphs: &'a [Glyph],
    #[serde(skip_serializing_if = "Option::is_none")]
    evaluation: Option<Evaluation>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    squares: &'a [SquareMark],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    arrows: &'a [Arrow],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    variations: Vec<Vec<Move<'a>>>,
}

/// Formats a game.
pub fn text(record: &Record) -> String {
    json::line(&Game::from(record))
}

impl<'a> From<&'a Record> for Game<'a> {
    fn from(record: &'a Record) -> Game<'a> {
        Game {
            start: record.start().fen(),
            result: record.result(),
            tags: record.tags().stored(),
            moves: moves(record.root().next(), 0),
        }
    }
}

/// A line of moves.
fn moves(first: Option<Node<'_>>, depth: usize) -> Vec<Move<'_>> {
    let line = std::iter::successors(first, |node| node.next());
    line.map(|node| move_json(node, depth)).collect()
}

/// A move, with its annotations and variations.
fn move_json(node: Node<'_>, depth: usize) -> Move<'_> {
    let annotation = node.annotation();
    let comments = annotation.before.iter().chain(&annotation.comments);
    let comments = comments.chain(&annotation.after);
    // Variations are listed with the move that they replace.
    let is_main = |parent: &Node<'_>| parent.next().is_some_and(|main| main.id() == node.id());
    let parent = node.parent().filter(is_main);
    let parent = parent.filter(|_| depth < MAX_VARIATION_DEPTH);
    let others = parent
        .into_iter()
        .flat_map(|parent| parent.children().skip(1));
    let variations = others.map(|other| moves(Some(other), depth + 1));
    Move {
        ply: node.ply(),
        san: node.move_text().unwrap_or_default(),
        uci: node.uci(),
        fen: node.position().fen(),
        comments: comments.collect(),
        glyphs: &annotation.glyphs,
        evaluation: annotation.evaluation,
        squares: &annotation.squares,
        arrows: &annotation.arrows,
        variations: variations.collect(),
    }
}

#[cfg(test)]
mod tests;
