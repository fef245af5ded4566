//! A recorded game as JSON, which `json` prints and exports.

use serde::Serialize;
use tabiya_game::{Comment, MarkColor, Node, Record};
use tabiya_rules::{Square, UciMove};

use crate::json;

/// How deeply nested variations are written. Deeper ones are left out, so that no reader is overwhelmed.
const DEEPEST: usize = 64;

/// A game.
#[derive(Serialize)]
struct Game<'a> {
    start: String,
    result: &'static str,
    tags: Vec<Tag<'a>>,
    moves: Vec<Move<'a>>,
}

#[derive(Serialize)]
struct Tag<'a> {
    name: &'a str,
    value: &'a str,
}

/// A move, with its alternatives.
#[derive(Serialize)]
struct Move<'a> {
    ply: u32,
    san: String,
    uci: Option<UciMove>,
    fen: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    comments: Vec<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    glyphs: Vec<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    evaluation: Option<Worth>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    squares: Vec<Marked>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    arrows: Vec<Drawn>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    variations: Vec<Vec<Move<'a>>>,
}

/// The evaluation of a move, from White's point of view.
#[derive(Serialize)]
struct Worth {
    #[serde(skip_serializing_if = "Option::is_none")]
    cp: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mate: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<u32>,
}

#[derive(Serialize)]
struct Marked {
    color: MarkColor,
    square: Square,
}

#[derive(Serialize)]
struct Drawn {
    color: MarkColor,
    from: Square,
    to: Square,
}

/// Formats a game.
pub(crate) fn text(record: &Record) -> String {
    let tags = record.tags().iter();
    json::line(&Game {
        start: record.start().fen(),
        result: record.result().as_str(),
        tags: tags.map(|(name, value)| Tag { name, value }).collect(),
        moves: moves(record.root().next(), 0),
    })
}

/// A line of moves.
fn moves(first: Option<Node<'_>>, depth: usize) -> Vec<Move<'_>> {
    let mut all = Vec::new();
    let mut next = first;
    while let Some(node) = next {
        let is_main = node
            .parent()
            .and_then(Node::next)
            .is_some_and(|main| main.id() == node.id());
        all.push(one(node, is_main, depth));
        next = node.next();
    }
    all
}

fn one(node: Node<'_>, is_main: bool, depth: usize) -> Move<'_> {
    let annotation = node.annotation();
    let comments = annotation.before.iter().chain(&annotation.comments);
    let comments = comments.chain(&annotation.after).map(Comment::as_str);
    // Variations are listed with the move that they replace.
    let siblings = node.parent().filter(|_| is_main && depth < DEEPEST);
    let siblings = siblings.into_iter().flat_map(Node::children);
    let variations = siblings
        .filter(|other| other.id() != node.id())
        .map(|other| moves(Some(other), depth + 1));
    Move {
        ply: node.ply(),
        san: node.move_text().unwrap_or_default(),
        uci: node.uci(),
        fen: node.position().fen(),
        comments: comments.collect(),
        glyphs: annotation.glyphs.iter().map(|glyph| glyph.0).collect(),
        evaluation: annotation.evaluation.map(|evaluation| Worth {
            cp: evaluation.score.centipawns(),
            mate: evaluation.score.moves_to_mate(),
            depth: evaluation.depth,
        }),
        squares: annotation
            .squares
            .iter()
            .map(|mark| Marked {
                color: mark.color,
                square: mark.square,
            })
            .collect(),
        arrows: annotation
            .arrows
            .iter()
            .map(|arrow| Drawn {
                color: arrow.color,
                from: arrow.from,
                to: arrow.to,
            })
            .collect(),
        variations: variations.collect(),
    }
}

#[cfg(test)]
mod tests;
