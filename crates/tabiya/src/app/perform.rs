//! The commands of the one table, done on the full screen.

use tabiya_game::{Command, DrawPolicy, Glyph, NewGame, Policy};
use tabiya_play::players::PlayerSpec;
use tabiya_rules::{Color, DiagramPieces, Position, SplitMix64};
use tabiya_svg::Picture;

use super::dialog::{Act, Dialog};
use super::{App, Screen};
use crate::commands::{
    self, Copied, NewRequest, Question, Request, Setting, Shown, Side, Start, Target,
};
use crate::config::settings::SETTINGS;
use crate::game_json;
use crate::message::{Effect, FileEffect, StoreEffect};
use crate::position;
use crate::wording::{answers, refusals};

impl App {
    /// Runs a line of the command table.
    pub(super) fn run(&mut self, line: &str) {
        match commands::read(line) {
            Ok(request) => self.perform(request),
            Err(misused) => {
                self.table.refuse(refusals::misused(&misused).join(" "));
            }
        }
    }

    /// Does what was asked for.
    pub(super) fn perform(&mut self, request: Request) {
        if self.table.is_review() && self.perform_in_review(&request) {
            return;
        }
        let another = match &request {
            Request::New(_) | Request::Load(_) => true,
            Request::Fen(Some(_)) => !self.table.is_review(),
            _ => false,
        };
        if another && self.asks_before_another_game(Act::Anyway(Box::new(request.clone()))) {
            return;
        }
        let turn = self.speaker();
        match request {
            Request::Play(text) => {
                self.screen = Screen::Game;
                self.table.typing.line.set(&text);
                self.table.typing.edited();
                self.submit();
            }
            Request::New(asked) => {
                self.front_game();
                self.new_request(*asked);
            }
            Request::Opponent(side, spec) => self.change_opponent(side, spec),
            Request::Hint | Request::Evaluate | Request::Lines(_) => self.advise(&request),
            Request::Undo(times) => self.undo(times),
            Request::Redo(times) => self.redo(times),
            Request::GoTo(target) if self.screen == Screen::Match => {
                self.go_to_in_match(target);
            }
            Request::GoTo(target) if self.screen == Screen::Picker => self.go_to_listed(target),
            Request::GoTo(target) => self.go_to(target),
            Request::Draw(None) => {
                self.apply(Command::claim());
            }
            Request::Draw(Some(text)) => {
                self.apply(Command::claim_with(&text));
            }
            Request::Offer(by) => {
                let by = by.unwrap_or(turn);
                self.ask_if_open(Dialog::draw_offer(by, &self.called(by)));
            }
            Request::Takeback(by) => {
                let by = by.unwrap_or_else(|| self.opponents.regretful(&self.table.session));
                self.apply(Command::AskTakeback(by));
            }
            Request::Resign(by) => {
                let by = by.unwrap_or(turn);
                self.ask_if_open(Dialog::resignation(by, &self.called(by)));
            }
            Request::Accept(what) => self.answer(what, Command::AcceptDraw, Command::GrantTakeback),
            Request::Decline(what) => {
                self.answer(what, Command::DeclineDraw, Command::DeclineTakeback);
            }
            Request::Pause => {
                let command = if self.table.session.is_paused() {
                    Command::Resume
                } else {
                    Command::Pause
                };
                self.apply(command);
            }
            Request::Fen(Some(position)) if self.table.is_review() => {
                self.review_position(&position);
            }
            Request::Save(name) => self.save(name),
            Request::Load(name) => self.effects.push(StoreEffect::Resume(Some(name))),
            Request::Delete(name) => self.effects.push(StoreEffect::AskToDelete(name)),
            Request::Saves => self.open_saves(),
            Request::Fen(Some(position)) => self.load(position),
            other => self.perform_written(other),
        }
    }

    /// The commands about what is written of a game, and about other games.
    fn perform_written(&mut self, request: Request) {
        match request {
            Request::Mark(glyph) => self.set_glyph(glyph),
            Request::Comment(text) => {
                let node = Some(self.table.node().id());
                let brace = text.contains('}');
                if self.apply(Command::Comment { node, text }) && brace {
                    self.table.say(answers::NO_BRACE.to_owned());
                }
            }
            Request::Vary(wish) => self.variation(wish),
            Request::Study(engine) => self.study(engine),
            Request::Retry => self.retry(),
            Request::Match(wish) => self.start_match(*wish),
            Request::Review(what) => self.review(what),
            other => self.perform_look(other),
        }
    }

