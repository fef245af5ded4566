//! One game: a table, and the messages about each change. Nothing here waits or sends.

use std::sync::Arc;

use tabiya_game::{
    Command, NewGame, Node, NodeId, Record, Refusal, Session, TimeControl, Timestamp, pgn,
};
use tabiya_play::opponents::{EngineEvent, EngineOrder, Opponents, Seat};
use tabiya_play::outcome::{Outcome, Outcomes, TableRefusal};
use tabiya_play::players::PlayerSpec;
use tabiya_play::study::{StudyReport, StudyTask};
use tabiya_play::table::{Display, ResumedClocks, Table};
use tabiya_rules::{ByColor, Color, Position, SplitMix64};

use crate::assistant::{Assistant, AssistantMessage, AssistantOutcome, AssistantRequest};
use crate::config::Sentences;
use crate::protocol::{self, Board, Connections, Happened, PROTOCOL, State};
use crate::role::{self, Denied, Role};
use crate::sides::Sides;

/// The settings of a new game.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) players: ByColor<PlayerSpec>,
    pub(crate) names: ByColor<Option<String>>,
    pub(crate) clock: TimeControl,
    pub(crate) start: Position,
    /// Moves that were played elsewhere.
    pub(crate) record: Option<Record>,
}

/// What has to be done and sent after a change.
#[derive(Debug, Default)]
pub(crate) struct Effects {
    /// For everybody, after it has been saved.
    pub(crate) happened: Option<Happened>,
    /// For the client that asked.
    pub(crate) refused: Option<(Option<Refusal>, Vec<String>)>,
    /// Sentences for everybody.
    pub(crate) notices: Vec<String>,
    pub(crate) orders: Vec<EngineOrder>,
    /// Messages for everybody that are not saved.
    pub(crate) advice: Vec<AssistantMessage>,
    /// Positions to be judged.
    pub(crate) study: Option<Box<StudyTask>>,
}

impl From<AssistantOutcome> for Effects {
    fn from(outcome: AssistantOutcome) -> Effects {
        Effects {
            advice: outcome.messages,
            orders: outcome.orders,
            study: outcome.study,
            refused: outcome.refused.map(|sentences| (None, sentences)),
            ..Effects::default()
        }
    }
}

pub(crate) struct Room {
    id: String,
    table: Table,
    assistant: Assistant,
    sentences: Arc<dyn Sentences>,
    /// The moves that have been sent to the clients.
    known: Vec<NodeId>,
    number: u64,
}

impl Room {
    /// Creates a game that has not begun, perhaps with moves that were played elsewhere.
    pub(crate) fn new(
        id: String,
        plan: Plan,
        sentences: Arc<dyn Sentences>,
        random: SplitMix64,
        now: Timestamp,
    ) -> (Room, Effects) {
        let mut game = NewGame::new(plan.start).with_clock(&plan.clock);
        for color in Color::ALL {
            let name = plan.names[color]
                .clone()
                .or_else(|| plan.players[color].name());
            if let Some(name) = name {
                // A name is one line, and `set` would refuse nothing else.
                let _ = game.tags.set(color.name(), &name);
            }
        }
        let opponents = Opponents::new(plan.players.clone());
        let table = Table::new(game, Display::Board, opponents, random);
        let mut room = Room::of(id, table, sentences);
        let effects = match plan.record {
            None => Effects::default(),
            Some(record) => {
                let outcomes = room
                    .table
                    .resume(record, plan.players, ResumedClocks::Running, now);
                room.absorb(outcomes, now)
            }
        };
        (room, effects)
    }

    /// Restores a saved game.
    pub(crate) fn restore(
        id: String,
        session: &Session,
        players: ByColor<PlayerSpec>,
        sentences: Arc<dyn Sentences>,
        random: SplitMix64,
        now: Timestamp,
    ) -> (Room, Effects) {
        let opponents = Opponents::new(players.clone());
        let game = session.same_again().with_start(*session.record().start());
        let table = Table::new(game, Display::Board, opponents, random);
        let mut room = Room::of(id, table, sentences);
        if session.record().is_empty() && session.outcome().is_none() {
            return (room, Effects::default());
        }
        let running = ResumedClocks::Running;
        let outcomes = room.table.resume(session.save(), players, running, now);
        let effects = room.absorb(outcomes, now);
        (room, effects)
    }

