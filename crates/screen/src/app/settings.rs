//! The user's settings on the full screen: applied at the start, and whenever they change.

use tabiya_front::config::Config;
use tabiya_front::config::settings::{self, SettingError, Settings};
use tabiya_front::key_map::Keys;
use tabiya_store::Autosave;

use super::App;
use super::overlay::sheet::Sheet;
use crate::message::{Effect, FileEffect, SettingChange, StoreEffect};

impl App {
    /// Applies the user's config, and shows what could not be used. Its setting of colors applies unless the command line has
    /// decided about them.
    pub(crate) fn configure(&mut self, config: Config, colors_apply: bool) {
        let mut settings = config.settings;
        if !colors_apply {
            settings.colors = None;
        }
        let problems = self.apply(settings, config.keys);
        let warnings = config.warnings.iter().map(ToString::to_string);
        let lines: Vec<String> = warnings.chain(problems).collect();
        if !lines.is_empty() {
            self.open(Sheet::new("Some settings cannot be used", lines));
        }
    }

    /// Applies settings. Returns what is wrong with the user's own keys.
    fn apply(&mut self, settings: Settings, own: Vec<(&'static str, char)>) -> Vec<String> {
        self.look.apply(&settings);
        let (keys, problems) = Keys::new(settings.key_map, own);
        self.keys = keys;
        self.desk.set_manners(settings.manners.into());
        self.desk.set_player(settings.player());
        self.settings = settings;
        problems
    }

    /// Changes a setting: at once on the screen, and in the user's file.
    ///
    /// # Errors
    /// The value is not valid; the error lists the valid ones.
    pub(crate) fn change_setting(&mut self, key: &str, text: &str) -> Result<(), SettingError> {
        let (settings, change) = self.changed(key, text)?;
        self.effects.push(FileEffect::WriteSetting(change));
        if settings.autosave != self.settings.autosave {
            let autosave = Autosave::from(settings.autosave);
            self.effects.push(StoreEffect::SetAutosave(autosave));
        }
        if settings.mouse != self.settings.mouse {
            self.effects.push(Effect::CaptureMouse(settings.mouse));
        }
        // Errors in the user's own keys were reported at the start.
        self.apply(settings, self.keys.own().to_vec());
        Ok(())
    }

    /// The settings with one of them changed.
    fn changed(&self, key: &str, text: &str) -> Result<(Settings, SettingChange), SettingError> {
        let setting = settings::known(key)?;
        let mut settings = self.settings.clone();
        setting.set(&mut settings, text)?;
        let (key, value) = (setting.key, setting.get(&settings));
        Ok((settings, SettingChange { key, value }))
    }

    /// Writes a choice into the user's file for the next start.
    pub(super) fn remember(&mut self, key: &str, text: &str) {
        if let Ok((settings, change)) = self.changed(key, text) {
            self.effects.push(FileEffect::Remember(change));
            self.settings = settings;
        }
    }
}
