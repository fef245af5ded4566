//! The task that owns a room: its inbox, its clock, its save, its clients. Every change is saved before anybody is told of
//! it.

mod engines;
mod presence;
mod rematch;
mod saving;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::ws::Utf8Bytes;
use tabiya_engine::SearchHandle;
use tabiya_game::{Command, Refusal, Timestamp};
use tabiya_play::opponents::EngineEvent;
use tabiya_play::study::StudyReport;
use tabiya_rules::{ByColor, Color, SplitMix64};
use tabiya_store::Autosaver;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::{Instant as TokioInstant, sleep_until};

pub(crate) use self::rematch::{Next, Rematches};
use crate::chunks::{self, Items};
use crate::config::Config;
use crate::disk_threads::DiskThreads;
use crate::engines::Engines;
use crate::judge::GameJudge;
use crate::moves;
use crate::protocol::{
    self, ClientMessage, ClientRequest, Connections, NextGameRequest, ServerMessage,
};
use crate::rates::SharedBucket;
use crate::role::{Denied, Role};
use crate::room::{Effects, Plan, Room};

/// How many messages may wait for a game.
const INBOX: usize = 256;

/// A message to the task of a game.
pub(crate) enum Message {
    Join {
        role: Role,
        way: Way,
        outbox: mpsc::Sender<Utf8Bytes>,
        reply: oneshot::Sender<Joined>,
    },
    Leave(u64),
    Ask {
        role: Role,
        asked: Box<ClientMessage>,
        /// The round-trip time to the client.
        lag: Duration,
        reply: ReplyTo,
    },
    /// An event of the engine that plays a side.
    Engine(Color, EngineEvent),
    /// An event of the engine that advises the person of a side.
    Advised(Color, EngineEvent),
    /// A report of the engine that judges the game for the person of a side.
    Studied(Color, StudyReport),
    /// Answers with a text of the game, as the role sees it.
    Text(Role, Text, oneshot::Sender<String>),
    /// The rematch, or `None` if no game can begin now.
    Next(Option<Next>),
    /// End if the game is over and nobody watches it, because another game needs the memory. The sender is dropped when that
    /// is done or refused.
    GiveWay(oneshot::Sender<()>),
    /// Save the game, and end.
    Stop,
}

/// How a client hears what happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// A WebSocket, which ends when the client is silent for too long.
    Socket,
    /// A stream, over which the client cannot be heard. That it is there is known from what else it asks for.
    Stream,
}

/// Who gets the answer.
pub(crate) enum ReplyTo {
    Client(u64),
    Once(oneshot::Sender<Answer>),
}

/// Whether a request was carried out, or why not.
pub(crate) type Answer = Result<(), RefusedRequest>;

/// Why a request was refused.
#[derive(Debug)]
pub(crate) struct RefusedRequest {
    pub(crate) refusal: Option<Refusal>,
    pub(crate) sentences: Vec<String>,
}

impl From<Denied> for RefusedRequest {
    fn from(denied: Denied) -> RefusedRequest {
        RefusedRequest {
            refusal: None,
            sentences: vec![denied.to_string()],
        }
    }
}

/// The number of a client, or `None` if there are too many clients.
pub(crate) type Joined = Option<u64>;

/// The texts that a game is read as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Text {
    /// The message that clients on a socket begin with.
    State,
    Pgn,
    /// The current position.
    Fen,
}

/// A handle to the task of a game.
#[derive(Clone)]
pub(crate) struct Handle {
    pub(crate) inbox: mpsc::Sender<Message>,
    /// It closes when the task has ended.
    place: watch::Receiver<Place>,
}

/// Whether a game keeps its place in memory when others need it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Kept,
    /// The game is over and nobody watches it.
    Free,
}

impl Handle {
    /// Whether the task accepts messages.
    pub(crate) fn is_open(&self) -> bool {
        !self.inbox.is_closed()
    }

