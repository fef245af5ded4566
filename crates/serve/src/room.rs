//! One game: a table, and the messages about each change. Nothing here waits or sends.

use std::sync::Arc;
use std::time::Duration;

use tabiya_game::{
    Command, NewGame, Node, NodeId, Policy, Record, Refusal, Session, Tags, TimeControl, Timestamp,
    pgn,
};
use tabiya_play::opponents::{EngineEvent, EngineOrder, Opponents, Seat};
use tabiya_play::outcome::{Outcome, Outcomes, TableRefusal};
use tabiya_play::players::PlayerSpec;
use tabiya_play::request::{GameRequest, Request};
use tabiya_play::study::{StudyReport, StudyTask};
use tabiya_play::table::{Display, ResumedClocks, Table};
use tabiya_rules::{ByColor, Color, Position, SplitMix64};
use tabiya_store::local_time;

use crate::assistant::{Assistant, AssistantMessage, AssistantOutcome, AssistantRequest};
use crate::config::Sentences;
use crate::moves;
use crate::protocol::{self, Board, Connections, Happened, MAX_PLIES, PROTOCOL, State};
use crate::role::{self, Denied, Role};
use crate::sides::Sides;

/// The settings of a new game.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) players: ByColor<PlayerSpec>,
    pub(crate) names: ByColor<Option<String>>,
    pub(crate) clock: TimeControl,
    pub(crate) policy: Policy,
    pub(crate) start: Position,
    /// Moves that were played elsewhere.
    pub(crate) record: Option<Record>,
}

impl Plan {
    /// The game without the moves that were played elsewhere.
    pub(crate) fn new_game(&self) -> NewGame {
        NewGame::new(self.start)
            .with_clock(&self.clock)
            .with_policy(self.policy)
    }

    /// Writes the names of the players over those of the tags.
    fn write_names(&self, tags: &mut Tags) {
        for color in Color::ALL {
            let name = self.names[color].clone();
            if let Some(name) = name.or_else(|| self.players[color].name()) {
                // A name is one line, and `set` would refuse nothing else.
                let _ = tags.set(color.name(), &name);
            }
        }
    }
}

/// Writes today's date, unless the tags have one already.
fn write_date(tags: &mut Tags) {
    let has_date = |date: &str| date.contains(|sign: char| sign.is_ascii_digit());
    if !tags.get("Date").is_some_and(has_date) {
        // A date is one line, and `set` would refuse nothing else.
        let _ = tags.set("Date", &local_time::pgn_date());
    }
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
    /// Messages that are not saved.
    pub(crate) advice: Vec<AssistantMessage>,
    /// The side whose person is helped by the orders, the advice and the study.
    pub(crate) helped: Option<Color>,
    /// Positions to be judged.
    pub(crate) study: Option<Box<StudyTask>>,
}

