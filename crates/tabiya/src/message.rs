//! What comes into the full screen, and what it asks to be done outside.

use std::path::PathBuf;

use ratatui::crossterm::event::{KeyEvent, MouseEvent};
use ratatui::layout::Size;

use crate::analysis::Verdict;
use crate::app::study::StudyTask;
use crate::app::watch::{MatchWish, Pacing};
use crate::contest::{ByEntrant, Event};
use crate::game_file::{Batch, Opened};
use crate::opponents::{Chair, Order, Told};

/// Something that happened outside.
#[derive(Clone, Debug)]
pub(crate) enum Message {
    Key(KeyEvent),
    Mouse(MouseEvent),
    /// Text that came at once, from a clipboard.
    Paste(String),
    Resize(Size),
    /// Time passed.
    Tick,
    /// More games of the file that is listed.
    Listed {
        number: u64,
        batch: Batch,
    },
    /// There are no more, or they cannot be read.
    ListEnded {
        number: u64,
        how: Result<(), String>,
    },
    /// A game of a file, by its number in it, or why it cannot be read.
    Opened {
        number: usize,
        game: Result<Box<Opened>, String>,
    },
    /// What an engine thinks of a position of the game that it judges.
    Studied {
        number: u64,
        at: usize,
        found: Verdict,
    },
    /// It has judged all of them, or cannot go on.
    StudyEnded {
        number: u64,
        how: Result<(), String>,
    },
    /// A match began, between players of these names over so many games, or why it could not.
    MatchStarted(Result<(ByEntrant<String>, u32), String>),
    /// Something happened in the match.
    Match(Box<Event>),
    /// How the writing of a file went, in a sentence.
    Written(Result<String, String>),
    /// An engine told something.
    Told(Chair, Told),
}

/// Something to be done outside, by the runtime.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// Put a text on the clipboard.
    Copy(String),
    /// Write a game to a new file, and tell how it went.
    Write {
        path: PathBuf,
        text: String,
    },
    /// Write a setting into the user's file, and tell how it went.
    Settle {
        key: &'static str,
        value: String,
    },
    /// List the games of a file, and stop listing any other.
    List {
        path: PathBuf,
        number: u64,
    },
    /// Read the game that begins at a place of a file.
    OpenGame {
        path: PathBuf,
        offset: u64,
        number: usize,
    },
    /// Let an engine judge positions, and no others.
    Study(Box<StudyTask>),
    /// Start a match, and stop any other.
    StartMatch(Box<MatchWish>),
    /// Let its moves come in another way.
    PaceMatch(Pacing),
    StopMatch,
    /// Have an engine do something.
    Order(Order),
    /// Take the mouse, or give it back to the terminal.
    TakeMouse(bool),
    /// Stop until the shell lets the program go on.
    Suspend,
    Leave,
}
