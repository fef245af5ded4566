//! A game in the line mode: what a typed line does, what is said about it, and what is asked next.
//!
//! The table does what is asked ([`Table::handle`]); here its outcomes become replies and effects. Nothing is read,
//! printed or written.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tabiya_game::{Event, NewGame, Timestamp, pgn};
use tabiya_play::opponents::{EngineEvent, EngineOrder, Opponents, Seat, Stranger};
use tabiya_play::outcome::{Answer, Happened, Outcome, Outcomes};
use tabiya_play::request::{GameRequest, Request, SeatRequest, Target};
use tabiya_play::study::{Studied, StudyTask};
use tabiya_play::table::{Display, Table};
use tabiya_rules::{Color, DiagramPieces, Position, SplitMix64};
use tabiya_store::SaveName;
use tabiya_store::text_file::Written;
use tabiya_svg::Picture;
use unsaved::{Loss, Unsaved};

use crate::commands::{
    self, Command, Copied, FileCommand, LookCommand, OpenCommand, ProgramCommand, Reviewed,
    Setting, Shown,
};
use crate::game_file::{self, Extent, GameFileError, Opened};
use crate::game_json;
use crate::json::events::{Turn, turn};
use crate::matches::MatchOrder;
use crate::tui::pieces::PieceStyle;
use crate::wording::answers::{self, Look, NO_BRACE};
use crate::wording::{Reply, Tone, events, refusals, study};

/// Something to be done or said, in order.
#[derive(Clone, Debug)]
pub(crate) enum Effect {
    Say(Reply),
    /// Write to a new file what a command asked for, and say how it went.
    Write {
        command: &'static str,
        path: PathBuf,
        text: String,
    },
    /// Write a text in the place of a file.
    Replace {
        command: &'static str,
        path: PathBuf,
        text: String,
    },
    /// Put a game in the place of the one that was read from a file, to be told to [`Game::put_back`].
    PutBack(Box<saves::Replacement>),
    /// Read the first game of a file, to be taken with [`Game::open`].
    Open(PathBuf),
    /// Something for an engine to do.
    Order(EngineOrder),
    /// Let an engine judge positions, and no others.
    Study(Box<StudyTask>),
    /// Start a match, to be told to [`Game::match_started`].
    Match(Box<MatchOrder>),
    /// Bring the game to the disk, before anything is said.
    Keep(Box<tabiya_store::Game>),
    /// Let go of the save that the game has; another game begins.
    Release,
    /// Keep the game under a name, or save it again under the one it has.
    Save {
        name: Option<SaveName>,
        game: Box<tabiya_store::Game>,
    },
    /// Open a save and play it on.
    Load(SaveName),
    /// Read a save, to be taken with [`Game::open`].
    Look(SaveName),
    /// List the saves.
    Saves,
    /// Ask whether a save shall be deleted, if there is one.
    AskToDelete(SaveName),
    /// Move a save to the trash.
    Delete(SaveName),
    Leave,
}

/// What is asked before the next line is read.
#[derive(Clone, Debug)]
pub(crate) enum Ask {
    /// For a move, under the board if it is to be shown.
    Turn {
        board: Option<String>,
        prompt: String,
        turn: Turn,
    },
    /// Whether a draw is claimed.
    Menu { lines: [String; 3], turn: Turn },
    /// Nothing: an engine is thinking. What is typed meanwhile is taken as a command.
    Nothing,
}

/// Whether a claim is open that the player has not answered yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Turn,
    Menu,
}

#[derive(Debug)]
pub(crate) struct Game {
    table: Table,
    look: Look,
    stage: Stage,
    /// The match that goes on.
    going: Option<matches::Going>,
    /// Whether every change is to be brought to the disk.
    keeps: bool,
    /// The file that the game was read from, and where its text is there.
    source: Option<(PathBuf, Extent)>,
    unsaved: Unsaved,
    /// What is deleted or replaced if the next line says so.
    doomed: Option<saves::Doomed>,
    /// The engine that is started if the next line says so.
    asked_about: Option<Stranger>,
    /// The side that is at the bottom when a game begins.
    bottom: Color,
}

