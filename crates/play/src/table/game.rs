//! Requests that change the game.

use tabiya_game::{
    Branching, Command, GoTo, MoveInput, NewGame, Node, Record, Refusal, Session, Tags, Timestamp,
    UndoTo,
};
use tabiya_rules::{ByColor, Color, Position};

use super::moves::intended_move;
use super::{Display, Handled, ResumedClocks, Table};
use crate::outcome::{Outcome, Outcomes, TableRefusal};
use crate::players::PlayerSpec;
use crate::request::{GameRequest, NewGameRequest, Pending, Side, Start, Target, chess960};

/// The suffixes of the tags about one player.
const ABOUT_A_PLAYER: [&str; 7] = ["", "Elo", "Title", "Type", "NA", "FideId", "Team"];

/// The answer to an offer or a request.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reply {
    Accept,
    Decline,
}

impl Table {
    /// Carries out a request that changes the game.
    pub(super) fn handle_game(&mut self, request: GameRequest, now: Timestamp) -> Handled {
        let reviews = self.reviewed && self.display == Display::Board;
        if self.reviewed && is_only_for_play(&request) {
            return Err(TableRefusal::OnlyReviewed);
        }
        self.refuse_to_decide_for_engine(&request)?;
        match request {
            GameRequest::Play(input) => self.play(input, None, now)?,
            GameRequest::PlayParsed(parsed) => {
                self.play(MoveInput::Move(parsed.played), parsed.also, now)?;
            }
            GameRequest::Undo(times) if reviews => {
                self.view(self.node_ahead(-i64::from(times)), now);
            }
            GameRequest::Redo(times) if reviews => {
                self.view(self.node_ahead(i64::from(times)), now);
            }
            GameRequest::Premove(input) => self.set_premove(input, now)?,
            GameRequest::Undo(times) => self.undo(times, now),
            GameRequest::Redo(times) => self.redo(times, now),
            GameRequest::GoTo(target) => self.go_to(target, now)?,
            GameRequest::Claim { rule, intended } => self.apply_at_current(now, |table| {
                table.refuse_on_engines_turn(table.session.turn())?;
                let intended = intended.map(|text| intended_move(text, table.session.position()));
                Ok(Command::Claim { rule, intended })
            })?,
            GameRequest::Offer(by) => {
                self.apply_at_current(now, |table| Ok(Command::OfferDraw(table.acting_side(by))))?;
            }
            GameRequest::Accept(what) => {
                self.apply_at_current(now, |table| table.answer_command(what, Reply::Accept))?;
            }
            GameRequest::Decline(what) => {
                self.apply_at_current(now, |table| table.answer_command(what, Reply::Decline))?;
            }
            GameRequest::Takeback(by) => self.apply_at_current(now, |table| {
                let by = table.takeback_side(by);
                Ok(Command::AskTakeback(by))
            })?,
            GameRequest::Resign(by) => {
                self.apply_at_current(now, |table| Ok(Command::Resign(table.acting_side(by))))?;
            }
            GameRequest::Pause if self.session.is_paused() => {
                self.apply_or_refuse(Command::Resume, now);
            }
            GameRequest::Pause => self.apply_or_refuse(Command::Pause, now),
            GameRequest::New(request) => self.new_game(*request, now)?,
            GameRequest::Rematch => self.rematch(now),
            GameRequest::LoadPosition(position) => {
                self.check_start(&position)?;
                self.set_branching(Branching::MainLine, now);
                self.apply_or_refuse(Command::LoadPosition(position), now);
            }
            GameRequest::Draws(draws) => {
                let policy = self.session.policy().with_draws(draws);
                self.apply_or_refuse(Command::SetPolicy(policy), now);
            }
        }
        Ok(())
    }

    /// The side that acts if none is given.
    pub(super) fn acting_side(&self, by: Option<Color>) -> Color {
        by.unwrap_or_else(|| self.opponents.acting_side(&self.session))
    }

