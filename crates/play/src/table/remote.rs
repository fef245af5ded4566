//! A game on a server: the table shows its state there, and sends the players' requests there.
//!
//! The server decides everything. [`Table::join`] and [`Table::handle_server_event`] bring the session to the state of the
//! game on the server, with commands that the session checks like all others, so that a server cannot put a game on the
//! board that could not be played. Clocks show what the server says, and no flag falls here.

use std::mem;
use std::time::Duration;

use tabiya_game::{
    Bonus, ClaimRule, ClockFace, Command, DrawBy, Event, GameResult, GoTo, MoveInput, Node, NodeId,
    Outcome as Ending, Record, Refusal, Session, Timestamp, UndoTo, clock_text,
};
use tabiya_rules::{ByColor, Color, Move, UciMove};

use super::game::{Reply, is_only_for_play};
use super::moves::{intended_move, parse, read_as};
use super::{Handled, Table};
use crate::outcome::{Happened, Outcome, Outcomes, TableRefusal};
use crate::players::PlayerSpec;
use crate::remote::{Joined, Presence, RemoteState, ServerEvent, ServerNews};
use crate::request::{GameRequest, Question, Request, ServerRequest};

/// The server's messages contradict each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Mismatch;

/// The message about a game that could not be played.
const NONSENSE: &str = "What the server sent is not a game.";

/// What a table knows about the server of its game.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Remote {
    presence: ByColor<Presence>,
    /// Whether a request has no answer yet.
    waits: bool,
    /// The ply at which a move was sent; the server may not have answered it yet. A client that reconnects sends it again if
    /// the game still stands there.
    sent_at: Option<u32>,
    is_lost: bool,
    /// How long a message takes to the server and back.
    lag: Option<Duration>,
    /// Whether the server no longer admits the player, or sends no game. Nothing more will come.
    is_shut_out: bool,
    /// Whether people in two places play.
    between_people: bool,
    /// Whether all players have arrived.
    begun: bool,
    /// When the server last sent the clocks. Everything done to the session happens at this moment, because the server
    /// keeps the time.
    heard_at: Timestamp,
}

impl Table {
    /// Whether the game is on a server.
    #[must_use]
    pub fn is_remote(&self) -> bool {
        self.remote.is_some()
    }

    /// Whether the server has not answered a request yet.
    #[must_use]
    pub fn awaits_server(&self) -> bool {
        self.remote.is_some_and(|remote| remote.waits)
    }

    /// Whether nothing more will come from the server.
    #[must_use]
    pub fn is_shut_out(&self) -> bool {
        self.remote.is_some_and(|remote| remote.is_shut_out)
    }

    /// Whether the game is waiting for players to arrive.
    #[must_use]
    pub fn awaits_players(&self) -> bool {
        self.remote.is_some_and(|remote| !remote.begun)
    }

    /// How long a message takes to the server and back, as far as that is known and the server is connected.
    #[must_use]
    pub fn lag(&self) -> Option<Duration> {
        self.remote.and_then(|remote| remote.lag)
    }

    /// Joins a game on a server, in place of the game on the table.
    pub fn join(&mut self, joined: Joined, now: Timestamp) -> Outcomes {
        self.join_game(joined, now);
        mem::take(&mut self.outcomes)
    }

    /// Puts a game on a server in place of the game on the table.
    fn join_game(&mut self, joined: Joined, now: Timestamp) {
        self.seat(joined.players);
        let person = self.opponents.person();
        self.outcomes.extend(person.map(Outcome::TookSide));
        self.remote = Some(Remote {
            between_people: joined.between_people,
            heard_at: now,
            ..Remote::default()
        });
        self.apply_or_refuse(Command::NewGame(Box::new(joined.game)), now);
        if let Err(Mismatch) = self.catch_up(&joined.state, now) {
            self.shut_out(vec![NONSENSE.to_owned()]);
            // What comes next would be no better.
            self.push(Outcome::Server(ServerRequest::Leave));
        } else if !joined.state.begun {
            self.push_news(ServerNews::NotBegun);
        }
        self.update_presence(joined.presence);
    }

