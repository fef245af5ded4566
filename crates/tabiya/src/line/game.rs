//! A game in the line mode: what a typed line does, what is said about it, and what is asked next.
//!
//! Nothing is read, printed or written here, and the game changes only through [`Session::apply`].

use std::path::PathBuf;
use std::time::Duration;

use tabiya_game::{Command, Event, GoTo, NewGame, Policy, Refusal, Session, Timestamp};
use tabiya_play::advice::Adviser;
use tabiya_play::opponents::{EngineOrder, Opponents, Stranger};
use tabiya_play::study::{Study, StudyTask};
use tabiya_play::variations;
use tabiya_rules::{Color, DiagramPieces, Position, SplitMix64};
use tabiya_store::SaveName;

use crate::commands::{self, Copied, Request, Reviewed, Setting, Shown};
use crate::game_file::Extent;
use crate::game_json;
use crate::json::Json;
use crate::json::{claim_json, color_word, milliseconds};
use crate::matches::MatchOrder;
use crate::tui::pieces::PieceStyle;
use crate::wording::answers::Look;
use crate::wording::{Reply, Tone, answers, events, refusals};
use unsaved::{Loss, Unsaved};

/// Something to be done or said, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Ask {
    /// For a move, under the board if it is to be shown.
    Turn {
        board: Option<String>,
        prompt: String,
        json: Json,
    },
    /// Whether a draw is claimed.
    Menu { lines: [String; 3], json: Json },
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
    session: Session,
    look: Look,
    stage: Stage,
    random: SplitMix64,
    opponents: Opponents,
    adviser: Adviser,
    /// The game that an engine judges, or has.
    study: Option<Study>,
    /// How many times an engine was asked to judge something.
    studies: u64,
    /// The number of what it is judging now.
    judging: Option<u64>,
    /// The match that goes on.
    going: Option<matches::Going>,
    /// Whether every change is to be brought to the disk.
    keeps: bool,
    /// Whether the game is from a file and only looked at: what is tried out there is a variation.
    reviews: bool,
    /// The file that the game was read from, and where its text is there.
    source: Option<(PathBuf, Extent)>,
    unsaved: Unsaved,
    /// What is deleted or replaced if the next line says so.
    doomed: Option<saves::Doomed>,
    /// The engine that is started if the next line says so.
    asked_about: Option<Stranger>,
    /// Whether an earlier position is only looked at, so that no engine moves there.
    looking: bool,
    /// The side that is at the bottom when a game begins.
    seat: Color,
}

impl Game {
    /// A table at which nothing has begun yet.
    pub(crate) fn new(random: SplitMix64, opponents: Opponents) -> Game {
        let look = Look {
            board: Shown::On,
            pieces: DiagramPieces::Letters,
            bottom: Color::White,
        };
        Game {
            session: Session::default(),
            look,
            stage: Stage::Turn,
            random,
            opponents,
            adviser: Adviser::default(),
            study: None,
            studies: 0,
            judging: None,
            going: None,
            keeps: false,
            reviews: false,
            source: None,
            unsaved: Unsaved::default(),
            doomed: None,
            asked_about: None,
            looking: false,
            seat: Color::White,
        }
    }

    /// Begins a game.
    pub(crate) fn begin(&mut self, game: NewGame, now: Timestamp) -> Vec<Effect> {
        let effects = self.start(game, now);
        self.settle(effects, now)
    }

    /// Begins the same game again, from the standard start.
    pub(crate) fn begin_again(&mut self, now: Timestamp) -> Vec<Effect> {
        if let Some(asked) = self.ask_unless_saved(Loss::Again) {
            return asked;
        }
        let game = self.session.same_again();
        self.begin(game, now)
    }

    fn start(&mut self, mut game: NewGame, now: Timestamp) -> Vec<Effect> {
        self.opponents.sign(&mut game.tags);
        self.look.bottom = self.seat;
        let mut effects = self.apply(Command::NewGame(Box::new(game)), now);
        effects.extend(self.opponents.new_game().into_iter().map(Effect::Order));
        effects
    }

