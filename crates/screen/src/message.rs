//! Messages to the full screen, and the effects it requests.

use std::fmt;
use std::path::PathBuf;

use crossterm::event::{KeyEvent, MouseEvent};
use ratatui_core::layout::Size;
use tabiya_front::config::file::{ConfigError, NoEngine};
use tabiya_front::explorer::{ExplorerError, ExplorerQuery, Found, GameSource};
use tabiya_front::game_file::{Batch, Extent, GameFileError, Opened};
use tabiya_front::key_map::Shortcut;
use tabiya_front::matches::{Export, MatchError, MatchOrder, Pacing};
use tabiya_front::training::mining::MiningEvent;
use tabiya_front::training::{Learner, TrainingError};
use tabiya_game::{NodeId, Record};
use tabiya_play::contest::{ByEntrant, Event};
use tabiya_play::opponents::{EngineEvent, EngineOrder, Seat};
use tabiya_play::remote::ServerEvent;
use tabiya_play::request::ServerRequest;
use tabiya_play::study::{StudyReport, StudyTask};
use tabiya_rules::{Move, Position};
use tabiya_store::disk::FileError;
use tabiya_store::paths::NoHomeFolder;
use tabiya_store::text_file::Written;
use tabiya_store::{
    Autosave, SaveEntry, SaveError, SaveName, SaveNotice, Saved, SavedGame, Summary, Trashed,
};
use tabiya_train::day::Moment;
use tabiya_train::log::Entry;
use tabiya_train::record::RecordError;
use tabiya_train::trainer::{Options, Trainer};
use tabiya_uci::{EngineError, OptionDeclaration, OptionValue};
use thiserror::Error;

/// An engine's option, and its value in the user's file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct EngineOption {
    pub(crate) declared: OptionDeclaration,
    /// `None` for the engine's default.
    pub(crate) value: Option<OptionValue>,
}

/// Something on the screen that can be clicked. Drawing registers it, so that the state need not know where it is.
#[derive(Clone, Debug)]
pub(crate) enum Hit {
    /// The inside of a frame, which hides what is below.
    Frame,
    /// The name of a key at the edge, or something else that a key stands for.
    Key(KeyEvent),
    /// A hint in the last line of the game screen.
    Shortcut(&'static Shortcut),
    /// A line of a list: an answer, a suggestion, a setting, a save, a game.
    Row(usize),
    /// A line of the form for a new game, and whether its arrow forward or back was hit, if any.
    Field(usize, Option<bool>),
    /// A game of a match, by its number.
    Game(u32),
    /// The text that leads back to the current position.
    WayBack,
    /// A move of the list of candidates.
    Candidate(Move),
    /// A move of the list beside the board.
    Move(NodeId),
    /// A line of the explorer by its index, or everything else there.
    Explorer(Option<(ExplorerList, usize)>),
}

/// A list of the explorer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ExplorerList {
    Moves,
    Games,
}

/// What is known about an existing file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Existing {
    /// The number of its games; 0 if it is something else.
    pub(crate) games: usize,
    /// Whether the game to be written comes from it.
    pub(crate) is_source: bool,
}

/// Something that was done, for the message about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Done {
    Saved(Saved),
    Trashed(Trashed),
    Written(Written),
    Set(SettingChange),
    EngineOption(OptionChange),
}

/// A setting, and the value it gets in the user's file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SettingChange {
    pub(crate) key: &'static str,
    pub(crate) value: String,
}

/// An option of an engine, and the value it gets in the user's file; `None` removes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OptionChange {
    pub(crate) engine: String,
    pub(crate) option: String,
    pub(crate) value: Option<OptionValue>,
}

