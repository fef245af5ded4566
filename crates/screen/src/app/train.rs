//! The training screen: an exercise on the board, its sentence, and the answers.

use std::collections::VecDeque;

use crossterm::event::KeyEvent;
use tabiya_front::cells::wrap;
use tabiya_front::training::mining::{MiningEvent, MiningPolicy};
use tabiya_front::wording::Reply;
use tabiya_front::wording::train as wording;
use tabiya_game::Timestamp;
use tabiya_play::study::StudyReport;
use tabiya_rules::{Bitboard, UciMove};
use tabiya_train::day::Moment;
use tabiya_train::trainer::{Event, Exercise, Options, Outcomes, Request, Trainer};

use super::action::Action;
use super::board::checked_king;
use super::canvas::{Canvas, KeyNames};
use super::overlay::{Component, Response, on_any_screen};
use super::press::{ENTER, ESC, Edit, KeyLabel, Press};
use super::text_line::TextLine;
use super::{App, Screen};
use crate::message::{Hit, OpenTraining, TrainEffect, TrainMessage};
use crate::tui::board::BoardView;
use crate::tui::geometry::{GameLayout, from_column};

/// How many sentences are kept.
const SAID: usize = 8;

/// The keys, most important first. None of them can begin a move.
const KEYS: KeyNames = &[
    (ENTER, "answer"),
    (KeyLabel::Char('i'), "hint"),
    (KeyLabel::Char('='), "show"),
    (KeyLabel::Char('-'), "later"),
    (KeyLabel::Char('+'), "easy"),
    (KeyLabel::Char('u'), "undo"),
    (ESC, "end"),
];

/// The keys when the session is over.
const OVER: KeyNames = &[(ENTER, "back"), (ESC, "back")];

/// A training session on the screen.
#[derive(Clone, Debug)]
pub(crate) struct TrainScreen {
    trainer: Trainer,
    /// When it was opened, by the player's clock and by that of the screen.
    opened: (Moment, Timestamp),
    asked: Option<Box<Exercise>>,
    typed: TextLine,
    said: VecDeque<String>,
    is_over: bool,
    /// How far the search for exercises is, while there is one.
    mining: Option<String>,
    /// Whether the session begins anew when that finds the first exercise.
    is_waiting: bool,
    /// Whether the last entries are not on the disk.
    store_failed: bool,
}

impl TrainScreen {
    /// Creates the screen of a session that has just been opened.
    fn new(opened: OpenTraining, now: Timestamp) -> TrainScreen {
        TrainScreen {
            trainer: opened.trainer,
            opened: (opened.at, now),
            asked: None,
            typed: TextLine::default(),
            said: opened.notices.into(),
            is_over: false,
            mining: opened.mines.then(String::new),
            is_waiting: false,
            store_failed: false,
        }
    }

    /// Adds a message.
    pub(super) fn say(&mut self, sentence: &str) {
        if self.said.len() >= SAID {
            self.said.pop_front();
        }
        self.said.push_back(sentence.to_owned());
    }

    /// The moment on the player's clock.
    fn moment(&self, now: Timestamp) -> Moment {
        let (at, since) = self.opened;
        let passed = now.since(since).as_millis();
        Moment {
            ms: at
                .ms
                .saturating_add(i64::try_from(passed).unwrap_or(i64::MAX)),
            ..at
        }
    }

    /// Shows what the trainer says or asks.
    fn show_event(&mut self, event: Event) {
        if let Event::Exercise(asked) = event {
            self.asked = Some(asked);
            self.typed.clear();
            return;
        }
        if matches!(event, Event::Ended(_)) {
            (self.asked, self.is_over) = (None, true);
        }
        let reply: Reply = wording::reply(event);
        for line in reply.lines() {
            self.say(&line);
        }
    }

    /// What is typed, as a request. A text that stays is one that was refused.
    fn enter(&mut self) -> Response {
        let text = self.typed.text().trim().to_owned();
        self.typed.clear();
        match text.is_empty() {
            true => Response::Stay,
            false => send(Request::Typed(text)),
        }
    }

