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
fn pictures_are_told_apart() {
    for cell in [
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
