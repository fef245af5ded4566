//! A game that a server keeps: the table shows it as it stands there, and what players ask for is sent there.
//!
//! The server decides everything. [`Table::join`] and [`Table::heard_server`] bring the session to where the game stands on
//! the server, by commands that the session checks like all others, so that nothing a server sends can put a game on the
//! board that could not be played. Clocks are shown as the server tells them, and no flag falls here.

use std::time::Duration;

use tabiya_game::{
    Bonus, Claim, ClaimRule, Command, DrawBy, GoTo, MoveInput, Node, NodeId, Outcome as Ending,
    Record, Refusal, Session, Step, Timestamp, UndoTo, clock_text,
};
use tabiya_rules::{ByColor, Color};

use super::Table;
use super::game::{Reply, is_act, read, refuse};
use crate::outcome::{Outcome, Outcomes, Refused};
use crate::players::PlayerSpec;
use crate::remote::{Joined, Presence, ServerEvent, ServerNews, Standing};
use crate::request::{GameRequest, Pending, Request, ServerRequest};

/// What a server says does not fit together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Mismatch;

/// What is said about a game that could not be played.
const NONSENSE: &str = "What the server sends is no game.";

/// What a table knows about the server of its game.
#[derive(Clone, Copy, Debug)]
pub(super) struct Remote {
    presence: ByColor<Presence>,
    /// Whether something was asked that has no answer yet.
    waits: bool,
    is_lost: bool,
    /// Whether everybody has come.
    begun: bool,
    /// When the clocks were last told. Whatever is done to the session is done at this moment: time is the server's.
    told: Timestamp,
}

impl Table {
    /// Whether a server keeps the game.
    #[must_use]
    pub fn is_remote(&self) -> bool {
        self.remote.is_some()
    }

    /// Whether something was sent to the server that it has not answered yet.
    #[must_use]
    pub fn awaits_server(&self) -> bool {
        self.remote.is_some_and(|remote| remote.waits)
    }

    /// Whether the game begins when others come.
    #[must_use]
    pub fn awaits_players(&self) -> bool {
        self.remote.is_some_and(|remote| !remote.begun)
    }

    /// Joins a game on a server, in the place of whatever is on the table.
    pub fn join(&mut self, joined: Joined, now: Timestamp) -> Outcomes {
        let orders = self.opponents.seat(joined.players);
        let mut outcomes: Outcomes = orders.into_iter().map(Outcome::Order).collect();
        let person = self.opponents.person();
        outcomes.extend(person.map(Outcome::TookSide));
        self.remote = Some(Remote {
            presence: ByColor::default(),
            waits: false,
            is_lost: false,
            begun: false,
            told: now,
        });
        let game = Command::NewGame(Box::new(joined.game));
        outcomes.extend(self.apply(game, now));
        match self.catch_up(&joined.standing, now) {
            Ok(more) => outcomes.extend(more),
            Err(Mismatch) => outcomes.push(shut_out(NONSENSE)),
        }
        if !joined.standing.begun {
            outcomes.push(Outcome::ServerNews(ServerNews::NotBegun));
        }
        outcomes.extend(self.update_presence(joined.presence));
        outcomes
    }

    /// Takes in what the server tells.
    pub fn heard_server(&mut self, event: ServerEvent, now: Timestamp) -> Outcomes {
        let Some(remote) = &mut self.remote else {
            return Vec::new();
        };
        remote.waits = false;
        match event {
            ServerEvent::Done => Vec::new(),
            ServerEvent::Joined(joined) => self.rejoin(*joined, now),
            ServerEvent::Stands(standing) => match self.catch_up(&standing, now) {
                Ok(outcomes) => outcomes,
                // The whole game is asked for again, and says everything.
                Err(Mismatch) => send(ServerRequest::Again),
            },
            ServerEvent::Presence(presence) => self.update_presence(presence),
            ServerEvent::Refused(lines) => vec![Outcome::ServerNews(ServerNews::Refused(lines))],
            ServerEvent::Notice(lines) => vec![Outcome::ServerNews(ServerNews::Notice(lines))],
            ServerEvent::RematchWanted(side) => {
                vec![Outcome::ServerNews(ServerNews::RematchWanted(side))]
            }
            ServerEvent::Lost if remote.is_lost => Vec::new(),
            ServerEvent::Lost => {
                remote.is_lost = true;
                vec![Outcome::ServerNews(ServerNews::Lost)]
            }
            ServerEvent::ShutOut(lines) => vec![Outcome::ServerNews(ServerNews::ShutOut(lines))],
        }
    }

