//! Changing the game: the way from a wish to [`Session::apply`](tabiya_game::Session::apply), and from its events to what is shown.

use tabiya_game::{Command, Event, GoTo, MoveInput, MoveRefusal, NewGame, NodeId, Refusal};
use tabiya_play::outcome::Happened;
use tabiya_play::table::typed;
use tabiya_play::typed_move::{self, Candidate, Unplayable};
use tabiya_rules::{ByColor, Color, IllegalMove, SanError, Square};

use super::boards::Front;
use super::overlay::dialog::Dialog;
use super::study::Trial;
use super::table::{self, Tone};
use super::{App, Screen, words};
use crate::wording::{events, refusals};

/// What follows the color in the tags about one player.
const ABOUT_A_PLAYER: [&str; 7] = ["", "Elo", "Title", "Type", "NA", "FideId", "Team"];

impl App {
    /// Lets the time pass; a flag may fall.
    pub(super) fn pass_time(&mut self) {
        if self.table.session.clock(self.now).running.is_some() {
            self.apply(Command::Tick);
        }
    }

    /// Applies a command. Returns whether it was done.
    pub(super) fn apply(&mut self, command: Command) -> bool {
        let typed = typed(&command);
        let ply_before = self.table.session.ply();
        let moves = self.table.session.record().len();
        match self.table.session.apply(command, self.now) {
            Err(refusal) => {
                let sentence = words::refusal(&refusal, &typed, self.table.session.position());
                self.table.refuse(sentence);
                if matches!(refusal, Refusal::Paused) {
                    // The key that goes on must not become a part of the move.
                    self.table.typing.refuse_all();
                }
                false
            }
            Ok(events) => {
                let happened = Happened {
                    events,
                    ply_before,
                    node: self.table.session.record().cursor().id(),
                    by_engine: false,
                    branched: false,
                    recorded: false,
                };
                let grown = self.table.session.record().len() != moves;
                let written = |event: &Event| {
                    matches!(
                        event,
                        Event::Annotated { .. } | Event::VariationMoved { .. }
                    )
                };
                let changed = grown || happened.events.iter().any(written);
                if let Some(review) = &mut self.table.reviewed {
                    review.changed |= changed;
                }
                if changed && self.table.is_review() {
                    self.note_review();
                }
                self.fold(&happened);
                true
            }
        }
    }

    /// Takes in what happened.
    fn fold(&mut self, happened: &Happened) {
        self.note(&happened.events);
        if happened.only_wrote() {
            return;
        }
        let another = |event: &Event| {
            matches!(
                event,
                Event::NewGame | Event::PositionLoaded | Event::GameLoaded
            )
        };
        if happened.events.iter().any(another) {
            self.table.course.clear();
        }
        self.table.viewed = None;
        self.table.held = None;
        self.table.dragged = None;
        let called = ByColor::from_fn(|color| self.called(color));
        let ended = happened.has_ended();
        for told in events::told(happened, &self.table.session) {
            match &told.event {
                Event::Moved(moved) => {
                    self.table.typing.clear();
                    self.table.marks.clear();
                    let (sentence, tone) = words::moved(moved, &called, ended);
                    self.table.tell(sentence, tone);
                }
                Event::ClaimAvailable(claims) => {
                    for claim in claims {
                        self.table
                            .tell(words::claim(claim, &called[claim.by]), Tone::News);
                    }
                }
                Event::Ended(outcome) => {
                    self.table
                        .tell(events::ending(*outcome, &called), Tone::Ending);
                }
                Event::Paused => self
                    .table
                    .tell("Paused. Press p to go on.".to_owned(), Tone::News),
                // An engine answers by itself.
                Event::DrawOffered { by } if self.is_person(!*by) => {
                    // What an engine offers comes by itself, perhaps in the middle of a move.
                    let came = (!self.is_person(*by)).then_some(self.now);
                    self.open(Dialog {
                        came,
                        ..Dialog::answer_draw(*by, &called)
                    });
                }
                Event::TakebackAsked { by } if self.is_person(!*by) => {
                    self.open(Dialog::answer_takeback(*by, &called));
                }
                Event::DrawOffered { .. } | Event::TakebackAsked { .. } => {}
                _ => {
                    for line in events::lines(&told, &called) {
                        self.table.say(line);
                    }
                }
            }
        }
        if !self.table.is_review() {
            self.follow_end(happened);
        }
    }