impl Game {
    /// A table at which nothing has begun yet.
    pub(crate) fn new(random: SplitMix64, opponents: Opponents) -> Game {
        Game {
            table: Table::new(NewGame::default(), Display::Text, opponents, random),
            look: Look {
                board: Shown::On,
                pieces: DiagramPieces::Letters,
                bottom: Color::White,
            },
            stage: Stage::Turn,
            going: None,
            keeps: false,
            source: None,
            unsaved: Unsaved::default(),
            doomed: None,
            asked_about: None,
            bottom: Color::White,
        }
    }

    /// Begins a game.
    pub(crate) fn begin(&mut self, game: NewGame, now: Timestamp) -> Vec<Effect> {
        let outcomes = self.table.start(game, now);
        self.take(outcomes, now)
    }

    /// Begins the same game again, from the standard start.
    pub(crate) fn begin_again(&mut self, now: Timestamp) -> Vec<Effect> {
        if let Some(asked) = self.ask_unless_saved(Loss::Again) {
            return asked;
        }
        let game = self.table.session().same_again();
        self.begin(game, now)
    }

    /// What to ask now.
    pub(crate) fn ask(&self, now: Timestamp) -> Ask {
        if self.is_waiting() {
            return Ask::Nothing;
        }
        let session = self.table.session();
        let side = session.turn();
        let turn = turn(session, now);
        match (self.stage, session.claims().first()) {
            (Stage::Menu, Some(claim)) => Ask::Menu {
                lines: events::menu(side, claim.rule()),
                turn,
            },
            (Stage::Menu | Stage::Turn, _) => Ask::Turn {
                board: (self.look.board == Shown::On).then(|| self.board()),
                prompt: match session.outcome() {
                    None => format!("{side}'s turn. Enter move: "),
                    Some(_) => "Game over. Enter command: ".to_owned(),
                },
                turn,
            },
        }
    }

    /// How long until a flag falls, if one can.
    pub(crate) fn flag_in(&self, now: Timestamp) -> Option<Duration> {
        self.table.next_deadline(now).map(|then| then.since(now))
    }

    pub(crate) fn position(&self) -> &Position {
        self.table.session().position()
    }

    /// Whether nothing is asked now, because an engine is to say something first.
    pub(crate) fn is_waiting(&self) -> bool {
        self.is_thinking()
            || self.table.adviser().is_awaited()
            || self.table.is_judging()
            || self.going.is_some()
    }

    /// Whether a flag may fall although nobody types.
    pub(crate) fn is_thinking(&self) -> bool {
        self.table.opponents().thinking().is_some()
    }

    /// Whether a line that comes from a pipe is meant for now, though an engine is thinking. All others wait for the
    /// prompt, so that a script gets the same answers however long an engine thinks.
    pub(crate) fn is_urgent(line: &str) -> bool {
        matches!(
            commands::read(line),
            Ok(Command::Table(
                Request::Game(
                    GameRequest::Resign(_)
                        | GameRequest::Offer(_)
                        | GameRequest::Takeback(_)
                        | GameRequest::Pause
                ) | Request::Seats(SeatRequest::Opponent(..))
            ) | Command::Program(ProgramCommand::Quit))
        )
    }

    /// Lets time pass.
    pub(crate) fn tick(&mut self, now: Timestamp) -> Vec<Effect> {
        let outcomes = self.table.tick(now);
        self.take(outcomes, now)
    }

    /// Takes in what an engine tells.
    pub(crate) fn told(&mut self, seat: Seat, told: EngineEvent, now: Timestamp) -> Vec<Effect> {
        let outcomes = self.table.heard(seat, told, now);
        self.take(outcomes, now)
    }

    /// Takes in what an engine tells about the game that it judges.
    pub(crate) fn studied(&mut self, studied: Studied, now: Timestamp) -> Vec<Effect> {
        let outcomes = self.table.studied(studied, now);
        self.take(outcomes, now)
    }

    /// Says goodbye.
    pub(crate) fn leave(&self) -> Vec<Effect> {
        vec![Effect::Say(Reply::Goodbye), Effect::Leave]
    }

