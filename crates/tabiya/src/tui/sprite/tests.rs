use tabiya_rules::{Color, Role};

use super::{Sprite, large, small};
use crate::tui::geometry::CellSize;

#[test]
fn pictures_have_the_size_of_their_squares_and_leave_the_edges_to_marks() {
    for role in Role::ALL {
        for (rows, width, height) in [(large(role), 16, 8), (small(role), 12, 6)] {
            assert_eq!(rows.len(), height, "{role}");
            for row in rows {
                assert_eq!(row.len(), width, "{role}");
                assert!(
                    row.starts_with("..") && row.ends_with(".."),
                    "{role}: {row}"
                );
            }
        }
    }
}

#[test]
fn a_picture_stands_in_the_middle_of_a_larger_square() {
    let at = |width, height| {
        let cell = CellSize { width, height };
        let pawn = Role::Pawn.of(Color::Black);
        Sprite::of(pawn, cell).expect("it can be drawn")
    };
    let (small, large) = (at(8, 4), at(10, 5));
    let ink = |sprite: Sprite, width: u16, row| {
        let cells = (0..width).map(move |column| sprite.cell(column, row));
        cells.filter(|c| *c != ' ').count()
    };
    // The base of eight by four lies on the edge, and that of ten by five half a cell above it.
    assert_eq!(ink(small, 8, 3), ink(large, 10, 4));
    assert!((0..10).all(|column| !"▄█".contains(large.cell(column, 4))));
    assert!((0..5).all(|row| large.cell(0, row) == ' ' && large.cell(9, row) == ' '));
}

#[test]
fn pictures_are_told_apart() {
    for cell in [
        CellSize {
            width: 10,
            height: 5,
        },
        CellSize {
            width: 8,
            height: 4,
        },
        CellSize {
            width: 6,
            height: 3,
        },
    ] {
        let mut pictures: Vec<String> = Role::ALL
            .into_iter()
            .flat_map(|role| Color::ALL.map(|color| role.of(color)))
            .filter_map(|piece| Sprite::of(piece, cell))
            .map(|sprite| {
                (0..cell.height)
                    .flat_map(|row| (0..cell.width).map(move |column| (column, row)))
                    .map(|(column, row)| sprite.cell(column, row))
                    .collect()
            })
            .collect();
        pictures.sort();
        pictures.dedup();
        assert_eq!(pictures.len(), 12, "roles and sides");
    }
    assert!(
        Sprite::of(
            Role::Pawn.of(Color::White),
            CellSize {
                width: 4,
                height: 2
            }
        )
        .is_none()
    );
}
