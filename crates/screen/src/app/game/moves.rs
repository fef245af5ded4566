//! The list of moves beside the board: which moves are in which row.

use ratatui_core::layout::Rect;
use tabiya_front::cells::wrap;
use tabiya_game::{Comment, Node, NodeId, Record};
use tabiya_rules::{ByColor, Color};

use super::super::board::Board;
use super::super::canvas::Canvas;
use crate::message::Hit;
use crate::tui::geometry::{band, columns};

/// A row of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Row {
    /// A move of White and Black's reply, on the line of the game.
    Pair {
        number: u32,
        moves: ByColor<Option<NodeId>>,
    },
    /// An alternative to a move above, with the moves after it.
    Variation {
        first: NodeId,
        /// The column where it begins: further to the right if it branches off the variation above it.
        indent: u16,
    },
}

/// The width of the move number.
const NUMBER: u16 = 5;

/// How the room for the moves is divided. Parts that are not needed have no height.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Areas {
    pub(crate) list: Rect,
    /// The comment on the current move, with a rule above it.
    pub(crate) comment: Rect,
    /// The engine's judgment of the game, with a rule above it.
    pub(crate) study: Rect,
    /// Facts about the game that have no room below the board.
    pub(crate) facts: Rect,
}

/// Divides the room for the moves among the list, a comment, the judgment and this many facts.
pub(crate) fn areas(board: Board<'_>, area: Rect, comment: &str, facts: usize) -> Areas {
    let study = match area.height {
        _ if !board.is_judged() => 0,
        0..6 => 0,
        6..12 => 2,
        12..20 => 4,
        _ => 7,
    };
    let facts = match u16::try_from(facts).unwrap_or(0) {
        facts if area.height - study >= facts + MOVES_ABOVE_FACTS => facts,
        _ => 0,
    };
    let rest = area.height - study - facts;
    let comment = if comment.is_empty() || rest < 4 {
        0
    } else {
        let lines = wrap(comment, area.width).len();
        u16::try_from(lines + 1).unwrap_or(u16::MAX).min(rest / 2)
    };
    let list = rest - comment;
    Areas {
        list: band(area, 0, list),
        comment: band(area, list, comment),
        study: band(area, rest, study),
        facts: band(area, rest + study, facts),
    }
}

/// How many lines of moves must stay visible above the facts.
const MOVES_ABOVE_FACTS: u16 = 8;

/// The comment on the current move.
pub(crate) fn comment(board: Board<'_>) -> String {
    let annotation = board.node().annotation();
    let comments = annotation.before.iter().chain(&annotation.comments);
    let comments = comments.chain(&annotation.after);
    let texts: Vec<&str> = comments.map(Comment::as_str).collect();
    texts.join(" ")
}

/// The rows of a game: the main line, which stays in place whatever is being viewed, with the variations below it.
pub(crate) fn rows(record: &Record) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for node in record.main_line() {
        let Some(parent) = node.parent() else {
            continue;
        };
        let turn = parent.position().turn();
        if turn == Color::Black
            && let Some(Row::Pair { moves, .. }) = rows.last_mut()
        {
            moves.black = Some(node.id());
        } else {
            rows.push(Row::Pair {
                number: parent.position().fullmove_number(),
                moves: ByColor::from_fn(|color| (color == turn).then(|| node.id())),
            });
        }
        // Alternatives are right below the move. Black's reply to one then begins its own row.
        for other in siblings(node) {
            let row = |node: Node<'_>, indent| Row::Variation {
                first: node.id(),
                indent,
            };
            rows.push(row(other, 2));
            if is_walked(record, other) {
                // What branches off the followed line.
                let walked = line_from(record, other).into_iter().skip(1);
                let inner = walked.flat_map(siblings);
                rows.extend(inner.map(|other| row(other, 4)));
            }
        }
    }
    rows
}

/// The alternatives to a move.
fn siblings(node: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    let children = node.parent().into_iter().flat_map(Node::children);
    children.filter(move |other| other.id() != node.id())
}

/// Whether a move is on the line that the cursor follows.
fn is_walked(record: &Record, node: Node<'_>) -> bool {
    let there = record.on_line(node.ply());
    there.is_some_and(|there| there.id() == node.id())
}

/// A move and those after it: the line that the cursor follows, otherwise the first continuation.
fn line_from<'a>(record: &'a Record, node: Node<'a>) -> Vec<Node<'a>> {
    if is_walked(record, node) {
        let before = (node.ply() as usize).saturating_sub(1);
        return record.cursor_line().skip(before).collect();
    }
    std::iter::successors(Some(node), |node| node.next()).collect()
}

/// The index of the first visible row.
pub(crate) fn visible(board: Board<'_>, rows: &[Row], height: u16) -> usize {
    let height = usize::from(height);
    let current = current(board, rows).unwrap_or(0);
    // The current row stays near the end, as in a game in progress.
    (current + 1)
        .saturating_sub(height)
        .min(rows.len().saturating_sub(height.min(rows.len())))
}

