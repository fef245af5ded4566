//! The themes: which color everything has. State never rests on these colors alone; it has a shape as well.

use ratatui::style::{Color, Modifier, Style};
use tabiya_rules::Color as Side;

use super::color::Depth;

/// The colors of a theme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Theme {
    pub(crate) name: &'static str,
    /// What stands behind everything; `Reset` is the terminal's own.
    pub(crate) background: Color,
    pub(crate) text: Color,
    /// Text that matters less.
    pub(crate) dim: Color,
    /// What can be chosen, and what is news.
    pub(crate) accent: Color,
    /// What was refused, and what is urgent.
    pub(crate) warning: Color,
    pub(crate) light: Color,
    pub(crate) dark: Color,
    /// The squares of the last move.
    pub(crate) last: Color,
    /// The square of the piece that is held.
    pub(crate) selected: Color,
    /// The square of a king in check.
    pub(crate) check: Color,
    /// How a game ended.
    pub(crate) ending: Color,
    /// Targets, frames and signs on the board.
    pub(crate) mark: Color,
    /// Whether figures of one cell stand on patches of their own.
    pub(crate) patches: bool,
    /// The cursor where there is no room for a frame.
    pub(crate) cursor: Color,
    /// The squares that a player marked, and the ends of arrows, one after another.
    pub(crate) tints: [Color; 4],
    pub(crate) white: Color,
    pub(crate) black: Color,
}

const fn rgb(color: u32) -> Color {
    Color::Rgb((color >> 16) as u8, (color >> 8) as u8, color as u8)
}

/// The theme for terminals of sixteen colors, whose exact colors nobody knows.
pub(crate) const TERMINAL: Theme = Theme {
    name: "terminal",
    background: Color::Reset,
    text: Color::Reset,
    dim: Color::Reset,
    accent: Color::Cyan,
    warning: Color::Red,
    light: Color::Cyan,
    dark: Color::Blue,
    last: Color::Green,
    selected: Color::Yellow,
    check: Color::Red,
    ending: Color::Green,
    mark: Color::Black,
    patches: true,
    cursor: Color::LightMagenta,
    tints: [
        Color::Magenta,
        Color::LightBlue,
        Color::LightGreen,
        Color::LightRed,
    ],
    white: Color::White,
    black: Color::Black,
};

