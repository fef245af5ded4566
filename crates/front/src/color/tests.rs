use ratatui_core::style::Color;

use super::{ColorChoice, Depth, Rgb, nearest};

fn detect(choice: ColorChoice, set: &[(&str, &str)]) -> Depth {
    let look = |name: &str| {
        set.iter()
            .find(|(known, _)| *known == name)
            .map(|(_, value)| (*value).to_owned())
    };
    Depth::detect(choice, look)
}

#[test]
fn the_environment_tells_the_depth() {
    let auto = |set: &[(&str, &str)]| detect(ColorChoice::Auto, set);
    assert_eq!(auto(&[("TERM", "xterm-256color")]), Depth::Indexed);
    assert_eq!(
        auto(&[("TERM", "xterm-256color"), ("COLORTERM", "truecolor")]),
        Depth::TrueColor
    );
    assert_eq!(auto(&[("TERM", "linux")]), Depth::Sixteen);
    assert_eq!(auto(&[("TERM", "vt100")]), Depth::Mono);
    assert_eq!(auto(&[("TERM", "xterm")]), Depth::Sixteen);
    let xterm = [("TERM", "xterm"), ("XTERM_VERSION", "XTerm(379)")];
    assert_eq!(auto(&xterm), Depth::Indexed);
    // Another terminal that was started from an xterm has its own name.
    let linux = [("TERM", "linux"), ("XTERM_VERSION", "XTerm(379)")];
    assert_eq!(auto(&linux), Depth::Sixteen);
    assert_eq!(auto(&[]), Depth::Mono);
    assert_eq!(
        auto(&[("TERM", "xterm-256color"), ("NO_COLOR", "1")]),
        Depth::Mono
    );
    assert_eq!(
        auto(&[("TERM", "xterm-256color"), ("NO_COLOR", "")]),
        Depth::Indexed
    );
}

#[test]
fn the_flag_is_stronger_than_the_environment() {
    let colorful = [("TERM", "xterm-256color"), ("NO_COLOR", "1")];
    assert_eq!(detect(ColorChoice::Always, &colorful), Depth::Indexed);
    assert_eq!(
        detect(ColorChoice::Always, &[("TERM", "vt100")]),
        Depth::Sixteen
    );
    for (choice, depth) in [
        (ColorChoice::Sixteen, Depth::Sixteen),
        (ColorChoice::Indexed, Depth::Indexed),
        (ColorChoice::TrueColor, Depth::TrueColor),
    ] {
        assert_eq!(detect(choice, &colorful), depth);
        assert_eq!(detect(choice, &[("TERM", "vt100")]), depth);
    }
    assert_eq!(
        detect(ColorChoice::Never, &[("COLORTERM", "truecolor")]),
        Depth::Mono
    );
}

#[test]
fn colors_have_neighbors() {
    assert_eq!(nearest(0, 0, 0), 16);
    assert_eq!(nearest(255, 255, 255), 231);
    assert_eq!(nearest(255, 0, 0), 196);
    assert_eq!(nearest(128, 128, 128), 244);
    assert_eq!(Depth::Mono.show(Color::Red), Color::Reset);
    assert_eq!(Depth::Sixteen.show(Color::Red), Color::Red);
}

/// The dark squares of wood stay brown under Black's pieces, where 256 colors have no such brown.
#[test]
fn a_color_of_256_that_is_made_legible_keeps_its_hue() {
    let brown = Color::Rgb(0x7a, 0x4a, 0x2e);
    let black = Color::Rgb(0, 0, 0);
    let shown = Depth::Indexed.legible(brown, &[black], 4.5);
    let Rgb([red, green, blue]) = Rgb::of(shown).expect("a known color");
    assert!(red > green && green > blue, "{shown}");
}
