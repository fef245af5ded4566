//! Lines of the suites as commands and as replies.

use tabiya_uci::{Command, Reply, is_plain};

use crate::support::{lines, suite, unescape};

#[test]
fn malformed_lines_are_read_or_refused() {
    let Some(text) = suite("uci/malformed_lines.tsv") else {
        return;
    };
    let mut count = 0;
    for line in lines(&text) {
        let (class, line) = line.split_once('\t').expect("a class and a line");
        let bytes = unescape(line);
        let command = Command::parse(&bytes);
        if class == "go" && bytes.starts_with(b"go ") {
            assert!(
                matches!(command, Ok(Command::Go(_))),
                "{line}: every go is one"
            );
        }
        match command {
            Ok(command) => assert!(command.to_string().chars().all(is_plain)),
            Err(error) => assert!(error.to_string().chars().all(is_plain)),
        }
        assert!(Reply::parse(&bytes).to_string().chars().all(is_plain));
        count += 1;
    }
    println!("{count} malformed lines");
    assert!(count > 100);
}
