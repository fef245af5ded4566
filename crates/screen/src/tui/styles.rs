//! A theme as a terminal shows it: the styles of everything on the screen, each with enough contrast to be read.
//!
//! A square keeps its color under pieces, if the theme has colors that allow it. Elsewhere, under a piece, the color is changed
//! just enough for the piece to stand out: light squares are darker under White's pieces, and dark squares are lighter under
//! Black's.

use ratatui_core::style::{Color, Modifier, Style};
use tabiya_front::color::{Depth, Rgb};
use tabiya_front::theme::{READABLE, TERMINAL, Theme, Tint, tint};
use tabiya_game::{Glyph, MarkColor};
use tabiya_rules::{Color as Side, Piece};

use super::graphics;

/// What the color of a square shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ground {
    Light,
    Dark,
    /// A light square of the last move.
    LastLight,
    /// A dark one.
    LastDark,
    /// The square of a selected piece.
    Selected,
    /// The square of a king in check.
    Check,
    /// A marked square, or an end of an arrow.
    Marked(MarkColor),
}

/// A theme as a terminal shows it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Styles {
    theme: Theme,
    depth: Depth,
    /// The terminal's own background, if it has reported it.
    backdrop: Option<Rgb>,
}

impl Styles {
    /// A theme as a terminal with these colors shows it.
    pub(crate) fn new(theme: Theme, depth: Depth, backdrop: Option<Rgb>) -> Styles {
        // A terminal with sixteen colors cannot show the other themes.
        let theme = match depth {
            Depth::Sixteen => TERMINAL,
            Depth::Mono | Depth::Indexed | Depth::TrueColor => theme,
        };
        Styles {
            theme,
            depth,
            backdrop,
        }
    }

    /// Whether there are no colors, so dark squares need a pattern.
    pub(crate) fn is_mono(&self) -> bool {
        self.depth == Depth::Mono
    }

    /// The style of text in a color. If the background is unknown, the text must be readable on black and on white.
    fn ink(&self, color: Color) -> Style {
        let background = self.depth.show(self.theme.background);
        let black_and_white = [Rgb::BLACK, Rgb::WHITE].map(Rgb::color);
        let shown = match (Rgb::of(background), self.backdrop) {
            (Some(known), _) => self.legible(color, &[known.color()]),
            (None, Some(told)) => self.legible(readable(color, Some(told)), &[told.color()]),
            // No color has more contrast than this to both black and white.
            (None, None) => {
                let color = readable(color, None);
                self.depth.legible(color, &black_and_white, READABLE)
            }
        };
        Style::new().fg(shown).bg(background)
    }

    /// A color that can be read on the background.
    fn legible(&self, color: Color, on: &[Color]) -> Color {
        self.depth.legible(color, on, self.theme.contrast)
    }

    pub(crate) fn text(&self) -> Style {
        self.ink(self.theme.text)
    }

    /// What matters less.
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

    /// Refusals and dangers.
    pub(crate) fn warning(&self) -> Style {
        self.ink(self.theme.warning).add_modifier(Modifier::BOLD)
    }

    /// A move with a mark that says how bad it was, in the color of its dot on the curve that is exported; `None` for any
    /// other mark.
    pub(crate) fn assessed(&self, glyph: Glyph) -> Option<Style> {
        let (color, of_sixteen) = match glyph {
            Glyph::BLUNDER => (Color::Rgb(0xd0, 0x20, 0x20), Color::Red),
            Glyph::MISTAKE => (Color::Rgb(0xe0, 0x7a, 0x10), Color::Red),
            Glyph::DUBIOUS => (Color::Rgb(0xc0, 0xa0, 0x00), Color::Magenta),
            _ => return None,
        };
        let named = self.depth == Depth::Sixteen;
        Some(self.ink(if named { of_sixteen } else { color }))
    }

    pub(crate) fn ending(&self) -> Style {
        self.ink(self.theme.ending).add_modifier(Modifier::BOLD)
    }