    /// Whether the task has ended, so that the game can be read from disk again.
    pub(crate) fn is_gone(&self) -> bool {
        self.place.has_changed().is_err()
    }

    /// Waits until the task has ended.
    pub(crate) async fn gone(&self) {
        let mut place = self.place.clone();
        while place.changed().await.is_ok() {}
    }

    /// Whether it would give way to another game.
    pub(crate) fn is_free(&self) -> bool {
        *self.place.borrow() == Place::Free
    }

    /// Ends the task unless somebody has come meanwhile.
    pub(crate) async fn give_way(&self) {
        let (asked, done) = oneshot::channel();
        // If it cannot be asked, it is ending.
        let _ = self.inbox.send(Message::GiveWay(asked)).await;
        let _ = done.await;
        if !self.is_open() {
            self.gone().await;
        }
    }
}

/// What all games share.
pub(crate) struct Shared {
    pub(crate) config: Config,
    pub(crate) engines: Engines,
    pub(crate) disk: DiskThreads,
    pub(crate) origin: Instant,
    /// Where to send rematches that the players have agreed on.
    pub(crate) rematches: mpsc::Sender<Rematch>,
}

/// A rematch that the players have agreed on.
pub(crate) struct Rematch {
    pub(crate) plan: Plan,
    pub(crate) roles: Vec<Role>,
    /// Counts the rematches after it.
    pub(crate) budget: Arc<SharedBucket>,
    /// The previous game, which is told about the new one.
    pub(crate) of: String,
    pub(crate) after: mpsc::Sender<Message>,
}

impl Shared {
    pub(crate) fn now(&self) -> Timestamp {
        Timestamp::after_origin(self.origin.elapsed())
    }
}

struct Client {
    role: Role,
    way: Way,
    outbox: mpsc::Sender<Utf8Bytes>,
}

struct GameTask {
    room: Room,
    saver: Option<Autosaver>,
    /// Why the game is not saved now.
    unsaved: Option<String>,
    /// When the time on a running clock was saved last.
    clock_saved: Instant,
    /// The moves after the first chunk as messages, as far as they fill chunks.
    moves: Vec<Utf8Bytes>,
    shared: Arc<Shared>,
    inbox: mpsc::Receiver<Message>,
    own: mpsc::Sender<Message>,
    clients: HashMap<u64, Client>,
    next_client: u64,
    search: Option<SearchHandle>,
    /// Hints and lines for the person of each side, and the judgment of the game for them.
    advice: ByColor<Option<SearchHandle>>,
    judging: ByColor<Option<GameJudge>>,
    random: SplitMix64,
    /// The latest time that the table was given.
    latest_time: Timestamp,
    lag: ByColor<Duration>,
    /// Whether the player of each side has ever joined, and since when they have been away.
    has_joined: ByColor<bool>,
    away_since: ByColor<Option<Instant>>,
    /// When the player of each side last joined or asked for something.
    heard_at: ByColor<Instant>,
    /// Who was connected when the clients were told last.
    sent_presence: Connections,
    unused_since: Instant,
    rematches: Rematches,
    /// Dropped when the task ends, however it ends.
    place: watch::Sender<Place>,
}

/// Starts the task of a game. It begins with `first`.
pub(crate) fn start(
    room: Room,
    first: Effects,
    saver: Autosaver,
    shared: Arc<Shared>,
    random: SplitMix64,
    rematches: Rematches,
) -> Handle {
    let (own, inbox) = mpsc::channel(INBOX);
    let (place, seen) = watch::channel(Place::Kept);
    let handle = Handle {
        inbox: own.clone(),
        place: seen,
    };
    let began = Instant::now();
    let task = GameTask {
        latest_time: shared.now(),
        room,
        saver: Some(saver),
        unsaved: None,
        clock_saved: began,
        moves: Vec::new(),
        shared,
        inbox,
        own,
        clients: HashMap::new(),
        next_client: 0,
        search: None,
        advice: ByColor::default(),
        judging: ByColor::default(),
        random,
        lag: ByColor::default(),
        has_joined: ByColor::default(),
        away_since: ByColor::new(Some(began), Some(began)),
        heard_at: ByColor::new(began, began),
        sent_presence: Connections::default(),
        unused_since: began,
        rematches,
        place,
    };
    tokio::spawn(task.run(first));
    handle
}