    /// What to ask now.
    pub(crate) fn ask(&self, now: Timestamp) -> Ask {
        let json = self.turn_json(now);
        let turn = self.session.turn();
        if self.is_waiting() {
            return Ask::Nothing;
        }
        match (self.stage, self.session.claims().first()) {
            (Stage::Menu, Some(claim)) => Ask::Menu {
                lines: events::menu(turn, claim.rule()),
                json,
            },
            _ => Ask::Turn {
                board: (self.look.board == Shown::On).then(|| self.board()),
                prompt: match self.session.outcome() {
                    None => format!("{turn}'s turn. Enter move: "),
                    Some(_) => "Game over. Enter command: ".to_owned(),
                },
                json,
            },
        }
    }

    fn turn_json(&self, now: Timestamp) -> Json {
        let position = self.session.position();
        let face = self.session.clock(now);
        let left = |color| face.left[color].map(milliseconds);
        Json::Object(vec![
            ("event", "turn".into()),
            ("side", color_word(position.turn()).into()),
            ("fen", position.fen().into()),
            ("check", position.is_check().into()),
            ("legal_moves", position.count_legal_moves().into()),
            (
                "claims",
                Json::List(self.session.claims().iter().map(claim_json).collect()),
            ),
            ("white_ms", left(Color::White).into()),
            ("black_ms", left(Color::Black).into()),
        ])
    }

    /// How long until a flag falls, if one can.
    pub(crate) fn flag_in(&self, now: Timestamp) -> Option<Duration> {
        self.session.clock(now).flag_in()
    }

    pub(crate) fn position(&self) -> &Position {
        self.session.position()
    }

    /// Lets time pass.
    pub(crate) fn tick(&mut self, now: Timestamp) -> Vec<Effect> {
        let effects = self.apply(Command::Tick, now);
        self.settle(effects, now)
    }

    /// Says goodbye.
    pub(crate) fn leave(&self) -> Vec<Effect> {
        let json = Json::Object(vec![("event", "goodbye".into())]);
        let text = vec!["Game over. Goodbye!".to_owned()];
        vec![
            Effect::Say(Reply {
                text,
                json,
                tone: Tone::Plain,
            }),
            Effect::Leave,
        ]
    }

    /// Does what a typed line asks for.
    pub(crate) fn submit(&mut self, line: &str, now: Timestamp) -> Vec<Effect> {
        // A line that comes after the flag fell belongs to a game that is over, unless it is to leave.
        let mut told = self.tick(now);
        if !told.is_empty() {
            if commands::read(line) == Ok(Request::Quit) {
                told.extend(self.leave_or_ask());
            }
            return told;
        }
        let effects = self.answer_line(line, now);
        self.settle(effects, now)
    }

    fn answer_line(&mut self, line: &str, now: Timestamp) -> Vec<Effect> {
        if let Some(effects) = self.answer_question(line, now) {
            return effects;
        }
        if let Some(effects) = self.answer_about_stranger(line) {
            return effects;
        }
        if self.stage == Stage::Menu && !self.is_waiting() {
            match line.trim() {
                "1" => return self.apply(Command::claim(), now),
                "2" => {
                    self.stage = Stage::Turn;
                    return Vec::new();
                }
                _ => {}
            }
        }
        match commands::read(line) {
            Ok(request) => match self.ask_before(&request) {
                Some(asked) => asked,
                None => self.perform(request, now),
            },
            Err(misused) => vec![Effect::Say(Reply::refusal(refusals::misused(&misused)))],
        }
    }

