//! The commands of the one table, done on the full screen.

use std::path::PathBuf;

use tabiya_game::{Command as GameCommand, DrawPolicy, Glyph, MoveInput, NewGame};
use tabiya_play::outcome::Refused;
use tabiya_play::players::PlayerSpec;
use tabiya_play::request::{
    GameRequest, NewRequest, NotesRequest, Pending, Question, Request, SeatRequest, Side, Start,
    StudyRequest, Target, chess960,
};
use tabiya_play::table::ask;
use tabiya_rules::{Color, DiagramPieces, Position, SplitMix64};
use tabiya_svg::Picture;

use super::act::Act;
use super::boards::Front;
use super::overlay::dialog::Dialog;
use super::overlay::help::Help;
use super::overlay::settings::SettingsForm;
use super::{App, Screen};
use crate::commands::{
    self, Command, Copied, FileCommand, LookCommand, OpenCommand, ProgramCommand, Setting, Shown,
};
use crate::config::settings::SETTINGS;
use crate::game_json;
use crate::message::{Effect, FileEffect, NotDone, StoreEffect};
use crate::wording::{answers, refusals};

impl App {
    /// Runs a line of the command table.
    pub(super) fn run(&mut self, line: &str) {
        match commands::read(line) {
            Ok(command) => self.perform(command),
            Err(misused) => {
                self.table.refuse(refusals::misused(&misused).join(" "));
            }
        }
    }

    /// Does what was asked for.
    pub(super) fn perform(&mut self, command: Command) {
        let another = match &command {
            Command::Table(Request::Game(GameRequest::New(_)))
            | Command::File(FileCommand::Load(_)) => true,
            Command::Table(Request::Game(GameRequest::LoadPosition(_))) => !self.table.is_review(),
            Command::Table(_)
            | Command::Look(_)
            | Command::File(_)
            | Command::Open(_)
            | Command::Program(_) => false,
        };
        if another && self.asks_before_another_game(Act::Anyway(Box::new(command.clone()))) {
            return;
        }
        match command {
            Command::Table(Request::Game(GameRequest::GoTo(target)))
                if self.screen == Screen::Match =>
            {
                self.go_to_in_match(target);
            }
            Command::Table(Request::Game(request)) => self.perform_game(request),
            Command::Table(Request::Notes(NotesRequest::Glyph(glyph))) => self.set_glyph(glyph),
            Command::Table(Request::Notes(NotesRequest::Comment(text))) => {
                let node = Some(self.table.node().id());
                let brace = text.contains('}');
                if self.apply(GameCommand::Comment { node, text }) && brace {
                    self.table.say(answers::NO_BRACE.to_owned());
                }
            }
            Command::Table(Request::Notes(NotesRequest::Variation(wish))) => self.variation(wish),
            Command::Table(Request::Notes(NotesRequest::Marks { squares, arrows })) => {
                let node = Some(self.table.node().id());
                self.apply(GameCommand::Marks {
                    node,
                    squares,
                    arrows,
                });
            }
            Command::Table(Request::Seats(SeatRequest::Opponent(side, spec))) => {
                self.change_opponent(side, spec);
            }
            Command::Table(Request::Study(StudyRequest::Judge(engine))) => self.study(engine),
            Command::Table(Request::Study(StudyRequest::Retry)) => self.retry(),
            Command::Table(Request::Ask(question)) => self.answer_question(&question),
            Command::Open(OpenCommand::Match(order)) => self.start_match(*order),
            Command::Open(OpenCommand::Review(what)) => self.review(what),
            Command::Look(command) => self.perform_look(command),
            Command::File(command) => self.perform_file(command),
            Command::Program(ProgramCommand::Set(Some(setting))) => self.set(setting),
            Command::Program(ProgramCommand::Set(None)) => {
                let lines = self.settings();
                self.show("Settings", lines);
            }
            Command::Program(ProgramCommand::Settings) => self.open(SettingsForm::default()),
            Command::Program(ProgramCommand::Help(entry)) => {
                self.open(Help::about(entry.map_or("", |entry| entry.name)));
            }
            Command::Program(ProgramCommand::Quit) => self.leave_or_ask(),
        }
    }

