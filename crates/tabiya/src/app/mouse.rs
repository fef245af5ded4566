//! The mouse. What is under it comes with the message, from the same geometry that drawing uses.

use crossterm::event::{MouseEvent, MouseEventKind};
use ratatui_core::layout::Position as Cell;

use super::{App, CLICK, Overlay, overlay};
use crate::message::Hit;

impl App {
    pub(super) fn mouse(&mut self, event: MouseEvent, hit: Option<Hit>) {
        if !self.settings.mouse {
            return;
        }
        let kind = event.kind;
        match hit {
            Some(Hit::Key(key)) if kind == CLICK => self.key(key),
            Some(Hit::Shortcut(shortcut)) if kind == CLICK => self.press(shortcut.action),
            Some(Hit::Explorer(hit)) if kind == CLICK => {
                self.with_explorer(|explorer, app| explorer.click(hit, app));
            }
            hit => self.mouse_inside(event, hit.as_ref()),
        }
    }

    fn mouse_inside(&mut self, event: MouseEvent, hit: Option<&Hit>) {
        let kind = event.kind;
        // Any button closes a sheet.
        if matches!(self.overlay, Some(Overlay::Text(_))) && matches!(kind, MouseEventKind::Down(_))
        {
            self.overlay = None;
            return;
        }
        if self.with_overlay(|overlay, app| overlay::mouse(overlay, kind, hit, app)) {
            return;
        }
        if !self.with_screen(|screen, app| overlay::mouse(screen, kind, hit, app)) {
            self.mouse_on_game(kind, Cell::new(event.column, event.row), hit);
        }
    }
}
