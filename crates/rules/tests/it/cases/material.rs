//! Material that cannot win.

use tabiya_rules::{Color, Status};

use super::{board, position};

/// Returns whether the material is insufficient, and whether White and Black could still mate.
fn verdict(placement: &str) -> (bool, [bool; 2]) {
    let position = position(&format!("{placement} w - - 0 1"));
    let sides = Color::ALL.map(|color| position.has_mating_material(color));
    (position.is_insufficient_material(), sides)
}

#[test]
fn too_little_to_mate_ends_the_game() {
    for placement in [
        "8/8/4k3/8/8/4K3/8/8",
        "8/8/4k3/8/8/4KB2/8/8",
        "8/8/4k3/8/8/4KN2/8/8",
        "8/8/4kn2/8/8/4K3/8/8",
        "2b5/8/4k3/8/8/4K3/8/5B2",
        // Bishops on squares of one color, however many.
        "2b1b3/8/4k3/8/8/4K3/8/5B1B",
    ] {
        assert_eq!(verdict(placement), (true, [false, false]), "{placement}");
        let position = position(&format!("{placement} w - - 0 1"));
        assert_eq!(
            position.status(),
            Status::InsufficientMaterial,
            "{placement}"
        );
    }
}

#[test]
fn what_could_still_mate_goes_on() {
    for (placement, sides) in [
        // Bishops on both colors, two knights, a bishop and a knight against each other.
        ("5b2/8/4k3/8/8/4K3/8/5B2", [true, true]),
        ("8/8/4k3/8/8/4KNN1/8/8", [true, false]),
        ("8/8/4kn2/8/8/4KB2/8/8", [true, true]),
        ("8/8/4kn2/8/8/4KN2/8/8", [true, true]),
        ("8/8/4k3/8/8/4KBN1/8/8", [true, false]),
        ("8/8/4k3/8/8/4K3/4P3/8", [true, false]),
        ("8/8/4k3/8/8/4K3/8/R7", [true, false]),
        ("8/8/4k2q/8/8/4K3/8/8", [false, true]),
        // One minor piece mates only if the other side can block its own king.
        ("8/8/4k2p/8/8/4KN2/8/8", [true, true]),
        ("8/8/4k2q/8/8/4KN2/8/8", [false, true]),
        ("8/8/4k2r/8/8/4KB2/8/8", [false, true]),
        ("8/8/4k2p/8/8/4KB2/8/8", [true, true]),
    ] {
        assert_eq!(verdict(placement), (false, sides), "{placement}");
    }
}

#[test]
fn a_board_without_both_kings_is_never_drawn_by_material() {
    assert!(!board("8/8/4k3/8/8/8/8/8 b").is_insufficient_material());
    assert!(!board("8/8/8/8/8/8/8/7B w").is_insufficient_material());
}

#[test]
fn material_is_counted_by_side_and_kind() {
    let start = tabiya_rules::Position::start();
    let material = start.board().material();
    let expected = [8, 2, 2, 2, 1, 1];
    for (_, count) in material.iter() {
        assert_eq!(
            count.iter().map(|(_, &count)| count).collect::<Vec<_>>(),
            expected
        );
    }
}