/// The row of the current move.
fn current(board: Board<'_>, rows: &[Row]) -> Option<usize> {
    let mut nodes = std::iter::successors(Some(board.node()), |node| node.parent());
    nodes.find_map(|node| {
        let id = Some(node.id());
        rows.iter().rposition(|row| match row {
            Row::Pair { moves, .. } => moves.white == id || moves.black == id,
            Row::Variation { first, .. } => Some(*first) == id,
        })
    })
}

/// The areas of the two moves of a pair.
fn cells(area: Rect) -> [Rect; 2] {
    let each = (area.width.saturating_sub(NUMBER) / 2).min(11);
    [0, 1].map(|at| columns(area, NUMBER.min(area.width) + at * each, each))
}

/// Draws rows of a game.
pub(in super::super) fn draw(
    record: &Record,
    rows: &[Row],
    current: Option<NodeId>,
    is_taken_back: impl Fn(Node<'_>) -> bool,
    area: Rect,
    canvas: &mut Canvas<'_>,
) {
    let styles = canvas.styles;
    for (line, found) in area.rows().zip(rows) {
        match *found {
            Row::Pair { number, moves } => {
                canvas.put(line, 0, &format!("{number:>3}."), styles.dim());
                let cells = cells(line);
                if moves.white.is_none() {
                    // Black began the line.
                    canvas.put(cells[0], 0, "…", styles.dim());
                }
                for (cells, id) in cells.into_iter().zip([moves.white, moves.black]) {
                    let Some(node) = id.and_then(|id| record.node(id)) else {
                        continue;
                    };
                    let style = if id == current {
                        styles.chosen()
                    } else if is_taken_back(node) {
                        styles.dim()
                    } else {
                        let mut glyphs = node.annotation().glyphs.iter();
                        let assessed = glyphs.find_map(|&glyph| styles.assessed(glyph));
                        assessed.unwrap_or(styles.text())
                    };
                    canvas.put(cells, 0, &text(node), style);
                    canvas.make_clickable(cells, Hit::Move(node.id()));
                }
            }
            Row::Variation { first, indent } => {
                let column = canvas.put(line, indent, "╰ ", styles.dim());
                if let Some(first) = record.node(first) {
                    let moves = variation(record, first, current);
                    draw_variation(&moves, current, line, column, canvas);
                }
            }
        }
    }
}

fn draw_variation(
    moves: &[(NodeId, String)],
    current: Option<NodeId>,
    line: Rect,
    mut column: u16,
    canvas: &mut Canvas<'_>,
) {
    let mut from = 0;
    for (id, text) in moves {
        let style = match Some(*id) == current {
            true => canvas.styles.chosen(),
            false => canvas.styles.dim(),
        };
        column = canvas.put(line, column, text, style) + 1;
        // The space after a move still belongs to it.
        let end = column.min(line.width);
        let cells = columns(line, from, end.saturating_sub(from));
        canvas.make_clickable(cells, Hit::Move(*id));
        from = end;
    }
}

/// The text of a move in the list.
fn text(node: Node<'_>) -> String {
    let mut text = node.move_text().unwrap_or_default();
    for glyph in &node.annotation().glyphs {
        text.push_str(glyph.symbol().unwrap_or(""));
    }
    text
}

/// The moves of a variation that fit: its beginning, or those around the current move. An ellipsis replaces the first
/// or last move that is left out.
fn variation(record: &Record, node: Node<'_>, current: Option<NodeId>) -> Vec<(NodeId, String)> {
    const MAX_SHOWN: usize = 6;
    /// How many moves are shown before the current one.
    const BEFORE: usize = 2;
    let line = line_from(record, node);
    let here = line.iter().position(|node| Some(node.id()) == current);
    let first = match here {
        Some(here) if here >= MAX_SHOWN / 2 => here - BEFORE,
        Some(_) | None => 0,
    };
    let ellipsis = |node: &Node<'_>| (node.id(), "…".to_owned());
    let mut moves: Vec<(NodeId, String)> = Vec::new();
    let before = first.checked_sub(1).and_then(|at| line.get(at));
    moves.extend(before.map(ellipsis));
    for (at, node) in line.iter().enumerate().skip(first).take(MAX_SHOWN) {
        let Some(parent) = node.parent() else {
            continue;
        };
        let number = parent.position().fullmove_number();
        let number = match parent.position().turn() {
            Color::White => format!("{number}."),
            Color::Black if at == first => format!("{number}…"),
            Color::Black => String::new(),
        };
        moves.push((node.id(), format!("{number}{}", text(*node))));
    }
    moves.extend(line.get(first + MAX_SHOWN).map(ellipsis));
    moves
}
