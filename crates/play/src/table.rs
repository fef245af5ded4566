//! One board with its players: requests in, outcomes out.
//!
//! [`Table::handle`] takes a person's requests, [`Table::handle_engine_event`] an engine's events, and [`Table::tick`] the time. The
//! table decides which side speaks, how a bot answers an offer, what `undo` means against an engine and what becomes
//! the main line. A front turns keys or lines into requests, and outcomes into pictures or sentences. Nothing here
//! waits, prints, or opens a file.

pub mod ask;
mod game;
mod judge;
mod moves;
mod notes;
mod premove;
mod remote;

use std::mem;

use tabiya_game::{
    Branching, Command, Event, EventKind, GoTo, MoveInput, NewGame, Node, NodeId, Record, Session,
    Tags, Timestamp,
};
use tabiya_openings::Openings;
use tabiya_rules::{ByColor, Color, Position, SplitMix64};

use crate::advice::Adviser;
use crate::engines::KnownEngines;
use crate::evaluation_history::EvaluationHistory;
use crate::opponents::{BotManners, EngineEvent, EngineOrder, Opponents, Seat, UntrustedEngine};
use crate::outcome::{Happened, Outcome, Outcomes, TableRefusal};
use crate::players::PlayerSpec;
use crate::request::{Request, StudyRequest};
use crate::study::Study;

/// Whether something was done, or why it was refused.
type Handled = Result<(), TableRefusal>;

/// How many times in a row engines may act without thinking.
const MAX_PENDING_COMMANDS: usize = 8;

/// What happens to the clocks of a saved game when it is resumed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResumedClocks {
    /// They stay stopped until the player starts them, because a person looks at the game first.
    Stopped,
    /// They run at once.
    Running,
}

/// How a front shows the game, where that changes what a request means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Display {
    /// As lines of text: going to a position takes the game there, and an engine's lines are printed once.
    Text,
    /// On a board that stays: other positions are only viewed, and lines stay beside the board.
    Board,
}

/// What serves the person at a board, whichever board that is: the adviser, and the number of the last study. Engines
/// have one seat for each, so all tables of a front share them.
#[derive(Debug, Default)]
pub struct Assistance {
    adviser: Adviser,
    /// How many times an engine was asked to judge something.
    studies: u64,
}

/// One board with its players.
///
/// A player can look at another position in two ways. On a board that stays, the position is only viewed, and the game
/// remains where it is. As text, the game itself goes there, and remembers where it was until a move is played.
///
/// ```
/// use tabiya_game::{Record, Timestamp};
/// use tabiya_play::table::{Display, Table};
/// use tabiya_rules::{Color, Position};
///
/// let mut record = Record::new(Position::start());
/// record.add_line(record.root().id(), ["e4", "e5", "Nf3"])?;
/// // A review is a table without players.
/// let mut table = Table::review(record, Display::Board, Timestamp::ORIGIN);
/// table.walk(-3, Timestamp::ORIGIN);
/// table.walk(1, Timestamp::ORIGIN);
/// assert_eq!(table.position().turn(), Color::Black);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Table {
    session: Session,
    display: Display,
    /// Whether the game is under review: moves tried out become variations.
    reviewed: bool,
    /// Whether the game has begun, so that engines may think.
    begun: bool,
    opponents: Opponents,
    assistance: Assistance,
    /// The sides of a resumed game that nobody of this program has played yet.
    absent: ByColor<bool>,
    /// The node being viewed, if it is not the game's current one.
    viewed: Option<NodeId>,
    /// The game's current node before it went to an earlier position. Agreements, claims and flags are about this one.
    resume_at: Option<NodeId>,
    /// The evaluations of the game so far.
    evaluation_history: EvaluationHistory,
    /// The engine's judgment of the game.
    study: Option<Study>,
    /// The number of the task being judged.
    judging: Option<u64>,
    /// The side whose mistakes are retried first.
    player: Option<Color>,
    /// A person's move that is played as soon as the turn comes.
    premove: Option<MoveInput>,
    /// The server of the game, if it is on one.
    remote: Option<remote::Remote>,
    /// The names of openings.
    openings: &'static Openings,
    random: SplitMix64,
    /// What the request being carried out has led to so far. Nothing is left here between requests.
    outcomes: Outcomes,
}

