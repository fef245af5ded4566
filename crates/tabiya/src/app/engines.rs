//! Engines on the full screen: their moves, their advice, and what may be done while they think.

use tabiya_game::{Command, MoveInput, UndoTo};
use tabiya_play::advice::{Purpose, Stage};
use tabiya_play::opponents::{self, EngineEvent, Seat};
use tabiya_play::outcome::Answer;
use tabiya_play::players::PlayerSpec;
use tabiya_play::request::Question;
use tabiya_play::typed_move::Candidate;
use tabiya_rules::text::excerpt;
use tabiya_rules::{Bitboard, ByColor, Color, Move};

use super::boards::Front;
use super::{App, Overlay, table};
use crate::wording::answers;

/// How often engines are asked in a row what they do without thinking.
const MOST_DUE: usize = 8;

impl App {
    /// Seats the players that the command line asked for, before the game begins.
    pub(crate) fn seat(&mut self, specs: ByColor<PlayerSpec>, engines: Vec<String>) {
        self.opponents = opponents::Opponents::new(specs);
        self.opponents.mind_manners(self.settings.manners);
        self.engines = engines;
        if let Some(person) = self.opponents.person() {
            self.look.bottom = person;
        }
        let mut game = self.table.session.same_again();
        game.start = *self.table.session.record().start();
        self.opponents.sign(&mut game.tags);
        // Nothing has been played yet, so that nothing is lost and nobody is to be told.
        self.table.session = tabiya_game::Session::new(game);
    }

    /// Whether a person plays a side. Whoever reviews a game plays both.
    pub(super) fn is_person(&self, color: Color) -> bool {
        self.table.is_review() || self.opponents.is_human(color)
    }

    /// The side of the only person.
    pub(crate) fn person(&self) -> Option<Color> {
        self.opponents.person().filter(|_| !self.table.is_review())
    }

    /// What a side is called: by the player's name where two people with names play, and else by its color.
    pub(super) fn called(&self, color: Color) -> String {
        let names = ByColor::from_fn(|color| {
            let is_known = self.opponents.is_human(color) && !self.table.is_review();
            table::name(&self.table.session, color).filter(|_| is_known)
        });
        match (names.white, names.black) {
            (Some(_), Some(_)) => excerpt(names[color].unwrap_or_default()),
            _ => color.name().to_owned(),
        }
    }

    /// Who speaks when nothing else is said: the only person, else the side to move.
    pub(super) fn speaker(&self) -> Color {
        self.person().unwrap_or_else(|| self.table.session.turn())
    }

    /// Lets engines do what is due, think when it is their turn, and look where the player looks.
    pub(super) fn attend(&mut self) {
        if self.table.game.begun {
            self.with_game(App::attend_game);
        }
        self.ask_about_stranger();
        if self.table.begun || self.table.is_review() {
            let place = self.table.node().id();
            let orders = self.adviser.follow(self.table.session.record(), place);
            self.effects.order(orders);
        }
    }

    fn attend_game(&mut self) {
        for _ in 0..MOST_DUE {
            match self.opponents.due(&self.table.session) {
                Some(command) => self.apply(command),
                None => break,
            };
        }
        let orders = self.opponents.follow(&self.table.session, self.now);
        self.effects.order(orders);
    }

    /// Takes in what an engine tells.
    pub(super) fn told(&mut self, seat: Seat, told: EngineEvent) {
        match (seat, told) {
            (Seat::Side(color), EngineEvent::Report(number, info)) => {
                self.opponents.report(color, number, info);
            }
            (Seat::Adviser, EngineEvent::Report(number, info)) => {
                self.adviser.report(number, info);
                self.note_course();
            }
            (_, EngineEvent::Started(_)) => {}
            (Seat::Side(color), EngineEvent::Move(number, reply)) => {
                if let Some(m) = self.opponents.answer(color, number, reply) {
                    self.with_game(|app| app.engine_plays(m));
                }
            }
            (Seat::Adviser, EngineEvent::Move(number, _)) => match self.adviser.finish(number) {
                Some(Purpose::Hint) => self.say_hint(),
                Some(Purpose::Evaluation) => self.say_evaluation(),
                Some(Purpose::SomeLines | Purpose::Lines) | None => {}
            },
            (Seat::Side(color), EngineEvent::Failed(error)) => {
                self.with_game(|app| app.engine_failed(color, &error.to_string()));
            }
            (Seat::Adviser, EngineEvent::Failed(error)) => {
                let orders = self.adviser.fail();
                self.effects.order(orders);
                self.table.refuse(error.to_string());
            }
        }
    }

    /// Remembers how the game stands by what was found so far.
    fn note_course(&mut self) {
        let Some((node, known)) = self.adviser.standing() else {
            return;
        };
        self.table.course.note(node, known);
    }

    /// Plays an engine's move. What a person types or looks at meanwhile stays.
    fn engine_plays(&mut self, m: Move) {
        let typing = std::mem::take(&mut self.table.typing);
        let viewed = self.table.viewed;
        let overlay = self.overlay.take();
        self.apply(Command::Play(MoveInput::Move(m)));
        self.table.typing = typing;
        self.table.viewed = viewed;
        // The end of a game is shown over everything else.
        if self.overlay.is_none() {
            self.overlay = overlay;
        }
    }

    /// The game goes on: a person moves for the engine that is gone, or another one takes over.
    fn engine_failed(&mut self, color: Color, sentence: &str) {
        let orders = self.opponents.fail(color);
        self.effects.order(orders);
        // One message, so that a small screen shows the cause before all else.
        self.table.refuse(format!(
            "{sentence} Move for {color} yourself, or enter :opponent bot 5."
        ));
    }

