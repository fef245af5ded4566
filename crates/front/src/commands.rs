//! The command table, and the parsing of typed lines.
//!
//! The line mode, its help and its completions all come from [`COMMANDS`]; everything else that takes commands uses it
//! too, so that a command exists everywhere or nowhere. A line whose first word is not a command is a move.

mod read;
pub mod suggest;
mod table;

use std::borrow::Cow;
use std::path::PathBuf;

use tabiya_game::{DrawPolicy, MoveInput, TimeControlError};
use tabiya_play::players::SpecError;
use tabiya_play::request::{GameRequest, NotesRequest, Question, Request, StudyRequest};
use tabiya_rules::{DiagramPieces, ParseFenError, Position};
use tabiya_store::{NameError, SaveName};

use crate::appearance::PieceStyle;
use crate::config::settings::{SETTINGS, SettingError};
use crate::explorer::{ExplorerCommand, FilterError};
use crate::matches::MatchOrder;
use crate::theme::Theme;

pub use table::COMMANDS;

/// A command that was parsed but not yet performed.
///
/// The enums are exhaustive on purpose: the compiler shows what else a new command needs.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// A request that the table carries out.
    Table(Request),
    View(ViewCommand),
    File(FileCommand),
    Open(OpenCommand),
    Program(ProgramCommand),
}

impl Command {
    /// Whether it puts another game on the board.
    pub fn begins_game(&self) -> bool {
        match self {
            Command::Table(Request::Game(request)) => match request {
                GameRequest::New(_) | GameRequest::Rematch | GameRequest::LoadPosition(_) => true,
                GameRequest::Play(_)
                | GameRequest::PlayParsed(_)
                | GameRequest::Premove(_)
                | GameRequest::Undo(_)
                | GameRequest::Redo(_)
                | GameRequest::GoTo(_)
                | GameRequest::Claim { .. }
                | GameRequest::Offer(_)
                | GameRequest::Accept(_)
                | GameRequest::Decline(_)
                | GameRequest::Takeback(_)
                | GameRequest::Resign(_)
                | GameRequest::Pause
                | GameRequest::Draws(_) => false,
            },
            Command::File(command) => match command {
                FileCommand::Load(_) => true,
                FileCommand::Fen
                | FileCommand::Pgn(_)
                | FileCommand::Json(_)
                | FileCommand::Svg(_)
                | FileCommand::Copy(_)
                | FileCommand::Save(_)
                | FileCommand::Saves
                | FileCommand::Delete(_) => false,
            },
            Command::Table(
                Request::Notes(_) | Request::Ask(_) | Request::Opponent(..) | Request::Study(_),
            )
            | Command::View(_)
            | Command::Open(_)
            | Command::Program(_) => false,
        }
    }
}

/// A command about the view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ViewCommand {
    Board,
    Flip,
    /// Hide the pieces, or show them again.
    Blindfold,
    /// Set a theme, or the next one.
    Theme(Option<Theme>),
    PieceStyle(PieceStyle),
}

/// A command about positions and games as text, or about saves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileCommand {
    /// Show the position.
    Fen,
    /// Show the game, or write it to a file.
    Pgn(Option<PathBuf>),
    /// Show the game as JSON, or write it to a file.
    Json(Option<PathBuf>),
    /// Write a picture of the board.
    Svg(PathBuf),
    /// Copy the position or the game to the clipboard.
    Copy(Copied),
    /// Save the game under a name, or under its current one.
    Save(Option<SaveName>),
    /// Resume a save.
    Load(SaveName),
    /// List the saves.
    Saves,
    /// Move a save to the trash, after a question.
    Delete(SaveName),
}

/// A command that opens something else.
#[derive(Clone, Debug, PartialEq)]
pub enum OpenCommand {
    /// Review a file of games or a position, or the game itself.
    Review(Option<Reviewed>),
    /// Return from the review to the game.
    Back,
    /// Watch a match.
    Match(Box<MatchOrder>),
    /// Query a database about the position.
    Explorer(ExplorerCommand),
}

/// A command about the program itself.
#[derive(Clone, Debug, PartialEq)]
pub enum ProgramCommand {
    /// Show the settings, or change one.
    Set(Option<Setting>),
    /// Open the settings screen.
    Settings,
    Help(Option<&'static Entry>),
    Quit,
}

/// Converts the parts of a command, and requests to the table, to commands.
macro_rules! commands {
    ($($part:ident($inner:ty)),*) => {
        $(impl From<$inner> for Command {
            fn from(inner: $inner) -> Command {
                Command::$part(inner.into())
            }
        })*
    };
}

commands!(
    Table(GameRequest),
    Table(NotesRequest),
    Table(Question),
    Table(StudyRequest),
    View(ViewCommand),
    File(FileCommand),
    Open(OpenCommand),
    Program(ProgramCommand)
);

/// What can be reviewed.
#[derive(Clone, Debug, PartialEq)]
pub enum Reviewed {
    Position(Box<Position>),
    File(PathBuf),
    Save(SaveName),
}

/// What can be copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Copied {
    Fen,
    Pgn,
}