    /// Opens the panel at the end of a game when it ends, and not when the end is only walked over.
    fn follow_end(&mut self, happened: &Happened) {
        // Whoever is typing the next move does not expect it.
        let surprises = happened.events.iter().any(|event| match event {
            Event::FlagFell { .. } => true,
            Event::Moved(moved) => !self.is_person(moved.by),
            Event::Resigned { by } => !self.is_person(*by),
            _ => false,
        });
        let session = &self.table.session;
        if let Some(outcome) = session.outcome()
            && happened.ended_by_playing()
        {
            let moves = session.ply().div_ceil(2);
            let called = ByColor::from_fn(|color| self.called(color));
            let sentence = events::ending(outcome, &called);
            let result = outcome.result().as_str();
            self.open(Dialog {
                came: surprises.then_some(self.now),
                ..Dialog::end(sentence, result, moves)
            });
        }
    }

    /// Plays a move from the position on the screen. Where that is not the one of the game, the game goes there first
    /// and a variation begins; nothing is lost.
    pub(super) fn play(&mut self, command: Command) -> bool {
        if self.refuses_engines_move() {
            return false;
        }
        match self.try_out(&command) {
            Trial::None => self.play_here(command),
            Trial::NotYet => false,
            Trial::Good(praise) => {
                let played = self.play_here(command);
                // It is said last, because where there is little room only the last sentence is seen.
                self.table.tell(praise, Tone::News);
                played
            }
        }
    }

    fn play_here(&mut self, command: Command) -> bool {
        if self.table.is_review() && self.table.session.ended_by_act() {
            // Whoever looks at a game may look beyond where a player gave it up.
            let _ = self.table.session.apply(Command::undo(1), self.now);
        }
        let from = self.table.viewed.filter(|_| self.table.is_elsewhere());
        if let Some(node) = from {
            // A move that is refused there must not move the game.
            if let Command::Play(input) = &command
                && let Err(refusal) = input.resolve(self.table.position())
            {
                let typed = typed(&command);
                let sentence =
                    words::refusal(&Refusal::Move(refusal), &typed, self.table.position());
                self.table.refuse(sentence);
                return false;
            }
            if !self.apply(Command::GoTo(GoTo::Node(node))) {
                return false;
            }
        }
        let followed = self.table.node().children().next().is_some();
        let played = self.apply(command);
        if played && from.is_some() && followed && !self.table.is_review() {
            self.say_branched();
        }
        played
    }

    /// Says what became of the moves that had followed the place from where the game goes on.
    fn say_branched(&mut self) {
        let node = self.table.node();
        let sentence = if node.next().is_some() {
            "The game goes on from here. The moves that followed are still there: U plays them again."
        } else {
            "The game goes on from here. The moves that had followed are kept as a variation."
        };
        self.table.tell(sentence.to_owned(), Tone::News);
    }

    /// Plays from one square to another, and asks what a pawn becomes.
    pub(super) fn play_squares(&mut self, from: Square, to: Square) -> bool {
        let position = *self.table.position();
        if position.find_move(from, to, None) == Err(IllegalMove::PromotionRequired) {
            self.table.held = None;
            self.open(Dialog::promotion(from, to));
            return true;
        }
        self.play(Command::Play(MoveInput::Squares {
            from,
            to,
            promotion: None,
        }))
    }

    /// Plays what was typed, or says why not.
    pub(super) fn submit(&mut self) {
        let position = *self.table.position();
        let text = self.table.typing.line.text().trim().to_owned();
        if text.is_empty() {
            self.table.typing.clear();
            return;
        }
        if self.refuses_engines_move() {
            return;
        }
        let found = self.table.typing.candidates(&position);
        match (self.table.typing.meant(&found), found.as_slice()) {
            (Some(meant), _) => {
                // Whoever chose it with Tab saw the other.
                let typed = self.table.typing.cycled().is_none();
                let also = typed_move::also(meant, &found).filter(|_| typed);
                if self.play(Command::Play(MoveInput::Move(meant.played)))
                    && let Some(other) = also
                {
                    self.table.say(words::also(&other));
                }
            }
            (None, []) => self.play_other(&text),
            (None, found) => {
                let refusal = MoveInput::Text(text).resolve(&position).err();
                let promotes = refusal.is_some_and(|refusal| needs_promotion(&refusal));
                if !(promotes && self.ask_promotion(found)) {
                    self.table.refuse(words::which(found));
                }
            }
        }
        self.table.typing.refuse(&position);
    }

