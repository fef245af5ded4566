//! Where everything is on the screen. One pure value, from which the drawing, the labels and the mouse all read, so
//! that they agree by construction.

use ratatui::layout::{Position, Rect, Size};
use tabiya_rules::{Color, File, Rank, Square};

/// The smallest screen that a board fits on.
pub(crate) const SMALLEST: Size = Size::new(40, 12);

/// How wide the column of rank labels left of the board is.
const LABELS: u16 = 3;

/// How wide the panel beside the board must be.
const PANEL: u16 = 24;

/// How large a square is drawn, in cells of the terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CellSize {
    pub(crate) width: u16,
    pub(crate) height: u16,
}

/// The highest that a square can be.
pub(crate) const HIGHEST: u16 = 20;

impl CellSize {
    /// A terminal's cell is about twice as high as wide, so that this looks square.
    pub(crate) const fn of_height(height: u16) -> CellSize {
        CellSize {
            width: height * 2,
            height,
        }
    }
}

/// The board on the screen: where each square is, and which square is where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BoardGeometry {
    /// The upper left corner of the upper left square.
    origin: Position,
    pub(crate) cell: CellSize,
    /// Whose side is at the bottom.
    pub(crate) bottom: Color,
}

impl BoardGeometry {
    /// The smallest board, somewhere on the screen.
    pub(crate) fn small(origin: Position, bottom: Color) -> BoardGeometry {
        BoardGeometry {
            origin,
            cell: CellSize::of_height(1),
            bottom,
        }
    }

    /// All squares together.
    pub(crate) fn area(&self) -> Rect {
        let CellSize { width, height } = self.cell;
        Rect::new(self.origin.x, self.origin.y, width * 8, height * 8)
    }

    /// The cells of a square.
    pub(crate) fn square(&self, square: Square) -> Rect {
        let (column, row) = self.place(square);
        let CellSize { width, height } = self.cell;
        Rect::new(
            self.origin.x + column * width,
            self.origin.y + row * height,
            width,
            height,
        )
    }

    /// The square of a cell.
    pub(crate) fn square_at(&self, at: Position) -> Option<Square> {
        if !self.area().contains(at) {
            return None;
        }
        let column = (at.x - self.origin.x) / self.cell.width;
        let row = (at.y - self.origin.y) / self.cell.height;
        self.at_place(column as u8, row as u8)
    }

    /// Where the label of a file goes, under its middle.
    pub(crate) fn file_label(&self, file: File) -> Position {
        let bottom = match self.bottom {
            Color::White => Rank::First,
            Color::Black => Rank::Eighth,
        };
        let cells = self.square(Square::new(file, bottom));
        Position::new(cells.x + self.middle().x, cells.bottom())
    }

    /// Where the label of a rank goes, left of its middle.
    pub(crate) fn rank_label(&self, rank: Rank) -> Position {
        let left = match self.bottom {
            Color::White => File::A,
            Color::Black => File::H,
        };
        let cells = self.square(Square::new(left, rank));
        Position::new(
            cells.x.saturating_sub(LABELS - 1),
            cells.y + self.middle().y,
        )
    }

    /// The cell of a square in which a piece of one cell stands, from the square's corner.
    pub(crate) fn middle(&self) -> Position {
        Position::new((self.cell.width - 1) / 2, (self.cell.height - 1) / 2)
    }

    /// The neighbor in a direction as it is seen on the screen; the edge holds.
    pub(crate) fn step(&self, square: Square, right: i8, down: i8) -> Square {
        let (files, ranks) = match self.bottom {
            Color::White => (right, -down),
            Color::Black => (-right, down),
        };
        square.offset(files, ranks).unwrap_or(square)
    }

    /// The column and row of a square as it is seen, from the upper left corner.
    pub(crate) fn place(&self, square: Square) -> (u16, u16) {
        let (file, rank) = (square.file().index() as u16, square.rank().index() as u16);
        match self.bottom {
            Color::White => (file, 7 - rank),
            Color::Black => (7 - file, rank),
        }
    }

    fn at_place(&self, column: u8, row: u8) -> Option<Square> {
        let (file, rank) = match self.bottom {
            Color::White => (column, 7 - row.min(7)),
            Color::Black => (7 - column.min(7), row),
        };
        Some(Square::new(
            File::from_index(usize::from(file))?,
            Rank::from_index(usize::from(rank))?,
        ))
    }
}

/// The parts of the game screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct GameLayout {
    /// What is played; empty where there is no room.
    pub(crate) header: Rect,
    pub(crate) board: BoardGeometry,
    /// The vertical line between the board and the panel; empty where there is no room.
    pub(crate) divider: Rect,
    /// The player at the top: name, captured pieces, clock.
    pub(crate) upper: Rect,
    pub(crate) moves: Rect,
    /// What databases say, under the moves; empty where it is not shown or there is no room.
    pub(crate) explorer: Rect,
    /// The curve of the game below the moves, with a rule above it; empty if it is not shown or there is no room.
    pub(crate) curve: Rect,
    /// The evaluation bar, in a rule; likewise.
    pub(crate) bar: Rect,
    /// The best lines under it; likewise.
    pub(crate) lines: Rect,
    /// The player at the bottom.
    pub(crate) lower: Rect,
    /// The line under the board; empty where there is no room.
    pub(crate) rule: Rect,
    pub(crate) messages: Rect,
    pub(crate) input: Rect,
    /// Another line above the hints; empty where there is no room.
    pub(crate) lower_rule: Rect,
    pub(crate) hints: Rect,
}

