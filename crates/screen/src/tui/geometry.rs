//! The layout of the screen. Drawing, labels and mouse all use the same value, so they cannot disagree.

use ratatui_core::layout::{Margin, Position, Rect, Size};
use tabiya_rules::{Color, File, Rank, Square};

/// The smallest screen that a board fits on.
pub(crate) const SMALLEST: Size = Size::new(40, 12);

/// The width of the menu on the home screen.
pub(crate) const HOME_MENU_WIDTH: u16 = 38;

/// The width of the column of rank labels left of the board.
const LABELS: u16 = 3;

/// The least width of the panel beside the board.
const PANEL: u16 = 24;

/// The greatest height of a square.
pub(crate) const HIGHEST: u16 = 20;

/// The size of a square of this height in cells. A cell is about twice as high as it is wide, so this looks square.
pub(crate) const fn square_of_height(height: u16) -> Size {
    Size::new(height * 2, height)
}

/// The board on the screen: the cells of each square, and the square of each cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BoardGeometry {
    /// The upper left corner of the upper left square.
    origin: Position,
    /// The size of a square in cells.
    pub(crate) cell: Size,
    /// Whose side is at the bottom.
    pub(crate) bottom: Color,
}

impl BoardGeometry {
    /// The smallest board, somewhere on the screen.
    pub(crate) fn small(origin: Position, bottom: Color) -> BoardGeometry {
        BoardGeometry {
            origin,
            cell: square_of_height(1),
            bottom,
        }
    }

    /// All squares together.
    pub(crate) fn area(&self) -> Rect {
        let Size { width, height } = self.cell;
        Rect::new(self.origin.x, self.origin.y, width * 8, height * 8)
    }

    /// The cells of a square.
    pub(crate) fn square(&self, square: Square) -> Rect {
        let (column, row) = self.place(square);
        let Size { width, height } = self.cell;
        let (x, y) = (self.origin.x + column * width, self.origin.y + row * height);
        Rect::new(x, y, width, height)
    }

    /// The square of a cell.
    pub(crate) fn square_at(&self, at: Position) -> Option<Square> {
        let mut squares = Square::ALL.into_iter();
        squares.find(|&square| self.square(square).contains(at))
    }

    /// The cell for the label of a file, under the middle of the file.
    pub(crate) fn file_label(&self, file: File) -> Position {
        let cells = self.square(Square::new(file, Rank::First));
        Position::new(cells.x + self.middle().x, self.area().bottom())
    }

    /// The cell for the label of a rank, left of the middle of the rank.
    pub(crate) fn rank_label(&self, rank: Rank) -> Position {
        let cells = self.square(Square::new(File::A, rank));
        let left = self.origin.x.saturating_sub(LABELS - 1);
        Position::new(left, cells.y + self.middle().y)
    }

    /// The cell of a square that holds a piece of one cell, counted from the square's upper left corner.
    pub(crate) fn middle(&self) -> Position {
        Position::new((self.cell.width - 1) / 2, (self.cell.height - 1) / 2)
    }

    /// The neighbor of a square in a direction on the screen, or the square itself at the edge of the board.
    pub(crate) fn step(&self, square: Square, right: i8, down: i8) -> Square {
        let (files, ranks) = match self.bottom {
            Color::White => (right, -down),
            Color::Black => (-right, down),
        };
        square.offset(files, ranks).unwrap_or(square)
    }

    /// The column and row of a square on the screen, counted from the upper left corner of the board.
    pub(crate) fn place(&self, square: Square) -> (u16, u16) {
        let (file, rank) = (square.file().index() as u16, square.rank().index() as u16);
        match self.bottom {
            Color::White => (file, 7 - rank),
            Color::Black => (7 - file, rank),
        }
    }
}