    /// Does what can be done with a text that no move begins with: mostly, to say why.
    fn play_other(&mut self, text: &str) {
        let position = *self.table.position();
        match typed_move::read(text, &position) {
            Ok(read) => {
                self.play(Command::Play(MoveInput::Move(read.played)));
            }
            Err(Unplayable::NothingToCapture(meant)) => {
                let sentence = refusals::nothing_to_capture(meant, &position);
                self.table.refuse(sentence);
            }
            Err(Unplayable::Refused(_)) => match words::as_command(text) {
                Some(sentence) => self.table.refuse(sentence),
                None => {
                    self.play(Command::play(text));
                }
            },
        }
    }

    /// Asks what the pawn becomes that is meant, if one can go there.
    fn ask_promotion(&mut self, found: &[Candidate]) -> bool {
        let mut moves = found.iter().map(|one| one.played);
        let Some(pawn) = moves.find(|played| played.promotion().is_some()) else {
            return false;
        };
        self.table.typing.clear();
        self.open(Dialog::promotion(pawn.from(), pawn.to()));
        true
    }

    pub(super) fn rematch(&mut self) {
        self.table.show(Front::Game);
        let start = *self.table.session.record().start();
        // The same kind of game from the same start, with the colors swapped.
        let mut game = self.table.session.same_again().with_start(start);
        for about in ABOUT_A_PLAYER {
            let names = ByColor::from_fn(|color: Color| format!("{color}{about}"));
            let told = ByColor::from_fn(|color| game.tags.remove(&names[color]));
            for color in Color::ALL {
                if let Some(value) = &told[!color] {
                    // It was a tag of the other side's, so that it is a tag of this one's.
                    let _ = game.tags.set(&names[color], value);
                }
            }
        }
        game.clocks = ByColor::from_fn(|color| game.clocks[!color].clone());
        let specs = self.opponents.specs().clone();
        let seats = ByColor::from_fn(|color| specs[!color].clone());
        self.effects.order(self.opponents.seat(seats));
        self.look.bottom = match self.opponents.person() {
            Some(person) => person,
            None => !self.look.bottom,
        };
        self.new_game(game);
    }

    pub(super) fn new_game(&mut self, mut game: NewGame) {
        self.table.show(Front::Game);
        self.opponents.sign(&mut game.tags);
        let orders = self.opponents.new_game();
        self.effects.order(orders);
        self.table.forget_what_was_said();
        self.table.typing.clear();
        self.table.marks.clear();
        self.table.cursor = table::first_cursor(self.look.bottom);
        self.table.cursor_shown = false;
        self.table.begun = true;
        self.overlay = None;
        self.screen = Screen::Game;
        self.apply(Command::NewGame(Box::new(game)));
    }

    /// Looks at a place of the record without moving the game.
    pub(super) fn view(&mut self, node: NodeId) {
        self.table.held = None;
        if self.table.is_review() {
            self.table.leave_retry();
            self.table.forget_refusal();
            // A review stands where it is looked at. Every node that can be seen can be gone to.
            let place = Command::GoTo(GoTo::Node(node));
            let _ = self.table.session.apply(place, self.now);
            return;
        }
        let here = self.table.session.record().cursor().id();
        self.table.viewed = Some(node).filter(|&node| node != here);
    }

    /// Walks along the record by so many plies, back or forward.
    pub(super) fn walk(&mut self, plies: i64) {
        let node = self.table.node();
        let mut there = node;
        if plies < 0 {
            for _ in 0..plies.unsigned_abs() {
                match there.parent() {
                    Some(parent) => there = parent,
                    None => break,
                }
            }
        } else {
            let record = self.table.session.record();
            for _ in 0..plies {
                // Along the line of the game where the place lies on it, and else along the first continuation.
                let on_line = record
                    .on_line(there.ply())
                    .is_some_and(|known| known.id() == there.id());
                let next = if on_line {
                    record.on_line(there.ply() + 1)
                } else {
                    there.next()
                };
                match next {
                    Some(next) => there = next,
                    None => break,
                }
            }
        }
        let id = there.id();
        self.view(id);
    }
}

fn needs_promotion(refusal: &MoveRefusal) -> bool {
    matches!(
        refusal,
        MoveRefusal::Illegal(IllegalMove::PromotionRequired)
            | MoveRefusal::San(SanError::PromotionRequired)
            | MoveRefusal::San(SanError::Illegal {
                reason: Some(IllegalMove::PromotionRequired),
                ..
            })
    )
}
