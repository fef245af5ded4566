//! Performs each command in the line mode.

use tabiya_front::appearance::PieceStyle;
use tabiya_front::commands::{
    Command, Copied, FileCommand, OpenCommand, ProgramCommand, Reviewed, Setting, ViewCommand,
};
use tabiya_front::config::settings::{DRAWS, draws_named};
use tabiya_front::game_text;
use tabiya_front::review::{Origin, filed_game};
use tabiya_front::wording::answers;
use tabiya_game::{Record, Timestamp};
use tabiya_play::desk::Filed;
use tabiya_play::request::{GameRequest, Request};
use tabiya_rules::DiagramPieces;

use super::{FileOutput, LineEffect, LineGame, LineSaveEffect, TextForm, lines, refuse, say};

impl LineGame {
    /// Performs a command. A command that starts another game leaves the review.
    pub(super) fn perform(&mut self, command: Command, now: Timestamp) -> Vec<LineEffect> {
        let was_on_server = self.is_on_server();
        let mut effects = self.perform_here(command, now);
        if was_on_server && !self.table().is_remote() {
            let sentence = "You have left the game on the server, where it goes on.";
            effects.extend(say("new", vec![sentence.to_owned()]));
        }
        effects
    }

    fn perform_here(&mut self, command: Command, now: Timestamp) -> Vec<LineEffect> {
        match command {
            Command::Table(request @ Request::Game(GameRequest::LoadPosition(_))) => {
                let session = self.desk.game().session();
                let replaces = session.outcome().is_none() && session.ply() > 0;
                let mut effects = self.request(request, now);
                if replaces && self.table().session().record().len() == 1 {
                    let sentence = "The game before was left as it stood; a new one begins here.";
                    effects.extend(say("fen", vec![sentence.to_owned()]));
                }
                effects
            }
            Command::Table(request) => self.request(request, now),
            Command::View(command) => self.perform_view(command),
            Command::File(command) => self.perform_file(command),
            Command::Open(OpenCommand::Match(order)) => self.start_match(order),
            Command::Open(OpenCommand::Explorer(command)) => self.explore(command),
            Command::Open(OpenCommand::Review(what)) => match what {
                None => self.review_game(now),
                Some(Reviewed::Position(position)) => {
                    self.start_review(Record::new(*position), Origin::Text, now)
                }
                Some(Reviewed::File(path)) => vec![LineEffect::Open(path)],
                Some(Reviewed::Save(name)) => vec![LineSaveEffect::Review(name).into()],
            },
            Command::Open(OpenCommand::Back) => self.go_back(now),
            Command::Program(ProgramCommand::Set(Some(setting))) => self.set(&setting, now),
            Command::Program(ProgramCommand::Set(None) | ProgramCommand::Settings) => say(
                "set",
                answers::settings(self.table().session(), self.display),
            ),
            Command::Program(ProgramCommand::Help(entry)) => say("help", answers::help(entry)),
            Command::Program(ProgramCommand::Quit) => self.leave_or_ask(now),
        }
    }

    fn perform_view(&mut self, command: ViewCommand) -> Vec<LineEffect> {
        match command {
            ViewCommand::Board => say("board", lines(&self.board())),
            ViewCommand::Flip => {
                self.display.bottom = !self.display.bottom;
                say("flip", Vec::new())
            }
            ViewCommand::Blindfold => {
                self.display.blindfold = !self.display.blindfold;
                // A program at the other end of a pipe knows what it asked for.
                let sentence = self
                    .is_interactive
                    .then(|| answers::blindfold(self.display).to_owned());
                say("blindfold", sentence.into_iter().collect())
            }
            ViewCommand::PieceStyle(style) => {
                self.display.pieces = match style {
                    PieceStyle::Letters => DiagramPieces::Letters,
                    PieceStyle::Auto
                    | PieceStyle::Octants
                    | PieceStyle::Sextants
                    | PieceStyle::Blocks
                    | PieceStyle::Figures => DiagramPieces::Figures,
                };
                say("pieces", Vec::new())
            }
            ViewCommand::Theme(_) => refuse("setting", "Themes are for the full screen."),
        }
    }

    fn perform_file(&self, command: FileCommand) -> Vec<LineEffect> {
        let filed = self.desk.filed();
        let pgn = || game_text::pgn(filed);
        let json = || game_text::json(filed);
        let fen = || vec![self.position().fen()];
        let write = |form, path, text| vec![LineEffect::Write(FileOutput { form, path, text })];
        match command {
            FileCommand::Fen => say("fen", fen()),
            FileCommand::Pgn(None) => say("pgn", lines(&pgn())),
            FileCommand::Pgn(Some(path)) => write(TextForm::Pgn, path, pgn()),
            FileCommand::Json(None) => say("json", vec![json()]),
            FileCommand::Json(Some(path)) => write(TextForm::Json, path, json()),
            FileCommand::Svg(path) => {
                let node = self.table().session().record().cursor();
                let text = game_text::picture(node, self.display.bottom, node.annotation());
                write(TextForm::Svg, path, text)
            }
            FileCommand::Copy(Copied::Fen) => say("copy", fen()),
            FileCommand::Copy(Copied::Pgn) => say("copy", lines(&pgn())),
            FileCommand::Save(name) if !matches!(filed, Filed::Game(_)) => match name {
                Some(name) => vec![LineSaveEffect::SaveCopy(name, filed_game(filed)).into()],
                None => refuse("save", "Give it a name: save NAME."),
            },
            FileCommand::Save(name) => {
                vec![LineSaveEffect::Save(name, self.game_to_save()).into()]
            }
            FileCommand::Load(name) => vec![LineSaveEffect::Load(name).into()],
            FileCommand::Saves => vec![LineSaveEffect::List.into()],
            FileCommand::Delete(name) => vec![LineSaveEffect::AskToDelete(name).into()],
        }
    }

    fn set(&mut self, setting: &Setting, now: Timestamp) -> Vec<LineEffect> {
        match setting {
            Setting::Board(shown) => self.display.board = *shown,
            Setting::Pieces(pieces) => self.display.pieces = *pieces,
            // Settings of the line mode last until it ends, and it keeps this one for all its games.
            Setting::Lasting { key, value } if *key == DRAWS => {
                let draws = draws_named(value).unwrap_or_default();
                return self.request(GameRequest::Draws(draws), now);
            }
            Setting::Lasting { key, .. } => {
                let sentence = match *key {
                    "pieces" => "Here pieces are letters or figures; others need the full screen."
                        .to_owned(),
                    key => format!(
                        "{key} is a setting of the full screen: set it there, or in config.toml."
                    ),
                };
                return refuse("setting", sentence);
            }
            Setting::Draws(draws) => return self.request(GameRequest::Draws(*draws), now),
        }
        say("set", Vec::new())
    }
}
