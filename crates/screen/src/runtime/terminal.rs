//! The terminal: entered at the start, restored at every end, and drawn on without flicker.

use std::fs::File;
use std::io::{self, BufWriter, Stdout, Write};
use std::panic;
use std::time::Duration;

use crossterm::cursor::{Hide, RestorePosition, SavePosition, Show};
use crossterm::event::{self, DisableBracketedPaste, EnableBracketedPaste};
use crossterm::style::{Print, force_color_output};
use crossterm::terminal::{
    BeginSynchronizedUpdate, EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen,
    disable_raw_mode, enable_raw_mode,
};
use crossterm::{execute, queue};
use ratatui_core::backend::Backend;
use ratatui_core::layout::{Rect, Size};
use ratatui_core::terminal::{Terminal, TerminalOptions, Viewport};
use tabiya_front::cells::assumed_size;
use tabiya_front::signals;

use super::backend::TerminalBackend;
use super::pictures::{Changes, Pictures};
use crate::app::{self, App, Drawn};
use crate::tui::graphics::{Pixels, Protocol, clipboard};

/// Presses, drags and the wheel, with coordinates of any size. Motion without a button is useless and would wake the
/// program all the time.
const CAPTURE_MOUSE: &str = "\u{1b}[?1000h\u{1b}[?1002h\u{1b}[?1006h";
const RELEASE_MOUSE: &str = "\u{1b}[?1006l\u{1b}[?1002l\u{1b}[?1000l";

/// The terminal in raw mode, on the alternate screen. Dropping it restores the terminal.
pub(super) struct FullScreen {
    terminal: Terminal<TerminalBackend<BufWriter<Stdout>>>,
    mouse: bool,
    /// The pictures, if the terminal shows any.
    pictures: Option<Pictures>,
    /// The area that was last drawn on; `None` if everything must be drawn again.
    drawn_on: Option<Rect>,
}

impl FullScreen {
    /// Enters the terminal, so that it is restored however the program ends.
    pub(super) fn enter() -> io::Result<FullScreen> {
        // The theme decides about colors. By itself the backend would, with NO_COLOR, write resets that remove bold and
        // reverse too.
        force_color_output(true);
        let default_hook = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            // The message must be readable, so the terminal is restored before it is printed.
            let _ = leave_terminal();
            default_hook(panic);
        }));
        enter_terminal(true)?;
        let writer = BufWriter::with_capacity(1 << 16, io::stdout());
        let backend = TerminalBackend::new(writer);
        let terminal = can_read_keys().and_then(|()| {
            // Its area is set before the first frame.
            let viewport = Viewport::Fixed(Rect::ZERO);
            Terminal::with_options(backend, TerminalOptions { viewport })
        });
        let terminal = terminal.inspect_err(|_| {
            let _ = leave_terminal();
        })?;
        Ok(FullScreen {
            terminal,
            mouse: true,
            pictures: None,
            drawn_on: None,
        })
    }

    pub(super) fn size(&self) -> io::Result<Size> {
        self.terminal.size().map(bounded)
    }

    /// The size of a cell in pixels, if the terminal reports it.
    pub(super) fn cell(&mut self) -> Option<Pixels> {
        Pixels::of_cell(&self.terminal.backend_mut().window_size().ok()?)
    }

    /// Turns pictures on.
    pub(super) fn show_pictures(&mut self, protocol: Protocol, cell: Pixels) {
        // So that two programs on one terminal use different IDs.
        let first = std::process::id() << 12;
        self.pictures = Some(Pictures::new(protocol, cell, first));
    }

    /// Says that something else has written on the terminal, so that the next frame draws everything.
    pub(super) fn set_overwritten(&mut self) {
        self.drawn_on = None;
    }

    /// Whether the next frame draws everything.
    pub(super) fn is_overwritten(&self) -> bool {
        self.drawn_on.is_none()
    }

    /// Draws the state. The terminal shows the frame as a whole.
    pub(super) fn draw(&mut self, app: &App) -> io::Result<Drawn> {
        let mut drawn = Drawn::default();
        let mut changes = Changes::default();
        queue!(self.terminal.backend_mut(), BeginSynchronizedUpdate)?;
        self.fit()?;
        let pictures = &mut self.pictures;
        self.terminal.draw(|frame| {
            drawn = app::draw(app, frame.buffer_mut());
            if let Some(pictures) = pictures {
                changes = pictures.show(&drawn.tiles, frame.buffer_mut());
            }
            if let Some(cursor) = drawn.cursor {
                frame.set_cursor_position(cursor);
            }
        })?;
        self.write_pictures(&changes, drawn.cursor.is_some())?;
        execute!(self.terminal.backend_mut(), EndSynchronizedUpdate)?;
        Ok(drawn)
    }

    /// Fits the frame to the size of the terminal. Another size clears it.
    fn fit(&mut self) -> io::Result<()> {
        let area = Rect::from(self.size()?);
        if self.drawn_on == Some(area) {
            return Ok(());
        }
        self.drawn_on = Some(area);
        match (self.cell(), &mut self.pictures) {
            (Some(cell), Some(pictures)) => {
                let bytes = pictures.redraw_after_clearing(cell);
                self.terminal.backend_mut().write_all(&bytes)?;
            }
            _ => self.pictures = None,
        }
        // Not through the library, which would ask the terminal for its cursor. The thread that reads the keys would
        // get the answer.
        self.terminal.backend_mut().clear()?;
        self.terminal.resize(area)
    }

    /// Writes pictures while the cursor is hidden. xterm would show it over a picture between two writes, and the cell
    /// under it when it moves on.
    fn write_pictures(&mut self, changes: &Changes, has_cursor: bool) -> io::Result<()> {
        if changes.cells.is_empty() && changes.bytes.is_empty() {
            return Ok(());
        }
        let backend = self.terminal.backend_mut();
        // The cursor goes back to where the frame has put it.
        queue!(backend, Hide, SavePosition)?;
        let cells = changes.cells.iter();
        Backend::draw(backend, cells.map(|(x, y, cell)| (*x, *y, cell)))?;
        backend.write_all(&changes.bytes)?;
        queue!(backend, RestorePosition)?;
        if has_cursor {
            queue!(backend, Show)?;
        }
        Ok(())
    }

    /// Copies a text to the clipboard.
    pub(super) fn copy(&mut self, text: &str) -> io::Result<()> {
        execute!(self.terminal.backend_mut(), Print(clipboard(text)))
    }

    pub(super) fn ring(&mut self) -> io::Result<()> {
        execute!(self.terminal.backend_mut(), Print('\u{7}'))
    }

    /// Captures the mouse, or leaves it to the terminal.
    pub(super) fn capture_mouse(&mut self, captured: bool) -> io::Result<()> {
        self.mouse = captured;
        let sequence = if captured {
            CAPTURE_MOUSE
        } else {
            RELEASE_MOUSE
        };
        execute!(self.terminal.backend_mut(), Print(sequence))
    }

    /// Restores the terminal, stops, and enters it again when the shell continues the program.
    pub(super) fn suspend(&mut self) -> io::Result<()> {
        self.delete_pictures();
        Write::flush(self.terminal.backend_mut())?;
        leave_terminal()?;
        signals::stop()?;
        self.enter_again()
    }

    /// Enters the terminal again, whatever a shell has done to it meanwhile.
    pub(super) fn enter_again(&mut self) -> io::Result<()> {
        // The library must read the terminal's state again: if the shell has left raw mode, it cannot be entered while
        // the library believes it is on.
        disable_raw_mode()?;
        enter_terminal(self.mouse)?;
        self.drawn_on = None;
        Ok(())
    }

    /// Removes all pictures.
    fn delete_pictures(&mut self) {
        if let Some(pictures) = &mut self.pictures {
            let bytes = pictures.delete_all();
            let _ = self.terminal.backend_mut().write_all(&bytes);
        }
    }
}

