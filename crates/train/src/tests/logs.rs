//! Lines of a log.

use super::*;
use crate::log::{self, ItemState, Line, MAX_LINE};

fn read(line: &str) -> Line {
    log::read(line.as_bytes()).0
}

#[test]
fn entries_are_read_as_they_were_written() {
    let mut items = items(30);
    items[0].themes = vec!["pin".to_owned(), "a \"quoted\"\nname".to_owned()];
    items[0].also = vec![items[0].wrong.expect("a move")];
    items[0].rating = Some(1480);
    items[0].vs = Some("Bo".to_owned());
    let id = items[0].id;
    let mut changes: Vec<Change> = items
        .into_iter()
        .map(|item| Change::Item(Box::new(item)))
        .collect();
    let played = "e1e5".parse().expect("a move");
    changes.extend([
        Change::Head,
        Change::Undo { of: 5 },
        Change::Retract { id, played },
        Change::State {
            id,
            to: ItemState::Suspended,
        },
        Change::Scanned {
            game: u64::MAX,
            rules: 1,
        },
        reviewed(1, noon(1, 0), id, Grade::Easy).change,
    ]);
    for change in changes {
        let at = Moment {
            z: -210,
            ..noon(20_000, 5)
        };
        let entry = entry(u64::MAX - 3, at, change);
        let line = entry.line();
        assert!(!line.contains('\n'), "{line}");
        assert_eq!(read(&line), Line::Entry(Box::new(entry)), "{line}");
    }
}

#[test]
fn lines_of_later_versions_are_read_as_far_as_they_are_understood() {
    let review = r#"{"v":2,"k":"review","id":"x:9d39247e33776d41a07c","t":5,"z":0,"n":"00000000000000aa","grade":3,"new":[1]}"#;
    let (line, version) = log::read(review.as_bytes());
    assert!(matches!(line, Line::Entry(_)), "{line:?}");
    assert_eq!(version, 2);
    for unknown in [
        r#"{"v":1,"k":"medal","t":5,"z":0,"n":"00000000000000aa"}"#,
        r#"{"v":1,"k":"medal","best":{"a":1}}"#,
        r#"{"v":2,"k":"review","grade":"A"}"#,
        r#"{"v":3}"#,
    ] {
        assert_eq!(read(unknown), Line::Unknown, "{unknown}");
    }
}

#[test]
fn nonsense_is_unreadable() {
    let item = added(1, noon(1, 0), &items(1)[0]).line();
    let id = &item[item.find("x:").expect("an identity")..][..22];
    let other_id = item.replace(id, "x:00000000000000000001");
    let no_move = item.replace("\"best\":[\"", "\"best\":[\"a1");
    let long = format!("{item}{}", " ".repeat(MAX_LINE));
    for line in [
        "",
        "{}",
        "[]",
        "\0\0\0",
        r#"{"v":1,"k":"review","id":"x:9d39247e33776d41a07c","t":5,"z":0,"n":"00000000000000aa","grade":5}"#,
        r#"{"v":1,"k":"review","id":"x:9d39247e33776d41a07c","t":-5,"z":0,"n":"00000000000000aa","grade":3}"#,
        r#"{"v":1,"k":"review","id":"y:9d39247e33776d41a07c","t":5,"z":0,"n":"00000000000000aa","grade":3}"#,
        r#"{"v":1,"k":"review","id":"x:9d39247e33776d41a07c","t":5,"z":0,"n":"xx","grade":3}"#,
        &other_id,
        &no_move,
        &long,
    ] {
        assert_eq!(read(line), Line::Unreadable, "{line}");
    }
    // Any part of a line is unreadable, so a torn one is not taken for another.
    for end in (0..item.len()).filter(|&end| item.is_char_boundary(end)) {
        assert_eq!(read(&item[..end]), Line::Unreadable);
    }
}

/// Whatever a line holds, reading it does not panic, and what is read can be written and read again.
#[test]
fn any_bytes_are_a_line_or_unreadable() {
    let mut random = SplitMix64::new(2);
    let lines: Vec<Vec<u8>> = items(20)
        .iter()
        .flat_map(|item| {
            let review = reviewed(2, noon(1, 0), item.id, Grade::Hard);
            [added(1, noon(1, 0), item), review]
        })
        .map(|entry| entry.line().into_bytes())
        .collect();
    for _ in 0..20_000 {
        let mut line = lines[random.below(lines.len())].clone();
        for _ in 0..1 + random.below(3) {
            let at = random.below(line.len());
            match random.below(4) {
                0 => line[at] = random.next_u64() as u8,
                1 => drop(line.remove(at)),
                2 => line.insert(at, b"0123456789abcdef\"{}[],:"[random.below(23)]),
                _ => {
                    let other = &lines[random.below(lines.len())];
                    line.truncate(at);
                    line.extend(&other[at.min(other.len())..]);
                }
            }
        }
        if let (Line::Entry(entry), 1) = log::read(&line) {
            let again = log::read(entry.line().as_bytes()).0;
            let Line::Entry(again) = again else {
                panic!("{}", String::from_utf8_lossy(&line));
            };
            assert_eq!(again.line(), entry.line());
        }
    }
}

#[test]
fn a_line_is_never_too_long() {
    let mut item = items(1).remove(0);
    item.from = Some("x".repeat(MAX_LINE));
    item.themes = vec!["y".repeat(100); 1000];
    let line = added(1, noon(1, 0), &item).line();
    assert!(line.len() <= MAX_LINE);
    assert!(matches!(read(&line), Line::Entry(_)));
}

/// The lines that docs/training.md shows are lines of a log.
#[test]
fn the_examples_of_the_documentation_are_read() {
    let page = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/training.md");
    let page = std::fs::read_to_string(page).expect("the page");
    let examples: Vec<&str> = page
        .lines()
        .filter(|line| line.starts_with("{\"v\":"))
        .collect();
    assert_eq!(examples.len(), 3);
    for example in examples {
        let Line::Entry(entry) = read(example) else {
            panic!("{example}");
        };
        assert_eq!(entry.line(), example, "it is written like this");
    }
}
