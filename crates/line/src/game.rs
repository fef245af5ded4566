//! A game in the line mode: what a typed line does, the replies, and the next prompt.
//!
//! The table carries out requests ([`Table::handle`]); here its outcomes become replies and effects. Nothing is read,
//! printed or written.

use std::path::PathBuf;
use std::time::Duration;

use tabiya_front::commands::{self, Command, ProgramCommand};
use tabiya_front::config::settings::Settings;
use tabiya_front::explorer::{Explorer, ExplorerQuery, GameSources};
use tabiya_front::game_file::Extent;
use tabiya_front::json::events::{Turn, turn};
use tabiya_front::matches::{MatchOrder, Report};
use tabiya_front::opening_names;
use tabiya_front::review::{Desk, Origin, Review};
use tabiya_front::wording::answers::BoardDisplay;
use tabiya_front::wording::{Reply, events, refusals};
use tabiya_game::{NewGame, Timestamp};
use tabiya_play::desk::{DeskOutcome, DeskOutcomes, DeskRequest, Saving, Step};
use tabiya_play::opponents::{EngineEvent, EngineOrder, Opponents, Seat, UntrustedEngine};
use tabiya_play::outcome::Outcome;
use tabiya_play::players::Level;
use tabiya_play::request::{GameRequest, Request, ServerRequest};
use tabiya_play::study::{StudyReport, StudyTask};
use tabiya_play::table::{Display, Table};
use tabiya_rules::{Color, DiagramPieces, Position, SplitMix64};
use tabiya_store::{SaveName, SavedGame};
use unsaved::Discard;

/// Something to do or to print, in order.
#[derive(Clone, Debug)]
pub enum LineEffect {
    /// Print a reply.
    Say(Reply),
    /// Write to a new file, and report the result.
    Write(FileOutput),
    /// Replace a file.
    Replace(FileOutput),
    /// Replace the game that was read from a file, and pass the result to `LineGame::put_back`.
    PutBack(FileOutput, Extent),
    /// Read the first game of a file, and pass it to `LineGame::open`.
    Open(PathBuf),
    /// Give an engine an order.
    Order(EngineOrder),
    /// Have an engine judge positions. It replaces the current task.
    Study(Box<StudyTask>),
    /// Send a request to the game's server, with the current ply.
    Server(ServerRequest, u32),
    /// Start a match, and pass the result to `LineGame::match_started`.
    Match(Box<MatchOrder>),
    /// Query a database in another thread, and pass the answer to `LineGame::explored`.
    Explore(Box<ExplorerQuery>),
    /// Do something with the saves.
    Save(LineSaveEffect),
    /// Write the level of the bot that fits the player into the config.
    StoreLevel(Level),
    /// Show a board, if a person reads the output.
    Show(String),
    /// Exit.
    Leave,
}

/// The form of a text for a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextForm {
    /// As PGN.
    Pgn,
    /// As one JSON object.
    Json,
    /// The board as a picture.
    Svg,
}

impl TextForm {
    /// The command that writes it.
    fn command(self) -> &'static str {
        match self {
            TextForm::Pgn => "pgn",
            TextForm::Json => "json",
            TextForm::Svg => "svg",
        }
    }
}

/// A text for a file.
#[derive(Clone, Debug, PartialEq)]
pub struct FileOutput {
    /// The form of the text.
    pub form: TextForm,
    /// The file, as typed.
    pub path: PathBuf,
    /// What is written to it.
    pub text: String,
}

/// An effect on saved games.
#[derive(Clone, Debug)]
pub enum LineSaveEffect {
    /// Save the game before anything is printed.
    Autosave(Box<SavedGame>),
    /// Close the game's save, because another game begins.
    Release {
        /// Whether the save has the whole game.
        is_whole: bool,
    },
    /// Save the game under a name, or again under its current one.
    Save(Option<SaveName>, Box<SavedGame>),
    /// Open a save and resume its game.
    Load(SaveName),
    /// Read a save, and pass it to `LineGame::open_save`.
    Review(SaveName),
    /// List the saves.
    List,
    /// Ask whether to delete a save, if it exists.
    AskToDelete(SaveName),
    /// Move a save to the trash.
    Delete(SaveName),
    /// Write a finished game to its save again, with its judgment: to the save of this name, otherwise to that of the
    /// game that has just ended.
    SaveJudgment(Option<SaveName>, Box<SavedGame>),
    /// Write a game under a name, independently of the game being played.
    SaveCopy(SaveName, Box<SavedGame>),
}

impl From<LineSaveEffect> for LineEffect {
    fn from(effect: LineSaveEffect) -> LineEffect {
        LineEffect::Save(effect)
    }
}