impl GameTask {
    async fn run(mut self, first: Effects) {
        self.apply(first, None).await;
        loop {
            self.publish_place();
            let wake = self.next_wake();
            tokio::select! {
                message = self.inbox.recv() => match message {
                    Some(Message::Stop) => return self.end().await,
                    Some(Message::GiveWay(asked)) => if self.is_free() {
                        self.unload().await;
                        drop(asked);
                        return;
                    },
                    Some(message) => self.handle(message).await,
                    None => return,
                },
                () = sleep_until(wake) => {
                    let now = self.advance_clock(Duration::ZERO);
                    let effects = self.room.tick(now);
                    self.apply(effects, None).await;
                    if self.unsaved.is_some() {
                        self.retry_save().await;
                    } else if self.save_clock_in().is_some_and(|wait| wait.is_zero()) {
                        self.save_clock().await;
                    }
                    if self.is_unused() {
                        return self.unload().await;
                    }
                    self.note_absence();
                    self.send_presence();
                }
            }
        }
    }

    /// Removes the game from memory. Messages that have arrived are still answered; later ones wait until the game can be
    /// read from disk.
    async fn unload(&mut self) {
        self.inbox.close();
        while let Some(message) = self.inbox.recv().await {
            self.handle(message).await;
        }
        self.end().await;
    }

    /// When to wake up if no message arrives.
    fn next_wake(&self) -> TokioInstant {
        let now = self.shared.now();
        let idle = self.shared.config.limits.idle;
        let sooner = if self.clients.is_empty() {
            idle
        } else {
            Duration::from_secs(3600)
        };
        let flag = self.room.next_deadline(now).map(|then| {
            let turn = self.room.session().turn();
            then.since(now) + self.lag[turn] + Duration::from_millis(1)
        });
        let claim = Color::ALL
            .into_iter()
            .filter_map(|color| self.claim_in(color));
        let claim = claim.filter(|left| !left.is_zero()).min();
        let silent = Color::ALL
            .into_iter()
            .filter_map(|color| self.stream_expires_in(color))
            .min();
        let wait = [
            flag,
            claim,
            silent,
            self.retry_save_in(),
            self.save_clock_in(),
        ]
        .into_iter()
        .flatten()
        .fold(sooner, Duration::min);
        TokioInstant::now() + wait
    }

    /// The current time minus the network delay, but never earlier than the last time.
    fn advance_clock(&mut self, lag: Duration) -> Timestamp {
        let lag = lag.min(self.shared.config.limits.lag);
        let now = self.shared.origin.elapsed().saturating_sub(lag);
        self.latest_time = self.latest_time.max(Timestamp::after_origin(now));
        self.latest_time
    }

    async fn handle(&mut self, message: Message) {
        match message {
            Message::Join {
                role,
                way,
                outbox,
                reply,
            } => self.join(Client { role, way, outbox }, reply).await,
            Message::Leave(client) => self.leave(client),
            Message::Ask {
                role,
                asked,
                lag,
                reply,
            } => self.ask(role, *asked, lag, reply).await,
            Message::Engine(color, event) => {
                if matches!(event, EngineEvent::Move(..) | EngineEvent::Failed(_)) {
                    self.search = None;
                }
                let now = self.advance_clock(Duration::ZERO);
                let effects = self.room.handle_engine_event(color, event, now);
                self.apply(effects, None).await;
            }
            Message::Advised(helped, event) => {
                let now = self.advance_clock(Duration::ZERO);
                let effects = self.room.handle_advice(helped, event, now);
                self.apply(effects, None).await;
            }
            Message::Studied(helped, studied) => self.handle_study_report(helped, studied).await,
            Message::Text(role, text, reply) => {
                self.note_presence(role);
                let text = match text {
                    Text::State => self.state(role, usize::MAX),
                    Text::Pgn => self.room.pgn(role),
                    Text::Fen => self.room.session().position().fen(),
                };
                let _ = reply.send(text);
            }
            Message::Next(next) => self.begin_next(next),
            // `run` handles them.
            Message::Stop | Message::GiveWay(_) => {}
        }
    }