    /// Nothing more will come from the server: it says why.
    fn shut_out(&mut self, lines: Vec<String>) {
        if let Some(remote) = &mut self.remote {
            remote.is_shut_out = true;
        }
        self.push_news(ServerNews::ShutOut(lines));
    }

    /// Reports news of the server to the player.
    fn push_news(&mut self, news: ServerNews) {
        self.push(Outcome::ServerNews(news));
    }

    /// Handles an event of the server.
    pub fn handle_server_event(&mut self, event: ServerEvent, now: Timestamp) -> Outcomes {
        let Some(remote) = &mut self.remote else {
            return Vec::new();
        };
        if let ServerEvent::Lag(lag) = event {
            // It answers no request.
            remote.lag = Some(lag);
            return Vec::new();
        }
        remote.waits = false;
        match event {
            ServerEvent::Done | ServerEvent::Lag(_) => {}
            ServerEvent::Joined(joined) => self.rejoin(*joined, now),
            ServerEvent::State(state) => {
                if let Err(Mismatch) = self.catch_up(&state, now) {
                    // The whole game is requested again.
                    self.push(Outcome::Server(ServerRequest::Again));
                }
            }
            ServerEvent::Presence(presence) => self.update_presence(presence),
            ServerEvent::Refused(lines) => {
                // A premove was meant to follow the move that was refused.
                let has_premove = remote.sent_at.take().is_some() && self.premove.take().is_some();
                self.push_news(ServerNews::Refused(lines));
                if has_premove {
                    self.push(Outcome::Premove(None));
                }
            }
            ServerEvent::Notice(lines) => self.push_news(ServerNews::Notice(lines)),
            ServerEvent::RematchWanted(side) => self.push_news(ServerNews::RematchWanted(side)),
            ServerEvent::Lost => {
                remote.lag = None;
                if !mem::replace(&mut remote.is_lost, true) {
                    self.push_news(ServerNews::Lost);
                }
            }
            ServerEvent::ShutOut(lines) => self.shut_out(lines),
        }
        mem::take(&mut self.outcomes)
    }

    /// A client that reconnects finds the game as it is now. Another game is joined as a whole.
    fn rejoin(&mut self, joined: Joined, now: Timestamp) {
        if let Some(remote) = &mut self.remote
            && mem::take(&mut remote.is_lost)
        {
            self.push_news(ServerNews::Back);
        }
        let same = *self.session.record().start() == joined.game.start
            && *self.session.clocks() == joined.game.clocks
            && *self.opponents.specs() == joined.players
            && (self.session.outcome().is_none() || joined.state.outcome.is_some());
        if same && self.catch_up(&joined.state, now).is_ok() {
            self.update_presence(joined.presence);
        } else {
            self.join_game(joined, now);
        }
    }

    /// Reports which people have left or returned.
    fn update_presence(&mut self, presence: ByColor<Presence>) {
        let Some(remote) = &mut self.remote else {
            return;
        };
        let before = mem::replace(&mut remote.presence, presence);
        let open = self.session.outcome().is_none() && !self.session.record().is_empty();
        let is_watched = self.is_watched();
        for side in Color::ALL {
            let (before, now) = (before[side], presence[side]);
            if !open || self.opponents.is_human(side) || before == now {
                continue;
            }
            match now {
                Presence::Away { claim_in } => {
                    let claim_in = claim_in.filter(|_| !is_watched);
                    // The time left to an absent player changes constantly, so only its end is reported.
                    if before == Presence::Here || claim_in == Some(Duration::ZERO) {
                        self.push_news(ServerNews::Away { side, claim_in });
                    }
                }
                Presence::Here => self.push_news(ServerNews::Returned(side)),
            }
        }
    }

    /// Whether the game is on a server, and only others play it.
    pub fn is_watched(&self) -> bool {
        self.is_remote() && self.opponents.nobody_plays()
    }

    /// The side that may claim the game because the opponent stays away.
    pub fn may_claim_game(&self) -> Option<Color> {
        let person = self.opponents.person()?;
        let gone = Presence::Away {
            claim_in: Some(Duration::ZERO),
        };
        let remote = self.remote?;
        (remote.presence[!person] == gone).then_some(person)
    }

