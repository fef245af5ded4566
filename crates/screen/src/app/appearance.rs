//! How everything is shown: colors, pieces, which side is at the bottom.

use ratatui_core::layout::Size;
use tabiya_front::appearance::PieceStyle;
use tabiya_front::color::{Depth, Rgb};
use tabiya_front::config::settings::Settings;
use tabiya_front::theme::{THEMES, Theme};
use tabiya_rules::Color;

use crate::tui::charset::Charset;
use crate::tui::styles::Styles;

/// How everything is shown.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Appearance {
    /// The size of the terminal.
    pub(crate) size: Size,
    pub(crate) theme: Theme,
    pub(crate) depth: Depth,
    /// The color depth that the terminal reports.
    detected: Depth,
    /// The terminal's background color, if it has reported one.
    pub(crate) backdrop: Option<Rgb>,
    pub(crate) charset: Charset,
    pub(crate) pieces: PieceStyle,
    /// How finely the terminal is known to draw.
    pub(crate) finest: PieceStyle,
    /// Whether the terminal can show pictures.
    pub(crate) has_pictures: bool,
    /// The side at the bottom.
    pub(crate) bottom: Color,
    pub(crate) blindfold: bool,
}

impl Appearance {
    /// How everything is shown before the settings are applied.
    pub(super) fn new(detected: Depth, size: Size) -> Appearance {
        Appearance {
            size,
            theme: THEMES[0],
            depth: detected,
            detected,
            backdrop: None,
            charset: Charset::Unicode,
            pieces: PieceStyle::Auto,
            finest: PieceStyle::Blocks,
            has_pictures: false,
            bottom: Color::White,
            blindfold: false,
        }
    }

    /// Applies the user's settings.
    pub(super) fn apply(&mut self, settings: &Settings) {
        self.theme = settings.theme;
        self.pieces = settings.pieces;
        self.depth = settings.colors.unwrap_or(self.detected);
    }

    /// The styles of the theme in this terminal.
    pub(crate) fn styles(&self) -> Styles {
        Styles::new(self.theme, self.depth, self.backdrop)
    }

    /// The style of the pieces, as far as the terminal supports it.
    pub(crate) fn pieces(&self) -> PieceStyle {
        match self.charset {
            Charset::Unicode if self.pieces == PieceStyle::Auto => self.finest,
            Charset::Unicode => self.pieces,
            Charset::Ascii => PieceStyle::Letters,
        }
    }

    /// Hides or shows the pieces. Returns the message about it, which names the key that does so.
    pub(super) fn set_blindfold(&mut self, blindfold: bool, key: Option<String>) -> String {
        self.blindfold = blindfold;
        match (blindfold, key) {
            (true, Some(key)) => {
                format!("Blindfold: the pieces are hidden. {key} shows them again.")
            }
            (true, None) => "Blindfold: the pieces are hidden.".to_owned(),
            (false, _) => "The pieces are shown again.".to_owned(),
        }
    }

    /// Sets a theme, or the next one. Returns the message about it.
    pub(super) fn set_theme(&mut self, theme: Option<Theme>) -> String {
        let at = THEMES
            .iter()
            .position(|known| known.name == self.theme.name);
        let next = || THEMES[at.map_or(0, |at| (at + 1) % THEMES.len())];
        self.theme = theme.unwrap_or_else(next);
        match self.depth {
            Depth::Mono => "There are no colors in this terminal, so themes look alike.".to_owned(),
            Depth::Sixteen => "A terminal of 16 colors has one theme: terminal.".to_owned(),
            Depth::TrueColor | Depth::Indexed => format!("Theme: {}.", self.theme.name),
        }
    }

    /// Sets the style of the pieces. Returns the message, which depends on whether the squares are large enough for
    /// pictures.
    pub(super) fn set_pieces(&mut self, style: PieceStyle, squares_are_large: bool) -> String {
        self.pieces = style;
        let only_letters = self.pieces() == PieceStyle::Letters;
        if only_letters && style != PieceStyle::Letters {
            "This terminal can show pieces as letters only.".to_owned()
        } else if style.is_drawn() && !squares_are_large {
            "Pieces: drawn where squares are large enough; here they are figures.".to_owned()
        } else if style == PieceStyle::Auto {
            format!("Pieces: auto, here {}.", self.finest.name())
        } else {
            format!("Pieces: {}.", style.name())
        }
    }
}