    fn of(id: String, table: Table, sentences: Arc<dyn Sentences>) -> Room {
        Room {
            id,
            table,
            assistant: Assistant::new(Arc::clone(&sentences)),
            sentences,
            known: Vec::new(),
            number: 0,
        }
    }

    pub(crate) fn session(&self) -> &Session {
        self.table.session()
    }

    pub(crate) fn has_begun(&self) -> bool {
        self.table.has_begun()
    }

    pub(crate) fn is_over(&self) -> bool {
        self.session().outcome().is_some()
    }

    /// Whether a person plays that side.
    pub(crate) fn is_person(&self, color: Color) -> bool {
        self.table.opponents().is_human(color)
    }

    pub(crate) fn players(&self) -> &ByColor<PlayerSpec> {
        self.table.opponents().specs()
    }

    pub(crate) fn next_deadline(&self, now: Timestamp) -> Option<Timestamp> {
        self.table
            .next_deadline(now)
            .filter(|_| self.table.has_begun())
    }

    /// Begins the game, because all players have joined: clocks run, and engines search.
    pub(crate) fn begin(&mut self, now: Timestamp) -> Effects {
        let outcomes = self.table.begin(now);
        let mut effects = self.absorb(outcomes, now);
        if effects.happened.is_none() {
            effects.happened = Some(self.news(Vec::new(), Vec::new(), now));
        }
        effects
    }

    /// Carries out a request, if the role allows it.
    pub(crate) fn ask(
        &mut self,
        role: Role,
        ply: Option<u32>,
        command: Command,
        now: Timestamp,
    ) -> Result<Effects, Denied> {
        let request = role::request(role, command, &self.table)?;
        if ply.is_some_and(|ply| ply != self.session().ply()) {
            return Err(Denied::Stale);
        }
        let outcomes = self.table.handle(request, now);
        Ok(self.absorb(outcomes, now))
    }

    /// Asks an engine, if the role allows it.
    pub(crate) fn ask_assistant(
        &mut self,
        role: Role,
        request: AssistantRequest,
        now: Timestamp,
    ) -> Result<Effects, Denied> {
        role::may_study(role, &self.table)?;
        let outcome = self
            .assistant
            .ask(&mut self.table, role.side(), request, now)?;
        Ok(outcome.into())
    }

    /// Handles a report of the engine that judges the game.
    pub(crate) fn handle_study_report(&mut self, studied: StudyReport, now: Timestamp) -> Effects {
        self.assistant.handle_study_report(studied, now).into()
    }

    /// Awards the game to a side whose opponent is away.
    pub(crate) fn award(&mut self, winner: Color, now: Timestamp) -> Effects {
        let outcomes = self.table.abandon(Some(winner), now);
        self.absorb(outcomes, now)
    }

    pub(crate) fn handle_engine_event(
        &mut self,
        seat: Seat,
        event: EngineEvent,
        now: Timestamp,
    ) -> Effects {
        match seat {
            Seat::Side(_) => {
                let outcomes = self.table.handle_engine_event(seat, event, now);
                self.absorb(outcomes, now)
            }
            Seat::Adviser => self
                .assistant
                .handle_engine_event(&mut self.table, event, now)
                .into(),
        }
    }

    pub(crate) fn tick(&mut self, now: Timestamp) -> Effects {
        let outcomes = self.table.tick(now);
        self.absorb(outcomes, now)
    }

    fn absorb(&mut self, outcomes: Outcomes, now: Timestamp) -> Effects {
        let mut effects = Effects::default();
        let (mut events, mut words) = (Vec::new(), Vec::new());
        for outcome in outcomes {
            match outcome {
                Outcome::Happened(happened) => {
                    words.extend(self.sentences.happened(&happened, self.session()));
                    events.extend(happened.events);
                }
                Outcome::Refused(refused) => {
                    let said = self.sentences.refused(&refused, self.session().position());
                    let refusal = if let TableRefusal::Game { refusal, .. } = refused {
                        Some(refusal)
                    } else {
                        None
                    };
                    effects.refused.get_or_insert((refusal, said));
                }
                Outcome::Order(order) => effects.orders.push(order),
                Outcome::EngineFailed { color, name, why } => {
                    let said = format!("{name} cannot go on ({why}). A person moves for {color}.");
                    effects.notices.push(said);
                }
                // None of these is requested here: the assistant answers questions and judges, and players never change.
                Outcome::Answer(_)
                | Outcome::Study(_)
                | Outcome::Server(_)
                | Outcome::ServerNews(_)
                | Outcome::ReadAs { .. }
                | Outcome::Premove(_)
                | Outcome::PremoveDropped(_)
                | Outcome::Seated { .. }
                | Outcome::TookSide(_)
                | Outcome::BraceReplaced
                | Outcome::Judging
                | Outcome::Judged(_)
                | Outcome::AllJudged
                | Outcome::TryEnded
                | Outcome::Retry(_)
                | Outcome::Tried(_)
                | Outcome::VariationMoved(_) => {}
            }
        }
        if !events.is_empty() {
            effects.happened = Some(self.news(events, words, now));
        }
        effects
    }

