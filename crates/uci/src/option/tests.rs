//! Declarations that engines really print, odd ones, and which values are accepted.

use super::{OptionDeclaration, OptionKind, OptionValue, SetOption};
use crate::text::{MAX_TEXT, words};

fn declared(text: &str) -> Option<OptionDeclaration> {
    OptionDeclaration::parse(words(text))
}

#[test]
fn every_type_is_read_and_written() {
    for text in [
        "option name Ponder type check default false",
        "option name Move Overhead type spin default 10 min 0 max 5000",
        "option name Style type combo default Normal var Solid var Normal var Very Risky",
        "option name Clear Hash type button",
        "option name NalimovPath type string default <empty>",
        "option name Debug Log File type string default some file.txt",
    ] {
        let option = declared(text).unwrap_or_else(|| panic!("{text}"));
        assert_eq!(option.to_string(), text);
    }
}

#[test]
fn strange_declarations_are_read_as_far_as_they_make_sense() {
    assert_eq!(declared("name type type spin default min max"), None);
    assert_eq!(declared("name"), None);
    assert_eq!(declared("name x"), None);
    assert_eq!(declared("name x type matrix"), None);
    assert_eq!(declared("name x type spin default 1e9"), None);
    let nothing_between = "name x type spin default 1 min 5 max 2";
    assert_eq!(declared(nothing_between), None);
    let option = declared("name type type spin default 1").expect("a name of one word");
    assert_eq!(option.name, "type");
    assert!(matches!(option.kind, OptionKind::Spin { default: 1, .. }));
    let combo = declared("name  type combo var").is_none();
    assert!(combo, "there is no name");
    let quoted = declared("name \"a\" 'b' type string").expect("quotes are letters");
    assert_eq!(quoted.name, "\"a\" 'b'");
}

#[test]
fn values_out_of_range_or_of_another_type_are_refused() {
    let spin = declared("name Threads type spin default 1 min 1 max 8").expect("valid");
    for bad in [
        "0",
        "9",
        "x",
        "1.5",
        "",
        "<empty>",
        "99999999999999999999",
        "+1",
    ] {
        assert!(spin.check(Some(bad)).is_err(), "{bad}");
    }
    assert!(spin.check(None).is_err());
    assert_eq!(spin.check(Some("8")), Ok(OptionValue::Spin(8)));
    let check = declared("name Ponder type check default false").expect("valid");
    for bad in ["", "TRUE", "1", "yes"] {
        assert!(check.check(Some(bad)).is_err(), "{bad}");
    }
    assert_eq!(check.check(Some("true")), Ok(OptionValue::Check(true)));
    let combo = declared("name Style type combo default A var A var B c").expect("valid");
    assert_eq!(
        combo.check(Some("b C")),
        Ok(OptionValue::Combo("B c".into()))
    );
    assert!(combo.check(Some("d")).is_err());
    let text = declared("name Path type string default <empty>").expect("valid");
    assert_eq!(
        text.check(Some("<empty>")),
        Ok(OptionValue::Text(String::new()))
    );
}

#[test]
fn names_are_compared_without_case() {
    let option = declared("name Clear Hash type button").expect("valid");
    assert!(option.is_named("clear hash"));
    assert!(!option.is_named("clearhash"));
}

#[test]
fn setting_keeps_the_spaces_inside_a_value() {
    let set = |text: &str| SetOption::parse(text);
    let path = set(" name  Debug Log  File value  /a  b/c ").expect("valid");
    assert_eq!(path.name, "Debug Log File");
    assert_eq!(path.value.as_deref(), Some("/a  b/c"));
    assert_eq!(set("name Clear Hash").expect("valid").value, None);
    assert_eq!(set("name valued value x").expect("valid").name, "valued");
    for bad in ["", "name", "value 5", "name value", "names x"] {
        assert_eq!(set(bad), None, "{bad}");
    }
}

#[test]
fn a_name_that_is_cut_off_gains_no_word() {
    // Truncating inside `value!` would leave the word that announces a value.
    for length in MAX_TEXT - 12..=MAX_TEXT + 2 {
        let line = format!("name {} value! more", "x".repeat(length - 6));
        let option = SetOption::parse(&line).expect("it has a name");
        assert!(option.name.len() <= MAX_TEXT);
        let text = option.to_string();
        let again = SetOption::parse(text.trim_start_matches("setoption "));
        assert_eq!(again, Some(option), "{length}");
    }
}