impl GameLayout {
    /// The layout for a size of the screen; `None` where a board does not fit.
    pub(crate) fn new(size: Size, bottom: Color) -> Option<GameLayout> {
        if size.width < SMALLEST.width || size.height < SMALLEST.height {
            return None;
        }
        let fits = |cell: &CellSize| {
            let width = cell.width * 8 + LABELS + 1 + PANEL;
            // The header, the labels, a rule, a message, the input and the hints.
            size.width >= width && size.height >= cell.height * 8 + 6
        };
        let mut cells = (1..=HIGHEST).rev().map(CellSize::of_height);
        let cell = cells.find(fits).unwrap_or(CellSize::of_height(1));
        // The smallest screens have no line to spare for a header and for rules.
        let roomy = size.height >= cell.height * 8 + 6;
        let top = u16::from(roomy);
        let board = BoardGeometry {
            origin: Position::new(LABELS, top),
            cell,
            bottom,
        };
        let below = top + cell.height * 8 + 1;
        let mut free = size.height - below;
        let row = |y: u16, height: u16| Rect::new(0, y, size.width, height);
        let hints = row(size.height - 1, 1);
        free -= 1;
        let upper_rule = u16::from(roomy);
        free -= upper_rule;
        let lower_rule = u16::from(free >= 4);
        free -= lower_rule;
        let input = row(size.height - 2 - lower_rule, 1);
        free -= 1;
        let panel = Rect::new(
            LABELS + cell.width * 8 + 1,
            top,
            size.width - (LABELS + cell.width * 8 + 1),
            cell.height * 8 + 1,
        );
        Some(GameLayout {
            header: row(0, top),
            board,
            divider: Rect { width: 1, ..panel },
            upper: part(panel, 0, 1),
            moves: part(panel, 1, panel.height.saturating_sub(2)),
            explorer: Rect::default(),
            curve: Rect::default(),
            bar: Rect::default(),
            lines: Rect::default(),
            lower: part(panel, panel.height.saturating_sub(1), 1),
            rule: row(below, upper_rule),
            messages: row(below + upper_rule, free),
            input,
            lower_rule: row(size.height - 1 - lower_rule, lower_rule),
            hints,
        })
    }
}

/// How many moves must stay in sight above what engines say.
const MOVES_ABOVE: u16 = 3;

/// From this many lines of moves on, a curve takes some of them.
const MOVES_FOR_CURVE: u16 = 12;

/// Whether to draw the curve of the game, if there is room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Curve {
    Wanted,
    Unwanted,
}

impl GameLayout {
    /// The same without the line of keys; its room, and that of the rule above it, is for messages.
    pub(crate) fn without_hints(self) -> GameLayout {
        let more = self.hints.height + self.lower_rule.height;
        GameLayout {
            messages: Rect {
                height: self.messages.height + more,
                ..self.messages
            },
            input: Rect {
                y: self.input.y + more,
                ..self.input
            },
            lower_rule: Rect {
                height: 0,
                ..self.lower_rule
            },
            hints: Rect {
                height: 0,
                ..self.hints
            },
            ..self
        }
    }

    /// The same with room for the evaluation bar and so many lines under the moves, and for a curve above them, if there
    /// is any.
    pub(crate) fn with_advice(self, lines: u16, curve: Curve) -> GameLayout {
        // The bar stands in a rule of its own.
        let height = lines + 1;
        if self.moves.height < height + MOVES_ABOVE {
            return self;
        }
        let rest = self.moves.height - height;
        let curve = match curve {
            Curve::Unwanted => 0,
            // A rule stands above it.
            Curve::Wanted if rest >= MOVES_FOR_CURVE => (rest / 4).min(6) + 1,
            Curve::Wanted => 0,
        };
        let moves = rest - curve;
        let part = |down: u16, height: u16| Rect {
            y: self.moves.y + down,
            height,
            ..self.moves
        };
        GameLayout {
            moves: part(0, moves),
            curve: part(moves, curve),
            bar: part(rest, 1),
            lines: part(rest + 1, lines),
            ..self
        }
    }
}

/// How much of the room for the moves the explorer takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ExplorerRoom {
    Nothing,
    /// Half of it.
    Half,
    /// All but a few lines, while it is used.
    Most,
}

/// The lowest explorer that is of use: its title and three moves.
const LOWEST_EXPLORER: u16 = 4;

impl GameLayout {
    /// The same with room for the explorer under the moves, if there is any.
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
        let moves = Rect {
            height: all - height,
            ..self.moves
        };
        GameLayout {
            moves,
            explorer: Rect {
                y: moves.bottom(),
                height,
                ..moves
            },
            ..self
        }
    }
}

/// Lines of the panel, without the divider and the space after it, and without the last column where there is room.
fn part(panel: Rect, down: u16, height: u16) -> Rect {
    let margin = if panel.width > PANEL { 3 } else { 2 };
    Rect {
        x: panel.x + 2,
        y: panel.y + down,
        width: panel.width.saturating_sub(margin),
        height,
    }
}

/// What is inside of a frame, with a column of air on either side.
pub(crate) fn inside_of(frame: Rect) -> Rect {
    Rect::new(
        frame.x + 2,
        frame.y + 1,
        frame.width.saturating_sub(4),
        frame.height.saturating_sub(2),
    )
}

/// A box in the middle of the screen, as large as wished where the screen allows it.
pub(crate) fn centered(size: Size, width: u16, height: u16) -> Rect {
    let width = width.min(size.width);
    let height = height.min(size.height);
    Rect::new(
        (size.width - width) / 2,
        (size.height - height) / 2,
        width,
        height,
    )
}

#[cfg(test)]
mod tests;
