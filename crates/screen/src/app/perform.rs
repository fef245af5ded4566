//! Performs the commands of the command table on the full screen.

use std::path::PathBuf;

use tabiya_game::{DrawPolicy, MoveInput, Record, Refusal};
use tabiya_play::request::{GameRequest, NotesRequest, Request, StudyRequest};
use tabiya_play::variations::VariationAction;
use tabiya_rules::DiagramPieces;

use super::action::Action;
use super::overlay::dialog::Dialog;
use super::overlay::help::Help;
use super::overlay::settings::SettingsForm;
use super::{App, Screen};
use crate::message::{Contents, Effect, FileEffect, FileText, StoreEffect};
use tabiya_front::commands::{
    self, Command, Copied, FileCommand, OpenCommand, ProgramCommand, Reviewed, Setting, ViewCommand,
};
use tabiya_front::config::settings::{SETTINGS, Settings, draws_name};
use tabiya_front::game_text;
use tabiya_front::review::{Origin, Review};
use tabiya_front::wording::refusals;
use tabiya_play::desk::{BoardId, Step};

impl App {
    /// Performs a line of the command table.
    pub(super) fn perform_line(&mut self, line: &str) {
        match commands::read(line) {
            Ok(command) => self.perform_command(command),
            Err(misused) => {
                self.view_mut()
                    .refuse(refusals::misused(&misused).join(" "));
            }
        }
    }

    /// Performs a command, after a question where a game would be lost by it.
    pub(super) fn perform_command(&mut self, command: Command) {
        // A position can also be put under review.
        let is_position = matches!(
            command,
            Command::Table(Request::Game(GameRequest::LoadPosition(_)))
        );
        let another = command.begins_game() && !(is_position && self.board().is_review());
        if let Some(question) = self.question_before(&Step::NewGame).filter(|_| another) {
            let anyway = Action::PerformAnyway(Box::new(command));
            return self.open(Dialog::confirmation(question, anyway));
        }
        self.perform_command_anyway(command);
    }

    /// Performs a command, although a game may be lost by it.
    pub(super) fn perform_command_anyway(&mut self, command: Command) {
        match command {
            // The first game is the same as that of `tabiya play`.
            Command::Table(Request::Game(GameRequest::New(mut new)))
                if !self.desk.game().has_begun() =>
            {
                let first = || self.settings.first_opponent();
                new.opponent.get_or_insert_with(first);
                self.perform_request(Request::Game(GameRequest::New(new)));
            }
            Command::Table(request) => self.perform_request(request),
            Command::Open(OpenCommand::Match(order)) => self.start_match(*order),
            Command::Open(OpenCommand::Explorer(command)) => self.explorer_command(command),
            Command::Open(OpenCommand::Review(what)) => match what {
                None => self.review_game(),
                Some(Reviewed::Position(position)) => {
                    self.open_review(Record::new(*position), Origin::Text);
                }
                Some(Reviewed::File(path)) => self.open_file(&path),
                Some(Reviewed::Save(name)) => self.effects.push(StoreEffect::Read(name)),
            },
            Command::Open(OpenCommand::Back) => self.show_board(BoardId::Game),
            Command::View(command) => self.perform_view(command),
            Command::File(command) => self.perform_file(command),
            Command::Program(ProgramCommand::Set(Some(setting))) => self.set(setting),
            Command::Program(ProgramCommand::Set(None)) => {
                let lines = settings(&self.settings, self.desk.front().session().policy().draws);
                self.show("Settings", lines);
            }
            Command::Program(ProgramCommand::Settings) => self.open(SettingsForm::default()),
            Command::Program(ProgramCommand::Help(entry)) => {
                self.open(Help::about(entry.map_or("", |entry| entry.name)));
            }
            Command::Program(ProgramCommand::Quit) => self.leave_or_ask(),
        }
    }

