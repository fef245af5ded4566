//! The themes: the colors of everything. No state is shown by color alone; each has a shape too.
//!
//! These colors are preferences. The styles of the screen change them until symbols and text can be read, but for squares that
//! have [`CellColors`].

use ratatui_core::style::Color;

/// The colors of a theme.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Theme {
    pub name: &'static str,
    /// The least contrast between text and its background.
    pub contrast: f64,
    /// The background of the screen; `Reset` is the terminal's own.
    pub background: Color,
    pub text: Color,
    /// Less important text.
    pub dim: Color,
    /// Things to choose, and news.
    pub accent: Color,
    /// Refusals, and what is urgent.
    pub warning: Color,
    pub light: Color,
    pub dark: Color,
    /// The squares of the last move.
    pub last: Color,
    /// The square of the selected piece.
    pub selected: Color,
    /// The square of a king in check.
    pub check: Color,
    /// The result of a game.
    pub ending: Color,
    /// Targets, frames and symbols on the board.
    pub mark: Color,
    /// The cursor.
    pub cursor: Color,
    pub white: Color,
    pub black: Color,
    /// The squares made of cells; `None` if their colors have to change under pieces.
    pub cells: Option<CellColors>,
}

/// The colors of squares made of cells, whose pieces have no outlines.
///
/// A square must look the same with a white piece, a black one and none. WCAG 2 asks for a contrast of 3:1 of graphical
/// objects, so the luminance of a square is between 0.10 and 0.30, and a light square can be 2.33 times as light as a dark
/// one. (With 4.5:1, as for text, that would be 1.04 times.) What a square shows differs from both plain colors by 1.25:1 at
/// least, by 1.2:1 in 256 colors, and the last move has two tints, through which the chessboard shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CellColors {
    pub light: Tint,
    pub dark: Tint,
    pub last_light: Tint,
    pub last_dark: Tint,
    pub selected: Tint,
    pub check: Tint,
}

/// A color, and the one out of 256 that serves for it, chosen by hand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tint {
    pub color: Color,
    pub indexed: u8,
}

/// A tint from six hexadecimal digits and a number out of 256.
pub const fn tint(color: u32, indexed: u8) -> Tint {
    let color = rgb(color);
    Tint { color, indexed }
}

impl CellColors {
    const WOOD: CellColors = CellColors {
        light: tint(0xb4_89_5a, 137),
        dark: tint(0x7d_4f_30, 94),
        last_light: tint(0x5e_81_ac, 31),
        last_dark: tint(0x53_6c_88, 30),
        selected: tint(0x2f_85_77, 64),
        check: tint(0xd6_40_3a, 196),
    };
    const SEA: CellColors = CellColors {
        light: tint(0x7d_97_b1, 67),
        dark: tint(0x46_61_7f, 25),
        last_light: tint(0x5b_8a_80, 29),
        last_dark: tint(0x3c_7b_63, 28),
        selected: tint(0x9a_7a_2a, 130),
        check: tint(0xd6_40_3a, 161),
    };
    const FOREST: CellColors = CellColors {
        light: tint(0x8a_9b_60, 101),
        dark: tint(0x4b_6a_38, 58),
        last_light: tint(0x9a_7e_2c, 130),
        last_dark: tint(0x87_70_24, 95),
        selected: tint(0x2f_85_77, 29),
        check: tint(0xd6_40_3a, 160),
    };
    const NIGHT: CellColors = CellColors {
        light: tint(0x8e_91_a6, 246),
        dark: tint(0x57_59_6b, 241),
        last_light: tint(0x7c_77_c0, 99),
        last_dark: tint(0x66_61_ae, 97),
        selected: tint(0x2f_85_77, 30),
        check: tint(0xd6_40_3a, 196),
    };
}

/// The contrast that WCAG 2 requires of text.
pub const READABLE: f64 = 4.5;

/// The contrast that WCAG 2 requires at its highest level.
const ENHANCED: f64 = 7.0;

/// A color from six hexadecimal digits.
const fn rgb(color: u32) -> Color {
    Color::Rgb((color >> 16) as u8, (color >> 8) as u8, color as u8)
}

