use ratatui_core::layout::{Position, Rect, Size};
use tabiya_rules::{Color, Square};

use super::{Curve, GameLayout};

#[test]
fn sizes_have_their_cells() {
    for (width, height, cell) in [
        (1000, 500, (40, 20)),
        (300, 100, (22, 11)),
        (200, 60, (12, 6)),
        (150, 50, (10, 5)),
        (132, 43, (8, 4)),
        (100, 30, (6, 3)),
        (80, 24, (4, 2)),
        (60, 20, (4, 2)),
        (60, 19, (2, 1)),
        (59, 20, (2, 1)),
        (60, 18, (2, 1)),
        (40, 12, (2, 1)),
    ] {
        let layout = GameLayout::new(Size::new(width, height), Color::White).expect("it fits");
        let size = layout.board.cell;
        assert_eq!((size.width, size.height), cell, "{width}×{height}");
    }
    assert_eq!(GameLayout::new(Size::new(39, 12), Color::White), None);
    assert_eq!(GameLayout::new(Size::new(40, 11), Color::White), None);
}

#[test]
fn the_board_is_as_large_as_fits() {
    for width in (40..300).step_by(3) {
        for height in 12..120 {
            let layout = GameLayout::new(Size::new(width, height), Color::White).expect("it fits");
            let next = layout.board.cell.height + 1;
            // Across: labels, divider and panel. Down: labels, message, input and hints; header and rule, too, unless
            // the pieces would be glyphs.
            let around = if next == 2 { 4 } else { 6 };
            let larger_fits = next * 16 + 28 <= width && next * 8 + around <= height;
            assert!(!larger_fits, "{width}×{height}");
        }
    }
}

#[test]
fn every_cell_of_every_square_is_that_square_and_no_other() {
    for bottom in Color::ALL {
        for size in [
            (40, 12),
            (60, 18),
            (80, 24),
            (100, 30),
            (132, 43),
            (300, 100),
        ] {
            let layout = GameLayout::new(Size::new(size.0, size.1), bottom).expect("it fits");
            let mut cells = 0;
            for y in 0..size.1 {
                for x in 0..size.0 {
                    let at = Position::new(x, y);
                    let inside: Vec<Square> = Square::ALL
                        .into_iter()
                        .filter(|&square| layout.board.square(square).contains(at))
                        .collect();
                    assert!(inside.len() <= 1);
                    assert_eq!(layout.board.square_at(at), inside.first().copied());
                    cells += inside.len();
                }
            }
            assert_eq!(
                cells,
                usize::from(layout.board.area().width * layout.board.area().height)
            );
        }
    }
}

#[test]
fn nothing_overlaps_and_nothing_is_outside() {
    for width in 40..200 {
        for height in 12..100 {
            let size = Size::new(width, height);
            let layout = GameLayout::new(size, Color::White).expect("it fits");
            for layout in [
                layout,
                layout.with_advice(0, Curve::Wanted),
                layout.with_advice(3, Curve::Wanted),
                layout.with_advice(3, Curve::Unwanted),
            ] {
                check_parts(size, &layout);
            }
        }
    }
}

#[track_caller]
fn check_parts(size: Size, layout: &GameLayout) {
    let screen = Rect::new(0, 0, size.width, size.height);
    let parts = [
        layout.header,
        layout.board.area(),
        layout.divider,
        layout.upper,
        layout.moves,
        layout.curve,
        layout.bar,
        layout.lines,
        layout.lower,
        layout.rule,
        layout.messages,
        layout.input,
        layout.lower_rule,
        layout.hints,
    ];
    for (at, part) in parts.iter().enumerate() {
        assert!(
            part.is_empty() || part.intersection(screen) == *part,
            "{size:?} {at}"
        );
        for other in &parts[..at] {
            assert!(
                !part.intersects(*other) || part.is_empty() || other.is_empty(),
                "{size:?} {at}"
            );
        }
    }
    assert!(layout.messages.height >= 1 && layout.input.height == 1);
}

#[test]
fn what_engines_say_has_its_room_and_leaves_some_to_the_moves() {
    for (width, height, curve) in [(132, 43, 7), (100, 30, 5), (80, 24, 0), (40, 12, 0)] {
        let layout = GameLayout::new(Size::new(width, height), Color::White).expect("it fits");
        let asked = layout.with_advice(3, Curve::Wanted);
        assert_eq!((asked.bar.height, asked.lines.height), (1, 3), "{width}");
        assert_eq!(asked.curve.height, curve, "{width}");
        assert!(asked.moves.height >= 3, "{width}");
        let plain = layout.with_advice(3, Curve::Unwanted);
        assert_eq!(plain.curve.height, 0);
        assert_eq!(plain.bar, asked.bar);
    }
}

#[test]
fn steps_go_as_they_are_seen() {
    let white = GameLayout::new(Size::new(80, 24), Color::White)
        .expect("it fits")
        .board;
    let black = GameLayout::new(Size::new(80, 24), Color::Black)
        .expect("it fits")
        .board;
    assert_eq!(white.step(Square::E2, 0, -1), Square::E3);
    assert_eq!(black.step(Square::E2, 0, -1), Square::E1);
    assert_eq!(white.step(Square::A1, -1, 0), Square::A1);
    assert_eq!(black.step(Square::A1, -1, 0), Square::B1);
}