    /// Whoever comes back finds the game where it is; another game is joined as a whole.
    fn rejoin(&mut self, joined: Joined, now: Timestamp) -> Outcomes {
        let mut outcomes = Vec::new();
        if let Some(remote) = &mut self.remote
            && std::mem::take(&mut remote.is_lost)
        {
            outcomes.push(Outcome::ServerNews(ServerNews::Back));
        }
        let same = *self.session.record().start() == joined.game.start
            && *self.session.clocks() == joined.game.clocks
            && *self.opponents.specs() == joined.players
            && (self.session.outcome().is_none() || joined.standing.outcome.is_some());
        if same && let Ok(more) = self.catch_up(&joined.standing, now) {
            outcomes.extend(more);
            outcomes.extend(self.update_presence(joined.presence));
        } else {
            outcomes.extend(self.join(joined, now));
        }
        outcomes
    }

    /// Says who has gone or come back, where people play.
    fn update_presence(&mut self, presence: ByColor<Presence>) -> Outcomes {
        let Some(remote) = &mut self.remote else {
            return Vec::new();
        };
        let before = std::mem::replace(&mut remote.presence, presence);
        let open = self.session.outcome().is_none() && !self.session.record().is_empty();
        let elsewhere = |color: &Color| open && !self.opponents.is_human(*color);
        let changed = |color: Color| match (before[color], presence[color]) {
            (Presence::Here, Presence::Away { claim_in }) => Some(ServerNews::Away {
                side: color,
                claim_in,
            }),
            (Presence::Away { claim_in: old }, Presence::Away { claim_in })
                if claim_in == Some(Duration::ZERO) && old != claim_in =>
            {
                Some(ServerNews::Away {
                    side: color,
                    claim_in,
                })
            }
            (Presence::Away { .. }, Presence::Here) => Some(ServerNews::Returned(color)),
            (Presence::Away { .. }, Presence::Away { .. }) | (Presence::Here, Presence::Here) => {
                None
            }
        };
        let told = Color::ALL.into_iter().filter(elsewhere).filter_map(changed);
        told.map(Outcome::ServerNews).collect()
    }

    /// The side that may claim the game because the other stays away.
    fn may_claim_game(&self) -> Option<Color> {
        let person = self.opponents.person()?;
        let gone = Presence::Away {
            claim_in: Some(Duration::ZERO),
        };
        let remote = self.remote?;
        (remote.presence[!person] == gone).then_some(person)
    }

    /// Brings the game to where it stands on its server. What has changed is told as if it had happened here.
    fn catch_up(&mut self, standing: &Standing, now: Timestamp) -> Result<Outcomes, Mismatch> {
        self.begun = true;
        // What is looked at meanwhile stays, if it is still there.
        let viewed = self.viewed;
        let mut outcomes = self.return_to_game();
        outcomes.extend(self.catch_up_moves(standing)?);
        outcomes.extend(self.catch_up_acts(standing)?);
        self.set_clocks(standing, now);
        self.viewed = viewed.filter(|&node| self.session.record().node(node).is_some());
        let moved = outcomes
            .iter()
            .any(|outcome| matches!(outcome, Outcome::Happened(happened) if happened.by_engine));
        if moved {
            outcomes.extend(self.play_premove(now));
        }
        outcomes.extend(self.attend(now));
        Ok(outcomes)
    }

    /// Goes back to where the game stands if somebody has gone elsewhere.
    fn return_to_game(&mut self) -> Outcomes {
        match self.stands.take() {
            Some(node) => {
                let back = Command::GoTo(GoTo::Node(node));
                let outcomes = self.apply(back, Timestamp::ORIGIN);
                self.stands = None;
                outcomes
            }
            None => Vec::new(),
        }
    }