    /// Brings the game to its state on the server. Changes are reported as if they had happened here.
    fn catch_up(&mut self, state: &RemoteState, now: Timestamp) -> Result<(), Mismatch> {
        self.begun = true;
        // A player who views another position stays there, if it still exists.
        let viewed = self.viewed;
        let before = self.outcomes.len();
        self.return_to_game();
        self.catch_up_moves(state)
            .and_then(|()| self.catch_up_acts(state))
            // A game that could not be played is not shown.
            .inspect_err(|_| self.outcomes.truncate(before))?;
        let ply = self.session.ply();
        if let Some(remote) = &mut self.remote {
            remote.sent_at = remote.sent_at.filter(|&sent| sent == ply);
        }
        self.set_clocks(state, now);
        self.viewed = viewed.filter(|&node| self.session.record().node(node).is_some());
        let moved = self.outcomes[before..]
            .iter()
            .any(|outcome| matches!(outcome, Outcome::Happened(happened) if happened.by_engine));
        if moved {
            self.play_premove(now);
        }
        self.engines_act(now);
        Ok(())
    }

    /// Goes back to the current position if the player has gone elsewhere.
    fn return_to_game(&mut self) {
        if let Some(node) = self.resume_at.take() {
            self.apply_or_refuse(Command::GoTo(GoTo::Node(node)), Timestamp::ORIGIN);
            self.resume_at = None;
        }
    }

    /// Undoes and plays moves until they are those on the server.
    fn catch_up_moves(&mut self, state: &RemoteState) -> Result<(), Mismatch> {
        let wanted = state.ply as usize;
        if wanted > state.moves.len() {
            return Err(Mismatch);
        }
        let line = self.session.record().cursor_line().map(Node::uci);
        let pairs = line.zip(&state.moves);
        let same = pairs
            .take_while(|(here, there)| *here == Some(**there))
            .count();
        let ply = self.session.ply() as usize;
        // A move that is played again after it was taken back is like any other move.
        let keep = same.min(wanted).min(ply);
        // A resignation or another act that ended the game here is undone first.
        if ply > keep || (self.session.ended_by_act() && state.outcome.is_none()) {
            let plies = u32::try_from(ply.saturating_sub(keep)).map_err(|_| Mismatch)?;
            let act = u32::from(self.session.ended_by_act());
            self.apply_from_server(Command::Undo(UndoTo::Plies(plies + act)))?;
        }
        let reported = self.outcomes.len();
        for (done, played) in state.moves[keep..wanted].iter().enumerate() {
            if self.session.outcome().is_some() {
                self.outcomes.truncate(reported);
                return self.follow_on(&state.moves[keep + done..wanted]);
            }
            let by_engine = !self.opponents.is_human(self.session.turn());
            let input = MoveInput::Text(played.to_string());
            let happened = self.apply_from_server_unreported(Command::Play(input))?;
            self.push_happened(Happened {
                by_engine,
                ..happened
            });
        }
        Ok(())
    }

    /// Follows a game that came from elsewhere, and went on although a rule ends it there: after the fifth repetition, or the
    /// 75th move without progress. Reports only where it stands.
    fn follow_on(&mut self, moves: &[UciMove]) -> Result<(), Mismatch> {
        let ply_before = self.session.ply();
        let mut last = self.session.record().cursor().id();
        // So that it is not restored as over.
        self.apply_from_server_unreported(Command::undo(1))?;
        let policy = self.session.policy();
        let mut record = self.session.save();
        record.set_result(GameResult::Unknown);
        for played in moves {
            let node = record.node(last).ok_or(Mismatch)?;
            let input = MoveInput::Text(played.to_string());
            let played = input.resolve(node.position()).map_err(|_| Mismatch)?;
            last = record.add(last, played).map_err(|_| Mismatch)?;
        }
        self.session = Session::restore(record);
        // Neither is ever refused.
        for command in [Command::SetPolicy(policy), Command::GoTo(GoTo::Node(last))] {
            let _ = self.session.apply(command, Timestamp::ORIGIN);
        }
        let ply = self.session.ply();
        self.push_happened(Happened {
            events: vec![Event::WentTo { node: last, ply }],
            ply_before,
            node: last,
            by_engine: false,
            branched: false,
            recorded: true,
        });
        Ok(())
    }