    /// Draws the position of the exercise.
    fn draw_board(&self, app: &App, layout: &GameLayout, canvas: &mut Canvas<'_>) {
        let position = self.trainer.position().unwrap_or_default();
        let last = match self.trainer.last_move() {
            Some(UciMove::Normal { from, to, .. }) => Bitboard::of(from) | Bitboard::of(to),
            Some(UciMove::Null) | None => Bitboard::EMPTY,
        };
        canvas.draw_board(&BoardView {
            last,
            check: checked_king(&position),
            shows_labels: app.settings.coordinates,
            ..BoardView::plain(
                &position,
                layout.board,
                app.look.styles(),
                app.look.pieces(),
            )
        });
    }
}

fn send(request: Request) -> Response {
    Response::Do(Action::Train(request))
}

impl Component for TrainScreen {
    fn key(&mut self, key: KeyEvent, app: &App) -> Response {
        let press = Press::from(key);
        if self.is_over {
            return match press {
                Press::Enter | Press::Esc => send(Request::End),
                Press::Tab
                | Press::BackTab
                | Press::Up
                | Press::Down
                | Press::PageUp
                | Press::PageDown
                | Press::Edit(_) => Response::Stay,
            };
        }
        let is_free = self.typed.is_empty();
        match press {
            Press::Enter => self.enter(),
            Press::Esc if is_free => send(Request::End),
            Press::Esc => {
                self.typed.clear();
                Response::Stay
            }
            Press::Edit(Edit::Char('i')) if is_free => send(Request::Hint),
            Press::Edit(Edit::Char('=')) if is_free => send(Request::Show),
            Press::Edit(Edit::Char('-')) if is_free => send(Request::Later),
            Press::Edit(Edit::Char('+')) if is_free => send(Request::Easy),
            Press::Edit(Edit::Char('u')) if is_free => send(Request::Undo),
            Press::Edit(_) => {
                if !self.typed.edit(key) {
                    let action = app.keys.find(key).map(|(_, shortcut)| shortcut.action);
                    return on_any_screen(action, &["help", "theme"]);
                }
                Response::Stay
            }
            Press::Tab
            | Press::BackTab
            | Press::Up
            | Press::Down
            | Press::PageUp
            | Press::PageDown => Response::Stay,
        }
    }

    fn wheel(&mut self, _: isize, _: Option<&Hit>, _: &App) -> Response {
        Response::Stay
    }

    fn paste(&mut self, text: &str) {
        self.typed.insert(text);
    }

    fn render(&self, app: &App, canvas: &mut Canvas<'_>) {
        let bottom = self.asked.as_ref().map(|asked| asked.turn());
        let bottom = bottom.unwrap_or(app.look.bottom);
        let Some(layout) = GameLayout::new(app.look.size, bottom) else {
            return;
        };
        let styles = canvas.styles;
        let title = match self.store_failed {
            true => " Training  not saved",
            false => " Training",
        };
        let mining = self.mining.as_deref().unwrap_or_default();
        canvas.put(
            layout.header,
            0,
            &format!("{title}  {mining}"),
            styles.dim(),
        );
        self.draw_board(app, &layout, canvas);
        canvas.draw_divider(layout.divider);
        canvas.draw_rule(layout.rule);
        canvas.draw_rule(layout.lower_rule);
        let mut said: Vec<String> = Vec::new();
        let task = self.asked.as_ref().map(|asked| wording::exercise(asked));
        if layout.moves.width > 0 && layout.moves.height > 2 {
            let lines = task.iter().flat_map(|task| wrap(task, layout.moves.width));
            let lines: Vec<String> = lines.collect();
            canvas.put_lines(layout.moves, &lines, styles.text());
        } else {
            said.extend(task);
        }
        said.extend(self.said.iter().cloned());
        let lines = said
            .iter()
            .flat_map(|line| wrap(line, layout.messages.width));
        let lines: Vec<String> = lines.collect();
        let room = usize::from(layout.messages.height);
        let last = lines.len().saturating_sub(room);
        canvas.put_lines(layout.messages, &lines[last..], styles.text());
        if self.is_over {
            canvas.draw_keys(from_column(layout.hints, 1), OVER);
        } else {
            canvas.draw_search_line(layout.input, "> ", &self.typed);
            canvas.draw_keys(from_column(layout.hints, 1), KEYS);
        }
    }
}

