//! What a person has on the desk: the game being played, a review beside it, and the game that ended last.
//!
//! [`Desk::handle`] takes requests, and the desk decides which board each is about, where the adviser looks, what has to be
//! saved and when, where an engine's judgment belongs, and what has to be asked before something is lost. A front turns
//! keys or lines into requests, and outcomes into pictures or sentences. Nothing here waits, prints, or opens a file.

mod beside;

use std::mem;

use tabiya_game::{
    Command, Event, EventKind, GameResult, MoveInput, Moved, NewGame, NodeId, Record, Session,
    Timestamp,
};
use tabiya_rules::{ByColor, Move};

use crate::engines::KnownEngines;
use crate::opponents::{BotManners, EngineEvent, Seat, UntrustedEngine};
use crate::outcome::{Happened, Outcome, Outcomes};
use crate::players::PlayerSpec;
use crate::remote::{Joined, ServerEvent};
use crate::request::{GameRequest, Request, StudyRequest, Target};
use crate::review::{DeskSource, JudgmentHome, Review, side_of};
use crate::study::{Study, StudyReport, copy_judgment};
use crate::table::{Display, Permission, ResumedClocks, Table};

pub use beside::Beside;

/// One of the two boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardId {
    /// The board of the game being played.
    Game,
    /// The board of the game under review.
    Review,
}

/// What can be done at a desk.
///
/// Stays exhaustive until 1.0, so that the compiler finds what a new request needs.
#[derive(Clone, Debug)]
pub enum DeskRequest<S> {
    /// A request to a board: the one in front, or that of the game if another game begins or the players change.
    Table(Request),
    /// Begin the game that was laid out.
    Begin,
    /// Start this game.
    Start(Box<NewGame>),
    /// Start the same kind of game as the one that has ended, which stays within reach.
    StartNext,
    /// Join a game on a server.
    Join(Box<Joined>),
    /// Resume a saved game with its players.
    Resume {
        /// The game.
        game: Box<Record>,
        /// Its players; `None` where nobody of this program has played, and a person is seated.
        players: ByColor<Option<PlayerSpec>>,
        /// What its clocks do.
        clocks: ResumedClocks,
    },
    /// Start an engine that only a file names, or give its side to a person.
    AnswerUntrusted(Box<UntrustedEngine>, Permission),
    /// View another position of the board in front.
    Look(Look),
    /// Put a game under review, in place of another one.
    Review(Box<Record>, S),
    /// Put the game being played under review, or the one that ended last.
    ReviewGame,
    /// Bring a board to the front.
    Show(BoardId),
    /// Discard the review.
    CloseReview,
}

impl<S, R: Into<Request>> From<R> for DeskRequest<S> {
    fn from(request: R) -> DeskRequest<S> {
        DeskRequest::Table(request.into())
    }
}

/// Another position to view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// This one.
    At(NodeId),
    /// That so many plies ahead, or back.
    Walk(i64),
    /// The current position of the game.
    Back,
}

/// One result of a request to a desk.
#[derive(Clone, Debug, PartialEq)]
pub enum DeskOutcome {
    /// An outcome at a board.
    At(BoardId, Outcome),
    /// Something that must be on the disk before what follows is shown.
    Save(SaveOrder),
    /// Another game is under review, and in front.
    Opened,
    /// Another board is in front.
    Front(BoardId),
    /// The judgment of a reviewed game is complete, and belongs to no save.
    JudgmentNotStored,
}

/// The results of a request, in order.
pub type DeskOutcomes = Vec<DeskOutcome>;

/// What has to be saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SaveOrder {
    /// The game being played, as it stands.
    Game,
    /// Its save is complete, because another game begins.
    ReleaseGame {
        /// Whether the save has the whole game.
        is_whole: bool,
    },
    /// The review, until a file has it.
    Review,
    /// The saved review is no longer needed.
    DiscardReview,
    /// The game that ended last, with its judgment.
    Finished,
    /// The stored game that the review comes from, with its judgment.
    ReviewedSave,
}

/// What is done with the changes of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Saving {
    /// Nothing is saved, and nobody expects it.
    #[default]
    Never,
    /// Only what the user saves: other changes would be lost.
    OnRequest,
    /// Every change is saved.
    EveryChange,
}

