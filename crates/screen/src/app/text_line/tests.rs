use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::TextLine;

fn press(line: &mut TextLine, code: KeyCode) {
    line.edit(KeyEvent::new(code, KeyModifiers::NONE));
}

#[test]
fn letters_go_where_the_cursor_is() {
    let mut line = TextLine::default();
    line.insert("Nf");
    press(&mut line, KeyCode::Char('3'));
    press(&mut line, KeyCode::Home);
    press(&mut line, KeyCode::Right);
    press(&mut line, KeyCode::Char('g'));
    assert_eq!((line.text(), line.halves()), ("Ngf3", ("Ng", "f3")));
    press(&mut line, KeyCode::Backspace);
    press(&mut line, KeyCode::Delete);
    assert_eq!(line.text(), "N3");
}

#[test]
fn characters_of_several_bytes_stay_whole() {
    let mut line = TextLine::default();
    line.insert("é♞ü");
    for _ in 0..5 {
        press(&mut line, KeyCode::Left);
    }
    press(&mut line, KeyCode::Delete);
    press(&mut line, KeyCode::End);
    press(&mut line, KeyCode::Backspace);
    assert_eq!(line.text(), "♞");
}

#[test]
fn nothing_that_acts_on_a_terminal_gets_in_and_there_is_an_end() {
    let mut line = TextLine::default();
    line.insert("e4\u{1b}[2J\u{7}\u{202e}\n");
    assert_eq!(line.text(), "e4[2J ");
    line.insert(&"x".repeat(1000));
    assert_eq!(line.text().len(), 200);
}
