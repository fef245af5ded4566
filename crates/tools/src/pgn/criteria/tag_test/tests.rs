//! Tests of tags.

use super::TagTest;

#[test]
fn values_are_compared_as_numbers_or_texts() {
    for (test, passing, failing) in [
        (
            "TimeControl=600+0",
            &["600+0", " 600+0 "][..],
            &["600", "600+01"][..],
        ),
        ("Event != Open", &["Opens", "x"], &["Open"]),
        ("WhiteElo<1000", &["999", "20"], &["1000", "?", "", "high"]),
        ("WhiteElo>=1000", &["1000", "2700"], &["999", "?"]),
        (
            "Date<2020.02.01",
            &["2020.01.31", "1999.??.??"],
            &["2020.02.01", "????.??.??"],
        ),
        ("Event~^sp.*open$", &["Spring Open"], &["Open Spring"]),
        ("Event!~open", &["Cup"], &["OPEN"]),
        ("Site~é", &["É"], &["e"]),
    ] {
        let test: TagTest = test.parse().expect(test);
        for value in passing {
            assert!(test.passes(Some(value)), "{test:?} {value}");
        }
        for value in failing {
            assert!(!test.passes(Some(value)), "{test:?} {value}");
        }
    }
    let missing = |text: &str| text.parse::<TagTest>().expect(text).passes(None);
    assert!(missing("X!=1") && missing("X!~1"));
    assert!(!missing("X=") && !missing("X<1") && !missing("X~.*"));
    for text in ["", "=1", "Event", "Event open", "Event~(", "A B=1"] {
        assert!(text.parse::<TagTest>().is_err(), "{text}");
    }
    let bomb = format!("Event~{}", "(a{1000}){1000}");
    assert!(bomb.parse::<TagTest>().is_err());
}
