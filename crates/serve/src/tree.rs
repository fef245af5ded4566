//! A game as the page shows it: a list of nodes with comments, marks and evaluations, in which parents come first.

use serde::Serialize;
use tabiya_game::{MarkColor, Node, NodeId, Record};
use tabiya_play::analysis;
use tabiya_rules::{Square, UciMove};

/// A node of a game.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct TreeNode {
    id: NodeId,
    /// `None` for the root.
    parent: Option<NodeId>,
    ply: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    san: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    uci: Option<UciMove>,
    fen: String,
    #[serde(skip_serializing_if = "is_false")]
    check: bool,
    /// The glyphs of the move, as they are written: `?!`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    glyphs: Vec<&'static str>,
    /// Comments before the move.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    before: Vec<String>,
    /// Comments after it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    comments: Vec<String>,
    /// The evaluation as text, from White's point of view: `+0.35`.
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<String>,
    /// White's expected score by it, from 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    chance: Option<f64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    marks: Vec<Mark>,
}

/// An arrow, or a circle if both squares are the same.
#[derive(Clone, Copy, Debug, Serialize)]
struct Mark {
    from: Square,
    to: Square,
    color: MarkColor,
}

/// All nodes of a game, starting with the root.
pub(crate) fn of(record: &Record) -> Vec<TreeNode> {
    record.root().subtree().map(TreeNode::of).collect()
}

impl TreeNode {
    fn of(node: Node<'_>) -> TreeNode {
        let annotation = node.annotation();
        let text = |comments: &[tabiya_game::Comment]| -> Vec<String> {
            comments.iter().map(|one| one.as_str().to_owned()).collect()
        };
        let score = annotation.evaluation.map(|written| written.score);
        let squares = annotation.squares.iter().map(|mark| Mark {
            from: mark.square,
            to: mark.square,
            color: mark.color,
        });
        let arrows = annotation.arrows.iter().map(|arrow| Mark {
            from: arrow.from,
            to: arrow.to,
            color: arrow.color,
        });
        TreeNode {
            id: node.id(),
            parent: node.parent().map(Node::id),
            ply: node.ply(),
            san: node.san().map(|san| san.to_string()),
            uci: node.uci(),
            fen: node.position().fen(),
            check: node.position().is_check(),
            glyphs: annotation
                .glyphs
                .iter()
                .filter_map(|glyph| glyph.symbol())
                .collect(),
            before: text(&annotation.before),
            comments: [text(&annotation.comments), text(&annotation.after)].concat(),
            score: score.map(|score| format!("{score:+}")),
            chance: analysis::chance(node.position(), score).map(rounded),
            marks: squares.chain(arrows).collect(),
        }
    }
}

/// An expected score, rounded to what a curve can show.
pub(crate) fn rounded(chance: f64) -> f64 {
    (chance * 1000.0).round() / 1000.0
}

// serde requires this signature.
#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
fn is_false(value: &bool) -> bool {
    !value
}
