//! How many colors a terminal has, and the nearest of them to a given color.

use std::sync::LazyLock;

use ratatui_core::style::Color;

/// The colors a terminal can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// No colors: everything is shown by shape.
    Mono,
    Sixteen,
    /// A cube of 216 colors and a ramp of grays.
    Indexed,
    TrueColor,
}

/// Which colors the user asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum ColorChoice {
    /// What the terminal can show, and none under NO_COLOR
    Auto,
    /// As many as the terminal is known to have, also under NO_COLOR
    Always,
    /// None; everything is told by shape
    #[value(alias = "none")]
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
    /// Detects the depth from the environment; `variable` looks up a variable.
    pub fn detect(choice: ColorChoice, variable: impl Fn(&str) -> Option<String>) -> Depth {
        let set = |name| variable(name).filter(|value| !value.is_empty());
        match choice {
            ColorChoice::Never => return Depth::Mono,
            ColorChoice::Sixteen => return Depth::Sixteen,
            ColorChoice::Indexed => return Depth::Indexed,
            ColorChoice::TrueColor => return Depth::TrueColor,
            ColorChoice::Auto if set("NO_COLOR").is_some() => return Depth::Mono,
            ColorChoice::Auto | ColorChoice::Always => {}
        }
        let term = set("TERM").unwrap_or_default();
        let truecolor =
            set("COLORTERM").is_some_and(|value| matches!(&*value, "truecolor" | "24bit"));
        if truecolor || term.ends_with("-direct") {
            return Depth::TrueColor;
        }
        // xterm has 256 colors, but the name in `TERM` does not say so.
        let is_xterm = term == "xterm" && set("XTERM_VERSION").is_some();
        if term.contains("256color") || is_xterm {
            return Depth::Indexed;
        }
        match &*term {
            "dumb" | "" | "vt100" | "vt102" | "vt220" if choice == ColorChoice::Auto => Depth::Mono,
            _ => Depth::Sixteen,
        }
    }

    /// A color as this terminal shows it.
    pub fn show(self, color: Color) -> Color {
        match self {
            Depth::Mono => Color::Reset,
            Depth::Indexed if let Color::Rgb(red, green, blue) = color => {
                Color::Indexed(nearest(red, green, blue))
            }
            Depth::Indexed | Depth::Sixteen | Depth::TrueColor => color,
        }
    }

    /// The color nearest to `wanted` that this terminal shows with a contrast of at least `ratio` to each of `others`.
    /// The terminal's own colors, whose values are unknown, stay as they are.
    pub fn legible(self, wanted: Color, others: &[Color], ratio: f64) -> Color {
        let shown = self.show(wanted);
        let (Some(rgb), false) = (Rgb::of(wanted), self == Depth::Mono) else {
            return shown;
        };
        // For each of the others, the range of luminances with too little contrast to it.
        let near = |rgb: Rgb| {
            let luminance = rgb.luminance() + 0.05;
            (luminance / ratio, luminance * ratio)
        };
        let known = others.iter().copied().filter_map(Rgb::of);
        let near: Vec<(f64, f64)> = known.map(near).collect();
        let is_legible = |&shown: &Color| {
            let found = Rgb::of(shown).map(|rgb| rgb.luminance() + 0.05);
            found.is_none_or(|found| {
                near.iter()
                    .all(|&(low, high)| found <= low || found >= high)
            })
        };
        if is_legible(&shown) {
            return shown;
        }
        let mixed = |step: u16| [Rgb::BLACK, Rgb::WHITE].map(|end| rgb.mixed(end, step).color());
        let mut nearer_first = (0..=Rgb::STEPS).flat_map(mixed);
        let mut found = nearer_first.find(is_legible);
        if self == Depth::Indexed {
            // The nearest legible color of the palette, and rather a paler one than one of another hue.
            let target = found.and_then(Rgb::of).unwrap_or(rgb);
            let far = |&color: &Color| {
                let turned = |other: Rgb| HUE_WEIGHT * target.hue_difference(other);
                Rgb::of(color).map(|other| target.distance(other) + turned(other) as u32)
            };
            let known = (16..=255).map(Color::Indexed).filter(is_legible);
            found = known.min_by_key(far);
        }
        // If no color has enough contrast to all of them, show what was wanted.
        found.unwrap_or(shown)
    }
}

/// A color whose value is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rgb(pub [u8; 3]);

