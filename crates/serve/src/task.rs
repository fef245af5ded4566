//! The task that owns a room: its inbox, its clock, its save, its clients. Whatever changes the game is on the disk before
//! anybody is told of it.

mod rematch;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::ws::Utf8Bytes;
use tabiya_game::{Command, Refusal, Timestamp};
use tabiya_play::opponents::{EngineEvent, EngineOrder, Seat};
use tabiya_play::study::Studied;
use tabiya_rules::{ByColor, Color, SplitMix64};
use tabiya_store::{Autosaver, Remark};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::spawn_blocking;
use tokio::time::{Instant as TokioInstant, sleep_until};

use crate::beside::Beside;
use crate::config::Config;
use crate::engines::{Engines, Purpose, Searching};
use crate::judge::Judging;
use crate::links::Links;
use crate::protocol::{self, Asked, Presence, Sent, Wanted};
use crate::role::{Denied, Role};
use crate::room::{Effects, Plan, Room};
use crate::sides::Sides;

/// How many messages may wait for a game.
const INBOX: usize = 256;
/// Above so many watchers, their number alone is no news.
const FEW: usize = 50;
/// Whoever has more time than this at the start may stay away.
const LONGEST_SITTING: Duration = Duration::from_secs(3 * 3600);

/// Something for a game.
pub(crate) enum Message {
    Join {
        role: Role,
        outbox: mpsc::Sender<Utf8Bytes>,
        reply: oneshot::Sender<Joined>,
    },
    Leave(u64),
    Ask {
        role: Role,
        asked: Box<Asked>,
        /// How long the way to the client and back takes.
        lag: Duration,
        reply: ReplyTo,
    },
    Engine(Seat, EngineEvent),
    /// What an engine that judges the game has found.
    Studied(Studied),
    State(Role, oneshot::Sender<Snapshot>),
    /// The next game of the players, or none because none can begin now.
    Next(Option<(String, Arc<Links>)>),
    /// Bring everything to the disk, and end.
    Stop,
}

/// Whom to answer.
pub(crate) enum ReplyTo {
    Client(u64),
    Once(oneshot::Sender<Answer>),
}

/// Whether something was done, or why not.
pub(crate) type Answer = Result<(), Refusing>;

/// Why something was not done.
#[derive(Debug)]
pub(crate) struct Refusing {
    pub(crate) refusal: Option<Refusal>,
    pub(crate) sentences: Vec<String>,
}

impl From<Denied> for Refusing {
    fn from(denied: Denied) -> Refusing {
        Refusing {
            refusal: None,
            sentences: vec![denied.to_string()],
        }
    }
}

/// The number of a client, or nothing where there are too many.
pub(crate) type Joined = Option<u64>;

/// A game as it stands.
pub(crate) struct Snapshot {
    pub(crate) state: String,
    pub(crate) pgn: String,
    pub(crate) fen: String,
}

/// The door to a game.
#[derive(Clone)]
pub(crate) struct Handle {
    pub(crate) inbox: mpsc::Sender<Message>,
    /// Nothing is ever sent here; it closes when the game has left the memory.
    gone: watch::Receiver<()>,
}

impl Handle {
    /// Whether the game takes messages.
    pub(crate) fn is_open(&self) -> bool {
        !self.inbox.is_closed()
    }

    /// Whether the game has left the memory, and can be read from the disk again.
    pub(crate) fn is_gone(&self) -> bool {
        self.gone.has_changed().is_err()
    }

    /// Waits until it has.
    pub(crate) async fn gone(&self) {
        let mut gone = self.gone.clone();
        while gone.changed().await.is_ok() {}
    }
}

/// What all games share.
#[derive(Clone)]
pub(crate) struct Shared {
    pub(crate) config: Config,
    pub(crate) engines: Engines,
    pub(crate) origin: Instant,
    /// Where rematches are begun.
    pub(crate) rematches: mpsc::Sender<Rematch>,
}

