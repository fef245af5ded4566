use super::{LONGEST, Taken, next_line};

fn lines(mut bytes: &[u8]) -> Vec<String> {
    let mut lines = Vec::new();
    while let Taken::Line(line) = next_line(&mut bytes) {
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
fn the_end_of_an_endless_line_is_dropped() {
    let mut bytes = vec![b'x'; 3 * LONGEST as usize];
    bytes.extend(b"\ne2e4\n");
    let lines = lines(&bytes);
    assert_eq!(lines.len(), 2);
    assert_eq!(lines[0].len(), LONGEST as usize);
    assert_eq!(lines[1], "e2e4\n");
}
