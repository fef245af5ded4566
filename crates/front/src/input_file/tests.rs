//! Formats are recognized, and files come out as text.

use std::io::{Read, Write};

use tabiya_store::disk::FileFault;

use super::{Format, text};

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).expect("a vector takes everything");
    encoder.finish().expect("a vector takes everything")
}

fn bzip2(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    encoder.write_all(bytes).expect("a vector takes everything");
    encoder.finish().expect("a vector takes everything")
}

fn utf16(text: &str, to_bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    text.encode_utf16().flat_map(to_bytes).collect()
}

fn read(bytes: &[u8]) -> Result<String, FileFault> {
    let mut out = Vec::new();
    let read = text(bytes).and_then(|mut reader| reader.read_to_end(&mut out));
    read.map_err(|error| FileFault::from(&error))?;
    Ok(String::from_utf8_lossy(&out).into_owned())
}

const GAME: &str = "[White \"Márczy 𝔛\"]\n\n1. e4 {½} *\n";

#[test]
fn every_format_is_recognized_by_its_first_bytes() {
    let marked = format!("\u{FEFF}{GAME}");
    let zstd = zstd::encode_all(GAME.as_bytes(), 1).expect("zstd");
    for bytes in [
        GAME.as_bytes().to_vec(),
        zstd.clone(),
        gzip(GAME.as_bytes()),
        bzip2(GAME.as_bytes()),
        utf16(&marked, u16::to_le_bytes),
        utf16(&marked, u16::to_be_bytes),
        utf16(GAME, u16::to_le_bytes),
        utf16(GAME, u16::to_be_bytes),
        gzip(&utf16(&marked, u16::to_le_bytes)),
        zstd::encode_all(&utf16(&marked, u16::to_be_bytes)[..], 1).expect("zstd"),
    ] {
        assert_eq!(read(&bytes).as_deref(), Ok(GAME));
    }
    // Consecutive members are one file.
    for packed in [gzip(GAME.as_bytes()), bzip2(GAME.as_bytes()), zstd] {
        assert_eq!(read(&packed.repeat(3)), Ok(GAME.repeat(3)));
    }
    for short in ["", "[", "1.", "BZ", "\u{FEFF}"] {
        assert_eq!(read(short.as_bytes()).as_deref(), Ok(short));
    }
    assert_eq!(read(&bzip2(b"")).as_deref(), Ok(""));
    assert_eq!(read(b"BZh9e4").as_deref(), Ok("BZh9e4"));
}

#[test]
fn what_is_not_read_is_named() {
    let mut tar = vec![b'x'; 512];
    tar[257..262].copy_from_slice(b"ustar");
    for (bytes, name) in [
        (&b"\xFD7zXZ\0\0"[..], "xz"),
        (b"PK\x03\x04", "zip"),
        (b"PK\x05\x06", "zip"),
        (b"7z\xBC\xAF\x27\x1C", "7z"),
        (b"Rar!\x1A\x07", "rar"),
        (b"\x04\x22\x4D\x18", "lz4"),
        (b"LZIP\x01", "lzip"),
        (b"\x1F\x9D\x90", "compress"),
        (b"\xFF\xFE\0\0[\0\0\0", "UTF-32"),
        (&gzip(&tar), "tar"),
        (&gzip(&gzip(b"x")), "twice"),
    ] {
        let error = read(bytes).expect_err(name);
        assert!(error.to_string().contains(name), "{error}");
        assert_ne!(Format::of(bytes), Format::Text);
    }
}

#[test]
fn what_is_damaged_gives_what_it_can() {
    let long = GAME.repeat(50_000);
    let zstd = zstd::encode_all(long.as_bytes(), 1).expect("zstd");
    for packed in [zstd, gzip(long.as_bytes()), bzip2(long.as_bytes())] {
        let mut out = Vec::new();
        let mut reader = text(&packed[..packed.len() / 2]).expect("it begins well");
        assert!(reader.read_to_end(&mut out).is_err());
        assert!(out.len() > 10 * GAME.len());
        assert!(long.as_bytes().starts_with(&out));
        // From the beginning: an error when it is read, not when it is opened.
        let mut broken = packed[..64].to_vec();
        broken[5..].fill(0xAA);
        assert!(text(&broken[..]).is_ok_and(|mut reader| reader.read_to_end(&mut out).is_err()));
    }
}

#[test]
fn broken_utf16_is_replaced() {
    let units: [u16; 8] = [0xFEFF, 0xD835, 0x41, 0xDD1B, 0x42, 0xD835, 0xD835, 0xDD1B];
    let mut bytes: Vec<u8> = units.into_iter().flat_map(u16::to_le_bytes).collect();
    assert_eq!(read(&bytes).as_deref(), Ok("\u{FFFD}A\u{FFFD}B\u{FFFD}𝔛"));
    bytes.push(0x41);
    assert_eq!(
        read(&bytes).as_deref(),
        Ok("\u{FFFD}A\u{FFFD}B\u{FFFD}𝔛\u{FFFD}")
    );
    bytes.extend([0, 0x35, 0xD8]);
    assert!(read(&bytes).is_ok_and(|text| text.ends_with("𝔛A\u{FFFD}")));
}