    /// The chosen entry of a list.
    pub(crate) fn chosen(&self) -> Style {
        self.text().add_modifier(Modifier::REVERSED)
    }

    /// The style of a square and of the symbols on it; `occupant` is the side of the piece there.
    pub(crate) fn square(&self, ground: Ground, occupant: Option<Side>) -> Style {
        let known = Rgb::of(self.theme.light).is_some();
        let background = match (self.tint(ground), occupant) {
            _ if !known => self.depth.show(sixteen(ground, occupant)),
            (Some(tint), _) if self.depth == Depth::Indexed => Color::Indexed(tint.indexed),
            (Some(tint), _) => self.depth.show(tint.color),
            (None, None) => self.depth.show(self.wanted(ground)),
            (None, Some(side)) => self.legible(self.wanted(ground), &[self.fill(side)]),
        };
        self.on(background)
    }

    /// The color of a square of cells, with any piece and without one.
    fn tint(&self, ground: Ground) -> Option<Tint> {
        let cells = self.theme.cells?;
        Some(match ground {
            Ground::Light => cells.light,
            Ground::Dark => cells.dark,
            Ground::LastLight => cells.last_light,
            Ground::LastDark => cells.last_dark,
            Ground::Selected => cells.selected,
            Ground::Check => cells.check,
            Ground::Marked(MarkColor::Green) => tint(0x3f_8a_42, 28),
            Ground::Marked(MarkColor::Red) => tint(0xc9_50_6f, 132),
            Ground::Marked(MarkColor::Yellow) => tint(0x90_78_17, 100),
            Ground::Marked(MarkColor::Blue) => tint(0x2d_7a_db, 32),
        })
    }

    /// The color that the theme asks for.
    fn wanted(&self, ground: Ground) -> Color {
        match ground {
            Ground::Light => self.theme.light,
            Ground::Dark => self.theme.dark,
            Ground::LastLight | Ground::LastDark => self.theme.last,
            Ground::Selected => self.theme.selected,
            Ground::Check => self.theme.check,
            Ground::Marked(color) => mark(color),
        }
    }

    /// The style of symbols on a background.
    fn on(&self, background: Color) -> Style {
        let wanted = match is_dark(background) {
            true => Color::White,
            false => self.theme.mark,
        };
        // Black or white has at least this contrast to any color, but not always more.
        let sign = self.depth.legible(wanted, &[background], READABLE);
        Style::new().fg(sign).bg(background)
    }

    /// The cursor on a square that is too small for a frame. Without colors it is a block beside the piece.
    pub(crate) fn cursor(&self) -> Style {
        let background = self.depth.show(self.theme.cursor);
        let style = self.on(background).add_modifier(Modifier::BOLD);
        if self.is_mono() {
            style.add_modifier(Modifier::REVERSED)
        } else {
            style
        }
    }

    /// The frame of the cursor on a square: in the cursor's color, so that it is easy to find, or in reverse video if
    /// there are no colors.
    pub(crate) fn frame(&self, square: Style) -> Style {
        if self.is_mono() {
            self.swapped(square).add_modifier(Modifier::BOLD)
        } else {
            self.cursor()
        }
    }

    /// The style of the symbol of a mark, on the mark's color.
    pub(crate) fn sign(&self, color: MarkColor) -> Style {
        self.square(Ground::Marked(color), None)
            .add_modifier(Modifier::BOLD)
    }

    /// The style of a piece on a square.
    pub(crate) fn piece(&self, side: Side, square: Style) -> Style {
        if self.is_mono() {
            // Not bold: many fonts have no bold block elements, and shapes would get gaps.
            square
        } else {
            square.fg(self.fill(side))
        }
    }

    /// The style of a square with a drawn piece. Without colors, the sides differ by reverse video, so that White's
    /// pieces are the lighter ones. A terminal that has not reported its background is taken for a dark one.
    pub(crate) fn chip(&self, side: Side, square: Style) -> Style {
        let is_light = self.backdrop.is_some_and(|told| told.luminance() > 0.5);
        let reversed = if is_light { Side::White } else { Side::Black };
        if self.is_mono() && side == reversed {
            square.add_modifier(Modifier::REVERSED)
        } else {
            square
        }
    }

