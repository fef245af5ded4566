//! A terminal's screen as SVG. Blocks are drawn as rectangles, so that they join without gaps in any font.

use std::fmt::Write;

/// The size of a cell, in pixels.
const WIDTH: u32 = 9;
const HEIGHT: u32 = 18;

const INK: &str = "#d8d4cc";
const PAPER: &str = "#1d1c1a";

/// What the blocks of quarters show: upper left, upper right, lower left, lower right.
const QUARTERS: [(&str, u8); 15] = [
    ("▘", 0b0001),
    ("▝", 0b0010),
    ("▀", 0b0011),
    ("▖", 0b0100),
    ("▌", 0b0101),
    ("▞", 0b0110),
    ("▛", 0b0111),
    ("▗", 0b1000),
    ("▚", 0b1001),
    ("▐", 0b1010),
    ("▜", 0b1011),
    ("▄", 0b1100),
    ("▙", 0b1101),
    ("▟", 0b1110),
    ("█", 0b1111),
];

pub(crate) fn svg(screen: &vt100::Screen) -> String {
    let (rows, columns) = screen.size();
    let (rows, columns) = (rows.get(), columns.get());
    let (width, height) = (u32::from(columns) * WIDTH, u32::from(rows) * HEIGHT);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" font-family=\"DejaVu Sans Mono, Menlo, Consolas, monospace\" font-size=\"15\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"{PAPER}\"/>\n<g shape-rendering=\"crispEdges\">\n"
    );
    let mut texts = String::new();
    for row in 0..rows {
        let mut column = 0;
        while column < columns {
            let Some(cell) = screen.cell(row, column) else {
                break;
            };
            let (_, paper) = colors(cell);
            // Cells of the same background are one rectangle.
            let same = (column..columns)
                .take_while(|&at| {
                    screen
                        .cell(row, at)
                        .is_some_and(|other| colors(other).1 == paper)
                })
                .count() as u16;
            if paper != PAPER {
                let (x, y) = (u32::from(column) * WIDTH, u32::from(row) * HEIGHT);
                rectangle(&mut out, x, y, u32::from(same) * WIDTH, HEIGHT, &paper);
            }
            for at in column..column + same {
                if let Some(cell) = screen.cell(row, at) {
                    draw(&mut out, &mut texts, cell, row, at);
                }
            }
            column += same.max(1);
        }
    }
    let _ = write!(out, "</g>\n{texts}</svg>\n");
    out
}

fn draw(out: &mut String, texts: &mut String, cell: &vt100::Cell, row: u16, column: u16) {
    let text = cell.contents();
    if text.trim().is_empty() {
        return;
    }
    let (ink, _) = colors(cell);
    let (x, y) = (u32::from(column) * WIDTH, u32::from(row) * HEIGHT);
    if let Some((_, quarters)) = QUARTERS.iter().find(|(known, _)| *known == text) {
        blocks(out, x, y, *quarters, &ink);
        return;
    }
    let weight = if cell.bold() {
        " font-weight=\"bold\""
    } else {
        ""
    };
    let text = text
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;");
    let _ = writeln!(
        texts,
        "<text x=\"{x}\" y=\"{}\" fill=\"{ink}\"{weight}>{text}</text>",
        y + 14
    );
}

/// Quarters that lie side by side are one rectangle.
fn blocks(out: &mut String, x: u32, y: u32, quarters: u8, ink: &str) {
    let half = WIDTH / 2;
    for (bits, top) in [(quarters & 3, y), (quarters >> 2, y + HEIGHT / 2)] {
        let (left, width) = match bits {
            0b01 => (x, half),
            0b10 => (x + half, WIDTH - half),
            0b11 => (x, WIDTH),
            _ => continue,
        };
        rectangle(out, left, top, width, HEIGHT / 2, ink);
    }
}

fn rectangle(out: &mut String, x: u32, y: u32, width: u32, height: u32, fill: &str) {
    let _ = writeln!(
        out,
        "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{fill}\"/>"
    );
}

/// The colors of the text and of what is behind it.
fn colors(cell: &vt100::Cell) -> (String, String) {
    let ink = color(cell.fgcolor(), INK);
    let paper = color(cell.bgcolor(), PAPER);
    if cell.inverse() {
        (paper, ink)
    } else {
        (ink, paper)
    }
}

fn color(color: vt100::Color, default: &str) -> String {
    match color {
        vt100::Color::Rgb(red, green, blue) => format!("#{red:02x}{green:02x}{blue:02x}"),
        // The program asks for exact colors in a terminal that has them.
        vt100::Color::Default | vt100::Color::Idx(_) => default.to_owned(),
    }
}
