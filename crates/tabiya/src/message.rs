//! What comes into the full screen, and what it asks to be done outside.

use std::path::PathBuf;

use ratatui::crossterm::event::{KeyEvent, MouseEvent};
use ratatui::layout::Size;
use tabiya_game::Record;
use tabiya_play::contest::{ByEntrant, Event};
use tabiya_play::opponents::{EngineEvent, EngineOrder, Seat};
use tabiya_play::study::{Studied, StudyTask};
use tabiya_store::{Autosave, Game, Listed, Remark, SaveName, Summary};
use tabiya_uci::{OptionDeclaration, OptionValue};

use crate::game_file::{Batch, Extent, Opened};
use crate::key_map::Shortcut;
use crate::matches::{Export, MatchOrder, Pacing};

/// An option of an engine, and what the user's file has for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct EngineOption {
    pub(crate) declared: OptionDeclaration,
    /// `None` leaves it as the engine has it.
    pub(crate) value: Option<OptionValue>,
}

/// What lies under the mouse. The view says so, by the geometry that it draws by, so that the state need not ask it.
#[derive(Clone, Debug)]
pub(crate) enum Under {
    /// Nothing that can be clicked, except perhaps the board and the list of moves.
    Nothing,
    /// A key that is named at the edge of what is shown.
    Key(KeyEvent),
    /// A hint in the last line of the board's screen.
    Hint(Pressed),
    /// The screen beside what lies over it.
    Beside,
    /// A line of a list: an answer, an offer, a setting, a save, a game.
    Row(usize),
    /// A line of the form for a new game, and where in it.
    Field(usize, Part),
    /// A game of a match, by its number.
    Game(u32),
    /// The words that lead back from looking around.
    WayBack,
    /// A move of the live list.
    Candidate(String),
}

/// What a click on a hint is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Pressed {
    Shortcut(&'static Shortcut),
    Key(KeyEvent),
}

/// Where in a line of the form the mouse is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// The sign before the value.
    Back,
    /// The sign behind it.
    Forward,
    Elsewhere,
}

/// What there is to know about a file that is in the place of another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Existing {
    /// How many games it holds; none where it holds something else.
    pub(crate) games: usize,
    /// Whether the game to be written comes from it.
    pub(crate) is_source: bool,
}