    /// The same style with foreground and background swapped.
    pub(crate) fn swapped(&self, style: Style) -> Style {
        if !self.is_mono() {
            let (fg, bg) = (style.bg, style.fg);
            return Style { fg, bg, ..style };
        }
        if style.add_modifier.contains(Modifier::REVERSED) {
            style.remove_modifier(Modifier::REVERSED)
        } else {
            style.add_modifier(Modifier::REVERSED)
        }
    }

    /// The colors of a square in a picture and of the symbols on it; `None` if only the terminal knows its color.
    /// Pictures can have any color. Their squares are light enough for Black's pieces and for the black outlines of
    /// White's.
    pub(crate) fn picture_square(&self, ground: Ground) -> Option<(Rgb, Rgb)> {
        let wanted = self.wanted(ground);
        Rgb::of(wanted).filter(|_| !self.is_mono())?;
        let square = Depth::TrueColor.legible(wanted, &[Rgb::BLACK.color()], self.theme.contrast);
        let sign = Depth::TrueColor.legible(self.theme.mark, &[square], READABLE);
        Some((Rgb::of(square)?, Rgb::of(sign)?))
    }

    /// A piece in a picture: the color of its fill, and of the lines inside it. The outline is black.
    pub(crate) fn picture_piece(&self, piece: Piece) -> Option<graphics::Piece> {
        let (fill, detail) = match piece.color {
            Side::White => (self.theme.white, Rgb::BLACK),
            Side::Black => (self.theme.black, Rgb::WHITE),
        };
        let (role, fill) = (piece.role, Rgb::of(fill)?);
        Some(graphics::Piece { role, fill, detail })
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

/// The colors of marks are the same in all themes, because the game names them.
fn mark(color: MarkColor) -> Color {
    match color {
        MarkColor::Green => Color::Rgb(0x4c, 0xa6, 0x50),
        MarkColor::Red => Color::Rgb(0xe0, 0x72, 0x6a),
        MarkColor::Yellow => Color::Rgb(0xe0, 0xc0, 0x40),
        MarkColor::Blue => Color::Rgb(0x4a, 0x8c, 0xe0),
    }
}

/// Whether a color is one of the sixteen, and dark on every terminal.
fn is_dark(color: Color) -> bool {
    matches!(
        color,
        Color::Black | Color::DarkGray | Color::Blue | Color::Red | Color::Magenta
    )
}

/// A color for text on a background. The light ones of the sixteen cannot be read on a light background; magenta can be
/// read on any.
fn readable(color: Color, background: Option<Rgb>) -> Color {
    let is_faint = [Color::Cyan, Color::Green].contains(&color);
    match background.map(Rgb::luminance) {
        _ if !is_faint => color,
        None => Color::Magenta,
        Some(luminance) if luminance > 0.5 => Color::Blue,
        Some(_) => color,
    }
}

/// The colors of squares on terminals with sixteen colors, of which only the names are known: dark ones under White's
/// pieces, light ones under Black's.
fn sixteen(ground: Ground, occupant: Option<Side>) -> Color {
    match (ground, occupant) {
        (Ground::Light, Some(Side::White)) => Color::DarkGray,
        (Ground::Light, _) => Color::Gray,
        (Ground::Dark, Some(Side::Black)) => Color::LightBlue,
        (Ground::Dark, _) => Color::Blue,
        (Ground::LastLight | Ground::LastDark, _) => Color::Magenta,
        (Ground::Selected, Some(Side::White)) => Color::Black,
        (Ground::Selected, Some(Side::Black)) => Color::LightGreen,
        (Ground::Selected, None) => Color::Green,
        (Ground::Check, Some(Side::Black)) => Color::LightRed,
        (Ground::Check, _) => Color::Red,
        // Other squares can have these colors too, but not the symbol of a mark.
        // White pieces would not stand out from these colors, but the symbol of the mark shows them.
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
