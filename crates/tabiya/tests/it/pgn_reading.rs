//! How the `tabiya pgn` commands read files: formats, compression, several files, several threads.

use serde_json::json;

use crate::pgn_support::{ALL, GAMES, complaint, file, run_bytes};
use crate::support::{json, run, run_with};

#[test]
fn games_are_numbered_by_file_however_they_are_read() {
    let one = file(
        "numbers-1.pgn",
        "[Event \"x\"]\n\n1. e4 *\n\n".repeat(40_000).as_bytes(),
    );
    let bad = "[Event \"x\"]\n[White \"A\"]\n\n1. e4 (1. d5) (1. d5) *\n\n";
    let two = file(
        "numbers-2.pgn",
        ("[Event \"x\"]\n\n1. e4 *\n\n".repeat(20_000) + &bad.repeat(600)).as_bytes(),
    );
    let with = |threads: &str| run(&["pgn", "check", &one, &two, "--threads", threads]);
    let alone = with("1");
    assert!(alone.out.contains(": game 20001, A – ?: "));
    assert!(alone.out.contains(": game 20600, A – ?: "));
    assert!(!alone.out.contains(": game 20601"));
    assert_eq!(alone.out.matches(": game 20300, ").count(), 2);
    assert!(with("3") == alone);
}

#[test]
fn other_formats_are_read_or_named() {
    use std::io::Write;
    let text = GAMES.repeat(300);
    let expected = run_with(&["pgn", "fens"], &text);
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(text.as_bytes()).expect("a vector");
    let gzip = gzip.finish().expect("a vector");
    let mut bzip2 = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    bzip2.write_all(text.as_bytes()).expect("a vector");
    let bzip2 = bzip2.finish().expect("a vector");
    let units = format!("\u{FEFF}{text}");
    let utf16: Vec<u8> = units.encode_utf16().flat_map(u16::to_le_bytes).collect();
    for (name, bytes) in [
        ("games.gz", &gzip),
        ("games.bz2", &bzip2),
        ("games.txt", &utf16),
    ] {
        let name = file(name, bytes);
        for threads in ["1", "2"] {
            assert_eq!(run(&["pgn", "fens", &name, "--threads", threads]), expected);
        }
        let (out, _, code) = run_bytes(&["pgn", "fens"], bytes);
        assert_eq!((out, code), (expected.out.clone().into_bytes(), 1));
    }
    for bytes in [&gzip, &bzip2] {
        let (out, err, code) = run_bytes(&["pgn", "check"], &bytes[..bytes.len() - 8]);
        assert_eq!(code, 3, "{err}");
        assert!(String::from_utf8_lossy(&out).contains(" games, "));
    }
    for (bytes, name) in [
        (&b"\xFD7zXZ\0 and more"[..], "xz"),
        (b"PK\x03\x04 and more", "zip"),
    ] {
        let (out, err, code) = run_bytes(&["pgn", "check"], bytes);
        assert_eq!((out.as_slice(), code), (&b""[..], 3));
        assert!(
            err.starts_with("tabiya: stdin: this is ") && err.contains(name),
            "{err}"
        );
    }
}

#[test]
fn a_corrupt_file_still_has_counts() {
    let mut packed = zstd::encode_all(GAMES.repeat(500).as_bytes(), 3).expect("zstd");
    packed[6..].fill(0xAA);
    for threads in ["1", "2"] {
        let (out, err, code) = run_bytes(&["pgn", "check", "--threads", threads], &packed);
        assert_eq!(code, 3);
        assert!(err.starts_with("tabiya: stdin: "), "{err}");
        assert_eq!(
            String::from_utf8_lossy(&out),
            "0 games, 0 moves, 0 errors\n"
        );
    }
}

#[cfg(unix)]
#[test]
fn a_bomb_needs_no_memory() {
    use std::io::Write;
    let block = vec![b'x'; 1 << 20];
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    let mut bzip2 = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    gzip.write_all(b"1. e4 {").expect("a vector");
    bzip2.write_all(b"1. e4 {").expect("a vector");
    for _ in 0..600 {
        gzip.write_all(&block).expect("a vector");
    }
    for _ in 0..150 {
        bzip2.write_all(&block).expect("a vector");
    }
    let gzip = file("bomb.gz", &gzip.finish().expect("a vector"));
    let bzip2 = file("bomb.bz2", &bzip2.finish().expect("a vector"));
    for name in [gzip, bzip2] {
        let script = "ulimit -v 200000; exec \"$0\" pgn check \"$1\" --threads 1";
        let ended = std::process::Command::new("sh")
            .args(["-c", script, env!("CARGO_BIN_EXE_tabiya"), &name])
            .output()
            .expect("a shell");
        let out = String::from_utf8_lossy(&ended.stdout);
        assert!(out.contains("is longer than"), "{name}: {ended:?}");
        assert!(
            out.contains("\n1 games, 1 moves, 1 errors"),
            "{name}: {out}"
        );
    }
}