impl Table {
    /// Creates a table with a game that has not begun. `random` provides random sides and starts.
    #[must_use]
    pub fn new(game: NewGame, display: Display, opponents: Opponents, random: SplitMix64) -> Table {
        let policy = game.policy.with_branching(Branching::MainLine);
        let session = Session::new(game.with_policy(policy));
        Table {
            session,
            display,
            reviewed: false,
            begun: false,
            opponents,
            assistance: Assistance::default(),
            absent: ByColor::default(),
            viewed: None,
            resume_at: None,
            evaluation_history: EvaluationHistory::default(),
            study: None,
            judging: None,
            player: None,
            premove: None,
            remote: None,
            openings: Openings::standard(),
            random,
            outcomes: Vec::new(),
        }
    }

    /// Creates a table without players, where a game is reviewed from its start, with its clocks stopped.
    #[must_use]
    pub fn review(mut record: Record, display: Display, now: Timestamp) -> Table {
        for name in Session::CLOCK_TAGS {
            record.tags_mut().remove(name);
        }
        let mut table = Table::new(
            NewGame::default(),
            display,
            Opponents::default(),
            SplitMix64::new(0),
        );
        table.session = Session::restore(record);
        // The start always exists.
        let _ = table.session.apply(Command::GoTo(GoTo::Start), now);
        table.reviewed = true;
        table.begun = true;
        table.study = Study::stored_in(table.session.record());
        table
    }

    /// The game.
    #[must_use]
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// How the game is shown.
    #[must_use]
    pub fn display(&self) -> Display {
        self.display
    }