    /// The commands that leave the game as it is.
    fn perform_look(&mut self, request: Request) {
        // On the match screen, files are about the match.
        if self.export_match(&request) {
            return;
        }
        match request {
            Request::Flip => self.look.bottom = !self.look.bottom,
            Request::Blindfold => self.set_blindfold(!self.look.blindfold),
            Request::Theme(None) => self.next_theme(),
            Request::Theme(Some(theme)) => self.set_theme(theme),
            Request::PieceStyle(style) => self.set_pieces(style),
            Request::Copy(what) => self.copy(what),
            Request::Fen(_) => self.show("Position", vec![self.table.position().fen()]),
            Request::Pgn(None) => {
                let lines = self.pgn_text().lines().map(str::to_owned).collect();
                self.show("Game", lines);
            }
            Request::Pgn(Some(path)) => {
                let text = self.pgn_text();
                self.saving();
                let source = self.source();
                self.effects.push(FileEffect::Write { path, text, source });
            }
            Request::Json(path) => {
                let text = game_json::json(&self.record()).to_string();
                match path {
                    Some(path) => {
                        self.effects.push(FileEffect::Write {
                            path,
                            text,
                            source: None,
                        });
                    }
                    None => self.show("Game", vec![text]),
                }
            }
            Request::Svg(path) => {
                let text = self.picture();
                self.effects.push(FileEffect::Write {
                    path,
                    text,
                    source: None,
                });
            }
            Request::Set(Some(setting)) => self.set(setting),
            Request::Settings => self.open_settings(),
            Request::Help(entry) => self.open_help(entry.map_or("", |entry| entry.name)),
            Request::Quit => self.leave_or_ask(),
            looking => self.answer_look(&looking),
        }
    }

    /// The commands that only say something.
    fn answer_look(&mut self, request: &Request) {
        let session = &self.table.session;
        let (title, lines) = match request {
            Request::Board => {
                let diagram = self.table.position().board().diagram();
                let diagram = diagram
                    .pieces(DiagramPieces::Letters)
                    .bottom(self.look.bottom);
                (
                    "Board",
                    diagram.to_string().lines().map(str::to_owned).collect(),
                )
            }
            Request::Pieces(role) => ("Pieces", answers::pieces(session, *role)),
            Request::Squares(line) => ("Squares", answers::squares(session, *line)),
            Request::Last => ("Last move", vec![answers::last(session)]),
            Request::Clock => ("Clock", vec![answers::clock(session, self.now)]),
            Request::Moves(from) => ("Moves", answers::moves(session, *from)),
            Request::Attackers(square) => ("Attackers", answers::attackers(session, *square)),
            Request::Set(_) => ("Settings", self.settings()),
            // Everything else is done elsewhere.
            _ => return,
        };
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
        if let Err(sentence) = self.settle(key, value) {
            self.table.refuse(sentence);
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
                let policy = Policy {
                    draws,
                    ..self.table.session.policy()
                };
                self.apply(Command::SetPolicy(policy));
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
                let text = self.pgn_text();
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
        self.apply(Command::Glyph { node, glyph });
    }

    fn load(&mut self, position: Box<Position>) {
        self.table.forget_what_was_said();
        self.table.begun = true;
        self.screen = Screen::Game;
        self.apply(Command::LoadPosition(position));
    }

    fn ask_if_open(&mut self, dialog: Dialog) {
        match self.table.session.outcome() {
            None => self.ask(dialog),
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
                game.start = position::chess960(number, &mut self.random);
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
        self.front_game();
        let policy = Policy {
            draws,
            ..self.table.session.policy()
        };
        let asked_clock = asked.clock.unwrap_or_default();
        let clean = NewGame {
            policy,
            ..NewGame::default()
        }
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
            Some(Start::Chess960(number)) => position::chess960(number, &mut self.random),
        };
        self.choose_side(asked.side, asked.opponent);
        self.new_game(NewGame {
            start,
            tags,
            ..clean
        });
    }

    fn go_to(&mut self, target: Target) {
        let session = &self.table.session;
        let ply = target.ply(session);
        let node = ply.and_then(|ply| session.record().on_line(ply));
        let node = node.map(tabiya_game::Node::id);
        match node {
            Some(node) => self.view(node),
            None => {
                let sentence = answers::no_such_move(&self.table.session);
                self.table.refuse(sentence);
            }
        }
    }

    /// Answers what was asked, for the side that was asked.
    fn answer(
        &mut self,
        what: Option<Question>,
        draw: fn(Color) -> Command,
        takeback: fn(Color) -> Command,
    ) {
        let session = &self.table.session;
        let turn = session.turn();
        let offer = session.draw_offer();
        let wish = session.takeback().map(|takeback| takeback.by);
        let what = what.or(match (offer, wish) {
            (Some(_), _) => Some(Question::Draw),
            (None, Some(_)) => Some(Question::Takeback),
            (None, None) => None,
        });
        match what {
            Some(Question::Draw) => {
                self.apply(draw(offer.map_or(turn, |by| !by)));
            }
            Some(Question::Takeback) => {
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