/// The prompt before the next line.
#[derive(Clone, Debug)]
pub struct Prompt {
    /// The board, if it is shown.
    pub board: Option<String>,
    /// The menu for a claim that the player has not answered yet.
    pub menu: Option<[String; 3]>,
    /// The prompt as text.
    pub text: String,
    /// The same as an event.
    pub turn: Turn,
}

/// What the line mode knows: the desk, its settings, and what it waits for.
#[derive(Debug)]
pub struct LineGame {
    /// The game being played, and a game under review in front of it.
    desk: Desk,
    display: BoardDisplay,
    /// Whether a claim is available in the game that the player has not answered yet.
    is_menu_open: bool,
    running_match: Option<Report>,
    /// Whether a person types the lines, who can be asked before something is lost. A program at the other end of a pipe
    /// is not asked.
    pub(super) is_interactive: bool,
    /// What is deleted or replaced if the next line says yes.
    confirmation: Option<saves::Confirmation>,
    /// The engine that is started if the next line says yes.
    offered_engine: Option<UntrustedEngine>,
    /// The level of the bot that fits the player; `None` if that is not recorded.
    level: Option<Level>,
    /// The side at the bottom when a game begins.
    bottom: Color,
    /// Whether a flag fell before anything was typed, so that a move typed now was meant for the previous game.
    pub(super) is_late: bool,
    /// Whether the clock of a new game is stopped until somebody wants to play.
    is_clock_held: bool,
    /// Whether the user went back to an earlier position to look at it, and not to play on from there.
    is_looking_back: bool,
    game_sources: GameSources,
    explorer: Explorer,
    /// How many queries of databases are not answered yet.
    pending_queries: usize,
}

impl LineGame {
    /// Creates a table without a game.
    pub fn new(random: SplitMix64, opponents: Opponents) -> LineGame {
        let mut game = Table::new(NewGame::default(), Display::Text, opponents, random);
        game.set_openings(opening_names::known());
        let mut desk = Desk::new(game);
        desk.set_saving(Saving::OnRequest);
        LineGame {
            desk,
            display: BoardDisplay {
                board: true,
                pieces: DiagramPieces::Letters,
                blindfold: false,
                bottom: Color::White,
            },
            is_menu_open: false,
            running_match: None,
            is_interactive: false,
            confirmation: None,
            offered_engine: None,
            level: None,
            bottom: Color::White,
            is_late: false,
            is_clock_held: false,
            is_looking_back: false,
            game_sources: GameSources::default(),
            explorer: Explorer::default(),
            pending_queries: 0,
        }
    }

    /// Applies the settings. Only a person has a level.
    pub fn configure(&mut self, settings: &Settings, is_interactive: bool) {
        self.game_sources = settings.game_sources();
        self.desk.set_player(settings.player());
        self.level = is_interactive.then_some(settings.level);
        self.is_interactive = is_interactive;
    }

    /// Begins a game.
    pub fn begin(&mut self, game: NewGame, now: Timestamp) -> Vec<LineEffect> {
        self.handle(DeskRequest::Start(Box::new(game)), now)
    }

    /// The prompt now; none while an engine is thinking. Lines typed meanwhile are commands.
    pub fn prompt(&self, now: Timestamp) -> Option<Prompt> {
        if self.is_waiting() {
            return None;
        }
        let session = self.table().session();
        let side = session.turn();
        let claims = session.claims();
        let claim = claims.first().filter(|_| self.shows_menu());
        Some(Prompt {
            board: self.shows_board().then(|| self.board()),
            menu: claim.map(|claim| events::menu(side, claim.rule())),
            text: match session.outcome() {
                _ if claim.is_some() => "1, 2 or a move: ".to_owned(),
                _ if self.is_review() || self.is_looking_back => {
                    format!("Reviewing, {side} to move: ")
                }
                None => format!("{side}'s turn. Enter move: "),
                Some(_) => "Game over. Enter command: ".to_owned(),
            },
            turn: turn(session, now),
        })
    }

    /// How long until a flag falls, if one can.
    pub fn flag_in(&self, now: Timestamp) -> Option<Duration> {
        self.desk.next_deadline(now).map(|then| then.since(now))
    }

    /// Whether the player is asked about a claim.
    fn shows_menu(&self) -> bool {
        self.is_menu_open && !self.is_review()
    }

    /// Whether the board is shown before each prompt.
    fn shows_board(&self) -> bool {
        self.display.board && !self.display.blindfold
    }

    /// The desk that the game is at.
    #[must_use]
    pub fn desk(&self) -> &Desk {
        &self.desk
    }

    /// The table in front.
    fn table(&self) -> &Table {
        self.desk.front()
    }

