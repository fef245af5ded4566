//! A position as an SVG picture, with pieces drawn for this program.

use std::fmt::Write;

use tabiya_game::{Arrow, MarkColor, SquareMark};
use tabiya_rules::{Bitboard, Board, Color, File, Piece, Rank, Role, Square};

/// The side of a square; pieces are drawn in a box of this size.
pub(crate) const SIDE: u32 = 100;

/// The width of the lines of a piece.
pub(crate) const STROKE: f64 = 3.5;

/// The margin around the board, for the labels.
const EDGE: u32 = 40;

/// The beginning of every picture.
pub const BEGINNING: &str = "<svg xmlns=";

/// What a picture shows.
///
/// ```
/// use tabiya_rules::{Color, Position};
/// use tabiya_svg::Picture;
///
/// let position = Position::start();
/// let picture = Picture {
///     bottom: Color::Black,
///     ..Picture::of(position.board())
/// };
/// assert!(picture.svg().starts_with("<svg"));
/// ```
#[derive(Clone, Debug)]
pub struct Picture<'a> {
    /// The pieces.
    pub board: &'a Board,
    /// The side at the bottom.
    pub bottom: Color,
    /// The squares of the last move.
    pub last: Bitboard,
    /// The marked squares.
    pub squares: &'a [SquareMark],
    /// The arrows.
    pub arrows: &'a [Arrow],
}

impl<'a> Picture<'a> {
    /// Creates a picture of the pieces only.
    #[must_use]
    pub fn of(board: &'a Board) -> Picture<'a> {
        Picture {
            board,
            bottom: Color::White,
            last: Bitboard::EMPTY,
            squares: &[],
            arrows: &[],
        }
    }

    /// Returns the picture as the text of an SVG file.
    #[must_use]
    pub fn svg(&self) -> String {
        let side = SIDE * 8 + EDGE * 2;
        let mut out = format!(
            "{BEGINNING}\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {side} {side}\" width=\"{0}\" height=\"{0}\">\n\
             <rect width=\"{side}\" height=\"{side}\" fill=\"#5b3a24\"/>\n",
            side / 2
        );
        // Writing into a String never fails.
        let _ = self.write_board(&mut out);
        let _ = self.write_marks(&mut out);
        out.push_str("</svg>\n");
        out
    }

    /// Writes the squares, with the last move and the check.
    fn write_board(&self, out: &mut String) -> std::fmt::Result {
        for square in Square::ALL {
            let (x, y) = self.corner(square);
            let fill = match (self.last.contains(square), square.is_light()) {
                (true, true) => "#d3c36a",
                (true, false) => "#b39b3f",
                (false, true) => "#f0d9b5",
                (false, false) => "#b58863",
            };
            writeln!(
                out,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{SIDE}\" height=\"{SIDE}\" fill=\"{fill}\"/>"
            )?;
        }
        self.write_labels(out)?;
        for square in Square::ALL {
            if let Some(piece) = self.board.piece_at(square) {
                let (x, y) = self.corner(square);
                write_piece(out, piece, x, y)?;
            }
        }
        Ok(())
    }

    /// Writes the letters of the files and the numbers of the ranks.
    fn write_labels(&self, out: &mut String) -> std::fmt::Result {
        writeln!(
            out,
            "<g font-family=\"sans-serif\" font-size=\"26\" fill=\"#f0d9b5\" text-anchor=\"middle\">"
        )?;
        let mut label =
            |x: u32, y: u32, text: char| writeln!(out, "<text x=\"{x}\" y=\"{y}\">{text}</text>");
        for file in File::ALL {
            let (x, _) = self.middle(Square::new(file, Rank::First));
            label(x, EDGE + SIDE * 8 + 29, file.char())?;
        }
        for rank in Rank::ALL {
            let (_, y) = self.middle(Square::new(File::A, rank));
            label(EDGE / 2, y + 9, rank.char())?;
        }
        writeln!(out, "</g>")
    }

    /// Writes the marked squares and the arrows.
    fn write_marks(&self, out: &mut String) -> std::fmt::Result {
        for mark in self.squares {
            let (x, y) = self.middle(mark.square);
            writeln!(
                out,
                "<circle cx=\"{x}\" cy=\"{y}\" r=\"45\" fill=\"none\" stroke=\"{}\" stroke-width=\"7\" \
                 opacity=\"0.85\"/>",
                color(mark.color)
            )?;
        }
        for arrow in self.arrows.iter().filter(|arrow| arrow.from != arrow.to) {
            self.write_arrow(out, arrow)?;
        }
        Ok(())
    }

    /// Draws an arrow between the middles of two squares.
    fn write_arrow(&self, out: &mut String, arrow: &Arrow) -> std::fmt::Result {
        // The length of the head, and half its width for each unit of that.
        const HEAD: f64 = 34.0;
        const HALF_WIDTH: f64 = 0.6;
        let point = |square| {
            let (x, y) = self.middle(square);
            (f64::from(x), f64::from(y))
        };
        let ((x, y), (to_x, to_y)) = (point(arrow.from), point(arrow.to));
        let length = (to_x - x).hypot(to_y - y);
        let (right, down) = ((to_x - x) / length, (to_y - y) / length);
        let (neck_x, neck_y) = (to_x - right * HEAD, to_y - down * HEAD);
        let (half_x, half_y) = (-down * HEAD * HALF_WIDTH, right * HEAD * HALF_WIDTH);
        let color = color(arrow.color);
        writeln!(
            out,
            "<g opacity=\"0.85\"><line x1=\"{x:.0}\" y1=\"{y:.0}\" x2=\"{neck_x:.1}\" y2=\"{neck_y:.1}\" \
             stroke=\"{color}\" stroke-width=\"14\" stroke-linecap=\"round\"/><path d=\"M{to_x:.0} {to_y:.0} \
             L{:.1} {:.1} L{:.1} {:.1} Z\" fill=\"{color}\"/></g>",
            neck_x + half_x,
            neck_y + half_y,
            neck_x - half_x,
            neck_y - half_y
        )
    }

    /// Returns the upper left corner of a square.
    fn corner(&self, square: Square) -> (u32, u32) {
        let (file, rank) = (square.file().index() as u32, square.rank().index() as u32);
        let (column, row) = match self.bottom {
            Color::White => (file, 7 - rank),
            Color::Black => (7 - file, rank),
        };
        (EDGE + column * SIDE, EDGE + row * SIDE)
    }

    fn middle(&self, square: Square) -> (u32, u32) {
        let (x, y) = self.corner(square);
        (x + SIDE / 2, y + SIDE / 2)
    }
}

fn color(color: MarkColor) -> &'static str {
    match color {
        MarkColor::Green => "#2e8b3d",
        MarkColor::Red => "#c23b32",
        MarkColor::Yellow => "#d6a21a",
        MarkColor::Blue => "#2d6fb5",
    }
}