    /// The next message for everybody.
    fn news(
        &mut self,
        events: Vec<tabiya_game::Event>,
        sentences: Vec<String>,
        now: Timestamp,
    ) -> Happened {
        let line: Vec<NodeId> = self
            .session()
            .record()
            .cursor_line()
            .map(Node::id)
            .collect();
        let same = self
            .known
            .iter()
            .zip(&line)
            .take_while(|(a, b)| a == b)
            .count();
        self.known = line;
        self.number += 1;
        Happened {
            number: self.number,
            events,
            sentences,
            moves_from: same,
            moves: protocol::moves_from(self.session(), same),
            board: Board::of(self.session(), self.has_begun(), now),
        }
    }

    /// The whole game, for a client that joins.
    pub(crate) fn state(&self, you: Role, presence: Connections, now: Timestamp) -> State {
        let session = self.session();
        let tags = session.record().tags();
        State {
            protocol: PROTOCOL,
            number: self.number,
            id: self.id.clone(),
            you,
            start: *session.record().start(),
            chess960: protocol::is_chess960(session.record().start()),
            names: Sides::from_fn(|color| {
                let named = tags.get(color.name()).map(str::to_owned);
                let named = named.or_else(|| self.players()[color].name());
                named.unwrap_or_else(|| color.name().to_owned())
            }),
            players: Sides::from_fn(|color| self.players()[color].to_string()),
            time: Sides::from_fn(|color| session.clocks()[color].to_string()),
            moves: protocol::moves_from(session, 0),
            board: Board::of(session, self.has_begun(), now),
            presence,
        }
    }

    /// The settings of a rematch: the same with the colors swapped.
    pub(crate) fn rematch(&self) -> Plan {
        let session = self.session();
        let tags = session.record().tags();
        let players = ByColor::from_fn(|color: Color| self.players()[!color].clone());
        let names = ByColor::from_fn(|color: Color| {
            let name = tags.get((!color).name()).map(str::to_owned);
            name.filter(|_| players[color] == PlayerSpec::Human)
        });
        Plan {
            players,
            names,
            clock: session.clocks()[Color::White].clone(),
            start: *session.record().start(),
            record: None,
        }
    }

    /// The game as PGN, with the judgment of an engine if there is one.
    pub(crate) fn pgn(&self) -> String {
        let record = self
            .assistant
            .judged(&self.table)
            .unwrap_or_else(|| self.session().publish());
        pgn::to_string(&record, pgn::Format::Export)
    }

    /// The game as it is saved.
    pub(crate) fn to_save(&self) -> tabiya_store::SavedGame {
        let saved = |color: Color| match &self.players()[color] {
            PlayerSpec::Human | PlayerSpec::Remote(_) => None,
            player @ (PlayerSpec::Bot(_) | PlayerSpec::Uci(_) | PlayerSpec::Named(_)) => {
                Some(player.to_string())
            }
        };
        tabiya_store::SavedGame {
            session: self.session().clone(),
            players: ByColor::from_fn(saved),
        }
    }
}

/// The players of a saved game. No file can start a program: every player that is not a bot is a person.
pub(crate) fn players(saved: &ByColor<Option<String>>) -> ByColor<PlayerSpec> {
    ByColor::from_fn(
        |color| match saved[color].as_deref().map(PlayerSpec::from_file) {
            Some(bot @ PlayerSpec::Bot(_)) => bot,
            Some(
                PlayerSpec::Human
                | PlayerSpec::Uci(_)
                | PlayerSpec::Named(_)
                | PlayerSpec::Remote(_),
            )
            | None => PlayerSpec::Human,
        },
    )
}
