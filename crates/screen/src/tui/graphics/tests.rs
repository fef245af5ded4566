use std::io::Read;

use flate2::read::ZlibDecoder;
use ratatui_core::backend::WindowSize;
use ratatui_core::layout::{Position as Cell, Rect};
use tabiya_front::appearance::PieceStyle;
use tabiya_front::color::{Depth, Rgb};
use tabiya_front::theme::{READABLE, TERMINAL, THEMES};
use tabiya_game::MarkColor;
use tabiya_rules::{Color, Position, Role};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;

use super::encoding::{clipboard, iterm, sixel, transmit};
use super::{Answers, Arrow, Piece, Pixels, Protocol, Rasters, Sign, Tile};
use crate::tui::board::BoardView;
use crate::tui::geometry::BoardGeometry;
use crate::tui::styles::{Ground, Styles};

const SIZE: Pixels = Pixels {
    width: 40,
    height: 44,
};

fn tile() -> Tile {
    Tile {
        ground: Rgb([200, 160, 120]),
        piece: Some(Piece {
            role: Role::Knight,
            fill: Rgb::WHITE,
            detail: Rgb::BLACK,
        }),
        sign: None,
        ink: Rgb::BLACK,
        is_last: false,
        is_check: false,
        cursor: None,
        arrows: Vec::new(),
    }
}

fn pixels(tile: &Tile) -> Vec<[u8; 3]> {
    tile.pixels(SIZE, &mut Rasters::default())
}

#[test]
fn real_terminals_are_understood() {
    let kitty =
        b"\x1b_Gi=31;OK\x1b\\\x1bP>|kitty(0.26.5)\x1b\\\x1b]11;rgb:0000/8080/ffff\x1b\\\x1b[?62;c";
    let answers = Answers::read(kitty);
    assert_eq!(answers.protocol(), Some(Protocol::Kitty));
    assert_eq!(answers.background, Some(Rgb([0, 128, 255])));
    assert_eq!(answers.attributes, 1);
    let xterm = b"\x1b[?63;1;2;4;6;9;15;16;22;28c\x1bP>|XTerm(379)\x1b\\\x1b[?1;0;1024S\x1b]11;rgb:ff/ff/ff\x07";
    let answers = Answers::read(xterm);
    assert_eq!(answers.protocol(), Some(Protocol::Sixel { colors: 256 }));
    assert_eq!(answers.background, Some(Rgb::WHITE));
    let iterm = b"\x1bP>|iTerm2 3.5.0\x1b\\\x1b[?65;1;4c";
    assert_eq!(Answers::read(iterm).protocol(), Some(Protocol::Iterm));
    let plain = b"\x1b[?1;2c";
    assert_eq!(Answers::read(plain).protocol(), None);
    // A terminal that knows the question and cannot show pictures answers with an error.
    let refused = b"\x1b_Gi=31;ENOTSUPPORTED:no\x1b\\\x1b[?62;22c";
    assert_eq!(Answers::read(refused).protocol(), None);
}

#[test]
fn what_is_typed_among_answers_stays() {
    let bytes = b"e\x1b[?62;4c4\r\x1b[A\x1b]11;rgb:0/0/0\x07\x1b";
    assert_eq!(Answers::read(bytes).typed, b"e4\r\x1b[A\x1b");
}

/// A piece with its outline has enough contrast to every square it can stand on, in every theme whose colors are known.
#[test]
fn pieces_of_pictures_stand_out() {
    let marks = [
        MarkColor::Green,
        MarkColor::Red,
        MarkColor::Yellow,
        MarkColor::Blue,
    ];
    let grounds = [
        Ground::Light,
        Ground::Dark,
        Ground::LastDark,
        Ground::Selected,
        Ground::Check,
    ]
    .into_iter()
    .chain(marks.map(Ground::Marked));
    for theme in THEMES
        .into_iter()
        .filter(|theme| theme.name != TERMINAL.name)
    {
        let styles = Styles::new(theme, Depth::TrueColor, None);
        for ground in grounds.clone() {
            let (square, sign) = styles.picture_square(ground).expect("a known color");
            assert!(
                sign.contrast(square) >= READABLE,
                "{} {ground:?}",
                theme.name
            );
            // The outline of a piece is black, and so is the fill of Black's pieces.
            let line = Rgb::BLACK.contrast(square);
            assert!(line >= READABLE, "{} {ground:?}: {line:.2}", theme.name);
            let pawn = Role::Pawn.of(Color::Black);
            let black = styles.picture_piece(pawn).expect("a known color");
            assert_eq!(black.fill, Rgb::BLACK, "{}", theme.name);
        }
    }
}

