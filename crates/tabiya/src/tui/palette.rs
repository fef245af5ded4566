//! A theme as a terminal shows it: the styles that the screens ask for, each with enough contrast to be read.
//!
//! A square has the theme's color while it is empty. Under a piece the color is moved, by as little as will do, until the
//! piece stands out from it: light squares are darker under White's pieces, dark ones lighter under Black's.

use ratatui::style::{Color, Modifier, Style};
use tabiya_game::MarkColor;
use tabiya_rules::Color as Side;

use super::color::{Depth, Rgb};
use super::theme::{READABLE, TERMINAL, Theme};

/// What the color of a square tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ground {
    Light,
    Dark,
    /// A square of the last move.
    Last,
    /// The square of a piece that is held.
    Selected,
    /// The square of a king in check.
    Check,
    /// A square that was marked, or an end of an arrow.
    Marked(MarkColor),
}

/// A theme as a terminal shows it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Palette {
    theme: Theme,
    depth: Depth,
    /// The terminal's own background, where it has told.
    backdrop: Option<Rgb>,
}

impl Palette {
    pub(crate) fn new(theme: Theme, depth: Depth, backdrop: Option<Rgb>) -> Palette {
        // A terminal of sixteen colors cannot show the others.
        let theme = match depth {
            Depth::Sixteen => TERMINAL,
            Depth::Mono | Depth::Indexed | Depth::TrueColor => theme,
        };
        Palette {
            theme,
            depth,
            backdrop,
        }
    }

    /// Whether there are no colors, so that the squares need a pattern.
    pub(crate) fn is_mono(&self) -> bool {
        self.depth == Depth::Mono
    }

    /// Text of a color. If its background is unknown, it must be readable on black and on white.
    fn ink(&self, color: Color) -> Style {
        let background = self.depth.show(self.theme.background);
        let black_and_white = [Color::Rgb(0, 0, 0), Color::Rgb(255, 255, 255)];
        let shown = match (Rgb::of(background), self.backdrop) {
            (Some(known), _) => self.legible(color, &[known.color()]),
            (None, Some(told)) => self.legible(readable(color, told), &[told.color()]),
            // Black and white leave no room for more contrast than this.
            (None, None) => self.depth.legible(color, &black_and_white, READABLE),
        };
        Style::new().fg(shown).bg(background)
    }