impl Rgb {
    pub const BLACK: Rgb = Rgb([0; 3]);
    pub const WHITE: Rgb = Rgb([255; 3]);
    /// The number of steps from one color to another.
    pub const STEPS: u16 = 128;

    /// The value of a color; `None` if only the terminal knows it.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "the others are the terminal's own"
    )]
    pub fn of(color: Color) -> Option<Rgb> {
        match color {
            Color::Rgb(red, green, blue) => Some(Rgb([red, green, blue])),
            Color::Indexed(index @ 16..=231) => {
                let step = |at: u8| CUBE.get(usize::from(at % 6)).copied().unwrap_or(255);
                let index = index - 16;
                Some(Rgb([step(index / 36), step(index / 6), step(index)]))
            }
            Color::Indexed(index @ 232..) => Some(Rgb([8 + 10 * (index - 232); 3])),
            _ => None,
        }
    }

    pub fn color(self) -> Color {
        let Rgb([red, green, blue]) = self;
        Color::Rgb(red, green, blue)
    }

    /// The color this many steps on the way to another one.
    pub fn mixed(self, end: Rgb, step: u16) -> Rgb {
        Rgb(std::array::from_fn(|at| {
            let (from, to) = (u16::from(self.0[at]), u16::from(end.0[at]));
            ((from * (Rgb::STEPS - step) + to * step) / Rgb::STEPS) as u8
        }))
    }

    pub fn distance(self, other: Rgb) -> u32 {
        let parts = self.0.into_iter().zip(other.0);
        parts.map(|(a, b)| u32::from(a.abs_diff(b)).pow(2)).sum()
    }

    /// How far two colors point in different directions from gray, in the unit of [`Rgb::distance`]. For gray, which
    /// has no direction, it is a little.
    fn hue_difference(self, other: Rgb) -> f64 {
        let from_gray = |Rgb(parts): Rgb| {
            let parts = parts.map(f64::from);
            let mean = parts.iter().sum::<f64>() / 3.0;
            parts.map(|part| part - mean)
        };
        let (a, b) = (from_gray(self), from_gray(other));
        let product = |a: [f64; 3], b: [f64; 3]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let (length, other) = (product(a, a).sqrt(), product(b, b).sqrt());
        length * other.max(length * 0.2) - product(a, b)
    }

    /// The relative luminance of WCAG 2, from 0 to 1.
    pub fn luminance(self) -> f64 {
        let linear = |value: u8| LINEAR.get(usize::from(value)).copied().unwrap_or(1.0);
        let [red, green, blue] = self.0.map(linear);
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    }

    /// The contrast of WCAG 2 to another color, from 1 to 21.
    pub fn contrast(self, other: Rgb) -> f64 {
        let (a, b) = (self.luminance(), other.luminance());
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }
}

/// The contrast between two colors; `None` if only the terminal knows one of them.
pub fn contrast(a: Color, b: Color) -> Option<f64> {
    Some(Rgb::of(a)?.contrast(Rgb::of(b)?))
}

/// How much a wrong hue counts, compared with a wrong shade.
const HUE_WEIGHT: f64 = 4.0;

/// The linear intensity of each value of a color component.
static LINEAR: LazyLock<[f64; 256]> = LazyLock::new(|| {
    std::array::from_fn(|value| {
        let value = value as f64 / 255.0;
        if value <= 0.04045 {
            value / 12.92
        } else {
            ((value + 0.055) / 1.055).powf(2.4)
        }
    })
});

/// The values of the cube of the 256-color terminals.
const CUBE: [u8; 6] = [0, 95, 135, 175, 215, 255];

/// The nearest color among the cube and the ramp of the 256-color terminals.
fn nearest(red: u8, green: u8, blue: u8) -> u8 {
    let step = |value: u8| {
        let far = |at: &usize| CUBE.get(*at).map_or(255, |step| step.abs_diff(value));
        (0..CUBE.len()).min_by_key(far).unwrap_or(0)
    };
    let wanted = Rgb([red, green, blue]);
    let [r, g, b] = wanted.0.map(step);
    // At most 16 + 215.
    let cube = (16 + 36 * r + 6 * g + b) as u8;
    let mean = (u16::from(red) + u16::from(green) + u16::from(blue)) / 3;
    let gray = 232 + (mean.saturating_sub(3) / 10).min(23) as u8;
    let far = |&index: &u8| Rgb::of(Color::Indexed(index)).map(|shown| wanted.distance(shown));
    [cube, gray].into_iter().min_by_key(far).unwrap_or(cube)
}

#[cfg(test)]
mod tests;
