//! Engines in the line mode: their moves, their advice, and what is typed while they think.

use tabiya_game::{Command, MoveInput, Timestamp, UndoTo};
use tabiya_play::advice::{self, LINES, Purpose};
use tabiya_play::opponents::{EngineEvent, EngineOrder, Seat};
use tabiya_play::players::PlayerSpec;
use tabiya_rules::Color;

use super::{Effect, Game, Reply, Tone, say};
use crate::commands::{self, NewRequest, Request, Side, Start};
use crate::json::Json;
use crate::json::color_word;
use crate::position;

/// How often engines are asked in a row what they do without thinking. An answer can end a game and begin the next.
const MOST_DUE: usize = 8;

impl Game {
    /// Whether nothing is asked now, because an engine is to say something first.
    pub(crate) fn is_waiting(&self) -> bool {
        self.opponents.thinking().is_some()
            || self.adviser.is_awaited()
            || self.judging.is_some()
            || self.going.is_some()
    }

    /// Whether a flag may fall although nobody types.
    pub(crate) fn is_thinking(&self) -> bool {
        self.opponents.thinking().is_some()
    }

    /// Whether a person looks at an earlier position, where no engine shall move by itself.
    fn is_looking(&self) -> bool {
        self.looking && self.opponents.person().is_some()
    }

    pub(super) fn is_engines_turn(&self) -> bool {
        !self.opponents.is_human(self.session.turn())
    }

    /// Whether a line that comes from a pipe is meant for now, though an engine is thinking. All others wait for the
    /// prompt, so that a script gets the same answers however long an engine thinks.
    pub(crate) fn is_urgent(line: &str) -> bool {
        matches!(
            commands::read(line),
            Ok(Request::Resign(_)
                | Request::Offer(_)
                | Request::Takeback(_)
                | Request::Pause
                | Request::Opponent(..)
                | Request::Quit)
        )
    }

    /// Lets engines do what is due, and think when it is their turn.
    pub(super) fn settle(&mut self, mut effects: Vec<Effect>, now: Timestamp) -> Vec<Effect> {
        for _ in 0..MOST_DUE {
            match self.opponents.due(&self.session) {
                Some(command) => effects.extend(self.apply(command, now)),
                None => break,
            }
        }
        effects.extend(self.ask_about_stranger());
        let orders = if self.is_looking() {
            self.opponents.rest()
        } else {
            self.opponents.follow(&self.session, now)
        };
        for order in orders {
            if let EngineOrder::Think(task) = &order {
                effects.push(Effect::Say(self.thinking(&task.spec)));
            }
            effects.push(Effect::Order(order));
        }
        let record = self.session.record();
        let orders = self.adviser.follow(record, record.cursor().id());
        effects.extend(orders.into_iter().map(Effect::Order));
        effects
    }

    /// Programs are told that an engine thinks; people see that it is not their turn.
    fn thinking(&self, spec: &PlayerSpec) -> Reply {
        let json = Json::Object(vec![
            ("event", "thinking".into()),
            ("side", color_word(self.session.turn()).into()),
            ("player", spec.to_string().into()),
        ]);
        Reply {
            text: Vec::new(),
            json,
            tone: Tone::Plain,
        }
    }

    /// Takes in what an engine tells.
    pub(crate) fn told(&mut self, seat: Seat, told: EngineEvent, now: Timestamp) -> Vec<Effect> {
        let effects = match (seat, told) {
            (Seat::Side(color), EngineEvent::Report(number, info)) => {
                self.opponents.report(color, number, info);
                return Vec::new();
            }
            (Seat::Adviser, EngineEvent::Report(number, info)) => {
                self.adviser.report(number, info);
                return Vec::new();
            }
            (_, EngineEvent::Started(_)) => return Vec::new(),
            (Seat::Side(color), EngineEvent::Move(number, reply)) => {
                match self.opponents.answer(color, number, reply) {
                    Some(m) => self.engine_plays(color, m, now),
                    None => Vec::new(),
                }
            }
            (Seat::Adviser, EngineEvent::Move(number, _)) => self.advised(number),
            (Seat::Side(color), EngineEvent::Failed(sentence)) => {
                self.engine_failed(color, sentence)
            }
            (Seat::Adviser, EngineEvent::Failed(sentence)) => {
                let orders = self.adviser.fail();
                let mut effects = vec![Effect::Say(Reply::refusal(vec![sentence]))];
                effects.extend(orders.into_iter().map(Effect::Order));
                effects
            }
        };
        self.settle(effects, now)
    }

    fn engine_plays(&mut self, color: Color, m: tabiya_rules::Move, now: Timestamp) -> Vec<Effect> {
        let sentence = format!("{color} plays {}.", self.session.position().san(m));
        let mut effects = self.apply(Command::Play(MoveInput::Move(m)), now);
        // Where a flag fell first, the game has ended without the move.
        let said = effects.iter_mut().find_map(|effect| match effect {
            Effect::Say(reply) => Some(reply),
            _ => None,
        });
        if let Some(reply) = said
            && let Json::Object(members) = &reply.json
            && members.first() == Some(&("event", "moved".into()))
        {
            reply.text.insert(0, sentence);
        }
        effects
    }

