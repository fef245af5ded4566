//! The user's settings on the full screen: taken over at the start, and changed at once.

use tabiya_store::Autosave;

use super::App;
use super::overlay::sheet::Sheet;
use crate::config::Config;
use crate::config::settings::{self, SettingError};
use crate::key_map::Keys;
use crate::message::{Effect, FileEffect, StoreEffect};

impl App {
    /// Takes over what the user has settled, and shows what could not be used of it.
    pub(crate) fn configure(&mut self, config: Config, colors_count: bool) {
        let mut settings = config.settings;
        if !colors_count {
            // The command line has said already which colors there are.
            settings.colors = None;
        }
        self.look.settle(&settings);
        let own = config.keys.iter().map(|one| (one.action, one.key));
        self.own_keys = own.collect();
        let (keys, problems) = Keys::new(settings.key_map, &self.own_keys);
        self.keys = keys;
        let opponents = self.board.game.table.opponents_mut();
        opponents.mind_manners(settings.manners);
        opponents.call_person(&settings.name);
        self.settings = settings;
        let warnings = config.warnings.iter().map(ToString::to_string);
        let lines: Vec<String> = warnings.chain(problems).collect();
        if !lines.is_empty() {
            self.open(Sheet::new("Some settings cannot be used", lines));
        }
    }

    /// Settles something from now on: at once on the screen, and in the user's file.
    ///
    /// # Errors
    /// What the setting cannot be is refused, and the sentence says what it can be.
    pub(crate) fn settle(&mut self, key: &str, text: &str) -> Result<(), SettingError> {
        let setting = settings::known(key)?;
        let mut settings = self.settings.clone();
        setting.set(&mut settings, text)?;
        self.effects.push(FileEffect::Settle {
            key: setting.key,
            value: setting.get(&settings),
        });
        if settings.autosave != self.settings.autosave {
            let autosave = Autosave::from(settings.autosave);
            self.effects.push(StoreEffect::Autosave(autosave));
        }
        if settings.mouse != self.look.mouse {
            self.effects.push(Effect::TakeMouse(settings.mouse));
        }
        self.look.settle(&settings);
        // What is wrong with the user's own keys was said at the start.
        self.keys = Keys::new(settings.key_map, &self.own_keys).0;
        let opponents = self.board.game.table.opponents_mut();
        opponents.mind_manners(settings.manners);
        opponents.call_person(&settings.name);
        self.settings = settings;
        Ok(())
    }

    /// Writes what was chosen beside the settings into the user's file, so that it is so at the next start.
    pub(super) fn remember(&mut self, key: &str, text: &str) {
        let mut settings = self.settings.clone();
        if let Ok(setting) = settings::known(key)
            && setting.set(&mut settings, text).is_ok()
        {
            self.effects.push(FileEffect::Settle {
                key: setting.key,
                value: setting.get(&settings),
            });
            self.settings = settings;
        }
    }
}
