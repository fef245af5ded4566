//! Lines in chunks of every size, bounds, and what cleaning leaves.

use std::io::{self, Read};

use super::{Line, LineReader, MAX_LINE, clean, count, is_plain, number};

/// Returns its bytes in chunks of one size, to show that chunk boundaries do not matter.
struct Pieces<'a>(&'a [u8], usize);

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.0.len().min(self.1).min(buffer.len());
        let (now, later) = self.0.split_at(count);
        buffer[..count].copy_from_slice(now);
        self.0 = later;
        Ok(count)
    }
}

fn lines(bytes: &[u8], size: usize) -> Vec<Line> {
    let mut reader = LineReader::new(Pieces(bytes, size));
    let mut all = Vec::new();
    loop {
        let line = reader.next_line().expect("no errors in memory");
        all.push(line.clone());
        if line == Line::End {
            return all;
        }
    }
}

#[test]
fn lines_do_not_depend_on_the_pieces() {
    for size in [1, 2, 3, 7, 64, 100_000] {
        assert_eq!(
            lines(b"uci\r\n\nisready\nhalf", size),
            [
                Line::Whole(b"uci\r".to_vec()),
                Line::Whole(Vec::new()),
                Line::Whole(b"isready".to_vec()),
                Line::End
            ]
        );
    }
}

#[test]
fn a_long_line_is_reported_once_and_the_next_is_read() {
    let exact = vec![b'x'; MAX_LINE];
    for (length, expected) in [
        (MAX_LINE, Line::Whole(exact)),
        (MAX_LINE + 1, Line::TooLong),
        (3 * MAX_LINE, Line::TooLong),
    ] {
        let mut bytes = vec![b'x'; length];
        bytes.extend_from_slice(b"\nuci\n");
        for size in [977, 16 * 1024, 1 << 20] {
            let found = lines(&bytes, size);
            assert_eq!(found.len(), 3, "{length} in {size}");
            assert_eq!(found[0], expected);
            assert_eq!(found[1], Line::Whole(b"uci".to_vec()));
        }
    }
}

#[test]
fn a_line_without_end_is_reported_before_it_ends() {
    let mut reader = LineReader::new(io::repeat(b'x'));
    assert_eq!(reader.next_line().expect("reads"), Line::TooLong);
}

#[test]
fn cleaning_leaves_only_plain_text() {
    assert_eq!(clean(b"a\tb\r\n"), "a b");
    assert_eq!(clean(b"\x1b[2J\xff"), "\u{fffd}[2J\u{fffd}");
    assert_eq!(clean("\u{202e}x\u{9b}".as_bytes()), "\u{fffd}x\u{fffd}");
    for byte in 0..=255_u8 {
        assert!(clean(&[byte, b'x']).chars().all(is_plain));
    }
}

#[test]
fn numbers_stay_within_bounds() {
    assert_eq!(number("-5"), Some(-5));
    assert_eq!(number(&"9".repeat(400)), Some(i64::MAX));
    assert_eq!(number(&format!("-{}", "9".repeat(400))), Some(i64::MIN));
    assert_eq!(number("-9223372036854775808"), Some(i64::MIN));
    for text in [
        "", "-", "+5", "1e9", "0x10", "٥", "²", "1,000", "1_000", "1.5",
    ] {
        assert_eq!(number(text), None, "{text}");
        assert_eq!(count::<u64>(text), None, "{text}");
    }
    assert_eq!(count::<u64>("18446744073709551615"), Some(u64::MAX));
    assert_eq!(count::<u64>("18446744073709551616"), None);
    assert_eq!(count::<u16>("65536"), None);
}