    /// The names of openings.
    pub(crate) fn openings(&self) -> &'static Openings {
        self.openings
    }

    /// The players at the table.
    #[must_use]
    pub fn opponents(&self) -> &Opponents {
        &self.opponents
    }

    /// Sets the name of the person who plays against an engine, from the next game on; an empty one removes it.
    pub fn set_person_name(&mut self, name: &str) {
        self.opponents.set_person_name(name);
    }

    /// Sets whether bots resign hopeless games and offer draws.
    pub fn set_manners(&mut self, manners: BotManners) {
        self.opponents.set_manners(manners);
    }

    /// Sets the engines that a file may start without asking.
    pub fn set_known_engines(&mut self, engines: KnownEngines) {
        self.opponents.set_known_engines(engines);
    }

    /// Replaces the standard table of opening names.
    pub fn set_openings(&mut self, openings: &'static Openings) {
        self.openings = openings;
    }

    /// The adviser at this table.
    #[must_use]
    pub fn adviser(&self) -> &Adviser {
        &self.assistance.adviser
    }

    /// The evaluations of the game so far.
    #[must_use]
    pub fn evaluation_history(&self) -> &EvaluationHistory {
        &self.evaluation_history
    }

    /// The engine's judgment of the game.
    #[must_use]
    pub fn study(&self) -> Option<&Study> {
        self.study.as_ref()
    }

    /// Whether an engine is judging something now.
    #[must_use]
    pub fn is_judging(&self) -> bool {
        self.judging.is_some()
    }

    /// Sets whose game is reviewed. This side's mistakes are retried first.
    pub fn set_player(&mut self, player: Option<Color>) {
        self.player = player;
    }

    /// The side whose game is reviewed, if it was set.
    #[must_use]
    pub fn player(&self) -> Option<Color> {
        self.player
    }

    /// Whether the game is under review.
    #[must_use]
    pub fn is_review(&self) -> bool {
        self.reviewed
    }

    /// Whether the game has begun.
    #[must_use]
    pub fn has_begun(&self) -> bool {
        self.begun
    }

    /// The node being looked at: usually the current position of the game.
    #[must_use]
    pub fn node(&self) -> Node<'_> {
        let record = self.session.record();
        self.viewed
            .and_then(|id| record.node(id))
            .unwrap_or_else(|| record.cursor())
    }

    /// The position being looked at.
    #[must_use]
    pub fn position(&self) -> &Position {
        self.node().position()
    }

    /// Whether the node being looked at is not the current position of the game.
    #[must_use]
    pub fn is_elsewhere(&self) -> bool {
        self.node().id() != self.session.record().cursor().id()
    }

    /// Whether the next move would be played from an earlier position: one that is being looked at, or one that the game has
    /// gone back to.
    pub(crate) fn plays_from_earlier(&self) -> bool {
        self.is_elsewhere() || self.resume_at.is_some()
    }

    /// Whether a person has gone to an earlier position, where no engine moves by itself.
    #[must_use]
    pub fn is_at_earlier_position(&self) -> bool {
        self.resume_at.is_some() && self.opponents.person().is_some()
    }

    /// The name of the engine that is to move in the position being looked at.
    #[must_use]
    pub fn opponent_to_move(&self) -> Option<String> {
        let turn = self.position().turn();
        let open = self.session.outcome().is_none();
        self.opponents.name(turn).filter(|_| open)
    }

    /// The players; `None` where nobody of this program has played.
    #[must_use]
    pub fn players(&self) -> ByColor<Option<PlayerSpec>> {
        let spec = |color: Color| &self.opponents.specs()[color];
        let is_there = |color| !self.absent[color] || spec(color).is_engine();
        ByColor::from_fn(|color| is_there(color).then(|| spec(color).clone()))
    }

    /// Sets the sides of a resumed game that nobody of this program has played.
    pub(crate) fn set_absent(&mut self, absent: ByColor<bool>) {
        self.absent = absent;
    }

    /// Hands the adviser to another table, where a person looks from now on. Returns the outcomes at that table.
    pub fn hand_over(&mut self, other: &mut Table, now: Timestamp) -> Outcomes {
        other.assistance = mem::take(&mut self.assistance);
        other.let_engines_act(now)
    }

    /// Seats the players of a game that has not begun.
    pub fn seat_players(&mut self, players: ByColor<PlayerSpec>) {
        // No engine was started yet, so there is nothing to dismiss.
        let _ = self.opponents.seat(players);
        self.rewrite_tags(Opponents::write_names);
    }

    /// Changes the tags of a game that has not begun.
    fn rewrite_tags(&mut self, rewrite: impl FnOnce(&Opponents, &mut Tags)) {
        let start = *self.session.record().start();
        let mut game = self.session.same_again().with_start(start);
        rewrite(&self.opponents, &mut game.tags);
        self.session = Session::new(game);
    }

    /// Begins the game: clocks run, and engines think. Writes the name of a person who plays against an engine.
    pub fn begin(&mut self, now: Timestamp) -> Outcomes {
        if !mem::replace(&mut self.begun, true) && self.session.record().is_empty() {
            self.rewrite_tags(Opponents::write_person_name);
        }
        self.apply_or_refuse(Command::Tick, now);
        self.let_engines_act(now)
    }

    /// Carries out a person's request.
    pub fn handle(&mut self, request: Request, now: Timestamp) -> Outcomes {
        let done = match request {
            request if self.is_remote() => self.handle_on_server(request, now),
            Request::Game(request) => self.handle_game(request, now),
            Request::Notes(request) => self.handle_notes(request, now),
            Request::Ask(question) => self.handle_question(question, now),
            Request::Opponent(side, spec) => self.change_opponent(side, spec, now),
            Request::Study(StudyRequest::Judge(engine)) => self.judge_game(engine, now),
            Request::Study(StudyRequest::Retry) => self.retry(now),
            Request::Study(StudyRequest::Line(which)) => self.show_line(which, now),
        };
        self.push_refusal(done);
        self.let_engines_act(now)
    }

    /// Handles an engine's event.
    pub fn handle_engine_event(
        &mut self,
        seat: Seat,
        event: EngineEvent,
        now: Timestamp,
    ) -> Outcomes {
        match (seat, event) {
            (Seat::Side(color), EngineEvent::Report(number, info)) => {
                self.opponents.report(color, number, info);
                return Vec::new();
            }
            (Seat::Adviser, EngineEvent::Report(number, info)) => {
                self.assistance.adviser.report(number, info);
                if let Some((node, known)) = self.assistance.adviser.standing() {
                    self.evaluation_history.record(node, known);
                }
                return Vec::new();
            }
            (Seat::Side(color), EngineEvent::Move(number, reply)) => {
                if let Some(found) = self.opponents.answer(color, number, reply) {
                    let played = self.play_for_engine(found, now);
                    self.push_refusal(played);
                }
            }
            (Seat::Adviser, EngineEvent::Move(number, _)) => {
                let advised = self.handle_advice(number);
                self.push_refusal(advised);
            }
            (Seat::Side(color), EngineEvent::Failed(why)) => {
                self.push(Outcome::EngineFailed { color, why });
                let orders = self.opponents.fail(color);
                self.push_orders(orders);
            }
            (Seat::Adviser, EngineEvent::Failed(why)) => {
                self.push(Outcome::Refused(TableRefusal::Engine(why)));
                let orders = self.assistance.adviser.fail();
                self.push_orders(orders);
            }
        }
        self.let_engines_act(now)
    }

    /// Lets time pass. A flag may fall.
    pub fn tick(&mut self, now: Timestamp) -> Outcomes {
        if !self.begun || self.is_remote() || self.session.clock(now).running.is_none() {
            return Vec::new();
        }
        self.apply_or_refuse(Command::Tick, now);
        if self.outcomes.is_empty() {
            return Vec::new();
        }
        self.let_engines_act(now)
    }

    /// When the next flag falls; `None` if none can.
    #[must_use]
    pub fn next_deadline(&self, now: Timestamp) -> Option<Timestamp> {
        if self.is_remote() {
            return None;
        }
        let left = self.session.clock(now).flag_in()?;
        Some(now + left)
    }

    /// Lets engines answer offers, think if it is their turn, and look where the player looks, and returns the outcomes.
    /// Everything that a table is asked to do ends with this.
    fn let_engines_act(&mut self, now: Timestamp) -> Outcomes {
        self.engines_act(now);
        mem::take(&mut self.outcomes)
    }

    /// Lets engines act, and adds what comes of it to the outcomes.
    fn engines_act(&mut self, now: Timestamp) {
        if !self.begun {
            return;
        }
        for _ in 0..MAX_PENDING_COMMANDS {
            let Some(command) = self.opponents.pending_command(&self.session) else {
                break;
            };
            self.apply_or_refuse(command, now);
        }
        let mut orders = if self.is_at_earlier_position() {
            self.opponents.stop_thinking()
        } else {
            self.opponents.update(&self.session, now)
        };
        let place = self.node().id();
        orders.extend(self.assistance.adviser.update(self.session.record(), place));
        self.push_orders(orders);
    }

    fn push(&mut self, outcome: Outcome) {
        self.outcomes.push(outcome);
    }

    /// Reports the refusal, if there is one.
    fn push_refusal(&mut self, done: Handled) {
        if let Err(refused) = done {
            self.push(Outcome::Refused(refused));
        }
    }

    fn push_orders(&mut self, orders: Vec<EngineOrder>) {
        let orders = orders.into_iter().map(Outcome::Order);
        self.outcomes.extend(orders);
    }

    /// Views a position of the game. As text, and in a review, the game goes there.
    pub fn look_at(&mut self, node: NodeId, now: Timestamp) -> Outcomes {
        self.view(node, now);
        self.let_engines_act(now)
    }

    /// Views a position, or takes the game there.
    fn view(&mut self, node: NodeId, now: Timestamp) {
        if self.display == Display::Board && !self.reviewed {
            let here = self.session.record().cursor().id();
            self.viewed = Some(node).filter(|&node| node != here);
        } else {
            self.apply_or_refuse(Command::GoTo(GoTo::Node(node)), now);
        }
    }

    /// Goes back to viewing the current position. Returns `None` if no other one was viewed.
    pub fn look_back(&mut self, now: Timestamp) -> Option<Outcomes> {
        self.viewed.take()?;
        Some(self.let_engines_act(now))
    }

    /// Views the position this many plies ahead or back: along the line being played if the node is on it, otherwise
    /// along the first continuation.
    pub fn walk(&mut self, plies: i64, now: Timestamp) -> Outcomes {
        self.look_at(self.node_ahead(plies), now)
    }

    /// The node this many plies ahead of the one being looked at, or back.
    fn node_ahead(&self, plies: i64) -> NodeId {
        let record = self.session.record();
        let on_line = |ply| record.on_line(ply).map(Node::id);
        let way = std::iter::successors(Some(self.node()), |node| {
            if plies < 0 {
                node.parent()
            } else if on_line(node.ply()) == Some(node.id()) {
                record.on_line(node.ply() + 1)
            } else {
                node.next()
            }
        });
        let nodes = usize::try_from(plies.unsigned_abs() + 1).unwrap_or(usize::MAX);
        way.take(nodes).last().unwrap_or(self.node()).id()
    }

    /// Starts an engine that only a file names, or gives its side to a person.
    pub fn answer_untrusted(
        &mut self,
        untrusted: &UntrustedEngine,
        answer: Permission,
        now: Timestamp,
    ) -> Outcomes {
        if self.opponents.untrusted_engine().as_ref() != Some(untrusted) {
            return Vec::new();
        }
        let color = untrusted.color;
        let orders = match answer {
            Permission::Allow => self.opponents.allow(untrusted),
            Permission::Deny => self.opponents.fail(color),
        };
        self.push_seated(color);
        self.push_orders(orders);
        self.start_clocks(now);
        self.let_engines_act(now)
    }

    /// Starts the clocks if there is nothing left to ask.
    fn start_clocks(&mut self, now: Timestamp) {
        if self.opponents.untrusted_engine().is_none() {
            self.apply_or_refuse(Command::Tick, now);
        }
    }

    /// Says who plays a side now.
    fn push_seated(&mut self, color: Color) {
        let name = self.opponents.name(color);
        self.push(Outcome::Seated { color, name });
    }

    /// Seats a player on this side, or on the engine's side.
    fn change_opponent(
        &mut self,
        side: Option<Color>,
        spec: PlayerSpec,
        now: Timestamp,
    ) -> Handled {
        if self.reviewed {
            return Err(TableRefusal::OnlyReviewed);
        }
        self.opponents.check(&spec).map_err(TableRefusal::Engine)?;
        let side = side.unwrap_or_else(|| self.opponents.engine_side());
        self.premove = None;
        let orders = self.opponents.replace(side, spec);
        self.push_seated(side);
        self.update_player_names(now);
        self.push_orders(orders);
        Ok(())
    }

    /// Writes the players' names into a game in progress.
    fn update_player_names(&mut self, now: Timestamp) {
        let before = self.session.record().tags().stored().clone();
        let mut after = before.clone();
        self.opponents.write_names(&mut after);
        for name in Color::ALL.map(Color::name) {
            if before.get(name) != after.get(name) {
                let value = after.get(name).map(str::to_owned);
                let name = name.to_owned();
                self.apply_or_refuse(Command::SetTag { name, value }, now);
            }
        }
    }

    /// Applies a command, and reports what happened or why it is refused.
    fn apply_or_refuse(&mut self, command: Command, now: Timestamp) {
        let done = self.apply(command, now);
        self.push_refusal(done);
    }

    /// Applies a command, and reports what happened. The caller reports a refusal.
    fn apply(&mut self, command: Command, now: Timestamp) -> Handled {
        let happened = self.apply_unreported(command, now)?;
        self.push_happened(happened);
        Ok(())
    }

    /// Reports what happened, if anything did.
    fn push_happened(&mut self, happened: Happened) {
        if !happened.events.is_empty() {
            self.push(Outcome::Happened(happened));
        }
    }

    /// Applies a command. The caller reports what happened, or the refusal.
    fn apply_unreported(
        &mut self,
        command: Command,
        now: Timestamp,
    ) -> Result<Happened, TableRefusal> {
        let now = self.session_time(now);
        if let Some(loser) = self.return_flagged(now) {
            return self.apply_unreported(Command::ForfeitOnTime(loser), Timestamp::ORIGIN);
        }
        let typed = typed_move_of(&command);
        let ply_before = self.session.ply();
        let place = self.session.record().cursor().id();
        let moves = self.session.record().len();
        let events = self
            .session
            .apply(command, now)
            .map_err(|refusal| TableRefusal::Game { refusal, typed })?;
        let written =
            |event: &Event| matches!(event.kind(), EventKind::Annotation | EventKind::Variation);
        let happened = Happened {
            ply_before,
            node: self.session.record().cursor().id(),
            by_engine: false,
            branched: false,
            recorded: self.session.record().len() != moves || events.iter().any(written),
            events,
        };
        self.update_place(&happened, place);
        Ok(happened)
    }

    /// Updates what depends on the current position; `before` is the previous one.
    fn update_place(&mut self, happened: &Happened, before: NodeId) {
        if happened.changes_only_notes() {
            return;
        }
        self.viewed = None;
        for event in &happened.events {
            match event.kind() {
                EventKind::Walk if matches!(event, Event::WentTo { .. }) => {
                    let looks = self.session.record().cursor().next().is_some();
                    self.resume_at = looks.then(|| self.resume_at.unwrap_or(before));
                }
                EventKind::Move => {
                    self.resume_at = None;
                    self.absent = ByColor::default();
                }
                EventKind::Walk => self.resume_at = None,
                EventKind::End => self.absent = ByColor::default(),
                EventKind::Game => {
                    self.begun = true;
                    self.resume_at = None;
                    self.absent = ByColor::default();
                    self.reviewed = false;
                    self.evaluation_history.clear();
                    self.study = None;
                    self.judging = None;
                }
                EventKind::Act | EventKind::Annotation | EventKind::Tag | EventKind::Variation => {
                    continue;
                }
            }
            self.give_up_retry();
            // A move may be the one that the premove answers.
            self.premove.take_if(|_| !matches!(event, Event::Moved(_)));
        }
    }

    /// Sets what happens to moves that replace others.
    fn set_branching(&mut self, branching: Branching, now: Timestamp) {
        let policy = self.session.policy();
        if policy.branching != branching {
            // This changes nothing that can be seen, and is never refused.
            let policy = policy.with_branching(branching);
            let _ = self.session.apply(Command::SetPolicy(policy), now);
        }
    }
}

/// What to do with an engine that only a file names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Permission {
    /// Start it when it is needed.
    Allow,
    /// Let a person play its side.
    Deny,
}

/// The move of a command as it was typed, for the text of a refusal.
fn typed_move_of(command: &Command) -> Option<String> {
    if let Command::Play(MoveInput::Text(text))
    | Command::Claim {
        intended: Some(MoveInput::Text(text)),
        ..
    } = command
    {
        Some(text.clone())
    } else {
        None
    }
}

#[cfg(test)]
mod tests;