/// Something that may lose a game.
#[derive(Clone, Copy, Debug)]
pub enum Step<'a, S> {
    /// Playing a move.
    Play(&'a MoveInput),
    /// Beginning another game.
    NewGame,
    /// Opening a game for review, from this source if it is known already.
    Review(Option<&'a S>),
    /// Judging a game, or trying a mistake in it again.
    Study(&'a StudyRequest),
    /// Closing the review.
    CloseReview,
    /// Leaving the program.
    Quit,
}

/// What has to be asked before a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeskQuestion {
    /// The move takes back the moves after the position being viewed, against an engine or a clock.
    TakeBack(Move),
    /// The game goes on at the server.
    LeaveServer,
    /// The game being played is not saved.
    UnsavedGame,
    /// The review has changes that are not saved.
    UnsavedReview,
}

/// The game that ended last.
#[derive(Clone, Debug)]
pub struct FinishedGame {
    /// The game.
    pub session: Session,
    /// Its players; `None` where nobody of this program has played.
    pub players: ByColor<Option<PlayerSpec>>,
}

/// The game that texts and saves are about.
#[derive(Debug)]
pub enum Filed<'a, S> {
    /// The one under review.
    Review(&'a Review<S>),
    /// The one that ended last.
    Finished(&'a FinishedGame),
    /// The one on the board.
    Game(&'a Table),
}

impl<S> Copy for Filed<'_, S> {}

impl<S> Clone for Filed<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}

/// The game being played, the review beside it, and what belongs to both.
///
/// As text, one board is shown at a time: a review stands in front of the game, which waits meanwhile, and closing it leads
/// back. On a screen both stay, and the game goes on.
///
/// ```
/// use tabiya_game::{MoveInput, NewGame, Timestamp};
/// use tabiya_play::desk::{BoardId, Desk, DeskRequest};
/// use tabiya_play::opponents::Opponents;
/// use tabiya_play::players::PlayerSpec;
/// use tabiya_play::request::GameRequest;
/// use tabiya_play::review::{DeskSource, JudgmentHome, Source};
/// use tabiya_play::table::{Display, Table};
/// use tabiya_rules::{ByColor, Color, SplitMix64};
///
/// #[derive(Clone, Debug)]
/// struct Played;
///
/// impl Source for Played {
///     fn person(&self) -> Option<Color> {
///         None
///     }
/// }
///
/// impl DeskSource for Played {
///     fn played(_: &ByColor<Option<PlayerSpec>>) -> Played {
///         Played
///     }
///     fn judgment_home(&self) -> JudgmentHome {
///         JudgmentHome::Played
///     }
///     fn is_same_stored(&self, _: &Played) -> bool {
///         false
///     }
/// }
///
/// let table = Table::new(NewGame::default(), Display::Board, Opponents::default(), SplitMix64::new(1));
/// let mut desk: Desk<Played> = Desk::new(table);
/// let now = Timestamp::ORIGIN;
/// desk.handle(DeskRequest::Begin, now);
/// desk.handle(GameRequest::Play(MoveInput::Text("e4".into())), now);
/// desk.handle(DeskRequest::ReviewGame, now);
/// assert_eq!(desk.front_id(), BoardId::Review);
/// // The next move is tried out in the review, and the game stays as it is.
/// desk.handle(GameRequest::Play(MoveInput::Text("e4".into())), now);
/// assert_eq!(desk.game().session().ply(), 1);
/// ```
#[derive(Debug)]
pub struct Desk<S> {
    game: Table,
    beside: Beside<S>,
    finished: Option<Box<FinishedGame>>,
    /// Whether the game was paused for the review, and resumes afterwards.
    waits: bool,
    /// The user's name; empty for no name.
    player: String,
    saving: Saving,
    /// Whether the game being played has changes that neither a save nor a file has.
    has_unsaved_game: bool,
    /// What the request being carried out has led to so far.
    outcomes: DeskOutcomes,
}

impl<S: DeskSource> Desk<S> {
    /// Creates a desk with the table of a game. Its display is that of the desk.
    #[must_use]
    pub fn new(game: Table) -> Desk<S> {
        Desk {
            game,
            beside: Beside::default(),
            finished: None,
            waits: false,
            player: String::new(),
            saving: Saving::default(),
            has_unsaved_game: false,
            outcomes: Vec::new(),
        }
    }

    /// The table of the game being played.
    #[must_use]
    pub fn game(&self) -> &Table {
        &self.game
    }

    /// The game under review.
    #[must_use]
    pub fn review(&self) -> Option<&Review<S>> {
        self.beside.review()
    }

    /// Where the game under review comes from, mutable, to record where it is stored now.
    pub fn source_of_review(&mut self) -> Option<&mut S> {
        Some(self.beside.review_mut()?.source_mut())
    }

    /// The game that ended last, until a move is played in the next one.
    #[must_use]
    pub fn finished(&self) -> Option<&FinishedGame> {
        self.finished.as_deref()
    }

    /// The board in front.
    #[must_use]
    pub fn front_id(&self) -> BoardId {
        self.beside.front()
    }

    /// The table in front.
    #[must_use]
    pub fn front(&self) -> &Table {
        self.at(self.front_id())
    }

    /// The table of a board; without a review, that of the game.
    #[must_use]
    pub fn at(&self, id: BoardId) -> &Table {
        self.beside.at(id, &self.game)
    }

    fn at_mut(&mut self, id: BoardId) -> &mut Table {
        self.beside.at_mut(id, &mut self.game)
    }

    /// The game that texts and saves are about: the one in front, or the one that has just ended.
    #[must_use]
    pub fn filed(&self) -> Filed<'_, S> {
        match (self.front_id(), self.review(), &self.finished) {
            (BoardId::Review, Some(review), _) => Filed::Review(review),
            (_, _, Some(finished)) => Filed::Finished(finished),
            (BoardId::Game | BoardId::Review, ..) => Filed::Game(&self.game),
        }
    }

    /// Sets the user's name, which is empty for no name. It finds the user's side in games that are reviewed, and is written
    /// into games against engines, from the next one on.
    pub fn set_player(&mut self, name: &str) {
        name.clone_into(&mut self.player);
        self.game.set_person_name(name);
    }

    /// Sets whether bots resign hopeless games and offer draws.
    pub fn set_manners(&mut self, manners: BotManners) {
        self.game.set_manners(manners);
    }

    /// Sets the engines that a file may start without asking.
    pub fn set_known_engines(&mut self, engines: KnownEngines) {
        self.game.set_known_engines(engines);
    }

    /// Seats the players of a game that has not begun.
    pub fn seat_players(&mut self, players: ByColor<PlayerSpec>) {
        self.game.seat_players(players);
    }

    /// Sets what is done with changes of the game being played.
    pub fn set_saving(&mut self, saving: Saving) {
        self.saving = saving;
    }

    /// What is done with changes of the game being played.
    #[must_use]
    pub fn saving(&self) -> Saving {
        self.saving
    }

    /// Records whether the game being played has changes that neither a save nor a file has.
    pub fn set_unsaved_game(&mut self, is_unsaved: bool) {
        self.has_unsaved_game = is_unsaved;
    }

    /// Records that a file has what is in front, as it stands.
    pub fn mark_written(&mut self) {
        match self.front_id() {
            BoardId::Game => self.has_unsaved_game = false,
            BoardId::Review => self.set_unsaved_review(false),
        }
    }

    /// Records whether the review has changes that no file has.
    pub fn set_unsaved_review(&mut self, is_unsaved: bool) {
        if let Some(review) = self.beside.review_mut() {
            review.is_unsaved = is_unsaved;
        }
    }

    /// Whether the game being played has changes that neither a save nor a file has: they would be lost. Only this is called
    /// unsaved.
    #[must_use]
    pub fn has_unsaved_game(&self) -> bool {
        self.has_unsaved_game
    }

    /// Whether the review has changes that no file has.
    #[must_use]
    pub fn has_unsaved_review(&self) -> bool {
        self.review().is_some_and(Review::is_unsaved)
    }

    /// Returns what has to be asked before a step, because it would lose something.
    #[must_use]
    pub fn question_before(&self, step: &Step<'_, S>, now: Timestamp) -> Option<DeskQuestion> {
        let of_review = self
            .has_unsaved_review()
            .then_some(DeskQuestion::UnsavedReview);
        let of_game = self.has_unsaved_game.then_some(DeskQuestion::UnsavedGame);
        match step {
            Step::Play(input) => {
                let played = self.front().would_take_back(input, now)?;
                Some(DeskQuestion::TakeBack(played))
            }
            Step::NewGame if self.leaves_server() => Some(DeskQuestion::LeaveServer),
            // As text, the review is closed for it.
            Step::NewGame => of_game.or(of_review.filter(|_| self.is_text())),
            Step::Review(source) => {
                of_review.filter(|_| !source.is_some_and(|source| self.is_under_work(source)))
            }
            Step::Study(request) => of_review.filter(|_| self.studies_in_review(request)),
            Step::CloseReview => of_review,
            Step::Quit => of_game.or(of_review),
        }
    }

    /// Whether a game that goes on at a server is in front.
    fn leaves_server(&self) -> bool {
        let goes_on = self.game.session().outcome().is_none() && !self.game.is_shut_out();
        self.front_id() == BoardId::Game && self.game.is_remote() && goes_on
    }

    /// Whether the game is shown as text.
    fn is_text(&self) -> bool {
        self.game.display() == Display::Text
    }

    /// Whether a stored game is the one under review, with changes.
    fn is_under_work(&self, source: &S) -> bool {
        let is_it =
            |review: &Review<S>| review.is_unsaved && review.source().is_same_stored(source);
        self.review().is_some_and(is_it)
    }

    /// Carries out a request.
    pub fn handle(&mut self, request: impl Into<DeskRequest<S>>, now: Timestamp) -> DeskOutcomes {
        match request.into() {
            DeskRequest::Table(request) => self.handle_at_table(request, now),
            DeskRequest::Begin => {
                self.show(BoardId::Game, now);
                self.at_game(|game| game.begin(now));
            }
            DeskRequest::Start(game) => {
                self.leave_review(now);
                self.at_game(|table| table.start(*game, now));
            }
            DeskRequest::StartNext => self.start_next(now),
            DeskRequest::Join(joined) => {
                self.leave_review(now);
                self.at_game(|game| game.join(*joined, now));
            }
            DeskRequest::Resume {
                game,
                players,
                clocks,
            } => {
                self.leave_review(now);
                let absent = ByColor::from_fn(|color| players[color].is_none());
                let seated = players.map(Option::unwrap_or_default);
                self.at_game(|table| table.resume(*game, seated, clocks, now));
                self.game.set_absent(absent);
            }
            DeskRequest::AnswerUntrusted(engine, permission) => {
                self.at_game(|game| game.answer_untrusted(&engine, permission, now));
            }
            DeskRequest::Look(look) => {
                let front = self.front_id();
                let table = self.at_mut(front);
                let outcomes = match look {
                    Look::At(node) => table.look_at(node, now),
                    Look::Walk(plies) => table.walk(plies, now),
                    Look::Back => table.look_back(now).unwrap_or_default(),
                };
                self.push_outcomes(front, outcomes);
            }
            DeskRequest::Review(record, source) => self.open(*record, source, now),
            DeskRequest::ReviewGame => self.review_game(now),
            DeskRequest::Show(id) => self.show(id, now),
            DeskRequest::CloseReview => self.close_review(now),
        }
        mem::take(&mut self.outcomes)
    }

    /// Handles an engine's event.
    pub fn handle_engine_event(
        &mut self,
        seat: Seat,
        event: EngineEvent,
        now: Timestamp,
    ) -> DeskOutcomes {
        let id = match seat {
            // A game that waits for the review asks its engines again when it continues.
            Seat::Side(_) if self.is_text() && self.front_id() == BoardId::Review => {
                return Vec::new();
            }
            Seat::Side(_) => BoardId::Game,
            Seat::Adviser => self.front_id(),
        };
        let outcomes = self.at_mut(id).handle_engine_event(seat, event, now);
        self.push_outcomes(id, outcomes);
        mem::take(&mut self.outcomes)
    }

    /// Handles an event of the engine that judges a game, and decides where a finished judgment is stored. The user is not
    /// asked to save a judgment, but a tried move that the engine approves of is a change by the user.
    pub fn handle_study_report(&mut self, report: StudyReport, now: Timestamp) -> DeskOutcomes {
        let id = match self.review() {
            Some(_) => BoardId::Review,
            None => BoardId::Game,
        };
        let was_unsaved = self.has_unsaved_review();
        let outcomes = self.at_mut(id).handle_study_report(report, now);
        let is_own = |outcome: &Outcome| matches!(outcome, Outcome::Happened(done) if !done.changes_only_notes());
        let only_judged = !outcomes.iter().any(is_own);
        let all_judged = outcomes.contains(&Outcome::AllJudged);
        if only_judged && !was_unsaved && id == BoardId::Review {
            let outcomes = outcomes.into_iter();
            self.outcomes
                .extend(outcomes.map(|outcome| DeskOutcome::At(id, outcome)));
        } else {
            self.push_outcomes(id, outcomes);
        }
        if all_judged && id == BoardId::Review {
            self.store_judgment(was_unsaved, now);
        }
        mem::take(&mut self.outcomes)
    }

    /// Stores the judgment of the review with the game that it belongs to.
    fn store_judgment(&mut self, was_unsaved: bool, now: Timestamp) {
        let Some(review) = self.beside.review_mut() else {
            return;
        };
        match review.judgment_home() {
            JudgmentHome::Played if !self.game.is_remote() => {
                let judged = review.table.session().record();
                if let Some(finished) = &mut self.finished {
                    if !copy_judgment(judged, &mut finished.session, now).is_empty() {
                        self.outcomes.push(DeskOutcome::Save(SaveOrder::Finished));
                    }
                    return;
                }
                let outcomes = self.game.save_judgment(judged, now);
                if outcomes.is_empty() {
                    // Another game is being played meanwhile.
                    review.is_unsaved = true;
                    self.outcomes.push(DeskOutcome::Save(SaveOrder::Review));
                }
                self.push_outcomes(BoardId::Game, outcomes);
            }
            JudgmentHome::Stored if !was_unsaved => {
                self.outcomes
                    .push(DeskOutcome::Save(SaveOrder::ReviewedSave));
            }
            JudgmentHome::Played | JudgmentHome::Stored | JudgmentHome::Nowhere if !was_unsaved => {
                self.outcomes.push(DeskOutcome::JudgmentNotStored);
            }
            // It is one of the changes that are not saved.
            JudgmentHome::Played | JudgmentHome::Stored | JudgmentHome::Nowhere => {}
        }
    }

    /// Handles an event of the game's server.
    pub fn handle_server_event(&mut self, event: ServerEvent, now: Timestamp) -> DeskOutcomes {
        self.at_game(|game| game.handle_server_event(event, now));
        mem::take(&mut self.outcomes)
    }

    /// Lets time pass. A flag may fall.
    pub fn tick(&mut self, now: Timestamp) -> DeskOutcomes {
        self.at_game(|game| game.tick(now));
        mem::take(&mut self.outcomes)
    }

    /// Whether the game being played has a clock whose time is saved while a player thinks: one that runs here, and whose
    /// flag has not fallen.
    #[must_use]
    pub fn saves_clock(&self, now: Timestamp) -> bool {
        let flag = self.game.next_deadline(now);
        let runs = self.game.has_begun() && flag.is_some_and(|flag| flag > now);
        runs && self.saving != Saving::Never && !self.game.is_at_earlier_position()
    }

    /// The game being played with the time that the side to move has used so far, if that is to be saved. A front saves it
    /// every now and then and at its end, so that a program that is killed does not give the time back.
    #[must_use]
    pub fn clock_to_save(&self, now: Timestamp) -> Option<Session> {
        if !self.saves_clock(now) {
            return None;
        }
        let mut session = self.game.session().clone();
        // No flag falls, so nothing but time passes.
        let _ = session.apply(Command::Tick, now);
        Some(session)
    }

    /// When the next flag falls; `None` if none can.
    #[must_use]
    pub fn next_deadline(&self, now: Timestamp) -> Option<Timestamp> {
        self.game.next_deadline(now)
    }

    /// Ends the try at a mistake on the board in front. Returns the move that was to be improved.
    pub fn give_up_retry(&mut self) -> Option<NodeId> {
        self.at_mut(self.front_id()).give_up_retry()
    }

    /// Passes a request on to the table that it is about.
    fn handle_at_table(&mut self, request: Request, now: Timestamp) {
        let id = match &request {
            Request::Game(
                GameRequest::New(_) | GameRequest::Rematch | GameRequest::LoadPosition(_),
            ) => {
                self.leave_review(now);
                BoardId::Game
            }
            Request::Opponent(..) => BoardId::Game,
            Request::Study(request) => {
                self.prepare_study(request, now);
                self.front_id()
            }
            Request::Game(_) | Request::Notes(_) | Request::Ask(_) => self.front_id(),
        };
        let outcomes = self.at_mut(id).handle(request, now);
        self.push_outcomes(id, outcomes);
    }

    /// Whether the game on the board is put under review for a request: to judge it, unless it goes on as text; and to try
    /// its mistakes again if it is over, because an engine may sit at its board.
    fn studies_in_review(&self, request: &StudyRequest) -> bool {
        if self.front_id() == BoardId::Review {
            return false;
        }
        let (record, _) = self.played();
        let is_over = record.result() != GameResult::Unknown;
        match request {
            StudyRequest::Judge(_) => is_over || !self.is_text(),
            StudyRequest::Retry | StudyRequest::Line(_) => {
                is_over && Study::stored_in(&record).is_some()
            }
        }
    }

    /// Puts the game under review if that is where it is judged. Otherwise sets whose mistakes come first.
    fn prepare_study(&mut self, request: &StudyRequest, now: Timestamp) {
        if self.studies_in_review(request) {
            return self.review_game(now);
        }
        if self.front_id() == BoardId::Game {
            let tags = self.game.session().record().tags().stored();
            let person = self.game.opponents().person();
            let player = person.or_else(|| side_of(tags, &self.player));
            self.game.set_player(player);
        }
    }

    /// The game being played, or the one that ended last, with its players.
    fn played(&self) -> (Record, ByColor<Option<PlayerSpec>>) {
        match &self.finished {
            Some(finished) => (finished.session.publish(), finished.players.clone()),
            None => (self.game.session().publish(), self.game.players()),
        }
    }

    /// Puts the game being played under review, or the one that ended last.
    fn review_game(&mut self, now: Timestamp) {
        if self.front_id() == BoardId::Review {
            return;
        }
        let (record, players) = self.played();
        let source = S::played(&players);
        self.open(record, source, now);
    }

    /// Puts a game under review, at its start. A stored game with changes that is under review already is only shown.
    fn open(&mut self, record: Record, source: S, now: Timestamp) {
        if self.is_under_work(&source) {
            return self.show(BoardId::Review, now);
        }
        if self.has_unsaved_review() {
            self.outcomes
                .push(DeskOutcome::Save(SaveOrder::DiscardReview));
        }
        let mut review = Review::open(record, source, &self.player, self.game.display(), now);
        review.table.set_openings(self.game.openings());
        let is_first = self.review().is_none();
        let handed = self.beside.open(review, &mut self.game, now);
        self.outcomes.push(DeskOutcome::Opened);
        self.push_outcomes(BoardId::Review, handed);
        if self.is_text() {
            if is_first {
                self.wait_for_review(now);
            }
            let start = GameRequest::GoTo(Target::Start).into();
            self.handle_at_table(start, now);
        }
    }

    /// Pauses the game while it cannot be seen, if somebody would have to move or lose time.
    fn wait_for_review(&mut self, now: Timestamp) {
        let session = self.game.session();
        let runs = session.outcome().is_none() && !session.is_paused();
        self.waits = runs && !self.game.is_remote();
        if self.waits {
            self.toggle_clock(now);
        }
    }

    /// Pauses or resumes the game. Only what engines have to do is reported.
    fn toggle_clock(&mut self, now: Timestamp) {
        let mut outcomes = self.game.handle(GameRequest::Pause.into(), now);
        outcomes.retain(|outcome| matches!(outcome, Outcome::Order(_)));
        self.push_outcomes(BoardId::Game, outcomes);
    }

    /// Stops the clock of a game that has just begun, until somebody wants to play, or starts it again. Returns what engines
    /// have to do.
    pub fn hold_clock(&mut self, now: Timestamp) -> DeskOutcomes {
        self.toggle_clock(now);
        mem::take(&mut self.outcomes)
    }

    /// Brings a board to the front, and the adviser with it. Without a review, the game stays in front.
    fn show(&mut self, id: BoardId, now: Timestamp) {
        let Some(handed) = self.beside.show(id, &mut self.game, now) else {
            return;
        };
        self.outcomes.push(DeskOutcome::Front(id));
        self.push_outcomes(id, handed);
    }

    /// Brings the game to the front, because another one begins.
    fn leave_review(&mut self, now: Timestamp) {
        match self.is_text() {
            true => self.close_review(now),
            false => self.show(BoardId::Game, now),
        }
    }

    /// Discards the review. A game that was paused for it goes on.
    fn close_review(&mut self, now: Timestamp) {
        self.show(BoardId::Game, now);
        if self.beside.close().is_some() && mem::take(&mut self.waits) {
            self.toggle_clock(now);
        }
    }

    /// Starts the same kind of game as the one that has ended, which stays within reach.
    fn start_next(&mut self, now: Timestamp) {
        let finished = FinishedGame {
            session: self.game.session().clone(),
            players: self.game.players(),
        };
        let next = self.game.session().same_again();
        self.at_game(|game| game.start(next, now));
        self.finished = Some(Box::new(finished));
    }

    /// Does something at the table of the game, and adds the outcomes.
    fn at_game(&mut self, act: impl FnOnce(&mut Table) -> Outcomes) {
        let outcomes = act(&mut self.game);
        self.push_outcomes(BoardId::Game, outcomes);
    }

    /// Adds the outcomes at a board, each after the order to save what it has changed.
    fn push_outcomes(&mut self, id: BoardId, outcomes: Outcomes) {
        for outcome in outcomes {
            if let Outcome::Happened(happened) = &outcome {
                match id {
                    BoardId::Game => self.order_game_save(happened),
                    BoardId::Review => self.order_review_save(happened),
                }
            }
            self.outcomes.push(DeskOutcome::At(id, outcome));
        }
    }

    /// Orders the review to be saved if it has changed.
    fn order_review_save(&mut self, happened: &Happened) {
        let review = self.beside.review_mut();
        let Some(review) = review.filter(|_| happened.recorded) else {
            return;
        };
        review.is_unsaved = true;
        self.outcomes.push(DeskOutcome::Save(SaveOrder::Review));
    }

    /// Orders what has to be saved because something happened in the game being played.
    fn order_game_save(&mut self, happened: &Happened) {
        let events = &happened.events;
        for event in events {
            self.forget_finished(event);
        }
        // An engine has moved first in the next game, and nobody has answered yet.
        let is_move = |event: &Event| matches!(event, Event::Moved(_));
        let only_begun = self.finished.is_some() && events.iter().all(is_move);
        if self.game.is_remote() || only_begun {
            return;
        }
        if events.contains(&Event::GameLoaded) {
            // It comes from its save.
            self.has_unsaved_game = false;
        } else if events.iter().any(begins_game) {
            let is_whole = !mem::take(&mut self.has_unsaved_game);
            let release = SaveOrder::ReleaseGame { is_whole };
            self.outcomes.push(DeskOutcome::Save(release));
        } else if self.saving == Saving::OnRequest {
            self.has_unsaved_game |= events.iter().any(is_written);
        } else if self.saving == Saving::EveryChange {
            // The same request may have ordered it already.
            let is_order = |outcome: &&DeskOutcome| matches!(outcome, DeskOutcome::Save(_));
            let save = DeskOutcome::Save(SaveOrder::Game);
            if self.outcomes.iter().rfind(is_order) != Some(&save) {
                self.outcomes.push(save);
            }
        }
    }

    /// Forgets the game that ended last once the next one is being played. If an engine moves first, it stays within reach
    /// until the person has moved.
    fn forget_finished(&mut self, event: &Event) {
        let by_person = |moved: &Moved| self.game.opponents().is_human(moved.by);
        let is_over =
            begins_game(event) || matches!(event, Event::Moved(moved) if by_person(moved));
        if is_over {
            self.finished = None;
        }
    }
}

/// Whether another game is on the board.
fn begins_game(event: &Event) -> bool {
    event.kind() == EventKind::Game
}

/// Whether an event changes what a file of the game would show.
fn is_written(event: &Event) -> bool {
    match event.kind() {
        EventKind::Move
        | EventKind::End
        | EventKind::Annotation
        | EventKind::Tag
        | EventKind::Variation => true,
        EventKind::Walk | EventKind::Game | EventKind::Act => false,
    }
}

#[cfg(test)]
mod tests;