    fn catch_up_moves(&mut self, standing: &Standing) -> Result<Outcomes, Mismatch> {
        let mut outcomes = Vec::new();
        let wanted = standing.ply as usize;
        if wanted > standing.moves.len() {
            return Err(Mismatch);
        }
        let line: Vec<String> = self
            .session
            .record()
            .cursor_line()
            .map(|node| match (node.parent(), node.step()) {
                (Some(before), Some(Step::Move(played))) => {
                    before.position().uci(played).to_string()
                }
                (_, Some(Step::Null) | None) | (None, Some(Step::Move(_))) => String::new(),
            })
            .collect();
        let pairs = line.iter().zip(&standing.moves);
        let same = pairs.take_while(|(here, there)| here == there).count();
        let here = self.session.ply() as usize;
        // A move that is made again after it was taken back is a move like any other.
        let keep = same.min(wanted).min(here);
        // What was ended by an act is opened again before anything else is undone.
        if here > keep || (self.session.ended_by_act() && standing.outcome.is_none()) {
            let plies = u32::try_from(here.saturating_sub(keep)).map_err(|_| Mismatch)?;
            let reopens = u32::from(self.session.ended_by_act());
            outcomes.extend(self.obey(Command::Undo(UndoTo::Plies(plies + reopens)))?);
        }
        for text in &standing.moves[keep..wanted] {
            let turn = self.session.turn();
            let mut made = self.obey(Command::Play(MoveInput::Text(text.clone())))?;
            for outcome in &mut made {
                if let Outcome::Happened(happened) = outcome {
                    happened.by_engine = !self.opponents.is_human(turn);
                }
            }
            outcomes.extend(made);
        }
        Ok(outcomes)
    }

    /// Offers, wishes, pauses, and the end.
    fn catch_up_acts(&mut self, standing: &Standing) -> Result<Outcomes, Mismatch> {
        let mut outcomes = Vec::new();
        if self.session.outcome().is_none() {
            let agreed = standing.outcome == Some(Ending::Agreement);
            match (self.session.draw_offer(), standing.offer) {
                (None, Some(by)) => outcomes.extend(self.obey(Command::OfferDraw(by))?),
                (Some(by), None) if !agreed => {
                    outcomes.extend(self.obey(Command::DeclineDraw(!by))?);
                }
                (Some(_), Some(_) | None) | (None, None) => {}
            }
            match (
                self.session.takeback().map(|wish| wish.by),
                standing.takeback,
            ) {
                (None, Some(by)) => outcomes.extend(self.obey(Command::AskTakeback(by))?),
                (Some(by), None) => outcomes.extend(self.obey(Command::DeclineTakeback(!by))?),
                (Some(_), Some(_)) | (None, None) => {}
            }
            match (self.session.is_paused(), standing.paused) {
                (false, true) => outcomes.extend(self.obey(Command::Pause)?),
                (true, false) => outcomes.extend(self.obey(Command::Resume)?),
                (true, true) | (false, false) => {}
            }
        }
        if let (None, Some(ending)) = (self.session.outcome(), standing.outcome) {
            outcomes.extend(self.end_as(ending)?);
        }
        match self.session.outcome() == standing.outcome {
            true => Ok(outcomes),
            false => Err(Mismatch),
        }
    }