    /// Brings offers, requests, pauses and the end up to date.
    fn catch_up_acts(&mut self, state: &RemoteState) -> Result<(), Mismatch> {
        if self.session.outcome().is_none() {
            let agreed = state.outcome == Some(Ending::Agreement);
            match (self.session.draw_offer(), state.offer) {
                (None, Some(by)) => self.apply_from_server(Command::OfferDraw(by))?,
                (Some(by), None) if !agreed => self.apply_from_server(Command::DeclineDraw(!by))?,
                (Some(_), Some(_) | None) | (None, None) => {}
            }
            match (self.session.takeback().map(|wish| wish.by), state.takeback) {
                (None, Some(by)) => self.apply_from_server(Command::AskTakeback(by))?,
                (Some(by), None) => self.apply_from_server(Command::DeclineTakeback(!by))?,
                (Some(_), Some(_)) | (None, None) => {}
            }
            match (self.session.is_paused(), state.paused) {
                (false, true) => self.apply_from_server(Command::Pause)?,
                (true, false) => self.apply_from_server(Command::Resume)?,
                (true, true) | (false, false) => {}
            }
        }
        if let (None, Some(ending)) = (self.session.outcome(), state.outcome) {
            self.end_as(ending)?;
        }
        let is_same = self.session.outcome() == state.outcome;
        is_same.then_some(()).ok_or(Mismatch)
    }

    /// Ends the game by the act that ended it on the server.
    fn end_as(&mut self, ending: Ending) -> Result<(), Mismatch> {
        if self.session.is_paused() {
            self.apply_from_server_unreported(Command::Resume)?;
        }
        let command = match ending {
            Ending::Resignation { loser } => Command::Resign(loser),
            Ending::Time { loser } | Ending::TimeWithoutMaterial { flagged: loser } => {
                Command::ForfeitOnTime(loser)
            }
            Ending::Agreement => {
                let offer = self.session.draw_offer();
                let by = offer.unwrap_or(!self.session.turn());
                if offer.is_none() {
                    self.apply_from_server(Command::OfferDraw(by))?;
                }
                Command::AcceptDraw(!by)
            }
            Ending::Abandoned { winner } => Command::Abandon { winner },
            Ending::Adjudicated { winner } => Command::Adjudicate { winner },
            Ending::RulesInfraction { loser } => Command::ForfeitByRules(loser),
            Ending::Threefold(DrawBy::Claim) => self.claim_by(ClaimRule::Threefold)?,
            Ending::FiftyMoves(DrawBy::Claim) => self.claim_by(ClaimRule::FiftyMoves)?,
            // These follow from the moves, or come from files, and no server plays on those.
            Ending::Threefold(DrawBy::Policy)
            | Ending::FiftyMoves(DrawBy::Policy)
            | Ending::Checkmate { .. }
            | Ending::Stalemate
            | Ending::InsufficientMaterial
            | Ending::DeadPosition
            | Ending::Fivefold
            | Ending::SeventyFiveMoves
            | Ending::Recorded { .. } => return Err(Mismatch),
        };
        self.apply_from_server(command)
    }

    /// The claim of a draw by a rule, as on the server: because of the position, or with an intended move.
    fn claim_by(&self, rule: ClaimRule) -> Result<Command, Mismatch> {
        let mut claims = self.session.claims();
        claims.extend(self.session.claims_by_move());
        let claim = claims.into_iter().find(|claim| claim.rule() == rule);
        Ok(Command::Claim {
            rule: Some(rule),
            intended: claim.ok_or(Mismatch)?.intended.map(MoveInput::Move),
        })
    }

    /// Applies a command of the server, which the session checks like any other, and reports what happened.
    fn apply_from_server(&mut self, command: Command) -> Result<(), Mismatch> {
        let done = self.apply(command, Timestamp::ORIGIN);
        done.map_err(|_| Mismatch)
    }

