//! The home screen: its items, and what they do.

use std::borrow::Cow;

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::Rect;
use tabiya_play::players::PlayerSpec;
use tabiya_play::request::{GameRequest, NewRequest, Side};

use super::App;
use super::act::Act;
use super::boards::BoardId;
use super::canvas::{Canvas, KeyNames, rows};
use super::explorer;
use super::overlay::help::Help;
use super::overlay::settings::SettingsForm;
use super::overlay::{Component, Response};
use super::press::stepped;
use crate::commands::{FileCommand, ProgramCommand};
use crate::key_map::KeyAction;
use crate::message::{Hit, Resumable, StoreEffect};
use crate::tui::geometry::centered;
use crate::tui::text::{row, width, wrap};
use crate::wording::{LEAVE_AGAIN, about_player, offered_player};

pub(super) const WIDTH: u16 = 38;

const KEYS: KeyNames = &[
    ("↑↓", "choose"),
    ("Enter", "go"),
    (":", "command"),
    ("?", "help"),
    ("q", "leave"),
];

/// An item of the home screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HomeItem {
    Resume,
    BackToReview,
    BackToMatch,
    Bot,
    ResumeLatest,
    Saves,
    Play,
    NewGame,
    Review,
    Watch,
    Settings,
    Help,
    Leave,
}

impl HomeItem {
    pub(crate) fn label(self) -> &'static str {
        match self {
            HomeItem::Resume => "Back to the game",
            HomeItem::BackToReview => "Back to the review",
            HomeItem::BackToMatch => "Back to the match",
            HomeItem::Watch => "Watch a match…",
            HomeItem::ResumeLatest => "Resume the last game",
            HomeItem::Saves => "Saved games…",
            HomeItem::Review => "Review a file of games…",
            HomeItem::Bot => "Play against the computer",
            HomeItem::Play => "Play, two at one board",
            HomeItem::NewGame => "New game: clock, side, start…",
            HomeItem::Settings => "Settings",
            HomeItem::Help => "Help: keys and commands",
            HomeItem::Leave => "Leave",
        }
    }
}

/// The state of the home screen.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Home {
    pub(crate) chosen: usize,
}

/// The items of the home screen now.
fn items(app: &App) -> Vec<HomeItem> {
    let mut items = Vec::new();
    if app.boards.game.has_begun() {
        items.push(HomeItem::Resume);
    } else if app.save_state.resume == Resumable::Here {
        items.push(HomeItem::ResumeLatest);
    }
    if app.boards.review.is_some() {
        items.push(HomeItem::BackToReview);
    }
    if app.watch.is_some() {
        items.push(HomeItem::BackToMatch);
    }
    items.extend([HomeItem::Bot, HomeItem::Play, HomeItem::NewGame]);
    // A game that is open in another window can be continued there.
    if !app.boards.game.has_begun() && app.save_state.resume == Resumable::Elsewhere {
        items.push(HomeItem::ResumeLatest);
    }
    items.extend([
        HomeItem::Saves,
        HomeItem::Review,
        HomeItem::Watch,
        HomeItem::Settings,
        HomeItem::Help,
        HomeItem::Leave,
    ]);
    items
}

/// The text of an item. While a clock runs, the game's says so.
fn label(item: HomeItem, app: &App) -> Cow<'static, str> {
    match app.running_clock().filter(|_| item == HomeItem::Resume) {
        Some(clock) => format!("{}, {clock}", item.label()).into(),
        None => item.label().into(),
    }
}