impl Effects {
    /// What has to be done and sent because the assistant of a side was asked, or has found something.
    fn of_help(helped: Color, outcome: AssistantOutcome) -> Effects {
        Effects {
            helped: Some(helped),
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
    /// What helps the person of each side.
    assistants: ByColor<Assistant>,
    sentences: Arc<dyn Sentences>,
    /// The moves that have been sent to the clients.
    known: Vec<NodeId>,
    number: u64,
}

impl Room {
    /// Creates a game that has not begun, perhaps with moves that were played elsewhere.
    pub(crate) fn new(
        id: String,
        mut plan: Plan,
        sentences: Arc<dyn Sentences>,
        random: SplitMix64,
        now: Timestamp,
    ) -> (Room, Effects) {
        let mut game = plan.new_game();
        plan.write_names(&mut game.tags);
        write_date(&mut game.tags);
        let opponents = Opponents::new(plan.players.clone());
        let table = Table::new(game, Display::Board, opponents, random);
        let mut room = Room::with_table(id, table, sentences);
        let effects = match plan.record.take() {
            None => Effects::default(),
            Some(mut record) => {
                plan.write_names(record.tags_mut());
                write_date(record.tags_mut());
                let outcomes = room
                    .table
                    .resume(record, plan.players, ResumedClocks::Running, now);
                room.effects_of(outcomes, now)
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
        let mut room = Room::with_table(id, table, sentences);
        if session.record().is_empty() && session.outcome().is_none() {
            return (room, Effects::default());
        }
        let running = ResumedClocks::Running;
        let outcomes = room.table.resume(session.save(), players, running, now);
        let effects = room.effects_of(outcomes, now);
        (room, effects)
    }

    fn with_table(id: String, table: Table, sentences: Arc<dyn Sentences>) -> Room {
        Room {
            id,
            table,
            assistants: ByColor::from_fn(|_| Assistant::new(Arc::clone(&sentences))),
            sentences,
            known: Vec::new(),
            number: 0,
        }
    }

    pub(crate) fn id(&self) -> &str {
        &self.id
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
        let mut effects = self.effects_of(outcomes, now);
        if effects.happened.is_none() {
            effects.happened = Some(self.happened(Vec::new(), Vec::new(), now));
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
        let plays = matches!(request, Request::Game(GameRequest::Play(_)));
        if plays && self.session().ply() as usize >= MAX_PLIES {
            return Err(Denied::TooLong);
        }
        let outcomes = self.table.handle(request, now);
        Ok(self.effects_of(outcomes, now))
    }

    /// Asks an engine, if the role allows it.
    pub(crate) fn ask_assistant(
        &mut self,
        role: Role,
        request: AssistantRequest,
        now: Timestamp,
    ) -> Result<Effects, Denied> {
        let helped = role::may_study(role, request.about(), &self.table)?;
        let ByColor { white, black } = &mut self.assistants;
        let (own, other) = match helped {
            Color::White => (white, &*black),
            Color::Black => (black, &*white),
        };
        let outcome = own.ask(&mut self.table, other, role.side(), request, now)?;
        Ok(Effects::of_help(helped, outcome))
    }

    /// Handles a report of the engine that judges the game for the person of a side.
    pub(crate) fn handle_study_report(
        &mut self,
        helped: Color,
        studied: StudyReport,
        now: Timestamp,
    ) -> Effects {
        let outcome = self.assistants[helped].handle_study_report(&mut self.table, studied, now);
        Effects::of_help(helped, outcome)
    }

    /// The time until the opponent of a player who is away may claim the game, if that is possible.
    pub(crate) fn claim_in(
        &self,
        player: Color,
        away: Duration,
        limit: Duration,
    ) -> Option<Duration> {
        role::claim_in(&self.table, player, away, limit)
    }

    /// Awards the game to a side whose opponent is away, if the role allows it. `claim_in` is the time until then.
    pub(crate) fn claim_game(
        &mut self,
        role: Role,
        winner: Color,
        claim_in: Option<Duration>,
        now: Timestamp,
    ) -> Result<Effects, Denied> {
        role::may_claim_game(role, winner, claim_in)?;
        let outcomes = self.table.abandon(Some(winner), now);
        Ok(self.effects_of(outcomes, now))
    }

    /// Handles an event of the engine that plays a side.
    pub(crate) fn handle_engine_event(
        &mut self,
        color: Color,
        event: EngineEvent,
        now: Timestamp,
    ) -> Effects {
        let seat = Seat::Side(color);
        let outcomes = self.table.handle_engine_event(seat, event, now);
        self.effects_of(outcomes, now)
    }

    /// Handles an event of the engine that advises the person of a side.
    pub(crate) fn handle_advice(
        &mut self,
        helped: Color,
        event: EngineEvent,
        now: Timestamp,
    ) -> Effects {
        let outcome = self.assistants[helped].handle_engine_event(&mut self.table, event, now);
        Effects::of_help(helped, outcome)
    }

    pub(crate) fn tick(&mut self, now: Timestamp) -> Effects {
        let outcomes = self.table.tick(now);
        self.effects_of(outcomes, now)
    }

    fn effects_of(&mut self, outcomes: Outcomes, now: Timestamp) -> Effects {
        let mut effects = Effects {
            // In the game itself, only somebody without a human opponent is helped.
            helped: self.table.opponents().person(),
            ..Effects::default()
        };
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
                Outcome::EngineFailed { color, why } => {
                    let said = self.sentences.engine_failed(color, &why);
                    effects.notices.extend(said);
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
                | Outcome::Line(..)
                | Outcome::Retry(_)
                | Outcome::Tried(_)
                | Outcome::VariationMoved(_) => {}
            }
        }
        if !events.is_empty() {
            effects.happened = Some(self.happened(events, words, now));
        }
        effects
    }

    /// The next message for everybody.
    fn happened(
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
            moves: moves::played(self.session(), same..),
            board: Board::of(self.session(), self.has_begun(), now),
        }
    }

    /// The game with so many of its moves, for a client that joins.
    pub(crate) fn state(
        &self,
        you: Role,
        presence: Connections,
        moves: usize,
        now: Timestamp,
    ) -> State {
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
            draws: session.policy().draws,
            moves: moves::played(session, ..moves),
            count: moves::count(session),
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
            policy: session.policy(),
            start: *session.record().start(),
            record: None,
        }
    }

    /// The game as PGN, with the judgment of an engine if there is one: that of the reader's own review, if there is.
    pub(crate) fn pgn(&self, role: Role) -> String {
        let own = role.helped().unwrap_or(Color::White);
        let judged = |color: Color| self.assistants[color].judged(&self.table);
        let record = judged(own)
            .or_else(|| judged(!own))
            .unwrap_or_else(|| self.session().publish());
        pgn::to_string(&record, pgn::Format::Export)
    }

    /// The game as it is saved.
    pub(crate) fn to_save(&self) -> tabiya_store::SavedGame {
        tabiya_store::SavedGame {
            session: self.session().clone(),
            players: ByColor::from_fn(|color| Some(self.players()[color].to_string())),
        }
    }
}

/// The players of a saved game. No file can start a program: every player that is not a bot is a person.
pub(crate) fn saved_players(saved: &ByColor<Option<String>>) -> ByColor<PlayerSpec> {
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
