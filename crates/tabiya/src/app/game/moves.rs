//! The list of moves beside the board: which moves stand in which row.

use ratatui::layout::Rect;
use tabiya_game::{Comment, Node, NodeId, Record, Step};
use tabiya_rules::Color;

use super::super::board::Board;
use crate::tui::text::wrap;

/// A row of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Row {
    /// A move of White and the answer, on the line of the game.
    Pair {
        number: u32,
        white: Option<NodeId>,
        black: Option<NodeId>,
    },
    /// An alternative to a move above, with what follows it.
    Variation(NodeId),
}

/// The column where the moves of a variation begin.
pub(crate) const VARIATION: u16 = 4;

/// How wide the number before the moves is.
pub(crate) const NUMBER: u16 = 5;

/// How the room for the moves is shared; what is not needed has no height.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Areas {
    pub(crate) list: Rect,
    /// The comment of the move on the screen, with a line above it.
    pub(crate) comment: Rect,
    /// What an engine says about the game, with a line above it.
    pub(crate) study: Rect,
}

pub(crate) fn areas(table: &Board, area: Rect) -> Areas {
    let study = match area.height {
        _ if !table.is_judged() => 0,
        0..6 => 0,
        6..12 => 2,
        12..20 => 4,
        _ => 7,
    };
    let rest = area.height - study;
    let text = comment(table);
    let comment = if text.is_empty() || rest < 4 {
        0
    } else {
        let lines = wrap(&text, area.width).len();
        u16::try_from(lines + 1).unwrap_or(u16::MAX).min(rest / 2)
    };
    let part = |down: u16, height: u16| Rect {
        y: area.y + down,
        height,
        ..area
    };
    let list = rest - comment;
    Areas {
        list: part(0, list),
        comment: part(list, comment),
        study: part(rest, study),
    }
}

/// What is written about the move on the screen.
pub(crate) fn comment(table: &Board) -> String {
    let annotation = table.node().annotation();
    let comments = annotation.before.iter().chain(&annotation.comments);
    let comments = comments.chain(&annotation.after);
    let texts: Vec<&str> = comments.map(Comment::as_str).collect();
    texts.join(" ")
}

/// The rows of a game.
pub(crate) fn rows(record: &Record) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    let mut others: Vec<Row> = Vec::new();
    for node in record.cursor_line() {
        let Some(parent) = node.parent() else {
            continue;
        };
        let number = parent.position().fullmove_number();
        let id = Some(node.id());
        match (parent.position().turn(), rows.last_mut()) {
            (Color::White, _) => rows.push(Row::Pair {
                number,
                white: id,
                black: None,
            }),
            (
                Color::Black,
                Some(Row::Pair {
                    number: same,
                    black: black @ None,
                    ..
                }),
            ) if *same == number => {
                *black = id;
            }
            (Color::Black, _) => rows.push(Row::Pair {
                number,
                white: None,
                black: id,
            }),
        }
        let siblings = parent.children().filter(|other| other.id() != node.id());
        others.extend(siblings.map(|other| Row::Variation(other.id())));
        // Alternatives stand right under the move; Black's answer to one then begins a row of its own.
        rows.append(&mut others);
    }
    rows
}

/// The rows that are visible, and where the first of them is in the list.
pub(crate) fn visible(table: &Board, rows: &[Row], height: u16) -> usize {
    let height = usize::from(height);
    let current = current(table, rows).unwrap_or(0);
    // The current row is kept near the end, as in a running game.
    (current + 1)
        .saturating_sub(height)
        .min(rows.len().saturating_sub(height.min(rows.len())))
}

/// The row of the move that is looked at.
fn current(table: &Board, rows: &[Row]) -> Option<usize> {
    let mut node = table.node();
    loop {
        let id = Some(node.id());
        let found = rows.iter().rposition(|row| match row {
            Row::Pair { white, black, .. } => *white == id || *black == id,
            Row::Variation(first) => Some(*first) == id,
        });
        if found.is_some() {
            return found;
        }
        node = node.parent()?;
    }
}

/// Where the two moves of a pair stand.
pub(crate) fn columns(area: Rect) -> [Rect; 2] {
    let each = area.width.saturating_sub(NUMBER) / 2;
    let each = each.min(11);
    [0, 1].map(|at| Rect {
        x: area.x + NUMBER.min(area.width) + at * each,
        width: each,
        ..area
    })
}

/// A move of the list as it is written.
pub(crate) fn text(node: Node<'_>) -> String {
    let mut text = match (node.step(), node.san()) {
        (Some(Step::Null), _) => "--".to_owned(),
        (_, Some(san)) => san.to_string(),
        _ => String::new(),
    };
    for glyph in &node.annotation().glyphs {
        text.push_str(glyph.symbol().unwrap_or(""));
    }
    text
}

/// The beginning of a variation, move by move as written. The ellipsis stands for the first move that is left out.
pub(crate) fn variation(node: Node<'_>) -> Vec<(NodeId, String)> {
    const LONGEST: usize = 6;
    let mut moves = Vec::new();
    let mut next = Some(node);
    for at in 0..LONGEST {
        let Some(node) = next else { return moves };
        let Some(parent) = node.parent() else {
            return moves;
        };
        let number = parent.position().fullmove_number();
        let number = match parent.position().turn() {
            Color::White => format!("{number}."),
            Color::Black if at == 0 => format!("{number}…"),
            Color::Black => String::new(),
        };
        moves.push((node.id(), format!("{number}{}", text(node))));
        next = node.next();
    }
    if let Some(next) = next {
        moves.push((next.id(), "…".to_owned()));
    }
    moves
}