/// What an item does.
fn act(item: HomeItem, app: &App) -> Act {
    match item {
        HomeItem::Resume => Act::Board(BoardId::Game),
        HomeItem::BackToReview => Act::Board(BoardId::Review),
        HomeItem::BackToMatch => Act::Match,
        HomeItem::ResumeLatest => Act::effect(StoreEffect::Resume(None)),
        HomeItem::Saves => Act::Perform(Box::new(FileCommand::Saves.into())),
        HomeItem::Review => Act::Type("review "),
        HomeItem::Watch => Act::Type("match bot:3 bot:5 10"),
        HomeItem::Bot => against(computer(app), Some(Side::Of(app.look.bottom))),
        // First the prepared game is played, afterwards the same kind of game again.
        HomeItem::Play if !app.boards.game.has_begun() => Act::BeginLaidOut,
        HomeItem::Play => against(PlayerSpec::Human, None),
        HomeItem::NewGame => Act::Form,
        HomeItem::Settings => Act::open(SettingsForm::default()),
        HomeItem::Help => Act::open(Help::about("")),
        HomeItem::Leave => Act::Perform(Box::new(ProgramCommand::Quit.into())),
    }
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

/// The note about an item of the home screen, if there is one.
fn note(item: HomeItem, app: &App) -> Option<String> {
    match item {
        HomeItem::Bot => {
            let computer = computer(app);
            let about = about_player(&computer).unwrap_or_default();
            Some(format!("{}. {about}", offered_player(&computer)))
        }
        HomeItem::ResumeLatest if app.save_state.resume == Resumable::Elsewhere => {
            Some("Another window has this game open.".to_owned())
        }
        HomeItem::Review
        | HomeItem::Resume
        | HomeItem::BackToReview
        | HomeItem::BackToMatch
        | HomeItem::ResumeLatest
        | HomeItem::Saves
        | HomeItem::Play
        | HomeItem::NewGame
        | HomeItem::Watch
        | HomeItem::Settings
        | HomeItem::Help
        | HomeItem::Leave => None,
    }
}

/// Begins the same kind of game against someone else.
fn against(opponent: PlayerSpec, side: Option<Side>) -> Act {
    Act::request(GameRequest::New(Box::new(NewRequest {
        opponent: Some(opponent),
        side,
        ..NewRequest::default()
    })))
}

impl Home {
    fn choose(self, at: usize, app: &App) -> Response {
        match items(app).get(at) {
            Some(&item) => Response::Do(act(item, app)),
            None => Response::Stay,
        }
    }
}

impl Component for Home {
    #[allow(
        clippy::wildcard_enum_match_arm,
        reason = "the keys of a terminal are many"
    )]
    fn key(&mut self, key: KeyEvent, app: &App) -> Response {
        let count = items(app).len();
        self.chosen = self.chosen.min(count - 1);
        match key.code {
            KeyCode::Char('q') => return Response::Do(act(HomeItem::Leave, app)),
            KeyCode::Up | KeyCode::Char('k') => {
                self.chosen = stepped(self.chosen, count, false);
            }
            KeyCode::Down | KeyCode::Tab | KeyCode::Char('j') => {
                self.chosen = stepped(self.chosen, count, true);
            }
            KeyCode::Home | KeyCode::Char('g') => self.chosen = 0,
            KeyCode::End | KeyCode::Char('G') => self.chosen = count - 1,
            KeyCode::Enter | KeyCode::Char(' ' | 'l') => return self.choose(self.chosen, app),
            _ => match app.keys.find(key).map(|(_, shortcut)| shortcut.action) {
                Some(KeyAction::Palette) => return Response::Do(Act::Type("")),
                Some(KeyAction::Run(line @ ("help" | "theme" | "explorer" | "explorer own"))) => {
                    return Response::Do(Act::Run(line));
                }
                Some(KeyAction::Arrow(arrow)) => {
                    return self.key(KeyEvent::new(arrow, KeyModifiers::NONE), app);
                }
                Some(
                    KeyAction::Run(_)
                    | KeyAction::Walk(_)
                    | KeyAction::Menu
                    | KeyAction::Marks
                    | KeyAction::Type(_),
                )
                | None => {}
            },
        }
        Response::Stay
    }

    fn click(&mut self, hit: &Hit, app: &App) -> Response {
        if let Hit::Row(item) = hit {
            return self.choose(*item, app);
        }
        Response::Stay
    }

    fn wheel(&mut self, _: isize, _: Option<&Hit>, _: &App) -> Response {
        Response::Stay
    }

    fn render(&self, app: &App, canvas: &mut Canvas<'_>) {
        let palette = canvas.palette;
        let items = items(app);
        let count = items.len() as u16;
        // The name, the subtitle and a gap, as far as there are lines to spare; below them the keys.
        let above = match app.size.height.saturating_sub(count) {
            0..3 => 0,
            3..7 => 1,
            _ => 4,
        };
        let area = centered(app.size, WIDTH, above + count + 5);
        let area = explorer::draw_beside(app, area, canvas);
        if above == 1 {
            canvas.put(row(area, 0), 0, "T a b i y a", palette.accent());
        } else if above > 1 {
            canvas.put(row(area, 0), 0, "♜ ♞ ♝ ♛ ♚ ♝ ♞ ♜", palette.dim());
            canvas.put(row(area, 1), 0, "T a b i y a", palette.accent());
            canvas.put(row(area, 2), 0, "chess for the terminal", palette.dim());
        }
        let shown = count.min(area.height.saturating_sub(above));
        let list = Rect {
            y: area.y + above,
            height: shown,
            ..area
        };
        for (at, line) in rows(list, self.chosen, items.len()) {
            let Some(item) = items.get(at) else { break };
            let (sign, style) = canvas.line_style(at == self.chosen);
            let label = label(*item, app);
            let line = Rect {
                width: line.width.max(width(&label) + 2),
                ..line
            };
            canvas.put(line, 0, &format!("{sign} {label:<32}"), style);
            canvas.hit(line, Hit::Row(at));
        }
        let below = row(area, above + shown + u16::from(above > 1));
        // A line of keys begins in the second column of its area.
        let x = below.x.saturating_sub(1);
        let below = Rect {
            x,
            width: canvas.screen().width.saturating_sub(x).min(WIDTH + 14),
            ..below
        };
        canvas.keys(below, KEYS);
        // The note about the chosen item, below the keys if there is room.
        let top = below.y + 2;
        if let Some(&item) = items.get(self.chosen).filter(|_| above > 1) {
            let screen = canvas.screen();
            let room = |y: u16| Rect {
                x: area.x,
                y,
                width: screen.width.saturating_sub(area.x + 1).min(WIDTH + 16),
                height: screen.height.saturating_sub(y).min(2),
            };
            let note = note(item, app);
            if let Some(note) = &note {
                canvas.paragraph(room(top), note, palette.dim());
            }
            let lines = note.map_or(0, |note| wrap(&note, room(top).width).len().min(2));
            canvas.paragraph(room(top + lines as u16), PASTE, palette.dim());
        }
        if app.leaving {
            let last = row(canvas.screen(), canvas.screen().height.saturating_sub(1));
            let last = Rect { x: area.x, ..last };
            canvas.put(last, 0, LEAVE_AGAIN, palette.warning());
        }
    }
}
