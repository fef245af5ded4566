//! What comes into the full screen, and what it asks to be done outside.

use std::fmt;
use std::path::PathBuf;

use ratatui::crossterm::event::{KeyEvent, MouseEvent};
use ratatui::layout::Size;
use tabiya_game::{NodeId, Record};
use tabiya_play::contest::{ByEntrant, Event};
use tabiya_play::opponents::{EngineEvent, EngineOrder, Seat};
use tabiya_play::remote::ServerEvent;
use tabiya_play::request::ServerRequest;
use tabiya_play::study::{Studied, StudyTask};
use tabiya_rules::Position;
use tabiya_store::disk::FileError;
use tabiya_store::folders::NoHomeFolder;
use tabiya_store::text_file::Written;
use tabiya_store::{Autosave, Game, Listed, Remark, SaveError, SaveName, Saved, Summary, Trashed};
use tabiya_uci::{EngineError, OptionDeclaration, OptionValue};
use thiserror::Error;

use crate::config::file::ConfigError;
use crate::explorer::{Base, ExplorerError, Found, Question};
use crate::game_file::{Batch, Extent, GameFileError, Opened};
use crate::key_map::Shortcut;
use crate::matches::{Export, MatchError, MatchOrder, Pacing};

/// An option of an engine, and what the user's file has for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct EngineOption {
    pub(crate) declared: OptionDeclaration,
    /// `None` leaves it as the engine has it.
    pub(crate) value: Option<OptionValue>,
}

/// Something on the screen that can be clicked. The drawing names it, so that the state need not know where it is.
#[derive(Clone, Debug)]
pub(crate) enum Hit {
    /// Nothing, though something may lie below.
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
    /// A move of the list beside the board.
    Move(NodeId),
    /// Something of the explorer.
    Explorer(ExplorerHit),
}

/// What can be clicked in the explorer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ExplorerHit {
    /// A move, of the position that was shown with it.
    Move(usize),
    /// A game.
    Game(usize),
    /// Everything else.
    Elsewhere,
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

/// What is known about an existing file that is in the way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Existing {
    /// How many games it holds; none where it holds something else.
    pub(crate) games: usize,
    /// Whether the game to be written comes from it.
    pub(crate) is_source: bool,
}

/// Something that was done, to be said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Done {
    Saved(Saved),
    Trashed(Trashed),
    Written(Written),
    Set {
        key: &'static str,
        value: String,
    },
    EngineOption {
        engine: String,
        option: String,
        value: Option<OptionValue>,
    },
}

impl fmt::Display for Done {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Done::Saved(saved) => saved.fmt(f),
            Done::Trashed(trashed) => trashed.fmt(f),
            Done::Written(written) => written.fmt(f),
            Done::Set { key, value } => write!(f, "{key} is {value} from now on."),
            Done::EngineOption {
                engine,
                option,
                value,
            } => match value {
                Some(OptionValue::Button) => {
                    write!(f, "{engine}: {option} is pressed at every start.")
                }
                Some(value) => write!(f, "{engine}: {option} is {value} from its next start on."),
                None => write!(
                    f,
                    "{engine}: {option} is left to the engine from its next start on."
                ),
            },
        }
    }
}

