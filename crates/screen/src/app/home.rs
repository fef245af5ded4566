//! The home screen: its items, and what they do.

use std::borrow::Cow;

use crossterm::event::KeyEvent;
use ratatui_core::layout::Rect;
use tabiya_play::players::PlayerSpec;
use tabiya_play::request::{GameRequest, NewGameRequest, Side};

use super::action::Action;
use super::canvas::{Canvas, rows};
use super::explorer;
use super::overlay::help::Help;
use super::overlay::settings::SettingsForm;
use super::overlay::{Component, Response, on_any_screen};
use super::press::{ENTER, Edit, KeyLabel, Press, stepped};
use super::{App, Screen};
use crate::message::{Hit, Resumable, StoreEffect};
use crate::tui::geometry::{HOME_MENU_WIDTH, band, centered, columns};
use tabiya_front::cells::{row, width, wrap};
use tabiya_front::commands::{FileCommand, ProgramCommand};
use tabiya_front::key_map::{KeyAction, Keys};
use tabiya_front::wording::{LEAVE_AGAIN, about_player, offered_player};
use tabiya_play::desk::BoardId;
use tabiya_train::trainer::Request;

/// The keys, most important first.
fn keys(keys: &Keys) -> Vec<(KeyLabel, &'static str)> {
    let bound = |action, what| Some((KeyLabel::Bound(keys.key(action)?), what));
    let keys = [
        Some((KeyLabel::Several("↑↓"), "choose")),
        Some((ENTER, "go")),
        bound("command", "command"),
        bound("help", "help"),
        Some((KeyLabel::Char('q'), "leave")),
    ];
    keys.into_iter().flatten().collect()
}

/// An item of the home screen.
struct Item {
    label: Cow<'static, str>,
    act: Action,
    note: Option<String>,
}

/// An item without a note.
fn item(label: impl Into<Cow<'static, str>>, act: Action) -> Item {
    Item {
        label: label.into(),
        act,
        note: None,
    }
}

/// The state of the home screen.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Home {
    pub(crate) chosen: usize,
}

/// The items of the home screen now.
fn items(app: &App) -> Vec<Item> {
    let mut items = items_to_go_on(app);
    items.extend(items_to_begin(app));
    items.extend([
        item("Saved games…", Action::perform(FileCommand::Saves)),
        item(
            "Review a file of games…",
            Action::Key(KeyAction::Type("review ")),
        ),
        item(
            "Watch a match…",
            Action::Key(KeyAction::Type("match bot:3 bot:5 10")),
        ),
        item("Settings", Action::open(SettingsForm::default())),
        item("Help: keys and commands", Action::open(Help::about(""))),
        item("Leave", leave()),
    ]);
    items
}

/// Resumes the game that was played last.
fn resume_item() -> Item {
    let resume = Action::effect(StoreEffect::Resume(None));
    item("Resume the last game", resume)
}

/// The items that lead back to what was begun.
fn items_to_go_on(app: &App) -> Vec<Item> {
    let mut items = Vec::new();
    if app.desk.game().has_begun() {
        let clock = app.game_board().running_clock(app.now);
        let clock = clock.map_or(String::new(), |clock| format!(", {clock}"));
        let label = format!("Back to the game{clock}");
        items.push(item(label, Action::Board(BoardId::Game)));
    } else if app.save_state.resume == Resumable::Here {
        items.push(resume_item());
    }
    if app.desk.review().is_some() {
        items.push(item("Back to the review", Action::Board(BoardId::Review)));
    }
    if app.screens.train.is_some() {
        items.push(item("Back to the training", Action::Screen(Screen::Train)));
    }
    if app.screens.watch.is_some() {
        items.push(item("Back to the match", Action::Screen(Screen::Match)));
    }
    items
}

/// The items that begin a game or a training session.
fn items_to_begin(app: &App) -> Vec<Item> {
    let mut items = Vec::new();
    let has_begun = app.desk.game().has_begun();
    let computer = computer(app);
    let about = about_player(&computer).unwrap_or_default();
    let side = Some(Side::Of(app.look.bottom));
    items.push(Item {
        note: Some(format!("{}. {about}", offered_player(&computer))),
        ..item("Play against the computer", against(computer, side))
    });
    // Not the first: it comes once the record is read, and Enter must not mean something else then.
    if let Some(due) = app.screens.due.filter(|_| app.screens.train.is_none()) {
        items.push(Item {
            note: Some("The mistakes of your judged games, until you remember them.".to_owned()),
            ..item(format!("Train: {due} due"), Action::Train(Request::Start))
        });
    }
    // First the prepared game is played, afterwards the same kind of game again.
    let play = match has_begun {
        true => against(PlayerSpec::Human, None),
        false => Action::BeginPrepared,
    };
    items.push(item("Play, two at one board", play));
    items.push(item("New game: clock, side, start…", Action::Form));
    // A game that is open in another window can be continued there.
    if !has_begun && app.save_state.resume == Resumable::Elsewhere {
        items.push(Item {
            note: Some("Another window has this game open.".to_owned()),
            ..resume_item()
        });
    }
    items
}

fn leave() -> Action {
    Action::perform(ProgramCommand::Quit)
}

/// The computer opponent: the one of the settings, or the bot of the fitting level if that is a person.
fn computer(app: &App) -> PlayerSpec {
    match app.settings.first_opponent() {
        PlayerSpec::Human | PlayerSpec::Remote(_) => PlayerSpec::Bot(Some(app.settings.level)),
        engine @ (PlayerSpec::Bot(_) | PlayerSpec::Uci(_) | PlayerSpec::Named(_)) => engine,
    }
}

