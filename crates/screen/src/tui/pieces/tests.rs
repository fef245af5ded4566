use ratatui_core::layout::Size;
use tabiya_rules::Role;

use super::{Block, PieceStyle, Sprite, art};
use crate::tui::geometry::square_of_height;

/// Heights of squares: those with art of their own, and some of the others.
const HEIGHTS: [u16; 7] = [2, 3, 4, 5, 6, 7, 11];

const DRAWN: [PieceStyle; 3] = [
    PieceStyle::Blocks,
    PieceStyle::Sextants,
    PieceStyle::Octants,
];

fn picture(role: Role, cell: Size, style: PieceStyle) -> Vec<Vec<Block>> {
    let sprite = Sprite::of(role, cell, style).expect("it can be drawn");
    let row = |row| {
        (0..cell.width)
            .map(|column| sprite.block(column, row))
            .collect()
    };
    (0..cell.height).map(row).collect()
}

/// The art of each size: its pixels across and down.
const ARTS: [(art::PieceArt, usize, usize); 10] = [
    (art::TINY_OCTANTS, 8, 8),
    (art::TINY_SEXTANTS, 8, 6),
    (art::SMALL_OCTANTS, 12, 12),
    (art::SMALL_SEXTANTS, 12, 9),
    (art::SMALL, 12, 6),
    (art::MEDIUM_OCTANTS, 16, 16),
    (art::MEDIUM_SEXTANTS, 16, 12),
    (art::MEDIUM, 16, 8),
    (art::LARGE, 20, 10),
    (art::LARGER, 24, 12),
];

/// The pixels of a piece, row by row.
fn pixels(sheet: art::PieceArt, role: Role) -> Vec<&'static str> {
    (0..).map_while(|down| sheet.row(role, down)).collect()
}

/// All pixels of a piece, also those of the empty rows under it.
fn all_pixels((sheet, width, height): (art::PieceArt, usize, usize), role: Role) -> String {
    let mut all = pixels(sheet, role).concat();
    all.extend(std::iter::repeat_n('.', width * height - all.len()));
    all
}

#[test]
fn pixels_have_the_size_of_their_squares_and_leave_air_under_the_pieces() {
    for (sheet, width, height) in ARTS {
        for role in Role::ALL {
            let rows = pixels(sheet, role);
            assert!(rows.len() < height, "{role}: air under it");
            assert!(rows.len() * 3 > height * 2, "{role}");
            assert!(rows.iter().all(|row| row.len() == width), "{role}");
        }
    }
    for role in Role::ALL {
        let tiny = art::tiny(role);
        assert!(
            tiny.len() == 2 && tiny.iter().all(|row| row.chars().count() == 4),
            "{role}"
        );
        // The lower row leaves at least a quarter of its height free.
        assert!(tiny[1].chars().all(|c| " U▘▝▀".contains(c)), "{role}");
    }
}

/// Only two queens on the smallest squares can touch.
#[test]
fn pieces_side_by_side_do_not_touch() {
    for (sheet, width, _) in ARTS {
        let edges = |role: Role, at: usize| {
            let rows = pixels(sheet, role);
            let ink = rows.into_iter().map(move |row| row.as_bytes()[at] == b'#');
            ink.collect::<Vec<bool>>()
        };
        for left in Role::ALL {
            for right in Role::ALL {
                let mut pairs = edges(left, width - 1).into_iter().zip(edges(right, 0));
                let touches = pairs.any(|(left, right)| left && right);
                let is_allowed = width == 8 && [left, right] == [Role::Queen; 2];
                assert!(!touches || is_allowed, "{width}: {left} {right}");
            }
        }
    }
}

#[test]
fn any_two_pieces_of_a_size_differ_in_an_eighth_of_the_pixels() {
    let differing = |one: &str, other: &str| {
        let pixels = one.chars().zip(other.chars());
        pixels.filter(|(one, other)| one != other).count()
    };
    for (at, one) in Role::ALL.into_iter().enumerate() {
        for &other in &Role::ALL[..at] {
            for art in ARTS {
                let (_, width, height) = art;
                let found = differing(&all_pixels(art, one), &all_pixels(art, other));
                // Outlines of the larger sizes were drawn before; they have more pixels to differ in.
                let least = if width > 16 { 8 } else { 12 };
                assert!(
                    found * 100 >= width * height * least,
                    "{width}x{height} {one} {other}: {found}"
                );
            }
            let [own, its] = [one, other].map(|role| quarters(art::tiny(role)).concat());
            assert!(
                differing(&own, &its) * 100 >= own.len() * 9,
                "{one} {other}"
            );
        }
    }
}