impl fmt::Display for Done {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Done::Saved(saved) => saved.fmt(f),
            Done::Trashed(trashed) => trashed.fmt(f),
            Done::Written(written) => written.fmt(f),
            Done::Set(SettingChange { key, value }) => {
                write!(f, "{key} is {value} from now on.")
            }
            Done::EngineOption(change) => {
                write!(f, "{}: {} is ", change.engine, change.option)?;
                match &change.value {
                    Some(OptionValue::Button) => write!(f, "pressed at every start."),
                    Some(value) => write!(f, "{value} from its next start on."),
                    None => write!(f, "left to the engine from its next start on."),
                }
            }
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
    #[error(transparent)]
    NoHomeFolder(#[from] NoHomeFolder),
    #[error(transparent)]
    NoEngine(#[from] NoEngine),
    #[error(transparent)]
    Engine(#[from] EngineError),
    #[error("There is no file of this match.")]
    NoMatchFile,
    #[error("There is no game to save yet.")]
    NothingToSave,
    #[error("There is no game {0} in this list.")]
    NotListed(u32),
}

/// A message from outside.
#[derive(Clone, Debug)]
pub(crate) enum Message {
    Input(Input),
    /// Time has passed.
    Tick,
    File(FileMessage),
    Engine(EngineMessage),
    Match(MatchMessage),
    Store(StoreMessage),
    Explorer(ExplorerMessage),
    Train(TrainMessage),
    /// An event of the game's server.
    Server(ServerEvent),
    /// The result of writing a file or a save.
    Written {
        contents: Contents,
        result: Result<Done, NotDone>,
    },
}

impl Message {
    /// Reports the result of writing a file or a save.
    pub(crate) fn written(
        contents: Contents,
        result: Result<impl Into<Done>, impl Into<NotDone>>,
    ) -> Message {
        let result = result.map(Into::into).map_err(Into::into);
        Message::Written { contents, result }
    }
}

/// A text for a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FileText {
    pub(crate) path: PathBuf,
    pub(crate) text: String,
    pub(crate) contents: Contents,
}

/// What is in a file or a save that is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Contents {
    /// The game being played, in a save of its own.
    Game,
    /// Everything in the review.
    Review,
    /// The games of the match.
    Match,
    /// Anything else, such as a setting or a picture.
    Other,
}

/// Input from the terminal.
#[derive(Clone, Debug)]
pub(crate) enum Input {
    Key(KeyEvent),
    /// A mouse event, and what was drawn under it.
    Mouse(MouseEvent, Option<Hit>),
    /// Text pasted from a clipboard.
    Paste(String),
    Resize(Size),
}

/// A message about files of games and other texts.
#[derive(Clone, Debug)]
pub(crate) enum FileMessage {
    /// More games of the listed file.
    Listed { number: u64, batch: Batch },
    /// The end of the list, or why it ended early.
    ListEnded {
        number: u64,
        how: Result<(), GameFileError>,
    },
    /// A game of a file, by its number, or why it cannot be read.
    Opened {
        number: usize,
        game: Result<Box<Opened>, GameFileError>,
    },
    /// The file names that complete a line of the command palette.
    FileNames { line: String, found: Vec<String> },
    /// A file of the requested name already exists.
    Exists { file: FileText, about: Existing },
    /// A game was written back into its file, and where it is now, or why it was not.
    PutBack(Result<(Written, Extent), GameFileError>),
}

/// A message from an engine.
#[derive(Clone, Debug)]
pub(crate) enum EngineMessage {
    /// An event of a player or of the adviser.
    Event(Seat, EngineEvent),
    /// An event of the engine that judges a game.
    Studied(StudyReport),
    /// The options of an engine, or why it cannot be asked.
    Asked {
        name: String,
        answer: Result<Vec<EngineOption>, NotDone>,
    },
}

/// A message about the watched match.
#[derive(Clone, Debug)]
pub(crate) enum MatchMessage {
    /// It started, with the names of the players and the number of games, or why it could not.
    Started(Result<(ByEntrant<String>, u32), MatchError>),
    /// An event of the match.
    Event(Box<Event>),
    /// The offset of a game in the file, or why it is not there.
    Stored { game: u32, at: Result<u64, NotDone> },
    /// The file of the match, or why the last games are not in it.
    File(Result<PathBuf, NotDone>),
    /// A game that was read again, or why it cannot be.
    Game(u32, Result<Box<Record>, NotDone>),
}

/// A message from a database.
#[derive(Clone, Debug)]
pub(crate) enum ExplorerMessage {
    /// The answer to the query of this number.
    Found {
        number: u64,
        found: Result<Box<Found>, ExplorerError>,
    },
    /// A game to review from this position on.
    Game {
        position: Box<Position>,
        game: Result<Box<Record>, ExplorerError>,
    },
}

/// A message about training.
#[derive(Clone, Debug)]
pub(crate) enum TrainMessage {
    /// How many exercises the day still has; `None` if there are neither exercises nor games to find some in.
    Due(Option<usize>),
    /// The record is open, or why it is not.
    Opened(Result<Box<OpenTraining>, TrainingError>),
    /// Whether the last entries are on the disk.
    Stored(Result<(), RecordError>),
    /// The engine has judged something.
    Judged(StudyReport),
    /// How far the search for exercises is, and what it found.
    Mining(MiningEvent),
}

/// A record that was opened for a session.
#[derive(Clone, Debug)]
pub(crate) struct OpenTraining {
    pub(crate) trainer: Trainer,
    /// What the player should know.
    pub(crate) notices: Vec<String>,
    /// When it was opened.
    pub(crate) at: Moment,
    /// Whether games are being searched for exercises.
    pub(crate) mines: bool,
}

/// A message about saves.
#[derive(Clone, Debug)]
pub(crate) enum StoreMessage {
    /// A message about saving the game.
    Autosaved(SaveNotice),
    /// Whether no save has the whole game, because autosave is off.
    UnsavedGame(bool),
    /// A review that was interrupted before its changes were in a file.
    ReviewFound(SaveName, Box<Summary>),
    /// Such a review, to be continued, or why it cannot be.
    ReviewOpened(Result<Box<Record>, SaveError>),
    /// Another message about saving that the player should know.
    Warning(String),
    /// Whether there is a game to resume.
    CanResume(Resumable),
    /// A save to resume, or why it cannot be.
    Resumed(Result<Box<SavedGame>, SaveError>),
    /// A save to review, or why it cannot be.
    Read(SaveName, Result<Box<SavedGame>, SaveError>),
    /// The saved games, or why they cannot be listed.
    Listed(Result<Vec<SaveEntry>, SaveError>),
    /// The names of the saved games, to complete a line of the command palette.
    SaveNames { line: String, names: Vec<String> },
    /// The list entry of a save; `None` if it no longer exists.
    Peeked(SaveName, Option<Box<Result<Summary, SaveError>>>),
    /// Whether a save can be deleted, or why not.
    CanDelete(SaveName, Result<(), SaveError>),
    /// Whether a save was deleted.
    Deleted(SaveName, Result<Trashed, SaveError>),
}

/// Whether there is a game to resume.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Resumable {
    #[default]
    Nowhere,
    Here,
    /// Another program has it open.
    Elsewhere,
}