    async fn join(&mut self, client: Client, reply: oneshot::Sender<Joined>) {
        let role = client.role;
        if self.clients.len() >= self.shared.config.limits.clients_of_game {
            let _ = reply.send(None);
            return;
        }
        let number = self.next_client;
        self.next_client += 1;
        for color in Color::ALL {
            if role.plays(color) {
                self.away_since[color] = None;
            }
        }
        self.note_arrival(role).await;
        self.clients.insert(number, client);
        // The first message is always the whole game.
        let state = Utf8Bytes::from(self.state(role, chunks::MOVES));
        self.send(number, state);
        for chunk in self.later_moves() {
            self.send(number, chunk);
        }
        for text in self.rematch_for(role) {
            self.send(number, text.into());
        }
        if let Some(unsaved) = self.unsaved.clone() {
            let sentences = vec![unsaved];
            let notice = protocol::text(&ServerMessage::Notice { sentences });
            self.send(number, notice.into());
        }
        self.send_presence();
        let _ = reply.send(Some(number));
    }

    /// The state of the game with so many of its moves.
    fn state(&self, role: Role, moves: usize) -> String {
        let (presence, now) = (self.presence(), self.shared.now());
        let state = self.room.state(role, presence, moves, now);
        protocol::text(&ServerMessage::State(&state))
    }

    /// The moves after the first chunk, as messages. All clients share them.
    fn later_moves(&mut self) -> Vec<Utf8Bytes> {
        let from = chunks::MOVES * (1 + self.moves.len());
        let others = moves::played(self.room.session(), from..);
        let mut open = None;
        for chunk in others.chunks(chunks::MOVES) {
            let items = Items::Moves(chunk);
            let text = Utf8Bytes::from(protocol::text(&ServerMessage::More { items }));
            match chunk.len() == chunks::MOVES {
                true => self.moves.push(text),
                false => open = Some(text),
            }
        }
        self.moves.iter().cloned().chain(open).collect()
    }

    fn leave(&mut self, client: u64) {
        if self.clients.remove(&client).is_none() {
            return;
        }
        self.note_absence();
        if self.clients.is_empty() {
            // Searches go on: whoever loads the page again comes back at once. They end with the task.
            self.unused_since = Instant::now();
        }
        self.send_presence();
    }

    async fn ask(&mut self, role: Role, asked: ClientMessage, lag: Duration, reply: ReplyTo) {
        let id = asked.id;
        self.note_arrival(role).await;
        let now = self.advance_clock(lag);
        let turn = self.room.session().turn();
        if role.plays(turn) {
            self.lag[turn] = lag.min(self.shared.config.limits.lag);
        }
        // If the flag has fallen meanwhile, that comes first.
        let settled = self.room.tick(now);
        self.apply(settled, None).await;
        let done = match asked.request {
            ClientRequest::Game(Command::Abandon {
                winner: Some(winner),
            }) => {
                let claim_in = self.claim_in(!winner);
                self.room.claim_game(role, winner, claim_in, now)
            }
            ClientRequest::Game(command) => self.room.ask(role, asked.ply, command, now),
            ClientRequest::Assistant(request) => self.room.ask_assistant(role, request, now),
            ClientRequest::NextGame(NextGameRequest::Rematch) => {
                self.want_rematch(role).map(|()| Effects::default())
            }
        };
        match done {
            Ok(effects) => self.apply(effects, Some((id, reply))).await,
            Err(denied) => self.answer(id, reply, Err(denied.into())),
        }
    }