    /// Does what a typed line asks for.
    pub(crate) fn submit(&mut self, line: &str, now: Timestamp) -> Vec<Effect> {
        // A line that comes after the flag fell belongs to a game that is over, unless it is to leave.
        let mut told = self.tick(now);
        if !told.is_empty() {
            if commands::read(line) == Ok(ProgramCommand::Quit.into()) {
                told.extend(self.leave_or_ask());
            }
            return told;
        }
        if let Some(effects) = self.answer_question(line, now) {
            return effects;
        }
        let (answered, mut effects) = self.answer_about_stranger(line, now);
        if answered {
            return effects;
        }
        if self.stage == Stage::Menu && !self.is_waiting() {
            match line.trim() {
                "1" => return self.request(GameRequest::CLAIM, now),
                "2" => {
                    self.stage = Stage::Turn;
                    return Vec::new();
                }
                _ => {}
            }
        }
        effects.extend(match commands::read(line) {
            Ok(command) => match self.ask_before(&command) {
                Some(asked) => asked,
                None => self.perform(command, now),
            },
            Err(misused) => vec![Effect::Say(Reply::Refused(refusals::misused(&misused)))],
        });
        effects
    }

    fn request(&mut self, request: GameRequest, now: Timestamp) -> Vec<Effect> {
        let outcomes = self.table.handle(Request::Game(request), now);
        self.take(outcomes, now)
    }

    fn perform(&mut self, command: Command, now: Timestamp) -> Vec<Effect> {
        match command {
            Command::Table(request) => {
                let outcomes = self.table.handle(request, now);
                self.take(outcomes, now)
            }
            Command::Look(command) => self.perform_look(command),
            Command::File(command) => self.perform_file(command),
            Command::Open(OpenCommand::Match(order)) => self.start_match(order),
            Command::Open(OpenCommand::Review(what)) => match what {
                None => self.request(GameRequest::GoTo(Target::Start), now),
                Some(Reviewed::Position(position)) => {
                    self.request(GameRequest::LoadPosition(position), now)
                }
                Some(Reviewed::File(path)) => vec![Effect::Open(path)],
                Some(Reviewed::Save(name)) => vec![Effect::Look(name)],
            },
            Command::Program(ProgramCommand::Set(Some(setting))) => self.set(&setting, now),
            Command::Program(ProgramCommand::Set(None) | ProgramCommand::Settings) => {
                say("set", answers::settings(self.table.session(), self.look))
            }
            Command::Program(ProgramCommand::Help(entry)) => say("help", answers::help(entry)),
            Command::Program(ProgramCommand::Quit) => self.leave_or_ask(),
        }
    }

    fn perform_look(&mut self, command: LookCommand) -> Vec<Effect> {
        match command {
            LookCommand::Board => say("board", lines(&self.board())),
            LookCommand::Flip => {
                self.look.bottom = !self.look.bottom;
                say("flip", Vec::new())
            }
            LookCommand::Blindfold => {
                self.look.board = match self.look.board {
                    Shown::On => Shown::Off,
                    Shown::Off => Shown::On,
                };
                say("blindfold", Vec::new())
            }
            LookCommand::PieceStyle(style) => {
                self.look.pieces = match style {
                    PieceStyle::Letters => DiagramPieces::Letters,
                    PieceStyle::Figures | PieceStyle::Drawn | PieceStyle::Fine => {
                        DiagramPieces::Figures
                    }
                };
                say("pieces", Vec::new())
            }
            LookCommand::Theme(_) => refuse("Themes are for the full screen."),
        }
    }

    fn perform_file(&self, command: FileCommand) -> Vec<Effect> {
        let pgn = || pgn::to_string(&self.table.session().publish(), pgn::Format::Export);
        let json = || game_json::text(&self.table.session().publish());
        let write = |command, path, text| {
            vec![Effect::Write {
                command,
                path,
                text,
            }]
        };
        match command {
            FileCommand::Fen => say("fen", vec![self.position().fen()]),
            FileCommand::Pgn(None) => say("pgn", lines(&pgn())),
            FileCommand::Pgn(Some(path)) => write("pgn", path, pgn()),
            FileCommand::Json(None) => say("json", vec![json()]),
            FileCommand::Json(Some(path)) => write("json", path, json()),
            FileCommand::Svg(path) => write("svg", path, self.picture()),
            FileCommand::Copy(Copied::Fen) => say("copy", vec![self.position().fen()]),
            FileCommand::Copy(Copied::Pgn) => say("copy", lines(&pgn())),
            FileCommand::Save(name) => vec![Effect::Save {
                name,
                game: self.to_keep(),
            }],
            FileCommand::Load(name) => vec![Effect::Load(name)],
            FileCommand::Saves => vec![Effect::Saves],
            FileCommand::Delete(name) => vec![Effect::AskToDelete(name)],
        }
    }