/// One piece as the text of an SVG file: a box of 100 by 100 without a background.
///
/// ```
/// use tabiya_rules::Piece;
///
/// let knight = Piece::from_char('n').expect("a knight");
/// assert!(tabiya_svg::piece(knight).starts_with("<svg"));
/// ```
#[must_use]
pub fn piece(piece: Piece) -> String {
    let mut out =
        format!("{BEGINNING}\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {SIDE} {SIDE}\">\n");
    // Writing into a String never fails.
    let _ = write_piece(&mut out, piece, 0, 0);
    out.push_str("</svg>\n");
    out
}

/// Writes a piece whose box begins at a point.
fn write_piece(out: &mut String, piece: Piece, x: u32, y: u32) -> std::fmt::Result {
    let (fill, line, detail) = match piece.color {
        Color::White => ("#fbf8f1", "#1d1a17", "#1d1a17"),
        Color::Black => ("#35302b", "#110f0d", "#e8e1d4"),
    };
    let Outline { shapes, details } = outline(piece.role);
    writeln!(
        out,
        "<g transform=\"translate({x} {y})\" fill=\"{fill}\" stroke=\"{line}\" stroke-width=\"{STROKE}\" \
         stroke-linejoin=\"round\" stroke-linecap=\"round\"><path d=\"{shapes}\"/>\
         <path d=\"{details}\" fill=\"none\" stroke=\"{detail}\"/></g>"
    )
}

/// The shapes of a piece.
pub(crate) struct Outline {
    pub(crate) shapes: &'static str,
    /// Lines inside it, in a contrasting color.
    pub(crate) details: &'static str,
}

/// Returns the shapes of a piece, drawn for a box of 100 by 100.
pub(crate) const fn outline(role: Role) -> Outline {
    match role {
        Role::Pawn => Outline {
            shapes: "M41 47 C30 42 33 21 50 21 C67 21 70 42 59 47 C60 58 66 68 71 74 L29 74 C34 68 40 58 41 47 Z \
                     M25 76 H75 V87 H25 Z",
            details: "M40 49 H60",
        },
        Role::Knight => Outline {
            shapes: "M33 75 C31 61 44 55 47 45 C41 47 37 51 33 55 L24 52 L21 44 C25 40 29 31 36 26 L35 15 L45 21 \
                     C66 23 77 42 74 75 Z M27 77 H79 V88 H27 Z",
            details: "M40 33 L43 34 M26 47 L28 46 M58 29 C66 38 68 52 67 68",
        },
        Role::Bishop => Outline {
            shapes: "M50 11 C54 11 56 14 55 18 C68 27 71 47 60 56 L64 74 H36 L40 56 C29 47 32 27 45 18 C44 14 46 11 \
                     50 11 Z M25 76 H75 V87 H25 Z",
            details: "M56 28 L47 41 M41 57 H59 M38 66 H62",
        },
        Role::Rook => Outline {
            shapes: "M27 20 H38 V27 H45 V20 H55 V27 H62 V20 H73 V37 L65 43 L68 74 H32 L35 43 L27 37 Z \
                     M22 76 H78 V87 H22 Z",
            details: "M31 37 H69 M36 44 H64 M33 67 H67",
        },
        Role::Queen => Outline {
            shapes: "M17 30 A5 5 0 1 1 21 31 L34 51 L35 24 A5 5 0 1 1 40 24 L48 48 L48 20 A5 5 0 1 1 52 20 L52 48 \
                     L60 24 A5 5 0 1 1 65 24 L66 51 L79 31 A5 5 0 1 1 83 30 L71 74 H29 Z M24 76 H76 V87 H24 Z",
            details: "M31 59 C43 55 57 55 69 59 M30 67 C43 63 57 63 70 67",
        },
        Role::King => Outline {
            shapes: "M46 7 H54 V13 H61 V20 H54 V36 C62 28 82 33 79 48 C77 57 70 61 69 74 H31 C30 61 23 57 21 48 \
                     C18 33 38 28 46 36 V20 H39 V13 H46 Z M24 76 H76 V87 H24 Z",
            details: "M50 40 V56 M32 61 C44 56 56 56 68 61 M31 68 C44 63 56 63 69 68",
        },
    }
}

#[cfg(test)]
mod tests;
