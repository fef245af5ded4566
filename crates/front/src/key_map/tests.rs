use tabiya_play::request::{GameRequest, Request};

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::{Key, KeyAction, KeyMap, Keys, SHORTCUTS, begins_a_move, names};
use crate::commands::{self, Command};

fn does(keys: &Keys, letter: char, modifiers: KeyModifiers) -> Option<&'static str> {
    let event = KeyEvent::new(KeyCode::Char(letter), modifiers);
    keys.find(event).map(|(_, shortcut)| shortcut.name)
}

#[test]
fn no_shortcut_can_begin_a_move_and_no_key_does_two_things() {
    for map in [KeyMap::Standard, KeyMap::Vim] {
        let (keys, problems) = Keys::new(map, Vec::new());
        assert!(problems.is_empty(), "{problems:?}");
        for (at, (key, _)) in keys.bound.iter().enumerate() {
            assert!(
                !matches!(key, Key::Plain(letter) if begins_a_move(*letter)),
                "{key:?}"
            );
            assert!(![Key::Control('c'), Key::Control('z')].contains(key));
            assert!(
                keys.bound[at + 1..].iter().all(|(other, _)| other != key),
                "{key:?}"
            );
        }
    }
}

#[test]
fn every_shortcut_runs_a_command_of_the_table() {
    for shortcut in SHORTCUTS {
        if let KeyAction::Run(line) = shortcut.action {
            let read = commands::read(line);
            assert!(
                !matches!(
                    read,
                    Ok(Command::Table(Request::Game(GameRequest::Play(_))))
                ),
                "{line} is no command"
            );
            assert!(read.is_ok(), "{line}");
        }
    }
}

#[test]
fn the_users_keys_take_the_place_of_the_standard_ones() {
    let (keys, problems) = Keys::new(KeyMap::Standard, vec![("undo", '+'), ("undo", ';')]);
    assert!(problems.is_empty(), "{problems:?}");
    let plain = |letter| does(&keys, letter, KeyModifiers::NONE);
    assert_eq!(plain('+'), Some("undo"));
    assert_eq!(plain(';'), Some("undo"));
    assert_eq!(plain('u'), None);
    assert_eq!(plain('U'), Some("redo"));
    assert_eq!(keys.of_command("undo").as_deref(), Some("+"));
}

#[test]
fn what_a_shortcut_loses_is_reported() {
    let (keys, problems) = Keys::new(KeyMap::Standard, vec![("flip", 'u')]);
    assert_eq!(does(&keys, 'u', KeyModifiers::NONE), Some("flip"));
    assert_eq!(does(&keys, 't', KeyModifiers::NONE), Some("theme"));
    assert_eq!(
        problems,
        ["The key 'u' now does 'flip', so 'undo' has lost it."]
    );
}

#[test]
fn vim_has_more_keys() {
    let (keys, _) = Keys::new(KeyMap::Vim, Vec::new());
    assert_eq!(does(&keys, 'r', KeyModifiers::CONTROL), Some("redo"));
    assert_eq!(does(&keys, 'j', KeyModifiers::ALT), Some("down"));
    assert_eq!(does(&keys, 'u', KeyModifiers::NONE), Some("undo"));
    let standard = Keys::default();
    assert_eq!(does(&standard, 'r', KeyModifiers::CONTROL), None);
}

#[test]
fn names_are_unique() {
    let mut all = names();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), SHORTCUTS.len());
}
