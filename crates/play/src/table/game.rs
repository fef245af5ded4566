//! Requests that change the game.

use tabiya_game::{
    Branching, ClaimRule, Command, GoTo, MoveInput, MoveRefusal, NewGame, Record, Refusal, Session,
    Step, Timestamp, UndoTo,
};
use tabiya_rules::{ByColor, Color, Move, Position};

use super::{Display, Kind, Table};
use crate::outcome::{Happened, Outcome, Outcomes, Refused, ordered};
use crate::players::PlayerSpec;
use crate::request::{GameRequest, NewRequest, Pending, Side, Start, Target, chess960};
use crate::typed_move::{self, Unplayable};

/// The suffixes of the tags about one player.
const ABOUT_A_PLAYER: [&str; 7] = ["", "Elo", "Title", "Type", "NA", "FideId", "Team"];

/// The answer to an offer or a request.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reply {
    Accept,
    Decline,
}

impl Table {
    pub(super) fn handle_game(&mut self, request: GameRequest, now: Timestamp) -> Outcomes {
        let reviews = self.kind == Kind::Reviewed && self.display == Display::Board;
        if self.kind == Kind::Reviewed && is_only_for_play(&request) {
            return refuse(Refused::OnlyReviewed);
        }
        if let Some(refused) = self.engines_decision(&request) {
            return refuse(refused);
        }
        match request {
            GameRequest::Play(input) => self.play(input, now),
            GameRequest::Undo(times) if reviews => {
                self.view(self.node_ahead(-i64::from(times)), now)
            }
            GameRequest::Redo(times) if reviews => {
                self.view(self.node_ahead(i64::from(times)), now)
            }
            GameRequest::Premove(input) => self.set_premove(input, now),
            GameRequest::Undo(times) => self.undo(times, now),
            GameRequest::Redo(times) => self.redo(times, now),
            GameRequest::GoTo(target) => self.go_to(target, now),
            GameRequest::Claim { rule, intended } => self.claim(rule, intended, now),
            GameRequest::Offer(by) => self.act(now, |table| {
                let by = by.unwrap_or_else(|| table.opponents.speaker(&table.session));
                Command::OfferDraw(by)
            }),
            GameRequest::Accept(what) => self.answer(what, Reply::Accept, now),
            GameRequest::Decline(what) => self.answer(what, Reply::Decline, now),
            GameRequest::Takeback(by) => self.act(now, |table| {
                let by = by.unwrap_or_else(|| table.opponents.takeback_side(&table.session));
                Command::AskTakeback(by)
            }),
            GameRequest::Resign(by) => self.act(now, |table| {
                let by = by.unwrap_or_else(|| table.opponents.speaker(&table.session));
                Command::Resign(by)
            }),
            GameRequest::Pause if self.session.is_paused() => self.apply(Command::Resume, now),
            GameRequest::Pause => self.apply(Command::Pause, now),
            GameRequest::New(request) => self.new_game(*request, now),
            GameRequest::Rematch => self.rematch(now),
            GameRequest::LoadPosition(position) => {
                if let Some(refused) = self.refuse_if_over(&position) {
                    return refuse(refused);
                }
                self.set_branching(Branching::MainLine, now);
                self.apply(Command::LoadPosition(position), now)
            }
            GameRequest::Draws(draws) => {
                let policy = self.session.policy().with_draws(draws);
                self.apply(Command::SetPolicy(policy), now)
            }
        }
    }

    pub(super) fn go_to(&mut self, target: Target, now: Timestamp) -> Outcomes {
        if let (Target::Step(steps), Display::Board) = (target, self.display) {
            return self.view(self.node_ahead(i64::from(steps)), now);
        }
        match target.ply(&self.session) {
            Some(ply) => match self.session.record().on_line(ply) {
                Some(node) if self.display == Display::Board => {
                    let node = node.id();
                    self.view(node, now)
                }
                Some(_) | None => self.apply(Command::GoTo(GoTo::Ply(ply)), now),
            },
            None => refuse(Refused::NoSuchMove {
                plies: self.session.record().cursor_line().len(),
            }),
        }
    }

