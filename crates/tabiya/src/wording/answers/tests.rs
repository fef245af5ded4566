use std::time::Duration;

use super::{time, wrapped};

#[test]
fn times_are_shown_as_on_a_clock() {
    let shown = |milliseconds| time(Duration::from_millis(milliseconds));
    assert_eq!(shown(0), "0:00.0");
    assert_eq!(shown(9_990), "0:09.9");
    assert_eq!(shown(19_999), "0:19.9");
    assert_eq!(shown(20_000), "0:20");
    assert_eq!(shown(300_000), "5:00");
    assert_eq!(shown(3_599_999), "59:59");
    assert_eq!(shown(5_400_000), "1:30:00");
}

#[test]
fn words_are_wrapped() {
    assert_eq!(wrapped("", "  "), [""; 0]);
    let text = "word ".repeat(40);
    let lines = wrapped(&text, "  ");
    assert!(
        lines.len() > 1
            && lines
                .iter()
                .all(|line| line.len() <= 78 && line.starts_with("  word"))
    );
}
