use super::Charset;
use crate::app::tests::{game, play};
use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;
use tabiya_rules::Position;

fn detected(variables: &[(&str, &str)]) -> Charset {
    Charset::detect(|name| {
        let found = variables.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| (*value).to_owned())
    })
}

#[test]
fn the_locale_and_the_console_decide() {
    for (variables, wanted) in [
        (&[][..], Charset::Unicode),
        (&[("LANG", "en_US.UTF-8")], Charset::Unicode),
        (&[("LANG", "C.utf8")], Charset::Unicode),
        (&[("LANG", "de_DE")], Charset::Unicode),
        (&[("LANG", "C")], Charset::Ascii),
        (
            &[("LC_ALL", "POSIX"), ("LANG", "en_US.UTF-8")],
            Charset::Ascii,
        ),
        (&[("LC_ALL", ""), ("LANG", "C.UTF-8")], Charset::Unicode),
        (&[("LANG", "de_DE.ISO-8859-1")], Charset::Ascii),
        (&[("TERM", "linux"), ("LANG", "C.UTF-8")], Charset::Ascii),
    ] {
        assert_eq!(detected(variables), wanted, "{variables:?}");
    }
}

#[test]
fn everything_that_is_drawn_has_a_letter() {
    for (width, height) in [(132, 43), (100, 30), (80, 24), (60, 18), (40, 12)] {
        let mut app = game(&Position::start().fen(), width, height);
        app.look.charset = Charset::Ascii;
        play(&mut app, "e4 e5 Bc4 Nc6 Qh5");
        let mut buffer = Buffer::empty(Rect::new(0, 0, width, height));
        crate::app::draw(&app, &mut buffer);
        let text: String = buffer
            .content
            .iter()
            .map(ratatui_core::buffer::Cell::symbol)
            .collect();
        assert!(text.is_ascii(), "{text}");
        // A question is not asked anywhere on this screen but in the hint for help.
        assert!(text.matches('?').count() <= 1, "{text}");
        assert!(text.contains('K') && text.contains('k'), "{text}");
    }
}
