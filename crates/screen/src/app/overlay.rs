//! Overlays, which cover the screen and take the keys. Each is a component in its own file, with its state, keys, mouse
//! and drawing.

pub(crate) mod command_palette;
pub(crate) mod dialog;
pub(crate) mod form;
pub(crate) mod help;
pub(crate) mod menus;
pub(crate) mod name;
pub(crate) mod saves_list;
pub(crate) mod settings;
pub(crate) mod sheet;

use crossterm::event::{KeyCode, KeyEvent};
use tabiya_front::key_map::KeyAction;

use super::App;
use super::action::Action;
use super::canvas::{Canvas, KeyNames};
use super::press::MouseAct;
use crate::message::{Effect, Hit};
use command_palette::CommandPalette;
use dialog::Dialog;
use form::Form;
use help::Help;
use name::NameForm;
use saves_list::SavesList;
use settings::SettingsForm;
use sheet::Sheet;

/// What happens to a component after some input.
#[derive(Clone, Debug)]
pub(crate) enum Response {
    Stay,
    Close,
    /// It stays open while this is done, unless that opens another overlay.
    Do(Action),
    /// It is closed before this is done.
    CloseAndDo(Action),
}

impl Response {
    /// Stays open and performs an effect.
    pub(super) fn effect(effect: impl Into<Effect>) -> Response {
        Response::Do(Action::effect(effect))
    }
}

/// A part of the screen with its own state. It requests an [`Action`], and never performs one.
pub(crate) trait Component {
    fn key(&mut self, key: KeyEvent, app: &App) -> Response;

    /// Handles a click on something that [`Component::render`] has registered.
    fn click(&mut self, hit: &Hit, app: &App) -> Response {
        if let Hit::Row(row) = *hit {
            return self.click_row(row, app);
        }
        Response::Stay
    }

    /// Handles a click on a line of a list.
    fn click_row(&mut self, row: usize, app: &App) -> Response {
        let _ = (row, app);
        Response::Stay
    }

    /// Handles a press of the right or the middle button.
    fn press_other_button(&mut self) -> Response {
        Response::Stay
    }

    /// Handles the wheel; positive steps scroll down.
    fn wheel(&mut self, steps: isize, hit: Option<&Hit>, app: &App) -> Response {
        let _ = hit;
        let arrow = match steps < 0 {
            true => KeyCode::Up,
            false => KeyCode::Down,
        };
        self.key(arrow.into(), app)
    }

    /// Handles pasted text.
    fn paste(&mut self, text: &str) {
        let _ = text;
    }

    /// The keys for the last line of the game screen, if it has no line of keys of its own.
    fn hints(&self) -> KeyNames {
        &[]
    }

    /// Draws the component, and registers what can be clicked.
    fn render(&self, app: &App, canvas: &mut Canvas<'_>);
}

/// Defines the overlays from their components.
macro_rules! overlays {
    ($($name:ident($component:ty)),*) => {
        /// An overlay.
        #[derive(Clone, Debug)]
        pub(crate) enum Overlay {
            $($name($component)),*
        }

        $(impl From<$component> for Overlay {
            fn from(component: $component) -> Overlay {
                Overlay::$name(component)
            }
        })*

        impl Overlay {
            pub(super) fn component(&self) -> &dyn Component {
                match self {
                    $(Overlay::$name(component) => component),*
                }
            }

            /// The component, to pass it input.
            fn component_mut(&mut self) -> &mut dyn Component {
                match self {
                    $(Overlay::$name(component) => component),*
                }
            }
        }
    };
}

overlays!(
    Dialog(Dialog),
    CommandPalette(CommandPalette),
    Help(Help),
    Text(Sheet),
    Form(Form),
    Settings(SettingsForm),
    SavesList(SavesList),
    Name(NameForm)
);

impl App {
    /// Opens an overlay.
    pub(crate) fn open(&mut self, overlay: impl Into<Overlay>) {
        self.overlay = Some(overlay.into());
    }

    /// Passes input to the overlay. Returns whether there is one.
    pub(super) fn with_overlay(
        &mut self,
        input: impl FnOnce(&mut dyn Component, &App) -> Response,
    ) -> bool {
        let Some(mut overlay) = self.overlay.take() else {
            return false;
        };
        match input(overlay.component_mut(), self) {
            Response::Stay => self.overlay = Some(overlay),
            Response::Close => {}
            Response::Do(act) => {
                self.overlay = Some(overlay);
                self.perform(act);
            }
            Response::CloseAndDo(act) => self.perform(act),
        }
        true
    }
}

/// Does what a shortcut does on any screen: opens the command palette, or runs one of these commands.
pub(super) fn on_any_screen(action: Option<KeyAction>, commands: &[&str]) -> Response {
    let is_done = |action: &KeyAction| match action {
        KeyAction::Type(text) => text.is_empty(),
        KeyAction::Run(line) => commands.contains(line),
        KeyAction::Walk(_) | KeyAction::Arrow(_) | KeyAction::Menu | KeyAction::Marks => false,
    };
    let action = action.filter(is_done).map(Action::Key);
    action.map_or(Response::Stay, Response::Do)
}

/// Passes what is done with the mouse to a component.
pub(super) fn mouse(
    component: &mut dyn Component,
    act: MouseAct,
    hit: Option<&Hit>,
    app: &App,
) -> Response {
    match act {
        MouseAct::LeftDown => hit.map_or(Response::Stay, |hit| component.click(hit, app)),
        MouseAct::RightDown | MouseAct::MiddleDown => component.press_other_button(),
        MouseAct::WheelUp => component.wheel(-3, hit, app),
        MouseAct::WheelDown => component.wheel(3, hit, app),
        MouseAct::LeftDrag | MouseAct::LeftUp | MouseAct::RightUp | MouseAct::Other => {
            Response::Stay
        }
    }
}
