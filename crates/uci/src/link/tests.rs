//! Error messages: plain sentences of one line.

use std::time::Duration;

use super::{EngineError, ExitNote, Notice, Phase};
use crate::is_plain;

#[test]
fn every_failure_is_a_sentence() {
    let phase = Phase::Search;
    let limit = Duration::from_secs(2);
    let text = "\x1b[2Jx".to_owned();
    for error in [
        EngineError::Start {
            program: "/no\x1b".into(),
            problem: "there is no such file".into(),
        },
        EngineError::Ended {
            phase,
            exit: ExitNote::Signal(11),
            last_words: None,
        },
        EngineError::Silent { phase, limit },
        EngineError::NoBestMove { limit },
        EngineError::Hung { silence: limit },
        EngineError::OutputClosed { phase },
        EngineError::InputClosed { phase },
        EngineError::NotReading,
        EngineError::LineTooLong,
        EngineError::Flood,
        EngineError::NotText,
        EngineError::IllegalMove {
            text: text.clone(),
            reason: "No piece on e4.".into(),
        },
        EngineError::NoMove,
        EngineError::Aborted,
        EngineError::NoThread {
            reason: "none left".into(),
        },
        EngineError::NoSuchOption { name: text },
        EngineError::NoChess960,
        EngineError::Busy,
    ] {
        let sentence = error.to_string();
        let begins = ["The engine", "No thread could be started for the engine"];
        assert!(
            begins.iter().any(|begin| sentence.starts_with(begin)),
            "{sentence:?}"
        );
        assert!(
            sentence.ends_with('.') && !sentence.ends_with(".."),
            "{sentence}"
        );
        assert!(sentence.chars().all(is_plain), "{sentence:?}");
    }
    assert!(Notice::Flood.to_string().ends_with('.'));
}