#[test]
fn a_board_has_a_tile_for_each_square_or_none() {
    let position = Position::default();
    let geometry = BoardGeometry::small(Cell::new(3, 1), Color::White);
    let tiles = |theme, depth, style| {
        let styles = Styles::new(theme, depth, None);
        BoardView::plain(&position, geometry, styles, style).tiles()
    };
    let drawn = tiles(THEMES[0], Depth::Indexed, PieceStyle::Blocks);
    assert_eq!(drawn.len(), 64);
    let pieces = drawn.iter().filter(|(_, tile)| tile.piece.is_some());
    assert_eq!(pieces.count(), 32);
    assert!(tiles(TERMINAL, Depth::TrueColor, PieceStyle::Blocks).is_empty());
    assert!(tiles(THEMES[0], Depth::Mono, PieceStyle::Blocks).is_empty());
    assert!(tiles(THEMES[0], Depth::TrueColor, PieceStyle::Letters).is_empty());
}

/// Each state has a shape of its own, so no two states have the same picture.
#[test]
fn every_state_looks_different() {
    let signs = [
        None,
        Some(Sign::Selected),
        Some(Sign::Target),
        Some(Sign::Capture),
    ];
    let mut all: Vec<Tile> = signs.map(|sign| Tile { sign, ..tile() }).to_vec();
    all.push(Tile {
        is_last: true,
        ..tile()
    });
    all.push(Tile {
        is_check: true,
        ..tile()
    });
    all.push(Tile {
        cursor: Some(Rgb([255, 255, 0])),
        ..tile()
    });
    let arrow = Arrow {
        from: (-2, 0),
        to: (3, 0),
        color: Rgb([0, 200, 0]),
    };
    assert!(arrow.touches_tile());
    all.push(Tile {
        arrows: vec![arrow],
        ..tile()
    });
    let pictures: Vec<_> = all.iter().map(pixels).collect();
    for (at, picture) in pictures.iter().enumerate() {
        assert_eq!(picture.len(), 40 * 44);
        assert!(!pictures[at + 1..].contains(picture), "{:?}", all[at]);
    }
    let elsewhere = Arrow {
        from: (-2, 3),
        to: (3, 3),
        ..arrow
    };
    assert!(!elsewhere.touches_tile());
}

/// Decodes a PNG file of the kind that this program writes.
fn png_pixels(bytes: &[u8]) -> Vec<[u8; 3]> {
    assert!(bytes.starts_with(b"\x89PNG\r\n\x1a\n"));
    let mut rest = &bytes[8..];
    let (mut width, mut packed) = (0, Vec::new());
    while let Some((length, after)) = rest.split_first_chunk::<4>() {
        let length = u32::from_be_bytes(*length) as usize;
        let (kind, data) = after[..4 + length].split_at(4);
        let mut crc = flate2::Crc::new();
        crc.update(kind);
        crc.update(data);
        assert_eq!(after[4 + length..][..4], crc.sum().to_be_bytes());
        match kind {
            b"IHDR" => width = u32::from_be_bytes(data[..4].try_into().expect("four")) as usize,
            b"IDAT" => packed.extend_from_slice(data),
            _ => assert_eq!(kind, b"IEND"),
        }
        rest = &after[8 + length..];
    }
    let mut rows = Vec::new();
    ZlibDecoder::new(&packed[..])
        .read_to_end(&mut rows)
        .expect("zlib");
    let rows = rows.chunks(width * 3 + 1);
    rows.flat_map(|row| row[1..].as_chunks::<3>().0.to_vec())
        .collect()
}

fn base64_bytes(text: &str) -> Vec<u8> {
    BASE64.decode(text).expect("base64")
}

#[test]
fn kitty_is_sent_the_picture_in_pieces() {
    let picture = pixels(&tile());
    let sent = String::from_utf8(transmit(7, &picture, SIZE)).expect("ASCII");
    let pieces: Vec<&str> = sent.split_terminator("\u{1b}\\").collect();
    assert!(pieces[0].starts_with("\u{1b}_Ga=t,f=100,t=d,i=7,q=2,m="));
    let mut data = String::new();
    for (at, piece) in pieces.iter().enumerate() {
        let (head, part) = piece.split_once(';').expect("data");
        assert!(part.len() <= 4096);
        assert_eq!(head.contains("m=1"), at + 1 < pieces.len(), "{head}");
        data.push_str(part);
    }
    assert_eq!(png_pixels(&base64_bytes(&data)), picture);
}