    /// Performs a command that is a request to the table, after a question where one is better asked first.
    fn perform_request(&mut self, request: Request) {
        let is_review = self.board().is_review();
        match request {
            Request::Game(GameRequest::GoTo(target)) if self.screens.front == Screen::Match => {
                if let Some(watch) = &mut self.screens.watch {
                    watch.look_for(target);
                }
                self.read_match();
            }
            Request::Game(GameRequest::GoTo(target)) if self.screens.front == Screen::Picker => {
                let picker = self.screens.picker.as_mut();
                if let Some(Err(error)) = picker.map(|picker| picker.go_to(target)) {
                    self.show_result(Err(error));
                }
            }
            Request::Game(GameRequest::Play(MoveInput::Text(text))) => {
                self.screens.front = Screen::Game;
                self.view_mut().typing.set(&text);
                self.request_typed_move();
            }
            Request::Game(GameRequest::Offer(by)) if !is_review => {
                let by = by.unwrap_or_else(|| self.board().acting_side());
                self.ask_if_open(Dialog::draw_offer(by, self.board()));
            }
            Request::Game(GameRequest::Resign(by)) if !is_review => {
                let by = by.unwrap_or_else(|| self.board().acting_side());
                self.ask_if_open(Dialog::resignation(by, self.board()));
            }
            Request::Game(GameRequest::LoadPosition(position)) if is_review => {
                self.open_review(Record::new(*position), Origin::Text);
            }
            Request::Notes(NotesRequest::Variation(VariationAction::Delete))
                if self.desk.front().node().parent().is_some() =>
            {
                let node = self.desk.front().node();
                let text = node.move_text().unwrap_or_default();
                let title = format!("Delete {text} and what follows it?");
                let delete = Action::Delete(node.id());
                self.open(Dialog::yes_or_no(title, delete));
            }
            Request::Study(request) => self.study(request),
            Request::Game(_) | Request::Notes(_) | Request::Ask(_) | Request::Opponent(..) => {
                self.request(request);
            }
        }
    }

    /// Has an engine judge the game, or tries a mistake in it again. If a review would be lost by that, asks first.
    fn study(&mut self, request: StudyRequest) {
        match self.question_before(&Step::Study(&request)) {
            Some(question) => self.open(Dialog::confirmation(question, Action::request(request))),
            None => {
                self.request(request);
                if self.board().is_review() {
                    self.screens.front = Screen::Game;
                }
            }
        }
    }

    /// Performs the commands about the view.
    fn perform_view(&mut self, command: ViewCommand) {
        match command {
            ViewCommand::Board => {
                let diagram = self.board().position().board().diagram();
                let diagram = diagram
                    .pieces(DiagramPieces::Letters)
                    .bottom(self.look.bottom);
                let lines = diagram.to_string().lines().map(str::to_owned).collect();
                self.show("Board", lines);
            }
            ViewCommand::Flip => self.look.bottom = !self.look.bottom,
            ViewCommand::Blindfold => self.set_blindfold(!self.look.blindfold),
            ViewCommand::Theme(theme) => {
                let sentence = self.look.set_theme(theme);
                self.remember("theme", self.look.theme.name);
                self.view_mut().say(sentence);
            }
            ViewCommand::PieceStyle(style) => {
                let layout = self.layout();
                let large = layout.is_some_and(|layout| layout.board.cell.height > 1);
                let sentence = self.look.set_pieces(style, large);
                self.remember("pieces", style.name());
                self.view_mut().say(sentence);
            }
        }
    }