    /// Applies a command of the server. The caller reports what happened.
    fn apply_from_server_unreported(&mut self, command: Command) -> Result<Happened, Mismatch> {
        let applied = self.apply_unreported(command, Timestamp::ORIGIN);
        applied.map_err(|_| Mismatch)
    }

    /// The moment at which something is done to the session. No time passes here if the game is on a server.
    pub(super) fn session_time(&self, now: Timestamp) -> Timestamp {
        self.remote.map_or(now, |remote| remote.heard_at)
    }

    /// Sets the clocks to what they show on the server, and lets them run from there.
    fn set_clocks(&mut self, state: &RemoteState, now: Timestamp) {
        let policy = self.session.policy();
        let here = self.session.record().cursor().id();
        let mut record = self.session.save();
        set_thinking(&mut record, here, Duration::ZERO);
        for color in Color::ALL {
            let thought = self.write_clock(color, state.clock, &mut record);
            if let Some(thought) = thought.filter(|_| color == self.session.turn()) {
                set_thinking(&mut record, here, thought);
            }
        }
        self.session = Session::restore(record);
        if let Some(remote) = &mut self.remote {
            remote.heard_at = now;
            remote.begun = state.begun;
        }
        // Neither is ever refused, and they change nothing that can be seen.
        let _ = self.session.apply(Command::SetPolicy(policy), now);
        if state.begun {
            let _ = self.session.apply(Command::Tick, now);
        }
    }

