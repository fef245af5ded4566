//! Drawing a board: squares, pieces and their highlights, each by color and by shape.

use ratatui_core::buffer::Buffer;
use ratatui_core::layout::{Position as Cell, Rect};
use ratatui_core::style::{Modifier, Style};
use tabiya_front::cells::row;
use tabiya_game::MarkColor;
use tabiya_rules::{Bitboard, Color, File, Piece, Position, Rank, Role, Square, attacks};

use super::geometry::BoardGeometry;
use super::graphics::{Arrow, Sign, Tile};
use super::pieces::Sprite;
use super::styles::{Ground, Styles};
use tabiya_front::appearance::PieceStyle;

/// Something a player marked, in the color it has in the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    Square(Square, MarkColor),
    /// From a square to another.
    Arrow(Square, Square, MarkColor),
}

/// What is drawn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BoardView<'a> {
    pub(crate) position: &'a Position,
    pub(crate) geometry: BoardGeometry,
    pub(crate) styles: Styles,
    pub(crate) pieces: PieceStyle,
    /// `false` in blindfold play.
    pub(crate) shows_pieces: bool,
    pub(crate) cursor: Option<Square>,
    /// The piece that is held, or those that fit what is being typed.
    pub(crate) selected: Bitboard,
    /// Where they can go.
    pub(crate) targets: Bitboard,
    /// The squares of the last move.
    pub(crate) last: Bitboard,
    /// A king in check.
    pub(crate) check: Option<Square>,
    pub(crate) marks: &'a [Mark],
    /// Whether the files and ranks are named beside the board.
    pub(crate) shows_labels: bool,
}

impl<'a> BoardView<'a> {
    /// A position without a cursor, highlights or marks.
    pub(crate) fn plain(
        position: &'a Position,
        geometry: BoardGeometry,
        styles: Styles,
        pieces: PieceStyle,
    ) -> BoardView<'a> {
        BoardView {
            position,
            geometry,
            styles,
            pieces,
            shows_pieces: true,
            cursor: None,
            selected: Bitboard::EMPTY,
            targets: Bitboard::EMPTY,
            last: Bitboard::EMPTY,
            check: None,
            marks: &[],
            shows_labels: true,
        }
    }
}

