//! Lines of the suites, parsed as commands and as replies.

use tabiya_uci::{Reply, UciCommand, is_plain};
use test_suites::{UCI_MALFORMED, rows, unescape};

#[test]
fn malformed_lines_are_read_or_refused() {
    for row in rows(UCI_MALFORMED) {
        let (class, line) = (&row[0], row[1..].join("\t"));
        let bytes = unescape(&line);
        let command = UciCommand::parse(&bytes);
        if class == "go" && bytes.starts_with(b"go ") {
            assert!(
                matches!(command, Ok(UciCommand::Go(_))),
                "{line}: every go is one"
            );
        }
        match command {
            Ok(command) => assert!(command.to_string().chars().all(is_plain)),
            Err(error) => assert!(error.to_string().chars().all(is_plain)),
        }
        assert!(Reply::parse(&bytes).to_string().chars().all(is_plain));
    }
}
