//! What is sent to a terminal beside cells: pictures, as PNG in the protocols of kitty and iTerm2 or as sixels, and texts
//! for the clipboard.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write as _;
use std::io::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use flate2::write::ZlibEncoder;
use flate2::{Compression, Crc};
use ratatui_core::layout::Rect;
use tabiya_front::color::Rgb;

use super::Pixels;

/// The greatest length of a chunk of a picture in kitty's protocol.
const MAX_CHUNK_LENGTH: usize = 4096;

/// Sends a picture under a number, by which it can then be placed.
pub(crate) fn transmit(id: u32, pixels: &[[u8; 3]], size: Pixels) -> Vec<u8> {
    let data = BASE64.encode(png(pixels, size));
    let pieces = data.as_bytes().chunks(MAX_CHUNK_LENGTH);
    let last = pieces.len().saturating_sub(1);
    let mut out = Vec::new();
    for (at, piece) in pieces.enumerate() {
        let more = u8::from(at < last);
        // Only the first chunk describes the picture.
        let head = if at == 0 {
            format!("\u{1b}_Ga=t,f=100,t=d,i={id},q=2,m={more};")
        } else {
            format!("\u{1b}_Gm={more},q=2;")
        };
        out.extend_from_slice(head.as_bytes());
        out.extend_from_slice(piece);
        out.extend_from_slice(b"\x1b\\");
    }
    out
}

/// Shows a picture at the cursor, over the cells of an area, in kitty's protocol.
pub(crate) fn place(id: u32, placement: u32, area: Rect) -> String {
    let (columns, rows) = (area.width, area.height);
    format!("\u{1b}_Ga=p,i={id},p={placement},c={columns},r={rows},C=1,q=2\u{1b}\\")
}

/// Removes a picture from one place.
pub(crate) fn delete_placement(id: u32, placement: u32) -> String {
    format!("\u{1b}_Ga=d,d=i,i={id},p={placement},q=2\u{1b}\\")
}

/// Deletes a picture and all its placements.
pub(crate) fn delete_image(id: u32) -> String {
    format!("\u{1b}_Ga=d,d=I,i={id},q=2\u{1b}\\")
}

/// Shows a picture over the cells of an area, in iTerm2's protocol.
pub(crate) fn iterm(pixels: &[[u8; 3]], size: Pixels, area: Rect) -> Vec<u8> {
    let data = png(pixels, size);
    let (length, columns, rows) = (data.len(), area.width, area.height);
    format!(
        "\u{1b}]1337;File=inline=1;size={length};width={columns};height={rows};preserveAspectRatio=0;\
         doNotMoveCursor=1:{}\u{7}",
        BASE64.encode(&data)
    )
    .into_bytes()
}

/// A PNG file with eight bits each for red, green and blue.
fn png(pixels: &[[u8; 3]], size: Pixels) -> Vec<u8> {
    let width = usize::from(size.width).max(1);
    let mut zlib = ZlibEncoder::new(Vec::new(), Compression::fast());
    for row in pixels.chunks(width) {
        // Each row begins with its filter type: none. Writing into memory does not fail.
        let _ = zlib.write_all(&[0]);
        let _ = zlib.write_all(row.as_flattened());
    }
    let data = zlib.finish().unwrap_or_default();
    let sides = [size.width, size.height].map(|side| u32::from(side).to_be_bytes());
    let header = [sides.as_flattened(), &[8, 2, 0, 0, 0]].concat();
    let mut out = b"\x89PNG\r\n\x1a\n".to_vec();
    for (kind, data) in [(b"IHDR", &header[..]), (b"IDAT", &data), (b"IEND", &[])] {
        let mut crc = Crc::new();
        crc.update(kind);
        crc.update(data);
        out.extend_from_slice(&(data.len() as u32).to_be_bytes());
        out.extend_from_slice(kind);
        out.extend_from_slice(data);
        out.extend_from_slice(&crc.sum().to_be_bytes());
    }
    out
}

/// A picture as sixels with at most this many colors.
pub(crate) fn sixel(pixels: &[[u8; 3]], size: Pixels, colors: usize) -> Vec<u8> {
    let (palette, indices) = reduce(pixels, colors);
    let mut out = format!("\u{1b}P0;1;0q\"1;1;{};{}", size.width, size.height);
    for (register, color) in palette.iter().enumerate() {
        let [red, green, blue] = color.map(|part| (u32::from(part) * 100 + 127) / 255);
        // Writing into a String never fails.
        let _ = write!(out, "#{register};2;{red};{green};{blue}");
    }
    let width = usize::from(size.width).max(1);
    // A band is six rows high, and its colors are drawn one over the other.
    for band in indices.chunks(width * 6) {
        let registers: BTreeSet<usize> = band.iter().copied().collect();
        for register in registers {
            let _ = write!(out, "#{register}");
            let bits = (0..width).map(|x| {
                let rows = band.iter().skip(x).step_by(width).enumerate();
                rows.fold(0_u8, |bits, (row, &index)| {
                    bits | u8::from(index == register) << row
                })
            });
            write_runs(&mut out, bits);
            out.push('$');
        }
        out.push('-');
    }
    out.push_str("\u{1b}\\");
    out.into_bytes()
}

/// Writes columns of six pixels, with run lengths for equal columns in a row.
fn write_runs(out: &mut String, columns: impl Iterator<Item = u8>) {
    let mut columns = columns.peekable();
    while let Some(column) = columns.next() {
        let mut count = 1;
        while columns.next_if_eq(&column).is_some() {
            count += 1;
        }
        let letter = char::from(b'?' + column);
        if count > 3 {
            let _ = write!(out, "!{count}{letter}");
        } else {
            out.extend(std::iter::repeat_n(letter, count));
        }
    }
}

/// The colors of a picture, or the most frequent ones if there are too many, and for each pixel the index of the
/// nearest of them.
fn reduce(pixels: &[[u8; 3]], most: usize) -> (Vec<[u8; 3]>, Vec<usize>) {
    let mut counts: HashMap<[u8; 3], usize> = HashMap::new();
    for &pixel in pixels {
        *counts.entry(pixel).or_default() += 1;
    }
    let mut colors: Vec<([u8; 3], usize)> = counts.into_iter().collect();
    colors.sort_unstable_by_key(|&(color, count)| (std::cmp::Reverse(count), color));
    let palette: Vec<[u8; 3]> = colors.iter().take(most).map(|&(color, _)| color).collect();
    let nearest = |color: [u8; 3]| {
        let far = |other: &[u8; 3]| Rgb(color).distance(Rgb(*other));
        let indices = 0..palette.len();
        indices
            .min_by_key(|&at| palette.get(at).map(far))
            .unwrap_or(0)
    };
    let registers: HashMap<[u8; 3], usize> = colors
        .iter()
        .map(|&(color, _)| (color, nearest(color)))
        .collect();
    let indices = pixels
        .iter()
        .map(|pixel| registers.get(pixel).copied().unwrap_or(0));
    (palette, indices.collect())
}

/// The longest text that terminals are known to accept for the clipboard.
const MAX_COPY_LENGTH: usize = 74_994;

/// The sequence that copies a text to the clipboard through the terminal, also over a network (OSC 52); it copies
/// nothing if the text is too long.
pub(crate) fn clipboard(text: &str) -> String {
    let text = Some(text).filter(|text| text.len() <= MAX_COPY_LENGTH);
    let text = text.unwrap_or_default();
    format!("\u{1b}]52;c;{}\u{7}", BASE64.encode(text.as_bytes()))
}
