use ratatui_core::buffer::Buffer;
use ratatui_core::layout::{Position as Cell, Rect};
use tabiya_front::appearance::PieceStyle;
use tabiya_front::color::Depth;
use tabiya_front::theme::THEMES;
use tabiya_rules::{Color, Position, Square};

use super::Pictures;
use crate::tui::board::BoardView;
use crate::tui::geometry::BoardGeometry;
use crate::tui::graphics::{Pixels, Protocol, Tile};
use crate::tui::styles::Styles;

const CELL: Pixels = Pixels {
    width: 10,
    height: 20,
};

/// A position as cells and as pictures over them.
fn drawn(fen: &str) -> (Buffer, Vec<(Rect, Tile)>) {
    let position: Position = fen.parse().expect("a position");
    let styles = Styles::new(THEMES[0], Depth::TrueColor, None);
    let geometry = BoardGeometry::small(Cell::new(3, 1), Color::White);
    let view = BoardView::plain(&position, geometry, styles, PieceStyle::Blocks);
    let mut buffer = Buffer::empty(Rect::new(0, 0, 40, 20));
    view.draw(&mut buffer);
    (buffer, view.tiles())
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const AFTER: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";

fn count(bytes: &[u8], what: &str) -> usize {
    String::from_utf8_lossy(bytes).matches(what).count()
}

#[test]
fn only_what_changed_is_written() {
    for protocol in [
        Protocol::Kitty,
        Protocol::Iterm,
        Protocol::Sixel { colors: 256 },
    ] {
        let mut pictures = Pictures::new(protocol, CELL, 100);
        let (cells, tiles) = drawn(START);
        let first = pictures.show(&tiles, &cells);
        assert_eq!(count(&first.bytes, "H\u{1b}"), 64, "{protocol:?}");
        let again = pictures.show(&tiles, &cells);
        assert!(
            again.bytes.is_empty() && again.cells.is_empty(),
            "{protocol:?}"
        );
        let (cells, tiles) = drawn(AFTER);
        let moved = pictures.show(&tiles, &cells);
        assert_eq!(count(&moved.bytes, "H\u{1b}"), 2, "{protocol:?}");
        assert!(moved.cells.is_empty());
        assert!(pictures.redraw_after_clearing(CELL).len() < first.bytes.len());
        let cleared = pictures.show(&tiles, &cells);
        assert_eq!(count(&cleared.bytes, "H\u{1b}"), 64, "{protocol:?}");
    }
}

#[test]
fn kitty_is_sent_each_picture_once_and_forgets_all_in_the_end() {
    let mut pictures = Pictures::new(Protocol::Kitty, CELL, 100);
    let (cells, tiles) = drawn(START);
    let first = pictures.show(&tiles, &cells);
    let sent = count(&first.bytes, "a=t");
    // Twelve pieces on two colors, but kings and queens have one each, and two empty squares.
    assert_eq!(sent, 2 * 8 + 4 + 2);
    let (cells, tiles) = drawn(AFTER);
    let moved = pictures.show(&tiles, &cells);
    assert_eq!(count(&moved.bytes, "a=t"), 0);
    assert_eq!(count(&moved.bytes, "a=d,d=i"), 2);
    assert_eq!(count(&pictures.delete_all(), "a=d,d=I"), sent);
}

/// Where a window covers a square, its cells are written again, so that nothing of the picture is left.
#[test]
fn what_is_covered_is_drawn_in_cells() {
    let (cells, tiles) = drawn(START);
    let (covered, free): (Vec<_>, Vec<_>) = {
        let geometry = BoardGeometry::small(Cell::new(3, 1), Color::White);
        let area = geometry.square(Square::E4);
        tiles.iter().cloned().partition(|(tile, _)| *tile == area)
    };
    let mut sixel = Pictures::new(Protocol::Sixel { colors: 16 }, CELL, 1);
    sixel.show(&tiles, &cells);
    let changes = sixel.show(&free, &cells);
    assert!(changes.bytes.is_empty());
    let area = covered[0].0;
    let written: Vec<(u16, u16)> = changes.cells.iter().map(|(x, y, _)| (*x, *y)).collect();
    let expected: Vec<(u16, u16)> = area.positions().map(|at| (at.x, at.y)).collect();
    assert_eq!(written, expected);
    let mut kitty = Pictures::new(Protocol::Kitty, CELL, 1);
    kitty.show(&tiles, &cells);
    let changes = kitty.show(&free, &cells);
    assert_eq!(count(&changes.bytes, "a=d,d=i"), 1);
    assert!(changes.cells.is_empty());
}

/// Text written into the cells of a picture has erased it, except in kitty.
#[test]
fn a_picture_whose_cells_changed_is_drawn_again() {
    let (mut cells, tiles) = drawn(START);
    for (protocol, expected) in [(Protocol::Iterm, 1), (Protocol::Kitty, 0)] {
        let mut pictures = Pictures::new(protocol, CELL, 1);
        pictures.show(&tiles, &cells);
        let area = tiles[0].0;
        cells[(area.x, area.y)].set_symbol(if expected == 1 { "x" } else { "y" });
        let changes = pictures.show(&tiles, &cells);
        assert_eq!(count(&changes.bytes, "H\u{1b}"), expected, "{protocol:?}");
    }
}
