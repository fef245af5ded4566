use super::{Does, SHORTCUTS};
use crate::commands;

#[test]
fn no_shortcut_can_begin_a_move() {
    for shortcut in SHORTCUTS {
        let letter = shortcut.key.to_ascii_lowercase();
        assert!(!"abcdefghknoqr".contains(letter), "{}", shortcut.key);
        assert!(!shortcut.key.is_ascii_digit());
    }
}

#[test]
fn every_shortcut_runs_a_command_of_the_table() {
    for shortcut in SHORTCUTS {
        if let Does::Run(line) = shortcut.does {
            let read = commands::read(line);
            assert!(
                !matches!(read, Ok(commands::Request::Play(_))),
                "{line} is no command"
            );
            assert!(read.is_ok(), "{line}");
        }
    }
}
