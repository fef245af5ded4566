use ratatui_core::style::{Color, Modifier, Style};
use tabiya_front::color::contrast;
use tabiya_front::color::{Depth, Rgb};
use tabiya_front::theme::{THEMES, Theme, find};
use tabiya_game::MarkColor;
use tabiya_rules::Color as Side;

use super::{Ground, Styles};

const GROUNDS: [Ground; 10] = [
    Ground::Light,
    Ground::Dark,
    Ground::LastLight,
    Ground::LastDark,
    Ground::Selected,
    Ground::Check,
    Ground::Marked(MarkColor::Green),
    Ground::Marked(MarkColor::Red),
    Ground::Marked(MarkColor::Yellow),
    Ground::Marked(MarkColor::Blue),
];

/// The themes whose colors are known, at the depths at which they are known.
fn known() -> impl Iterator<Item = (Theme, Depth)> {
    let themes = THEMES
        .into_iter()
        .filter(|theme| Rgb::of(theme.light).is_some());
    themes.flat_map(|theme| [(theme, Depth::TrueColor), (theme, Depth::Indexed)])
}

fn found(style: Style, on: Style) -> f64 {
    let (ink, ground) = (style.fg.expect("ink"), on.bg.expect("a ground"));
    contrast(ink, ground).unwrap_or_else(|| panic!("{ink} on {ground}"))
}

#[test]
fn pieces_and_signs_are_seen_on_every_square_they_can_stand_on() {
    for (theme, depth) in known() {
        let styles = Styles::new(theme, depth, None);
        // Pieces are shapes, signs are text.
        let least = if theme.cells.is_some() {
            3.0
        } else {
            theme.contrast
        };
        for ground in GROUNDS {
            for side in Side::ALL {
                let square = styles.square(ground, Some(side));
                let [piece, sign] =
                    [styles.piece(side, square), square].map(|ink| found(ink, square));
                assert!(
                    piece >= least && sign >= 4.5,
                    "{} {depth:?}: {side} on {ground:?}: {piece:.2} {sign:.2}",
                    theme.name
                );
            }
            let empty = styles.square(ground, None);
            assert!(found(empty, empty) >= 4.5, "{} {ground:?}", theme.name);
        }
        assert!(found(styles.cursor(), styles.cursor()) >= 4.5);
    }
}

/// The contrast between the backgrounds of two squares.
fn between(styles: &Styles, one: Ground, other: Ground) -> f64 {
    let [one, other] = [one, other].map(|ground| styles.square(ground, None).bg.expect("a ground"));
    contrast(one, other).expect("known colors")
}

#[test]
fn squares_keep_their_colors_under_pieces() {
    for (theme, depth) in known().filter(|(theme, _)| theme.cells.is_some()) {
        let styles = Styles::new(theme, depth, None);
        for ground in GROUNDS {
            let [empty, white, black] = [None, Some(Side::White), Some(Side::Black)]
                .map(|occupant| styles.square(ground, occupant).bg);
            assert_eq!(
                [white, black],
                [empty; 2],
                "{} {depth:?} {ground:?}",
                theme.name
            );
        }
        for (side, ground) in [(Side::White, Ground::Dark), (Side::Black, Ground::Light)] {
            let square = styles.square(ground, Some(side));
            assert!(
                found(styles.piece(side, square), square) >= 5.5,
                "{} {depth:?}",
                theme.name
            );
        }
    }
}

#[test]
fn the_board_is_seen_and_so_is_what_its_squares_show() {
    for (theme, depth) in known().filter(|(theme, _)| theme.cells.is_some()) {
        let styles = Styles::new(theme, depth, None);
        let between = |one, other| between(&styles, one, other);
        let (board, state) = match depth {
            Depth::Indexed => (1.7, 1.2),
            Depth::Mono | Depth::Sixteen | Depth::TrueColor => (2.0, 1.25),
        };
        let name = theme.name;
        assert!(
            between(Ground::Light, Ground::Dark) >= board,
            "{name} {depth:?}"
        );
        assert!(
            between(Ground::LastLight, Ground::Light) >= state,
            "{name} {depth:?}"
        );
        assert!(
            between(Ground::LastDark, Ground::Dark) >= state,
            "{name} {depth:?}"
        );
        for shown in [Ground::Selected, Ground::Check] {
            for plain in [Ground::Light, Ground::Dark] {
                let found = between(shown, plain);
                assert!(
                    found >= state,
                    "{name} {depth:?} {shown:?} {plain:?}: {found:.2}"
                );
            }
        }
    }
}