/// The theme for terminals with sixteen colors, whose exact values are unknown.
pub const TERMINAL: Theme = Theme {
    name: "terminal",
    contrast: READABLE,
    background: Color::Reset,
    text: Color::Reset,
    dim: Color::Reset,
    accent: Color::Cyan,
    warning: Color::Red,
    light: Color::Gray,
    dark: Color::Blue,
    last: Color::Magenta,
    selected: Color::Green,
    check: Color::Red,
    ending: Color::Green,
    mark: Color::Black,
    cursor: Color::Yellow,
    white: Color::White,
    black: Color::Black,
    cells: None,
};

/// What most themes with colors of their own share.
const COLORED: Theme = Theme {
    cursor: rgb(0xf2_e0_3c),
    white: rgb(0xff_ff_ff),
    black: rgb(0x00_00_00),
    ..TERMINAL
};

/// All themes. The first is the default.
pub const THEMES: [Theme; 6] = [
    Theme {
        name: "wood",
        dim: rgb(0x9a_90_86),
        accent: rgb(0xd7_a8_5f),
        warning: rgb(0xe0_6c_5a),
        light: rgb(0xd2_a8_79),
        dark: rgb(0x7a_4a_2e),
        last: rgb(0x7f_93_ab),
        selected: rgb(0x3f_8a_7a),
        check: rgb(0xd0_2a_24),
        ending: rgb(0x9c_c8_6a),
        mark: rgb(0x1c_1c_1c),
        cells: Some(CellColors::WOOD),
        ..COLORED
    },
    Theme {
        name: "sea",
        dim: rgb(0x88_92_9c),
        accent: rgb(0x6f_b3_d9),
        warning: rgb(0xe0_7a_6a),
        light: rgb(0xa9_bf_d6),
        dark: rgb(0x3f_5d_80),
        last: rgb(0x5f_a8_9c),
        selected: rgb(0xb3_9a_40),
        check: rgb(0xd0_2a_3c),
        ending: rgb(0x8f_d0_8a),
        mark: rgb(0x10_18_20),
        cells: Some(CellColors::SEA),
        ..COLORED
    },
    Theme {
        name: "forest",
        dim: rgb(0x8c_96_84),
        accent: rgb(0x8f_c0_6a),
        warning: rgb(0xe0_7a_5a),
        light: rgb(0xb9_c8_90),
        dark: rgb(0x44_63_2f),
        last: rgb(0xc0_a0_30),
        selected: rgb(0x3f_8f_9f),
        check: rgb(0xd0_2a_24),
        ending: rgb(0xe0_c8_5a),
        mark: rgb(0x12_1a_0e),
        cells: Some(CellColors::FOREST),
        ..COLORED
    },
    Theme {
        name: "night",
        background: rgb(0x16_17_1c),
        text: rgb(0xd6_d8_e0),
        dim: rgb(0x8b_8e_9c),
        accent: rgb(0x9d_b2_f2),
        warning: rgb(0xf0_80_80),
        light: rgb(0x9a_9e_b4),
        dark: rgb(0x2e_30_40),
        last: rgb(0x7a_76_c0),
        selected: rgb(0x3f_90_88),
        check: rgb(0xd0_30_40),
        ending: rgb(0x8f_d0_a0),
        mark: rgb(0x0c_0d_12),
        cells: Some(CellColors::NIGHT),
        ..COLORED
    },
    Theme {
        name: "contrast",
        contrast: ENHANCED,
        background: rgb(0x00_00_00),
        text: rgb(0xff_ff_ff),
        dim: rgb(0xc8_c8_c8),
        accent: rgb(0xff_d7_00),
        warning: rgb(0xff_87_87),
        light: rgb(0xd0_d0_d0),
        dark: rgb(0x26_26_26),
        last: rgb(0x1f_9a_8a),
        selected: rgb(0x8a_4f_d0),
        check: rgb(0xe0_2a_2a),
        ending: rgb(0x87_ff_af),
        mark: rgb(0x00_00_00),
        ..COLORED
    },
    TERMINAL,
];

/// The theme with this name.
pub fn find(name: &str) -> Option<Theme> {
    THEMES
        .into_iter()
        .find(|theme| theme.name.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests;