/// Why something was not done.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(crate) enum NotDone {
    #[error(transparent)]
    Save(#[from] SaveError),
    #[error(transparent)]
    File(#[from] FileError),
    #[error(transparent)]
    GameFile(#[from] GameFileError),
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error("There is no game to save yet.")]
    NothingToSave,
    #[error("There is no game {0} in this list.")]
    NotListed(u32),
}

/// Why a game of a match is not in its file, or cannot be read from it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(crate) enum MatchFileError {
    #[error(transparent)]
    NoHomeFolder(#[from] NoHomeFolder),
    #[error(transparent)]
    File(#[from] FileError),
    #[error(transparent)]
    Game(#[from] GameFileError),
    #[error("There is no file of this match.")]
    NoFile,
}

/// Why an engine cannot be asked for its options.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(crate) enum AskError {
    #[error("There is no engine {0} any more.")]
    NoEngine(String),
    #[error(transparent)]
    Engine(#[from] EngineError),
}

impl StoreMessage {
    /// How the saving of a game went.
    pub(crate) fn saved(answer: Result<Saved, SaveError>) -> StoreMessage {
        StoreMessage::Written(answer.map(Done::Saved).map_err(NotDone::from))
    }

    /// How the deleting of a save went that no list shows.
    pub(crate) fn trashed(answer: Result<Trashed, SaveError>) -> StoreMessage {
        StoreMessage::Written(answer.map(Done::Trashed).map_err(NotDone::from))
    }
}

impl FileMessage {
    /// How the writing of a text went.
    pub(crate) fn text_written(answer: Result<Written, FileError>) -> FileMessage {
        FileMessage::Written(answer.map(Done::Written).map_err(NotDone::from))
    }

    /// How the writing of the user's settings went.
    pub(crate) fn setting_written(answer: Result<Done, ConfigError>) -> FileMessage {
        FileMessage::Written(answer.map_err(NotDone::from))
    }
}

/// Something that happened outside.
#[derive(Clone, Debug)]
pub(crate) enum Message {
    Input(Input),
    /// Time passed.
    Tick,
    File(FileMessage),
    Engine(EngineMessage),
    Match(MatchMessage),
    Store(StoreMessage),
    Explorer(ExplorerMessage),
    /// What the server of the game tells.
    Server(ServerEvent),
}

/// What the terminal tells.
#[derive(Clone, Debug)]
pub(crate) enum Input {
    Key(KeyEvent),
    /// The mouse, and what lies under it, as it was drawn.
    Mouse(MouseEvent, Option<Hit>),
    /// Text that came at once, from a clipboard.
    Paste(String),
    Resize(Size),
}

/// What there is to know about files of games and other texts.
#[derive(Clone, Debug)]
pub(crate) enum FileMessage {
    /// More games of the file that is listed.
    Listed { number: u64, batch: Batch },
    /// There are no more, or they cannot be read.
    ListEnded {
        number: u64,
        how: Result<(), GameFileError>,
    },
    /// A game of a file, by its number in it, or why it cannot be read.
    Opened {
        number: usize,
        game: Result<Box<Opened>, GameFileError>,
    },
    /// The file names that complete a line of the palette.
    Named { line: String, found: Vec<String> },
    /// There already is a file of the requested name.
    Exists {
        path: PathBuf,
        text: String,
        about: Existing,
    },
    /// A game was put back into its file, where it is now, or why it was not.
    PutBack(Result<(Written, Extent), GameFileError>),
    /// How the writing of a file went.
    Written(Result<Done, NotDone>),
}

/// What engines tell.
#[derive(Clone, Debug)]
pub(crate) enum EngineMessage {
    /// Something about the game that is played, or advice.
    Event(Seat, EngineEvent),
    /// Something about the game that is judged.
    Studied(Studied),
    /// Which options an engine has, or why it cannot be asked.
    Asked {
        name: String,
        answer: Result<Vec<EngineOption>, AskError>,
    },
}

/// What there is to know about the match that is watched.
#[derive(Clone, Debug)]
pub(crate) enum MatchMessage {
    /// It began, between players of these names over this many games, or why it could not.
    Started(Result<(ByEntrant<String>, u32), MatchError>),
    /// Something happened in it.
    Event(Box<Event>),
    /// Where a game of it begins in its file, or why it is not in it.
    Stored {
        game: u32,
        at: Result<u64, MatchFileError>,
    },
    /// Its file, or why the last games are not in it.
    File(Result<PathBuf, MatchFileError>),
    /// A game that was read again, or why it cannot be.
    Game(u32, Result<Box<Record>, MatchFileError>),
}

/// What databases say.
#[derive(Clone, Debug)]
pub(crate) enum ExplorerMessage {
    /// What was played in the position that was asked about under this number.
    Found {
        number: u64,
        found: Result<Box<Found>, ExplorerError>,
    },
    /// A game, to be looked at from this position on.
    Game {
        position: Box<Position>,
        game: Result<Box<Record>, ExplorerError>,
    },
}

/// What there is to know about saves.
#[derive(Clone, Debug)]
pub(crate) enum StoreMessage {
    /// A message about saving the game.
    Autosaved(Remark),
    /// Whether no save has the game as it stands, because the user does not want it saved.
    Unsaved(bool),
    /// A review that a signal or worse has cut off before its changes were in a file.
    ReviewFound(SaveName, Box<Summary>),
    /// Such a review, to be gone on with, or why it cannot be.
    ReviewOpened(Result<Box<Record>, SaveError>),
    /// How the writing of a save went.
    Written(Result<Done, NotDone>),
    /// Something else about what is kept that the player should know.
    Warning(String),
    /// Whether there is a game to be resumed.
    CanResume(Resumable),
    /// A save to be played on, or why it cannot be.
    Resumed(Result<Box<Game>, SaveError>),
    /// A save to be looked at, or why it cannot be.
    Read(SaveName, Result<Box<Record>, SaveError>),
    /// The saved games, or why they cannot be listed.
    Listed(Result<Vec<Listed>, SaveError>),
    /// The names of the saved games, to complete a line of the palette with.
    Named { line: String, names: Vec<String> },
    /// The list entry of a save; `None` if it no longer exists.
    Peeked(SaveName, Option<Box<Result<Summary, SaveError>>>),
    /// Whether a save can be deleted, or why not.
    CanDelete(SaveName, Result<(), SaveError>),
    /// Whether a save was deleted.
    Deleted(SaveName, Result<Trashed, SaveError>),
}

/// Whether there is a game to be resumed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Resumable {
    #[default]
    Nowhere,
    Here,
    /// Another program has it open.
    Elsewhere,
}

/// Something to be done outside, by the runtime.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    Save(SaveEffect),
    Store(StoreEffect),
    File(FileEffect),
    Engine(EngineEffect),
    Match(MatchEffect),
    Explorer(ExplorerEffect),
    /// Ask the server of the game for something, where it stands at this ply.
    Server(ServerRequest, u32),
    /// Put a text on the clipboard.
    Copy(String),
    /// Ring the terminal's bell.
    Ring,
    /// Take the mouse, or give it back to the terminal.
    TakeMouse(bool),
    /// Stop until the shell continues the program.
    Suspend,
    Leave,
}

/// What must be on the disk before anything is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum SaveEffect {
    /// Bring the game to the disk.
    Autosave(Box<Game>),
    /// Let go of the save that the game has; another game begins.
    Release,
    /// Bring the changes of a review to the disk that no file has yet.
    AutosaveReview(Box<Game>),
    /// Forget them: a file has them, or the user does not want them any more.
    DiscardReview,
}