impl BoardView<'_> {
    pub(crate) fn draw(&self, buffer: &mut Buffer) {
        for square in Square::ALL {
            self.draw_square(buffer, square);
        }
        let is_arrow = |mark: &&Mark| matches!(mark, Mark::Arrow(..));
        let several = self.marks.iter().filter(is_arrow).count() > 1;
        let mut number = 0;
        for &mark in self.marks {
            number += usize::from(is_arrow(&&mark));
            // The tenth arrow has the number 0.
            self.draw_mark(buffer, mark, several.then_some(number % 10));
        }
        if let Some(square) = self.cursor {
            self.draw_cursor(buffer, square);
        }
        if self.shows_labels {
            self.draw_labels(buffer);
        }
    }

    /// The squares as pictures, each with its cells. Empty if pieces are shown as glyphs, or if only the terminal knows
    /// the colors.
    pub(crate) fn tiles(&self) -> Vec<(Rect, Tile)> {
        if !self.pieces.is_drawn() {
            return Vec::new();
        }
        let tile = |square: Square| Some((self.geometry.square(square), self.tile(square)?));
        // All squares or none, so that the board never mixes pictures and cells.
        let tiles: Option<Vec<_>> = Square::ALL.into_iter().map(tile).collect();
        tiles.unwrap_or_default()
    }

    fn tile(&self, square: Square) -> Option<Tile> {
        let (ground, ink) = self.styles.picture_square(self.ground(square))?;
        let has_cursor = self.cursor == Some(square);
        Some(Tile {
            ground,
            piece: self
                .piece_at(square)
                .and_then(|piece| self.styles.picture_piece(piece)),
            sign: self.sign(square),
            ink,
            is_last: self.last.contains(square),
            is_check: self.check == Some(square),
            cursor: self.styles.picture_cursor().filter(|_| has_cursor),
            arrows: self.arrows_at(square),
        })
    }

    /// The arrows of which a part is on this square.
    fn arrows_at(&self, square: Square) -> Vec<Arrow> {
        let here = self.geometry.place(square);
        let away = |other: Square| {
            let there = self.geometry.place(other);
            // Places range from 0 to 7.
            let distance = |from: u16, to: u16| to as i8 - from as i8;
            (distance(here.0, there.0), distance(here.1, there.1))
        };
        let arrow = |mark: &Mark| match *mark {
            Mark::Square(..) => None,
            Mark::Arrow(from, to, color) => {
                let color = self.styles.picture_mark(color)?;
                let (from, to) = (away(from), away(to));
                Some(Arrow { from, to, color }).filter(Arrow::touches_tile)
            }
        };
        self.marks.iter().filter_map(arrow).collect()
    }

    /// Draws the names of the files and ranks.
    fn draw_labels(&self, buffer: &mut Buffer) {
        let dim = self.styles.dim();
        let files = File::ALL.map(|file| (self.geometry.file_label(file), file.char()));
        let ranks = Rank::ALL.map(|rank| (self.geometry.rank_label(rank), rank.char()));
        for (at, label) in files.into_iter().chain(ranks) {
            put(buffer, at, &String::from(label), dim);
        }
    }

    /// Draws a square with its piece and its signs.
    fn draw_square(&self, buffer: &mut Buffer, square: Square) {
        let area = self.geometry.square(square);
        let style = self.square_style(square);
        for at in area.positions() {
            put(buffer, at, self.pattern(square), style);
        }
        let piece = self.piece_at(square);
        if let Some(piece) = piece {
            match self.sprite(piece.role) {
                Some(sprite) => self.draw_sprite(buffer, square, sprite, piece.color),
                None => self.draw_glyph(buffer, area, piece, style),
            }
        }
        if self.styles.is_mono() && self.last.contains(square) {
            let lowest = row(area, area.height - 1);
            buffer.set_style(lowest, Modifier::UNDERLINED);
        }
        self.draw_state(buffer, square, style);
    }

    /// What a square is filled with. Without colors, dark squares have a pattern.
    fn pattern(&self, square: Square) -> &'static str {
        if self.styles.is_mono() && !square.is_light() {
            "░"
        } else {
            " "
        }
    }

    /// The piece that is visible on a square.
    fn piece_at(&self, square: Square) -> Option<Piece> {
        let piece = self.position.board().piece_at(square);
        piece.filter(|_| self.shows_pieces)
    }

    /// The style of a square under what stands on it.
    fn square_style(&self, square: Square) -> Style {
        let piece = self.piece_at(square);
        let occupant = piece.map(|piece| piece.color);
        let style = self.styles.square(self.ground(square), occupant);
        let drawn = piece.filter(|piece| self.sprite(piece.role).is_some());
        drawn.map_or(style, |piece| self.styles.chip(piece.color, style))
    }

    /// What the color of a square shows. If several things apply, the most urgent one counts.
    fn ground(&self, square: Square) -> Ground {
        if self.check == Some(square) {
            Ground::Check
        } else if self.selected.contains(square) {
            Ground::Selected
        } else if let Some(color) = self.marked(square) {
            Ground::Marked(color)
        } else if self.last.contains(square) {
            match square.is_light() {
                true => Ground::LastLight,
                false => Ground::LastDark,
            }
        } else if square.is_light() {
            Ground::Light
        } else {
            Ground::Dark
        }
    }

    /// The color of the mark on a square; of the latest one if there are several.
    fn marked(&self, square: Square) -> Option<MarkColor> {
        let color = |mark: &Mark| match *mark {
            Mark::Square(marked, color) => (marked == square).then_some(color),
            Mark::Arrow(from, to, color) => (from == square || to == square).then_some(color),
        };
        self.marks.iter().rev().find_map(color)
    }

    /// Draws a piece as a picture in cells.
    fn draw_sprite(&self, buffer: &mut Buffer, square: Square, sprite: Sprite, side: Color) {
        let area = self.geometry.square(square);
        let style = self.styles.piece(side, self.square_style(square));
        let is_underlined = self.styles.is_mono() && self.last.contains(square);
        for at in area.positions() {
            let block = sprite.block(at.x - area.x, at.y - area.y);
            match block.symbol {
                ' ' => put(buffer, at, self.pattern(square), style),
                // The line under the piece could not be seen in the symbol's own color.
                _ if block.is_reversed && is_underlined => put(buffer, at, "▀", style),
                symbol => {
                    let style = match block.is_reversed {
                        true => self.styles.swapped(style),
                        false => style,
                    };
                    put(buffer, at, &String::from(symbol), style);
                }
            }
        }
    }

    /// Draws a piece as a letter or a figure.
    fn draw_glyph(&self, buffer: &mut Buffer, area: Rect, piece: Piece, square: Style) {
        let style = self.styles.piece(piece.color, square);
        let middle = self.middle(area);
        let bold = style.add_modifier(Modifier::BOLD);
        // Where colors tell the sides apart, White's figures are filled too, because thin outlines are hard to see.
        let is_filled = self.pieces != PieceStyle::Letters && !self.styles.is_mono();
        let color = if is_filled { Color::Black } else { piece.color };
        let glyph = self.pieces.glyph(piece.role.of(color));
        put(buffer, middle, &glyph, bold);
        if self.styles.is_mono() && area.width > 2 {
            // Keep the pattern of a dark square away from the piece.
            put(buffer, Cell::new(middle.x - 1, middle.y), " ", style);
            put(buffer, Cell::new(middle.x + 1, middle.y), " ", style);
        }
    }

    /// The picture of a piece, if pieces are drawn.
    fn sprite(&self, role: Role) -> Option<Sprite> {
        Sprite::of(role, self.geometry.cell, self.pieces)
    }

    /// Whether pieces fill squares of two rows. Signs then go beside the base of the piece, where all pieces look the
    /// same.
    fn is_tight(&self) -> bool {
        self.geometry.cell.height == 2 && self.sprite(Role::Pawn).is_some()
    }

    /// What the player can do with a square.
    fn sign(&self, square: Square) -> Option<Sign> {
        let is_target = self.targets.contains(square);
        if self.selected.contains(square) {
            Some(Sign::Selected)
        } else if is_target && (self.piece_at(square).is_some() || self.is_en_passant(square)) {
            Some(Sign::Capture)
        } else {
            is_target.then_some(Sign::Target)
        }
    }

    /// Whether a selected pawn can capture en passant there.
    fn is_en_passant(&self, square: Square) -> bool {
        let moves = self.position.legal_moves();
        moves.into_iter().any(|played| {
            played.is_en_passant()
                && played.destination() == square
                && self.selected.contains(played.from())
        })
    }

    /// Draws the shapes on a square: `[ ]` around a selected piece, `‹ ›` around one that can be captured, a dot on an
    /// empty target, and `!` beside a king in check.
    fn draw_state(&self, buffer: &mut Buffer, square: Square, style: Style) {
        let bold = style.add_modifier(Modifier::BOLD);
        let area = self.geometry.square(square);
        let occupied = self.piece_at(square).is_some();
        let (left, right) = self.sides(area, occupied);
        // In blindfold play, a target can look empty and hold a piece.
        if self.targets.contains(square) && !occupied {
            let dot = match area.height {
                0 | 1 => "·",
                2 | 3 => "•",
                _ => "●",
            };
            put(buffer, self.middle(area), dot, bold);
        }
        let pair = match self.sign(square) {
            Some(Sign::Selected) => Some(("[", "]")),
            Some(Sign::Capture) => Some(("‹", "›")),
            Some(Sign::Target) | None => None,
        };
        if let Some((open, close)) = pair {
            if area.width > 2 {
                put(buffer, left, open, bold);
            }
            put(buffer, right, close, bold);
        }
        if self.check == Some(square) {
            let beside =
                area.width == 2 || (area.height == 2 && !(self.is_tight() && pair.is_some()));
            let y = if beside { right.y } else { area.y };
            put(buffer, Cell::new(right.x, y), "!", bold);
        }
    }

    /// Draws a frame around the square if there is room for one. On the smallest board, only the cell beside the piece
    /// gets the cursor's color, so that the piece keeps its own.
    fn draw_cursor(&self, buffer: &mut Buffer, square: Square) {
        let area = self.geometry.square(square);
        let style = self.styles.frame(self.square_style(square));
        let (top, bottom) = (area.y, area.bottom() - 1);
        let (left, right) = (area.x, area.right() - 1);
        if area.height == 1 {
            put_if_blank(buffer, Cell::new(right, top), "◂", style);
            if let Some(cell) = buffer.cell_mut((right, top)) {
                cell.set_style(self.styles.cursor());
            }
            return;
        }
        if self.is_tight() {
            for (at, corner) in [(left, "╰"), (right, "╯")] {
                put_corner(buffer, Cell::new(at, bottom), corner, style);
            }
            return;
        }
        put_if_blank(buffer, Cell::new(left, bottom), "╰", style);
        put_if_blank(buffer, Cell::new(right, bottom), "╯", style);
        if area.height == 2 {
            for x in left + 1..right {
                put_if_blank(buffer, Cell::new(x, bottom), "─", style);
            }
        } else {
            put_if_blank(buffer, Cell::new(left, top), "╭", style);
            put_if_blank(buffer, Cell::new(right, top), "╮", style);
        }
    }

    /// Draws the symbols of a mark. If there are several arrows, both ends of each show its number.
    fn draw_mark(&self, buffer: &mut Buffer, mark: Mark, number: Option<usize>) {
        let (Mark::Square(_, color) | Mark::Arrow(_, _, color)) = mark;
        let style = self.styles.sign(color);
        let put_on = |buffer: &mut Buffer, square: Square, sign: &str| {
            let area = self.geometry.square(square);
            // The second cell of the smallest squares; in others a corner that nothing else uses.
            let at = Cell::new(area.right() - 1, area.y);
            put(buffer, at, sign, style);
        };
        let number = number.map(|number| number.to_string());
        match mark {
            Mark::Square(square, _) => put_on(buffer, square, "◆"),
            Mark::Arrow(from, to, _) => {
                let (right, down) = self.direction(from, to);
                let (head, way) = arrow(right, down);
                put_on(buffer, from, number.as_deref().unwrap_or("○"));
                let target = self.geometry.square(to);
                if let Some(number) = number.filter(|_| target.width > 2) {
                    let before = Cell::new(target.right() - 2, target.y);
                    put_if_blank(buffer, before, &number, style);
                }
                // Only an arrow along a rank, file or diagonal passes over other squares.
                for square in attacks::between(from, to) {
                    put_on(buffer, square, way);
                }
                put_on(buffer, to, head);
            }
        }
    }

    /// The direction from one square to another, as seen on the screen.
    fn direction(&self, from: Square, to: Square) -> (i8, i8) {
        let (from, to) = (self.geometry.square(from), self.geometry.square(to));
        let sign = |a: u16, b: u16| b.cmp(&a) as i8;
        (sign(from.x, to.x), sign(from.y, to.y))
    }

    /// The cell in the middle of a square.
    fn middle(&self, area: Rect) -> Cell {
        let middle = self.geometry.middle();
        Cell::new(area.x + middle.x, area.y + middle.y)
    }

    /// The cells for the symbols to the left and right of a piece.
    fn sides(&self, area: Rect, occupied: bool) -> (Cell, Cell) {
        let middle = self.middle(area);
        let ends = |y: u16| (Cell::new(area.x, y), Cell::new(area.right() - 1, y));
        match area.width {
            2 => (middle, Cell::new(area.x + 1, middle.y)),
            4 if occupied && self.is_tight() => ends(area.bottom() - 1),
            4 => (Cell::new(area.x, middle.y), Cell::new(area.x + 2, middle.y)),
            _ => ends(middle.y),
        }
    }
}