/// Something that happened outside.
#[derive(Clone, Debug)]
pub(crate) enum Message {
    Key(KeyEvent),
    Mouse(MouseEvent, Under),
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
    /// What an engine tells about the game that it judges.
    Studied(Studied),
    /// A match began, between players of these names over so many games, or why it could not.
    MatchStarted(Result<(ByEntrant<String>, u32), String>),
    /// Something happened in the match.
    Match(Box<Event>),
    /// Where a game of it begins in its file, or why it is not in it.
    MatchKept {
        game: u32,
        at: Result<u64, String>,
    },
    /// The file of the match, or why the last games are not in it.
    MatchFile(Result<PathBuf, String>),
    /// A game of the match that was read again, or why it cannot be.
    MatchGame(u32, Result<Box<Record>, String>),
    /// The files whose names go on as a line of the palette does.
    Files {
        line: String,
        found: Vec<String>,
    },
    /// There is a file in the place of the one that was to be written.
    Exists {
        path: PathBuf,
        text: String,
        about: Existing,
    },
    /// A game was put back into its file, where it is now, or why it was not.
    PutBack(Result<(String, Extent), String>),
    /// How the writing of a file went, in a sentence.
    Written(Result<String, String>),
    /// Which options an engine has, or why it cannot be asked.
    EngineAsked {
        name: String,
        answer: Result<Vec<EngineOption>, String>,
    },
    /// An engine told something.
    EngineEvent(Seat, EngineEvent),
    /// Something is to be said about keeping the game.
    Kept(Remark),
    /// Whether the game that is played is in no save as it stands, because nobody wants it kept.
    Unsaved(bool),
    /// A review that a signal or worse has cut off before its changes were in a file.
    ReviewFound(SaveName, Box<Summary>),
    /// Such a review, to be gone on with, or why it cannot be.
    ReviewOpened(Result<Box<Record>, String>),
    /// Something else about what is kept that the player should know.
    Warning(String),
    /// Whether there is a game to be resumed.
    CanResume(bool),
    /// A save to be played on, or why it cannot be.
    Resumed(Result<Box<Game>, String>),
    /// A save to be looked at, or why it cannot be.
    SaveRead(SaveName, Result<Box<Record>, String>),
    /// The saved games, or why they cannot be listed.
    Saves(Result<Vec<Listed>, String>),
    /// The names of the saved games, to complete a line of the palette with.
    SaveNames {
        line: String,
        names: Vec<String>,
    },
    /// What there is to say about a save; nothing if it is no longer there.
    Peeked(SaveName, Option<Box<Result<Summary, String>>>),
    /// Whether a save can be deleted, or why not.
    CanDelete(SaveName, Result<(), String>),
    /// Whether a save was deleted.
    Deleted(SaveName, Result<String, String>),
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
        /// The file that the game comes from.
        source: Option<PathBuf>,
    },
    /// Write a game in the place of the one that was read from a file, and tell how it went.
    PutBack {
        path: PathBuf,
        extent: Extent,
        text: String,
    },
    /// Write a text in the place of a file, and tell how it went.
    Replace {
        path: PathBuf,
        text: String,
    },
    /// Look for the files whose names go on as a line of the palette does.
    NameFiles(String),
    /// Write a setting into the user's file, and tell how it went.
    Settle {
        key: &'static str,
        value: String,
    },
    /// Start an engine and ask it for its options.
    AskEngine(String),
    /// Write an option of an engine into the user's file, or take it out, and tell how it went.
    SetEngineOption {
        engine: String,
        option: String,
        value: Option<OptionValue>,
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
    StartMatch(Box<MatchOrder>),
    /// Let its moves come in another way.
    PaceMatch(Pacing),
    StopMatch,
    /// Keep games of the match that did not come to an end, by their numbers, and tell where they are.
    KeepMatch(Vec<(u32, Record)>),
    /// Read games of the match again, by their numbers and places.
    ReadMatch(Vec<(u32, u64)>),
    /// Write the match to a new file, and tell how it went.
    ExportMatch(Box<Export>),
    /// Have an engine do something.
    Order(EngineOrder),
    /// Bring the game to the disk, before anything is shown.
    Keep(Box<Game>),
    /// Let go of the save that the game has; another game begins.
    Release,
    /// Bring the changes of a review to the disk that no file has yet, before anything is shown.
    KeepReview(Box<Game>),
    /// Forget them: a file has them, or nobody wants them any more.
    DiscardReview,
    /// Open a review that was cut off.
    OpenReview(SaveName),
    /// Move a review that was cut off to the trash.
    DeleteReview(SaveName),
    /// Keep the game under a name from now on, or save it again under the one it has.
    SaveAs {
        name: Option<SaveName>,
        game: Box<Game>,
    },
    /// Keep a game that is not played in the place of a save.
    SaveOver {
        name: SaveName,
        game: Box<Game>,
    },
    /// Keep a game that is not played under a name.
    SaveCopy {
        name: SaveName,
        game: Box<Game>,
    },
    /// Open a save to be played on: the one of a name, or the latest that is not over.
    Resume(Option<SaveName>),
    /// Read a save, to be looked at.
    ReadSave(SaveName),
    /// List the saves.
    ListSaves,
    /// Find the names of the saves, to complete a line of the palette with.
    NameSaves(String),
    /// Look into saves.
    Peek(Vec<SaveName>),
    /// Find out whether a save can be deleted, so that it is asked about.
    AskToDelete(SaveName),
    /// Move a save to the trash.
    Delete(SaveName),
    /// Keep games that have no name, or do not.
    Autosave(Autosave),
    /// Take the mouse, or give it back to the terminal.
    TakeMouse(bool),
    /// Stop until the shell lets the program go on.
    Suspend,
    Leave,
}