    /// Ends the game by the act that ended it on the server.
    fn end_as(&mut self, ending: Ending) -> Result<Outcomes, Mismatch> {
        if self.session.is_paused() {
            self.obey(Command::Resume)?;
        }
        let command = match ending {
            Ending::Resignation { loser } => Command::Resign(loser),
            Ending::Time { loser } | Ending::TimeWithoutMaterial { flagged: loser } => {
                Command::ForfeitOnTime(loser)
            }
            Ending::Agreement => {
                let mut outcomes = Vec::new();
                let by = match self.session.draw_offer() {
                    Some(by) => by,
                    None => {
                        let by = !self.session.turn();
                        outcomes.extend(self.obey(Command::OfferDraw(by))?);
                        by
                    }
                };
                outcomes.extend(self.obey(Command::AcceptDraw(!by))?);
                return Ok(outcomes);
            }
            Ending::Abandoned { winner } => Command::Abandon { winner },
            Ending::Adjudicated { winner } => Command::Adjudicate { winner },
            Ending::Threefold(DrawBy::Claim) | Ending::FiftyMoves(DrawBy::Claim) => {
                return self.claim_as(ending);
            }
            // These follow from the moves, or come from files, which no server plays on.
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
        self.obey(command)
    }

    /// Claims a draw as it was claimed on the server: because of the position, or with a move that leads to it.
    fn claim_as(&mut self, ending: Ending) -> Result<Outcomes, Mismatch> {
        let rule_of = |claim: &Claim| match claim.rule() {
            ClaimRule::Threefold => Ending::Threefold(DrawBy::Claim),
            ClaimRule::FiftyMoves => Ending::FiftyMoves(DrawBy::Claim),
        };
        let mut claims = self.session.claims();
        claims.extend(self.session.claims_by_move());
        let claim = claims.into_iter().find(|claim| rule_of(claim) == ending);
        let claim = claim.ok_or(Mismatch)?;
        self.obey(Command::Claim {
            rule: Some(claim.rule()),
            intended: claim.intended.map(MoveInput::Move),
        })
    }

    /// Applies a command of the server. It is checked like any other.
    fn obey(&mut self, command: Command) -> Result<Outcomes, Mismatch> {
        match self.try_apply(command, Timestamp::ORIGIN) {
            Ok(happened) if happened.events.is_empty() => Ok(Vec::new()),
            Ok(happened) => Ok(vec![Outcome::Happened(happened)]),
            Err(_) => Err(Mismatch),
        }
    }

    /// The moment at which something is done to the session: where a server keeps the game, no time passes here.
    pub(super) fn moment(&self, now: Timestamp) -> Timestamp {
        self.remote.map_or(now, |remote| remote.told)
    }

    /// Lets the clocks show what they show on the server, and run from there.
    fn set_clocks(&mut self, standing: &Standing, now: Timestamp) {
        let face = standing.clock;
        let (session, turn) = (&self.session, self.session.turn());
        let policy = session.policy();
        let cursor = session.record().cursor();
        let mut record = session.save();
        set_thinking(&mut record, cursor.id(), Duration::ZERO);
        for color in Color::ALL {
            let (Some(left), Some(initial)) = (face.left[color], session.clocks()[color].initial())
            else {
                continue;
            };
            let mut moves = std::iter::successors(Some(cursor), |node| node.parent());
            let is_own = |node: &Node<'_>| {
                node.parent()
                    .is_some_and(|before| before.position().turn() == color)
            };
            let last = moves.find(is_own).map(Node::id);
            let mut thought = match session.clocks()[color]
                .period_after(0)
                .map(|period| period.bonus)
            {
                Some(Bonus::Delay(delay)) => delay.saturating_sub(face.delay),
                Some(Bonus::None | Bonus::Increment(_) | Bonus::Bronstein(_)) | None => {
                    Duration::ZERO
                }
            };
            match last.and_then(|node| record.annotation_mut(node)) {
                Some(annotation) => annotation.clock = Some(left),
                // Before the first move the clock shows what it began with, less what was thought.
                None => thought += initial.saturating_sub(left),
            }
            if color == turn {
                set_thinking(&mut record, cursor.id(), thought);
            }
        }
        self.session = Session::restore(record);
        if let Some(remote) = &mut self.remote {
            remote.told = now;
            remote.begun = standing.begun;
        }
        // Neither is ever refused, and nothing that can be seen changes by them.
        let _ = self.session.apply(Command::SetPolicy(policy), now);
        if standing.begun {
            let _ = self.session.apply(Command::Tick, now);
        }
    }

    /// What somebody asks for in a game that a server keeps: what is about the game is sent there.
    pub(super) fn ask_server(&mut self, request: Request, now: Timestamp) -> Outcomes {
        match request {
            Request::Game(request) => self.ask_server_about(request, now),
            Request::Ask(question) => self.handle_question(question, now),
            Request::Notes(_) | Request::Seats(_) | Request::Study(_) => refuse(Refused::OnServer),
        }
    }