/// The symbols for the head and the shaft of an arrow.
fn arrow(right: i8, down: i8) -> (&'static str, &'static str) {
    match (right, down) {
        (0, -1) => ("↑", "│"),
        (0, 1) => ("↓", "│"),
        (1, 0) => ("→", "─"),
        (-1, 0) => ("←", "─"),
        (1, -1) => ("↗", "╱"),
        (-1, 1) => ("↙", "╱"),
        (1, 1) => ("↘", "╲"),
        (-1, -1) => ("↖", "╲"),
        _ => ("○", "○"),
    }
}

/// Puts a symbol into a cell that nothing is drawn in.
fn put_if_blank(buffer: &mut Buffer, at: Cell, symbol: &str, style: Style) {
    let is_blank = |cell: &ratatui_core::buffer::Cell| matches!(cell.symbol(), " " | "░");
    if buffer.cell(at).is_some_and(is_blank) {
        put(buffer, at, symbol, style);
    }
}

/// Puts a corner of the cursor's frame over a piece. A sign in that cell stays and takes the frame's color.
fn put_corner(buffer: &mut Buffer, at: Cell, corner: &str, style: Style) {
    if let Some(cell) = buffer.cell_mut(at) {
        if !matches!(cell.symbol(), "[" | "]" | "‹" | "›" | "!") {
            cell.set_symbol(corner);
        }
        cell.set_style(style);
    }
}

/// Puts a symbol into a cell, if the cell exists.
fn put(buffer: &mut Buffer, at: Cell, symbol: &str, style: Style) {
    if let Some(cell) = buffer.cell_mut(at) {
        cell.set_symbol(symbol).set_style(style);
    }
}
