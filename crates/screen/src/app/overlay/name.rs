//! Asks for the player's name, once, before the first game against an engine.

use crossterm::event::KeyEvent;
use tabiya_front::cells::row;
use tabiya_front::config::settings;
use tabiya_play::typed_move;
use tabiya_rules::Position;

use super::super::App;
use super::super::action::Action;
use super::super::canvas::{Canvas, KeyNames};
use super::super::press::{ENTER, ESC, Press};
use super::super::text_line::TextLine;
use super::{Component, Response};
use crate::tui::geometry::{above, below, centered};

const QUESTION: &str = "Your name, as your games will show it. Leave it empty to play without one. You can change it in the settings.";

const KEYS: KeyNames = &[(ENTER, "play"), (ESC, "no name")];

/// The typed name, and what to do afterwards.
#[derive(Clone, Debug, Default)]
pub(crate) struct NameForm {
    name: TextLine,
    problem: Option<String>,
    /// A move that was entered as the name. It is accepted if it is entered again.
    doubted: Option<String>,
    then: Action,
}

impl NameForm {
    /// Asks for the name, and then does something else.
    pub(crate) fn before(then: Action) -> NameForm {
        NameForm {
            then,
            ..NameForm::default()
        }
    }

    /// Whether the name looks like a move, typed by somebody who has not read the question.
    fn is_doubtful(&self, name: &str) -> bool {
        let is_known = self.doubted.as_deref() == Some(name);
        !is_known && typed_move::looks_like_a_move(name, &Position::start())
    }

    /// Takes the name, and never asks again.
    fn answer(&mut self, name: &str, app: &App) -> Response {
        let name = match name.trim() {
            "" => "none",
            name => name,
        };
        let mut settings = app.settings.clone();
        let taken = settings::known("name").and_then(|one| one.set(&mut settings, name));
        if taken.is_err() {
            self.problem = Some("A name is one line of at most 40 letters.".to_owned());
            return Response::Stay;
        }
        Response::CloseAndDo(Action::Named(name.to_owned(), Box::new(self.then.clone())))
    }
}

impl Component for NameForm {
    fn key(&mut self, key: KeyEvent, app: &App) -> Response {
        let press = Press::from(key);
        if press == Press::Esc {
            return self.answer("", app);
        }
        self.problem = None;
        if press != Press::Enter {
            self.name.edit(key);
            return Response::Stay;
        }
        let name = self.name.text().trim().to_owned();
        if self.is_doubtful(&name) {
            self.problem = Some(format!(
                "{name} is a move, and the game has not begun yet. Type your name, or press Enter again to be called {name}."
            ));
            self.doubted = Some(name);
            return Response::Stay;
        }
        self.answer(&name, app)
    }

    fn paste(&mut self, text: &str) {
        self.name.insert(text);
    }

    fn render(&self, app: &App, canvas: &mut Canvas<'_>) {
        let styles = canvas.styles;
        let inside = canvas.draw_frame(centered(app.look.size, 54, 8), "Your name");
        let pair = (styles.accent(), styles.text());
        canvas.draw_typed_line(row(inside, 0), "name> ", &self.name, pair);
        let room = above(below(inside, 2), 1);
        match &self.problem {
            Some(problem) => canvas.put_paragraph(room, problem, styles.warning()),
            None => canvas.put_paragraph(room, QUESTION, styles.dim()),
        }
        canvas.draw_keys_at_right(row(inside, inside.height.saturating_sub(1)), KEYS);
    }
}
