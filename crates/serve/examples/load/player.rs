//! Clients on WebSockets: one, and the two of a game.

use std::net::SocketAddr;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::{WebSocketStream, client_async};

use crate::Fault;
use crate::server::Game;

/// Longer than anything takes, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// Why a client cannot go on.
#[derive(Debug)]
pub(crate) enum Ended {
    /// The connection is gone, as it is when the server is killed.
    Closed,
    /// Anything else is a fault of the server.
    Fault(Fault),
}

impl From<Ended> for Fault {
    fn from(ended: Ended) -> Fault {
        match ended {
            Ended::Closed => "a connection was closed".into(),
            Ended::Fault(fault) => fault,
        }
    }
}

/// The parts of a message that a client needs.
#[derive(Debug, Deserialize)]
struct Heard {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    id: Value,
    token: Option<String>,
    board: Option<Board>,
    #[serde(default)]
    moves_from: usize,
    #[serde(default)]
    moves: Vec<Made>,
    /// How many moves a game has that comes in several messages.
    count: Option<usize>,
    /// The next of them.
    #[serde(default)]
    items: Vec<Made>,
    #[serde(default)]
    sentences: Vec<String>,
}

/// The state of the game.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Board {
    pub(crate) ply: u32,
    pub(crate) turn: String,
    pub(crate) begun: bool,
    pub(crate) legal: Vec<String>,
    outcome: Option<Value>,
    pub(crate) clock: Clock,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Clock {
    pub(crate) left_ms: Left,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Left {
    pub(crate) white: Option<u64>,
    pub(crate) black: Option<u64>,
}

#[derive(Debug, Deserialize)]
struct Made {
    uci: String,
}

impl Board {
    pub(crate) fn is_over(&self) -> bool {
        self.outcome.is_some()
    }
}

/// One client.
pub(crate) struct Player {
    socket: WebSocketStream<TcpStream>,
    /// What it has been shown.
    pub(crate) moves: Vec<String>,
    pub(crate) board: Board,
    /// How many moves it will have been shown once the whole game has come.
    count: usize,
    next: Option<(String, String)>,
}

impl Player {
    /// Joins a game, and reads its state.
    pub(crate) async fn join(address: SocketAddr, id: &str, token: &str) -> Result<Player, Ended> {
        let stream = TcpStream::connect(address).await;
        let stream = stream.map_err(|_| Ended::Closed)?;
        stream.set_nodelay(true).map_err(|_| Ended::Closed)?;
        let url = format!("ws://{address}/api/games/{id}/socket");
        let fault = |error: Fault| Ended::Fault(error);
        let mut request = url
            .into_client_request()
            .map_err(|error| fault(error.into()))?;
        let bearer = format!("Bearer {token}").parse();
        let bearer = bearer.map_err(|_| fault("a token that is none".into()))?;
        request.headers_mut().insert("Authorization", bearer);
        let joined = timeout(PATIENCE, client_async(request, stream)).await;
        let joined = joined.map_err(|_| fault("nobody answers".into()))?;
        let (socket, _) = joined.map_err(|error| match error {
            tungstenite::Error::Http(response) => {
                fault(format!("not let in: {}", response.status()).into())
            }
            _ => Ended::Closed,
        })?;
        let mut player = Player {
            socket,
            moves: Vec::new(),
            board: Board {
                ply: 0,
                turn: String::new(),
                begun: false,
                legal: Vec::new(),
                outcome: None,
                clock: Clock {
                    left_ms: Left {
                        white: None,
                        black: None,
                    },
                },
            },
            count: 0,
            next: None,
        };
        let has_come =
            |player: &Player| !player.board.turn.is_empty() && player.moves.len() >= player.count;
        player.until(has_come).await?;
        Ok(player)
    }

    pub(crate) async fn send(&mut self, request: &Value) -> Result<(), Ended> {
        let text = json!({ "id": 1, "ply": self.board.ply, "request": request }).to_string();
        let sent = self.socket.send(Message::text(text)).await;
        sent.map_err(|_| Ended::Closed)
    }

    /// Reads messages until a condition holds.
    pub(crate) async fn until(&mut self, done: impl Fn(&Player) -> bool) -> Result<(), Ended> {
        while !done(self) {
            match timeout(PATIENCE, self.hear()).await {
                Ok(heard) => heard?,
                Err(_) => {
                    let sentence =
                        format!("nothing came for {PATIENCE:?} at ply {}", self.board.ply);
                    return Err(Ended::Fault(sentence.into()));
                }
            }
        }
        Ok(())
    }

    /// Reads the next message.
    pub(crate) async fn hear(&mut self) -> Result<(), Ended> {
        let text = match self.socket.next().await {
            Some(Ok(Message::Text(text))) => text,
            Some(Ok(Message::Ping(_) | Message::Pong(_))) => return Ok(()),
            Some(Ok(Message::Close(_) | Message::Binary(_) | Message::Frame(_)) | Err(_))
            | None => {
                return Err(Ended::Closed);
            }
        };
        let heard: Heard =
            serde_json::from_str(&text).map_err(|error| Ended::Fault(error.into()))?;
        match heard.kind.as_str() {
            "state" | "happened" => {
                self.moves.truncate(heard.moves_from);
                self.moves
                    .extend(heard.moves.into_iter().map(|made| made.uci));
                self.count = heard.count.unwrap_or(self.moves.len());
                if let Some(board) = heard.board {
                    self.board = board;
                }
            }
            "more" => {
                let moves = heard.items.into_iter().map(|made| made.uci);
                self.moves.extend(moves);
            }
            "ping" => {
                let pong = Message::text(json!({ "type": "pong" }).to_string());
                let sent = self.socket.send(pong).await;
                sent.map_err(|_| Ended::Closed)?;
            }
            "refused" | "notice" => {
                let sentence = format!("at ply {}: {}", self.board.ply, heard.sentences.join(" "));
                return Err(Ended::Fault(sentence.into()));
            }
            "next" => {
                let id = heard.id.as_str().unwrap_or_default().to_owned();
                self.next = heard.token.map(|token| (id, token));
            }
            _ => {}
        }
        Ok(())
    }
}

/// The two clients of a game.
pub(crate) struct Pair {
    address: SocketAddr,
    pub(crate) game: Game,
    pub(crate) white: Player,
    pub(crate) black: Player,
}

impl Pair {
    pub(crate) async fn join(address: SocketAddr, game: Game) -> Result<Pair, Ended> {
        let white = Player::join(address, &game.id, &game.white).await?;
        let black = Player::join(address, &game.id, &game.black).await?;
        let mut pair = Pair {
            address,
            game,
            white,
            black,
        };
        pair.white.until(|player| player.board.begun).await?;
        pair.black.until(|player| player.board.begun).await?;
        Ok(pair)
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// The player whose turn it is, and the other one.
    fn in_turn(&mut self) -> (&mut Player, &mut Player) {
        match self.white.board.turn == "white" {
            true => (&mut self.white, &mut self.black),
            false => (&mut self.black, &mut self.white),
        }
    }

    /// Plays a legal move, and returns how long it took to reach the other client.
    pub(crate) async fn play(&mut self, random: u64) -> Result<Duration, Ended> {
        let (mover, other) = self.in_turn();
        let legal = &mover.board.legal;
        let Some(chosen) = legal.get(random as usize % legal.len().max(1)) else {
            return Err(Ended::Fault("no legal move in an open game".into()));
        };
        let request = json!({ "command": "play", "move": chosen });
        let ply = mover.board.ply + 1;
        let begun = std::time::Instant::now();
        mover.send(&request).await?;
        other.until(|player| player.board.ply == ply).await?;
        let took = begun.elapsed();
        mover.until(|player| player.board.ply == ply).await?;
        Ok(took)
    }

    pub(crate) fn is_over(&self) -> bool {
        self.white.board.is_over()
    }

    /// Ends the game, and lets both players ask for a rematch.
    pub(crate) async fn rematch(self) -> Result<Pair, Ended> {
        let mut pair = self;
        if !pair.is_over() {
            let resign = json!({ "command": "resign", "side": "white" });
            pair.white.send(&resign).await?;
            for player in [&mut pair.white, &mut pair.black] {
                player.until(|player| player.board.is_over()).await?;
            }
        }
        let rematch = json!({ "command": "rematch" });
        pair.white.send(&rematch).await?;
        pair.black.send(&rematch).await?;
        for player in [&mut pair.white, &mut pair.black] {
            player.until(|player| player.next.is_some()).await?;
        }
        let (Some((id, black)), Some((_, white))) = (pair.white.next, pair.black.next) else {
            return Err(Ended::Fault("no next game".into()));
        };
        let watch = pair.game.watch;
        let game = Game {
            id,
            white,
            black,
            watch,
        };
        Pair::join(pair.address, game).await
    }

    /// Reconnects White, and checks that the game is where it was.
    pub(crate) async fn join_again(&mut self) -> Result<(), Ended> {
        let again = Player::join(self.address, &self.game.id, &self.game.white).await?;
        if again.moves != self.white.moves {
            return Err(Ended::Fault("a client came back to another game".into()));
        }
        self.white = again;
        Ok(())
    }
}