    /// Resumes a saved game with its players. A finished game stays as it ended. The clocks stay stopped until the
    /// player starts them, because someone who resumes a game looks at it first.
    pub fn resume(
        &mut self,
        game: Record,
        players: ByColor<PlayerSpec>,
        now: Timestamp,
    ) -> Outcomes {
        let mut outcomes = self.load(game, players, now);
        if self.session.clock(now).running.is_some() {
            outcomes.extend(self.apply(Command::Pause, now));
        }
        self.then_engines(outcomes, now)
    }

    /// Resumes a saved game for a program: the clocks run at once.
    pub fn resume_running(
        &mut self,
        game: Record,
        players: ByColor<PlayerSpec>,
        now: Timestamp,
    ) -> Outcomes {
        let mut outcomes = self.load(game, players, now);
        if self.opponents.stranger().is_none() {
            // The clocks start when there is nothing left to ask.
            outcomes.extend(self.apply(Command::Tick, now));
        }
        self.then_engines(outcomes, now)
    }

    fn load(&mut self, game: Record, players: ByColor<PlayerSpec>, now: Timestamp) -> Outcomes {
        let mut outcomes = self.leave_server();
        self.set_branching(Branching::MainLine, now);
        outcomes.extend(self.apply(Command::LoadGame(Box::new(game)), now));
        outcomes.extend(ordered(self.opponents.seat(players)));
        outcomes
    }

    /// Ends the game because a player stays away, whatever position is being viewed. It may be awarded to the opponent.
    pub fn abandon(&mut self, winner: Option<Color>, now: Timestamp) -> Outcomes {
        let outcomes = self.act(now, |_| Command::Abandon { winner });
        self.then_engines(outcomes, now)
    }

    /// Starts a game as described.
    pub fn start(&mut self, game: NewGame, now: Timestamp) -> Outcomes {
        let outcomes = self.put_new_game(game, now);
        self.then_engines(outcomes, now)
    }

    fn put_new_game(&mut self, mut game: NewGame, now: Timestamp) -> Outcomes {
        let mut outcomes = self.leave_server();
        self.opponents.sign(&mut game.tags);
        game.policy = game.policy.with_branching(Branching::MainLine);
        outcomes.extend(self.apply(Command::NewGame(Box::new(game)), now));
        outcomes.extend(ordered(self.opponents.new_game()));
        outcomes
    }

    /// Why no game can start from a position at a text display: it is over, and the next game would follow at once.
    fn refuse_if_over(&self, start: &Position) -> Option<Refused> {
        if self.display == Display::Board {
            return None;
        }
        let outcome = Session::new(NewGame::new(*start)).outcome();
        outcome.map(Refused::StartIsOver)
    }

    fn new_game(&mut self, request: NewRequest, now: Timestamp) -> Outcomes {
        if let Some(spec) = &request.opponent
            && let Err(error) = self.opponents.check(spec)
        {
            return refuse(Refused::Engine(error));
        }
        if let Some(Start::Position(start)) = &request.start
            && let Some(refused) = self.refuse_if_over(start)
        {
            return refuse(refused);
        }
        let mut game = self.session.same_again();
        if let Some(control) = request.clock {
            game = game.with_clock(&control);
        }
        if let Some(draws) = request.draws {
            game.policy.draws = draws;
        }
        for (color, name) in request.names.iter() {
            if let Some(name) = name {
                game.tags.remove(color.name());
                if !name.is_empty() {
                    // Typed text is a single line, and a tag refuses nothing else.
                    let _ = game.tags.set(color.name(), name);
                }
            }
        }
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
        let mut outcomes: Outcomes = side.map(Outcome::TookSide).into_iter().collect();
        outcomes.extend(ordered(self.opponents.seat(specs)));
        outcomes.extend(self.put_new_game(game, now));
        outcomes
    }

    fn rematch(&mut self, now: Timestamp) -> Outcomes {
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
        let mut outcomes: Outcomes = ordered(self.opponents.seat(swapped)).collect();
        outcomes.extend(self.put_new_game(game, now));
        outcomes
    }

