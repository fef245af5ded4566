use ratatui::style::Color;

use super::{THEMES, Theme, find};

/// The relative luminance of WCAG.
fn luminance(color: Color) -> f64 {
    let Color::Rgb(red, green, blue) = color else {
        panic!("{color} has no luminance");
    };
    let linear = |value: u8| {
        let value = f64::from(value) / 255.0;
        if value <= 0.04045 {
            value / 12.92
        } else {
            ((value + 0.055) / 1.055).powf(2.4)
        }
    };
    0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

fn contrast(a: Color, b: Color) -> f64 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

fn squares(theme: &Theme) -> Vec<Color> {
    let states = [
        theme.light,
        theme.dark,
        theme.last,
        theme.selected,
        theme.check,
    ];
    states.into_iter().chain(theme.tints).collect()
}

#[test]
fn what_is_said_by_a_color_has_it_alone() {
    for theme in THEMES {
        let mut colors = squares(&theme);
        colors.push(theme.cursor);
        for (at, color) in colors.iter().enumerate() {
            assert!(!colors[..at].contains(color), "{}: {color}", theme.name);
        }
        assert_ne!(theme.ending, theme.warning, "{}", theme.name);
    }
}

fn with_known_colors() -> impl Iterator<Item = Theme> {
    THEMES
        .into_iter()
        .filter(|theme| matches!(theme.light, Color::Rgb(..)))
}

#[test]
fn the_contrast_theme_meets_wcag_aa() {
    let theme = find("contrast").expect("there is one");
    // Text needs 4.5 to 1. Pieces of one cell are text, and have their patches.
    assert!(contrast(theme.white, theme.black) >= 4.5);
    for ink in [
        theme.text,
        theme.dim,
        theme.accent,
        theme.warning,
        theme.ending,
    ] {
        assert!(contrast(ink, theme.background) >= 4.5, "{ink}");
    }
    // Graphics need 3 to 1: drawn pieces and patches against every square.
    for square in squares(&theme) {
        for piece in [theme.white, theme.black] {
            assert!(
                contrast(piece, square) >= 3.0,
                "{piece} on {square}: {}",
                contrast(piece, square)
            );
        }
        assert!(contrast(theme.mark, square) >= 3.0, "{square}");
    }
}

#[test]
fn pieces_can_be_read_in_every_theme() {
    for theme in with_known_colors() {
        for square in squares(&theme) {
            for piece in [theme.white, theme.black] {
                let found = contrast(piece, square);
                assert!(found >= 2.3, "{}: {piece} on {square}: {found}", theme.name);
            }
        }
    }
}

#[test]
fn light_squares_are_lighter_in_every_theme() {
    for theme in with_known_colors() {
        assert!(
            luminance(theme.light) > luminance(theme.dark),
            "{}",
            theme.name
        );
        assert!(
            contrast(theme.light, theme.dark) >= 1.7,
            "{}: {}",
            theme.name,
            contrast(theme.light, theme.dark)
        );
    }
}

#[test]
fn names_are_told_apart() {
    let mut names: Vec<&str> = THEMES.iter().map(|theme| theme.name).collect();
    assert!(names.len() >= 4);
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), THEMES.len());
    assert_eq!(find("WOOD").map(|theme| theme.name), Some("wood"));
    assert_eq!(find("nothing"), None);
}
