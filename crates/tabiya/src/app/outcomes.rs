//! The outcomes of a table on the screen: they become messages, questions and effects.

use tabiya_game::{Event, GameResult, MoveRefusal, Refusal, Timestamp};
use tabiya_play::opponents::{EngineEvent, Seat};
use tabiya_play::outcome::{Answer, Happened, Outcome, Outcomes, Refused};
use tabiya_play::remote::ServerNews;
use tabiya_play::request::GameRequest;
use tabiya_play::study::StudyReport;
use tabiya_play::variations;
use tabiya_rules::{ByColor, IllegalMove, SanError, Square};

use super::act::Act;
use super::board::{Board, Tone};
use super::boards::Front;
use super::overlay::dialog::Dialog;
use super::overlay::menus;
use super::review::{Origin, Review};
use super::{App, Screen, sound, words};
use crate::config::settings::fitted_level;
use crate::message::{Effect, EngineEffect};
use crate::wording::{PREMOVE_DROPPED, PREMOVE_REMOVED, answers, events, server, study};

impl App {
    /// Handles an engine's event.
    pub(super) fn heard(&mut self, seat: Seat, event: EngineEvent) {
        let front = match seat {
            Seat::Side(_) => Front::Game,
            Seat::Adviser => self.board.front(),
        };
        let outcomes = self.board.at(front).table.heard(seat, event, self.now);
        self.show_outcomes(front, outcomes);
    }

    /// Handles an event of the engine that judges the game.
    pub(super) fn studied(&mut self, studied: StudyReport) {
        let was_changed = self.board.has_unsaved_review();
        let Some(view) = &mut self.board.review else {
            return;
        };
        let outcomes = view.table.studied(studied, self.now);
        let all_judged = outcomes.contains(&Outcome::AllJudged);
        // A move that the engine approved of is played, and that is the user's own.
        let is_own =
            |outcome: &Outcome| matches!(outcome, Outcome::Happened(done) if !done.only_wrote());
        let only_judged = !was_changed && !outcomes.iter().any(is_own);
        if only_judged && all_judged && view.reviewed.as_ref().is_some_and(is_kept_by_user) {
            view.say(":pgn FILE keeps the judgment.".to_owned());
        }
        self.show_outcomes(Front::Review, outcomes);
        if only_judged {
            self.keep_judgment(all_judged);
        }
    }

    /// Saves an engine's judgment with the game, without asking the user. A file of the user is not changed.
    fn keep_judgment(&mut self, all_judged: bool) {
        let Some(view) = &mut self.board.review else {
            return;
        };
        let record = view.record();
        let Some(review) = &mut view.reviewed else {
            return;
        };
        let origin = review.origin.clone();
        let goes_elsewhere = is_kept_by_user(review);
        if std::mem::take(&mut review.changed) {
            self.save_state.discard_review(&mut self.effects);
        }
        match origin {
            _ if goes_elsewhere || !all_judged => {}
            Origin::Save(name) => self.act(Act::SaveOver(name)),
            Origin::Game => {
                let outcomes = self.board.game.table.keep_judgment(&record, self.now);
                if outcomes.is_empty() {
                    // Another game is being played meanwhile.
                    let view = self.board.at(Front::Review);
                    self.save_state.autosave_review(view, &mut self.effects);
                }
                self.show_outcomes(Front::Game, outcomes);
            }
            Origin::File { .. } | Origin::Match(_) | Origin::Database | Origin::Text => {}
        }
    }

    /// Lets the engines that help look at the board that has just come to the front.
    pub(super) fn let_engines_act(&mut self) {
        let front = self.board.front();
        let outcomes = self.board.at(front).table.let_engines_act(self.now);
        self.show_outcomes(front, outcomes);
    }

