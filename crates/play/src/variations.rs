//! Operations on variations, as seen from a move: where to go, or what to change.

use tabiya_game::{Command, GoTo, Node};
use tabiya_rules::Color;

/// An operation on variations, as seen from the move on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VariationAction {
    /// Go to the next alternative to this move.
    Next,
    /// Go to the previous one.
    Previous,
    /// Go back to where the variation branches off.
    Leave,
    /// Move the variation up by one.
    Up,
    /// Make it the main line.
    Main,
    /// Delete the move and what follows it.
    Delete,
}

/// Why there is nothing to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VariationError {
    /// This is the main line.
    MainLine,
    /// There is no alternative to this move.
    NoOtherMove,
    /// There is no move here to delete.
    NothingToDelete,
}

/// The command for an operation, or why there is nothing to do.
pub fn command(node: Node<'_>, action: VariationAction) -> Result<Command, VariationError> {
    const MAIN: VariationError = VariationError::MainLine;
    match action {
        VariationAction::Next => sibling(node, 1),
        VariationAction::Previous => sibling(node, -1),
        VariationAction::Leave => {
            let there = branch(node).and_then(Node::parent).ok_or(MAIN)?;
            Ok(Command::GoTo(GoTo::Node(there.id())))
        }
        VariationAction::Up => Ok(Command::Promote(branch(node).ok_or(MAIN)?.id())),
        VariationAction::Main => {
            branch(node).ok_or(MAIN)?;
            Ok(Command::PromoteToMainLine(node.id()))
        }
        VariationAction::Delete => {
            node.parent().ok_or(VariationError::NothingToDelete)?;
            Ok(Command::Delete(node.id()))
        }
    }
}

/// Goes to another alternative, wrapping around from the last to the first.
fn sibling(node: Node<'_>, step: isize) -> Result<Command, VariationError> {
    const NONE: VariationError = VariationError::NoOtherMove;
    let all: Vec<Node<'_>> = node.parent().ok_or(NONE)?.children().collect();
    let at = all.iter().position(|known| known.id() == node.id());
    // A move is among the children of its parent, so there is at least one.
    let there = (at.unwrap_or(0) as isize + step).rem_euclid(all.len() as isize);
    let other = all
        .get(there as usize)
        .filter(|other| other.id() != node.id());
    Ok(Command::GoTo(GoTo::Node(other.ok_or(NONE)?.id())))
}

/// A move with its number, such as `3…Nf6`; `None` for the start.
pub fn numbered(node: Node<'_>) -> Option<String> {
    let before = node.parent()?.position();
    let dots = match before.turn() {
        Color::White => ".",
        Color::Black => "…",
    };
    let text = node.move_text()?;
    Some(format!("{}{dots}{text}", before.fullmove_number()))
}

/// The place of a variation among its alternatives, as a sentence.
pub fn standing(node: Node<'_>) -> Option<String> {
    let name = numbered(node)?;
    let mut all = node.parent()?.children();
    let at = all.position(|known| known.id() == node.id())?;
    Some(match (branch(node), at) {
        (None, _) => format!("{name} is on the main line now."),
        (Some(_), 0) => format!("{name} now comes before the other alternatives."),
        (Some(_), at) => format!("{name} is now variation {at} at this point."),
    })
}

/// The first move of the variation that a move belongs to; `None` on the main line.
pub fn branch(node: Node<'_>) -> Option<Node<'_>> {
    let mut at = node;
    loop {
        let parent = at.parent()?;
        if parent.next().is_some_and(|first| first.id() != at.id()) {
            return Some(at);
        }
        at = parent;
    }
}