    fn set(&mut self, setting: &Setting, now: Timestamp) -> Vec<Effect> {
        match setting {
            Setting::Board(shown) => self.look.board = *shown,
            Setting::Pieces(pieces) => self.look.pieces = *pieces,
            Setting::Lasting { key, .. } => {
                return refuse(format!("{key} is a setting of the full screen."));
            }
            Setting::Draws(draws) => return self.request(GameRequest::Draws(*draws), now),
        }
        say("set", Vec::new())
    }

    /// Takes a game over that was read from a file, and stands at its start.
    pub(crate) fn open(
        &mut self,
        path: PathBuf,
        opened: Result<Opened, impl fmt::Display>,
        now: Timestamp,
    ) -> Vec<Effect> {
        let opened = match opened {
            Ok(opened) => opened,
            Err(error) => return refuse(error.to_string()),
        };
        let mut record = opened.record;
        game_file::stop_clocks(&mut record);
        let outcomes = self.table.open(record, now);
        // The game of the file takes the place of the one that was kept, and is kept itself once it is changed.
        let keeps = std::mem::take(&mut self.keeps);
        let mut effects = vec![Effect::Release];
        effects.extend(self.take(outcomes, now));
        self.keeps = keeps;
        self.source = opened.extent.map(|extent| (path, extent));
        self.saved(true);
        let problem = opened.problem.map(Reply::refusal);
        effects.extend(problem.map(Effect::Say));
        effects
    }

    /// The file that the game was read from, and where its text is there.
    pub(crate) fn source(&self) -> Option<(&Path, Extent)> {
        let (path, extent) = self.source.as_ref()?;
        Some((path, *extent))
    }

    /// The game is back in its file, or why not.
    pub(crate) fn put_back(&mut self, done: Result<(Written, Extent), GameFileError>) -> Reply {
        let done = done.map(|(written, extent)| {
            if let Some((_, place)) = &mut self.source {
                *place = extent;
            }
            self.saved(true);
            written
        });
        saves::done("pgn", done)
    }

    /// What came of something, as effects. After an end the next game follows at once, where there is somebody to play
    /// it.
    fn take(&mut self, outcomes: Outcomes, now: Timestamp) -> Vec<Effect> {
        let mut effects = Vec::new();
        let mut ended = false;
        for outcome in outcomes {
            if let Outcome::Happened(happened) = &outcome {
                ended |= happened.ended_by_playing();
            }
            self.take_one(outcome, &mut effects);
        }
        if ended && self.table.opponents().nobody_plays() {
            effects.push(Effect::Leave);
        } else if ended {
            effects.extend(self.begin_again(now));
        }
        effects.extend(self.ask_about_stranger(now));
        effects
    }