    /// Shows the outcomes of one of the boards. If they ask something, that board comes to the front. Returns whether a
    /// move was played.
    pub(super) fn show_outcomes(&mut self, front: Front, outcomes: Outcomes) -> bool {
        let behind = front != self.board.front();
        let of_engine =
            |outcome: &Outcome| matches!(outcome, Outcome::Happened(done) if done.by_engine);
        // Events that the user did not cause leave an overlay open, unless they ask something.
        let by_itself = behind || outcomes.iter().any(of_engine);
        let aside = self.overlay.take_if(|_| by_itself);
        let moved = outcomes.iter().any(
            |outcome| matches!(outcome, Outcome::Happened(done) if done.events.iter().any(is_move)),
        );
        // A small screen shows only the last message, so the most important one comes last.
        let (last, first): (Outcomes, Outcomes) = outcomes.into_iter().partition(is_said_last);
        for outcome in first.into_iter().chain(last) {
            self.show_outcome(front, outcome);
        }
        if self.overlay.is_none() {
            self.overlay = aside;
        } else if behind {
            self.show_board(front);
        }
        moved
    }

    fn show_outcome(&mut self, front: Front, outcome: Outcome) {
        let view = self.board.at(front);
        match outcome {
            Outcome::Happened(happened) => self.happened(front, &happened),
            Outcome::Refused(refused) => self.show_refusal(front, &refused),
            Outcome::Answer(answer) => self.answered(&answer),
            Outcome::Order(order) => self.effects.push(EngineEffect::Order(order)),
            Outcome::Study(task) => self.effects.push(EngineEffect::Study(task)),
            Outcome::Server(request) => {
                view.typing.clear();
                let ply = view.session().ply();
                self.effects.push(Effect::Server(request, ply));
            }
            Outcome::ServerNews(news) => self.show_news(front, &news),
            Outcome::ReadAs { other, .. } => view.say(words::also(&other)),
            Outcome::Premove(Some(input)) => {
                let shown = answers::premove(&input);
                view.typing.clear();
                view.say_as(
                    format!("{shown} waits for your turn, and is played if it is legal. Esc takes it back."),
                    Tone::News,
                );
            }
            Outcome::Premove(None) => view.say(PREMOVE_REMOVED.to_owned()),
            Outcome::PremoveDropped(refused) => {
                let why = words::refused(&refused, view.position());
                view.refuse(format!("{PREMOVE_DROPPED} {why}"));
            }
            Outcome::Seated { color, name } => {
                self.board.say(answers::seated(color, name.as_deref()));
            }
            Outcome::TookSide(color) => self.look.bottom = color,
            // A single message, so that a small screen shows the cause first.
            Outcome::EngineFailed { color, why, .. } => view.refuse(format!(
                "{why} Move for {color} yourself, or enter :opponent bot 5."
            )),
            Outcome::BraceReplaced => view.say(answers::NO_BRACE.to_owned()),
            Outcome::Judging => view.say("The engine looks at every move…".to_owned()),
            // The board shows it.
            Outcome::Judged(_) | Outcome::TryEnded => {}
            Outcome::AllJudged => {
                let summary = view
                    .study()
                    .map(|judged| study::summary(judged, "x, then t"));
                view.say_as(summary.unwrap_or_default(), Tone::News);
            }
            Outcome::Retry(mistake) => view.say_as(study::retry(&mistake), Tone::News),
            Outcome::Tried(tried) if tried.is_good() => {
                view.say_as(study::tried(&tried), Tone::News);
            }
            Outcome::Tried(tried) => {
                view.say(study::tried(&tried));
                view.typing.clear();
            }
            Outcome::VariationMoved(node) => {
                let moved = view.session().record().node(node);
                if let Some(sentence) = moved.and_then(variations::standing) {
                    view.say(sentence);
                }
            }
        }
    }

    /// Says why a request was refused, and clears typed text that would be in the way. If the text is the beginning of
    /// several moves, asks which one is meant.
    fn show_refusal(&mut self, front: Front, refused: &Refused) {
        let view = self.board.at(front);
        if let Refused::Game { refusal, typed } = refused
            && let Refusal::Move(refusal) = refusal
            && view.typing.line.text().trim() == typed
        {
            let found = view.fitting();
            let mut moves = found.iter().map(|one| one.played);
            let pawn = moves.find(|played| played.promotion().is_some());
            if let Some(pawn) = pawn.filter(|_| needs_promotion(refusal)) {
                view.typing.clear();
                return self.open(Dialog::promotion(pawn.from(), pawn.to()));
            }
            if !found.is_empty() {
                return view.refuse(words::which(&found));
            }
        }
        view.refuse(words::refused(refused, view.position()));
        if let Refused::Game { refusal, .. } = refused
            && *refusal == Refusal::Paused
        {
            // The key that resumes the game must not become part of the move.
            view.typing.refuse_all();
        } else if let Refused::Tried(_) = refused {
            view.typing.clear();
        }
    }

