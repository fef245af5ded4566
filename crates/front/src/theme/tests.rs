use ratatui_core::style::Color;

use super::{THEMES, find};
use crate::color::contrast;

#[test]
fn light_squares_are_lighter_in_every_theme() {
    for theme in THEMES {
        let lighter = contrast(theme.light, Color::Rgb(0, 0, 0));
        let darker = contrast(theme.dark, Color::Rgb(0, 0, 0));
        assert!(lighter > darker || lighter.is_none(), "{}", theme.name);
        let found = contrast(theme.light, theme.dark);
        let enough = found.is_none_or(|found| found >= 2.5);
        assert!(enough, "{}: {found:?}", theme.name);
        assert_ne!(theme.ending, theme.warning, "{}", theme.name);
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
