//! The tags of a game: ordered pairs of names and values that every PGN file can carry.

use core::fmt;

use tabiya_rules::text::clean;

/// The names with which a PGN game begins, in order. `Result` is the seventh.
const ROSTER: [&str; 6] = ["Event", "Site", "Date", "Round", "White", "Black"];

/// The tag pairs of a game: first those of the roster (`Event`, `Site`, `Date`, `Round`, `White`, `Black`) in this
/// order, then the others in the order in which they were first set. Each name occurs once.
///
/// A roster tag without information (`?`, or `????.??.??` for the date) is the same as an absent one, and is not
/// stored. PGN text shows it again.
///
/// Facts that a [`Record`](crate::Record) already holds are not stored here a second time: [`Tags::set`] refuses
/// `Result`, `SetUp` and `FEN`, which follow from the record's result and start position, and `Variant` if it names
/// Chess960, which is the start position's castling mode.
///
/// Two `Tags` are equal if they hold the same pairs in the same order.
///
/// ```
/// use tabiya_game::Tags;
///
/// let mut tags = Tags::new();
/// tags.set("White", "Menchik, Vera")?;
/// assert_eq!(tags.get("White"), Some("Menchik, Vera"));
/// # Ok::<(), tabiya_game::TagError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Tags {
    pairs: Vec<(Box<str>, Box<str>)>,
}

impl Tags {
    /// Creates an empty set of tags.
    pub const fn new() -> Tags {
        Tags { pairs: Vec::new() }
    }

    /// Returns the value of the tag with this name. Names are case-sensitive.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.pairs
            .iter()
            .find(|(key, _)| **key == *name)
            .map(|(_, value)| &**value)
    }

    /// Sets a tag. An existing tag keeps its place. Setting a roster tag to an empty text removes it.
    ///
    /// The value is stored on one line: every control character becomes a space.
    ///
    /// ```
    /// use tabiya_game::Tags;
    ///
    /// let mut tags = Tags::new();
    /// tags.set("White", "Anderssen")?;
    /// tags.set("Black", "Kieseritzky")?;
    /// tags.set("White", "Adolf Anderssen")?;
    /// assert_eq!(tags.get("White"), Some("Adolf Anderssen"));
    /// assert_eq!(tags.len(), 2);
    /// # Ok::<(), tabiya_game::TagError>(())
    /// ```
    ///
    /// # Errors
    /// Fails if no PGN file can carry the name, or if the record itself holds the fact.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), TagError> {
        check(name, value)?;
        let rank = |name: &str| {
            ROSTER
                .iter()
                .position(|&entry| entry == name)
                .unwrap_or(ROSTER.len())
        };
        if rank(name) < ROSTER.len() && (value == "?" || name == "Date" && value == "????.??.??") {
            self.remove(name);
            return Ok(());
        }
        let value: Box<str> = one_line(value).into();
        match self.pairs.iter_mut().find(|(key, _)| **key == *name) {
            Some((_, old)) => *old = value,
            None => {
                let at = self
                    .pairs
                    .partition_point(|(key, _)| rank(key) <= rank(name));
                self.pairs.insert(at, (name.into(), value));
            }
        }
        Ok(())
    }

    /// Removes a tag and returns its value.
    pub fn remove(&mut self, name: &str) -> Option<Box<str>> {
        let at = self.pairs.iter().position(|(key, _)| **key == *name)?;
        Some(self.pairs.remove(at).1)
    }

    /// Returns the pairs in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.pairs.iter().map(|(name, value)| (&**name, &**value))
    }

    /// Returns the number of tags.
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Returns whether there are no tags.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }
}

/// Why a tag was refused.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TagError {
    /// The name is empty, longer than 255 bytes, or contains anything other than visible ASCII characters without
    /// quotes and brackets.
    BadName(String),
    /// The record itself holds this fact: its result, or its start position.
    KeptByRecord(String),
}

impl fmt::Display for TagError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TagError::BadName(name) => write!(
                f,
                "'{}' is no tag name: use letters, digits and underscores.",
                clean(name)
            ),
            TagError::KeptByRecord(name) => write!(
                f,
                "The tag {name} follows from the game itself and cannot be set."
            ),
        }
    }
}

impl core::error::Error for TagError {}

/// Checks that PGN can hold a tag.
fn check(name: &str, value: &str) -> Result<(), TagError> {
    let plain = |byte: u8| byte.is_ascii_graphic() && !matches!(byte, b'"' | b'[' | b']' | b'\\');
    if name.is_empty() || name.len() > 255 || !name.bytes().all(plain) {
        return Err(TagError::BadName(name.to_owned()));
    }
    let kept = match name {
        "Result" | "SetUp" | "FEN" => true,
        "Variant" => is_chess960(value),
        _ => false,
    };
    if kept {
        Err(TagError::KeptByRecord(name.to_owned()))
    } else {
        Ok(())
    }
}

/// Returns whether the value of a `Variant` tag means Chess960.
pub(crate) fn is_chess960(variant: &str) -> bool {
    matches!(
        folded(variant).as_str(),
        "chess960" | "fischerandom" | "fischerrandom" | "960"
    )
}

/// Returns the letters and digits of a text, in lower case.
pub(crate) fn folded(text: &str) -> String {
    text.chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|c| c.to_ascii_lowercase())
        .collect()
}

/// Returns the text with every control character replaced by a space.
pub(crate) fn one_line(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect()
}
