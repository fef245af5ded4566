//! Typed text is parsed, and printed back as it was typed.

use super::*;

#[test]
fn every_form_is_read_and_printed_back() {
    for text in [
        "human",
        "bot",
        "bot:1",
        "bot:10",
        "uci:stockfish",
        "uci:/opt/my engine",
        "uci:/opt/tabiya uci",
        "uci:stockfish?Skill Level=3",
        "uci:stockfish?Skill Level=3&Hash=64&Clear Hash",
        "uci:C:\\engines\\fish.exe",
    ] {
        let spec: PlayerSpec = text.parse().expect(text);
        assert_eq!(spec.to_string(), text);
    }
}

#[test]
fn a_space_does_as_well_as_a_colon() {
    for (typed, meant) in [
        ("bot 4", "bot:4"),
        ("Bot:4", "bot:4"),
        ("uci stockfish?Hash=64", "uci:stockfish?Hash=64"),
        ("uci /opt/my engine", "uci:/opt/my engine"),
        ("HUMAN", "human"),
    ] {
        let spec: PlayerSpec = typed.parse().expect(typed);
        assert_eq!(spec.to_string(), meant);
    }
}

#[test]
fn options_are_names_and_values() {
    let spec: EngineSpec = "fish ? Skill Level = 3 & Clear Hash &"
        .parse()
        .expect("a spec");
    assert_eq!(spec.target, "fish");
    let option = |name: &str, value: Option<&str>| SetOption {
        name: name.into(),
        value: value.map(str::to_owned),
    };
    assert_eq!(
        spec.options,
        [option("Skill Level", Some("3")), option("Clear Hash", None)]
    );
}

#[test]
fn what_is_no_player_says_what_would_be_one() {
    for (text, part) in [
        ("", "a player is human"),
        ("humans", "a player is human"),
        ("human:2", "a player is human"),
        ("bot:", "from 1 to 10, not ''"),
        ("bot:0", "from 1 to 10, not '0'"),
        ("bot:11", "from 1 to 10, not '11'"),
        ("bot:4294967297", "from 1 to 10"),
        ("bot:four", "from 1 to 10"),
        ("uci", "name or path must follow"),
        ("uci:", "name or path must follow"),
        ("uci: ", "name or path must follow"),
        ("uci:?Hash=1", "name or path must follow"),
        ("uci:fish?=3", "Name=Value"),
    ] {
        let error = text.parse::<PlayerSpec>().expect_err(text).to_string();
        assert!(error.contains(part), "{text}: {error}");
    }
}