    /// Records whether every change of the game is saved.
    pub(super) fn set_saves_changes(&mut self, saves: bool) {
        self.desk.set_saving(match saves {
            true => Saving::EveryChange,
            false => Saving::OnRequest,
        });
    }

    /// Records whether the game has changes that are not on the disk.
    pub(super) fn set_unsaved(&mut self, is_unsaved: bool) {
        self.desk.set_unsaved_game(is_unsaved);
    }

    /// The position of the board in front.
    #[must_use]
    pub fn position(&self) -> &Position {
        self.table().session().position()
    }

    /// Whether the game or the review has changes that are not on the disk.
    pub fn has_unsaved_changes(&self) -> bool {
        self.desk.has_unsaved_game() || self.desk.has_unsaved_review()
    }

    /// The moves that can be typed now, in both notations; none if an engine is to move.
    pub fn moves(&self) -> Vec<String> {
        let position = self.position();
        if self.is_waiting() {
            return Vec::new();
        }
        let legal = position.legal_moves();
        let san = legal.iter().map(|&played| position.san(played).to_string());
        let uci = legal.iter().map(|&played| position.uci(played).to_string());
        let mut moves: Vec<String> = san.chain(uci).collect();
        moves.sort_unstable();
        moves
    }

    /// Whether there is no prompt now, because an engine has to answer first.
    pub fn is_waiting(&self) -> bool {
        self.is_thinking() || self.awaits_others() || self.owes_answer()
    }

    /// Whether something that the user asked for is not answered yet.
    pub fn owes_answer(&self) -> bool {
        self.table().adviser().is_awaited()
            || self.table().is_judging()
            || self.running_match.is_some()
            || self.pending_queries > 0
    }

    /// Whether an engine is thinking about its move.
    pub fn is_thinking(&self) -> bool {
        self.table().opponents().thinking().is_some()
    }

    /// Whether a line from a pipe is handled at once, even while an engine is thinking. All others wait for the prompt,
    /// so that a script gets the same answers however long an engine thinks. What was asked before `quit` is answered
    /// first.
    pub fn is_urgent(&self, line: &str) -> bool {
        let read = commands::read(line);
        if read == Ok(ProgramCommand::Quit.into()) {
            return !self.owes_answer();
        }
        matches!(
            read,
            Ok(Command::Table(
                Request::Game(
                    GameRequest::Resign(_)
                        | GameRequest::Offer(_)
                        | GameRequest::Takeback(_)
                        | GameRequest::Pause
                ) | Request::Opponent(..)
            ))
        )
    }

    /// Lets time pass.
    pub fn tick(&mut self, now: Timestamp) -> Vec<LineEffect> {
        let outcomes = self.desk.tick(now);
        self.show_outcomes(outcomes, now)
    }

    /// Handles an engine's event.
    pub fn handle_engine_event(
        &mut self,
        seat: Seat,
        event: EngineEvent,
        now: Timestamp,
    ) -> Vec<LineEffect> {
        let mut outcomes = self.desk.handle_engine_event(seat, event, now);
        // A premove is said as well, because nobody has just typed it.
        for outcome in &mut outcomes {
            if let DeskOutcome::At(_, Outcome::Happened(happened)) = outcome {
                happened.by_engine = true;
            }
        }
        self.show_outcomes(outcomes, now)
    }

    /// Handles an event of the engine that judges the game.
    pub fn handle_study_report(&mut self, report: StudyReport, now: Timestamp) -> Vec<LineEffect> {
        let outcomes = self.desk.handle_study_report(report, now);
        self.show_outcomes(outcomes, now)
    }

    /// Says goodbye and exits.
    pub fn leave(&self) -> Vec<LineEffect> {
        vec![LineEffect::Say(Reply::Goodbye), LineEffect::Leave]
    }

    /// Performs a typed line.
    pub fn submit(&mut self, line: &str, now: Timestamp) -> Vec<LineEffect> {
        // A line that comes after the flag fell belongs to a finished game, unless it is `quit`.
        let mut effects = self.tick(now);
        let read = commands::read(line);
        if !effects.is_empty() {
            if read == Ok(ProgramCommand::Quit.into()) {
                effects.extend(self.leave_or_ask(now));
            }
            return effects;
        }
        if let Some(effects) = self.answer_confirmation(line, now) {
            return effects;
        }
        // Enter alone shows a person the board and the prompt again.
        let is_enter = line.trim().is_empty() && self.is_interactive;
        let is_move = matches!(
            read,
            Ok(Command::Table(Request::Game(GameRequest::Play(_))))
        );
        if let Some(refused) = self.refuse_late_move(is_move && !is_enter) {
            return refused;
        }
        let (answered, mut effects) = self.answer_about_untrusted(line, now);
        if answered {
            return effects;
        }
        if is_enter {
            return effects;
        }
        // The clock that was held starts with the first move.
        if is_move && std::mem::take(&mut self.is_clock_held) {
            effects.extend(self.toggle_clock(now));
        }
        effects.extend(match (self.answer_menu(line, now), read) {
            (Some(answered), _) => answered,
            (None, Ok(command)) => match self.ask_before(&command, now) {
                Some(asked) => asked,
                None => self.perform(command, now),
            },
            (None, Err(misused)) => vec![LineEffect::Say(Reply::Refused {
                code: "usage",
                lines: refusals::misused(&misused),
            })],
        });
        effects
    }

