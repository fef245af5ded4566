//! Any text as `config.toml`: nothing panics, every warning can be shown, and what is written can be read again. The
//! tests try it seeded and over a corpus, a fuzz target with its own bytes.

use crate::clean::is_safe;
use crate::config::settings::SETTINGS;
use crate::config::{Config, edit};

/// Bytes as the file, if they are text.
pub(crate) fn config(bytes: &[u8]) {
    if let Ok(text) = std::str::from_utf8(bytes) {
        any(text);
    }
}

pub(crate) fn any(text: &str) {
    let config = Config::read(text);
    assert!(config.warnings.len() <= 21);
    for warning in &config.warnings {
        assert!(warning.to_string().chars().all(is_safe), "{warning}");
    }
    for setting in SETTINGS {
        for value in setting.choices() {
            if let Ok(new) = edit::with(text, setting, value) {
                let read = Config::read(&new).settings;
                assert_eq!(setting.get(&read), value, "{text:?} became {new:?}");
            }
        }
    }
}
