//! White's winning chances over a game as a curve: the more light area, the better White stands.

use std::fmt::Write;

use tabiya_game::Glyph;
use tabiya_rules::Color;
use tabiya_rules::text::is_safe;

/// The size of the picture.
const WIDTH: f64 = 800.0;
const HEIGHT: f64 = 240.0;

/// What the curve shows.
///
/// ```
/// use tabiya_svg::GameCurve;
///
/// let curve = GameCurve {
///     title: "Anderssen – Kieseritzky",
///     chances: &[Some(0.5), Some(0.55), None, Some(0.4)],
///     marks: &[],
/// };
/// assert!(curve.svg().contains("Kieseritzky"));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct GameCurve<'a> {
    /// The title of the game.
    pub title: &'a str,
    /// White's chances from 0 to 1, from the start on, with gaps where they are unknown.
    pub chances: &'a [Option<f64>],
    /// The highlighted moves.
    pub marks: &'a [CurveMark],
}

/// A highlighted move on the curve.
#[derive(Clone, Copy, Debug)]
pub struct CurveMark {
    /// The index of the chance after the move.
    pub at: usize,
    /// The number of the move in the game.
    pub number: u32,
    /// The side that made it.
    pub by: Color,
    /// The judgment of the move.
    pub glyph: Glyph,
}

impl GameCurve<'_> {
    /// Returns the curve as the text of an SVG file, with the marked moves, and gaps where nothing is
    /// known.
    #[must_use]
    pub fn svg(&self) -> String {
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\">\n\
             <title>{}</title>\n<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#3a3a3a\"/>\n",
            escaped(self.title.chars().filter(|&c| is_safe(c)))
        );
        // Writing to a string cannot fail.
        let _ = self.write_area(&mut out);
        let _ = self.write_marks(&mut out);
        out.push_str("</svg>\n");
        out
    }

    /// Returns where a chance after a number of plies is drawn.
    fn point(&self, at: usize, chance: f64) -> (f64, f64) {
        let step = WIDTH / (self.chances.len().max(2) - 1) as f64;
        (at as f64 * step, (1.0 - chance) * HEIGHT)
    }

    /// Draws an area for each part of the game without a gap, and a line where both sides stand equally
    /// well.
    fn write_area(&self, out: &mut String) -> std::fmt::Result {
        let mut path = String::new();
        let mut at = 0;
        for part in self.chances.split(Option::is_none) {
            for (here, &chance) in (at..).zip(part.iter().flatten()) {
                let (x, y) = self.point(here, chance);
                if here == at {
                    write!(path, "M{x:.1} {HEIGHT}")?;
                }
                write!(path, " L{x:.1} {y:.1}")?;
                if here + 1 == at + part.len() {
                    write!(path, " L{x:.1} {HEIGHT} Z ")?;
                }
            }
            at += part.len() + 1;
        }
        writeln!(out, "<path d=\"{}\" fill=\"#f0f0f0\"/>", path.trim_end())?;
        let middle = HEIGHT / 2.0;
        writeln!(
            out,
            "<path d=\"M0 {middle} H{WIDTH}\" stroke=\"#888888\" stroke-dasharray=\"4 4\"/>"
        )
    }

    /// Writes a dot for each marked move.
    fn write_marks(&self, out: &mut String) -> std::fmt::Result {
        for mark in self.marks {
            let Some(chance) = self.chances.get(mark.at).copied().flatten() else {
                continue;
            };
            let (x, y) = self.point(mark.at, chance);
            let color = match mark.glyph {
                Glyph::BLUNDER => "#d02020",
                Glyph::MISTAKE => "#e07a10",
                _ => "#c0a000",
            };
            let name = mark.glyph.symbol().unwrap_or_default();
            writeln!(
                out,
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"{color}\"><title>{} {} {name}</title></circle>",
                mark.number, mark.by
            )?;
        }
        Ok(())
    }
}

/// Escapes text for XML and HTML, inside elements and quoted attributes.
pub fn escaped(text: impl Iterator<Item = char>) -> String {
    let mut out = String::new();
    for c in text {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c => out.push(c),
        }
    }
    out
}