    fn legible(&self, color: Color, on: &[Color]) -> Color {
        self.depth.legible(color, on, self.theme.contrast)
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

    /// A square with the symbols on it, empty or under a piece.
    pub(crate) fn square(&self, ground: Ground, occupant: Option<Side>) -> Style {
        let known = Rgb::of(self.theme.light).is_some();
        let background = match occupant {
            _ if !known => self.depth.show(sixteen(ground, occupant)),
            None => self.depth.show(self.wished(ground)),
            Some(side) => self.legible(self.wished(ground), &[self.fill(side)]),
        };
        self.on(background)
    }

    /// The theme's color for a square.
    fn wished(&self, ground: Ground) -> Color {
        match ground {
            Ground::Light => self.theme.light,
            Ground::Dark => self.theme.dark,
            Ground::Last => self.theme.last,
            Ground::Selected => self.theme.selected,
            Ground::Check => self.theme.check,
            Ground::Marked(color) => mark(color),
        }
    }

    /// Signs on a background.
    fn on(&self, background: Color) -> Style {
        let wished = match is_dark(background) {
            true => Color::White,
            false => self.theme.mark,
        };
        // Black or white has this contrast with any color, and neither has more with every one.
        let sign = self.depth.legible(wished, &[background], READABLE);
        Style::new().fg(sign).bg(background)
    }

    /// The cursor on a square without room for a frame. Without colors it is a block beside the piece.
    pub(crate) fn cursor(&self) -> Style {
        let background = self.depth.show(self.theme.cursor);
        let style = self.on(background).add_modifier(Modifier::BOLD);
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

    /// The symbol of a mark in its own color, and its background.
    pub(crate) fn sign(&self, color: MarkColor) -> Style {
        self.square(Ground::Marked(color), None)
            .add_modifier(Modifier::BOLD)
    }

    /// A piece on its square.
    pub(crate) fn piece(&self, side: Side, square: Style) -> Style {
        if self.is_mono() {
            square.add_modifier(Modifier::BOLD)
        } else {
            square.fg(self.fill(side))
        }
    }

    /// A square of a picture and the signs on it; `None` where the terminal decides its color. A picture has all colors.
    /// Its squares are light enough for Black's pieces and for the black lines around White's.
    pub(crate) fn picture_square(&self, ground: Ground) -> Option<(Rgb, Rgb)> {
        let wished = self.wished(ground);
        Rgb::of(wished).filter(|_| !self.is_mono())?;
        let square = Depth::TrueColor.legible(wished, &[Rgb::BLACK.color()], self.theme.contrast);
        let sign = Depth::TrueColor.legible(self.theme.mark, &[square], READABLE);
        Some((Rgb::of(square)?, Rgb::of(sign)?))
    }

    /// A piece of a picture: its fill, and the lines inside it. The line around it is black.
    pub(crate) fn picture_piece(&self, side: Side) -> Option<(Rgb, Rgb)> {
        match side {
            Side::White => Some((Rgb::of(self.theme.white)?, Rgb::BLACK)),
            Side::Black => Some((Rgb::of(self.theme.black)?, Rgb::WHITE)),
        }
    }

    /// The color of a mark in a picture.
    pub(crate) fn picture_mark(&self, color: MarkColor) -> Option<Rgb> {
        Rgb::of(mark(color))
    }

    /// The cursor's frame in a picture.
    pub(crate) fn picture_cursor(&self) -> Option<Rgb> {
        Rgb::of(self.theme.cursor)
    }

    /// The color of a side's pieces.
    fn fill(&self, side: Side) -> Color {
        self.depth.show(match side {
            Side::White => self.theme.white,
            Side::Black => self.theme.black,
        })
    }
}

/// The colors of marks are the same in all themes: a game says which they are.
fn mark(color: MarkColor) -> Color {
    match color {
        MarkColor::Green => Color::Rgb(0x4c, 0xa6, 0x50),
        MarkColor::Red => Color::Rgb(0xe0, 0x72, 0x6a),
        MarkColor::Yellow => Color::Rgb(0xe0, 0xc0, 0x40),
        MarkColor::Blue => Color::Rgb(0x4a, 0x8c, 0xe0),
    }
}

/// Whether one of the sixteen colors is dark on every terminal. The others, and those that are known, are not meant.
fn is_dark(color: Color) -> bool {
    [
        Color::Black,
        Color::DarkGray,
        Color::Blue,
        Color::Red,
        Color::Magenta,
    ]
    .contains(&color)
}

/// A color for text on a background: the light ones of the sixteen cannot be read on light backgrounds.
fn readable(color: Color, background: Rgb) -> Color {
    let is_faint = [Color::Cyan, Color::Green].contains(&color);
    if is_faint && background.luminance() > 0.5 {
        Color::Blue
    } else {
        color
    }
}

/// The squares with the sixteen colors of which only the names are known: the dark ones under White's pieces, the light
/// ones under Black's.
fn sixteen(ground: Ground, occupant: Option<Side>) -> Color {
    match (ground, occupant) {
        (Ground::Light, Some(Side::White)) => Color::DarkGray,
        (Ground::Light, _) => Color::Gray,
        (Ground::Dark, Some(Side::Black)) => Color::LightBlue,
        (Ground::Dark, _) => Color::Blue,
        (Ground::Last, _) => Color::Magenta,
        (Ground::Selected, Some(Side::White)) => Color::Black,
        (Ground::Selected, Some(Side::Black)) => Color::LightGreen,
        (Ground::Selected, None) => Color::Green,
        (Ground::Check, Some(Side::Black)) => Color::LightRed,
        (Ground::Check, _) => Color::Red,
        // These are also squares of other kinds, and have a sign that those do not have.
        // White could not be seen on their colors, which the sign has.
        (Ground::Marked(MarkColor::Green | MarkColor::Yellow), Some(Side::White)) => {
            Color::DarkGray
        }
        (Ground::Marked(MarkColor::Green), _) => Color::LightGreen,
        (Ground::Marked(MarkColor::Red), Some(Side::White)) => Color::Red,
        (Ground::Marked(MarkColor::Red), _) => Color::LightRed,
        (Ground::Marked(MarkColor::Yellow), _) => Color::Yellow,
        (Ground::Marked(MarkColor::Blue), Some(Side::White)) => Color::Blue,
        (Ground::Marked(MarkColor::Blue), _) => Color::LightBlue,
    }
}

#[cfg(test)]
mod tests;
