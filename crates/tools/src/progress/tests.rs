use super::*;

fn snapshot(measure: Measure, done: u64, of: Option<u64>) -> Snapshot {
    Snapshot {
        measure,
        done,
        of,
        games: None,
        elapsed: Duration::from_millis(90_400),
    }
}

#[test]
fn a_bar_fills_the_line_and_tells_what_is_left() {
    let text = snapshot(Measure::Share, 3, Some(12)).text(44);
    assert_eq!(text, "██░░░░░░░ 25%  0:01:30 elapsed, 0:04:31 left");
    assert_eq!(text.chars().count(), 44);
}

#[test]
fn bytes_come_with_their_rate_and_the_games() {
    let read = Snapshot {
        games: Some(1_234_567),
        ..snapshot(Measure::Bytes, 9_040_000_000, Some(9_040_000_000))
    };
    let text = read.text(60);
    assert_eq!(
        text,
        "████████████ 100%  1,234,567 games  100.0 MB/s, 0:00:00 left"
    );
    let unknown = Snapshot { of: None, ..read };
    assert_eq!(
        unknown.text(60),
        "| 9.0 GB read  1,234,567 games  100.0 MB/s, 0:01:30 elapsed"
    );
}

#[test]
fn without_an_end_there_is_no_bar() {
    let text = snapshot(Measure::Positions, 1_000, None).text(60);
    assert_eq!(text, "| 1,000 positions  0:01:30 elapsed");
}

#[test]
fn no_number_and_no_width_is_too_small_or_too_large() {
    for measure in [Measure::Share, Measure::Positions, Measure::Bytes] {
        for done in [0, 1, u64::MAX] {
            for of in [None, Some(0), Some(1), Some(u64::MAX)] {
                for columns in [0, 1, 30, 200] {
                    let text = snapshot(measure, done, of).text(columns);
                    assert!(!text.is_empty() && !text.contains("NaN"), "{text}");
                }
            }
        }
    }
}

#[test]
fn quantities_are_easy_to_read() {
    let numbers = [0, 999, 1_000, 123_456, 1_234_567].map(grouped);
    assert_eq!(numbers, ["0", "999", "1,000", "123,456", "1,234,567"]);
    let sizes = [0.0, 999.0, 1_000.0, 1_250_000.0, 2e12].map(bytes);
    assert_eq!(sizes, ["0 B", "999 B", "1.0 kB", "1.2 MB", "2000.0 GB"]);
}