    /// Shows news from a server, or asks if an answer is expected.
    fn show_news(&mut self, front: Front, news: &ServerNews) {
        let view = self.board.at(front);
        let called = ByColor::from_fn(|color| view.called(color));
        if let ServerNews::RematchWanted(side) = *news
            && !view.opponents().is_human(side)
            && !view.opponents().nobody_plays()
        {
            let title = format!("{} wants a rematch. Play another game?", called[side]);
            let dialog = Dialog::yes_or_no(title, Act::request(GameRequest::Rematch));
            let came = Some(self.now);
            return self.open(Dialog { came, ..dialog });
        }
        let said = server::lines(news, &called, "x").join(" ");
        let tone = match server::is_refusal(news) {
            true => Tone::Refusal,
            false => Tone::News,
        };
        view.say_as(said, tone);
    }

    /// Shows an answer about the game: advice as a message, the rest as a message or on a sheet.
    fn answered(&mut self, answer: &Answer) {
        let title = match answer {
            Answer::Pieces { .. } => "Pieces",
            Answer::Squares(_) | Answer::Square { .. } => "Squares",
            Answer::Captured(_) => "Captured",
            Answer::LastMove(_) => "Last move",
            Answer::Opening(_) => "Opening",
            Answer::Clock(_) => "Clock",
            Answer::Moves(_) | Answer::NoPiece(_) => "Moves",
            Answer::Attackers(_) => "Attackers",
            Answer::Hint { .. }
            | Answer::Evaluation(_)
            | Answer::Lines(_)
            | Answer::LinesShown(_)
            | Answer::Thinking => {
                let no_room = self.layout().is_some_and(|layout| layout.lines.height == 0);
                if *answer == Answer::LinesShown(true) && no_room {
                    let sentence = "There is no room for lines; :eval says the best one.";
                    return self.board.say(sentence.to_owned());
                }
                for line in answers::lines(answer) {
                    self.board.say(line);
                }
                return;
            }
        };
        self.show(title, answers::lines(answer));
    }

    /// Saves what happened, and then shows it.
    fn happened(&mut self, front: Front, happened: &Happened) {
        let board = self.board.at(front);
        self.save_state
            .autosave(front, board, happened, &mut self.effects);
        if happened.only_wrote() {
            return;
        }
        let view = self.board.at(front);
        let walked = |event: &Event| matches!(event, Event::WentTo { .. });
        if view.is_review() && happened.events.iter().any(walked) {
            // The board shows the current position of a review.
            view.held = None;
            return view.forget_refusal();
        }
        if happened.events.iter().any(begins) {
            view.clear(self.look.bottom);
            self.overlay = None;
            self.screen = Screen::Game;
        }
        put_pieces_down(view, happened);
        let question = say_events(view, happened, self.now);
        if happened.branched {
            self.board.at(front).say_branched();
        }
        if let Some(dialog) = question {
            self.open(dialog);
        }
        if front == Front::Game && sound::is_heard(happened) {
            self.ring();
        }
        if front == Front::Game && happened.ended_by_playing() {
            let game = &self.board.game;
            let level = fitted_level(game.opponents(), game.session(), self.settings.level);
            if let Some(level) = level {
                self.remember("game.level", &level.number().to_string());
            }
            if let Some(panel) = end_panel(&self.board.game, happened, self.now) {
                self.open(panel);
            }
        }
    }
}

/// Whether only the user writes to where a reviewed game is stored: a file, or the save of an unfinished game.
fn is_kept_by_user(review: &Review) -> bool {
    match &review.origin {
        Origin::Game => false,
        Origin::Save(_) => review.result == GameResult::Unknown,
        Origin::File { .. } | Origin::Match(_) | Origin::Database | Origin::Text => true,
    }
}