    /// The side that takes back a move if none is given.
    pub(super) fn takeback_side(&self, by: Option<Color>) -> Color {
        by.unwrap_or_else(|| self.opponents.takeback_side(&self.session))
    }

    /// Views a position, or takes the game there.
    pub(super) fn go_to(&mut self, target: Target, now: Timestamp) -> Handled {
        if let (Target::Step(steps), Display::Board) = (target, self.display) {
            self.view(self.node_ahead(i64::from(steps)), now);
            return Ok(());
        }
        let record = self.session.record();
        let on_line = target
            .ply(&self.session)
            .and_then(|ply| record.on_line(ply));
        // A variation being looked at may be shorter than the game.
        let on_main_line = || target.of_main_line(record);
        let node = on_line.or_else(on_main_line).map(Node::id);
        let node = node.ok_or_else(|| TableRefusal::NoSuchMove {
            plies: record.cursor_line().len().max(record.main_line().count()),
        })?;
        self.view(node, now);
        Ok(())
    }

    /// Resumes a saved game with its players. A finished game stays as it ended.
    pub fn resume(
        &mut self,
        game: Record,
        players: ByColor<PlayerSpec>,
        clocks: ResumedClocks,
        now: Timestamp,
    ) -> Outcomes {
        self.leave_server();
        self.set_branching(Branching::MainLine, now);
        self.apply_or_refuse(Command::LoadGame(Box::new(game)), now);
        self.seat(players);
        match clocks {
            ResumedClocks::Running => self.start_clocks(now),
            ResumedClocks::Stopped if self.session.clock(now).running.is_some() => {
                self.apply_or_refuse(Command::Pause, now);
            }
            ResumedClocks::Stopped => {}
        }
        self.let_engines_act(now)
    }

    /// Seats these players.
    pub(super) fn seat(&mut self, players: ByColor<PlayerSpec>) {
        let orders = self.opponents.seat(players);
        self.push_orders(orders);
    }

    /// Ends the game because a player stays away, whatever position is being viewed. It may be awarded to the opponent.
    pub fn abandon(&mut self, winner: Option<Color>, now: Timestamp) -> Outcomes {
        let done = self.apply_at_current(now, |_| Ok(Command::Abandon { winner }));
        self.push_refusal(done);
        self.let_engines_act(now)
    }

    /// Starts a game as described.
    pub fn start(&mut self, game: NewGame, now: Timestamp) -> Outcomes {
        self.begin_new_game(game, now);
        self.let_engines_act(now)
    }

    /// Begins this game with the players at the table.
    fn begin_new_game(&mut self, mut game: NewGame, now: Timestamp) {
        self.leave_server();
        self.opponents.write_names(&mut game.tags);
        game.policy = game.policy.with_branching(Branching::MainLine);
        self.apply_or_refuse(Command::NewGame(Box::new(game)), now);
        let orders = self.opponents.new_game();
        self.push_orders(orders);
    }

    /// As text, refuses a start where the game is over already, because the next game would begin at once.
    fn check_start(&self, start: &Position) -> Handled {
        let outcome = Session::new(NewGame::new(*start)).outcome();
        match outcome.filter(|_| self.display == Display::Text) {
            Some(outcome) => Err(TableRefusal::StartIsOver(outcome)),
            None => Ok(()),
        }
    }

    /// Begins the game that was asked for: whatever was not given stays as it is.
    fn new_game(&mut self, request: NewGameRequest, now: Timestamp) -> Handled {
        if let Some(spec) = &request.opponent {
            self.opponents.check(spec).map_err(TableRefusal::Engine)?;
        }
        if let Some(Start::Position(start)) = &request.start {
            self.check_start(start)?;
        }
        let mut game = self.session.same_again();
        if let Some(control) = request.clock {
            game = game.with_clock(&control);
        }
        if let Some(draws) = request.draws {
            game.policy.draws = draws;
        }
        set_names(&mut game.tags, &request.names);
        match request.start {
            None => {}
            Some(Start::Position(start)) => game.start = start,
            Some(Start::Chess960(number)) => game.start = chess960(number, &mut self.random),
        }
        let side = request.side.map(|side| match side {
            Side::Of(color) => color,
            Side::Random if self.random.below(2) == 0 => Color::White,
            Side::Random => Color::Black,
        });
        let specs = self.opponents.seating(request.opponent, side);
        self.outcomes.extend(side.map(Outcome::TookSide));
        self.seat(specs);
        self.begin_new_game(game, now);
        Ok(())
    }