    fn ask_server_about(&mut self, request: GameRequest, now: Timestamp) -> Outcomes {
        let over = self.session.outcome().map(Refusal::GameOver);
        // When nothing else is left to offer, it is another game.
        if let (Some(_), GameRequest::Offer(_) | GameRequest::Accept(_)) = (&over, &request) {
            return self.send(ServerRequest::Rematch);
        }
        if let Some(over) = over.filter(|_| is_act(&request)) {
            return refuse(over.into());
        }
        let speaker = self.opponents.speaker(&self.session);
        if let (true, Some(winner)) = (request == GameRequest::CLAIM, self.may_claim_game()) {
            let winner = Some(winner);
            return self.send(ServerRequest::Command(Command::Abandon { winner }));
        }
        let command = match request {
            GameRequest::Play(input) => return self.send_move(&input),
            GameRequest::Premove(input) => return self.set_premove(input, now),
            GameRequest::GoTo(target) => return self.go_to(target, now),
            GameRequest::New(_) | GameRequest::LoadPosition(_) => {
                let mut outcomes = self.leave_server();
                outcomes.extend(self.handle_game(request, now));
                return outcomes;
            }
            GameRequest::Rematch => return self.send(ServerRequest::Rematch),
            GameRequest::Draws(_) => return refuse(Refused::OnServer),
            GameRequest::Undo(times) => Command::Undo(UndoTo::Plies(times)),
            GameRequest::Redo(times) => Command::Redo(times),
            GameRequest::Claim { rule, intended } => Command::Claim {
                rule,
                intended: intended.map(MoveInput::Text),
            },
            GameRequest::Offer(by) => Command::OfferDraw(by.unwrap_or(speaker)),
            GameRequest::Takeback(by) => {
                Command::AskTakeback(by.unwrap_or_else(|| self.opponents.regretful(&self.session)))
            }
            GameRequest::Resign(by) => Command::Resign(by.unwrap_or(speaker)),
            GameRequest::Pause if self.session.is_paused() => Command::Resume,
            GameRequest::Pause => Command::Pause,
            GameRequest::Accept(what) => return self.send_answer(what, Reply::Accept),
            GameRequest::Decline(what) => return self.send_answer(what, Reply::Decline),
        };
        self.send(ServerRequest::Command(command))
    }

    /// Reads a move where the game stands, and sends it.
    pub(super) fn send_move(&mut self, input: &MoveInput) -> Outcomes {
        let turn = self.session.turn();
        if self.is_elsewhere() || self.stands.is_some() {
            return refuse(Refused::OnServer);
        }
        if let Some(refused) = self.engines_turn(turn) {
            return refuse(refused);
        }
        if let Some(outcome) = self.session.outcome() {
            return refuse(Refusal::GameOver(outcome).into());
        }
        let position = *self.session.position();
        let mut outcomes = Vec::new();
        match read(input, &position, &mut outcomes) {
            Ok(played) => {
                let text = position.uci(played).to_string();
                let command = Command::Play(MoveInput::Text(text));
                outcomes.extend(self.send(ServerRequest::Command(command)));
                outcomes
            }
            Err(refused) => refuse(refused),
        }
    }

    fn send_answer(&mut self, what: Option<Pending>, reply: Reply) -> Outcomes {
        match self.answering(what, reply) {
            Ok(command) => self.send(ServerRequest::Command(command)),
            Err(refused) => refuse(refused),
        }
    }

    /// Asks the server for something; the answer comes later.
    fn send(&mut self, request: ServerRequest) -> Outcomes {
        if let Some(remote) = &mut self.remote {
            remote.waits = true;
        }
        send(request)
    }

    /// Leaves the server; what is on the table stays, and whoever is here may move for both sides.
    pub(super) fn leave_server(&mut self) -> Outcomes {
        if self.remote.take().is_none() {
            return Vec::new();
        }
        let specs = self.opponents.specs().clone();
        let here = |color: Color| match &specs[color] {
            PlayerSpec::Remote(_) => PlayerSpec::Human,
            other @ (PlayerSpec::Human
            | PlayerSpec::Bot(_)
            | PlayerSpec::Uci(_)
            | PlayerSpec::Named(_)) => other.clone(),
        };
        let orders = self.opponents.seat(ByColor::from_fn(here));
        let mut outcomes = send(ServerRequest::Leave);
        outcomes.extend(orders.into_iter().map(Outcome::Order));
        outcomes
    }
}

fn shut_out(why: &str) -> Outcome {
    Outcome::ServerNews(ServerNews::ShutOut(vec![why.to_owned()]))
}

fn send(request: ServerRequest) -> Outcomes {
    vec![Outcome::Server(request)]
}

/// Notes how long the side to move has thought.
fn set_thinking(record: &mut Record, node: NodeId, thought: Duration) {
    if let Some(annotation) = record.annotation_mut(node) {
        annotation.remove_commands("thinking");
        if !thought.is_zero() {
            // A time has no bracket in it, so nothing is refused.
            let _ = annotation.add_command("thinking", &clock_text(thought).to_string());
        }
    }
}
