//! Any text as `config.toml`: nothing panics, every warning can be shown, and what is written can be read back.

use tabiya_front::config::settings::SETTINGS;
use tabiya_front::config::{Config, edit};
use tabiya_rules::text::is_safe;

/// Reads bytes as the user's settings, if they are text.
///
/// # Panics
/// Panics if the property does not hold.
pub fn config(bytes: &[u8]) {
    if let Ok(text) = std::str::from_utf8(bytes) {
        any(text);
    }
}

fn any(text: &str) {
    let config = Config::read(text);
    assert!(config.warnings.len() <= 21);
    for warning in &config.warnings {
        assert!(warning.to_string().chars().all(is_safe), "{warning}");
    }
    for setting in SETTINGS {
        for value in setting.choices() {
            if let Ok(new) = edit::with_setting(text, setting, value) {
                let read = Config::read(&new).settings;
                assert_eq!(setting.get(&read), value, "{text:?} became {new:?}");
            }
        }
    }
}
