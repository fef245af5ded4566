//! A question with a few answers: promotions, confirmations, offers, the menu of a game, its end. It is beside the
//! board if there is room, so that the position stays visible, otherwise in the middle of the screen.

use std::time::Duration;

use crossterm::event::KeyEvent;
use ratatui_core::layout::{Rect, Size};
use tabiya_front::cells::{fitted, width, wrap};
use tabiya_front::commands::OpenCommand;
use tabiya_front::ranges::counted;
use tabiya_front::wording::trash_question;
use tabiya_game::{MoveInput, Timestamp};
use tabiya_play::desk::DeskRequest;
use tabiya_play::opponents::UntrustedEngine;
use tabiya_play::request::{GameRequest, Pending};
use tabiya_play::table::Permission;
use tabiya_rules::{ByColor, Color, Role, Square};
use tabiya_store::SaveName;

use super::super::action::Action;
use super::super::board::Board;
use super::super::canvas::{Canvas, KeyNames, rows};
use super::super::{App, Screen};
use super::menus::judge;
use super::{Component, Response};
use crate::app::press::{ENTER, ESC, Edit, KeyLabel, Press, stepped};
use crate::message::{Hit, StoreEffect};
use crate::tui::geometry::{below, centered, columns, inside_of};

/// Accepts an offer or a request.
pub(super) fn accept(pending: Pending) -> Action {
    Action::request(GameRequest::Accept(Some(pending)))
}

/// Declines an offer or a request.
pub(super) fn decline(pending: Pending) -> Action {
    Action::request(GameRequest::Decline(Some(pending)))
}

/// The label for another game of the same kind.
pub(super) const REMATCH: &str = "Rematch, colors swapped";

/// An answer to choose.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    /// The letter that chooses it.
    pub(crate) key: char,
    pub(crate) label: String,
    /// What is shown where the labels do not fit.
    short: Option<&'static str>,
    pub(crate) act: Action,
}

impl Choice {
    /// An answer with the letter that chooses it.
    pub(crate) fn new(key: char, label: impl Into<String>, act: Action) -> Choice {
        Choice {
            key,
            label: label.into(),
            short: None,
            act,
        }
    }

    /// Sets what is shown where the labels do not fit.
    pub(super) fn or_short(self, short: &'static str) -> Choice {
        Choice {
            short: Some(short),
            ..self
        }
    }
}

/// A question.
#[derive(Clone, Debug, Default)]
pub(crate) struct Dialog {
    pub(crate) title: String,
    pub(crate) text: Vec<String>,
    pub(crate) choices: Vec<Choice>,
    pub(crate) chosen: usize,
    /// The move that it is about: its two squares.
    pub(crate) about: Option<(Square, Square)>,
    /// When it appeared by itself, perhaps while the player was typing.
    pub(crate) appeared_at: Option<Timestamp>,
    /// Whether the board matters more than the answers.
    pub(crate) spares_board: bool,
    /// What to do if it is closed without an answer.
    pub(crate) unanswered: Action,
}

/// For how long a question that appeared by itself ignores letters.
const SURPRISE: Duration = Duration::from_millis(500);

impl Dialog {
    /// Asks a question with these answers.
    pub(crate) fn new(title: impl Into<String>, choices: Vec<Choice>) -> Dialog {
        Dialog {
            title: title.into(),
            choices,
            ..Dialog::default()
        }
    }

    /// The same question with the time at which it appeared by itself, if it did.
    pub(crate) fn appeared_by_itself(self, at: Option<Timestamp>) -> Dialog {
        Dialog {
            appeared_at: at,
            ..self
        }
    }

    /// Asks for the piece that a pawn promotes to.
    pub(crate) fn promotion(from: Square, to: Square) -> Dialog {
        let choices = Role::PROMOTIONS.map(|role| {
            let play = GameRequest::Play(MoveInput::Squares {
                from,
                to,
                promotion: Some(role),
            });
            Choice::new(role.char(), role.name(), Action::request(play))
        });
        let title = format!("The pawn goes to {to} and becomes");
        Dialog {
            about: Some((from, to)),
            ..Dialog::new(title, choices.to_vec())
        }
    }

    /// Asks a question that is answered with yes or no.
    pub(crate) fn yes_or_no(title: String, yes: Action) -> Dialog {
        let yes = Choice::new('y', "Yes", yes);
        Dialog::new(title, vec![yes, Choice::new('n', "No", Action::Close)])
    }

    /// Asks before something is lost or replaced. The careful answer is preselected.
    pub(crate) fn confirmation(title: impl Into<String>, yes: Action) -> Dialog {
        Dialog {
            chosen: 1,
            ..Dialog::yes_or_no(title.into(), yes)
        }
    }

