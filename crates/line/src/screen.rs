//! The output of the line mode: texts and prompts, or one JSON object per line.

use std::io::{self, IsTerminal, Write};

use anstream::AutoStream;
use tabiya_front::color::ColorChoice;
use tabiya_front::failure::Failure;
use tabiya_front::json;
use tabiya_front::json::events::{self, Event};
use tabiya_front::output::is_dumb;
use tabiya_front::wording::{Reply, Tone};
use tabiya_rules::text::clean;

use super::game::Prompt;

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
enum PromptStyle {
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
    prompt_style: PromptStyle,
}

impl Screen {
    pub(crate) fn new(form: Form, color: ColorChoice) -> Screen {
        let prompt_style = match (io::stdout().is_terminal(), io::stdin().is_terminal()) {
            (false, _) => PromptStyle::Line,
            (true, false) => PromptStyle::Silent,
            (true, true) if form == Form::Text && !is_dumb() => PromptStyle::Editor,
            (true, true) => PromptStyle::Open,
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
            prompt_style,
        }
    }

    /// Whether stdin and stdout are a terminal, so that a line editor is useful.
    pub(crate) fn wants_editor(&self) -> bool {
        self.prompt_style == PromptStyle::Editor
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
    pub(crate) fn prompt_text(&self, prompt: &Prompt) -> String {
        let board = self.board(prompt.board.as_deref());
        let text = &prompt.text;
        match (self.form, &prompt.menu, self.prompt_style) {
            (Form::Json, ..) => format!("{}\n", json::line(&Event::Turn(prompt.turn.clone()))),
            (Form::Text, Some(menu), _) => format!("{board}{}\n", menu.join("\n")),
            (Form::Text, None, PromptStyle::Line) => format!("{board}{text}\n"),
            (Form::Text, None, PromptStyle::Open | PromptStyle::Silent) => format!("{board}{text}"),
            (Form::Text, None, PromptStyle::Editor) => board,
        }
    }

    /// A prompt without a board, up to where the player types. Programs get none.
    pub(crate) fn prompt_without_board(&self, prompt: &str) -> String {
        match (self.form, self.prompt_style) {
            (Form::Json, _) | (Form::Text, PromptStyle::Editor) => String::new(),
            (Form::Text, PromptStyle::Line) => format!("{prompt}\n"),
            (Form::Text, PromptStyle::Open | PromptStyle::Silent) => prompt.to_owned(),
        }
    }

    /// Whether boards are shown without being asked for: a person sees them.
    pub(crate) fn shows_boards(&self) -> bool {
        self.is_text()
            && matches!(self.prompt_style, PromptStyle::Editor | PromptStyle::Open)
            && !is_dumb()
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
        let has_reader = matches!(self.prompt_style, PromptStyle::Editor | PromptStyle::Open);
        (self.is_text() && has_reader)
            .then_some("Type a move such as e4 or Nf3. help lists everything else, quit leaves.")
    }

    /// Prints a text.
    pub(crate) fn print(&mut self, text: &str) -> Result<(), Failure> {
        self.out.write_all(text.as_bytes())?;
        Ok(self.out.flush()?)
    }

    /// Ends the line of the prompt if the user did not.
    pub(crate) fn end_prompt_line(&mut self) -> Result<(), Failure> {
        if self.prompt_style == PromptStyle::Silent && self.form == Form::Text {
            writeln!(self.out)?;
        }
        Ok(())
    }

    pub(crate) fn finish(&mut self) -> Result<(), Failure> {
        Ok(self.out.flush()?)
    }
}