/// The parts of the game screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct GameLayout {
    /// The kind of game and whose turn it is; empty if there is no room.
    pub(crate) header: Rect,
    pub(crate) board: BoardGeometry,
    /// The vertical line between the board and the panel; empty if there is no room.
    pub(crate) divider: Rect,
    /// The player at the top: name, captured pieces, clock.
    pub(crate) upper: Rect,
    pub(crate) moves: Rect,
    /// The explorer under the moves; empty if it is hidden or there is no room.
    pub(crate) explorer: Rect,
    /// The evaluation curve below the moves, with a rule above it; empty if it is hidden or there is no room.
    pub(crate) curve: Rect,
    /// The evaluation bar, in a rule; empty if it is hidden or there is no room.
    pub(crate) bar: Rect,
    /// The engine lines under the bar; empty if they are hidden or there is no room.
    pub(crate) lines: Rect,
    /// The player at the bottom.
    pub(crate) lower: Rect,
    /// The horizontal line under the board; empty if there is no room.
    pub(crate) rule: Rect,
    pub(crate) messages: Rect,
    pub(crate) input: Rect,
    /// The horizontal line above the hints; empty if there is no room.
    pub(crate) lower_rule: Rect,
    pub(crate) hints: Rect,
}

/// How many lines of moves must stay visible above the engine's advice.
const MOVES_ABOVE: u16 = 3;

/// The curve is shown only if there are at least this many lines for moves.
const MOVES_FOR_CURVE: u16 = 12;

/// Whether to draw the evaluation curve if there is room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Curve {
    Wanted,
    Unwanted,
}

/// How much of the room for moves the explorer takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ExplorerRoom {
    Nothing,
    /// Half of the room.
    Half,
    /// All but a few lines, while the explorer has the focus.
    Most,
}

/// The smallest height at which the explorer is useful: its title and three moves.
const LOWEST_EXPLORER: u16 = 4;

impl GameLayout {
    /// The layout for a screen of this size; `None` if no board fits.
    pub(crate) fn new(size: Size, bottom: Color) -> Option<GameLayout> {
        if size.width < SMALLEST.width || size.height < SMALLEST.height {
            return None;
        }
        let fits = |cell: &Size| {
            let width = cell.width * 8 + LABELS + 1 + PANEL;
            // The labels, a message, the input and the hints; and a header and a rule, but drawn pieces matter more.
            let around = if cell.height == 2 { 4 } else { 6 };
            size.width >= width && size.height >= cell.height * 8 + around
        };
        let mut cells = (1..=HIGHEST).rev().map(square_of_height);
        let cell = cells.find(fits).unwrap_or(square_of_height(1));
        // Small screens have no room for a header and rules.
        let spare = size.height - (cell.height * 8 + 4);
        let top = u16::from(spare >= 1);
        let board = BoardGeometry {
            origin: Position::new(LABELS, top),
            cell,
            bottom,
        };
        let below = top + cell.height * 8 + 1;
        let upper_rule = u16::from(spare >= 2);
        // Between the rule and the hints.
        let free = size.height - below - upper_rule - 1;
        let lower_rule = u16::from(free >= 4);
        let row = |y: u16, height: u16| Rect::new(0, y, size.width, height);
        let left = LABELS + cell.width * 8 + 1;
        let panel = Rect::new(left, top, size.width - left, cell.height * 8 + 1);
        Some(GameLayout {
            header: row(0, top),
            board,
            divider: Rect { width: 1, ..panel },
            upper: panel_lines(panel, 0, 1),
            moves: panel_lines(panel, 1, panel.height.saturating_sub(2)),
            explorer: Rect::ZERO,
            curve: Rect::ZERO,
            bar: Rect::ZERO,
            lines: Rect::ZERO,
            lower: panel_lines(panel, panel.height.saturating_sub(1), 1),
            rule: row(below, upper_rule),
            messages: row(below + upper_rule, free - lower_rule - 1),
            input: row(size.height - 2 - lower_rule, 1),
            lower_rule: row(size.height - 1 - lower_rule, lower_rule),
            hints: row(size.height - 1, 1),
        })
    }