    /// Carries out effects: saves the game, sends messages, and answers the client that asked.
    async fn apply(&mut self, effects: Effects, asker: Option<(u32, ReplyTo)>) {
        // Without a person to help, this means nothing.
        let helped = effects.helped.unwrap_or(Color::White);
        if let Some(happened) = effects.happened {
            self.moves
                .truncate((happened.moves_from / chunks::MOVES).saturating_sub(1));
            let trouble = self.save().await;
            self.broadcast(&ServerMessage::Happened(Box::new(happened)));
            self.send_presence();
            if let Some(trouble) = trouble {
                self.broadcast(&ServerMessage::Notice {
                    sentences: vec![trouble],
                });
            }
        }
        for order in effects.orders {
            self.carry_out(order, helped);
        }
        if let Some(task) = effects.study {
            self.start_judging(*task, helped);
        }
        if !effects.notices.is_empty() {
            self.broadcast(&ServerMessage::Notice {
                sentences: effects.notices,
            });
        }
        for message in effects.advice {
            self.send_advice(message, helped);
        }
        if let Some((id, reply)) = asker {
            let answer = match effects.refused {
                None => Ok(()),
                Some((refusal, sentences)) => Err(RefusedRequest { refusal, sentences }),
            };
            self.answer(id, reply, answer);
        }
    }

    fn answer(&mut self, id: u32, reply: ReplyTo, answer: Answer) {
        match reply {
            ReplyTo::Once(reply) => {
                let _ = reply.send(answer);
            }
            ReplyTo::Client(client) => {
                let text = protocol::text(&match answer {
                    Ok(()) => ServerMessage::Done { id },
                    Err(RefusedRequest { refusal, sentences }) => ServerMessage::Refused {
                        id,
                        refusal,
                        sentences,
                    },
                });
                self.send(client, text.into());
            }
        }
    }

    /// Whether the game can be read from disk whenever somebody wants to see it, and nothing goes on in it until then.
    fn is_free(&self) -> bool {
        self.room.is_over()
            && self.clients.is_empty()
            && self.unsaved.is_none()
            && !self.rematches.is_beginning()
    }

    fn publish_place(&self) {
        let place = match self.is_free() {
            true => Place::Free,
            false => Place::Kept,
        };
        self.place.send_if_modified(|noted| {
            let before = std::mem::replace(noted, place);
            before != place
        });
    }

    /// Whether the game need not be in memory. It is read from disk when somebody joins.
    fn is_unused(&self) -> bool {
        let runs = self.room.has_begun() && self.room.next_deadline(self.shared.now()).is_some();
        self.clients.is_empty()
            && self.unsaved.is_none()
            && self.search.is_none()
            && !runs
            && self.unused_since.elapsed() >= self.shared.config.limits.idle
    }

    fn broadcast(&mut self, message: &ServerMessage<'_>) {
        self.send_where(message, |_| true);
    }

    /// Sends a message to the clients with some of the roles.
    fn send_where(&mut self, message: &ServerMessage<'_>, is_meant: impl Fn(Role) -> bool) {
        let text = Utf8Bytes::from(protocol::text(message));
        let meant = self.clients.iter().filter(|(_, one)| is_meant(one.role));
        let clients: Vec<u64> = meant.map(|(&number, _)| number).collect();
        for client in clients {
            self.send(client, text.clone());
        }
    }

    /// Sends a message to a client, or drops the client if too many messages wait for it.
    fn send(&mut self, client: u64, text: Utf8Bytes) {
        let sent = self
            .clients
            .get(&client)
            .map(|one| one.outbox.try_send(text));
        if let Some(Err(_)) = sent {
            self.leave(client);
        }
    }
}
