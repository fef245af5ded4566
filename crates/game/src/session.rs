//! One game from its first move to its end and back: the state machine behind [`Session::apply`].
//!
//! Every change goes through `apply`, which first updates the time, and then either performs the whole command or
//! refuses it and leaves everything unchanged. What can be derived is not stored: the turn, the clock readings, the
//! claims, and the endings that follow from a position all come from the record and its cursor.

mod acts;
mod input;
mod limits;
mod moves;
mod restore;
mod save;
mod time;
mod walk;

use tabiya_rules::{ByColor, Color, MoveHistory, Position, Status};

use crate::claims::{self, Claim};
use crate::clock::{TimeControl, Timestamp};
use crate::command::{Command, NewGame};
use crate::dead::{DEAD_SEARCH_POSITIONS, Deadness, deadness};
use crate::event::Event;
use crate::history::History;
use crate::outcome::{DrawBy, Outcome};
use crate::policy::{DeadPositions, DrawPolicy, Policy};
use crate::record::{NodeId, Record};
use crate::refusal::Refusal;

/// A request to take a move back that has not been answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Takeback {
    /// The side that asked.
    pub by: Color,
    /// The ply to go back to.
    pub to: u32,
}

/// One game: its record with a cursor, its clocks, its offers, and its outcome.
///
/// `==` compares everything that [`Session::save`] stores: the record with its cursor and every position in full, the
/// clocks as of the last accepted command, the policy, the pause and the offers. It ignores the moment of the last
/// command, which means something only to the source of time.
///
/// ```
/// use tabiya_game::{Command, Event, Outcome, Session, Timestamp};
/// use tabiya_rules::Color;
///
/// let mut session = Session::default();
/// let now = Timestamp::ORIGIN;
/// for text in ["f3", "e5", "g4"] {
///     session.apply(Command::play(text), now)?;
/// }
/// let events = session.apply(Command::play("Qh4#"), now)?;
/// assert!(matches!(&events[0], Event::Moved(moved) if moved.check));
/// assert_eq!(events[1], Event::Ended(Outcome::Checkmate { winner: Color::Black }));
/// # Ok::<(), tabiya_game::Refusal>(())
/// ```
#[derive(Clone, Debug)]
pub struct Session {
    record: Record,
    clocks: ByColor<TimeControl>,
    policy: Policy,
    /// Whether the cursor is after the act that ended the game at its node.
    ended: bool,
    paused: bool,
    draw_offer: Option<Color>,
    takeback: Option<Takeback>,
    /// The node at which a draw was offered or a takeback asked for; derived when a game is restored.
    asked_at: Option<NodeId>,
    /// The moment up to which time has been counted; `None` until the clocks start.
    counted_until: Option<Timestamp>,
    history: History,
    /// The outcome that follows from the position at the cursor alone. Derived, and cached because it takes a search.
    by_position: Option<Outcome>,
}

impl Session {
    /// Creates a new game. Its clocks wait for the first command that starts them; see [`Session::apply`].
    pub fn new(game: NewGame) -> Session {
        let mut record = Record::new(game.start);
        *record.tags_mut() = save::own_tags_removed(game.tags);
        Session::from_parts(record, game.clocks, game.policy)
    }

    /// Creates a session at the start of a record.
    fn from_parts(record: Record, clocks: ByColor<TimeControl>, policy: Policy) -> Session {
        let initial = ByColor::from_fn(|color| clocks[color].initial());
        let history = History::new(&record, initial);
        let mut session = Session {
            record,
            clocks,
            policy,
            ended: false,
            paused: false,
            draw_offer: None,
            takeback: None,
            asked_at: None,
            counted_until: None,
            history,
            by_position: None,
        };
        session.update_derived();
        session
    }

    /// Performs a command at a moment, or refuses it.
    ///
    /// Time is updated first: if a flag has fallen, the events say so and the command is dropped. Otherwise it
    /// returns the events of the command in order, or a refusal that says why and leaves everything unchanged.
    ///
    /// The clocks of a new game start with the first accepted command that is about play. [`Command::Tick`] starts
    /// them and does nothing else. Refused commands do not start them, nor do commands that only write in the record,
    /// such as [`Command::SetTag`].
    ///
    /// # Errors
    /// Fails if the command is refused. A [`Refusal`] says why in a sentence.
    ///
    /// ```
    /// use tabiya_game::{Command, Event, Session, Timestamp};
    ///
    /// let mut session = Session::default();
    /// let now = Timestamp::ORIGIN;
    /// for text in "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1".split(' ') {
    ///     session.apply(Command::play(text), now)?;
    /// }
    /// let events = session.apply(Command::play("Ng8"), now)?;
    /// assert!(matches!(events[..], [Event::Moved(_), Event::ClaimAvailable(_)]));
    /// session.apply(Command::claim(), now)?;
    /// assert_eq!(session.outcome().unwrap().to_string(), "Draw claimed by threefold repetition.");
    /// # Ok::<(), tabiya_game::Refusal>(())
    /// ```
    pub fn apply(&mut self, command: Command, now: Timestamp) -> Result<Vec<Event>, Refusal> {
        if let Some(color) = self.fallen_flag(now) {
            return Ok(self.drop_flag(color, now));
        }
        let waits = self.counted_until.is_none() && !command.starts_clocks();
        let answer = self.perform(command, now);
        if waits {
            self.counted_until = None;
        }
        answer
    }