    /// The same layout without the hints. Their line and the rule above it are given to the messages.
    pub(crate) fn without_hints(self) -> GameLayout {
        let more = self.hints.height + self.lower_rule.height;
        GameLayout {
            messages: band(self.messages, 0, self.messages.height + more),
            input: band(self.input, more, self.input.height),
            lower_rule: band(self.lower_rule, 0, 0),
            hints: band(self.hints, 0, 0),
            ..self
        }
    }

    /// The same layout with the evaluation bar and this many engine lines under the moves, and a curve above them, if
    /// there is room.
    pub(crate) fn with_advice(self, lines: u16, curve: Curve) -> GameLayout {
        // The bar takes one line.
        let height = lines + 1;
        if self.moves.height < height + MOVES_ABOVE {
            return self;
        }
        let rest = self.moves.height - height;
        let curve = match curve {
            Curve::Unwanted => 0,
            // One line more, for the rule above it.
            Curve::Wanted if rest >= MOVES_FOR_CURVE => (rest / 4).min(6) + 1,
            Curve::Wanted => 0,
        };
        let moves = rest - curve;
        GameLayout {
            moves: band(self.moves, 0, moves),
            curve: band(self.moves, moves, curve),
            bar: band(self.moves, rest, 1),
            lines: band(self.moves, rest + 1, lines),
            ..self
        }
    }

    /// The same layout with the explorer under the moves, if there is room.
    pub(crate) fn with_explorer(self, room: ExplorerRoom) -> GameLayout {
        let all = self.moves.height;
        let height = match room {
            ExplorerRoom::Nothing => 0,
            ExplorerRoom::Half => all / 2,
            ExplorerRoom::Most => (all * 2 / 3).max(LOWEST_EXPLORER),
        };
        if height < LOWEST_EXPLORER || height + 2 > all {
            return self;
        }
        GameLayout {
            moves: above(self.moves, height),
            explorer: below(self.moves, all - height),
            ..self
        }
    }
}

/// Some lines of the panel without the divider and the space after it, and without the last column if the panel is wide
/// enough.
fn panel_lines(panel: Rect, down: u16, height: u16) -> Rect {
    let margin = if panel.width > PANEL { 3 } else { 2 };
    let inside = columns(panel, 2, panel.width.saturating_sub(margin));
    band(inside, down, height)
}

/// Some lines of an area.
pub(crate) fn band(area: Rect, down: u16, height: u16) -> Rect {
    let y = area.y + down;
    Rect { y, height, ..area }
}

/// The area without its first lines.
pub(crate) fn below(area: Rect, lines: u16) -> Rect {
    let lines = lines.min(area.height);
    band(area, lines, area.height - lines)
}

/// The area without its last lines.
pub(crate) fn above(area: Rect, lines: u16) -> Rect {
    band(area, 0, area.height.saturating_sub(lines))
}

/// Some columns of an area.
pub(crate) fn columns(area: Rect, from: u16, width: u16) -> Rect {
    let x = area.x + from;
    Rect { x, width, ..area }
}

/// The area from a column on.
pub(crate) fn from_column(area: Rect, from: u16) -> Rect {
    let from = from.min(area.width);
    columns(area, from, area.width - from)
}

/// The inside of a frame, with an empty column on either side.
pub(crate) fn inside_of(frame: Rect) -> Rect {
    frame.inner(Margin::new(2, 1))
}

/// A box in the middle of the screen, of the given size or as large as the screen allows.
pub(crate) fn centered(size: Size, width: u16, height: u16) -> Rect {
    let (width, height) = (width.min(size.width), height.min(size.height));
    let (x, y) = ((size.width - width) / 2, (size.height - height) / 2);
    Rect::new(x, y, width, height)
}

#[cfg(test)]
mod tests;
