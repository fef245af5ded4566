//! The output of the line mode: texts and prompts, or one JSON object per line.

use std::io::{self, IsTerminal, Write};

use anstream::AutoStream;
use tabiya_front::color::ColorChoice;
use tabiya_front::failure::Failure;
use tabiya_front::json::events::{self, Event};
use tabiya_front::json::{self};
use tabiya_front::output::is_dumb;
use tabiya_front::wording::{Reply, Tone};
use tabiya_rules::text::clean;

use super::game::Ask;

/// The form of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Text for people.
    Text,
    /// One JSON object a line.
    Json,
}

/// Who writes the prompt, and whether the line ends after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Prompt {
    /// Stdout is not a terminal: a script reads the prompt as a line.
    Line,
    /// The terminal shows the typed text after the prompt.
    Open,
    /// Stdout is a terminal, but input from a pipe does not appear on it.
    Silent,
    /// A line editor writes it.
    Editor,
}

pub(crate) struct Screen {
    out: AutoStream<io::Stdout>,
    form: Form,
    prompt: Prompt,
}

impl Screen {
    pub(crate) fn new(form: Form, color: ColorChoice) -> Screen {
        let prompt = match (io::stdout().is_terminal(), io::stdin().is_terminal()) {
            (false, _) => Prompt::Line,
            (true, false) => Prompt::Silent,
            (true, true) if form == Form::Text && !is_dumb() => Prompt::Editor,
            (true, true) => Prompt::Open,
        };
        let color = match color {
            ColorChoice::Auto => anstream::ColorChoice::Auto,
            ColorChoice::Never => anstream::ColorChoice::Never,
            // The line mode never uses more than sixteen colors, which all of these have.
            ColorChoice::Always
            | ColorChoice::Sixteen
            | ColorChoice::Indexed
            | ColorChoice::TrueColor => anstream::ColorChoice::Always,
        };
        Screen {
            out: AutoStream::new(io::stdout(), color),
            form,
            prompt,
        }
    }

    /// Whether stdin and stdout are a terminal, so that a line editor is useful.
    pub(crate) fn wants_editor(&self) -> bool {
        self.prompt == Prompt::Editor
    }

    /// The text of a reply. Each line is cleaned here, wherever it comes from.
    pub(crate) fn reply_text(&self, reply: &Reply) -> String {
        match self.form {
            Form::Json => format!("{}\n", json::line(&events::event(reply))),
            Form::Text => {
                // The stream removes these sequences if no colors are wanted.
                let (begin, end) = match reply.tone() {
                    Tone::Plain => ("", ""),
                    Tone::Refusal => ("\x1b[33m", "\x1b[0m"),
                    Tone::Notable | Tone::Try | Tone::Ending => ("\x1b[1m", "\x1b[0m"),
                };
                let lines = reply.lines().into_iter();
                lines
                    .map(|line| format!("{begin}{}{end}\n", clean(&line)))
                    .collect()
            }
        }
    }

    /// The prompt, up to where the player types.
    pub(crate) fn prompt_text(&self, ask: &Ask) -> String {
        let board = self.board(ask.board.as_deref());
        let prompt = &ask.prompt;
        match (self.form, &ask.menu, self.prompt) {
            (Form::Json, ..) => format!("{}\n", json::line(&Event::Turn(ask.turn.clone()))),
            (Form::Text, Some(menu), _) => format!("{board}{}\n", menu.join("\n")),
            (Form::Text, None, Prompt::Line) => format!("{board}{prompt}\n"),
            (Form::Text, None, Prompt::Open | Prompt::Silent) => format!("{board}{prompt}"),
            (Form::Text, None, Prompt::Editor) => board,
        }
    }

    /// A prompt alone, up to where the player types. Programs get none.
    pub(crate) fn bare_prompt(&self, prompt: &str) -> String {
        match (self.form, self.prompt) {
            (Form::Json, _) | (Form::Text, Prompt::Editor) => String::new(),
            (Form::Text, Prompt::Line) => format!("{prompt}\n"),
            (Form::Text, Prompt::Open | Prompt::Silent) => prompt.to_owned(),
        }
    }

    /// Whether boards are shown without being asked for: a person sees them.
    pub(crate) fn shows_boards(&self) -> bool {
        self.is_text() && matches!(self.prompt, Prompt::Editor | Prompt::Open) && !is_dumb()
    }

    /// Whether the output is for people.
    pub(crate) fn is_text(&self) -> bool {
        self.form == Form::Text
    }

    /// A board below a blank line, only for people.
    pub(crate) fn board(&self, board: Option<&str>) -> String {
        match (self.form, board) {
            (Form::Text, Some(board)) => format!("\n{board}"),
            (Form::Json, _) | (Form::Text, None) => String::new(),
        }
    }

    /// The greeting for a person at a terminal.
    pub(crate) fn greeting(&self) -> Option<&'static str> {
        let person = matches!(self.prompt, Prompt::Editor | Prompt::Open);
        let greets = person && self.form == Form::Text;
        greets.then_some("Type a move such as e4 or Nf3. help lists everything else, quit leaves.")
    }

    /// Prints a text.
    pub(crate) fn print(&mut self, text: &str) -> Result<(), Failure> {
        self.out.write_all(text.as_bytes())?;
        Ok(self.out.flush()?)
    }

    /// Ends the line of the prompt if the user did not.
    pub(crate) fn end_prompt_line(&mut self) -> Result<(), Failure> {
        if self.prompt == Prompt::Silent && self.form == Form::Text {
            writeln!(self.out)?;
        }
        Ok(())
    }

    pub(crate) fn finish(&mut self) -> Result<(), Failure> {
        Ok(self.out.flush()?)
    }
}