/// A setting with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Setting {
    /// Whether the board is printed before each prompt.
    Board(bool),
    Pieces(DiagramPieces),
    Draws(DrawPolicy),
    /// One of the user's settings, with a valid value. It is written to the config.
    Lasting {
        key: &'static str,
        value: String,
    },
}

/// The subject of a command, by which the help groups them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    Game,
    Files,
    Looking,
    Modes,
}

impl Group {
    pub const ALL: [Group; 4] = [Group::Game, Group::Files, Group::Looking, Group::Modes];

    /// The heading of the group in the help.
    pub fn title(self) -> &'static str {
        match self {
            Group::Game => "The game",
            Group::Files => "Positions and games as text",
            Group::Looking => "Asking about the position",
            Group::Modes => "The program",
        }
    }
}

/// What can follow a command's name, for completion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgumentKind {
    Nothing,
    /// A legal move.
    Moves,
    /// The name of a command.
    Commands,
    /// The name of a file, up to the end of the line.
    Files,
    /// The name of a save, up to the end of the line.
    Saves,
    /// The name of a file, or a word for something else to review.
    Reviewed,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// The name of a setting.
    Settings,
}

/// A command: its name, its help, and how its arguments are parsed.
#[derive(Debug)]
pub struct Entry {
    pub name: &'static str,
    pub aliases: &'static [&'static str],
    /// The arguments as shown in the help; empty if there are none.
    pub arguments: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
    /// Further help; [`Entry::help`] completes it.
    more: &'static str,
    pub group: Group,
    pub argument: ArgumentKind,
    /// Whether the line mode performs it for the game that has just ended, until the first move of the next one.
    pub reaches_last_game: bool,
    /// Parses the text after the name.
    read: fn(&str) -> Result<Command, Misuse>,
}

/// Entries are equal if their names are.
impl PartialEq for Entry {
    fn eq(&self, other: &Entry) -> bool {
        self.name == other.name
    }
}

impl Entry {
    /// Further help, empty if there is none. That on settings names all of them.
    pub fn help(&self) -> Cow<'static, str> {
        if self.reaches_last_game {
            let last = "In the line mode, it is about the game that has just ended, until you move in the next one.";
            return format!("{} {last}", self.more).into();
        }
        if self.argument != ArgumentKind::Settings {
            return self.more.into();
        }
        let keys: Vec<&str> = SETTINGS.iter().map(|setting| setting.key).collect();
        format!("{} {}.", self.more, keys.join(", ")).into()
    }

    /// The name with its arguments.
    pub fn usage(&self) -> String {
        match self.arguments {
            "" => self.name.to_owned(),
            arguments => format!("{} {arguments}", self.name),
        }
    }
}

/// Why the arguments of a command are refused. Texts are as they were typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Misuse {
    /// They do not have the form that the usage shows.
    Form,
    /// A quote has no end.
    OpenQuote(String),
    Fen(ParseFenError),
    SaveName(NameError),
    Clock(TimeControlError),
    Player(SpecError),
    /// Only a program can do this, and this is none.
    NotAnEngine(String),
    /// There is no such start position of Chess960.
    StartNumber,
    /// It means nothing for a new game.
    NotForNewGame(String),
    Filter(FilterError),
    NoTheme,
    NoCommand(String),
    Setting(SettingError),
    /// A setting of the game that takes only these values.
    GameSetting {
        key: &'static str,
        values: &'static str,
    },
}

/// Converts errors about arguments.
macro_rules! misuses {
    ($($variant:ident($error:ty)),*) => {
        $(impl From<$error> for Misuse {
            fn from(error: $error) -> Misuse {
                Misuse::$variant(error)
            }
        })*
    };
}

misuses!(
    Fen(ParseFenError),
    SaveName(NameError),
    Clock(TimeControlError),
    Filter(FilterError),
    Setting(SettingError)
);

/// A command with arguments that are refused.
#[derive(Clone, Debug, PartialEq)]
pub struct MisusedCommand {
    pub entry: &'static Entry,
    pub why: Misuse,
}

/// Finds a command by its name, ignoring case.
pub fn find(name: &str) -> Option<&'static Entry> {
    COMMANDS.iter().find(|entry| {
        [entry.name]
            .iter()
            .chain(entry.aliases)
            .any(|known| known.eq_ignore_ascii_case(name))
    })
}

