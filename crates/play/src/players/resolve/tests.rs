//! Distinguishes names, programs, files and command lines.

use std::path::Path;

use super::*;

fn spec(text: &str) -> EngineSpec {
    text.parse().expect("a spec")
}

/// Knows one engine.
fn known(name: &str) -> KnownEngines {
    KnownEngines::only(vec![(name.to_owned(), EngineCommand::new("special"))])
}

fn none() -> KnownEngines {
    KnownEngines::only(Vec::new())
}

#[test]
fn what_a_file_names_is_known_or_not_started_and_its_options_are_not_set() {
    let known = known("mine");
    let found = resolve_named(&spec("mine?Hash=8"), &known).expect("it is known");
    assert_eq!(found, EngineCommand::new("special"));
    for text in ["sh", "/bin/sh", "mine -c x", "/opt/special"] {
        let error = resolve_named(&spec(text), &known).expect_err(text);
        assert_eq!(error, ResolveError::Unknown(spec(text)));
    }
}

#[test]
fn a_known_name_comes_first() {
    let found = resolve(&spec("sh?Hash=8"), &known("sh")).expect("an engine");
    assert_eq!(found.program, Path::new("special"));
    assert_eq!(found.options.len(), 1);
}

#[cfg(unix)]
#[test]
fn programs_files_and_command_lines_are_found() {
    let found = resolve(&spec("sh"), &none()).expect("a program");
    assert!(found.program.is_absolute());
    let found = resolve(&spec("/bin/sh"), &none()).expect("a file");
    assert_eq!(found.program, Path::new("/bin/sh"));
    let found = resolve(&spec("sh -c 'two words' \"\""), &none()).expect("a command line");
    assert_eq!(found.arguments, ["-c", "two words", ""]);
}

#[test]
fn what_is_not_there_is_named() {
    for text in ["no-such-engine", "/no/such/engine uci", "''"] {
        let error = resolve(&spec(text), &none()).expect_err(text).to_string();
        assert!(error.contains("There is no engine"), "{error}");
    }
}

#[test]
fn a_missing_engine_comes_with_what_to_do() {
    let said = |text: &str| resolve(&spec(text), &none()).expect_err(text).to_string();
    assert_eq!(
        said("no-such-engine"),
        "There is no engine 'no-such-engine'. Install it, or give the path of its program, such as ./no-such-engine."
    );
    assert_eq!(
        said("/no/such/engine"),
        "There is no engine '/no/such/engine': no file has that path. Check it, or give the name of an installed engine."
    );
}

#[test]
fn a_name_that_comes_near_is_offered() {
    let known = known("stockfish");
    for text in ["stokfish", "Stockfihs", "stock", "STOCKFISH16"] {
        let error = resolve(&spec(text), &known).expect_err(text).to_string();
        assert!(error.ends_with("Did you mean stockfish?"), "{error}");
    }
    for text in ["gnu", "x", "komodo"] {
        let error = resolve(&spec(text), &known).expect_err(text).to_string();
        assert!(!error.contains("Did you mean"), "{error}");
    }
}