    fn take_one(&mut self, outcome: Outcome, effects: &mut Vec<Effect>) {
        let session = self.table.session();
        let text = |command, sentence: String| Effect::Say(Reply::text(command, vec![sentence]));
        let effect = match outcome {
            Outcome::Happened(happened) => return self.happened(&happened, effects),
            Outcome::Refused(refused) => {
                let position = session.position();
                let said = refusals::refused(&refused, position, refusals::LINES);
                Effect::Say(Reply::Refused(said.lines))
            }
            Outcome::Answer(Answer::Thinking) => return,
            Outcome::Answer(answer) => Effect::Say(Reply::Answer(Box::new(answer))),
            Outcome::Order(order) => {
                if let EngineOrder::Think(search) = &order
                    && let Seat::Side(side) = search.seat
                {
                    let player = search.spec.to_string();
                    effects.push(Effect::Say(Reply::Thinking { side, player }));
                }
                Effect::Order(order)
            }
            Outcome::Study(task) => Effect::Study(task),
            Outcome::ReadAs { played, other } => text(
                "move",
                format!("Read as {played}; the other move is written {other}."),
            ),
            Outcome::Seated { color, name } => {
                text("opponent", answers::seated(color, name.as_deref()))
            }
            Outcome::TookSide(color) => {
                self.bottom = color;
                return;
            }
            Outcome::EngineFailed { color, name, why } => {
                let go_on = format!(
                    "The game goes on without {name}: move for {color} yourself, or enter opponent bot:5 or opponent uci:NAME."
                );
                Effect::Say(Reply::Refused(vec![why.to_string(), go_on]))
            }
            Outcome::BraceReplaced => text("comment", NO_BRACE.to_owned()),
            Outcome::Judging | Outcome::VariationMoved(_) => return,
            Outcome::Judged(node) => {
                let judged = self.table.study();
                let line = judged.and_then(|judged| study::judged(judged, session.record(), node));
                let Some(line) = line else { return };
                text("study", line)
            }
            Outcome::AllJudged => {
                let judged = self.table.study();
                let sentence = judged.map(|judged| study::summary(judged, "retry"));
                text("study", sentence.unwrap_or_default())
            }
            Outcome::TryEnded => Effect::Say(Reply::text("retry", Vec::new())),
            Outcome::Retry(mistake) => text("retry", study::retry(&mistake)),
            Outcome::Tried(tried) => Effect::Say(Reply::Text {
                command: "retry",
                lines: vec![study::tried(&tried)],
                tone: if tried.is_good() {
                    Tone::News
                } else {
                    Tone::Plain
                },
            }),
        };
        effects.push(effect);
    }

    /// What happened is kept, and then said.
    fn happened(&mut self, happened: &Happened, effects: &mut Vec<Effect>) {
        for event in &happened.events {
            match event {
                Event::ClaimAvailable(_) => self.stage = Stage::Menu,
                // The menu stays open until the game stands somewhere else.
                Event::Moved(_)
                | Event::Undone { .. }
                | Event::Redone { .. }
                | Event::WentTo { .. }
                | Event::Ended(_) => self.stage = Stage::Turn,
                Event::NewGame | Event::PositionLoaded | Event::GameLoaded => {
                    self.stage = Stage::Turn;
                    self.source = None;
                    self.saved(true);
                    if *event == Event::NewGame {
                        self.look.bottom = self.bottom;
                    }
                }
                Event::DrawClaimed(_)
                | Event::DrawOffered { .. }
                | Event::DrawAccepted { .. }
                | Event::DrawDeclined { .. }
                | Event::Resigned { .. }
                | Event::FlagFell { .. }
                | Event::TakebackAsked { .. }
                | Event::TakebackGranted { .. }
                | Event::TakebackDeclined { .. }
                | Event::Paused
                | Event::Resumed
                | Event::Annotated { .. }
                | Event::VariationMoved { .. }
                | Event::VariationDeleted { .. }
                | Event::TagChanged { .. }
                | Event::PolicyChanged => {}
            }
        }
        effects.extend(self.keep(&happened.events));
        let told = events::told(happened, self.table.session()).into_iter();
        effects.extend(told.map(|told| Effect::Say(Reply::Event(Box::new(told)))));
    }

    fn board(&self) -> String {
        let diagram = self.position().board().diagram();
        diagram
            .pieces(self.look.pieces)
            .bottom(self.look.bottom)
            .to_string()
    }

    /// The position on the board as SVG.
    fn picture(&self) -> String {
        let node = self.table.session().record().cursor();
        let annotation = node.annotation();
        Picture {
            bottom: self.look.bottom,
            squares: &annotation.squares,
            arrows: &annotation.arrows,
            ..Picture::of(node.position().board())
        }
        .svg()
    }
}

fn say(command: &'static str, text: Vec<String>) -> Vec<Effect> {
    vec![Effect::Say(Reply::text(command, text))]
}

fn refuse(sentence: impl Into<String>) -> Vec<Effect> {
    vec![Effect::Say(Reply::refusal(sentence))]
}

fn lines(text: &str) -> Vec<String> {
    text.lines().map(str::to_owned).collect()
}

pub(super) mod matches;
pub(super) mod saves;
mod strangers;
mod unsaved;

#[cfg(test)]
mod tests;
