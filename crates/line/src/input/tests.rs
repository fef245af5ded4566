use super::{InputEvent, MAX_LINE_LENGTH, next_line};

fn lines(mut bytes: &[u8]) -> Vec<String> {
    let mut lines = Vec::new();
    while let InputEvent::Line(line) = next_line(&mut bytes) {
        lines.push(line);
    }
    lines
}

#[test]
fn the_last_line_needs_no_end() {
    assert_eq!(lines(b"e2e4\r\n\nquit"), ["e2e4\r\n", "\n", "quit"]);
}

#[test]
fn bytes_that_are_no_text_do_no_harm() {
    assert_eq!(lines(b"\xff\0e4\nNf3\n"), ["\u{fffd}\0e4\n", "Nf3\n"]);
}

#[test]
fn an_endless_line_is_refused_and_what_follows_is_read() {
    for length in [MAX_LINE_LENGTH, MAX_LINE_LENGTH + 1, 3 * MAX_LINE_LENGTH] {
        let mut bytes = vec![b'x'; length as usize];
        bytes.extend(b"\ne2e4\n");
        let mut input = &bytes[..];
        assert!(
            matches!(next_line(&mut input), InputEvent::LineTooLong),
            "{length}"
        );
        assert!(matches!(next_line(&mut input), InputEvent::Line(line) if line == "e2e4\n"));
    }
    // The greatest length, with and without a line end.
    let whole = "x".repeat(MAX_LINE_LENGTH as usize - 1) + "\n";
    let open = "x".repeat(MAX_LINE_LENGTH as usize);
    for text in [whole, open] {
        assert_eq!(lines(text.as_bytes()), [text]);
    }
}
