//! Names of saves: whatever is typed, it stays inside the folder and means one file on every system.

use std::fmt;

use tabiya_rules::text::is_safe;
use thiserror::Error;

/// The longest name in bytes. With the suffixes that are added, every file system accepts it.
const MAX_LENGTH: usize = 120;

/// Device names on Windows, which are reserved with any extension.
const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "conin$", "conout$"];

/// The same with a digit after them.
const PORTS: [&str; 2] = ["com", "lpt"];

/// The name of a save, without an extension.
///
/// ```
/// use tabiya_store::SaveName;
///
/// assert_eq!(SaveName::new("Immortal game")?.as_str(), "Immortal game");
/// assert!(SaveName::new("../elsewhere").is_err());
/// # Ok::<(), tabiya_store::NameError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SaveName(String);

/// Why a text is not a valid name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum NameError {
    /// The text is empty.
    #[error("A save needs a name.")]
    Empty,
    /// It has more bytes than a file name may have.
    #[error("The name of a save has at most {MAX_LENGTH} bytes.")]
    TooLong,
    /// A character that some system does not allow in a file name, or that is invisible.
    #[error("The name of a save cannot have {} in it.", quoted(*.0))]
    Sign(char),
    /// A dot, a dash or a space at the beginning.
    #[error("The name of a save cannot begin with '{0}'.")]
    Front(char),
    /// A dot or a space at the end.
    #[error("The name of a save cannot end with '{0}'.")]
    End(char),
    /// Windows reserves it for a device.
    #[error("Windows does not let a file have that name.")]
    Device,
}

fn quoted(sign: char) -> String {
    if is_safe(sign) {
        format!("'{sign}'")
    } else {
        sign.escape_unicode().to_string()
    }
}

impl SaveName {
    /// Creates a name from a text, if it is valid.
    pub fn new(text: &str) -> Result<SaveName, NameError> {
        SaveName::try_from(text.to_owned())
    }

    /// Reads a name as typed: users who know that saves are PGN files may add the extension.
    pub fn typed(text: &str) -> Result<SaveName, NameError> {
        let end = text.len().checked_sub(".pgn".len());
        match end.and_then(|end| text.split_at_checked(end)) {
            Some((name, ending)) if ending.eq_ignore_ascii_case(".pgn") => SaveName::new(name),
            _ => SaveName::new(text),
        }
    }

    /// Returns the name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for SaveName {
    type Error = NameError;

    fn try_from(text: String) -> Result<SaveName, NameError> {
        let (Some(first), Some(last)) = (text.chars().next(), text.chars().next_back()) else {
            return Err(NameError::Empty);
        };
        if text.len() > MAX_LENGTH {
            return Err(NameError::TooLong);
        }
        if let Some(sign) = text.chars().find(|&c| !is_fit(c)) {
            return Err(NameError::Sign(sign));
        }
        if matches!(first, '.' | '-' | ' ' | '~') {
            return Err(NameError::Front(first));
        }
        if matches!(last, '.' | ' ') {
            return Err(NameError::End(last));
        }
        if is_device(&text) {
            return Err(NameError::Device);
        }
        Ok(SaveName(text))
    }
}

impl fmt::Display for SaveName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Returns whether a character is visible and allowed in the file names of every system.
fn is_fit(c: char) -> bool {
    // Other white space looks like a space, and variation selectors are invisible.
    let blank = c.is_whitespace() && c != ' '
        || matches!(c, '\u{fe00}'..='\u{fe0f}' | '\u{115f}' | '\u{3164}');
    is_safe(c) && !blank && !matches!(c, '/' | '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|')
}

/// Returns whether a system reserves a file name for a device, whatever its extension is.
pub fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name);
    let stem = stem.trim_end_matches(' ');
    let is_among =
        |known: &[&str], name: &str| known.iter().any(|one| one.eq_ignore_ascii_case(name));
    let port = stem.strip_suffix(|c| matches!(c, '0'..='9' | '¹' | '²' | '³'));
    is_among(&DEVICES, stem) || port.is_some_and(|port| is_among(&PORTS, port))
}