impl Drop for FullScreen {
    fn drop(&mut self) {
        self.delete_pictures();
        let _ = Write::flush(self.terminal.backend_mut());
        let _ = leave_terminal();
    }
}

/// The most columns and rows that are drawn on. A terminal can claim to have 65,535 of each, for which there is no
/// memory; the rest stays empty.
const MAX_SIZE: Size = Size::new(1000, 500);

/// The part of a terminal of this size that is drawn on.
pub(super) fn bounded(size: Size) -> Size {
    let (width, height) = assumed_size(size.into());
    Size::new(width.min(MAX_SIZE.width), height.min(MAX_SIZE.height))
}

/// Checks whether keys can be read, before anything depends on it. Later that would look like the end of the input.
fn can_read_keys() -> io::Result<()> {
    event::poll(Duration::ZERO).map(drop).map_err(|error| {
        // The library hides the system's error. Usually it needs more open files than are available, so none are
        // available here either.
        let files: io::Result<Vec<File>> = (0..8).map(|_| File::open("/dev/null")).collect();
        files.err().unwrap_or(error)
    })
}

/// Enters raw mode and the alternate screen.
fn enter_terminal(mouse: bool) -> io::Result<()> {
    enable_raw_mode()?;
    let mut out = io::stdout();
    let mouse = Print(if mouse { CAPTURE_MOUSE } else { "" });
    let entered = execute!(out, EnterAlternateScreen, EnableBracketedPaste, mouse);
    entered.inspect_err(|_| {
        let _ = leave_terminal();
    })
}

/// Restores the terminal.
fn leave_terminal() -> io::Result<()> {
    let mut out = io::stdout();
    let shown = execute!(
        out,
        EndSynchronizedUpdate,
        Print(RELEASE_MOUSE),
        DisableBracketedPaste,
        LeaveAlternateScreen,
        Show
    );
    // Even if nothing can be written any more, raw mode can be left.
    disable_raw_mode().and(shown)
}
