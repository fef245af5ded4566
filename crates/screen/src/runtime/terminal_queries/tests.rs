use crossterm::event::KeyCode::{self, Backspace, Char, Down, Enter, Esc, Up};
use crossterm::event::KeyModifiers;

use super::keys;

#[test]
fn what_was_typed_early_becomes_keys() {
    let codes = |typed: &str| -> Vec<KeyCode> {
        let keys = keys(typed.as_bytes());
        keys.into_iter().map(|key| key.code).collect()
    };
    assert_eq!(codes("e4\r"), [Char('e'), Char('4'), Enter]);
    assert_eq!(
        codes("\u{1b}[A\u{1b}[Bé\u{7f}"),
        [Up, Down, Char('é'), Backspace]
    );
    assert_eq!(codes("\u{1b}"), [Esc]);
    // An unknown key is left out as a whole.
    assert_eq!(codes("\u{1b}[24~\u{1b}[A"), [Up]);
    assert_eq!(codes("\u{0}\u{1f}"), []);
    let interrupt = keys(b"\x03");
    assert_eq!(interrupt[0].modifiers, KeyModifiers::CONTROL);
}
