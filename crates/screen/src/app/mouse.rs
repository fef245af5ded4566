//! The mouse. What is under it comes with the message, from the same geometry that drawing uses.

use crossterm::event::MouseEvent;
use ratatui_core::layout::Position as Cell;

use super::press::MouseAct;
use super::{App, overlay};
use crate::message::Hit;

impl App {
    /// Passes what is done with the mouse to whatever is under it.
    pub(super) fn mouse(&mut self, event: MouseEvent, hit: Option<&Hit>) {
        if !self.settings.mouse {
            return;
        }
        let act = MouseAct::from(event.kind);
        let is_click = act == MouseAct::LeftDown;
        match hit {
            Some(&Hit::Key(key)) if is_click => self.key(key),
            Some(Hit::Shortcut(shortcut)) if is_click => self.perform_shortcut(shortcut.action),
            Some(&Hit::Explorer(hit)) if is_click => {
                self.with_explorer(|explorer, app| explorer.click(hit, app));
            }
            Some(
                Hit::Frame
                | Hit::Key(_)
                | Hit::Shortcut(_)
                | Hit::Row(_)
                | Hit::Field(..)
                | Hit::Game(_)
                | Hit::WayBack
                | Hit::Candidate(_)
                | Hit::Move(_)
                | Hit::Explorer(_),
            )
            | None => {
                if !self.with_overlay(|overlay, app| overlay::mouse(overlay, act, hit, app))
                    && !self.with_screen(|screen, app| overlay::mouse(screen, act, hit, app))
                {
                    self.mouse_on_game(act, Cell::new(event.column, event.row), hit);
                }
            }
        }
    }
}
