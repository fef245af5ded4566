//! Typed names: none of them leads out of the folder.

use std::path::{Component, Path};

use tabiya_rules::SplitMix64;

use crate::disk::{Disk, SystemDisk};
use crate::save_name::{NameError, SaveName};
use crate::store::{SaveError, Store};

#[test]
fn names_that_are_taken() {
    for text in [
        "a",
        "My game",
        "Müller - König",
        "2026-11-15",
        "e4!",
        "x.y",
        "com",
        "com10",
        "console",
        "日本",
        "♞",
        "lpt",
        "(1)",
        "a'b",
        "#1",
        "100%",
    ] {
        assert_eq!(
            SaveName::new(text).map(|name| name.to_string()),
            Ok(text.to_owned())
        );
    }
}

#[test]
fn the_ending_may_be_typed() {
    for (text, name) in [
        ("x.pgn", "x"),
        ("x.PGN", "x"),
        ("x", "x"),
        ("x.pgn.pgn", "x.pgn"),
        ("x.pgnn", "x.pgnn"),
    ] {
        assert_eq!(SaveName::typed(text), SaveName::new(name), "{text:?}");
    }
    assert_eq!(SaveName::typed(".pgn"), Err(NameError::Empty));
}

#[test]
fn names_that_are_refused_with_a_reason() {
    for (text, why) in [
        ("", NameError::Empty),
        (".", NameError::Front('.')),
        ("..", NameError::Front('.')),
        (".hidden", NameError::Front('.')),
        ("-rf", NameError::Front('-')),
        (" a", NameError::Front(' ')),
        ("~root", NameError::Front('~')),
        ("../x", NameError::Sign('/')),
        ("/etc/passwd", NameError::Sign('/')),
        ("a/b", NameError::Sign('/')),
        ("a\\b", NameError::Sign('\\')),
        ("C:x", NameError::Sign(':')),
        ("a\0b", NameError::Sign('\0')),
        ("a\nb", NameError::Sign('\n')),
        ("a\u{1b}[2J", NameError::Sign('\u{1b}')),
        ("a\u{202e}b", NameError::Sign('\u{202e}')),
        ("a\u{200b}b", NameError::Sign('\u{200b}')),
        ("a\u{a0}b", NameError::Sign('\u{a0}')),
        ("a*", NameError::Sign('*')),
        ("a.", NameError::End('.')),
        ("a ", NameError::End(' ')),
        ("CON", NameError::Device),
        ("nul.pgn", NameError::Device),
        ("Com1", NameError::Device),
        ("lpt9.x.y", NameError::Device),
        ("COM²", NameError::Device),
        ("con .x", NameError::Device),
    ] {
        assert_eq!(SaveName::new(text), Err(why), "{text:?}");
        let sentence = why.to_string();
        assert!(sentence.ends_with('.') && sentence.chars().all(tabiya_rules::text::is_safe));
    }
    assert_eq!(SaveName::new(&"x".repeat(300)), Err(NameError::TooLong));
    assert_eq!(SaveName::new(&"♞".repeat(41)), Err(NameError::TooLong));
    assert!(SaveName::new(&"♞".repeat(40)).is_ok());
}

#[test]
fn no_name_leads_out_of_the_folder() {
    const PIECES: [&str; 24] = [
        "..", ".", "/", "\\", "\0", "a", "CON", "nul", "-", " ", "\u{202e}", "\u{2215}", "~", ":",
        "%2e", "é", "♞", "\n", "\u{feff}", "com1", "/etc", "$HOME", "*", "x",
    ];
    let folder = Path::new("/data");
    let store = Store::new(SystemDisk, folder);
    let mut random = SplitMix64::new(3);
    let mut taken = 0;
    for _ in 0..10_000 {
        let text: String = (0..=random.below(5))
            .map(|_| PIECES[random.below(PIECES.len())])
            .collect();
        let Ok(name) = SaveName::new(&text) else {
            continue;
        };
        taken += 1;
        for path in [
            store.pgn_path(&name),
            store.journal_path(&name),
            store.draft_path(&name),
        ] {
            assert_eq!(path.parent(), Some(Path::new("/data/saves")), "{text:?}");
            let plain =
                |part: Component<'_>| matches!(part, Component::RootDir | Component::Normal(_));
            assert!(path.components().all(plain), "{text:?}");
            assert!(path.file_name().is_some_and(|file| file.len() < 255));
        }
    }
    assert!(taken > 500, "{taken}");
}

#[cfg(unix)]
#[test]
fn links_are_not_followed_and_pipes_not_opened() {
    let folder = std::env::temp_dir().join(format!("tabiya-names-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    let saves = folder.join("saves");
    std::fs::create_dir_all(&saves).expect("a folder");
    let outside = folder.join("outside.pgn");
    std::fs::write(&outside, "1. e4 *\n").expect("written");
    std::os::unix::fs::symlink(&outside, saves.join("link.pgn")).expect("a link");
    let made = std::process::Command::new("mkfifo")
        .arg(saves.join("pipe.pgn"))
        .status();
    assert!(made.expect("mkfifo").success());
    std::fs::create_dir(saves.join("folder.pgn")).expect("a folder");
    let store = Store::new(SystemDisk, &folder);
    assert_eq!(store.list(), Ok(vec![]));
    for text in ["link", "pipe", "folder"] {
        let name = SaveName::new(text).expect("a good name");
        let trouble = store.peek(&name).expect_err(text);
        assert!(
            matches!(trouble, SaveError::File { .. }),
            "{text}: {trouble}"
        );
        // No save of that name can be created, so nothing is written through it.
        assert_eq!(store.has(&name), Ok(true));
    }
    std::os::unix::fs::symlink(&outside, folder.join("x.lock")).expect("a link");
    assert!(SystemDisk.lock(&folder.join("x.lock")).is_err());
    assert_eq!(
        std::fs::read_to_string(&outside).expect("there"),
        "1. e4 *\n"
    );
}