    /// Asks before an engine is started that only a save names.
    pub(crate) fn untrusted(untrusted: &UntrustedEngine) -> Dialog {
        let no = format!("No, you move for {}", untrusted.color);
        let title = untrusted.introduction();
        let answer = |permission| {
            let untrusted = Box::new(untrusted.clone());
            Action::request(DeskRequest::AnswerUntrusted(untrusted, permission))
        };
        let choices = vec![
            Choice::new('y', "Start it", answer(Permission::Allow)),
            Choice::new('n', no, answer(Permission::Deny)),
        ];
        Dialog {
            chosen: 1,
            unanswered: answer(Permission::Deny),
            ..Dialog::new(title, choices)
        }
    }

    /// Asks before a save goes to the trash.
    pub(crate) fn deletion(name: SaveName) -> Dialog {
        let title = trash_question(&name);
        Dialog::confirmation(title, Action::effect(StoreEffect::Delete(name)))
    }

    /// Asks before a side resigns. The careful answer is preselected, because this ends the game.
    pub(crate) fn resignation(by: Color, board: Board<'_>) -> Dialog {
        let title = match board.opponents().person() {
            Some(_) => "Resign the game?".to_owned(),
            None => format!("Does {} resign?", board.called(by)),
        };
        Dialog::confirmation(title, Action::request(GameRequest::Resign(Some(by))))
    }

    /// Asks before a side offers a draw.
    pub(crate) fn draw_offer(by: Color, board: Board<'_>) -> Dialog {
        let title = match board.opponents().person() {
            Some(_) => "Offer a draw?".to_owned(),
            None => format!("Does {} offer a draw?", board.called(by)),
        };
        Dialog::yes_or_no(title, Action::request(GameRequest::Offer(Some(by))))
    }

    /// Asks the side that was offered a draw.
    pub(crate) fn answer_draw(by: Color, called: &ByColor<String>) -> Dialog {
        let title = format!("{} offers a draw. {}:", called[by], called[!by]);
        let decline = Choice::new('d', "Decline", decline(Pending::Draw));
        let accept = Choice::new('a', "Accept", accept(Pending::Draw));
        Dialog::new(title, vec![decline, accept])
    }

    /// Asks the side that was asked to grant a takeback.
    pub(crate) fn answer_takeback(by: Color, called: &ByColor<String>) -> Dialog {
        let title = format!("{} asks to take a move back. {}:", called[by], called[!by]);
        let grant = Choice::new('g', "Grant it", accept(Pending::Takeback));
        let decline = Choice::new('d', "Decline", decline(Pending::Takeback));
        Dialog::new(title, vec![grant, decline])
    }

    /// The panel at the end of a game.
    pub(crate) fn game_end(sentence: String, result: &str, moves: u32, undo: &str) -> Dialog {
        let length = counted(moves, "move", "moves");
        Dialog {
            text: vec![format!("{result} · {length}")],
            spares_board: true,
            ..Dialog::new(
                sentence,
                vec![
                    Choice::new('r', REMATCH, Action::perform(GameRequest::Rematch))
                        .or_short("Rematch"),
                    Choice::new('n', "New game…", Action::Form),
                    Choice::new('v', "Review it", Action::perform(OpenCommand::Review(None))),
                    Choice::new('j', "Judge it with the engine", judge()).or_short("Judge it"),
                    Choice::new('l', "Look at the board", Action::Close).or_short("See board"),
                    Choice::new('u', undo, Action::request(GameRequest::Undo(1)))
                        .or_short("Take back"),
                    Choice::new('h', "Home", Action::Screen(Screen::Home)),
                ],
            )
        }
    }
}

impl Dialog {
    /// The labels of the answers: all short ones if a long one does not fit.
    fn labels(&self, room: u16) -> Vec<&str> {
        let is_cut = |choice: &Choice| width(&choice.label) > room;
        let shortens = self.choices.iter().any(is_cut);
        let choices = self.choices.iter();
        choices
            .map(|choice| choice.short.filter(|_| shortens).unwrap_or(&choice.label))
            .collect()
    }
}

impl Component for Dialog {
    fn hints(&self) -> KeyNames {
        &[
            (KeyLabel::Several("↑↓"), "choose"),
            (ENTER, "take it"),
            (ESC, "close"),
        ]
    }

