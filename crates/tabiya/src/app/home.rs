//! The home screen: what it offers, and what becomes of a choice.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use tabiya_play::players::{Level, PlayerSpec};

use super::{App, Screen};
use crate::key_map::Does;
use crate::message::StoreEffect;

/// The level of the bot that somebody meets first: it plays sensibly and can be beaten.
const FIRST_LEVEL: u8 = 3;

/// What a line of the home screen does.
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

impl App {
    /// What the home screen offers now.
    pub(crate) fn home_items(&self) -> Vec<HomeItem> {
        let mut items = Vec::new();
        if self.game_table().begun {
            items.push(HomeItem::Resume);
        } else if self.keeping.can_resume {
            items.push(HomeItem::ResumeLatest);
        }
        if self.review_table().is_some() {
            items.push(HomeItem::BackToReview);
        }
        if self.watch.is_some() {
            items.push(HomeItem::BackToMatch);
        }
        items.extend([
            HomeItem::Bot,
            HomeItem::Play,
            HomeItem::NewGame,
            HomeItem::Saves,
            HomeItem::Review,
            HomeItem::Watch,
            HomeItem::Settings,
            HomeItem::Help,
            HomeItem::Leave,
        ]);
        items
    }

    pub(super) fn home_key(&mut self, key: KeyEvent) {
        let count = self.home_items().len();
        self.home = self.home.min(count - 1);
        match key.code {
            KeyCode::Up => self.home = self.home.checked_sub(1).unwrap_or(count - 1),
            KeyCode::Down | KeyCode::Tab => self.home = (self.home + 1) % count,
            KeyCode::Enter | KeyCode::Char(' ') => self.home_choose(self.home),
            _ => match self.keys.find(key).map(|(_, shortcut)| shortcut.does) {
                Some(Does::Palette) => self.open_palette(),
                Some(Does::Run(line @ ("help" | "theme"))) => self.run(line),
                Some(Does::Arrow(arrow)) => {
                    self.home_key(KeyEvent::new(arrow, KeyModifiers::NONE));
                }
                _ => {}
            },
        }
    }

    pub(crate) fn home_choose(&mut self, at: usize) {
        let Some(&item) = self.home_items().get(at) else {
            return;
        };
        match item {
            HomeItem::Resume => {
                self.front_game();
                self.screen = Screen::Game;
            }
            HomeItem::BackToReview => self.front_review(),
            HomeItem::BackToMatch => self.screen = Screen::Match,
            HomeItem::ResumeLatest => self.effects.push(StoreEffect::Resume(None)),
            HomeItem::Saves => self.open_saves(),
            HomeItem::Review => self.open_palette_with("review "),
            HomeItem::Watch => self.open_palette_with("match bot:3 bot:5 10"),
            HomeItem::Bot => {
                let settled = self.settings.opponent.clone();
                let opponent = match settled {
                    PlayerSpec::Human => PlayerSpec::Bot(Level::new(FIRST_LEVEL)),
                    engine => engine,
                };
                let bottom = self.look.bottom;
                self.play_against(opponent, Some(bottom));
            }
            // What was laid out when the program began is played; afterwards the same again.
            HomeItem::Play if !self.game_table().begun => self.begin(),
            HomeItem::Play => self.play_against(PlayerSpec::Human, None),
            HomeItem::NewGame => self.open_form(),
            HomeItem::Settings => self.open_settings(),
            HomeItem::Help => self.open_help(""),
            HomeItem::Leave => self.leave_or_ask(),
        }
    }
}