    /// Refuses the first line after the flag fell, if it is a move: it was meant for the previous game.
    fn refuse_late_move(&mut self, is_move: bool) -> Option<Vec<LineEffect>> {
        let is_late = std::mem::take(&mut self.is_late);
        let sentence =
            "That move came after the flag fell, so it was not played: this is the next game.";
        (is_late && is_move).then(|| refuse("too_late", sentence))
    }

    /// Takes a line as the answer to the menu for a claim, if that is shown: 1 claims, 2 plays on.
    fn answer_menu(&mut self, line: &str, now: Timestamp) -> Option<Vec<LineEffect>> {
        if !self.shows_menu() || self.is_waiting() {
            return None;
        }
        match line.trim() {
            "1" => Some(self.request(GameRequest::CLAIM, now)),
            "2" => {
                self.is_menu_open = false;
                Some(Vec::new())
            }
            _ => None,
        }
    }

    fn request(&mut self, request: impl Into<Request>, now: Timestamp) -> Vec<LineEffect> {
        self.handle(DeskRequest::Table(request.into()), now)
    }

    fn handle(&mut self, request: DeskRequest<Origin>, now: Timestamp) -> Vec<LineEffect> {
        let outcomes = self.desk.handle(request, now);
        self.show_outcomes(outcomes, now)
    }

    /// Turns outcomes into effects. After the end of a game the next one follows, if a person plays.
    fn show_outcomes(&mut self, outcomes: DeskOutcomes, now: Timestamp) -> Vec<LineEffect> {
        let mut effects = Vec::new();
        let mut ended = false;
        for outcome in outcomes {
            match outcome {
                DeskOutcome::At(id, outcome) if id == self.desk.front_id() => {
                    if let Outcome::Happened(happened) = &outcome {
                        ended |= happened.ended_by_playing();
                    }
                    self.show_outcome(outcome, &mut effects);
                }
                DeskOutcome::At(_, outcome) => effects.extend(self.order_in_background(outcome)),
                DeskOutcome::Save(order) => effects.extend(self.save_effect(order)),
                DeskOutcome::Opened => {
                    let record = self.desk.review().map(Review::record);
                    let said = record.as_ref().map(review::introduction);
                    effects.extend(say("review", said.into_iter().collect()));
                }
                DeskOutcome::Front(_) => {}
                DeskOutcome::JudgmentNotStored if self.is_interactive => {
                    let sentence = "Enter pgn FILE to keep the judgment.";
                    effects.extend(say("study", vec![sentence.to_owned()]));
                }
                DeskOutcome::JudgmentNotStored => {}
            }
        }
        if ended && !self.is_review() {
            effects.extend(self.shows_board().then(|| LineEffect::Show(self.board())));
            effects.extend(self.fit_level());
            if self.table().opponents().nobody_plays() {
                effects.push(LineEffect::Leave);
            } else if !self.table().is_remote() {
                let asked = self.ask_unless_saved(&Step::NewGame, Discard::Again, now);
                effects.extend(asked.unwrap_or_else(|| self.replace_with_the_next(now)));
            }
        }
        effects.extend(self.ask_about_untrusted(now));
        effects
    }

    fn board(&self) -> String {
        let diagram = self.position().board().diagram();
        diagram
            .pieces(self.display.pieces)
            .bottom(self.display.bottom)
            .to_string()
    }
}

fn say(command: &'static str, text: Vec<String>) -> Vec<LineEffect> {
    vec![LineEffect::Say(Reply::text(command, text))]
}

fn refuse(code: &'static str, sentence: impl Into<String>) -> Vec<LineEffect> {
    vec![LineEffect::Say(Reply::refusal(code, sentence))]
}

fn lines(text: &str) -> Vec<String> {
    text.lines().map(str::to_owned).collect()
}

mod explorer;
pub(super) mod matches;
mod next_game;
mod outcomes;
mod perform;
mod review;
pub(super) mod saves;
mod server;
mod unsaved;
mod untrusted;

#[cfg(test)]
mod tests;