    /// Performs a command for which no flag has fallen.
    fn perform(&mut self, command: Command, now: Timestamp) -> Result<Vec<Event>, Refusal> {
        match command {
            Command::Play(input) => self.play(&input, now),
            Command::Undo(to) => self.undo(to, now),
            Command::Redo(steps) => self.redo(steps, now),
            Command::GoTo(place) => self.go_to(place, now),
            Command::Claim { rule, intended } => self.claim(rule, intended.as_ref(), now),
            Command::OfferDraw(by) => self.offer_draw(by, now),
            Command::AcceptDraw(by) => self.accept_draw(by, now),
            Command::DeclineDraw(by) => self.decline_draw(by, now),
            Command::Resign(by) => self.resign(by, now),
            Command::AskTakeback(by) => self.ask_takeback(by, now),
            Command::GrantTakeback(by) => self.grant_takeback(by, now),
            Command::DeclineTakeback(by) => self.decline_takeback(by, now),
            Command::Abandon { winner } => self.decide(Outcome::Abandoned { winner }, now),
            Command::Adjudicate { winner } => self.decide(Outcome::Adjudicated { winner }, now),
            Command::ForfeitOnTime(loser) => self.decide(Outcome::Time { loser }, now),
            Command::ForfeitByRules(loser) => self.decide(Outcome::RulesInfraction { loser }, now),
            Command::Tick => {
                self.count_time(now);
                Ok(Vec::new())
            }
            Command::Pause => self.pause(now),
            Command::Resume => self.resume(now),
            Command::NewGame(game) => Ok(self.begin(Session::new(*game), Event::NewGame, now)),
            Command::LoadPosition(start) => {
                let game = NewGame {
                    start: *start,
                    ..self.same_again()
                };
                Ok(self.begin(Session::new(game), Event::PositionLoaded, now))
            }
            Command::LoadGame(record) => {
                let loaded = Session::restored(*record, self.policy);
                Ok(self.begin(loaded, Event::GameLoaded, now))
            }
            Command::Comment { node, text } => self.comment(node, &text, now),
            Command::Glyph { node, glyph } => self.mark(node, glyph, now),
            Command::Marks {
                node,
                squares,
                arrows,
            } => self.draw_marks(node, squares, arrows, now),
            Command::Evaluate {
                node,
                evaluation,
                best,
            } => self.evaluate(node, evaluation, &best, now),
            Command::Promote(node) => self.reorder(node, Record::promote, now),
            Command::PromoteToMainLine(node) => {
                self.reorder(node, Record::promote_to_main_line, now)
            }
            Command::Demote(node) => self.reorder(node, Record::demote, now),
            Command::Delete(node) => self.delete(node, now),
            Command::SetTag { name, value } => self.set_tag(name, value.as_deref(), now),
            Command::SetPolicy(policy) => Ok(self.set_policy(policy, now)),
        }
    }

    /// Returns the record, with the cursor at the current position.
    ///
    /// Its result is left open; [`Session::save`] returns a record that says how the game ended.
    pub fn record(&self) -> &Record {
        &self.record
    }

    /// Returns the position on the board.
    pub fn position(&self) -> &Position {
        self.record.position_of(self.record.cursor_id())
    }

    /// Returns the side to move.
    pub fn turn(&self) -> Color {
        self.position().turn()
    }

    /// Returns the number of plies played to reach the position on the board.
    pub fn ply(&self) -> u32 {
        self.record.way().len() as u32
    }

    /// Returns how the game ended; `None` while it is in progress.
    pub fn outcome(&self) -> Option<Outcome> {
        let act = self
            .record
            .extra(self.record.cursor_id())
            .and_then(|extra| extra.ending);
        act.filter(|_| self.ended).or(self.by_position)
    }

    /// Returns whether the game ended by an act (a claim, an agreement, a resignation, a flag, a decision from
    /// outside) and not by the position on the board. The first undo then takes back the act, not a move.
    pub fn ended_by_act(&self) -> bool {
        self.ended
    }

    /// Returns the optional rules of this game.
    pub fn policy(&self) -> Policy {
        self.policy
    }

    /// Returns the time each side was given.
    pub fn clocks(&self) -> &ByColor<TimeControl> {
        &self.clocks
    }

    /// Returns whether the clocks are stopped.
    pub fn is_paused(&self) -> bool {
        self.paused
    }

    /// Returns the side that offered a draw that has not been answered. An offer belongs to the place in the record
    /// where it was made; there is none anywhere else.
    pub fn draw_offer(&self) -> Option<Color> {
        self.draw_offer.filter(|_| self.is_where_asked())
    }

    /// Returns the request to take a move back that has not been answered. It also belongs to the place where it was
    /// made.
    pub fn takeback(&self) -> Option<Takeback> {
        self.takeback.filter(|_| self.is_where_asked())
    }