    /// What changes the game.
    fn perform_game(&mut self, request: GameRequest) {
        if self.table.is_review() && self.perform_in_review(&request) {
            return;
        }
        let turn = self.speaker();
        match request {
            GameRequest::Play(input) => match input {
                MoveInput::Text(text) => {
                    self.screen = Screen::Game;
                    self.table.typing.set(&text);
                    self.submit();
                }
                MoveInput::Move(_) | MoveInput::Squares { .. } => {
                    self.play(GameCommand::Play(input));
                }
            },
            GameRequest::New(asked) => {
                self.table.show(Front::Game);
                self.new_request(*asked);
            }
            GameRequest::Rematch => self.rematch(),
            GameRequest::Undo(times) => self.undo(times),
            GameRequest::Redo(times) => self.redo(times),
            GameRequest::GoTo(target) if self.screen == Screen::Picker => {
                let picker = self.picker.as_mut();
                if let Some(Err(number)) = picker.map(|picker| picker.go_to(target)) {
                    self.tell(Err(NotDone::NotListed(number)));
                }
            }
            GameRequest::GoTo(target) => self.go_to(target),
            GameRequest::Claim { rule, intended } => {
                let intended = intended.map(MoveInput::Text);
                self.apply(GameCommand::Claim { rule, intended });
            }
            GameRequest::Offer(by) => {
                let by = by.unwrap_or(turn);
                self.ask_if_open(Dialog::draw_offer(by, &self.called(by)));
            }
            GameRequest::Takeback(by) => {
                let by = by.unwrap_or_else(|| self.opponents.regretful(&self.table.session));
                self.apply(GameCommand::AskTakeback(by));
            }
            GameRequest::Resign(by) => {
                let by = by.unwrap_or(turn);
                self.ask_if_open(Dialog::resignation(by, &self.called(by)));
            }
            GameRequest::Accept(what) => {
                self.answer(what, GameCommand::AcceptDraw, GameCommand::GrantTakeback);
            }
            GameRequest::Decline(what) => {
                self.answer(what, GameCommand::DeclineDraw, GameCommand::DeclineTakeback);
            }
            GameRequest::Pause => {
                let command = if self.table.session.is_paused() {
                    GameCommand::Resume
                } else {
                    GameCommand::Pause
                };
                self.apply(command);
            }
            GameRequest::LoadPosition(position) if self.table.is_review() => {
                self.review_position(&position);
            }
            GameRequest::LoadPosition(position) => self.load(position),
            GameRequest::Draws(draws) => {
                let policy = self.table.session.policy().with_draws(draws);
                self.apply(GameCommand::SetPolicy(policy));
            }
        }
    }

    /// The commands about how the board is shown.
    fn perform_look(&mut self, command: LookCommand) {
        match command {
            LookCommand::Board => {
                let diagram = self.table.position().board().diagram();
                let diagram = diagram
                    .pieces(DiagramPieces::Letters)
                    .bottom(self.look.bottom);
                let lines = diagram.to_string().lines().map(str::to_owned).collect();
                self.show("Board", lines);
            }
            LookCommand::Flip => self.look.bottom = !self.look.bottom,
            LookCommand::Blindfold => self.set_blindfold(!self.look.blindfold),
            LookCommand::Theme(None) => self.next_theme(),
            LookCommand::Theme(Some(theme)) => self.set_theme(theme),
            LookCommand::PieceStyle(style) => self.set_pieces(style),
        }
    }

