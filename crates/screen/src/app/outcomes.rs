//! Requests to the desk, and their outcomes on the screen: they become messages, questions and effects.

use tabiya_game::{Event, EventKind, MoveRefusal, Refusal, Timestamp};
use tabiya_play::opponents::{EngineEvent, Seat};
use tabiya_play::outcome::{Answer, Happened, Outcome, Outcomes, TableRefusal};
use tabiya_play::remote::ServerNews;
use tabiya_play::request::{GameRequest, Request};
use tabiya_play::study::StudyReport;
use tabiya_play::variations;
use tabiya_rules::{ByColor, Color, IllegalMove, SanError, Square};

use super::action::Action;
use super::board::{Board, View};
use super::game::words;
use super::overlay::dialog::Dialog;
use super::overlay::menus;
use super::overlay::name::NameForm;
use super::{App, Screen, sound};
use crate::message::{Effect, EngineEffect};
use tabiya_front::config::settings::fitted_level;
use tabiya_front::key_map::Keys;
use tabiya_front::review::Origin;
use tabiya_front::wording::events::Told;
use tabiya_front::wording::{
    PREMOVE_DROPPED, PREMOVE_REMOVED, Tone, answers, branched, events, refusals, server, study,
};
use tabiya_play::desk::{BoardId, DeskOutcome, DeskOutcomes, DeskRequest};

impl App {
    /// Sends a request to the desk, and shows what comes of it. Returns whether it was accepted: a question about it is open,
    /// a server has it, or it was carried out.
    pub(crate) fn request(&mut self, request: impl Into<DeskRequest<Origin>>) -> bool {
        let request = request.into();
        let game = self.desk.game();
        if let DeskRequest::Table(Request::Game(GameRequest::New(new))) = &request
            && self.reminders.asks_name
            && game.opponents().is_against_engine(new.opponent.as_ref())
        {
            self.open(NameForm::before(Action::request(request)));
            return true;
        }
        let is_rematch = matches!(
            request,
            DeskRequest::Table(Request::Game(GameRequest::Rematch))
        );
        if is_rematch && !game.is_remote() {
            self.look.bottom = !game.opponents().person().unwrap_or(self.look.bottom);
        }
        let outcomes = self.desk.handle(request, self.now);
        let accepted = !is_refused(&outcomes);
        self.show_outcomes(outcomes);
        accepted
    }

    /// Handles an engine's event.
    pub(super) fn handle_engine_event(&mut self, seat: Seat, event: EngineEvent) {
        let outcomes = self.desk.handle_engine_event(seat, event, self.now);
        self.show_outcomes(outcomes);
    }

    /// Handles an event of the engine that judges the game.
    pub(super) fn handle_study_report(&mut self, report: StudyReport) {
        let outcomes = self.desk.handle_study_report(report, self.now);
        if outcomes.contains(&DeskOutcome::JudgmentNotStored) {
            let sentence = format!("{} keeps the judgment.", self.keys.typed("pgn FILE"));
            self.views.of_mut(BoardId::Review).say(sentence);
        }
        self.show_outcomes(outcomes);
    }

    /// Shows the outcomes of a request. Those of the same board that follow each other are shown together.
    pub(super) fn show_outcomes(&mut self, outcomes: DeskOutcomes) {
        let mut group: Option<(BoardId, Outcomes)> = None;
        for outcome in outcomes {
            match outcome {
                DeskOutcome::At(id, outcome) => match &mut group {
                    Some((shown, outcomes)) if *shown == id => outcomes.push(outcome),
                    _ => {
                        let last = group.replace((id, vec![outcome]));
                        self.show_group(last);
                    }
                },
                DeskOutcome::Save(order) => self.save_ordered(order),
                DeskOutcome::Opened => *self.views.of_mut(BoardId::Review) = View::default(),
                // The screen is drawn from the desk, and the sentence about a judgment comes before its summary.
                DeskOutcome::Front(_) | DeskOutcome::JudgmentNotStored => {}
            }
        }
        self.show_group(group);
    }