/// An effect for the runtime to perform.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Effect {
    Save(SaveEffect),
    Store(StoreEffect),
    File(FileEffect),
    Engine(EngineEffect),
    Match(MatchEffect),
    Explorer(ExplorerEffect),
    Train(TrainEffect),
    /// Send a request to the game's server, with the current ply.
    Server(ServerRequest, u32),
    /// Copy a text to the clipboard.
    Copy(String),
    /// Ring the terminal's bell.
    Ring,
    /// Capture the mouse, or leave it to the terminal.
    CaptureMouse(bool),
    /// Stop until the shell continues the program.
    Suspend,
    Leave,
}

/// An effect that must be on disk before anything is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum SaveEffect {
    /// Save the game.
    Autosave(Box<SavedGame>),
    /// Save the time that the side to move has used.
    SaveClock(Box<SavedGame>),
    /// Close the game's save, because another game begins.
    Release,
    /// Save the changes of a review that no file has yet.
    AutosaveReview(Box<SavedGame>),
    /// Discard them: a file has them, or the user does not want them.
    DiscardReview,
}

/// Other effects on saves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum StoreEffect {
    /// Open an interrupted review.
    OpenReview(SaveName),
    /// Move an interrupted review to the trash.
    DeleteReview(SaveName),
    /// Save the game under a name from now on, or again under its current one.
    SaveAs {
        name: Option<SaveName>,
        game: Box<SavedGame>,
    },
    /// Replace a save with the reviewed game.
    SaveOver {
        name: SaveName,
        game: Box<SavedGame>,
    },
    /// Save the reviewed game under a name.
    SaveCopy {
        name: SaveName,
        game: Box<SavedGame>,
    },
    /// Open a save to resume: the one of a name, or the latest that is not over.
    Resume(Option<SaveName>),
    /// Read a save for a review.
    Read(SaveName),
    /// List the saves.
    List,
    /// Find the names of the saves, to complete a line of the command palette.
    CompleteSaveName(String),
    /// Read the list entries of saves.
    Peek(Vec<SaveName>),
    /// Check whether a save can be deleted, before the question.
    AskToDelete(SaveName),
    /// Move a save to the trash.
    Delete(SaveName),
    /// Turn saving of games without a name on or off.
    SetAutosave(Autosave),
}

/// An effect on files of games and other texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FileEffect {
    /// Write a game to a new file, and report the result.
    Write {
        file: FileText,
        /// The file that the game comes from.
        source: Option<PathBuf>,
    },
    /// Replace the reviewed game in its file, and report the result.
    PutBack {
        path: PathBuf,
        extent: Extent,
        text: String,
    },
    /// Replace a file with a text, and report the result.
    Replace(FileText),
    /// Find file names that complete a line of the command palette.
    CompleteFileName(String),
    /// Write a setting into the user's file, and report the result.
    WriteSetting(SettingChange),
    /// Write a choice into the user's file, and report only a failure.
    Remember(SettingChange),
    /// List the games of a file, and stop listing any other.
    List { path: PathBuf, number: u64 },
    /// Read the game at an offset of a file.
    Open {
        path: PathBuf,
        offset: u64,
        number: usize,
    },
}

