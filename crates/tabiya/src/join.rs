//! `tabiya play --join URL`: a game on a server, in the terminal.

use tabiya_play::remote::{Joined, ServerLink};
use tabiya_rules::text::clean;
use tabiya_serve::{Client, GameLink};

use crate::failure::Failure;

/// Joins a game, and waits for its state.
pub(crate) fn join(link: &GameLink) -> Result<(Box<Joined>, Box<dyn ServerLink>), Failure> {
    let (client, joined) = Client::join(link)
        .map_err(|error| Failure::Unusable(clean(&error.to_string()).into_owned()))?;
    Ok((Box::new(joined), Box::new(client)))
}