#[test]
fn what_is_said_by_a_color_has_it_alone_with_and_without_a_piece() {
    for (theme, depth) in known() {
        let styles = Styles::new(theme, depth, None);
        for occupant in [None, Some(Side::White), Some(Side::Black)] {
            let shown = GROUNDS.map(|ground| (ground, styles.square(ground, occupant).bg));
            let (plain, marked) = shown.split_at(6);
            for group in [plain, marked, &shown] {
                // 256 colors are too few for all of them, but a mark also has a symbol.
                if group.len() == GROUNDS.len() && depth == Depth::Indexed {
                    continue;
                }
                for (at, (ground, color)) in group.iter().enumerate() {
                    // Where squares change under pieces, both squares of a move have one color.
                    let before = group[..at].iter().filter(|(other, _)| {
                        theme.cells.is_some()
                            || *other != Ground::LastLight
                            || *ground != Ground::LastDark
                    });
                    let is_known = before.into_iter().any(|(_, known)| known == color);
                    let name = theme.name;
                    assert!(!is_known, "{name} {depth:?} {occupant:?}: {ground:?}");
                }
            }
        }
    }
}

/// The first two ranks, where white pieces stand on all squares, and the last two are chessboards too, where squares change.
#[test]
fn light_and_dark_squares_differ_under_pieces_of_one_side() {
    for (theme, depth) in known().filter(|(theme, _)| theme.cells.is_none()) {
        let styles = Styles::new(theme, depth, None);
        for side in Side::ALL {
            let [light, dark] = [Ground::Light, Ground::Dark]
                .map(|ground| styles.square(ground, Some(side)).bg.expect("a ground"));
            let found = contrast(light, dark).expect("known colors");
            let name = theme.name;
            assert!(found >= 1.3, "{name} {depth:?} {side}: {found:.2}");
        }
    }
}

/// A square that is marked, by default in green, is not taken for one of the last move.
#[test]
fn the_last_move_has_another_color_than_marks() {
    let theme = find("wood").expect("a theme");
    let styles = Styles::new(theme, Depth::TrueColor, None);
    for occupant in [None, Some(Side::White), Some(Side::Black)] {
        let parts = |ground| {
            let color = styles.square(ground, occupant).bg.expect("a ground");
            Rgb::of(color).expect("a known color").0
        };
        for last in [Ground::LastLight, Ground::LastDark] {
            let [red, green, blue] = parts(last);
            assert!(blue > green && green > red, "{occupant:?}");
        }
        let [red, green, blue] = parts(Ground::Marked(MarkColor::Green));
        assert!(green > blue && green > red, "{occupant:?}");
    }
}

/// Without colors, reverse video tells the sides apart, and White has the lighter pieces.
#[test]
fn without_colors_white_is_the_lighter_side() {
    let reversed = |backdrop| {
        let styles = Styles::new(THEMES[0], Depth::Mono, backdrop);
        Side::ALL.map(|side| {
            let square = styles.square(Ground::Light, Some(side));
            let chip = styles.chip(side, square);
            chip.add_modifier.contains(Modifier::REVERSED)
        })
    };
    assert_eq!(Side::ALL, [Side::White, Side::Black]);
    assert_eq!(reversed(None), [false, true]);
    assert_eq!(reversed(Some(Rgb::BLACK)), [false, true]);
    assert_eq!(reversed(Some(Rgb::WHITE)), [true, false]);
}

/// The colors of text that are not the terminal's own.
fn inks(styles: &Styles) -> Vec<Color> {
    let styles = [
        styles.text(),
        styles.dim(),
        styles.accent(),
        styles.warning(),
        styles.ending(),
    ];
    let inks = styles.into_iter().filter_map(|style| style.fg);
    inks.filter(|&ink| ink != Color::Reset).collect()
}