/// An effect on engines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum EngineEffect {
    /// Carry out an order.
    Order(EngineOrder),
    /// Have an engine judge positions. It replaces the current task.
    Study(Box<StudyTask>),
    /// Start an engine and ask for its options.
    Ask(String),
    /// Write an option of an engine into the user's file, or remove it, and report the result.
    SetOption(OptionChange),
}

/// A query of a database. Nobody waits for the answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ExplorerEffect {
    /// Query what was played in a position. It replaces a pending query.
    Ask {
        number: u64,
        query: Box<ExplorerQuery>,
    },
    /// Read a game by its number, to review it from a position on.
    Open {
        source: GameSource,
        id: u64,
        position: Box<Position>,
    },
}

/// An effect on the record of the training.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum TrainEffect {
    /// Open it for a session.
    Open(Learner, Options),
    /// Store entries before anything that follows from them is shown.
    Store(Vec<Entry>),
    /// Have the built-in engine judge positions.
    Judge(Box<StudyTask>),
    /// Close it, and count what is left of the day.
    Close(Learner),
}

/// An effect on the watched match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum MatchEffect {
    /// Start a match, and stop any other.
    Start(Box<MatchOrder>),
    /// Change its pace.
    Pace(Pacing),
    Stop,
    /// Store unfinished games in the file of the match, by their numbers, and report where they are.
    Store(Vec<(u32, Record)>),
    /// Read games of the match again, by their numbers and offsets.
    Read(Vec<(u32, u64)>),
    /// Write the match to a new file, and report the result.
    Export(Box<Export>),
}

/// Converts the nested types.
macro_rules! nested {
    ($whole:ident: $($part:ident($inner:ty)),*) => {
        $(impl From<$inner> for $whole {
            fn from(inner: $inner) -> $whole {
                $whole::$part(inner)
            }
        })*
    };
}

nested!(Message: Input(Input), File(FileMessage), Engine(EngineMessage), Match(MatchMessage), Store(StoreMessage), Explorer(ExplorerMessage), Train(TrainMessage), Server(ServerEvent));
nested!(Done: Saved(Saved), Trashed(Trashed), Written(Written), Set(SettingChange), EngineOption(OptionChange));
nested!(Effect: Save(SaveEffect), Store(StoreEffect), File(FileEffect), Engine(EngineEffect), Match(MatchEffect), Explorer(ExplorerEffect), Train(TrainEffect));

/// The one writer of effects: whatever must be on disk before anything is shown comes first, in whatever order effects
/// are pushed.
#[derive(Debug, Default)]
pub(crate) struct Effects(Vec<Effect>);

impl Effects {
    /// Adds an effect. A save replaces an earlier one of the same game.
    pub(crate) fn push(&mut self, effect: impl Into<Effect>) {
        let effect = effect.into();
        if let Effect::Save(save) = &effect {
            self.drop_earlier(save);
        }
        self.0.push(effect);
    }

    /// Drops the saves that a later one replaces: each holds the whole game.
    fn drop_earlier(&mut self, save: &SaveEffect) {
        match save {
            SaveEffect::Autosave(_) => {
                let is_end = |effect: &Effect| *effect == Effect::Save(SaveEffect::Release);
                let begin = self.0.iter().rposition(is_end).map_or(0, |end| end + 1);
                let is_state =
                    |effect: &mut Effect| matches!(effect, Effect::Save(SaveEffect::Autosave(_)));
                self.0.extract_if(begin.., is_state).for_each(drop);
            }
            SaveEffect::AutosaveReview(_) | SaveEffect::DiscardReview => {
                let is_state =
                    |effect: &Effect| matches!(effect, Effect::Save(SaveEffect::AutosaveReview(_)));
                self.0.retain(|effect| !is_state(effect));
            }
            SaveEffect::SaveClock(_) | SaveEffect::Release => {}
        }
    }

    /// Takes all effects, in the order in which they must be performed.
    pub(crate) fn take(&mut self) -> Vec<Effect> {
        let mut effects = std::mem::take(&mut self.0);
        effects.sort_by_key(|effect| {
            !matches!(
                effect,
                Effect::Save(_) | Effect::Train(TrainEffect::Store(_))
            )
        });
        effects
    }
}
