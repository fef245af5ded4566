//! A site and a name on it. The name becomes a part of addresses and of file names, so it is checked here, once.

use std::fmt;

use tabiya_rules::text::excerpt;
use thiserror::Error;

/// Where games are fetched from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Site {
    /// lichess.org
    Lichess,
    /// chess.com
    ChessCom,
}

impl Site {
    /// Its name on the command line and in file names.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Site::Lichess => "lichess",
            Site::ChessCom => "chesscom",
        }
    }
}

/// The longest name.
const MAX_LENGTH: usize = 40;

/// The name of a player on a site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// The site.
    pub site: Site,
    name: String,
}

/// Text that cannot be the name of a player on one of the sites.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "'{}' is not the name of a player there: names have up to {MAX_LENGTH} letters (a to z), digits, hyphens and underscores",
    excerpt(.0)
)]
pub struct BadName(String);

impl Account {
    /// Checks a name.
    ///
    /// # Errors
    /// Fails if it is empty or too long, or if it has anything but ASCII letters, digits, hyphens and underscores.
    pub fn new(site: Site, name: &str) -> Result<Account, BadName> {
        let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        if name.is_empty() || name.len() > MAX_LENGTH || !name.chars().all(fits) {
            return Err(BadName(name.to_owned()));
        }
        Ok(Account {
            site,
            name: name.to_owned(),
        })
    }

    /// The name as it was given.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The name as addresses and file names have it: both sites ignore case.
    pub(crate) fn lowercase(&self) -> String {
        self.name.to_ascii_lowercase()
    }
}

impl fmt::Display for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}