impl App {
    pub(super) fn handle_train(&mut self, message: TrainMessage) {
        match message {
            TrainMessage::Due(due) => self.screens.due = due,
            TrainMessage::Opened(Ok(opened)) => {
                self.screens.train = Some(TrainScreen::new(*opened, self.now));
                self.screens.front = Screen::Train;
                self.train(Request::Start);
            }
            TrainMessage::Opened(Err(error)) => {
                self.show("Training", vec![error.to_string()]);
                let learner = self.settings.learner();
                self.effects.push(TrainEffect::Close(learner));
            }
            TrainMessage::Stored(stored) => {
                if let Some(train) = &mut self.screens.train {
                    let failed_before = std::mem::replace(&mut train.store_failed, stored.is_err());
                    if let Err(error) = stored
                        && !failed_before
                    {
                        train.say(&format!("Your answer could not be stored yet. {error}"));
                    }
                }
            }
            TrainMessage::Judged(StudyReport::Position { number, at, found }) => {
                self.train(Request::Judged { number, at, found });
            }
            TrainMessage::Judged(StudyReport::Ended { number, .. }) => {
                self.train(Request::JudgeEnded { number });
            }
            TrainMessage::Mining(event) => self.handle_mining(event),
        }
    }

    /// Shows how far the search for exercises is, and stores what it found.
    fn handle_mining(&mut self, event: MiningEvent) {
        let now = self.now;
        let train = self.screens.train.as_mut();
        // A record that is closed takes nothing more.
        let Some(train) = train.filter(|train| !train.is_over || train.is_waiting) else {
            return;
        };
        match event {
            MiningEvent::Progress { done, of, waits } => {
                train.mining = Some(wording::mining(done, of, waits));
            }
            MiningEvent::Mined { game, items } => {
                let entries = train.trainer.add_mined(game, items, train.moment(now));
                let begins =
                    train.is_waiting && !train.trainer.queue(train.moment(now)).items.is_empty();
                self.effects.push(TrainEffect::Store(entries));
                if begins {
                    (train.is_over, train.is_waiting) = (false, false);
                    // That there is nothing to ask is not true any more.
                    train.said.clear();
                    self.train(Request::Start);
                }
            }
            MiningEvent::Ended => {
                train.mining = None;
                if std::mem::take(&mut train.is_waiting) {
                    let learner = self.settings.learner();
                    self.effects.push(TrainEffect::Close(learner));
                }
            }
        }
    }

    /// Opens the record for a session.
    pub(crate) fn open_training(&mut self, options: Options) {
        // It can be opened only once.
        self.screens.due = None;
        let mut learner = self.settings.learner();
        // A player with a clock needs the machine.
        if self.game_board().running_clock(self.now).is_some() {
            learner.mining = MiningPolicy::Never;
        }
        self.effects.push(TrainEffect::Open(learner, options));
    }

    /// Passes a request to the session. Without one, a start opens the record first.
    pub(super) fn train(&mut self, request: Request) {
        let Some(train) = &mut self.screens.train else {
            if request == Request::Start {
                self.open_training(Options::default());
            }
            return;
        };
        if train.is_over {
            // What comes now is the key that leaves, or an answer that is too late.
            if request == Request::End {
                if train.is_waiting {
                    let learner = self.settings.learner();
                    self.effects.push(TrainEffect::Close(learner));
                }
                self.screens.train = None;
                self.screens.front = Screen::Home;
            }
            return;
        }
        let now = train.moment(self.now);
        let begins = request == Request::Start;
        let Outcomes {
            entries,
            events,
            task,
        } = train.trainer.handle(request, now);
        for event in events {
            train.show_event(event);
        }
        // There is nothing to ask yet.
        train.is_waiting = begins && train.is_over && train.mining.is_some();
        let is_over = train.is_over && !train.is_waiting;
        if !entries.is_empty() {
            self.effects.push(TrainEffect::Store(entries));
        }
        if let Some(task) = task {
            self.effects.push(TrainEffect::Judge(Box::new(task)));
        }
        if is_over {
            let learner = self.settings.learner();
            self.effects.push(TrainEffect::Close(learner));
        }
    }
}