/// Every theme, the first the one to begin with.
pub(crate) const THEMES: [Theme; 6] = [
    Theme {
        name: "wood",
        background: Color::Reset,
        text: Color::Reset,
        dim: rgb(0x9a_90_86),
        accent: rgb(0xd7_a8_5f),
        warning: rgb(0xe0_6c_5a),
        light: rgb(0xc6_9c_6d),
        dark: rgb(0x86_58_38),
        last: rgb(0x9d_8f_2c),
        selected: rgb(0x5f_87_3f),
        check: rgb(0xb5_40_3a),
        ending: rgb(0x9c_c8_6a),
        mark: rgb(0x1c_1c_1c),
        patches: false,
        cursor: rgb(0xf2_e0_3c),
        tints: [
            rgb(0x3a_78_c8),
            rgb(0xd0_7a_b0),
            rgb(0x1f_8a_80),
            rgb(0x8a_5f_c0),
        ],
        white: rgb(0xff_ff_ff),
        black: rgb(0x00_00_00),
    },
    Theme {
        name: "sea",
        background: Color::Reset,
        text: Color::Reset,
        dim: rgb(0x88_92_9c),
        accent: rgb(0x6f_b3_d9),
        warning: rgb(0xe0_7a_6a),
        light: rgb(0x8d_a6_c0),
        dark: rgb(0x4c_6a_8c),
        last: rgb(0x5d_8f_8a),
        selected: rgb(0xa0_8a_3c),
        check: rgb(0xb0_4a_58),
        ending: rgb(0x8f_d0_8a),
        mark: rgb(0x10_18_20),
        patches: false,
        cursor: rgb(0xf2_e0_3c),
        tints: [
            rgb(0xb8_6a_24),
            rgb(0x8a_5f_c0),
            rgb(0x4f_8f_3a),
            rgb(0xc8_70_a8),
        ],
        white: rgb(0xff_ff_ff),
        black: rgb(0x00_00_00),
    },
    Theme {
        name: "forest",
        background: Color::Reset,
        text: Color::Reset,
        dim: rgb(0x8c_96_84),
        accent: rgb(0x8f_c0_6a),
        warning: rgb(0xe0_7a_5a),
        light: rgb(0x9d_ae_76),
        dark: rgb(0x56_74_40),
        last: rgb(0x8a_8a_3a),
        selected: rgb(0x3f_7f_8f),
        check: rgb(0xb0_4a_3a),
        ending: rgb(0xe0_c8_5a),
        mark: rgb(0x12_1a_0e),
        patches: false,
        cursor: rgb(0xf2_e0_3c),
        tints: [
            rgb(0x3a_68_c8),
            rgb(0xb8_6a_24),
            rgb(0x9a_5f_c0),
            rgb(0xc8_70_a8),
        ],
        white: rgb(0xff_ff_ff),
        black: rgb(0x00_00_00),
    },
    Theme {
        name: "night",
        background: rgb(0x16_17_1c),
        text: rgb(0xd6_d8_e0),
        dim: rgb(0x8b_8e_9c),
        accent: rgb(0x9d_b2_f2),
        warning: rgb(0xf0_80_80),
        light: rgb(0x84_87_98),
        dark: rgb(0x52_55_66),
        last: rgb(0x6b_6a_9c),
        selected: rgb(0x3f_80_78),
        check: rgb(0xa8_44_4c),
        ending: rgb(0x8f_d0_a0),
        mark: rgb(0x0c_0d_12),
        patches: false,
        cursor: rgb(0xf2_e0_3c),
        tints: [
            rgb(0xb8_6a_24),
            rgb(0x3a_78_c8),
            rgb(0x4f_8f_3a),
            rgb(0xc0_6a_a0),
        ],
        white: rgb(0xff_ff_ff),
        black: rgb(0x00_00_00),
    },
    Theme {
        name: "contrast",
        background: rgb(0x00_00_00),
        text: rgb(0xff_ff_ff),
        dim: rgb(0xc8_c8_c8),
        accent: rgb(0xff_d7_00),
        warning: rgb(0xff_87_87),
        light: rgb(0x92_92_92),
        dark: rgb(0x5e_5e_5e),
        last: rgb(0x3a_78_a8),
        selected: rgb(0x8a_6c_00),
        check: rgb(0xb0_3a_3a),
        ending: rgb(0x87_ff_af),
        mark: rgb(0x00_00_00),
        patches: true,
        cursor: rgb(0xf2_e0_3c),
        tints: [
            rgb(0x8a_5f_c0),
            rgb(0xb0_60_18),
            rgb(0x2f_8a_5f),
            rgb(0xb8_58_90),
        ],
        white: rgb(0xff_ff_ff),
        black: rgb(0x00_00_00),
    },
    TERMINAL,
];

/// The theme of a name.
pub(crate) fn find(name: &str) -> Option<Theme> {
    THEMES
        .into_iter()
        .find(|theme| theme.name.eq_ignore_ascii_case(name))
}

/// A theme as a terminal shows it, with the styles that the screens ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Palette {
    theme: Theme,
    depth: Depth,
}

impl Palette {
    pub(crate) fn new(theme: Theme, depth: Depth) -> Palette {
        // A terminal of sixteen colors cannot show the others.
        let theme = match depth {
            Depth::Sixteen => TERMINAL,
            _ => theme,
        };
        Palette { theme, depth }
    }