/// What else can be done here.
const PASTE: &str = "Paste a FEN or a PGN to look at it.";

/// Begins the same kind of game against someone else.
fn against(opponent: PlayerSpec, side: Option<Side>) -> Action {
    Action::request(GameRequest::New(Box::new(NewGameRequest {
        opponent: Some(opponent),
        side,
        ..NewGameRequest::default()
    })))
}

impl Component for Home {
    fn key(&mut self, key: KeyEvent, app: &App) -> Response {
        let count = items(app).len();
        self.chosen = self.chosen.min(count - 1);
        match Press::from(key) {
            Press::Edit(Edit::Char('q')) => return Response::Do(leave()),
            Press::Up | Press::Edit(Edit::Char('k')) => {
                self.chosen = stepped(self.chosen, count, false);
            }
            Press::Down | Press::Tab | Press::Edit(Edit::Char('j')) => {
                self.chosen = stepped(self.chosen, count, true);
            }
            Press::Edit(Edit::Home | Edit::Char('g')) => self.chosen = 0,
            Press::Edit(Edit::End | Edit::Char('G')) => self.chosen = count - 1,
            Press::Enter | Press::Edit(Edit::Char(' ' | 'l')) => {
                return self.click_row(self.chosen, app);
            }
            Press::Esc | Press::BackTab | Press::PageUp | Press::PageDown | Press::Edit(_) => {
                return match app.keys.find(key).map(|(_, shortcut)| shortcut.action) {
                    Some(KeyAction::Arrow(arrow)) => self.key(arrow.into(), app),
                    action @ (Some(
                        KeyAction::Run(_)
                        | KeyAction::Walk(_)
                        | KeyAction::Menu
                        | KeyAction::Marks
                        | KeyAction::Type(_),
                    )
                    | None) => {
                        on_any_screen(action, &["help", "theme", "explorer", "explorer own"])
                    }
                };
            }
        }
        Response::Stay
    }

    fn click_row(&mut self, at: usize, app: &App) -> Response {
        match items(app).into_iter().nth(at) {
            Some(item) => Response::Do(item.act),
            None => Response::Stay,
        }
    }

    fn wheel(&mut self, _: isize, _: Option<&Hit>, _: &App) -> Response {
        Response::Stay
    }

    fn render(&self, app: &App, canvas: &mut Canvas<'_>) {
        let styles = canvas.styles;
        let items = items(app);
        let count = items.len() as u16;
        // The name, the subtitle and a gap, as far as there are lines to spare; below them the keys.
        let above = match app.look.size.height.saturating_sub(count) {
            0..3 => 0,
            3..7 => 1,
            _ => 4,
        };
        let area = centered(app.look.size, HOME_MENU_WIDTH, above + count + 5);
        let area = explorer::draw_beside(app, area, canvas);
        draw_title(area, above, canvas);
        let shown = count.min(area.height.saturating_sub(above));
        for (at, line) in rows(band(area, above, shown), self.chosen, items.len()) {
            let Some(item) = items.get(at) else { break };
            let (sign, style) = canvas.line_style(at == self.chosen);
            let label = &item.label;
            let line = columns(line, 0, line.width.max(width(label) + 2));
            canvas.put(line, 0, &format!("{sign} {label:<32}"), style);
            canvas.make_clickable(line, Hit::Row(at));
        }
        let below = row(area, above + shown + u16::from(above > 1));
        let right = canvas.screen().width.saturating_sub(below.x);
        let keys = keys(&app.keys);
        canvas.draw_keys(columns(below, 0, right.min(HOME_MENU_WIDTH + 13)), &keys);
        if let Some(item) = items.get(self.chosen).filter(|_| above > 1) {
            draw_note(item, area.x, below.y + 2, canvas);
        }
        if app.reminders.leaving {
            let last = row(canvas.screen(), canvas.screen().height.saturating_sub(1));
            let last = Rect { x: area.x, ..last };
            canvas.put(last, 0, LEAVE_AGAIN, styles.warning());
        }
    }
}

/// Draws the name of the program, and more about it if there are several lines above the items.
fn draw_title(area: Rect, above: u16, canvas: &mut Canvas<'_>) {
    let styles = canvas.styles;
    if above == 1 {
        canvas.put(row(area, 0), 0, "T a b i y a", styles.accent());
    } else if above > 1 {
        canvas.put(row(area, 0), 0, "♜ ♞ ♝ ♛ ♚ ♝ ♞ ♜", styles.dim());
        canvas.put(row(area, 1), 0, "T a b i y a", styles.accent());
        canvas.put(row(area, 2), 0, "chess for the terminal", styles.dim());
    }
}

/// Draws the note about the chosen item, and what else can be done, below the keys as far as there is room.
fn draw_note(item: &Item, left: u16, top: u16, canvas: &mut Canvas<'_>) {
    let style = canvas.styles.dim();
    let screen = canvas.screen();
    let width = screen.width.saturating_sub(left + 1);
    let room = |y: u16| Rect {
        x: left,
        y,
        width: width.min(HOME_MENU_WIDTH + 16),
        height: screen.height.saturating_sub(y).min(2),
    };
    let note = item.note.iter();
    let note: Vec<String> = note.flat_map(|note| wrap(note, room(top).width)).collect();
    canvas.put_lines(room(top), &note, style);
    let lines = note.len().min(2) as u16;
    canvas.put_paragraph(room(top + lines), PASTE, style);
}