#[test]
fn pieces_of_one_file_do_not_touch() {
    let full = Block {
        symbol: '█',
        is_reversed: false,
    };
    for height in HEIGHTS {
        let cell = square_of_height(height);
        for role in Role::ALL {
            let blocks = picture(role, cell, PieceStyle::Blocks);
            let lowest = blocks.last().expect("a row");
            let touches = |block: &Block| *block == full || "▄▙▟▌▐▖▗▛▜".contains(block.symbol);
            assert!(!lowest.iter().any(touches), "{role} {height}: {lowest:?}");
        }
    }
}

#[test]
fn pictures_are_told_apart_at_every_size_and_fill_their_squares() {
    for height in HEIGHTS {
        let cell = square_of_height(height);
        for style in DRAWN {
            let pictures = Role::ALL.map(|role| picture(role, cell, style));
            for (at, one) in pictures.iter().enumerate() {
                assert!(!pictures[..at].contains(one), "{height}");
                // From the first or second row to the last, and at least a third as wide as the square.
                let inked = |row: &Vec<Block>| row.iter().filter(|b| b.symbol != ' ').count();
                let widest = one.iter().map(inked).max().expect("rows");
                assert!(widest * 3 >= usize::from(cell.width), "{height} {one:?}");
                let rows = one.iter().filter(|row| inked(row) > 0).count();
                assert!(rows * 3 >= usize::from(height) * 2, "{height} {one:?}");
            }
        }
    }
}

/// The pixels of a picture in block elements: two columns and two rows for each cell.
fn quarters(rows: &[&str]) -> Vec<String> {
    let pixel = |cell: char, bit: usize| {
        let bits = super::QUADRANTS.iter().position(|&known| known == cell);
        // A cell whose lower quarter is free.
        let bits = bits.unwrap_or(0b1111);
        if bits >> bit & 1 == 1 { '#' } else { '.' }
    };
    let half = |row: &str, upper: bool| -> String {
        let bit = if upper { 0 } else { 2 };
        let cells = row.chars();
        cells
            .flat_map(|cell| [pixel(cell, bit), pixel(cell, bit + 1)])
            .collect()
    };
    let halves = |row: &&str| [half(row, true), half(row, false)];
    rows.iter().flat_map(halves).collect()
}

#[test]
fn every_symbol_is_one_column_wide() {
    for height in HEIGHTS {
        for (style, role) in DRAWN
            .into_iter()
            .flat_map(|style| Role::ALL.map(|role| (style, role)))
        {
            for block in picture(role, square_of_height(height), style).concat() {
                let symbol = String::from(block.symbol);
                assert_eq!(
                    tabiya_front::cells::width(&symbol),
                    1,
                    "{style:?} {symbol:?}"
                );
            }
        }
    }
}

#[test]
fn sixths_are_the_signs_of_unicode() {
    use super::sextant;
    assert_eq!(sextant(0b00_00_01), '\u{1fb00}');
    assert_eq!(sextant(0b01_01_00), '\u{1fb13}');
    assert_eq!(sextant(0b01_01_01), '▌');
    assert_eq!(sextant(0b01_01_10), '\u{1fb14}');
    assert_eq!(sextant(0b10_10_10), '▐');
    assert_eq!(sextant(0b11_11_10), '\u{1fb3b}');
    assert_eq!(sextant(0b11_11_11), '█');
}

#[test]
fn figures_letters_and_the_smallest_squares_are_not_drawn() {
    let small = square_of_height(1);
    for style in PieceStyle::ALL {
        assert!(Sprite::of(Role::Pawn, small, style).is_none());
    }
    let large = square_of_height(4);
    for style in [PieceStyle::Figures, PieceStyle::Letters] {
        assert!(Sprite::of(Role::Pawn, large, style).is_none());
    }
}