    /// Begins the same kind of game from the same start, with the colors swapped.
    fn rematch(&mut self, now: Timestamp) {
        let mut game = self
            .session
            .same_again()
            .with_start(*self.session.record().start());
        for about in ABOUT_A_PLAYER {
            let names = ByColor::from_fn(|color: Color| format!("{color}{about}"));
            let values = ByColor::from_fn(|color| game.tags.remove(&names[color]));
            for color in Color::ALL {
                if let Some(value) = &values[!color] {
                    // It was a valid tag of the other side, so it is one of this side.
                    let _ = game.tags.set(&names[color], value);
                }
            }
        }
        game.clocks = ByColor::from_fn(|color| game.clocks[!color].clone());
        let specs = self.opponents.specs();
        let swapped = ByColor::from_fn(|color: Color| specs[!color].clone());
        self.seat(swapped);
        self.begin_new_game(game, now);
    }

    /// Applies a command at the current position of the game, whatever position is on the board, because that is what
    /// agreements and claims are about. A refusal changes nothing, not even the view.
    fn apply_at_current(
        &mut self,
        now: Timestamp,
        command: impl FnOnce(&Table) -> Result<Command, TableRefusal>,
    ) -> Handled {
        let current = self.resume_at.filter(|_| !self.reviewed);
        let looked_at = self.session.record().cursor().id();
        if let Some(node) = current {
            self.apply_or_refuse(Command::GoTo(GoTo::Node(node)), now);
            self.resume_at = None;
        }
        let done = command(self).and_then(|command| self.apply(command, now));
        if done.is_err() && current.is_some() {
            self.apply_or_refuse(Command::GoTo(GoTo::Node(looked_at)), now);
            self.resume_at = current;
            self.outcomes
                .retain(|outcome| !matches!(outcome, Outcome::Happened(_)));
        }
        done
    }

    /// Returns to the current position of the game if a flag has fallen while another one was being viewed, because
    /// that is where the game ends. Returns the side to move there.
    pub(super) fn return_flagged(&mut self, now: Timestamp) -> Option<Color> {
        let current = self.resume_at.filter(|_| !self.reviewed)?;
        let flag_in = self.session.clock(now).flag_in()?;
        if !flag_in.is_zero() {
            return None;
        }
        self.resume_at = None;
        let there = Command::GoTo(GoTo::Node(current));
        // The time is one that has been counted already; otherwise the flag would fall at the position being viewed.
        let _ = self.session.apply(there, Timestamp::ORIGIN);
        Some(self.session.turn())
    }

    /// Refuses a person's move for a side if an engine moves for it.
    pub(super) fn refuse_on_engines_turn(&self, turn: Color) -> Handled {
        if self.opponents.is_human(turn) || self.session.outcome().is_some() {
            return Ok(());
        }
        if self.is_watched() {
            return Err(TableRefusal::Watching);
        }
        Err(TableRefusal::EnginesTurn {
            turn,
            name: self.opponents.name(turn).unwrap_or_default(),
            looking: self.is_at_earlier_position() || self.is_elsewhere(),
        })
    }

    /// Refuses to let a person resign, offer or ask for a side if an engine plays it.
    fn refuse_to_decide_for_engine(&self, request: &GameRequest) -> Handled {
        if let GameRequest::Resign(by) | GameRequest::Offer(by) | GameRequest::Takeback(by) =
            request
            && let Some(side) = by.filter(|&side| self.opponents.is_engine(side))
            && self.opponents.person().is_some()
        {
            let name = self.opponents.name(side).unwrap_or_default();
            return Err(TableRefusal::EnginesDecision { side, name });
        }
        Ok(())
    }