/// The panel at the end of a game.
fn end_panel(view: &Board, happened: &Happened, now: Timestamp) -> Option<Dialog> {
    let outcome = view.session().outcome()?;
    // A player who is typing the next move does not expect it.
    let is_engine = |color| !view.opponents().is_human(color);
    let external_changes = happened.events.iter().any(|event| {
        matches!(event, Event::FlagFell { .. })
            || matches!(event, Event::Moved(moved) if is_engine(moved.by))
            || matches!(event, Event::Resigned { by } if is_engine(*by))
    });
    let called = ByColor::from_fn(|color| view.called(color));
    let sentence = events::ending(outcome, &called);
    let moves = view.session().ply().div_ceil(2);
    let undo = menus::undo_label(view);
    Some(Dialog {
        came: external_changes.then_some(now),
        ..Dialog::end(sentence, outcome.result().as_str(), moves, undo)
    })
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

/// Drops the held piece. A piece held for a premove stays held while the opponent moves.
fn put_pieces_down(view: &mut Board, happened: &Happened) {
    let stays = |square: &Square| {
        let owner = view.session().position().board().color_at(*square);
        happened.by_engine && owner.is_some() && owner == view.opponents().person()
    };
    let held = view.held.filter(stays);
    view.dragged = view.dragged.filter(|dragged| held == Some(*dragged));
    view.held = held;
}

/// Shows what happened, event by event. Returns the question for the person, if there is one.
fn say_events(view: &mut Board, happened: &Happened, now: Timestamp) -> Option<Dialog> {
    let called = ByColor::from_fn(|color| view.called(color));
    let ended = happened.has_ended();
    let mut question = None;
    for told in events::detailed(happened, view.session()) {
        let is_person = |color| view.opponents().is_human(color);
        match &told.event {
            Event::Moved(moved) => {
                // What a person is typing stays when an engine moves.
                if !happened.by_engine {
                    view.typing.clear();
                }
                view.marks.clear();
                let (sentence, tone) = words::moved(moved, &called, ended);
                view.say_as(sentence, tone);
            }
            Event::ClaimAvailable(claims) => {
                for claim in claims {
                    view.say_as(words::claim(claim, &called[claim.by]), Tone::News);
                }
            }
            Event::Ended(outcome) => view.say_as(events::ending(*outcome, &called), Tone::Ending),
            Event::Paused => view.say_as("Paused. Press p to go on.".to_owned(), Tone::News),
            Event::VariationDeleted { .. } => view.say("Deleted.".to_owned()),
            // An engine answers by itself.
            Event::DrawOffered { by } if is_person(!*by) => {
                question = Some(Dialog {
                    // An engine's offer comes by itself, perhaps while a move is being typed.
                    came: (!is_person(*by)).then_some(now),
                    ..Dialog::answer_draw(*by, &called)
                });
            }
            Event::TakebackAsked { by } if is_person(!*by) => {
                question = Some(Dialog {
                    came: (!is_person(*by)).then_some(now),
                    ..Dialog::answer_takeback(*by, &called)
                });
            }
            Event::DrawOffered { .. } | Event::TakebackAsked { .. } => {}
            Event::Undone { .. }
            | Event::Redone { .. }
            | Event::WentTo { .. }
            | Event::DrawClaimed(_)
            | Event::DrawAccepted { .. }
            | Event::DrawDeclined { .. }
            | Event::Resigned { .. }
            | Event::FlagFell { .. }
            | Event::TakebackGranted { .. }
            | Event::TakebackDeclined { .. }
            | Event::NewGame
            | Event::PositionLoaded
            | Event::GameLoaded
            | Event::Resumed
            | Event::Annotated { .. }
            | Event::VariationMoved { .. }
            | Event::TagChanged { .. }
            | Event::PolicyChanged => {
                for line in events::lines(&told, &called) {
                    view.say(line);
                }
            }
        }
    }
    question
}

fn is_move(event: &Event) -> bool {
    matches!(event, Event::Moved(_))
}

/// Whether another game is now on the board.
fn begins(event: &Event) -> bool {
    matches!(
        event,
        Event::NewGame | Event::PositionLoaded | Event::GameLoaded
    )
}

fn is_said_last(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Tried(tried) if tried.is_good())
        || matches!(outcome, Outcome::ReadAs { .. })
}