    /// Writes what the clock of a side shows to its last move in the record. Returns how long the side has been thinking
    /// since; `None` if it has no clock.
    fn write_clock(&self, color: Color, face: ClockFace, record: &mut Record) -> Option<Duration> {
        let control = &self.session.clocks()[color];
        let (left, initial) = (face.left[color]?, control.initial()?);
        let is_own = |node: &Node<'_>| {
            node.parent()
                .is_some_and(|before| before.position().turn() == color)
        };
        let here = self.session.record().cursor();
        let mut back = std::iter::successors(Some(here), |node| node.parent());
        let last = back.find(is_own).map(Node::id);
        let delay_used = match control.period_after(0).map(|period| period.bonus) {
            Some(Bonus::Delay(delay)) => delay.saturating_sub(face.delay),
            Some(Bonus::None | Bonus::Increment(_) | Bonus::Bronstein(_)) | None => Duration::ZERO,
        };
        match last.and_then(|node| record.annotation_mut(node)) {
            Some(annotation) => {
                annotation.clock = Some(left);
                Some(delay_used)
            }
            // Before its first move, the clock shows the initial time less the thinking time.
            None => Some(delay_used + initial.saturating_sub(left)),
        }
    }

    /// Handles a request in a game on a server: whatever concerns the game is sent there.
    pub(super) fn handle_on_server(&mut self, request: Request, now: Timestamp) -> Handled {
        match request {
            Request::Game(request) => self.handle_game_on_server(request, now),
            Request::Ask(Question::Hint | Question::Evaluate | Question::Lines(_))
                if self.forbids_help() =>
            {
                Err(TableRefusal::NoHelp)
            }
            Request::Ask(question) => self.handle_question(question, now),
            Request::Notes(_) | Request::Opponent(..) | Request::Study(_) => {
                Err(TableRefusal::OnServer)
            }
        }
    }

    /// Whether no engine may help, because people in two places play.
    pub fn forbids_help(&self) -> bool {
        let open = self.session.outcome().is_none();
        open && self.remote.is_some_and(|remote| remote.between_people)
    }

    /// Sends a request about the game to the server, except for what only concerns the view.
    fn handle_game_on_server(&mut self, request: GameRequest, now: Timestamp) -> Handled {
        let over = self.session.outcome().map(Refusal::GameOver);
        // After the end, an offer is one of a rematch.
        if let (Some(_), GameRequest::Offer(_) | GameRequest::Accept(_)) = (&over, &request) {
            return self.send(ServerRequest::Rematch);
        }
        if let Some(over) = over.filter(|_| is_only_for_play(&request)) {
            return Err(over.into());
        }
        if let (true, Some(winner)) = (request == GameRequest::CLAIM, self.may_claim_game()) {
            let winner = Some(winner);
            return self.send(ServerRequest::Command(Command::Abandon { winner }));
        }
        let command = match request {
            GameRequest::Play(input) => return self.send_move(input, None),
            GameRequest::PlayParsed(parsed) => {
                return self.send_move(MoveInput::Move(parsed.played), parsed.also);
            }
            GameRequest::Premove(input) => return self.set_premove(input, now),
            GameRequest::GoTo(target) => return self.go_to(target, now),
            GameRequest::New(_) | GameRequest::LoadPosition(_) => {
                self.leave_server();
                return self.handle_game(request, now);
            }
            GameRequest::Rematch => return self.send(ServerRequest::Rematch),
            GameRequest::Draws(_) => return Err(TableRefusal::OnServer),
            GameRequest::Undo(times) => Command::Undo(UndoTo::Plies(times)),
            GameRequest::Redo(times) => Command::Redo(times),
            GameRequest::Claim { rule, intended } => Command::Claim {
                rule,
                intended: intended.map(|text| intended_move(text, self.session.position())),
            },
            GameRequest::Offer(by) => Command::OfferDraw(self.acting_side(by)),
            GameRequest::Takeback(by) => Command::AskTakeback(self.takeback_side(by)),
            GameRequest::Resign(by) => Command::Resign(self.acting_side(by)),
            GameRequest::Pause if self.session.is_paused() => Command::Resume,
            GameRequest::Pause => Command::Pause,
            GameRequest::Accept(what) => self.answer_command(what, Reply::Accept)?,
            GameRequest::Decline(what) => self.answer_command(what, Reply::Decline)?,
        };
        self.send(ServerRequest::Command(command))
    }

    /// Sends a move from the current position. `also` is another move that a text could have meant, if
    /// a front has parsed it.
    pub(super) fn send_move(&mut self, input: MoveInput, also: Option<Move>) -> Handled {
        if self.plays_from_earlier() {
            return Err(TableRefusal::OnServer);
        }
        self.refuse_on_engines_turn(self.session.turn())?;
        if let Some(outcome) = self.session.outcome() {
            return Err(Refusal::GameOver(outcome).into());
        }
        // Another move is on its way to the server, so this one is meant for the next turn.
        let ply = self.session.ply();
        if self
            .remote
            .is_some_and(|remote| remote.sent_at == Some(ply))
        {
            return self.store_premove(input);
        }
        let position = *self.session.position();
        let parsed = parse(&input, &position)?;
        if let Some(remote) = &mut self.remote {
            remote.sent_at = Some(ply);
        }
        let read_as = read_as(parsed.played, parsed.also.or(also), &position);
        self.outcomes.extend(read_as);
        let text = position.uci(parsed.played).to_string();
        let command = Command::Play(MoveInput::Text(text));
        self.send(ServerRequest::Command(command))
    }

    /// Sends a request to the server, which may refuse it later.
    fn send(&mut self, request: ServerRequest) -> Handled {
        if let Some(remote) = &mut self.remote {
            remote.waits = true;
        }
        self.push(Outcome::Server(request));
        Ok(())
    }

    /// Leaves the server. The game stays on the table, and the person here may move for both sides.
    pub(super) fn leave_server(&mut self) {
        if self.remote.take().is_none() {
            return;
        }
        self.push(Outcome::Server(ServerRequest::Leave));
        let mut specs = self.opponents.specs().clone();
        for color in Color::ALL {
            if matches!(specs[color], PlayerSpec::Remote(_)) {
                specs[color] = PlayerSpec::Human;
            }
        }
        self.seat(specs);
    }
}

/// Writes how long the side to move has been thinking.
fn set_thinking(record: &mut Record, node: NodeId, thought: Duration) {
    if let Some(annotation) = record.annotation_mut(node) {
        annotation.remove_commands("thinking");
        if !thought.is_zero() {
            // A time contains no bracket, so it is not refused.
            let _ = annotation.add_command("thinking", &clock_text(thought).to_string());
        }
    }
}