/// A game that players have agreed on.
pub(crate) struct Rematch {
    pub(crate) plan: Plan,
    pub(crate) roles: Vec<Role>,
    /// Where the game is told of.
    pub(crate) after: mpsc::Sender<Message>,
}

impl Shared {
    pub(crate) fn now(&self) -> Timestamp {
        Timestamp::after_origin(self.origin.elapsed())
    }
}

struct Client {
    role: Role,
    outbox: mpsc::Sender<Utf8Bytes>,
}

struct Task {
    /// The number of the game among all that were opened, for the engines.
    key: u64,
    room: Room,
    saver: Option<Autosaver>,
    shared: Arc<Shared>,
    inbox: mpsc::Receiver<Message>,
    own: mpsc::Sender<Message>,
    clients: HashMap<u64, Client>,
    next_client: u64,
    search: Option<Searching>,
    /// Hints and lines.
    advice: Option<Searching>,
    judging: Option<Judging>,
    random: SplitMix64,
    /// The latest moment that the table knows of.
    latest: Timestamp,
    lag: ByColor<Duration>,
    /// Who has been here at all, and since when nobody has.
    came: ByColor<bool>,
    left: ByColor<Option<Instant>>,
    told: Presence,
    unused_since: Instant,
    /// Who wants a rematch, and the game that came of it.
    wants: ByColor<bool>,
    next: Option<(String, Arc<Links>)>,
    /// Closes when the task is over, whichever way.
    _here: watch::Sender<()>,
}

/// Starts the task of a game; what is already to be done is done first.
pub(crate) fn start(
    key: u64,
    room: Room,
    first: Effects,
    saver: Autosaver,
    shared: Arc<Shared>,
    random: SplitMix64,
) -> Handle {
    let (own, inbox) = mpsc::channel(INBOX);
    let (here, gone) = watch::channel(());
    let handle = Handle {
        inbox: own.clone(),
        gone,
    };
    let began = Instant::now();
    let task = Task {
        key,
        latest: shared.now(),
        room,
        saver: Some(saver),
        shared,
        inbox,
        own,
        clients: HashMap::new(),
        next_client: 0,
        search: None,
        advice: None,
        judging: None,
        random,
        lag: ByColor::default(),
        came: ByColor::default(),
        left: ByColor::new(Some(began), Some(began)),
        told: Presence::default(),
        unused_since: began,
        wants: ByColor::default(),
        next: None,
        _here: here,
    };
    tokio::spawn(task.run(first));
    handle
}

impl Task {
    async fn run(mut self, first: Effects) {
        self.take(first, None).await;
        loop {
            let wake = self.wake();
            tokio::select! {
                message = self.inbox.recv() => match message {
                    Some(Message::Stop) => return self.end().await,
                    Some(message) => self.handle(message).await,
                    None => return,
                },
                () = sleep_until(wake) => {
                    let now = self.moment(Duration::ZERO);
                    let effects = self.room.tick(now);
                    self.take(effects, None).await;
                    if self.is_unused() {
                        return self.retire().await;
                    }
                    self.tell_presence();
                }
            }
        }
    }

    /// Leaves the memory. Whoever comes from now on waits until the game can be read from the disk; whoever came just
    /// before is still answered.
    async fn retire(&mut self) {
        self.inbox.close();
        while let Some(message) = self.inbox.recv().await {
            self.handle(message).await;
        }
        self.end().await;
    }

    /// When something is to be done without a message.
    fn wake(&self) -> TokioInstant {
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
        let wait = [flag, claim]
            .into_iter()
            .flatten()
            .fold(sooner, Duration::min);
        TokioInstant::now() + wait
    }

    /// Now, less the way through the network, and never before what has happened.
    fn moment(&mut self, lag: Duration) -> Timestamp {
        let lag = lag.min(self.shared.config.limits.lag);
        let now = self.shared.origin.elapsed().saturating_sub(lag);
        self.latest = self.latest.max(Timestamp::after_origin(now));
        self.latest
    }