    /// Shows outcomes at one of the boards. If they ask something, that board comes to the front.
    fn show_group(&mut self, group: Option<(BoardId, Outcomes)>) {
        let Some((id, outcomes)) = group else {
            return;
        };
        let behind = id != self.desk.front_id();
        let of_engine =
            |outcome: &Outcome| matches!(outcome, Outcome::Happened(done) if done.by_engine);
        // Events that the user did not cause leave an overlay open, unless they ask something.
        let by_itself = behind || outcomes.iter().any(of_engine);
        let aside = self.overlay.take_if(|_| by_itself);
        // A small screen shows only the last message, so the most important one comes last.
        let (last, first): (Outcomes, Outcomes) = outcomes.into_iter().partition(is_said_last);
        for outcome in first.into_iter().chain(last) {
            self.show_outcome(id, outcome);
        }
        if self.overlay.is_none() {
            self.overlay = aside;
        } else if behind {
            self.show_board(id);
        }
    }

    fn show_outcome(&mut self, id: BoardId, outcome: Outcome) {
        let board = self.views.board(&self.desk, id);
        match outcome {
            Outcome::Happened(happened) => self.show_happened(id, &happened),
            Outcome::Refused(refused) => self.show_refusal(id, &refused),
            Outcome::Answer(answer) => self.show_answer(&answer),
            Outcome::Order(order) => self.effects.push(EngineEffect::Order(order)),
            Outcome::Study(task) => self.effects.push(EngineEffect::Study(task)),
            Outcome::Server(request) => {
                board.view.typing.clear();
                let ply = board.session().ply();
                self.effects.push(Effect::Server(request, ply));
            }
            Outcome::ServerNews(news) => self.show_server_news(id, &news),
            Outcome::ReadAs {
                position, other, ..
            } => board
                .view
                .say(words::other_reading(other, &position, &self.keys)),
            Outcome::Premove(Some(input)) => {
                let shown = answers::premove(&input);
                board.view.typing.clear();
                board.view.say_as(
                    format!("{shown} waits for your turn, and is played if it is legal. Esc takes it back."),
                    Tone::Notable,
                );
            }
            Outcome::Premove(None) => board.view.say(PREMOVE_REMOVED),
            Outcome::PremoveDropped(refused) => {
                let why = words::refusal_sentence(&refused, board.position(), &self.keys);
                board.view.refuse(format!("{PREMOVE_DROPPED} {why}"));
            }
            Outcome::Seated { color, name } => {
                self.view_mut().say(answers::seated(color, name.as_deref()));
            }
            Outcome::TookSide(color) => self.look.bottom = color,
            // A single message, so that a small screen shows the cause first.
            Outcome::EngineFailed { color, why } => {
                let instructions = refusals::full_screen(&self.keys);
                let said = refusals::engine_failed(color, &why, &instructions);
                board.view.refuse(said.join(" "));
            }
            Outcome::BraceReplaced => board.view.say(answers::NO_BRACE),
            Outcome::Judging => board.view.say("The engine looks at every move…"),
            // The board shows it.
            Outcome::Judged(_) | Outcome::TryEnded => {}
            Outcome::AllJudged => {
                let menu = self.keys.named("menu");
                let summary = board
                    .study()
                    .map(|judged| study::summary(judged, &format!("{menu}, then t")));
                board
                    .view
                    .say_as(summary.unwrap_or_default(), Tone::Notable);
            }
            Outcome::Line(which, moves) => {
                let walk = "The arrow keys go through it.";
                board
                    .view
                    .say_as(study::line(which, &moves, walk), Tone::Notable);
            }
            Outcome::Retry(mistake) => board.view.say_as(study::retry(&mistake), Tone::Try),
            Outcome::Tried(tried) => {
                board.view.say_as(study::tried(&tried), Tone::Try);
                if !tried.is_good() {
                    board.view.typing.clear();
                }
            }
            Outcome::VariationMoved(node) => {
                let moved = board.session().record().node(node);
                if let Some(sentence) = moved.and_then(variations::standing) {
                    board.view.say(sentence);
                }
            }
        }
    }