    fn perform(&mut self, request: Request, now: Timestamp) -> Vec<Effect> {
        let speaker = self.opponents.speaker(&self.session);
        match request {
            Request::Play(_) | Request::Draw(_) if self.is_engines_turn() => self.not_yet(),
            Request::Play(text) => self.play(&text, now),
            Request::New(asked) => self.new_game(*asked, now),
            Request::Opponent(side, spec) => self.change_opponent(side, spec),
            Request::Hint | Request::Evaluate | Request::Lines(_) => self.advise(&request),
            Request::Undo(times) => self.undo(times, now),
            Request::Redo(times) => self.redo(times, now),
            Request::GoTo(target) => self.go_to(target, now),
            Request::Draw(None) => self.apply(Command::claim(), now),
            Request::Draw(Some(text)) => self.apply(Command::claim_with(&text), now),
            Request::Offer(by) => self.apply(Command::OfferDraw(by.unwrap_or(speaker)), now),
            Request::Takeback(by) => {
                let by = by.unwrap_or_else(|| self.opponents.regretful(&self.session));
                self.apply(Command::AskTakeback(by), now)
            }
            Request::Resign(by) => self.apply(Command::Resign(by.unwrap_or(speaker)), now),
            Request::Accept(what) => {
                self.answer(what, Command::AcceptDraw, Command::GrantTakeback, now)
            }
            Request::Decline(what) => {
                self.answer(what, Command::DeclineDraw, Command::DeclineTakeback, now)
            }
            Request::Pause if self.session.is_paused() => self.apply(Command::Resume, now),
            Request::Pause => self.apply(Command::Pause, now),
            Request::Fen(Some(position)) => self.apply(Command::LoadPosition(position), now),
            Request::Save(_) | Request::Load(_) | Request::Saves | Request::Delete(_) => {
                self.about_saves(request)
            }
            Request::Pgn(Some(path)) => {
                let text = self.pgn();
                files::write("pgn", path, text)
            }
            Request::Set(Some(setting)) => self.set(&setting, now),
            Request::Quit => self.leave_or_ask(),
            Request::Blindfold => {
                self.look.board = match self.look.board {
                    Shown::On => Shown::Off,
                    Shown::Off => Shown::On,
                };
                say("blindfold", Vec::new())
            }
            Request::PieceStyle(style) => {
                self.look.pieces = match style {
                    PieceStyle::Letters => DiagramPieces::Letters,
                    PieceStyle::Figures | PieceStyle::Drawn | PieceStyle::Fine => {
                        DiagramPieces::Figures
                    }
                };
                say("pieces", Vec::new())
            }
            Request::Theme(_) => {
                let sentence = "Themes are for the full screen.".to_owned();
                vec![Effect::Say(Reply::refusal(vec![sentence]))]
            }
            Request::Copy(Copied::Fen) => say("copy", vec![self.session.position().fen()]),
            Request::Copy(Copied::Pgn) => say("copy", lines(&self.pgn())),
            Request::Flip => {
                self.look.bottom = !self.look.bottom;
                say("flip", Vec::new())
            }
            other => self.perform_written(other, now),
        }
    }

    /// The commands about what is written of a game: marks, variations, other forms, other games.
    fn perform_written(&mut self, request: Request, now: Timestamp) -> Vec<Effect> {
        match request {
            Request::Json(Some(path)) => {
                let text = game_json::json(&self.session.publish()).to_string();
                files::write("json", path, text)
            }
            Request::Svg(path) => files::write("svg", path, self.picture()),
            Request::Mark(glyph) => self.apply(Command::Glyph { node: None, glyph }, now),
            Request::Comment(text) => self.comment(text, now),
            Request::Vary(wish) => self.vary(wish, now),
            Request::Study(engine) => self.study(engine),
            Request::Retry => self.retry(now),
            Request::Match(wish) => self.start_match(wish),
            Request::Review(None) => self.apply(Command::GoTo(GoTo::Start), now),
            Request::Review(Some(Reviewed::Position(position))) => {
                self.apply(Command::LoadPosition(position), now)
            }
            Request::Review(Some(Reviewed::File(path))) => vec![Effect::Open(path)],
            Request::Review(Some(Reviewed::Save(name))) => vec![Effect::Look(name)],
            looking => self.look(&looking, now),
        }
    }

    /// The commands that change nothing.
    fn look(&self, request: &Request, now: Timestamp) -> Vec<Effect> {
        let session = &self.session;
        match request {
            Request::Board => say("board", lines(&self.board())),
            Request::Fen(_) => say("fen", vec![session.position().fen()]),
            Request::Pgn(_) => say("pgn", lines(&self.pgn())),
            Request::Json(_) => {
                let text = game_json::json(&session.publish()).to_string();
                say("json", vec![text])
            }
            Request::Pieces(role) => say("p", answers::pieces(session, *role)),
            Request::Squares(line) => say("s", answers::squares(session, *line)),
            Request::Last => say("last", vec![answers::last(session)]),
            Request::Clock => say("clock", vec![answers::clock(session, now)]),
            Request::Moves(from) => say("moves", answers::moves(session, *from)),
            Request::Attackers(square) => say("attackers", answers::attackers(session, *square)),
            Request::Set(_) | Request::Settings => {
                say("set", answers::settings(session, self.look))
            }
            Request::Help(entry) => say("help", answers::help(*entry)),
            // Everything else changes something and is done elsewhere.
            _ => Vec::new(),
        }
    }