    /// Returns whether the cursor is where a draw was offered or a takeback asked for.
    fn is_where_asked(&self) -> bool {
        self.asked_at == Some(self.record.cursor_id())
    }

    /// Returns how often the position on the board has occurred on the way to it, including now.
    pub fn repetitions(&self) -> u32 {
        self.history.count()
    }

    /// Returns the claims that the position on the board justifies, the 50-move rule first. There are none after the
    /// game is over.
    pub fn claims(&self) -> Vec<Claim> {
        if self.outcome().is_some() {
            return Vec::new();
        }
        let position = self.position();
        let plies = self.history.plies(position);
        claims::claims(position.turn(), position.halfmove_clock(), &plies, None).collect()
    }

    /// Returns the claims that an intended move of the player to move would justify. They are never announced.
    pub fn claims_by_move(&self) -> Vec<Claim> {
        if self.outcome().is_some() || self.policy.draws == DrawPolicy::Automatic {
            return Vec::new();
        }
        let position = self.position();
        position
            .legal_moves()
            .into_iter()
            .flat_map(|played| self.claims_with(played))
            .collect()
    }

    /// Returns whether the position on the board can still lead to a mate; see [`deadness`].
    pub fn deadness(&self) -> Deadness {
        deadness(self.position(), DEAD_SEARCH_POSITIONS)
    }

    /// Returns the settings for another game between the same players, with the same clocks and policy, from the
    /// standard start.
    pub fn same_again(&self) -> NewGame {
        NewGame {
            start: Position::start(),
            clocks: self.clocks.clone(),
            policy: self.policy,
            tags: self.record.tags().stored().clone(),
        }
    }

    /// Updates what is derived from the cursor.
    fn update_derived(&mut self) {
        self.history.move_to_cursor(&self.record);
        self.by_position = self.outcome_by_position();
    }

    /// Adds the events that follow a change of place: the end of the game there, or the claims available.
    fn announce(&self, events: &mut Vec<Event>) {
        if let Some(outcome) = self.outcome() {
            events.push(Event::Ended(outcome));
            return;
        }
        let claims = self.claims();
        if !claims.is_empty() {
            events.push(Event::ClaimAvailable(claims));
        }
    }

    /// Refuses a command that needs a game in progress.
    fn refuse_if_over(&self) -> Result<(), Refusal> {
        self.outcome()
            .map_or(Ok(()), |outcome| Err(Refusal::GameOver(outcome)))
    }

    /// Replaces this game with another.
    fn begin(&mut self, game: Session, event: Event, now: Timestamp) -> Vec<Event> {
        *self = Session {
            counted_until: Some(now),
            ..game
        };
        let mut events = vec![event];
        // Pending offers and requests of a loaded game are announced again.
        events.extend(self.draw_offer().map(|by| Event::DrawOffered { by }));
        let takeback = self.takeback().map(|Takeback { by, .. }| by);
        events.extend(takeback.map(|by| Event::TakebackAsked { by }));
        self.announce(&mut events);
        events
    }

    /// Returns the ending that follows from the position at the cursor, in order of precedence.
    fn outcome_by_position(&self) -> Option<Outcome> {
        let position = self.position();
        let clock = position.halfmove_clock();
        match position.status() {
            Status::Checkmate { winner } => return Some(Outcome::Checkmate { winner }),
            Status::Stalemate => return Some(Outcome::Stalemate),
            Status::InsufficientMaterial => return Some(Outcome::InsufficientMaterial),
            Status::Ongoing => {}
        }
        if clock >= 150 {
            return Some(Outcome::SeventyFiveMoves);
        }
        if self.history.count() >= 5 {
            return Some(Outcome::Fivefold);
        }
        if self.policy.draws == DrawPolicy::Automatic {
            if clock >= 100 {
                return Some(Outcome::FiftyMoves(DrawBy::Policy));
            }
            if self.history.count() >= 3 {
                return Some(Outcome::Threefold(DrawBy::Policy));
            }
        }
        let asked = self.policy.dead_positions == DeadPositions::End;
        (asked && self.deadness() == Deadness::Dead).then_some(Outcome::DeadPosition)
    }
}

impl Default for Session {
    /// Returns a game from the standard start, without clocks, under the Laws.
    fn default() -> Session {
        Session::new(NewGame::default())
    }
}

impl From<&Session> for MoveHistory {
    /// Returns the moves from the start to the current position; see [`Node::history`](crate::Node::history).
    fn from(session: &Session) -> MoveHistory {
        session.record().cursor().history()
    }
}

impl PartialEq for Session {
    fn eq(&self, other: &Session) -> bool {
        self.record == other.record
            && self.clocks == other.clocks
            && self.policy.draws == other.policy.draws
            && self.policy.dead_positions == other.policy.dead_positions
            && self.ended == other.ended
            && self.paused == other.paused
            && self.draw_offer() == other.draw_offer()
            && self.takeback() == other.takeback()
    }
}

impl Eq for Session {}