    /// Whether a move on the screen would be made for an engine; then a sentence says so.
    pub(super) fn refuses_engines_move(&mut self) -> bool {
        let Some(name) = self.awaited() else {
            return false;
        };
        let turn = self.table.position().turn();
        self.table
            .refuse(format!("It is {turn}'s turn, and {name} plays {turn}."));
        true
    }

    /// The engine whose move it is on the screen, by its name.
    pub(crate) fn awaited(&self) -> Option<String> {
        let turn = self.table.position().turn();
        let waits = !self.is_person(turn) && self.table.session.outcome().is_none();
        self.opponents.name(turn).filter(|_| waits)
    }

    /// The moves that fit what is typed, the best first; none of an engine's.
    pub(crate) fn fitting(&self) -> Vec<Candidate> {
        match self.awaited() {
            None => self.table.typing.candidates(self.table.position()),
            Some(_) => Vec::new(),
        }
    }

    pub(super) fn undo(&mut self, times: u32) {
        let Some(person) = self.person() else {
            self.apply(Command::Undo(UndoTo::Plies(times)));
            return;
        };
        for _ in 0..times.min(self.table.session.ply().max(1)) {
            if !self.apply(Command::Undo(UndoTo::TurnOf(person))) {
                break;
            }
        }
    }

    pub(super) fn redo(&mut self, times: u32) {
        let plies = match self.person() {
            Some(person) if person == self.table.session.turn() => times.saturating_mul(2),
            _ => times,
        };
        self.apply(Command::Redo(plies));
    }

    /// Begins the same kind of game against somebody.
    pub(super) fn play_against(&mut self, opponent: PlayerSpec, side: Option<Color>) {
        self.table.show(Front::Game);
        self.sit_down(Some(opponent), side);
        let game = self.table.session.same_again();
        self.new_game(game);
    }

    /// Seats the players of a new game.
    pub(super) fn sit_down(&mut self, opponent: Option<PlayerSpec>, side: Option<Color>) {
        let specs = self.opponents.seating(opponent, side);
        let orders = self.opponents.seat(specs);
        self.effects.order(orders);
    }

    pub(super) fn change_opponent(&mut self, side: Option<Color>, spec: PlayerSpec) {
        let side = side.unwrap_or_else(|| self.opponents.engine_side());
        let mut specs = self.opponents.specs().clone();
        specs[side] = spec;
        let sentence = match specs[side].name() {
            Some(name) => format!("{name} plays {side}."),
            None => format!("A person plays {side}."),
        };
        let orders = self.opponents.seat(specs);
        self.effects.order(orders);
        self.table.say(sentence);
    }

    /// A hint, an evaluation, or lines beside the board.
    pub(super) fn advise(&mut self, question: &Question) {
        let place = self.table.node().id();
        let record = self.table.session.record();
        if let Question::Lines(spec) = question {
            let mut orders = match spec {
                Some(spec) => self.adviser.consult(spec.clone()),
                None => Vec::new(),
            };
            // Whoever names an engine wants to see its lines.
            if spec.is_none() || !self.adviser.shows_lines() {
                orders.extend(self.adviser.toggle_lines());
            }
            self.effects.order(orders);
            let sentence = match (self.adviser.shows_lines(), self.layout()) {
                (false, _) => "The lines are hidden.",
                (true, Some(layout)) if layout.lines.height == 0 => {
                    "There is no room for lines; :eval says the best one."
                }
                (true, _) => "The best lines are shown beside the board.",
            };
            return self.table.say(sentence.to_owned());
        }
        if !self.table.position().has_legal_move() {
            return self
                .table
                .refuse("There is no move to think about.".to_owned());
        }
        let orders = match question {
            Question::Hint => self.adviser.hint(record, place),
            _ => self.adviser.seek(record, place, Purpose::Evaluation),
        };
        let thinks = !orders.is_empty();
        self.effects.order(orders);
        match question {
            _ if thinks => self.table.say("Thinking…".to_owned()),
            Question::Hint => self.say_hint(),
            _ => self.say_evaluation(),
        }
    }

    fn say_hint(&mut self) {
        if let Some((stage, best, position)) = self.adviser.hinted() {
            let san = position.san(best).to_string();
            self.say_answer(&Answer::Hint { stage, best, san });
        }
    }

    fn say_evaluation(&mut self) {
        let found = self.adviser.evaluations().into_iter().next();
        self.say_answer(&Answer::Evaluation(found));
    }

    fn say_answer(&mut self, answer: &Answer) {
        for line in answers::lines(answer) {
            self.table.say(line);
        }
    }

    /// What the board points at: what is typed or held, else a hint.
    pub(crate) fn pointed(&self) -> (Bitboard, Bitboard) {
        if let Some(Overlay::Dialog(dialog)) = &self.overlay
            && let Some((from, to)) = dialog.about
        {
            return (Bitboard::of(from), Bitboard::of(to));
        }
        let (selected, targets) = if self.table.typing.is_empty() {
            self.table.pointed()
        } else {
            self.table.typing.squares(&self.fitting())
        };
        if !selected.is_empty() || !targets.is_empty() {
            return (selected, targets);
        }
        match self.adviser.hinted() {
            Some((stage, best, position)) if position == self.table.position() => {
                let target = match stage {
                    Stage::Piece => Bitboard::EMPTY,
                    Stage::Square | Stage::Move => Bitboard::of(best.destination()),
                };
                (Bitboard::of(best.from()), target)
            }
            _ => (selected, targets),
        }
    }
}