    /// Says why a request was refused, and clears typed text that would be in the way. If the text is the beginning of
    /// several moves, asks which one is meant.
    fn show_refusal(&mut self, id: BoardId, refused: &TableRefusal) {
        let board = self.views.board(&self.desk, id);
        if let TableRefusal::Game { refusal, typed } = refused
            && let Refusal::Move(refusal) = refusal
            && typed.as_deref() == Some(board.view.typing.line.text().trim())
        {
            let found = board.candidates();
            let mut moves = found.iter().map(|one| one.played);
            let pawn = moves.find(|played| played.promotion().is_some());
            if let Some(pawn) = pawn.filter(|_| needs_promotion(refusal)) {
                board.view.typing.clear();
                return self.open(Dialog::promotion(pawn.from(), pawn.to()));
            }
            if !found.is_empty() {
                return board.view.refuse(words::ask_which(&found));
            }
        }
        board.view.refuse(words::refusal_sentence(
            refused,
            board.position(),
            &self.keys,
        ));
        if let TableRefusal::Game { refusal, .. } = refused
            && *refusal == Refusal::Paused
        {
            // The key that resumes the game must not become part of the move.
            board.view.typing.refuse_all();
        } else if let TableRefusal::Tried(_) = refused {
            board.view.typing.clear();
        }
    }

    /// Shows news from a server, or asks if an answer is expected.
    fn show_server_news(&mut self, id: BoardId, news: &ServerNews) {
        let board = self.views.board(&self.desk, id);
        let called = ByColor::from_fn(|color| board.called(color));
        if let ServerNews::RematchWanted(side) = *news
            && !board.opponents().is_human(side)
            && !board.opponents().nobody_plays()
        {
            let title = format!("{} wants a rematch. Play another game?", called[side]);
            let dialog = Dialog::yes_or_no(title, Action::request(GameRequest::Rematch));
            return self.open(dialog.appeared_by_itself(Some(self.now)));
        }
        let said = server::lines(news, &called, &self.keys.named("menu")).join(" ");
        let tone = match server::is_refusal(news) {
            true => Tone::Refusal,
            false => Tone::Notable,
        };
        board.view.say_as(said, tone);
    }

    /// Shows an answer about the game: advice as a message, the rest as a message or on a sheet.
    fn show_answer(&mut self, answer: &Answer) {
        let (_, Some(title)) = answers::heading(answer) else {
            let no_room = self.layout().is_some_and(|layout| layout.lines.height == 0);
            if *answer == Answer::LinesShown(true) && no_room {
                let eval = self.keys.typed("eval");
                let sentence = format!("There is no room for lines; {eval} says the best one.");
                return self.view_mut().say(sentence);
            }
            for line in answers::lines(answer) {
                self.view_mut().say(line);
            }
            return;
        };
        self.show(title, answers::lines(answer));
    }

    /// Shows what happened.
    fn show_happened(&mut self, id: BoardId, happened: &Happened) {
        if happened.changes_only_notes() {
            return;
        }
        let mut board = self.views.board(&self.desk, id);
        let walked = |event: &Event| matches!(event, Event::WentTo { .. });
        if board.is_review() && happened.events.iter().any(walked) {
            // The board shows the current position of a review.
            board.view.held = None;
            return board.view.forget_passing();
        }
        if happened.events.iter().any(begins_game) {
            board.view.clear(self.look.bottom);
            self.overlay = None;
            self.screens.front = Screen::Game;
        }
        put_piece_down(&mut board, happened);
        let question = say_events(&mut board, happened, &self.keys, self.now);
        if happened.branched {
            let board = self.views.board(&self.desk, id);
            let sentence = branched(board.node(), &self.keys.named("redo"));
            board.view.say_as(sentence, Tone::Notable);
        }
        if let Some(dialog) = question {
            self.open(dialog);
        }
        if id == BoardId::Game && sound::is_heard(happened) {
            self.ring();
        }
        if id == BoardId::Game && happened.ended_by_playing() {
            let game = self.desk.game();
            let level = fitted_level(game.opponents(), game.session(), self.settings.level);
            if let Some(level) = level {
                self.remember("game.level", &level.number().to_string());
            }
            if let Some(panel) = end_panel(self.game_board(), happened, self.now) {
                self.open(panel);
            }
        }
    }
}