    /// The game goes on: a person moves for the engine that is gone, or another one takes over.
    fn engine_failed(&mut self, color: Color, sentence: String) -> Vec<Effect> {
        let name = self.opponents.name(color).unwrap_or_default();
        let orders = self.opponents.fail(color);
        let go_on = format!(
            "The game goes on without {name}: move for {color} yourself, or enter opponent bot:5 or opponent uci:NAME."
        );
        let mut effects = vec![Effect::Say(Reply::refusal(vec![sentence, go_on]))];
        effects.extend(orders.into_iter().map(Effect::Order));
        effects
    }

    pub(super) fn not_yet(&self) -> Vec<Effect> {
        let turn = self.session.turn();
        let name = self.opponents.name(turn).unwrap_or_default();
        let sentence = if self.is_looking() {
            format!(
                "It is {turn}'s turn, and {name} plays {turn}: go to one of your turns, or enter goto end."
            )
        } else {
            format!("It is {turn}'s turn: {name} is thinking.")
        };
        vec![Effect::Say(Reply::refusal(vec![sentence]))]
    }

    pub(super) fn undo(&mut self, times: u32, now: Timestamp) -> Vec<Effect> {
        let Some(person) = self.opponents.person() else {
            return self.apply(Command::Undo(UndoTo::Plies(times)), now);
        };
        // The first may be refused, and says why; what can be undone of the others is.
        let mut effects = self.apply(Command::Undo(UndoTo::TurnOf(person)), now);
        for _ in 1..times {
            if self.session.ply() < 2 {
                break;
            }
            effects.extend(self.apply(Command::Undo(UndoTo::TurnOf(person)), now));
        }
        effects
    }

    pub(super) fn redo(&mut self, times: u32, now: Timestamp) -> Vec<Effect> {
        let plies = match self.opponents.person() {
            Some(person) if person == self.session.turn() => times.saturating_mul(2),
            _ => times,
        };
        self.apply(Command::Redo(plies), now)
    }

    pub(super) fn new_game(&mut self, asked: NewRequest, now: Timestamp) -> Vec<Effect> {
        let mut game = self.session.same_again();
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
        let side = asked.side.map(|side| match side {
            Side::Of(color) => color,
            Side::Random if self.random.below(2) == 0 => Color::White,
            Side::Random => Color::Black,
        });
        if let Some(color) = side {
            self.seat = color;
        }
        let specs = self.opponents.seating(asked.opponent, side);
        let orders = self.opponents.seat(specs);
        let mut effects: Vec<Effect> = orders.into_iter().map(Effect::Order).collect();
        effects.extend(self.start(game, now));
        effects
    }

    pub(super) fn change_opponent(&mut self, side: Option<Color>, spec: PlayerSpec) -> Vec<Effect> {
        let side = side.unwrap_or_else(|| self.opponents.engine_side());
        let mut specs = self.opponents.specs().clone();
        specs[side] = spec;
        let sentence = match specs[side].name() {
            Some(name) => format!("{name} plays {side}."),
            None => format!("A person plays {side}."),
        };
        let mut effects = say("opponent", vec![sentence]);
        effects.extend(self.opponents.seat(specs).into_iter().map(Effect::Order));
        effects
    }

    pub(super) fn advise(&mut self, request: &Request) -> Vec<Effect> {
        let record = self.session.record();
        let place = record.cursor().id();
        if self.session.outcome().is_some() || !self.session.position().has_legal_move() {
            let sentence = "There is no move to think about.".to_owned();
            return vec![Effect::Say(Reply::refusal(vec![sentence]))];
        }
        let mut orders = match request {
            Request::Lines(Some(spec)) => self.adviser.consult(spec.clone()),
            _ => Vec::new(),
        };
        orders.extend(match request {
            Request::Hint => self.adviser.hint(record, place),
            Request::Lines(_) => self.adviser.seek(record, place, Purpose::SomeLines),
            _ => self.adviser.seek(record, place, Purpose::Evaluation),
        });
        if orders.is_empty() {
            return self.advice(request);
        }
        orders.into_iter().map(Effect::Order).collect()
    }

    fn advised(&mut self, number: u64) -> Vec<Effect> {
        match self.adviser.finish(number) {
            Some(Purpose::Hint) => self.advice(&Request::Hint),
            Some(Purpose::Evaluation) => self.advice(&Request::Evaluate),
            Some(Purpose::SomeLines) => self.advice(&Request::Lines(None)),
            Some(Purpose::Lines) | None => Vec::new(),
        }
    }

    /// What was found out.
    fn advice(&self, request: &Request) -> Vec<Effect> {
        let found = self.adviser.found();
        let sentences = |most: usize| -> Vec<String> {
            let Some((position, lines)) = &found else {
                return Vec::new();
            };
            let texts = lines.iter().take(most);
            texts
                .filter_map(|info| advice::evaluation_sentence(position, info))
                .collect()
        };
        match (request, self.adviser.hinted()) {
            (Request::Hint, Some((stage, best, position))) => {
                say("hint", vec![advice::hint_sentence(stage, best, position)])
            }
            (Request::Lines(_), _) => say("lines", sentences(LINES)),
            (Request::Evaluate, _) => say("eval", sentences(1)),
            _ => {
                let sentence = "The engine found nothing to say.".to_owned();
                vec![Effect::Say(Reply::refusal(vec![sentence]))]
            }
        }
    }
}