    /// Applies a command, and tells what came of it. After an end the next game follows at once.
    fn apply(&mut self, command: Command, now: Timestamp) -> Vec<Effect> {
        let typed = refusals::typed(&command);
        let before = events::Before::new(&self.session);
        match self.session.apply(command, now) {
            Err(refusal) => {
                vec![Effect::Say(self.refuse(&refusal, &typed))]
            }
            Ok(happened) => {
                // What is only tried out stays beside the game.
                if !self.reviews && self.study.is_none() {
                    variations::lead(&mut self.session, &happened, now);
                }
                self.follow(&happened);
                let replies = events::replies(&happened, &before, &self.session);
                let mut effects: Vec<Effect> = self.keep(&happened).into_iter().collect();
                effects.extend(replies.into_iter().map(Effect::Say));
                if events::ended_by_playing(&happened) {
                    effects.extend(self.after_end(now));
                }
                effects
            }
        }
    }

    fn refuse(&self, refusal: &Refusal, typed: &str) -> Reply {
        Reply::refusal(refusals::refused(refusal, typed, self.session.position()))
    }

    /// The menu stays open until the game stands somewhere else.
    fn follow(&mut self, happened: &[Event]) {
        for event in happened {
            self.follow_looking(event);
            match event {
                Event::ClaimAvailable(_) => self.stage = Stage::Menu,
                Event::Moved(_)
                | Event::Undone { .. }
                | Event::Redone { .. }
                | Event::WentTo { .. }
                | Event::Ended(_) => {
                    self.stage = Stage::Turn;
                    self.give_up_retry();
                }
                Event::NewGame | Event::PositionLoaded | Event::GameLoaded => {
                    self.stage = Stage::Turn;
                    self.reviews = false;
                    self.source = None;
                    self.saved(true);
                    self.study = None;
                    self.judging = None;
                }
                _ => {}
            }
        }
    }

    /// The next game follows at once, where there is somebody to play it.
    fn after_end(&mut self, now: Timestamp) -> Vec<Effect> {
        if self.opponents.nobody_plays() {
            return vec![Effect::Leave];
        }
        if let Some(asked) = self.ask_unless_saved(Loss::Again) {
            return asked;
        }
        let game = self.session.same_again();
        self.start(game, now)
    }

    fn set(&mut self, setting: &Setting, now: Timestamp) -> Vec<Effect> {
        match setting {
            Setting::Board(shown) => self.look.board = *shown,
            Setting::Pieces(pieces) => self.look.pieces = *pieces,
            Setting::Lasting { key, .. } => {
                let sentence = format!("{key} is a setting of the full screen.");
                return vec![Effect::Say(Reply::refusal(vec![sentence]))];
            }
            Setting::Draws(draws) => {
                let policy = Policy {
                    draws: *draws,
                    ..self.session.policy()
                };
                return self.apply(Command::SetPolicy(policy), now);
            }
        }
        say("set", Vec::new())
    }

    fn board(&self) -> String {
        let diagram = self.session.position().board().diagram();
        diagram
            .pieces(self.look.pieces)
            .bottom(self.look.bottom)
            .to_string()
    }
}

fn say(command: &'static str, text: Vec<String>) -> Vec<Effect> {
    vec![Effect::Say(Reply::answer(command, text))]
}

fn lines(text: &str) -> Vec<String> {
    text.lines().map(str::to_owned).collect()
}

mod engines;
mod files;
pub(super) mod matches;
mod offers;
mod places;
pub(super) mod saves;
mod strangers;
mod study;
mod unsaved;

#[cfg(test)]
mod tests;
