//! The settings of a server, and its limits.

use std::fmt;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use tabiya_game::Session;
use tabiya_play::analysis::explanation::LineKind;
use tabiya_play::outcome::{Answer, Happened, TableRefusal};
use tabiya_play::players::PlayerError;
use tabiya_play::study::{Attempt, Mistake, Study};
use tabiya_rules::{Color, Position};

/// Turns values into sentences. The program has one place for sentences, and passes it in.
pub trait Sentences: Send + Sync {
    /// Describes what happened; `session` is the game after it.
    fn happened(&self, happened: &Happened, session: &Session) -> Vec<String>;
    /// Says why something was refused in this position.
    fn refused(&self, refused: &TableRefusal, position: &Position) -> Vec<String>;
    /// Says why the engine of a side cannot continue, and how the game does. This method and those below say nothing unless
    /// they are implemented.
    fn engine_failed(&self, _color: Color, _why: &PlayerError) -> Vec<String> {
        Vec::new()
    }
    /// Describes an answer of an engine.
    fn answered(&self, _answer: &Answer) -> Vec<String> {
        Vec::new()
    }
    /// Asks for a better move than a mistake.
    fn retry(&self, _mistake: &Mistake) -> Vec<String> {
        Vec::new()
    }
    /// Describes a move that was tried instead of a mistake.
    fn tried(&self, _tried: &Attempt) -> Vec<String> {
        Vec::new()
    }
    /// Describes a line about a mistake, which is a variation now.
    fn line(&self, _which: LineKind, _moves: &[String]) -> Vec<String> {
        Vec::new()
    }
    /// Says how well both sides played.
    fn judged(&self, _study: &Study) -> Vec<String> {
        Vec::new()
    }
}

/// The settings of a server.
#[derive(Clone)]
#[non_exhaustive]
pub struct Config {
    /// The address to listen on.
    pub listen: SocketAddr,
    /// The address that others see, if a proxy with TLS is in front.
    pub public: Option<PublicUrl>,
    /// The folder for its games.
    pub folder: PathBuf,
    /// The share of the games in the folder that this server runs.
    pub share: Share,
    /// Its limits.
    pub limits: Limits,
    /// Its sentences.
    pub sentences: Arc<dyn Sentences>,
    /// Takes the lines of the log. They contain no secrets.
    pub log: Arc<dyn Fn(&str) + Send + Sync>,
}

impl Config {
    /// Settings for a server that listens on an address and keeps its games in a folder.
    pub fn new(listen: SocketAddr, folder: PathBuf, sentences: Arc<dyn Sentences>) -> Config {
        Config {
            listen,
            public: None,
            folder,
            share: Share::default(),
            limits: Limits::default(),
            sentences,
            log: Arc::new(|_| {}),
        }
    }
}

impl fmt::Debug for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Config")
            .field("listen", &self.listen)
            .field("public", &self.public)
            .field("folder", &self.folder)
            .field("share", &self.share)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}

/// The games that a server runs if several servers share a folder: those whose IDs begin with certain digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// Counted from 1.
    number: u32,
    of: u32,
}

/// A text is not a share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a share is written like 1/2, the first of two; there are 16 at most")]
pub struct BadShare;

impl Share {
    /// The number of digits that an ID can begin with.
    const DIGITS: u32 = 16;

    /// Whether a game belongs to this share.
    pub(crate) fn has(self, id: &str) -> bool {
        let digit = id
            .chars()
            .next()
            .and_then(|digit| digit.to_digit(Share::DIGITS));
        digit.is_some_and(|digit| digit * self.of / Share::DIGITS + 1 == self.number)
    }
}

/// All games.
impl Default for Share {
    fn default() -> Share {
        Share { number: 1, of: 1 }
    }
}

impl FromStr for Share {
    type Err = BadShare;

    fn from_str(text: &str) -> Result<Share, BadShare> {
        let (number, of) = text.split_once('/').ok_or(BadShare)?;
        let (number, of) = (
            number.parse().map_err(|_| BadShare)?,
            of.parse().map_err(|_| BadShare)?,
        );
        match (1..=Share::DIGITS).contains(&of) && (1..=of).contains(&number) {
            true => Ok(Share { number, of }),
            false => Err(BadShare),
        }
    }
}

