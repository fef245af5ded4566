//! The pieces as pixel coverage, for programs that cannot display SVG.

use tabiya_rules::Role;

use crate::board::{Outline, SIDE, STROKE, outline};

/// How much of a pixel the parts of a piece cover, from 0 to 255 each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// The body, including what its outline covers.
    pub body: u8,
    /// The outline of the body.
    pub line: u8,
    /// The lines inside the body.
    pub detail: u8,
}

/// A piece as rows of pixels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PieceRaster {
    width: usize,
    pixels: Vec<Coverage>,
}

impl PieceRaster {
    /// Draws a piece into a rectangle of pixels: centered, and as large as fits without distortion.
    ///
    /// ```
    /// use tabiya_rules::Role;
    /// use tabiya_svg::PieceRaster;
    ///
    /// let rook = PieceRaster::new(Role::Rook, 40, 40);
    /// assert_eq!(rook.pixel(0, 0).body, 0);
    /// assert_eq!(rook.pixel(20, 24).body, 255);
    /// ```
    #[must_use]
    pub fn new(role: Role, width: u16, height: u16) -> PieceRaster {
        let Outline { shapes, details } = outline(role);
        // The pixels per unit of the drawing.
        let scale = f64::from(width.min(height)) / f64::from(SIDE);
        let half = STROKE / 2.0 * scale;
        let left = (f64::from(width) - f64::from(SIDE) * scale) / 2.0;
        let top = (f64::from(height) - f64::from(SIDE) * scale) / 2.0;
        let [body, detail] =
            [shapes, details].map(|path| Path::read(path).placed(left, top, scale));
        let row = |y: u16| (0..width).map(move |x| Point(f64::from(x) + 0.5, f64::from(y) + 0.5));
        let middles = (0..height).flat_map(row);
        PieceRaster {
            width: width.into(),
            pixels: middles.map(|at| cover(&body, &detail, at, half)).collect(),
        }
    }

    /// Returns how much of a pixel the piece covers; nothing outside the rectangle.
    #[must_use]
    pub fn pixel(&self, x: usize, y: usize) -> Coverage {
        let inside = (x < self.width).then_some(y * self.width + x);
        let found = inside.and_then(|at| self.pixels.get(at));
        found.copied().unwrap_or_default()
    }
}

/// Returns how much of a pixel is covered. A line of width `2 * half` covers it by its distance, as if the pixel
/// were a disk.
fn cover(body: &Path, detail: &Path, at: Point, half: f64) -> Coverage {
    let distance = body.distance(at);
    let signed = if body.contains(at) {
        distance
    } else {
        -distance
    };
    let share = |by: f64| ((by + 0.5).clamp(0.0, 1.0) * 255.0).round() as u8;
    Coverage {
        body: share(signed + half),
        line: share(half - distance),
        detail: share(half - detail.distance(at)),
    }
}

/// A point of the drawing, or of the pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Point(f64, f64);

/// Connected lines, in separate parts.
#[derive(Clone, Debug, Default)]
struct Path {
    segments: Vec<(Point, Point)>,
}

/// The number of straight lines that replace a curve.
const STEPS: u32 = 12;

impl Path {
    /// Reads an SVG path in the form that this crate writes: absolute commands with spaces between numbers.
    fn read(text: &str) -> Path {
        let mut path = Path::default();
        let mut words = Words { rest: text };
        let (mut start, mut at) = (Point(0.0, 0.0), Point(0.0, 0.0));
        while let Some(command) = words.command() {
            let next = match command {
                'M' => {
                    at = words.point();
                    start = at;
                    continue;
                }
                'L' => words.point(),
                'H' => Point(words.number(), at.1),
                'V' => Point(at.0, words.number()),
                'C' => {
                    let (first, second, end) = (words.point(), words.point(), words.point());
                    path.curve(at, first, second, end);
                    at = end;
                    continue;
                }
                'A' => {
                    let radius = words.number();
                    // The other radius, the rotation and the flags: only large clockwise arcs of circles are drawn.
                    for _ in 0..4 {
                        words.number();
                    }
                    let end = words.point();
                    path.large_arc(at, end, radius);
                    at = end;
                    continue;
                }
                // 'Z'; there are no other commands.
                _ => start,
            };
            path.segments.push((at, next));
            at = next;
        }
        path
    }