/// What else is asked about saves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum StoreEffect {
    /// Open a review that was cut off.
    OpenReview(SaveName),
    /// Move a review that was cut off to the trash.
    DeleteReview(SaveName),
    /// Keep the game under a name from now on, or save it again under the one it has.
    SaveAs {
        name: Option<SaveName>,
        game: Box<Game>,
    },
    /// Replace a save by a game that is not being played.
    SaveOver { name: SaveName, game: Box<Game> },
    /// Keep a game that is not played under a name.
    SaveCopy { name: SaveName, game: Box<Game> },
    /// Open a save to be played on: the one of a name, or the latest that is not over.
    Resume(Option<SaveName>),
    /// Read a save, to be looked at.
    Read(SaveName),
    /// List the saves.
    List,
    /// Find the names of the saves, to complete a line of the palette with.
    Name(String),
    /// Look into saves.
    Peek(Vec<SaveName>),
    /// Find out whether a save can be deleted, so that it is asked about.
    AskToDelete(SaveName),
    /// Move a save to the trash.
    Delete(SaveName),
    /// Keep games that have no name, or do not.
    SetAutosave(Autosave),
}

/// What to do with files of games and other texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FileEffect {
    /// Write a game to a new file, and report the result.
    Write {
        path: PathBuf,
        text: String,
        /// The file that the game comes from.
        source: Option<PathBuf>,
    },
    /// Replace a game that was read from a file, and report the result.
    PutBack {
        path: PathBuf,
        extent: Extent,
        text: String,
    },
    /// Replace a file by a text, and report the result.
    Replace { path: PathBuf, text: String },
    /// Look for file names that complete a line of the palette.
    Name(String),
    /// Write a setting into the user's file, and report the result.
    WriteSetting { key: &'static str, value: String },
    /// Write what was chosen beside the settings into the user's file, and tell only if that failed.
    Remember { key: &'static str, value: String },
    /// List the games of a file, and stop listing any other.
    List { path: PathBuf, number: u64 },
    /// Read the game that begins at a place of a file.
    Open {
        path: PathBuf,
        offset: u64,
        number: usize,
    },
}

/// What engines are to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum EngineEffect {
    /// Have an engine do something.
    Order(EngineOrder),
    /// Let an engine judge positions, and no others.
    Study(Box<StudyTask>),
    /// Start an engine and ask it for its options.
    Ask(String),
    /// Write an option of an engine into the user's file, or remove it, and report the result.
    SetOption {
        engine: String,
        option: String,
        value: Option<OptionValue>,
    },
}