    /// Performs the commands about positions and games as text, and about saves.
    fn perform_file(&mut self, command: FileCommand) {
        // On the match screen, files are about the match.
        let watch = self
            .screens
            .watch
            .as_mut()
            .filter(|_| self.screens.front == Screen::Match);
        if let Some(effect) = watch.and_then(|watch| watch.export_effect(&command)) {
            return self.effects.push(effect);
        }
        match command {
            FileCommand::Copy(what) => self.copy(what),
            FileCommand::Fen => self.show("Position", vec![self.board().position().fen()]),
            FileCommand::Pgn(None) => {
                let lines = self.pgn_text().lines().map(str::to_owned).collect();
                self.show("Game", lines);
            }
            FileCommand::Pgn(Some(path)) => {
                let (contents, source) = match self.board().reviewed.map(Review::source) {
                    Some(Origin::File { path, .. }) => (Contents::Review, Some(path.clone())),
                    Some(_) => (Contents::Review, None),
                    None => (Contents::Other, None),
                };
                let text = self.pgn_text();
                self.write(path, text, contents, source);
            }
            FileCommand::Json(path) => {
                let text = game_text::json(self.desk.filed());
                match path {
                    Some(path) => self.write(path, text, Contents::Other, None),
                    None => self.show("Game", vec![text]),
                }
            }
            FileCommand::Svg(path) => {
                let text = self.board().picture(self.look.bottom);
                self.write(path, text, Contents::Other, None);
            }
            FileCommand::Save(name) => self.save(name),
            FileCommand::Load(name) => self.effects.push(StoreEffect::Resume(Some(name))),
            FileCommand::Delete(name) => self.effects.push(StoreEffect::AskToDelete(name)),
            FileCommand::Saves => self.open_saves(),
        }
    }

    /// Writes a text to a new file.
    fn write(&mut self, path: PathBuf, text: String, contents: Contents, source: Option<PathBuf>) {
        let file = FileText {
            path,
            text,
            contents,
        };
        self.effects.push(FileEffect::Write { file, source });
    }

    /// Changes a setting, or says why it cannot be changed.
    pub(super) fn change_setting_or_refuse(&mut self, key: &str, value: &str) {
        if let Err(error) = self.change_setting(key, value) {
            self.view_mut().refuse(error.to_string());
        }
    }

    /// Hides or shows the pieces.
    fn set_blindfold(&mut self, on: bool) {
        let key = self.keys.of_command("blindfold");
        let sentence = self.look.set_blindfold(on, key);
        self.view_mut().say(sentence);
    }

    /// Sets what the command `set` names.
    fn set(&mut self, setting: Setting) {
        match setting {
            Setting::Board(shown) => self.set_blindfold(!shown),
            Setting::Pieces(DiagramPieces::Letters) => {
                self.change_setting_or_refuse("pieces", "letters");
            }
            Setting::Pieces(DiagramPieces::Figures) => {
                self.change_setting_or_refuse("pieces", "figures");
            }
            Setting::Lasting { key, value } => self.change_setting_or_refuse(key, &value),
            Setting::Draws(draws) => {
                self.request(GameRequest::Draws(draws));
            }
        }
    }

    /// The game in front as PGN.
    pub(super) fn pgn_text(&self) -> String {
        game_text::pgn(self.desk.filed())
    }

    /// Copies the position or the game to the clipboard.
    fn copy(&mut self, what: Copied) {
        let text = match what {
            Copied::Fen => {
                let fen = self.board().position().fen();
                self.view_mut().say(format!("Copied: {fen}"));
                fen
            }
            Copied::Pgn => {
                let text = self.pgn_text();
                let lines = text.lines().map(str::to_owned).collect();
                self.view_mut().say("Copied: the game as PGN.");
                self.show("Copied", lines);
                text
            }
        };
        self.effects.push(Effect::Copy(text));
    }

    /// Asks a question about a game that is not over, or says that it is.
    fn ask_if_open(&mut self, dialog: Dialog) {
        match self.desk.front().session().outcome() {
            None => self.open(dialog),
            Some(outcome) => self
                .view_mut()
                .refuse(Refusal::GameOver(outcome).to_string()),
        }
    }
}

/// The settings as they are typed.
fn settings(lasting: &Settings, draws: DrawPolicy) -> Vec<String> {
    let draws = draws_name(draws).to_owned();
    let this = ("draws", draws, "The same, for this game.");
    SETTINGS
        .iter()
        .map(|setting| (setting.key, setting.get(lasting), setting.help))
        .chain([this])
        .map(|(name, value, help)| format!("{:<24} {help}", format!("{name} {value}")))
        .collect()
}