    fn key(&mut self, key: KeyEvent, app: &App) -> Response {
        let count = self.choices.len();
        let is_unread = |at| app.now.since(at) < SURPRISE;
        let press = Press::from(key);
        let typed = press.is_char() || press == Press::Enter;
        if typed && self.appeared_at.is_some_and(is_unread) {
            // A player who was typing a move did not mean to answer.
            return Response::Stay;
        }
        match press {
            Press::Esc => return Response::CloseAndDo(self.unanswered.clone()),
            Press::Up | Press::Edit(Edit::Left) | Press::BackTab => {
                self.chosen = stepped(self.chosen, count, false);
            }
            Press::Down | Press::Edit(Edit::Right) | Press::Tab => {
                self.chosen = stepped(self.chosen, count, true);
            }
            Press::Enter | Press::Edit(Edit::Char(' ')) => return self.click_row(self.chosen, app),
            // A command is typed for the board that the panel spares, and none of its letters is an answer.
            Press::Edit(Edit::Char(':')) if self.spares_board => {
                return Response::CloseAndDo(Action::Press(key));
            }
            Press::Edit(Edit::Char(letter)) => {
                let letter = letter.to_ascii_lowercase();
                let mut choices = self.choices.iter();
                if let Some(at) = choices.position(|choice| choice.key == letter) {
                    return self.click_row(at, app);
                }
            }
            Press::PageUp | Press::PageDown | Press::Edit(_) => {}
        }
        Response::Stay
    }

    fn click_row(&mut self, at: usize, _: &App) -> Response {
        match self.choices.get(at) {
            Some(choice) => Response::CloseAndDo(choice.act.clone()),
            None => Response::Close,
        }
    }

    fn render(&self, app: &App, canvas: &mut Canvas<'_>) {
        let styles = canvas.styles;
        let inside = canvas.draw_frame(self.area(app), "");
        let title = wrap(&self.title, inside.width);
        canvas.put_lines(inside, &title, styles.accent());
        let text = below(inside, title.len() as u16);
        canvas.put_lines(text, &self.text, styles.text());
        let answers = below(text, self.text.len() as u16);
        // An empty line, if there is room.
        let air = u16::from(self.choices.len() < usize::from(answers.height));
        let labels = self.labels(inside.width.saturating_sub(MARGIN));
        let widest = labels.iter().map(|label| width(label)).max().unwrap_or(0);
        let is_tight = widest + MARGIN + 2 > inside.width;
        let margin = if is_tight { MARGIN } else { MARGIN + 2 };
        let wide = inside.width.saturating_sub(margin);
        for (at, row) in rows(below(answers, air), self.chosen, self.choices.len()) {
            let (sign, style) = canvas.line_style(at == self.chosen);
            let (label, room) = (fitted(labels[at], wide), usize::from(wide));
            let text = format!("{sign} {label:<room$} {}", self.choices[at].key);
            canvas.put(row, 0, &text, style);
            canvas.make_clickable(row, Hit::Row(at));
        }
    }
}

/// The columns of an answer that its label does not have: the sign before it, and the letter after it.
const MARGIN: u16 = 4;

/// The smallest readable width.
const NARROWEST: u16 = 16;

impl Dialog {
    /// The area of the dialog, beside the board if it fits there.
    fn area(&self, app: &App) -> Rect {
        let size = app.look.size;
        // The first column that is not over the board.
        let layout = app.layout().filter(|_| app.screens.front == Screen::Game);
        let beside = layout.map_or(0, |layout| layout.divider.right());
        let labels = || self.choices.iter().map(|choice| width(&choice.label));
        let texts = self.text.iter().map(|line| width(line) + 4);
        let widths = labels().map(|label| label + 10).chain(texts);
        let widest = widths.max().unwrap_or(0).max(width(&self.title) + 4);
        let rest = size.width.saturating_sub(beside);
        let wide = widest.clamp(24, 60).min(size.width);
        // If the answers are readable, a narrow question beside the board is better than a wide one over it.
        let readable = labels().max().unwrap_or(0) + 8 <= rest || self.spares_board;
        let is_narrow = readable && (NARROWEST..wide).contains(&rest);
        let wide = if is_narrow { rest } else { wide };
        let title = wrap(&self.title, wide.saturating_sub(4)).len();
        let height = title + self.text.len() + self.choices.len() + 3;
        let height = u16::try_from(height).unwrap_or(u16::MAX);
        if wide > rest {
            return centered(size, wide, height);
        }
        let area = centered(Size::new(rest, size.height), wide, height);
        columns(area, beside, wide)
    }

    /// Whether the whole dialog fits on the screen, including its answers.
    pub(crate) fn fits(&self, app: &App) -> bool {
        let inside = inside_of(self.area(app));
        let lines = wrap(&self.title, inside.width);
        let needed = lines.len() + self.text.len() + self.choices.len() + 2;
        let is_cut = |line: &String| width(line) > inside.width;
        needed <= usize::from(app.look.size.height) && !lines.iter().any(is_cut)
    }
}