/// The names of the commands that the line mode performs for the game that has just ended.
pub fn reaching_last_game() -> String {
    let reaching = COMMANDS.iter().filter(|entry| entry.reaches_last_game);
    let names: Vec<&str> = reaching.map(|entry| entry.name).collect();
    names.join(", ")
}

/// Parses a typed line: a command with its arguments, otherwise a move.
pub fn read(line: &str) -> Result<Command, MisusedCommand> {
    let line = line.trim();
    // The full screen has a colon before commands, so people type it elsewhere too.
    let typed = line.strip_prefix(':').map_or(line, str::trim_start);
    let (name, arguments) = typed.split_once(char::is_whitespace).unwrap_or((typed, ""));
    match find(name) {
        None => Ok(GameRequest::Play(MoveInput::Text(line.to_owned())).into()),
        Some(entry) => (entry.read)(arguments.trim()).map_err(|why| MisusedCommand { entry, why }),
    }
}

/// The beginning of a file name at the end of a line, if one is expected, and where it begins.
pub fn file_begun(line: &str) -> Option<(usize, &str)> {
    let (begin, expected) = expected(line);
    let begun = line.get(begin..)?;
    (expected == ArgumentKind::Files).then_some((begin, begun))
}

/// The words that can be typed in place of a file name.
pub fn instead_of_file(line: &str) -> impl Iterator<Item = String> {
    let entry = entry_of(line).filter(|entry| entry.argument == ArgumentKind::Reviewed);
    let known: &[&str] = entry.map_or(&[], |_| &["save ", "startpos"]);
    let begun = arguments(line);
    let fitting = known.iter().filter(move |word| word.starts_with(begun));
    fitting.map(|&word| word.to_owned())
}

/// What a line can be completed with, and where the completed part begins.
pub fn expected(line: &str) -> (usize, ArgumentKind) {
    let words = entry_of(line).map_or(ArgumentKind::Nothing, |entry| entry.argument);
    let arguments = arguments(line);
    let last = |text: &str| line.len() - text.len();
    match words {
        ArgumentKind::Reviewed => match arguments.split_once(char::is_whitespace) {
            Some(("save", name)) => (last(name.trim_start()), ArgumentKind::Saves),
            Some(_) | None => (last(arguments), ArgumentKind::Files),
        },
        // Such names can contain spaces.
        ArgumentKind::Files | ArgumentKind::Saves => (last(arguments), words),
        ArgumentKind::Nothing
        | ArgumentKind::Moves
        | ArgumentKind::Commands
        | ArgumentKind::Choice(_)
        | ArgumentKind::Settings => (
            line.rfind(char::is_whitespace).map_or(0, |at| at + 1),
            words,
        ),
    }
}

/// The command whose arguments are being typed.
pub fn entry_of(line: &str) -> Option<&'static Entry> {
    let (name, _) = line.trim_start().split_once(char::is_whitespace)?;
    find(name)
}

/// Completes a line: where the completed word begins, and the words that fit. The moves and the names of the saves are
/// looked up only when needed, because there may be many.
pub fn complete(
    line: &str,
    moves: impl FnOnce() -> Vec<String>,
    saves: impl FnOnce() -> Vec<String>,
) -> (usize, Vec<String>) {
    let (begin, words) = expected(line);
    let (before, word) = line.split_at_checked(begin).unwrap_or(("", line));
    let fits = |known: &str| {
        let start = known.get(..word.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(word))
    };
    let fitting = |known: Vec<String>| known.into_iter().filter(|known| fits(known)).collect();
    // A lowercase letter may begin a square and then does not name a piece, so moves are case-sensitive.
    let moves = || {
        let mut moves = moves();
        moves.retain(|known| known.starts_with(word));
        moves
    };
    let names = || COMMANDS.iter().map(|entry| entry.name.to_owned()).collect();
    let mut found: Vec<String> = match words {
        _ if before.trim().is_empty() => [moves(), fitting(names())].concat(),
        // Callers that may read folders complete file names.
        ArgumentKind::Nothing | ArgumentKind::Files | ArgumentKind::Reviewed => Vec::new(),
        ArgumentKind::Moves => moves(),
        ArgumentKind::Commands => fitting(names()),
        ArgumentKind::Saves => fitting(saves()),
        ArgumentKind::Choice(known) => {
            fitting(known.iter().map(|&known| known.to_owned()).collect())
        }
        ArgumentKind::Settings => fitting(read::settings().map(str::to_owned).collect()),
    };
    found.dedup();
    (begin, found)
}

/// The text after the first word of a line.
fn arguments(line: &str) -> &str {
    let rest = line.trim_start().split_once(char::is_whitespace);
    rest.map_or("", |(_, arguments)| arguments.trim_start())
}

#[cfg(test)]
mod tests;