    /// The command that answers an offer or a request for the side that received it.
    pub(super) fn answer_command(
        &self,
        what: Option<Pending>,
        reply: Reply,
    ) -> Result<Command, TableRefusal> {
        let offer = self.session.draw_offer();
        let wish = self.session.takeback().map(|takeback| takeback.by);
        let what = match (what, offer, wish) {
            (Some(what), ..) => what,
            (None, Some(_), Some(_)) => return Err(TableRefusal::TwoToAnswer),
            (None, Some(_), None) => Pending::Draw,
            (None, None, Some(_)) => Pending::Takeback,
            (None, None, None) => return Err(TableRefusal::NothingToAnswer),
        };
        let turn = self.session.turn();
        let by = match what {
            Pending::Draw => offer,
            Pending::Takeback => wish,
        };
        let by = by.map_or(turn, |by| !by);
        Ok(match (what, reply) {
            (Pending::Draw, Reply::Accept) => Command::AcceptDraw(by),
            (Pending::Draw, Reply::Decline) => Command::DeclineDraw(by),
            (Pending::Takeback, Reply::Accept) => Command::GrantTakeback(by),
            (Pending::Takeback, Reply::Decline) => Command::DeclineTakeback(by),
        })
    }

    /// Takes back moves: up to the turn of the only person, or single ones.
    fn undo(&mut self, times: u32, now: Timestamp) {
        let Some(person) = self.opponents.person() else {
            return self.apply_or_refuse(Command::Undo(UndoTo::Plies(times)), now);
        };
        // The first undo may be refused and says why. The others go as far as they can.
        self.apply_or_refuse(Command::Undo(UndoTo::TurnOf(person)), now);
        for _ in 1..times {
            if self.session.ply() < 2 {
                break;
            }
            self.apply_or_refuse(Command::Undo(UndoTo::TurnOf(person)), now);
        }
    }

    /// Replays moves: pairs of them if it is the turn of the only person.
    fn redo(&mut self, times: u32, now: Timestamp) {
        let plies = match self.opponents.person() {
            Some(person) if person == self.session.turn() => times.saturating_mul(2),
            Some(_) | None => times,
        };
        self.apply_or_refuse(Command::Redo(plies), now);
    }
}

/// Sets the names that are given; an empty one removes the name.
fn set_names(tags: &mut Tags, names: &ByColor<Option<String>>) {
    for (color, name) in names.iter() {
        let Some(name) = name else { continue };
        tags.remove(color.name());
        if !name.is_empty() {
            // Typed text is a single line, and a tag refuses nothing else.
            let _ = tags.set(color.name(), name);
        }
    }
}

/// Whether a request is only for games being played.
pub(super) fn is_only_for_play(request: &GameRequest) -> bool {
    match request {
        GameRequest::Claim { .. }
        | GameRequest::Premove(_)
        | GameRequest::Offer(_)
        | GameRequest::Accept(_)
        | GameRequest::Decline(_)
        | GameRequest::Takeback(_)
        | GameRequest::Resign(_)
        | GameRequest::Pause => true,
        GameRequest::Play(_)
        | GameRequest::PlayParsed(_)
        | GameRequest::Undo(_)
        | GameRequest::Redo(_)
        | GameRequest::GoTo(_)
        | GameRequest::New(_)
        | GameRequest::Rematch
        | GameRequest::LoadPosition(_)
        | GameRequest::Draws(_) => false,
    }
}

/// A refusal of the session that is not about typed text.
impl From<Refusal> for TableRefusal {
    fn from(refusal: Refusal) -> TableRefusal {
        TableRefusal::Game {
            refusal,
            typed: None,
        }
    }
}
