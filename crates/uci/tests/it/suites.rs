//! Lines of the suites, parsed as commands and as replies.

use tabiya_uci::{Reply, UciCommand, is_plain};
use test_suites::{Suites, UCI_MALFORMED, test_on_suites, unescape};

test_on_suites!(malformed_lines_are_read_or_refused);

fn malformed_lines_are_read_or_refused(suites: &Suites) {
    for row in suites.rows(UCI_MALFORMED) {
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