    async fn handle(&mut self, message: Message) {
        match message {
            Message::Join {
                role,
                outbox,
                reply,
            } => self.join(role, outbox, reply).await,
            Message::Leave(client) => self.leave(client),
            Message::Ask {
                role,
                asked,
                lag,
                reply,
            } => self.ask(role, *asked, lag, reply).await,
            Message::Engine(seat, event) => {
                if matches!(event, EngineEvent::Move(..) | EngineEvent::Failed(_)) {
                    self.search = None;
                }
                let now = self.moment(Duration::ZERO);
                let effects = self.room.heard(seat, event, now);
                self.take(effects, None).await;
            }
            Message::Studied(studied) => self.studied(studied).await,
            Message::State(role, reply) => {
                let session = self.room.session();
                let snapshot = Snapshot {
                    state: self.state(role),
                    pgn: self.room.pgn(),
                    fen: session.position().fen(),
                };
                let _ = reply.send(snapshot);
            }
            Message::Next(next) => self.begin_next(next),
            // It ends the loop.
            Message::Stop => {}
        }
    }

    async fn join(
        &mut self,
        role: Role,
        outbox: mpsc::Sender<Utf8Bytes>,
        reply: oneshot::Sender<Joined>,
    ) {
        if self.clients.len() >= self.shared.config.limits.clients_of_game {
            let _ = reply.send(None);
            return;
        }
        let number = self.next_client;
        self.next_client += 1;
        for color in Color::ALL {
            if role.plays(color) {
                self.left[color] = None;
            }
        }
        self.come(role).await;
        self.clients.insert(number, Client { role, outbox });
        // The whole game comes first, whatever else is to be told.
        let state = Utf8Bytes::from(self.state(role));
        self.send(number, state);
        self.tell_presence();
        let _ = reply.send(Some(number));
    }

    /// Notes who has come. Where everybody has, the game begins.
    async fn come(&mut self, role: Role) {
        for color in Color::ALL {
            if role.plays(color) {
                self.came[color] = true;
                // Whoever asks without staying was here just now.
                self.left[color] = self.left[color].map(|_| Instant::now());
            }
        }
        let all_here = Color::ALL
            .into_iter()
            .all(|color| self.came[color] || !self.room.is_person(color));
        if all_here && !self.room.has_begun() {
            let now = self.moment(Duration::ZERO);
            let effects = self.room.begin(now);
            self.take(effects, None).await;
        }
    }

    fn state(&self, role: Role) -> String {
        let state = self.room.state(role, self.presence(), self.shared.now());
        protocol::text(&Sent::State(&state))
    }

    fn leave(&mut self, client: u64) {
        if self.clients.remove(&client).is_none() {
            return;
        }
        let now = Instant::now();
        for color in Color::ALL {
            let here = self.clients.values().any(|client| client.role.plays(color));
            if !here && self.left[color].is_none() {
                self.left[color] = Some(now);
            }
        }
        if self.clients.is_empty() {
            self.unused_since = now;
            // Nobody is there who would read it.
            self.advice = None;
            self.judging = None;
        }
        self.tell_presence();
    }

    async fn ask(&mut self, role: Role, asked: Asked, lag: Duration, reply: ReplyTo) {
        let id = asked.id;
        self.come(role).await;
        let now = self.moment(lag);
        let turn = self.room.session().turn();
        if role.plays(turn) {
            self.lag[turn] = lag.min(self.shared.config.limits.lag);
        }
        // A flag that fell on the way falls first.
        let settled = self.room.tick(now);
        self.take(settled, None).await;
        let done = match asked.request {
            Wanted::Game(Command::Abandon {
                winner: Some(winner),
            }) => {
                let allowed = self.may_claim(role, winner);
                allowed.map(|()| self.room.award(winner, now))
            }
            Wanted::Game(command) => self.room.ask(role, asked.ply, command, now),
            Wanted::Beside(wish) => self.room.wish(role, wish, now),
            Wanted::Rematch => self.want_rematch(role).map(|()| Effects::default()),
        };
        match done {
            Ok(effects) => self.take(effects, Some((id, reply))).await,
            Err(denied) => self.answer(id, reply, Err(denied.into())),
        }
    }