/// The panel at the end of a game.
fn end_panel(board: Board<'_>, happened: &Happened, now: Timestamp) -> Option<Dialog> {
    let outcome = board.session().outcome()?;
    // A player who is typing the next move does not expect that an engine or the clock ends the game.
    let is_engine = |color| !board.opponents().is_human(color);
    let ended_by_itself = happened.events.iter().any(|event| {
        matches!(event, Event::FlagFell { .. })
            || matches!(event, Event::Moved(moved) if is_engine(moved.by))
            || matches!(event, Event::Resigned { by } if is_engine(*by))
    });
    let called = ByColor::from_fn(|color| board.called(color));
    let sentence = events::ending(outcome, &called);
    let moves = board.session().ply().div_ceil(2);
    let undo = menus::undo_label(board);
    let panel = Dialog::game_end(sentence, outcome.result().as_str(), moves, undo);
    Some(panel.appeared_by_itself(ended_by_itself.then_some(now)))
}

/// Whether only the piece to promote to is missing.
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
fn put_piece_down(board: &mut Board<'_, &mut View>, happened: &Happened) {
    let stays = |square: &Square| {
        let owner = board.session().position().board().color_at(*square);
        happened.by_engine && owner.is_some() && owner == board.opponents().person()
    };
    let held = board.view.held.filter(stays);
    board.view.dragged = board.view.dragged.filter(|dragged| held == Some(*dragged));
    board.view.held = held;
}

/// Shows what happened, event by event. Returns the question for the person, if there is one.
fn say_events(
    board: &mut Board<'_, &mut View>,
    happened: &Happened,
    keys: &Keys,
    now: Timestamp,
) -> Option<Dialog> {
    let called = ByColor::from_fn(|color| board.called(color));
    let ended = happened.has_ended();
    let mut question = None;
    for detailed in events::detailed(happened, board.session()) {
        let is_person = |color| board.opponents().is_human(color);
        match events::told(&detailed, &called) {
            Told::Move(moved) => {
                // What a person is typing stays when an engine moves.
                if !happened.by_engine {
                    board.view.typing.clear();
                }
                board.view.clear_own_marks();
                let (sentence, tone) = words::move_sentence(moved, &called, ended);
                board.view.say_as(sentence, tone);
            }
            Told::Claims(claims) => {
                for claim in claims {
                    board.view.say_as(
                        words::claim_sentence(claim, &called[claim.by], keys),
                        Tone::Notable,
                    );
                }
            }
            Told::Ending(outcome) => board
                .view
                .say_as(events::ending(outcome, &called), Tone::Ending),
            Told::Paused => {
                board
                    .view
                    .say_as(format!("Paused. {}", refusals::resume(keys)), Tone::Notable);
            }
            Told::Deleted => board.view.say("Deleted."),
            // An engine answers by itself.
            Told::DrawOffered(by) if is_person(!by) => {
                question = Some((by, Dialog::answer_draw(by, &called)));
            }
            Told::TakebackAsked(by) if is_person(!by) => {
                question = Some((by, Dialog::answer_takeback(by, &called)));
            }
            Told::DrawOffered(_) | Told::TakebackAsked(_) | Told::Sentence(None) => {}
            Told::Sentence(Some(sentence)) => board.view.say(sentence),
        }
    }
    question.map(|(by, dialog): (Color, Dialog)| {
        // An engine's offer comes by itself, perhaps while a move is being typed.
        dialog.appeared_by_itself((!board.opponents().is_human(by)).then_some(now))
    })
}

/// Whether a request was refused.
fn is_refused(outcomes: &DeskOutcomes) -> bool {
    let refused =
        |outcome: &DeskOutcome| matches!(outcome, DeskOutcome::At(_, Outcome::Refused(_)));
    outcomes.iter().any(refused)
}

/// Whether another game is now on the board.
fn begins_game(event: &Event) -> bool {
    event.kind() == EventKind::Game
}

/// Whether the message about it comes after all others.
fn is_said_last(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Tried(tried) if tried.is_good())
        || matches!(outcome, Outcome::ReadAs { .. })
}
