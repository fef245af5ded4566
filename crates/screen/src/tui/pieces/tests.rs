use ratatui_core::layout::Size;
use tabiya_rules::Role;

use super::{Block, PieceStyle, Sprite, art};
use crate::tui::geometry::square_of_height;

/// Heights of squares: those with art of their own, and some of the others.
const HEIGHTS: [u16; 7] = [2, 3, 4, 5, 6, 7, 11];

const DRAWN: [PieceStyle; 2] = [PieceStyle::Drawn, PieceStyle::Fine];

fn picture(role: Role, cell: Size, style: PieceStyle) -> Vec<Vec<Block>> {
    let sprite = Sprite::of(role, cell, style).expect("it can be drawn");
    let row = |row| {
        (0..cell.width)
            .map(|column| sprite.block(column, row))
            .collect()
    };
    (0..cell.height).map(row).collect()
}

/// The pixels of a piece, row by row.
fn pixels(sheet: art::PieceArt, role: Role) -> Vec<&'static str> {
    (0..).map_while(|down| sheet.row(role, down)).collect()
}

#[test]
fn pixels_have_the_size_of_their_squares_and_leave_edges_and_air() {
    for role in Role::ALL {
        for (sheet, width, height, edge) in [
            (art::TINY_FINE, 8, 6, "."),
            (art::SMALL, 12, 6, ".."),
            (art::MEDIUM, 16, 8, ".."),
            (art::LARGE, 20, 10, "...."),
            (art::LARGER, 24, 12, "...."),
        ] {
            let rows = pixels(sheet, role);
            assert_eq!(rows.len(), height, "{role}");
            for row in &rows {
                assert_eq!(row.len(), width, "{role}");
                let edges = row.starts_with(edge) && row.ends_with(edge);
                assert!(edges, "{role}: {row}");
            }
            assert!(!rows[height - 1].contains('#'), "{role}: air under it");
        }
        let tiny = art::tiny(role);
        assert_eq!(tiny.len(), 2, "{role}");
        assert!(tiny.iter().all(|row| row.chars().count() == 4), "{role}");
        // The lower row leaves at least a quarter of its height free, but for the foot of the king.
        let airy = |c: char| " U▘▝▀".contains(c);
        if role == Role::King {
            assert_eq!(tiny[1], " ▟▙ ");
        } else {
            assert!(tiny[1].chars().all(airy), "{role}");
        }
    }
}

#[test]
fn pieces_of_one_file_do_not_touch_and_leave_the_sides_to_signs() {
    let full = Block {
        symbol: '█',
        is_reversed: false,
    };
    for height in HEIGHTS {
        let cell = square_of_height(height);
        for role in Role::ALL {
            for style in DRAWN {
                // The foot of the smallest king reaches the edge.
                if (role, height, style) == (Role::King, 2, PieceStyle::Drawn) {
                    continue;
                }
                let picture = picture(role, cell, style);
                let lowest = picture.last().expect("a row");
                let touches = |block: &Block| *block == full || "▄▙▟▌▐▖▗▛▜".contains(block.symbol);
                assert!(!lowest.iter().any(touches), "{role} {height}: {lowest:?}");
                if height > 2 {
                    let blank = |block: Option<&Block>| block.is_some_and(|b| b.symbol == ' ');
                    let free = picture
                        .iter()
                        .all(|row| blank(row.first()) && blank(row.last()));
                    assert!(free, "{role} {height}");
                }
            }
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
                // From the first or second row to the last, and at least about half as wide as the square.
                let inked = |row: &Vec<Block>| row.iter().filter(|b| b.symbol != ' ').count();
                let widest = one.iter().map(inked).max().expect("rows");
                assert!(
                    widest * 5 >= usize::from(cell.width) * 2,
                    "{height} {one:?}"
                );
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
fn the_king_has_its_cross_at_every_size() {
    let tiny = quarters(art::tiny(Role::King));
    let arts = [
        art::TINY_FINE,
        art::SMALL,
        art::MEDIUM,
        art::LARGE,
        art::LARGER,
    ];
    let drawn = arts.map(|art| {
        let rows = pixels(art, Role::King);
        rows.into_iter().map(str::to_owned).collect()
    });
    for rows in [tiny].into_iter().chain(drawn) {
        // The pixels next to each other in the middle; the points of a crown do not count.
        let width = |row: usize| {
            let (left, right) = rows[row].split_at(rows[row].len() / 2);
            let run = |half: &mut dyn Iterator<Item = char>| half.take_while(|&c| c == '#').count();
            run(&mut left.chars().rev()) + run(&mut right.chars())
        };
        // The arms are wider than what is above and below them.
        assert!(
            width(1) >= 2 * width(0) && width(1) >= 2 * width(2) && width(0) > 0,
            "{rows:?}"
        );
    }
}

/// The signs of a selected piece take the lower corners of the smallest squares. What they leave of two pieces differs
/// in at least four pixels of 24.
#[test]
fn the_smallest_pieces_are_told_apart_also_when_selected() {
    let left = |role: Role| -> String {
        let rows = quarters(art::tiny(role));
        let (upper, lower) = rows.split_at(2);
        let middle = lower.iter().map(|row| &row[2..6]);
        upper.iter().map(String::as_str).chain(middle).collect()
    };
    for (at, one) in Role::ALL.into_iter().enumerate() {
        for &other in &Role::ALL[..at] {
            let (own, its) = (left(one), left(other));
            let pixels = own.chars().zip(its.chars());
            let differing = pixels.filter(|(own, its)| own != its).count();
            assert!(differing >= 4, "{one} {other}: {own} {its}");
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