#[test]
fn iterm_is_sent_a_png_of_the_size_it_says() {
    let picture = pixels(&tile());
    let sent = String::from_utf8(iterm(&picture, SIZE, Rect::new(0, 0, 4, 2))).expect("ASCII");
    let rest = sent
        .strip_prefix("\u{1b}]1337;File=inline=1;size=")
        .expect("iTerm2");
    let (head, data) = rest
        .trim_end_matches('\u{7}')
        .split_once(':')
        .expect("data");
    let data = base64_bytes(data);
    assert!(
        head.starts_with(&format!("{};width=4;height=2;", data.len())),
        "{head}"
    );
    assert_eq!(png_pixels(&data), picture);
}

/// Decodes sixels, by their definition.
fn sixel_pixels(text: &str, size: Pixels) -> Vec<[u8; 3]> {
    let (width, height) = (usize::from(size.width), usize::from(size.height));
    let head = format!("\u{1b}P0;1;0q\"1;1;{width};{height}");
    let body = text
        .strip_prefix(&head)
        .expect("the head")
        .strip_suffix("\u{1b}\\")
        .expect("an end");
    let mut pixels = vec![[1, 2, 3]; width * height];
    let mut colors = vec![[0; 3]; 256];
    let (mut x, mut y, mut color, mut repeat) = (0, 0, 0, 1);
    let mut letters = body.chars().peekable();
    while let Some(letter) = letters.next() {
        let mut numbers = Vec::new();
        if matches!(letter, '#' | '!') {
            let mut number = 0;
            while let Some(next) = letters.next_if(|next| next.is_ascii_digit() || *next == ';') {
                match next.to_digit(10) {
                    Some(digit) => number = number * 10 + digit as usize,
                    None => numbers.push(std::mem::take(&mut number)),
                }
            }
            numbers.push(number);
        }
        match (letter, &numbers[..]) {
            ('#', &[register, 2, red, green, blue]) => {
                colors[register] = [red, green, blue].map(|part| (part * 255 / 100) as u8);
            }
            ('#', &[register]) => color = register,
            ('!', &[count]) => repeat = count,
            ('$', _) => x = 0,
            ('-', _) => (x, y) = (0, y + 6),
            (letter, _) => {
                let bits = letter as u8 - b'?';
                for _ in 0..std::mem::replace(&mut repeat, 1) {
                    for row in (0..6).filter(|row| bits >> row & 1 == 1) {
                        pixels[(y + row) * width + x] = colors[color];
                    }
                    x += 1;
                }
            }
        }
    }
    pixels
}

#[test]
fn sixels_have_the_colors_of_the_picture() {
    let picture = pixels(&tile());
    for (colors, error) in [(256, 3), (16, 60)] {
        let sent = String::from_utf8(sixel(&picture, SIZE, colors)).expect("ASCII");
        let shown = sixel_pixels(&sent, SIZE);
        for (wanted, shown) in picture.iter().zip(&shown) {
            let far = wanted.iter().zip(shown).map(|(a, b)| a.abs_diff(*b)).max();
            assert!(
                far <= Some(error),
                "{wanted:?} is shown as {shown:?} with {colors} colors"
            );
        }
    }
}

#[test]
fn a_window_that_claims_to_be_gigantic_gets_no_tiles() {
    let of_cell = |pixels: (u16, u16), cells: (u16, u16)| {
        Pixels::of_cell(&WindowSize {
            columns_rows: cells.into(),
            pixels: pixels.into(),
        })
    };
    let cell = of_cell((800, 480), (80, 24)).expect("a size");
    assert_eq!(
        cell.of_cells(4, 2),
        Some(Pixels {
            width: 40,
            height: 40
        })
    );
    assert_eq!(cell.of_cells(u16::MAX, 2), None);
    assert_eq!(cell.of_cells(52, 1), None);
    assert_eq!(of_cell((800, 480), (0, 0)), None);
    assert_eq!(of_cell((0, 0), (80, 24)), None);
}

#[test]
fn nothing_of_the_text_gets_into_the_sequence_as_it_is() {
    assert_eq!(clipboard("\u{7}\u{1b}"), "\u{1b}]52;c;Bxs=\u{7}");
}