/// What databases are asked for. Nobody waits for the answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ExplorerEffect {
    /// What was played in a position. An answer that was not given yet is no longer wanted.
    Ask {
        number: u64,
        question: Box<Question>,
    },
    /// A game by its number in the tables, to be looked at from a position on.
    Open {
        base: Base,
        id: u64,
        position: Box<Position>,
    },
}

/// What is to become of the match that is watched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum MatchEffect {
    /// Start a match, and stop any other.
    Start(Box<MatchOrder>),
    /// Let its moves come in another way.
    Pace(Pacing),
    Stop,
    /// Save games of the match that did not finish, by their numbers, and report where they are.
    Store(Vec<(u32, Record)>),
    /// Read games of the match again, by their numbers and places.
    Read(Vec<(u32, u64)>),
    /// Write the match to a new file, and report the result.
    Export(Box<Export>),
}

/// Lets what is nested be handed on as the whole.
macro_rules! nested {
    ($whole:ident: $($part:ident($inner:ty)),*) => {
        $(impl From<$inner> for $whole {
            fn from(inner: $inner) -> $whole {
                $whole::$part(inner)
            }
        })*
    };
}

nested!(Message: Input(Input), File(FileMessage), Engine(EngineMessage), Match(MatchMessage), Store(StoreMessage), Explorer(ExplorerMessage), Server(ServerEvent));
nested!(Effect: Save(SaveEffect), Store(StoreEffect), File(FileEffect), Engine(EngineEffect), Match(MatchEffect), Explorer(ExplorerEffect));

/// The one writer of effects: what must be on disk before anything is shown comes first, in whatever order effects are
/// pushed.
#[derive(Debug, Default)]
pub(crate) struct Effects {
    saves: Vec<SaveEffect>,
    others: Vec<Effect>,
}

impl Effects {
    pub(crate) fn push(&mut self, effect: impl Into<Effect>) {
        match effect.into() {
            Effect::Save(save) => self.push_save(save),
            other @ (Effect::Store(_)
            | Effect::File(_)
            | Effect::Engine(_)
            | Effect::Match(_)
            | Effect::Explorer(_)
            | Effect::Server(..)
            | Effect::Copy(_)
            | Effect::Ring
            | Effect::TakeMouse(_)
            | Effect::Suspend
            | Effect::Leave) => self.others.push(other),
        }
    }

    /// Of several states of a review, the last has everything.
    fn push_save(&mut self, save: SaveEffect) {
        if let SaveEffect::AutosaveReview(_) | SaveEffect::DiscardReview = save {
            self.saves
                .retain(|before| !matches!(before, SaveEffect::AutosaveReview(_)));
        }
        self.saves.push(save);
    }

    /// Takes all effects, in the order in which they must be performed.
    pub(crate) fn take(&mut self) -> Vec<Effect> {
        let saves = std::mem::take(&mut self.saves).into_iter();
        let others = std::mem::take(&mut self.others);
        saves.map(Effect::Save).chain(others).collect()
    }
}