    /// Adds a cubic Bézier curve, as short lines.
    fn curve(&mut self, from: Point, first: Point, second: Point, end: Point) {
        let mut last = from;
        for step in 1..=STEPS {
            let t = f64::from(step) / f64::from(STEPS);
            let s = 1.0 - t;
            let mix = |a: f64, b: f64, c: f64, d: f64| {
                s * s * s * a + 3.0 * s * s * t * b + 3.0 * s * t * t * c + t * t * t * d
            };
            let next = Point(
                mix(from.0, first.0, second.0, end.0),
                mix(from.1, first.1, second.1, end.1),
            );
            self.segments.push((last, next));
            last = next;
        }
    }

    /// Adds the larger arc of a circle between two points, clockwise as displayed.
    fn large_arc(&mut self, from: Point, end: Point, radius: f64) {
        let (right, down) = (end.0 - from.0, end.1 - from.1);
        let chord = right.hypot(down);
        let radius = radius.max(chord / 2.0);
        let height = (radius * radius - chord * chord / 4.0).sqrt();
        // The center is to the left of the line from one point to the other, as displayed.
        let middle = Point(
            (from.0 + end.0) / 2.0 + down / chord * height,
            (from.1 + end.1) / 2.0 - right / chord * height,
        );
        let angle = |point: Point| (point.1 - middle.1).atan2(point.0 - middle.0);
        let (begin, mut finish) = (angle(from), angle(end));
        if finish <= begin {
            finish += std::f64::consts::TAU;
        }
        let mut last = from;
        for step in 1..=STEPS {
            let at = begin + (finish - begin) * f64::from(step) / f64::from(STEPS);
            let next = Point(middle.0 + radius * at.cos(), middle.1 + radius * at.sin());
            self.segments.push((last, next));
            last = next;
        }
    }

    /// Returns the path scaled, and moved.
    fn placed(&self, left: f64, top: f64, scale: f64) -> Path {
        let place = |point: Point| Point(left + point.0 * scale, top + point.1 * scale);
        let segments = self.segments.iter();
        Path {
            segments: segments.map(|&(a, b)| (place(a), place(b))).collect(),
        }
    }

    /// Returns the distance of a point from the lines.
    fn distance(&self, at: Point) -> f64 {
        let mut nearest = f64::INFINITY;
        for &(a, b) in &self.segments {
            let (right, down) = (b.0 - a.0, b.1 - a.1);
            let length = right * right + down * down;
            let along = if length > 0.0 {
                (((at.0 - a.0) * right + (at.1 - a.1) * down) / length).clamp(0.0, 1.0)
            } else {
                0.0
            };
            let (x, y) = (a.0 + along * right - at.0, a.1 + along * down - at.1);
            nearest = nearest.min(x * x + y * y);
        }
        nearest.sqrt()
    }

    /// Returns whether the lines enclose a point.
    fn contains(&self, at: Point) -> bool {
        let mut winding = 0;
        for &(a, b) in &self.segments {
            let side = (b.0 - a.0) * (at.1 - a.1) - (b.1 - a.1) * (at.0 - a.0);
            if a.1 <= at.1 && b.1 > at.1 && side > 0.0 {
                winding += 1;
            } else if a.1 > at.1 && b.1 <= at.1 && side < 0.0 {
                winding -= 1;
            }
        }
        winding != 0
    }
}

/// The commands and numbers of a path.
struct Words<'a> {
    rest: &'a str,
}

impl Words<'_> {
    /// Returns the next command letter.
    fn command(&mut self) -> Option<char> {
        let mut letters = self.rest.chars();
        let command = letters.find(char::is_ascii_alphabetic);
        self.rest = letters.as_str();
        command
    }

    /// Returns the next number. The paths are this crate's own, and a test reads all of them.
    fn number(&mut self) -> f64 {
        let rest = self.rest.trim_start();
        let end = rest
            .find(|c: char| !c.is_ascii_digit() && c != '.')
            .unwrap_or(rest.len());
        let (number, rest) = rest.split_at(end);
        self.rest = rest;
        number.parse().unwrap_or(0.0)
    }

    fn point(&mut self) -> Point {
        let x = self.number();
        Point(x, self.number())
    }
}

#[cfg(test)]
mod tests;
