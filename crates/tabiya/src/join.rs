//! `tabiya play --join URL`: a game that a server keeps, in the terminal.

use std::convert::Infallible;

use tabiya_play::remote::{Joined, ServerLink};
use tabiya_rules::text::clean;
use tabiya_serve::{BadGameLink, Client, GameLink};

use crate::failure::Failure;

/// A link as it was typed, or why it is none. An error of the parser of flags would repeat the link with its secret.
pub(crate) type TypedLink = Result<GameLink, BadGameLink>;

/// Reads a link from the command line.
pub(crate) fn typed_link(text: &str) -> Result<TypedLink, Infallible> {
    Ok(text.parse())
}

/// Joins a game, and waits until the server has told how it stands.
pub(crate) fn join(link: &TypedLink) -> Result<(Box<Joined>, Box<dyn ServerLink>), Failure> {
    let link = match link {
        Ok(link) => link,
        Err(bad) => return Err(Failure::Usage(format!("--join: {bad}"))),
    };
    let (client, joined) = Client::join(link)
        .map_err(|error| Failure::Unusable(clean(&error.to_string()).into_owned()))?;
    Ok((Box::new(joined), Box::new(client)))
}