#[test]
fn dates_in_utc_count() {
    let game = "[Event \"Rated\"]\n[UTCDate \"2019.04.30\"]\n[UTCTime \"22:00:24\"]\n\n1. e4 *\n\n";
    let found = run_with(&["pgn", "filter", "--date", "2019"], game).fine();
    assert!(found.contains("UTCDate"));
    assert_eq!(
        run_with(&["pgn", "filter", "--date", "2020"], game).fine(),
        ""
    );
    let found = json(run_with(&["pgn", "stats", "--json"], game));
    assert_eq!(
        found["years"],
        json!([{"year": 2019, "games": 1, "wins": 0, "draws": 0, "losses": 0}])
    );
}

#[test]
fn several_files_are_read_in_their_order() {
    let one = file("several-1.pgn", GAMES.as_bytes());
    let two = file("several-2.pgn", b"1. e4 e5 *\n");
    let found = run_with(&["pgn", "check", &one, &two, "-", &one], "1. Ke2 *\n");
    let lines: Vec<&str> = found.out.lines().collect();
    assert_eq!(lines.len(), 4, "{}", found.out);
    assert!(lines[0].starts_with(&complaint(&one)));
    assert!(lines[1].starts_with("stdin:1:4: game 1: 'Ke2' cannot be played."));
    assert!(lines[2].starts_with(&complaint(&one)));
    assert_eq!(lines[3], "8 games, 26 moves, 3 errors, 2 warnings");
}

#[test]
fn a_file_that_cannot_be_used_is_named_and_the_others_are_read() {
    let good = file("usable.pgn", b"1. e4 e5 *\n");
    for command in ALL {
        for threads in ["1", "2"] {
            let arguments = [
                "pgn",
                command,
                "no such file",
                &good,
                "src",
                "--threads",
                threads,
            ];
            let found = run(&arguments);
            let lines: Vec<&str> = found.err.lines().collect();
            assert_eq!(
                (found.code, lines.len()),
                (3, 2),
                "{arguments:?} {}",
                found.err
            );
            assert!(
                lines[0].starts_with("tabiya: no such file: "),
                "{}",
                lines[0]
            );
            assert!(
                lines[1].starts_with("tabiya: src: there is no file of games"),
                "{}",
                lines[1]
            );
            assert!(!found.out.is_empty(), "{arguments:?}");
        }
    }
    let both = run_with(&["pgn", "check", "-", "no such file"], GAMES);
    assert_eq!(both.code, 3);
    assert!(
        both.out
            .ends_with("3 games, 12 moves, 1 errors, 1 warnings\n")
    );
}

#[test]
fn zstd_is_recognized_by_its_content() {
    let text = GAMES.repeat(500);
    let packed = zstd::encode_all(text.as_bytes(), 3).expect("zstd");
    let name = file("packed.txt", &packed);
    let expected = run_with(&["pgn", "fens"], &text);
    assert_eq!(expected.out.lines().count(), 12 * 500);
    for threads in ["1", "2"] {
        assert_eq!(run(&["pgn", "fens", &name, "--threads", threads]), expected);
        let (out, _, code) = run_bytes(&["pgn", "fens", "--threads", threads], &packed);
        assert_eq!((out, code), (expected.out.clone().into_bytes(), 1));
        // Cut off: what can be unpacked is read, and the rest is missed.
        let (out, err, code) = run_bytes(
            &["pgn", "check", "--threads", threads],
            &packed[..packed.len() - 4],
        );
        assert_eq!(code, 3, "{err}");
        assert!(err.starts_with("tabiya: stdin: "), "{err}");
        assert!(String::from_utf8_lossy(&out).contains(" errors"));
    }
    let two: Vec<u8> = [&packed[..], &packed[..]].concat();
    let (out, _, _) = run_bytes(&["pgn", "fens"], &two);
    assert_eq!(out.len(), 2 * expected.out.len());
}

#[test]
fn threads_change_nothing() {
    let mut text = String::new();
    for number in 0..4_000 {
        text += &GAMES.replace("Spring", &format!("Spring {number}"));
        match number % 7 {
            0 => text += "\n\n1. e4 {never ends\n\n",
            1 => text += "[Event \"cut",
            2 => text += "\n[White \"no event\"]\n\n1. d4 (1. c4 *\n",
            _ => text += "\n",
        }
    }
    let name = file("threads.pgn", text.as_bytes());
    for flags in [
        &["check"][..],
        &["check", "--json"],
        &["stats"],
        &["stats", "--json", "--top", "0"],
        &["filter"],
        &["filter", "--player", "cleo", "--plies", "3.."],
        &["filter", "--material", "KPRvK", "--invert"],
        &["fens"],
        &["fens", "--json", "--last"],
    ] {
        let with = |threads: &str| run(&[&["pgn"], flags, &[&name, "--threads", threads]].concat());
        let alone = with("1");
        assert!(alone.out.len() > 50, "{flags:?}");
        for threads in ["2", "3", "64"] {
            assert!(with(threads) == alone, "{flags:?} {threads}");
        }
    }
}