#[test]
fn text_is_read_on_dark_and_on_light_terminals() {
    for (theme, depth) in known() {
        let unknown = Styles::new(theme, depth, None);
        for ink in inks(&unknown) {
            let on = match Rgb::of(depth.show(theme.background)) {
                Some(own) => vec![own],
                None => vec![Rgb([0; 3]), Rgb([255; 3])],
            };
            for on in on {
                let found = contrast(ink, on.color()).expect("known colors");
                assert!(found >= 4.5, "{} {depth:?}: {ink} on {on:?}", theme.name);
            }
        }
        if theme.background != Color::Reset {
            continue;
        }
        for gray in (0..=255).step_by(5) {
            for told in [[gray; 3], [gray, 40, 80], [255 - gray, 255, gray]] {
                let styles = Styles::new(theme, depth, Some(Rgb(told)));
                for ink in inks(&styles) {
                    let found = contrast(ink, Rgb(told).color()).expect("known colors");
                    assert!(found >= 4.5, "{} {depth:?}: {ink} on {told:?}", theme.name);
                }
            }
        }
    }
}

#[test]
fn the_theme_for_contrast_has_more_of_it() {
    let theme = find("contrast").expect("there is one");
    assert!(theme.contrast >= 7.0);
    let styles = Styles::new(theme, Depth::TrueColor, None);
    for ink in inks(&styles) {
        let found = contrast(ink, theme.background).expect("known colors");
        assert!(found >= 7.0, "{ink}: {found}");
    }
}

#[test]
fn sixteen_colors_have_dark_squares_under_white_and_light_ones_under_black() {
    let styles = Styles::new(THEMES[0], Depth::Sixteen, None);
    for ground in GROUNDS {
        let [white, black] = Side::ALL.map(|side| styles.square(ground, Some(side)));
        assert_ne!(styles.piece(Side::White, white).fg, white.bg);
        assert_ne!(styles.piece(Side::Black, black).fg, black.bg);
        assert_ne!(white.bg, Some(Color::White));
        assert_ne!(black.bg, Some(Color::Black));
    }
}

/// The sixteen colors of two terminals that differ a lot: xterm and the Linux console.
const SIXTEEN: [(Color, u32, u32); 16] = [
    (Color::Black, 0x00_00_00, 0x00_00_00),
    (Color::Red, 0xcd_00_00, 0xaa_00_00),
    (Color::Green, 0x00_cd_00, 0x00_aa_00),
    (Color::Yellow, 0xcd_cd_00, 0xaa_55_00),
    (Color::Blue, 0x00_00_ee, 0x00_00_aa),
    (Color::Magenta, 0xcd_00_cd, 0xaa_00_aa),
    (Color::Cyan, 0x00_cd_cd, 0x00_aa_aa),
    (Color::Gray, 0xe5_e5_e5, 0xaa_aa_aa),
    (Color::DarkGray, 0x7f_7f_7f, 0x55_55_55),
    (Color::LightRed, 0xff_00_00, 0xff_55_55),
    (Color::LightGreen, 0x00_ff_00, 0x55_ff_55),
    (Color::LightYellow, 0xff_ff_00, 0xff_ff_55),
    (Color::LightBlue, 0x5c_5c_ff, 0x55_55_ff),
    (Color::LightMagenta, 0xff_00_ff, 0xff_55_ff),
    (Color::LightCyan, 0x00_ff_ff, 0x55_ff_ff),
    (Color::White, 0xff_ff_ff, 0xff_ff_ff),
];

