//! `tabiya play --join URL`: a game that a server keeps, in the terminal.

use std::convert::Infallible;

use tabiya_front::failure::Failure;
use tabiya_play::remote::{Joined, ServerLink};
use tabiya_rules::text::clean;
use tabiya_serve::{BadGameLink, Client, GameLink};

/// A typed link, or why it cannot be used. An error of clap's would repeat the link, and with it the secret.
pub(crate) type TypedLink = Result<GameLink, BadGameLink>;

/// Reads a link from the command line.
pub(crate) fn typed_link(text: &str) -> Result<TypedLink, Infallible> {
    Ok(text.parse())
}

/// Joins a game on a server, and waits for its state.
pub(crate) fn join(link: &TypedLink) -> Result<(Box<Joined>, Box<dyn ServerLink>), Failure> {
    let link = match link {
        Ok(link) => link,
        Err(bad) => return Err(Failure::Usage(format!("--join: {bad}"))),
    };
    let (client, joined) = Client::join(link)
        .map_err(|error| Failure::Unusable(clean(&error.to_string()).into_owned()))?;
    Ok((Box::new(joined), Box::new(client)))
}