    /// Whether there are no colors, so that the squares need a pattern.
    pub(crate) fn is_mono(&self) -> bool {
        self.depth == Depth::Mono
    }

    /// Whether figures of one cell stand on patches of their own: where nobody knows how the squares look, where there
    /// are no colors, and where a theme wants text to be as plain as can be.
    pub(crate) fn has_patches(&self) -> bool {
        self.is_mono() || self.theme.patches
    }

    fn ink(&self, color: Color) -> Style {
        Style::new()
            .fg(self.depth.show(color))
            .bg(self.depth.show(self.theme.background))
    }

    pub(crate) fn text(&self) -> Style {
        self.ink(self.theme.text)
    }

    pub(crate) fn dim(&self) -> Style {
        let style = self.ink(self.theme.dim);
        if self.theme.dim == Color::Reset || self.is_mono() {
            style.add_modifier(Modifier::DIM)
        } else {
            style
        }
    }

    pub(crate) fn accent(&self) -> Style {
        self.ink(self.theme.accent).add_modifier(Modifier::BOLD)
    }

    pub(crate) fn warning(&self) -> Style {
        self.ink(self.theme.warning).add_modifier(Modifier::BOLD)
    }

    pub(crate) fn ending(&self) -> Style {
        self.ink(self.theme.ending).add_modifier(Modifier::BOLD)
    }

    /// What is chosen among several.
    pub(crate) fn chosen(&self) -> Style {
        self.text().add_modifier(Modifier::REVERSED)
    }

    /// A square without anything special.
    pub(crate) fn square(&self, is_light: bool) -> Style {
        let color = if is_light {
            self.theme.light
        } else {
            self.theme.dark
        };
        self.on(color)
    }

    pub(crate) fn last(&self) -> Style {
        self.on(self.theme.last)
    }

    pub(crate) fn selected(&self) -> Style {
        self.on(self.theme.selected)
    }

    pub(crate) fn check(&self) -> Style {
        self.on(self.theme.check)
    }

    /// The cursor on a square without room for a frame. Without colors it is a block beside the piece.
    pub(crate) fn cursor(&self) -> Style {
        let style = self.on(self.theme.cursor).add_modifier(Modifier::BOLD);
        if self.is_mono() {
            style.add_modifier(Modifier::REVERSED)
        } else {
            style
        }
    }

    /// The frame of the cursor on a square: of its color, so that it is found at a glance, or only bold where there is none.
    pub(crate) fn frame(&self, square: Style) -> Style {
        if self.is_mono() {
            square.add_modifier(Modifier::BOLD)
        } else {
            self.cursor()
        }
    }

    /// A square that was marked, or an end of an arrow by its number.
    pub(crate) fn tint(&self, number: usize) -> Style {
        let color = self.theme.tints.get(number % self.theme.tints.len());
        self.on(color.copied().unwrap_or(self.theme.mark))
    }

    /// Signs are drawn in one color on every square.
    fn on(&self, background: Color) -> Style {
        Style::new()
            .fg(self.depth.show(self.theme.mark))
            .bg(self.depth.show(background))
    }

    /// A piece of one cell: on a patch of its own color, so that the thin lines of a figure are read on any square.
    pub(crate) fn piece(&self, side: Side, square: Style) -> Style {
        let (own, other) = match side {
            Side::White => (self.theme.white, self.theme.black),
            Side::Black => (self.theme.black, self.theme.white),
        };
        if self.is_mono() {
            return square.add_modifier(Modifier::BOLD);
        }
        square.fg(self.depth.show(other)).bg(self.depth.show(own))
    }

    /// The color of a drawn piece, which is large enough to do without a patch.
    pub(crate) fn drawn(&self, side: Side, square: Style) -> Style {
        let own = match side {
            Side::White => self.theme.white,
            Side::Black => self.theme.black,
        };
        square.fg(self.depth.show(own))
    }
}

#[cfg(test)]
mod tests;