    fn may_claim(&self, role: Role, winner: Color) -> Result<(), Denied> {
        if !role.plays(winner) || role == Role::Both {
            return Err(Denied::NotYourSide);
        }
        match self.claim_in(!winner) {
            Some(Duration::ZERO) => Ok(()),
            Some(_) | None => Err(Denied::NotAway),
        }
    }

    /// In which time the opponent of a side that is away may claim the game.
    fn claim_in(&self, away: Color) -> Option<Duration> {
        let left = self.left[away]?;
        let both = Color::ALL
            .into_iter()
            .all(|color| self.room.is_person(color));
        let time = self.room.session().clocks()[away].initial()?;
        let counts =
            both && self.room.has_begun() && !self.room.is_over() && time <= LONGEST_SITTING;
        let limit = self.shared.config.limits.away;
        counts.then(|| limit.saturating_sub(left.elapsed()))
    }

    /// Keeps and tells what came of something, and answers whoever asked.
    async fn take(&mut self, effects: Effects, asker: Option<(u32, ReplyTo)>) {
        for order in effects.orders {
            self.carry_out(order);
        }
        if let Some(task) = effects.study {
            self.judging = Some(Judging::new(*task));
            self.judge();
        }
        if let Some(happened) = effects.happened {
            let trouble = self.keep().await;
            self.broadcast(&Sent::Happened(Box::new(happened)));
            self.tell_presence();
            if let Some(trouble) = trouble {
                self.broadcast(&Sent::Notice {
                    sentences: vec![trouble],
                });
            }
        }
        if !effects.notices.is_empty() {
            self.broadcast(&Sent::Notice {
                sentences: effects.notices,
            });
        }
        for message in &effects.beside {
            self.broadcast(&match message {
                Beside::Advice(advice) => Sent::Advice(advice),
                Beside::Review(review) => Sent::Review(review),
            });
        }
        if let Some((id, reply)) = asker {
            let answer = match effects.refused {
                None => Ok(()),
                Some((refusal, sentences)) => Err(Refusing { refusal, sentences }),
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
                    Ok(()) => Sent::Done { id },
                    Err(Refusing { refusal, sentences }) => Sent::Refused {
                        id,
                        refusal,
                        sentences,
                    },
                });
                self.send(client, text.into());
            }
        }
    }

    fn carry_out(&mut self, order: EngineOrder) {
        match order {
            EngineOrder::Think(task) => {
                let own = self.own.clone();
                let seat = task.seat;
                let tell = move |event| {
                    // A game that has ended wants no more.
                    let _ = own.blocking_send(Message::Engine(seat, event));
                };
                let seed = self.random.next_u64();
                let (purpose, search) = match seat {
                    Seat::Side(_) => (Purpose::Move, &mut self.search),
                    Seat::Adviser => (Purpose::Advice, &mut self.advice),
                };
                let engines = &self.shared.engines;
                *search = engines.think(self.key, purpose, &task, seed, Box::new(tell));
            }
            EngineOrder::Stop(Seat::Side(_))
            | EngineOrder::NewGame(Seat::Side(_))
            | EngineOrder::Dismiss(Seat::Side(_)) => self.search = None,
            EngineOrder::Stop(Seat::Adviser)
            | EngineOrder::NewGame(Seat::Adviser)
            | EngineOrder::Dismiss(Seat::Adviser) => self.advice = None,
        }
    }

    /// Has the next position of a judgment thought about.
    fn judge(&mut self) {
        let own = self.own.clone();
        let tell = move |studied| {
            // A game that has ended wants no more.
            let _ = own.blocking_send(Message::Studied(studied));
        };
        if let Some(judging) = &mut self.judging {
            judging.next(&self.shared.engines, self.key, tell);
        }
    }

    /// A position was judged, or all of them were.
    async fn studied(&mut self, studied: Studied) {
        let Some(judging) = self
            .judging
            .as_mut()
            .filter(|judging| judging.is_about(&studied))
        else {
            return;
        };
        let ended = judging.took(&studied);
        let now = self.moment(Duration::ZERO);
        let effects = self.room.studied(studied, now);
        self.take(effects, None).await;
        match ended {
            None => self.judge(),
            Some(ended) => {
                // A move that was tried may have been followed by another task.
                if self
                    .judging
                    .as_ref()
                    .is_some_and(|judging| judging.is_about(&ended))
                {
                    self.judging = None;
                }
                let effects = self.room.studied(ended, now);
                self.take(effects, None).await;
            }
        }
    }

    /// Brings the game to the disk. What is wrong with that is said, and the game goes on.
    async fn keep(&mut self) -> Option<String> {
        let game = self.room.to_keep();
        let mut saver = self.saver.take()?;
        let kept = spawn_blocking(move || {
            let remark = saver.save(&game);
            (saver, remark)
        });
        // Only a panic loses the saver.
        let (saver, remark) = kept.await.ok()?;
        self.saver = Some(saver);
        self.remark(remark)
    }

    fn remark(&self, remark: Option<Remark>) -> Option<String> {
        let said = remark?.to_string();
        (self.shared.config.log)(&said);
        Some(said)
    }

    /// Brings the game to the disk as it stands, with the time that was thought, and lets go of it.
    async fn end(&mut self) {
        self.search = None;
        self.advice = None;
        self.judging = None;
        let now = self.moment(Duration::ZERO);
        let effects = self.room.tick(now);
        self.take(effects, None).await;
        self.keep().await;
        if let Some(mut saver) = self.saver.take() {
            let released = spawn_blocking(move || saver.release()).await;
            self.remark(released.ok().flatten());
        }
    }

    /// Whether nobody needs the game in memory: it is read again when somebody comes.
    fn is_unused(&self) -> bool {
        let runs = self.room.has_begun() && self.room.next_deadline(self.shared.now()).is_some();
        self.clients.is_empty()
            && self.search.is_none()
            && !runs
            && self.unused_since.elapsed() >= self.shared.config.limits.idle
    }

    fn presence(&self) -> Presence {
        let plays = |color: Color| self.clients.values().any(|client| client.role.plays(color));
        Presence {
            here: Sides::from_fn(|color| !self.room.is_person(color) || plays(color)),
            watchers: self
                .clients
                .values()
                .filter(|client| client.role == Role::Watch)
                .count(),
            claim_in_ms: Sides::from_fn(|color| {
                let left = self.claim_in(color)?;
                u64::try_from(left.as_millis()).ok()
            }),
        }
    }

    /// Tells everybody who is here, where that is news.
    fn tell_presence(&mut self) {
        let presence = self.presence();
        let claims = |told: &Presence| {
            Sides::from_fn(|color: Color| {
                let side = match color {
                    Color::White => told.claim_in_ms.white,
                    Color::Black => told.claim_in_ms.black,
                };
                side.map(|left| left == 0)
            })
        };
        let same = presence.here == self.told.here
            && claims(&presence) == claims(&self.told)
            && (presence.watchers == self.told.watchers || presence.watchers > FEW);
        if !same {
            self.told = presence.clone();
            self.broadcast(&Sent::Presence(presence));
        }
    }

    fn broadcast(&mut self, message: &Sent<'_>) {
        let text = Utf8Bytes::from(protocol::text(message));
        let clients: Vec<u64> = self.clients.keys().copied().collect();
        for client in clients {
            self.send(client, text.clone());
        }
    }

    /// Sends to a client, or drops one that does not take what it is sent.
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
