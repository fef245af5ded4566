//! Names, days and addresses.

use crate::month::moment;
use crate::{Account, Origin, Since, Site};

#[test]
fn a_name_chooses_no_path_and_no_address() {
    for name in ["Anna", "a", "X-_x", "012345678901234567890123456789"] {
        let account = Account::new(Site::Lichess, name).expect("a name");
        assert_eq!(account.name(), name);
    }
    let long = "a".repeat(41);
    for name in [
        "",
        "..",
        "a/b",
        "a?b",
        "a%2fb",
        "a b",
        "é",
        "a\n",
        "a\\b",
        "a:b",
        "CON.",
        "\u{202e}a",
        &long,
    ] {
        let error = Account::new(Site::Lichess, name).expect_err(name);
        assert!(!error.to_string().contains(char::is_control));
    }
}

#[test]
fn an_address_is_one_of_this_machine() {
    for text in [
        "http://127.0.0.1:8000",
        "http://127.9.9.9:1/",
        "http://[::1]:80",
    ] {
        let origin: Origin = text.parse().expect(text);
        assert_eq!(
            format!("http://{}", origin.host()),
            text.trim_end_matches('/')
        );
    }
    for text in [
        "http://127.0.0.1",
        "https://127.0.0.1:1",
        "http://10.0.0.1:80",
        "http://localhost:80",
        "http://127.0.0.1:1/x",
        "http://127.0.0.1:1@evil.example:80",
        "127.0.0.1:80",
        "",
    ] {
        assert!(text.parse::<Origin>().is_err(), "{text}");
    }
    assert_eq!(Origin::of(Site::Lichess).host(), "lichess.org");
    assert_eq!(Origin::of(Site::ChessCom).host(), "api.chess.com");
}

#[test]
fn moments_are_counted_from_1970_in_utc() {
    for (date, time, expected) in [
        ("1970.01.01", "00:00:00", Some(0)),
        ("2000.02.29", "12:00:00", Some(951_825_600)),
        ("2026.11.12", "18:22:01", Some(1_794_507_721)),
        ("2100.03.01", "00:00:00", Some(4_107_542_400)),
        ("2026.02.29", "00:00:00", None),
        ("2026.12.32", "00:00:00", None),
        ("2026.00.01", "00:00:00", None),
        ("2026.11.00", "00:00:00", None),
        ("2026.11.12", "24:00:00", None),
        ("2026.11.12", "00:00", None),
        ("????.??.??", "", None),
        ("2026.11.12.1", "00:00:00", None),
        ("+026.11.12", "00:00:00", None),
    ] {
        let seconds = moment(date, time).map(|(_, seconds)| seconds);
        assert_eq!(seconds, expected, "{date} {time}");
    }
    let since: Since = "2026-11-12".parse().expect("a day");
    assert_eq!(
        (since.month.to_string(), since.seconds),
        ("2026-11".to_owned(), 1_794_441_600)
    );
    assert!("yesterday".parse::<Since>().is_err());
}
