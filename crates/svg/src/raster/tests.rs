use tabiya_rules::Role;

use super::{Path, PieceRaster};
use crate::board::outline;

/// Returns the share of the rectangle that the body covers, in percent.
fn inked(role: Role, width: u16, height: u16) -> u32 {
    let raster = PieceRaster::new(role, width, height);
    let pixels =
        (0..usize::from(height)).flat_map(|y| (0..usize::from(width)).map(move |x| (x, y)));
    let sum: u32 = pixels
        .map(|(x, y)| u32::from(raster.pixel(x, y).body))
        .sum();
    sum * 100 / (255 * u32::from(width) * u32::from(height))
}

#[test]
fn paths_use_only_what_is_read() {
    for role in Role::ALL {
        for text in [outline(role).shapes, outline(role).details] {
            let known = |c: char| "MLHVCAZ .".contains(c) || c.is_ascii_digit();
            assert!(text.chars().all(known), "{role}: {text}");
            let path = Path::read(text);
            assert!(!path.segments.is_empty(), "{role}");
            for (a, b) in path.segments {
                for number in [a.0, a.1, b.0, b.1] {
                    assert!((5.0..95.0).contains(&number), "{role}: {number}");
                }
            }
        }
    }
}

#[test]
fn a_piece_covers_the_same_share_at_every_size() {
    for role in Role::ALL {
        let large = inked(role, 120, 120);
        assert!((12..50).contains(&large), "{role}: {large}");
        for side in [16, 33, 80] {
            assert!(
                inked(role, side, side).abs_diff(large) <= 2,
                "{role} {side}"
            );
        }
        // Twice the width leaves half of it empty, without distortion.
        assert!(inked(role, 160, 80).abs_diff(large / 2) <= 1, "{role}");
    }
}

#[test]
fn symmetric_pieces_are_symmetric_and_the_king_has_a_cross() {
    for role in [Role::Pawn, Role::Rook, Role::Queen, Role::King] {
        let raster = PieceRaster::new(role, 64, 64);
        for y in 0..64 {
            for x in 0..32 {
                let (left, right) = (raster.pixel(x, y).body, raster.pixel(63 - x, y).body);
                assert!(left.abs_diff(right) <= 60, "{role} {x} {y}: {left} {right}");
            }
        }
    }
    let king = PieceRaster::new(Role::King, 100, 100);
    let row = |y: usize| (36..64).filter(|&x| king.pixel(x, y).body > 127).count();
    assert!(
        row(16) > row(8) && row(16) > row(26),
        "the bar of the cross"
    );
}

#[test]
fn the_line_is_around_the_body_and_the_details_are_inside() {
    let pawn = PieceRaster::new(Role::Pawn, 100, 100);
    assert_eq!(pawn.pixel(50, 35).body, 255);
    assert_eq!(pawn.pixel(50, 35).line, 0, "the middle of the head");
    assert!(pawn.pixel(50, 21).line > 200, "the top of the head");
    assert!(pawn.pixel(50, 49).detail > 200, "the collar");
    assert_eq!(pawn.pixel(2, 2).line, 0);
    assert_eq!(pawn.pixel(100, 0).body, 0, "outside");
}

#[test]
fn nothing_is_drawn_on_nothing() {
    assert_eq!(PieceRaster::new(Role::King, 0, 9).pixel(0, 0).body, 0);
}
