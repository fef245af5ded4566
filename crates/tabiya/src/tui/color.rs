//! How many colors a terminal has, and how a color is shown with them.

use ratatui::style::Color;

/// The colors a terminal can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Depth {
    /// None: everything is told by shape.
    Mono,
    Sixteen,
    /// A cube of 216 colors and a ramp of grays.
    Indexed,
    TrueColor,
}

/// Which colors the user asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Wish {
    /// What the terminal can show, and none under NO_COLOR
    Auto,
    /// As many as the terminal is known to have, also under NO_COLOR
    Always,
    /// None; everything is told by shape
    Never,
    /// The sixteen that every colored terminal has
    #[value(name = "16")]
    Sixteen,
    /// The 256 that most terminals have
    #[value(name = "256")]
    Indexed,
    /// Any color
    #[value(name = "truecolor")]
    TrueColor,
}

impl Depth {
    /// What the environment says about the terminal. `variable` looks a variable up.
    pub(crate) fn detect(wish: Wish, variable: impl Fn(&str) -> Option<String>) -> Depth {
        let set = |name| variable(name).filter(|value| !value.is_empty());
        match wish {
            Wish::Never => return Depth::Mono,
            Wish::Sixteen => return Depth::Sixteen,
            Wish::Indexed => return Depth::Indexed,
            Wish::TrueColor => return Depth::TrueColor,
            Wish::Auto if set("NO_COLOR").is_some() => return Depth::Mono,
            Wish::Auto | Wish::Always => {}
        }
        let term = set("TERM").unwrap_or_default();
        let truecolor =
            set("COLORTERM").is_some_and(|value| matches!(&*value, "truecolor" | "24bit"));
        if truecolor || term.ends_with("-direct") {
            return Depth::TrueColor;
        }
        if term.contains("256color") {
            return Depth::Indexed;
        }
        match &*term {
            "dumb" | "" | "vt100" | "vt102" | "vt220" if wish == Wish::Auto => Depth::Mono,
            _ => Depth::Sixteen,
        }
    }

    /// A color as this terminal shows it.
    pub(crate) fn show(self, color: Color) -> Color {
        match (self, color) {
            (Depth::Mono, _) => Color::Reset,
            (Depth::Indexed, Color::Rgb(red, green, blue)) => {
                Color::Indexed(nearest(red, green, blue))
            }
            (_, color) => color,
        }
    }
}

/// The nearest color among the cube and the ramp of the 256-color terminals.
fn nearest(red: u8, green: u8, blue: u8) -> u8 {
    const STEPS: [u8; 6] = [0, 95, 135, 175, 215, 255];
    let step = |value: u8| {
        let far = |at: &usize| STEPS.get(*at).map_or(255, |step| step.abs_diff(value));
        (0..STEPS.len()).min_by_key(far).unwrap_or(0)
    };
    let wanted = [red, green, blue];
    let [r, g, b] = wanted.map(step);
    let cube = [r, g, b].map(|at| STEPS.get(at).copied().unwrap_or(0));
    let gray_step = (u16::from(red) + u16::from(green) + u16::from(blue)) / 3;
    let gray_at = (gray_step.saturating_sub(3) / 10).min(23) as u8;
    let gray = [8 + 10 * gray_at; 3];
    let distance = |shown: [u8; 3]| -> u32 {
        wanted
            .iter()
            .zip(shown)
            .map(|(&a, b)| u32::from(a.abs_diff(b)).pow(2))
            .sum()
    };
    if distance(gray) < distance(cube) {
        232 + gray_at
    } else {
        // At most 16 + 215.
        (16 + 36 * r + 6 * g + b) as u8
    }
}

#[cfg(test)]
mod tests;