    fn act(&mut self, now: Timestamp, command: impl FnOnce(&Table) -> Command) -> Outcomes {
        self.at_current_position(now, |table| {
            let command = command(table);
            table.apply(command, now)
        })
    }

    /// Does something at the current position of the game, whatever position is on the board, because that is what
    /// agreements and claims are about. A refusal changes nothing, not even the view.
    fn at_current_position(
        &mut self,
        now: Timestamp,
        act: impl FnOnce(&mut Table) -> Outcomes,
    ) -> Outcomes {
        let Some(node) = self.resume_at.filter(|_| self.kind == Kind::Played) else {
            return act(self);
        };
        let looked_at = self.session.record().cursor().id();
        let mut outcomes = self.apply(Command::GoTo(GoTo::Node(node)), now);
        self.resume_at = None;
        let acted = act(self);
        let refused = |outcome: &Outcome| matches!(outcome, Outcome::Refused(_));
        if acted.iter().any(refused) {
            outcomes.extend(self.apply(Command::GoTo(GoTo::Node(looked_at)), now));
            self.resume_at = Some(node);
            outcomes.retain(|outcome| !matches!(outcome, Outcome::Happened(_)));
        }
        outcomes.extend(acted);
        outcomes
    }

    /// Returns to the current position of the game if a flag has fallen while another one was being viewed, because
    /// that is where the game ends. Returns the side to move there.
    pub(super) fn return_flagged(&mut self, now: Timestamp) -> Option<Color> {
        let current = self.resume_at.filter(|_| self.kind == Kind::Played)?;
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

    fn claim(
        &mut self,
        rule: Option<ClaimRule>,
        intended: Option<String>,
        now: Timestamp,
    ) -> Outcomes {
        self.at_current_position(now, |table| {
            let turn = table.session.turn();
            match table.engines_turn(turn) {
                Some(refused) => refuse(refused),
                None => {
                    let intended = intended.map(MoveInput::Text);
                    table.apply(Command::Claim { rule, intended }, now)
                }
            }
        })
    }

    /// Why a person may not move for a side: an engine does.
    pub(super) fn engines_turn(&self, turn: Color) -> Option<Refused> {
        if self.opponents.is_human(turn) || self.session.outcome().is_some() {
            return None;
        }
        Some(Refused::EnginesTurn {
            turn,
            name: self.opponents.name(turn).unwrap_or_default(),
            looking: self.is_at_earlier_position() || self.is_elsewhere(),
        })
    }

    /// Why a person may not resign, offer or ask for a side: an engine plays it.
    fn engines_decision(&self, request: &GameRequest) -> Option<Refused> {
        let (GameRequest::Resign(by) | GameRequest::Offer(by) | GameRequest::Takeback(by)) =
            request
        else {
            return None;
        };
        let side = (*by)?;
        let plays = self.opponents.is_engine(side) && self.opponents.person().is_some();
        plays.then(|| Refused::EnginesDecision {
            side,
            name: self.opponents.name(side).unwrap_or_default(),
        })
    }

    /// Answers an offer or a request for the side that received it.
    fn answer(&mut self, what: Option<Pending>, reply: Reply, now: Timestamp) -> Outcomes {
        self.at_current_position(now, |table| table.answer_here(what, reply, now))
    }

    fn answer_here(&mut self, what: Option<Pending>, reply: Reply, now: Timestamp) -> Outcomes {
        match self.answering(what, reply) {
            Ok(command) => self.apply(command, now),
            Err(refused) => refuse(refused),
        }
    }

    /// The command that answers an offer or a request.
    pub(super) fn answering(
        &self,
        what: Option<Pending>,
        reply: Reply,
    ) -> Result<Command, Refused> {
        let offer = self.session.draw_offer();
        let wish = self.session.takeback().map(|takeback| takeback.by);
        let what = match (what, offer, wish) {
            (Some(what), ..) => what,
            (None, Some(_), Some(_)) => return Err(Refused::TwoToAnswer),
            (None, Some(_), None) => Pending::Draw,
            (None, None, Some(_)) => Pending::Takeback,
            (None, None, None) => return Err(Refused::NothingToAnswer),
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

    fn undo(&mut self, times: u32, now: Timestamp) -> Outcomes {
        let Some(person) = self.opponents.person() else {
            return self.apply(Command::Undo(UndoTo::Plies(times)), now);
        };
        // The first undo may be refused and says why. The others go as far as they can.
        let mut outcomes = self.apply(Command::Undo(UndoTo::TurnOf(person)), now);
        for _ in 1..times {
            if self.session.ply() < 2 {
                break;
            }
            outcomes.extend(self.apply(Command::Undo(UndoTo::TurnOf(person)), now));
        }
        outcomes
    }

    fn redo(&mut self, times: u32, now: Timestamp) -> Outcomes {
        let plies = match self.opponents.person() {
            Some(person) if person == self.session.turn() => times.saturating_mul(2),
            Some(_) | None => times,
        };
        self.apply(Command::Redo(plies), now)
    }

    /// Plays a move from the position being looked at. If that is not the current position, the game goes there first
    /// and a variation begins; nothing is lost. The move is checked before the game goes anywhere, so that a refusal
    /// changes nothing.
    fn play(&mut self, input: MoveInput, now: Timestamp) -> Outcomes {
        if self.is_remote() {
            return self.send_move(&input);
        }
        let position = *self.position();
        if let Some(refused) = self.engines_turn(position.turn()) {
            return refuse(refused);
        }
        let elsewhere = self.is_elsewhere();
        let opens = self.kind == Kind::Reviewed && self.session.ended_by_act();
        let closed = self.session.is_paused() || self.session.outcome().is_some();
        if closed && !elsewhere && !opens {
            return self.apply(Command::Play(input), now);
        }
        let mut outcomes = Vec::new();
        let played = match read(&input, &position, &mut outcomes) {
            Ok(played) => played,
            Err(refused) => return refuse(refused),
        };
        match self.try_out(played) {
            None => {}
            Some((tried, None)) if tried.is_good() => outcomes.push(Outcome::Tried(tried)),
            Some((tried, None)) => return refuse(Refused::Tried(tried)),
            Some((tried, Some(task))) => {
                return vec![Outcome::Tried(tried), Outcome::Study(Box::new(task))];
            }
        }
        if opens {
            // A review may continue after a resignation.
            let _ = self.session.apply(Command::undo(1), now);
        }
        outcomes.extend(self.play_here(played, now));
        outcomes
    }

    /// Plays a legal move from the position being looked at.
    pub(super) fn play_here(&mut self, played: Move, now: Timestamp) -> Outcomes {
        let mut outcomes = Vec::new();
        let from = self.is_elsewhere().then(|| self.node().id());
        if let Some(node) = from {
            outcomes = self.apply(Command::GoTo(GoTo::Node(node)), now);
        }
        let followed = self.node().children().next().is_some();
        match self.try_apply(Command::Play(MoveInput::Move(played)), now) {
            Ok(happened) => outcomes.push(Outcome::Happened(Happened {
                branched: from.is_some() && followed && self.kind == Kind::Played,
                ..happened
            })),
            Err(refused) => outcomes.push(Outcome::Refused(refused)),
        }
        outcomes
    }

    /// Sets or removes the premove.
    pub(super) fn set_premove(&mut self, input: Option<MoveInput>, now: Timestamp) -> Outcomes {
        let Some(input) = input else {
            let had = self.premove.take().is_some();
            return if had {
                vec![Outcome::Premove(None)]
            } else {
                refuse(Refused::NoPremove)
            };
        };
        let waits = self.opponents.person() == Some(!self.session.turn())
            && self.session.outcome().is_none()
            && !self.is_elsewhere()
            && !self.is_at_earlier_position();
        if !waits {
            return self.play(input, now);
        }
        self.hold_premove(input)
    }

    /// Keeps a move for the next turn. What it means is decided then, but unreadable text is refused now.
    pub(super) fn hold_premove(&mut self, input: MoveInput) -> Outcomes {
        if let MoveInput::Text(text) = &input
            && let Err(Unplayable::Refused(refusal @ MoveRefusal::Unreadable { .. })) =
                typed_move::parse(text, self.session.position())
        {
            return refuse(Refused::Game {
                refusal: Refusal::Move(refusal),
                typed: text.clone(),
            });
        }
        self.premove = Some(input.clone());
        vec![Outcome::Premove(Some(input))]
    }

    /// Plays the premove, if it is legal.
    pub(super) fn play_premove(&mut self, now: Timestamp) -> Outcomes {
        let Some(input) = self.premove.take() else {
            return Vec::new();
        };
        if self.session.outcome().is_some() || !self.opponents.is_human(self.session.turn()) {
            return Vec::new();
        }
        self.viewed = None;
        let dropped = |outcome| {
            if let Outcome::Refused(refused) = outcome {
                Outcome::PremoveDropped(Box::new(refused))
            } else {
                outcome
            }
        };
        self.play(input, now).into_iter().map(dropped).collect()
    }

    /// The move that is meant, if playing it from the position being looked at would take back moves of the game: there
    /// are moves after that position, and this is not one of them. A front may ask first.
    #[must_use]
    pub fn would_take_back(&self, input: &MoveInput) -> Option<Move> {
        let looks = self.is_elsewhere() || self.resume_at.is_some();
        if self.kind == Kind::Reviewed || !looks || self.study.is_some() || self.is_remote() {
            return None;
        }
        let next = self.node().next()?;
        let position = self.position();
        if self.engines_turn(position.turn()).is_some() {
            return None;
        }
        let played = read(input, position, &mut Vec::new()).ok()?;
        (next.step() != Some(Step::Move(played))).then_some(played)
    }

    /// Plays an engine's move. A person who is viewing another position stays there.
    pub(super) fn play_for_engine(&mut self, found: Move, now: Timestamp) -> Outcomes {
        let viewed = self.viewed;
        let played = self.try_apply(Command::Play(MoveInput::Move(found)), now);
        self.viewed = viewed;
        match played {
            Ok(happened) => {
                let mut outcomes = vec![Outcome::Happened(Happened {
                    by_engine: true,
                    ..happened
                })];
                outcomes.extend(self.play_premove(now));
                outcomes
            }
            Err(refused) => vec![Outcome::Refused(refused)],
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
        | GameRequest::Undo(_)
        | GameRequest::Redo(_)
        | GameRequest::GoTo(_)
        | GameRequest::New(_)
        | GameRequest::Rematch
        | GameRequest::LoadPosition(_)
        | GameRequest::Draws(_) => false,
    }
}

/// Finds the legal move that is meant. Text is read as people type it; another possible reading is added to the
/// outcomes.
pub(super) fn read(
    input: &MoveInput,
    position: &Position,
    outcomes: &mut Outcomes,
) -> Result<Move, Refused> {
    let MoveInput::Text(text) = input else {
        let resolved = input.resolve(position);
        return resolved.map_err(|refusal| Refused::from(Refusal::Move(refusal)));
    };
    match typed_move::parse(text, position) {
        Ok(read) => {
            outcomes.extend(read.also.map(|other| Outcome::ReadAs {
                played: position.san(read.played).to_string(),
                other,
            }));
            Ok(read.played)
        }
        Err(Unplayable::NothingToCapture(meant)) => Err(Refused::NothingToCapture(meant)),
        Err(Unplayable::Refused(refusal)) => Err(Refused::Game {
            refusal: Refusal::Move(refusal),
            typed: text.clone(),
        }),
    }
}

pub(super) fn refuse(refused: Refused) -> Outcomes {
    vec![Outcome::Refused(refused)]
}

/// A refusal of the session that is not about typed text.
impl From<Refusal> for Refused {
    fn from(refusal: Refusal) -> Refused {
        Refused::Game {
            refusal,
            typed: String::new(),
        }
    }
}
