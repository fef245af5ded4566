//! Dates and times compared with the calendar.

use super::zone::{file, in_file, in_rule};
use super::*;

#[test]
fn days_have_their_dates() {
    for (day, known) in [
        (0, (1970, 1, 1)),
        (-1, (1969, 12, 31)),
        (59, (1970, 3, 1)),
        (11_016, (2000, 2, 29)),
        (20_772, (2026, 11, 15)),
        (-25_509, (1900, 2, 28)),
        (-25_508, (1900, 3, 1)),
    ] {
        assert_eq!(date(day), known);
    }
    for year in 1900..2500 {
        assert_eq!(date(year_begins(year)), (year, 1, 1));
        assert_eq!(date(year_begins(year) - 1), (year - 1, 12, 31));
    }
    assert_eq!(stamp_of(20_772 * DAY + 74_702), "2026-11-15-204502");
}

#[test]
fn a_stamp_has_the_form_of_the_names() {
    let digits = stamp().replace(|c: char| c.is_ascii_digit(), "0");
    assert_eq!(digits, "0000-00-00-000000");
    assert_eq!(pgn_date().len(), 10);
}

/// Returns 00:00 UTC on a day of 2026.
fn on(month: i64, day: i64) -> i64 {
    let days = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];
    (year_begins(2026) + days[month as usize - 1] + day - 1) * DAY
}

#[test]
fn rules_know_summer_from_winter() {
    let hours = |rule: &str, utc: i64| in_rule(rule, utc).map(|offset| offset as f64 / 3600.0);
    let berlin = "CET-1CEST,M3.5.0,M10.5.0/3";
    for (utc, offset) in [
        (on(1, 1), 1.0),
        (on(3, 29) + 3599, 1.0),
        (on(3, 29) + 3600, 2.0),
        (on(10, 25) + 3599, 2.0),
        (on(10, 25) + 3600, 1.0),
    ] {
        assert_eq!(hours(berlin, utc), Some(offset), "{utc}");
    }
    let sydney = "AEST-10AEDT,M10.1.0,M4.1.0/3";
    assert_eq!(hours(sydney, on(1, 1)), Some(11.0));
    assert_eq!(hours(sydney, on(7, 1)), Some(10.0));
    assert_eq!(hours("EST5EDT", on(7, 1)), Some(-4.0));
    assert_eq!(hours("<+0530>-5:30", on(7, 1)), Some(5.5));
    assert_eq!(hours("IST-1GMT0,M10.5.0,M3.5.0/1", on(1, 1)), Some(0.0));
    assert_eq!(hours("XXX3YYY,J60/0,J300", on(3, 1) + 3 * 3600), Some(-2.0));
    assert_eq!(hours("XXX3YYY,58/0,300", on(2, 28) + 3 * 3600), Some(-2.0));
    for bad in [
        "",
        "UT",
        "CET",
        "CET-",
        "CET-1CEST,",
        "CET-1CEST,M13.1.0,M1.1.0",
        "<x",
    ] {
        assert_eq!(hours(bad, 0), None, "{bad}");
    }
}

/// Returns a file of the time zone database. The 32-bit block, which only old programs read, is empty.
fn zone_file(times: &[i64], kinds: &[u8], offsets: &[i32], rule: &str) -> Vec<u8> {
    let head = |counts: [u32; 6]| {
        let mut head = b"TZif2".to_vec();
        head.extend([0; 15]);
        head.extend(counts.iter().flat_map(|count| count.to_be_bytes()));
        head
    };
    let mut bytes = head([0, 0, 0, 0, 1, 1]);
    bytes.extend([0; 7]);
    let (times_count, types) = (times.len() as u32, offsets.len() as u32);
    bytes.extend(head([0, 0, 0, times_count, types, 4]));
    bytes.extend(times.iter().flat_map(|time| time.to_be_bytes()));
    bytes.extend(kinds);
    for offset in offsets {
        bytes.extend(offset.to_be_bytes());
        bytes.extend([0, 0]);
    }
    bytes.extend(b"XXX\0\n");
    bytes.extend(rule.as_bytes());
    bytes.push(b'\n');
    bytes
}

#[test]
fn a_file_has_every_change_and_the_rule_after_the_last_one() {
    let file = zone_file(&[-100, 1000], &[1, 2], &[60, 120, 180], "CET-1");
    for (utc, offset) in [(-101, 60), (-100, 120), (999, 120), (1000, 3600)] {
        assert_eq!(in_file(&file, utc), Some(offset), "{utc}");
    }
    let without_rule = zone_file(&[-100, 1000], &[1, 2], &[60, 120, 180], "");
    assert_eq!(in_file(&without_rule, 5000), Some(180));
    // Nothing panics, whatever is cut off or changed.
    for length in 0..file.len() {
        let _ = in_file(&file[..length], 0);
        let mut other = file.clone();
        other[length] ^= 0xff;
        let _ = in_file(&other, 0);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn only_a_regular_file_has_a_zone() {
    use rustix::fs::{CWD, FileType, Mode, mknodat};
    let folder = std::env::temp_dir().join(format!("tabiya-zone-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let pipe = folder.join("pipe");
    mknodat(CWD, &pipe, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).expect("a pipe");
    // Opening it would wait for a writer.
    assert_eq!(file(&pipe), None);
    assert_eq!(file(std::path::Path::new("/dev/zero")), None);
    assert_eq!(file(&folder), None);
    std::fs::remove_dir_all(&folder).expect("it is ours");
}
