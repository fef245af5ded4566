//! The link of a game: a server, a game and a token.

use std::fmt;
use std::str::FromStr;

use crate::config::PublicUrl;
use crate::links::is_id;
use crate::token::Token;

/// The link of a game: `http://127.0.0.1:8080/game/ID#TOKEN`. `Debug` does not show its token.
#[derive(Clone)]
pub struct GameLink {
    server: PublicUrl,
    id: String,
    token: Token,
}

/// Why a text is not the link of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BadGameLink {
    /// It does not have the form of a link.
    #[error("the link of a game is http://SERVER/game/ID#SECRET, as the server shows it")]
    Form,
    /// It leads to a server with TLS.
    #[error(
        "a link that begins with https:// can only be opened in a browser. To play in the terminal, run \
         ssh -L 8080:127.0.0.1:8080 SERVER beside it, and replace the link's https://NAME by http://127.0.0.1:8080"
    )]
    Secure,
}

impl GameLink {
    /// The name of the server, with a port if the link has one.
    pub(crate) fn host(&self) -> &str {
        self.server.host()
    }

    /// The name and the port of the server.
    pub(crate) fn address(&self) -> String {
        let host = self.host();
        let behind_name = host.rsplit_once(']').map_or(host, |(_, rest)| rest);
        match behind_name.contains(':') {
            true => host.to_owned(),
            false => format!("{host}:80"),
        }
    }

    pub(crate) fn socket_path(&self) -> String {
        format!("/api/games/{}/socket", self.id)
    }

    pub(crate) fn token(&self) -> String {
        self.token.reveal()
    }

    /// The link of another game on the same server.
    pub(crate) fn with_game(&self, id: String, token: Token) -> GameLink {
        GameLink {
            server: self.server.clone(),
            id,
            token,
        }
    }
}

impl FromStr for GameLink {
    type Err = BadGameLink;

    fn from_str(text: &str) -> Result<GameLink, BadGameLink> {
        let (address, token) = text.trim().split_once('#').ok_or(BadGameLink::Form)?;
        let (server, id) = address.split_once("/game/").ok_or(BadGameLink::Form)?;
        let server: PublicUrl = server.parse().map_err(|_| BadGameLink::Form)?;
        let token = Token::read(token).ok_or(BadGameLink::Form)?;
        if !is_id(id) {
            return Err(BadGameLink::Form);
        }
        if server.is_secure() {
            return Err(BadGameLink::Secure);
        }
        let id = id.to_owned();
        Ok(GameLink { server, id, token })
    }
}

impl fmt::Debug for GameLink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GameLink")
            .field("server", &self.server)
            .field("id", &self.id)
            .finish_non_exhaustive()
    }
}