/// The limits of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Connections in all.
    pub connections: usize,
    /// Connections from one address outside of this machine.
    pub connections_of_one: usize,
    /// Games in memory.
    pub games: usize,
    /// Clients of one game.
    pub clients_of_game: usize,
    /// Bytes of one message on a socket.
    pub message_bytes: usize,
    /// Bytes of the body of one request, which may hold a pasted game.
    pub body_bytes: usize,
    /// Bytes of games that are on their way to clients over HTTP, all together.
    pub answer_bytes: usize,
    /// Messages of one client: as many as this at once, and then the same number every ten seconds.
    pub messages: u32,
    /// The same for the messages of all clients together.
    pub messages_in_all: u32,
    /// Requests over HTTP with one link of a game, or by the host: as many as this at once, and then the same number every
    /// ten seconds.
    pub requests: u32,
    /// The same for all requests from one address outside of this machine, including those for the page.
    pub requests_of_one: u32,
    /// The same for all requests together.
    pub requests_in_all: u32,
    /// New games, including rematches: as many as this at once, and then the same number every ten seconds.
    pub new_games: u32,
    /// Rematches one after the other, beginning with one game: as many as this at once, and then one every five seconds.
    pub rematches: u32,
    /// Messages that may wait for a slow client before it is dropped.
    pub waiting_messages: usize,
    /// Threads that search for all games.
    pub engine_threads: usize,
    /// The time on the clock that an engine plans with at most, even if its clock shows more.
    pub engine_clock: Duration,
    /// Nodes of one search.
    pub engine_nodes: u64,
    /// How often a client on a socket is asked whether it is still there.
    pub ping: Duration,
    /// After how long without a message from a client on a socket its connection counts as lost.
    pub silence: Duration,
    /// How long a client may take to send a request, or to accept what it is sent.
    pub patience: Duration,
    /// The largest network delay that is not counted for a move.
    pub lag: Duration,
    /// How long a player must be away before the opponent can claim the game.
    pub away: Duration,
    /// After how long a session of the host gets a new secret.
    pub session: Duration,
    /// How long a game stays in memory after its last client has left, if no clock runs.
    pub idle: Duration,
    /// How long to wait before a game that could not be saved is saved again.
    pub save_again: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Limits {
            connections: 16_000,
            connections_of_one: 64,
            games: 4_000,
            clients_of_game: 12_000,
            message_bytes: 8 * 1024,
            body_bytes: 256 * 1024,
            answer_bytes: 128 * 1024 * 1024,
            messages: 100,
            messages_in_all: 50_000,
            requests: 1_000,
            requests_of_one: 2_000,
            requests_in_all: 20_000,
            new_games: 2_000,
            rematches: 10,
            waiting_messages: 128,
            engine_threads: (cores / 2).max(1),
            engine_clock: Duration::from_secs(60),
            engine_nodes: 20_000_000,
            ping: Duration::from_secs(4),
            silence: Duration::from_secs(9),
            patience: Duration::from_secs(20),
            lag: Duration::from_millis(300),
            away: Duration::from_secs(120),
            session: Duration::from_secs(7 * 24 * 3600),
            idle: Duration::from_secs(600),
            save_again: Duration::from_secs(5),
        }
    }
}

/// The address that others see: `https://chess.example.org`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicUrl {
    secure: bool,
    host: String,
}

/// A text is not such an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a public address is https://NAME or http://NAME, with a port perhaps, and nothing behind it"
)]
pub struct BadPublicUrl;

impl PublicUrl {
    /// The name and the port, as a browser sends them in `Host`.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// The port that browsers connect to.
    pub fn port(&self) -> u16 {
        let behind_name = self
            .host
            .rsplit_once(']')
            .map_or(&*self.host, |(_, rest)| rest);
        let port = behind_name
            .rsplit_once(':')
            .and_then(|(_, port)| port.parse().ok());
        port.unwrap_or(if self.secure { 443 } else { 80 })
    }

    /// Whether it uses TLS.
    pub fn is_secure(&self) -> bool {
        self.secure
    }
}

impl FromStr for PublicUrl {
    type Err = BadPublicUrl;

    fn from_str(text: &str) -> Result<PublicUrl, BadPublicUrl> {
        let (secure, rest) = match (text.strip_prefix("https://"), text.strip_prefix("http://")) {
            (Some(rest), _) => (true, rest),
            (None, Some(rest)) => (false, rest),
            (None, None) => return Err(BadPublicUrl),
        };
        let host = rest.strip_suffix('/').unwrap_or(rest).to_ascii_lowercase();
        let fits = |sign: u8| sign.is_ascii_alphanumeric() || b".-:[]".contains(&sign);
        if host.is_empty() || host.len() > 255 || !host.bytes().all(fits) {
            return Err(BadPublicUrl);
        }
        // Browsers leave out the usual port.
        let usual = if secure { ":443" } else { ":80" };
        let host = host.strip_suffix(usual).unwrap_or(&host).to_owned();
        Ok(PublicUrl { secure, host })
    }
}

impl fmt::Display for PublicUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = if self.secure { "https" } else { "http" };
        write!(f, "{scheme}://{}", self.host)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_id_is_in_exactly_one_share() {
        for of in 1..=16 {
            for digit in "0123456789abcdef".chars() {
                let id = format!("{digit}123456789abcdef");
                let has = |number: u32| {
                    format!("{number}/{of}")
                        .parse::<Share>()
                        .map(|share| share.has(&id))
                };
                let owners = (1..=of).filter(|&number| has(number) == Ok(true)).count();
                assert_eq!(owners, 1, "{id} of {of}");
            }
        }
        for text in ["", "1", "0/2", "3/2", "1/17", "1/0", "-1/2", "a/b", "1/2/3"] {
            assert_eq!(text.parse::<Share>(), Err(BadShare), "{text}");
        }
    }

    #[test]
    fn the_port_of_an_address_is_its_own_or_the_usual_one() {
        for (text, port) in [
            ("https://chess.example.org", 443),
            ("http://chess.example.org", 80),
            ("https://chess.example.org:8443", 8443),
            ("http://[::1]", 80),
            ("http://[::1]:8080", 8080),
        ] {
            let address: PublicUrl = text.parse().expect("an address");
            assert_eq!(address.port(), port, "{text}");
        }
        // Browsers leave out the usual port, also if the user did not.
        for (text, host) in [
            ("https://Chess.example.org:443/", "chess.example.org"),
            ("http://chess.example.org:80", "chess.example.org"),
            ("http://chess.example.org:443", "chess.example.org:443"),
            ("https://chess.example.org:80", "chess.example.org:80"),
        ] {
            let address: PublicUrl = text.parse().expect("an address");
            assert_eq!(address.host(), host, "{text}");
        }
    }
}