/// Shapes have the contrast that WCAG 2 requires of them, which is less than that of text.
#[test]
fn shapes_are_seen_on_the_sixteen_colors() {
    let shown = |color: Color| {
        let found = SIXTEEN.iter().find(|(name, ..)| *name == color);
        let (_, xterm, console) = found.unwrap_or_else(|| panic!("{color}"));
        [xterm, console].map(|rgb| Rgb([(rgb >> 16) as u8, (rgb >> 8) as u8, *rgb as u8]))
    };
    let styles = Styles::new(THEMES[0], Depth::Sixteen, None);
    for ground in GROUNDS {
        for occupant in [None, Some(Side::White), Some(Side::Black)] {
            let square = styles.square(ground, occupant);
            let piece = occupant.map(|side| styles.piece(side, square));
            for ink in piece.into_iter().chain([square]) {
                let (ink, behind) = (ink.fg.expect("ink"), square.bg.expect("a ground"));
                let pairs = shown(ink).into_iter().zip(shown(behind));
                for (terminal, (ink, behind)) in ["xterm", "console"].into_iter().zip(pairs) {
                    let found = ink.contrast(behind);
                    let what = format!("{terminal}: {ground:?} {occupant:?}: {found:.1}");
                    assert!(found >= 3.0, "{what}");
                }
            }
        }
    }
}

#[test]
fn the_board_of_sixteen_colors_is_calm() {
    let styles = Styles::new(THEMES[0], Depth::Sixteen, None);
    let shown = |ground, occupant| styles.square(ground, occupant).bg.expect("a ground");
    assert_eq!(shown(Ground::Light, None), Color::Gray);
    assert_eq!(shown(Ground::Dark, None), Color::Blue);
    // The squares of the last move look the same with any piece and without one.
    let last =
        [None, Some(Side::White), Some(Side::Black)].map(|side| shown(Ground::LastDark, side));
    assert_eq!(last, [Color::Magenta; 3]);
}

#[test]
fn the_accent_of_sixteen_colors_is_read_on_light_terminals() {
    let accent = |backdrop| Styles::new(THEMES[0], Depth::Sixteen, backdrop).accent().fg;
    assert_eq!(accent(Some(Rgb::BLACK)), Some(Color::Cyan));
    assert_eq!(accent(Some(Rgb::WHITE)), Some(Color::Blue));
    let ending = |backdrop| Styles::new(THEMES[0], Depth::Sixteen, backdrop).ending().fg;
    assert_eq!(ending(Some(Rgb::BLACK)), Some(Color::Green));
    assert_eq!(ending(Some(Rgb::WHITE)), Some(Color::Blue));
    // A terminal that has not reported its background may be a light one.
    assert_eq!(
        (accent(None), ending(None)),
        (Some(Color::Magenta), Some(Color::Magenta))
    );
    let (_, xterm, _) = SIXTEEN[5];
    let magenta = Rgb([(xterm >> 16) as u8, (xterm >> 8) as u8, xterm as u8]);
    for background in [Rgb::BLACK, Rgb::WHITE] {
        assert!(magenta.contrast(background) > 4.4);
    }
}

/// The page in the browser has the themes of the terminal, in the colors of the pictures of the board.
#[test]
fn the_page_has_the_same_themes() {
    let style = std::fs::read_to_string(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../serve/page/style.css"
    ))
    .expect("the style of the page");
    let mut missing = Vec::new();
    for theme in THEMES {
        let styles = Styles::new(theme, Depth::TrueColor, None);
        let square = |ground| styles.picture_square(ground);
        let grounds = [
            ("light", Ground::Light),
            ("dark", Ground::Dark),
            ("last", Ground::LastDark),
            ("pick", Ground::Selected),
            ("check", Ground::Check),
        ];
        let hex = |Rgb([r, g, b]): Rgb| format!("#{r:02x}{g:02x}{b:02x}");
        let colors: Option<Vec<String>> = grounds
            .iter()
            .map(|&(name, ground)| Some(format!("--{name}: {};", hex(square(ground)?.0))))
            .collect();
        // The colors of the theme for sixteen colors are the terminal's own.
        let Some(colors) = colors else { continue };
        let rule = format!("[data-board=\"{}\"] {{ {}", theme.name, colors.join(" "));
        if !style.contains(&rule) {
            missing.push(rule);
        }
    }
    assert!(
        missing.is_empty(),
        "style.css should have\n{}",
        missing.join("\n")
    );
}