    /// Positions and games as text, and saves.
    fn perform_file(&mut self, command: FileCommand) {
        // On the match screen, files are about the match.
        if self.export_match(&command) {
            return;
        }
        match command {
            FileCommand::Copy(what) => self.copy(what),
            FileCommand::Fen => self.show("Position", vec![self.table.position().fen()]),
            FileCommand::Pgn(None) => {
                let lines = self.table.pgn_text().lines().map(str::to_owned).collect();
                self.show("Game", lines);
            }
            FileCommand::Pgn(Some(path)) => {
                let text = self.table.pgn_text();
                self.table.saving();
                let source = self.table.source();
                self.effects.push(FileEffect::Write { path, text, source });
            }
            FileCommand::Json(path) => {
                let text = game_json::text(&self.table.record());
                match path {
                    Some(path) => self.write(path, text),
                    None => self.show("Game", vec![text]),
                }
            }
            FileCommand::Svg(path) => {
                let text = self.picture();
                self.write(path, text);
            }
            FileCommand::Save(name) => self.save(name),
            FileCommand::Load(name) => self.effects.push(StoreEffect::Resume(Some(name))),
            FileCommand::Delete(name) => self.effects.push(StoreEffect::AskToDelete(name)),
            FileCommand::Saves => self.open_saves(),
        }
    }

    /// Writes a text to a new file.
    fn write(&mut self, path: PathBuf, text: String) {
        self.effects.push(FileEffect::Write {
            path,
            text,
            source: None,
        });
    }

    /// Questions about the game.
    fn answer_question(&mut self, question: &Question) {
        let title = match question {
            Question::Hint | Question::Evaluate | Question::Lines(_) => {
                return self.advise(question);
            }
            Question::Pieces(_) => "Pieces",
            Question::Squares(_) => "Squares",
            Question::LastMove => "Last move",
            Question::Clock => "Clock",
            Question::Moves(_) => "Moves",
            Question::Attackers(_) => "Attackers",
        };
        let answer = ask::answer(&self.table.session, question, self.now);
        let lines = answer.map_or_else(Vec::new, |answer| answers::lines(&answer));
        self.show(title, lines);
    }

    /// The settings as they can be typed.
    fn settings(&self) -> Vec<String> {
        let draws = match self.table.session.policy().draws {
            DrawPolicy::Claim => "claim",
            DrawPolicy::Automatic => "auto",
        };
        let lasting = SETTINGS
            .iter()
            .map(|setting| (setting.key, setting.get(&self.settings), setting.help));
        let this = ("draws", draws.to_owned(), "The same, for this game.");
        lasting
            .chain([this])
            .map(|(name, value, help)| format!("{:<24} {help}", format!("{name} {value}")))
            .collect()
    }

    fn settle_or_say(&mut self, key: &str, value: &str) {
        if let Err(error) = self.settle(key, value) {
            self.table.refuse(error.to_string());
        }
    }

    fn set(&mut self, setting: Setting) {
        match setting {
            Setting::Board(shown) => self.set_blindfold(shown == Shown::Off),
            Setting::Pieces(DiagramPieces::Letters) => {
                self.settle_or_say("pieces", "letters");
            }
            Setting::Pieces(DiagramPieces::Figures) => {
                self.settle_or_say("pieces", "figures");
            }
            Setting::Lasting { key, value } => self.settle_or_say(key, &value),
            Setting::Draws(draws) => {
                let policy = self.table.session.policy().with_draws(draws);
                self.apply(GameCommand::SetPolicy(policy));
            }
        }
    }

    fn copy(&mut self, what: Copied) {
        let text = match what {
            Copied::Fen => {
                let fen = self.table.position().fen();
                self.table.say(format!("Copied: {fen}"));
                fen
            }
            Copied::Pgn => {
                let text = self.table.pgn_text();
                let lines = text.lines().map(str::to_owned).collect();
                self.table.say("Copied: the game as PGN.".to_owned());
                self.show("Copied", lines);
                text
            }
        };
        self.effects.push(Effect::Copy(text));
    }

    /// The position on the screen as SVG, with what is marked in it.
    fn picture(&self) -> String {
        let node = self.table.node();
        let annotation = node.annotation();
        Picture {
            board: node.position().board(),
            bottom: self.look.bottom,
            last: self.table.last(),
            squares: &annotation.squares,
            arrows: &annotation.arrows,
        }
        .svg()
    }

    /// Marks the move on the screen.
    pub(super) fn set_glyph(&mut self, glyph: Option<Glyph>) {
        if self.table.node().parent().is_none() {
            self.table
                .refuse("There is no move here to mark.".to_owned());
            return;
        }
        let node = Some(self.table.node().id());
        self.apply(GameCommand::Glyph { node, glyph });
    }

    fn load(&mut self, position: Box<Position>) {
        self.table.forget_what_was_said();
        self.table.begun = true;
        self.screen = Screen::Game;
        self.apply(GameCommand::LoadPosition(position));
    }

    fn ask_if_open(&mut self, dialog: Dialog) {
        match self.table.session.outcome() {
            None => self.open(dialog),
            Some(outcome) => self.table.refuse(format!("The game is over: {outcome}")),
        }
    }

    fn new_request(&mut self, asked: NewRequest) {
        let mut game = self.table.session.same_again();
        if let Some(control) = asked.clock {
            game = game.with_clock(&control);
        }
        match asked.start {
            None => {}
            Some(Start::Position(start)) => game.start = start,
            Some(Start::Chess960(number)) => {
                game.start = chess960(number, &mut self.random);
            }
        }
        self.choose_side(asked.side, asked.opponent);
        self.new_game(game);
    }

    /// Turns the board to the side that is wanted, and seats the players.
    fn choose_side(&mut self, side: Option<Side>, opponent: Option<PlayerSpec>) {
        let side = side.map(|side| match side {
            Side::Of(color) => color,
            Side::Random => any_color(&mut self.random),
        });
        if let Some(color) = side {
            self.look.bottom = color;
        }
        self.sit_down(opponent, side);
    }

    /// Begins what a form describes.
    pub(super) fn begin_form(&mut self, asked: NewRequest, draws: DrawPolicy) {
        self.table.show(Front::Game);
        let policy = self.table.session.policy().with_draws(draws);
        let asked_clock = asked.clock.unwrap_or_default();
        let clean = NewGame::default()
            .with_policy(policy)
            .with_clock(&asked_clock);
        let mut tags = self.table.session.same_again().tags;
        for (color, name) in asked.names.iter() {
            tags.remove(color.name());
            if let Some(name) = name.as_deref().filter(|name| !name.is_empty()) {
                // What was typed is one line, and nothing else would be refused.
                let _ = tags.set(color.name(), name);
            }
        }
        let start = match asked.start {
            None => Position::start(),
            Some(Start::Position(start)) => start,
            Some(Start::Chess960(number)) => chess960(number, &mut self.random),
        };
        self.choose_side(asked.side, asked.opponent);
        self.new_game(clean.with_start(start).with_tags(tags));
    }

    fn go_to(&mut self, target: Target) {
        let session = &self.table.session;
        let ply = target.ply(session);
        let node = ply.and_then(|ply| session.record().on_line(ply));
        let node = node.map(tabiya_game::Node::id);
        match node {
            Some(node) => self.view(node),
            None => {
                let plies = session.record().cursor_line().len();
                let refused = Refused::NoSuchMove { plies };
                let said = refusals::refused(&refused, session.position(), refusals::KEYS);
                self.table.refuse(said.lines.join(" "));
            }
        }
    }

    /// Answers what was asked, for the side that was asked.
    fn answer(
        &mut self,
        what: Option<Pending>,
        draw: fn(Color) -> GameCommand,
        takeback: fn(Color) -> GameCommand,
    ) {
        let session = &self.table.session;
        let turn = session.turn();
        let offer = session.draw_offer();
        let wish = session.takeback().map(|takeback| takeback.by);
        let what = what.or(match (offer, wish) {
            (Some(_), _) => Some(Pending::Draw),
            (None, Some(_)) => Some(Pending::Takeback),
            (None, None) => None,
        });
        match what {
            Some(Pending::Draw) => {
                self.apply(draw(offer.map_or(turn, |by| !by)));
            }
            Some(Pending::Takeback) => {
                self.apply(takeback(wish.map_or(turn, |by| !by)));
            }
            None => self.table.refuse("There is nothing to answer.".to_owned()),
        }
    }
}

fn any_color(random: &mut SplitMix64) -> Color {
    if random.below(2) == 0 {
        Color::White
    } else {
        Color::Black
    }
}
