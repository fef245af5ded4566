//! The settings. One entry each serves reading and writing the file, the settings screen and the documentation.

use std::path::{Path, PathBuf};

use tabiya_game::{DrawPolicy, Session, TimeControl};
use tabiya_play::opponents::Opponents;
use tabiya_play::players::{Level, PlayerSpec};
use tabiya_rules::text::is_safe;
use tabiya_train::queue::RETENTION;
use thiserror::Error;

use crate::appearance::Graphics;
use crate::appearance::PieceStyle;
use crate::color::Depth;
use crate::explorer::GameSources;
use crate::key_map::KeyMap;
use crate::theme::{self, THEMES, Theme};
use crate::training::Learner;
use crate::training::mining::MiningPolicy;

/// The user's lasting settings.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    pub theme: Theme,
    pub pieces: PieceStyle,
    pub graphics: Graphics,
    /// `None` if the terminal decides.
    pub colors: Option<Depth>,
    /// Whether files and ranks are labeled at the edge of the board.
    pub coordinates: bool,
    /// Whether the moves are shown beside the board.
    pub move_list: bool,
    /// Whether the last line shows the keys.
    pub key_line: bool,
    pub sound: Sound,
    pub mouse: bool,
    pub autosave: bool,
    pub clock: TimeControl,
    pub draws: DrawPolicy,
    /// The default opponent; `None` for the bot of the fitting level.
    pub opponent: Option<PlayerSpec>,
    /// The fitting level.
    pub level: Level,
    /// Whether bots resign hopeless games and offer draws.
    pub manners: bool,
    /// Whether the opponent's evaluation is shown while it thinks.
    pub spoilers: bool,
    /// The Polyglot book or database that bots play from.
    pub book: Option<PathBuf>,
    /// The player's name in games against engines; empty for no name, and `None` if it was never set.
    pub name: Option<String>,
    pub key_map: KeyMap,
    /// The file with the user's own opening names.
    pub openings: Option<PathBuf>,
    /// The database that the explorer queries.
    pub db: Option<PathBuf>,
    /// Whether the saved games are a database too.
    pub own_db: bool,
    /// Other names under which the player plays, such as those on sites.
    pub other_names: Vec<String>,
    /// The probability of recall at which an exercise is due.
    pub retention: f64,
    /// When games are searched for exercises.
    pub mining: MiningPolicy,
}

/// When the bell rings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sound {
    Off,
    /// When the opponent moves, for a check, and when time is short.
    Bell,
}

impl Settings {
    /// The databases that can be queried.
    pub fn game_sources(&self) -> GameSources {
        GameSources {
            folder: self.db.clone(),
            own: self.own_db.then(|| self.player().to_owned()),
        }
    }

    /// The opponent of a new game if none is given.
    pub fn first_opponent(&self) -> PlayerSpec {
        let fitting = PlayerSpec::Bot(Some(self.level));
        self.opponent.clone().unwrap_or(fitting)
    }

    /// The player's name; empty for no name.
    pub fn player(&self) -> &str {
        self.name.as_deref().unwrap_or_default()
    }

    /// The player as one who trains.
    pub fn learner(&self) -> Learner {
        let names = std::iter::once(self.player()).filter(|name| !name.is_empty());
        let others = self.other_names.iter().map(String::as_str);
        Learner {
            names: names.chain(others).map(str::to_owned).collect(),
            retention: self.retention,
            mining: self.mining,
        }
    }
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            theme: THEMES[0],
            pieces: PieceStyle::Auto,
            graphics: Graphics::Auto,
            colors: None,
            coordinates: true,
            move_list: true,
            key_line: true,
            sound: Sound::Off,
            mouse: true,
            autosave: true,
            clock: TimeControl::UNLIMITED,
            draws: DrawPolicy::Claim,
            opponent: None,
            level: Level::default(),
            manners: true,
            spoilers: false,
            book: None,
            name: None,
            key_map: KeyMap::Standard,
            openings: None,
            db: None,
            own_db: false,
            other_names: Vec::new(),
            retention: RETENTION,
            mining: MiningPolicy::default(),
        }
    }
}

/// The values of a setting.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// `on` or `off`; in the file `true` or `false`.
    Switch,
    /// One of a list.
    Choice(fn() -> Vec<&'static str>),
    /// A text that the setting parses. These are some examples.
    Text(&'static [&'static str]),
}

/// One setting.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// Its name in the file, including its tables.
    pub key: &'static str,
    pub kind: Kind,
    /// What it does, in a sentence.
    pub help: &'static str,
    get: fn(&Settings) -> String,
    /// Sets a value, if it is valid.
    set: fn(&mut Settings, &str) -> Option<()>,
}

impl Setting {
    /// The value as people type it.
    pub fn get(&self, settings: &Settings) -> String {
        (self.get)(settings)
    }

    /// Sets a value as people type it. An invalid one is refused, and the old value stays.
    pub fn set(&self, settings: &mut Settings, text: &str) -> Result<(), SettingError> {
        (self.set)(settings, text.trim()).ok_or_else(|| match self.kind {
            Kind::Switch | Kind::Choice(_) => SettingError::NoneOf(self.choices()),
            Kind::Text(_) => SettingError::NotSuchAs(self.choices()),
        })
    }

    /// The possible values, or examples if there are too many to list.
    pub fn choices(&self) -> Vec<&'static str> {
        match self.kind {
            Kind::Switch => vec!["on", "off"],
            Kind::Choice(all) => all(),
            Kind::Text(some) => some.to_vec(),
        }
    }
}

/// Why a setting was not changed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SettingError {
    #[error("There is no setting {0}.")]
    Unknown(String),
    /// It takes only these values.
    #[error("It can be {}.", .0.join(", "))]
    NoneOf(Vec<&'static str>),
    /// It takes values such as these.
    #[error("It can be, for example, {}.", .0.join(", "))]
    NotSuchAs(Vec<&'static str>),
}

/// Finds a setting by its name.
pub fn find(key: &str) -> Option<&'static Setting> {
    SETTINGS.iter().find(|setting| setting.key == key)
}

/// The new fitting level after a game, if that was against a bot and changes it.
pub fn fitted_level(opponents: &Opponents, game: &Session, now: Level) -> Option<Level> {
    let person = opponents.person()?;
    let PlayerSpec::Bot(Some(met)) = opponents.specs()[!person] else {
        return None;
    };
    let winner = game.outcome()?.winner()?;
    // It is above a bot that was beaten, and below one that won.
    let level = if winner == person {
        let above = Level::new(met.number() + 1).unwrap_or(Level::FULL);
        now.max(above)
    } else {
        let below = Level::new(met.number() - 1).unwrap_or(Level::FIRST);
        now.min(below)
    };
    (level != now).then_some(level)
}

/// Finds a setting by its name, or says that there is none.
pub fn known(key: &str) -> Result<&'static Setting, SettingError> {
    find(key).ok_or_else(|| SettingError::Unknown(key.to_owned()))
}

/// The name of the setting for draws.
pub const DRAWS: &str = "game.draws";

/// The name of the setting for the book.
pub const BOOK: &str = "game.book";

/// A setting whose values have names in a table.
macro_rules! choice {
    ($key:literal, settings.$field:ident in $values:ident, $help:literal) => {
        Setting {
            key: $key,
            kind: Kind::Choice(|| $values.map(|(name, _)| name).to_vec()),
            help: $help,
            get: |settings| name_of(&$values, &settings.$field).to_owned(),
            set: |settings, text| named(&$values, text).map(|value| settings.$field = value),
        }
    };
}

/// A setting that is on or off.
macro_rules! switch {
    ($key:literal, settings.$field:ident, $help:literal) => {
        Setting {
            kind: Kind::Switch,
            ..choice!($key, settings.$field in SWITCH, $help)
        }
    };
}

/// All settings, in the order of the settings screen and the documentation.
pub static SETTINGS: &[Setting] = &[
    Setting {
        key: "theme",
        kind: Kind::Choice(|| THEMES.iter().map(|theme| theme.name).collect()),
        help: "The colors of the full screen.",
        get: |settings| settings.theme.name.to_owned(),
        set: |settings, text| theme::find(text).map(|theme| settings.theme = theme),
    },
    Setting {
        key: "pieces",
        kind: Kind::Choice(|| PieceStyle::ALL.map(PieceStyle::name).to_vec()),
        help: "How pieces are shown; auto draws them as finely as the terminal is known to show, and the smallest board has figures.",
        get: |settings| settings.pieces.name().to_owned(),
        set: |settings, text| {
            settings.pieces = PieceStyle::find(text)?;
            Some(())
        },
    },
    choice!("board.graphics", settings.graphics in GRAPHICS,
        "Whether the board is shown with real pictures; auto and on ask the terminal when the program starts."),
    choice!("colors", settings.colors in COLORS,
        "How many colors the terminal has; auto goes by the environment variables."),
    switch!(
        "board.coordinates",
        settings.coordinates,
        "Whether files and ranks are named at the edge of the board."
    ),
    switch!(
        "board.moves",
        settings.move_list,
        "Whether the moves of the game are shown beside the board."
    ),
    switch!(
        "board.keys",
        settings.key_line,
        "Whether the last line of the board's screen says what the keys do."
    ),
    choice!("sound", settings.sound in SOUNDS,
        "Whether the terminal's bell rings when the opponent moves, at a check, and when your time runs short."),
    switch!(
        "mouse",
        settings.mouse,
        "Whether the full screen takes the mouse, or leaves it to the terminal."
    ),
    switch!(
        "autosave",
        settings.autosave,
        "Whether every move of a game is saved to disk, so that it can be resumed."
    ),
    Setting {
        key: "game.clock",
        kind: Kind::Text(&[NONE, "3+2", "5+3", "10+5", "40/90+30:30+30"]),
        help: "The clock of a new game: minutes+seconds for both sides.",
        get: |settings| clock_text(&settings.clock),
        set: |settings, text| text.parse().ok().map(|clock| settings.clock = clock),
    },
    Setting {
        set: |settings, text| draws_named(text).map(|draws| settings.draws = draws),
        ..choice!("game.draws", settings.draws in DRAW_POLICIES,
            "Whether threefold repetition and 50 moves must be claimed or end a game at once.")
    },
    Setting {
        key: "game.opponent",
        kind: Kind::Text(&[FITTING, "human", "bot", "bot:3", "uci:stockfish"]),
        help: "Who plays against you in a new game: a bot at your level, a person, a bot of your choice, or an engine.",
        get: |settings| {
            let player = settings.opponent.as_ref();
            player.map_or_else(|| FITTING.to_owned(), ToString::to_string)
        },
        set: |settings, text| {
            settings.opponent = match text {
                FITTING => None,
                text => Some(text.parse().ok()?),
            };
            Some(())
        },
    },
    Setting {
        key: "game.level",
        kind: Kind::Choice(|| LEVELS.to_vec()),
        help: "Your level against bots; it goes up when you beat one and down when one beats you.",
        get: |settings| settings.level.number().to_string(),
        set: |settings, text| text.parse().ok().map(|level| settings.level = level),
    },
    switch!(
        "game.manners",
        settings.manners,
        "Whether bots from level 5 on resign hopeless games and offer draws in dead-drawn ones."
    ),
    switch!(
        "game.spoilers",
        settings.spoilers,
        "Whether you see how the opponent judges the game while it thinks."
    ),
    Setting {
        key: BOOK,
        kind: Kind::Text(&[NONE, "~/books/performance.bin", "~/games.db"]),
        help: "A Polyglot book, or the folder of a database, that bots play from as long as it has moves, from the next game on.",
        get: |settings| path_text(settings.book.as_deref()),
        set: |settings, text| {
            settings.book = path_of(text);
            Some(())
        },
    },
    Setting {
        key: "name",
        kind: Kind::Text(&[NONE, "Anna", "Magnus"]),
        help: "What you are called in games against engines; none for no name.",
        get: |settings| match settings.player() {
            "" => NONE.to_owned(),
            name => name.to_owned(),
        },
        set: |settings, text| {
            let fits = text.chars().count() <= MAX_NAME_LENGTH && text.chars().all(is_safe);
            let name = if text == NONE { "" } else { text };
            fits.then(|| settings.name = Some(name.to_owned()))
        },
    },
    choice!("keys.map", settings.key_map in KEY_MAPS,
        "The default keys; individual ones are bound in the table [keys]."),
    Setting {
        key: "openings.file",
        kind: Kind::Text(&[NONE, "~/openings.tsv"]),
        help: "A table of your own opening names: eco, name and moves, with tabs between them.",
        get: |settings| path_text(settings.openings.as_deref()),
        set: |settings, text| {
            settings.openings = path_of(text);
            Some(())
        },
    },
    Setting {
        key: "db.path",
        kind: Kind::Text(&[NONE, "~/games.db"]),
        help: "The folder of a database, made by `tabiya db build`, that the explorer shows beside the board.",
        get: |settings| path_text(settings.db.as_deref()),
        set: |settings, text| {
            settings.db = path_of(text);
            Some(())
        },
    },
    switch!(
        "db.own",
        settings.own_db,
        "Whether the explorer can also search your saved games, to show how you score in a line."
    ),
    Setting {
        key: "train.names",
        kind: Kind::Text(&[NONE, "anna64", "anna64; Anna Doe"]),
        help: "Other names under which you play, with semicolons between them: training asks your mistakes in these games too.",
        get: |settings| match &settings.other_names[..] {
            [] => NONE.to_owned(),
            names => names.join("; "),
        },
        set: |settings, text| {
            let fits = text.chars().count() <= MAX_NAMES_LENGTH && text.chars().all(is_safe);
            let names = text.split(';').map(str::trim);
            let names = names.filter(|name| !name.is_empty() && text != NONE);
            fits.then(|| settings.other_names = names.map(str::to_owned).collect())
        },
    },
    Setting {
        key: "train.retention",
        kind: Kind::Text(&["0.85", "0.80", "0.90"]),
        help: "How likely you are to know an exercise on the day when it comes back, from 0.70 to 0.95; more means more work.",
        get: |settings| format!("{:.2}", settings.retention),
        set: |settings, text| {
            let retention = text
                .parse()
                .ok()
                .filter(|value| (0.7..=0.95).contains(value));
            retention.map(|retention| settings.retention = retention)
        },
    },
    choice!("train.mining", settings.mining in MINING,
        "When training searches your games for mistakes while it is open: mains means not on battery."),
];

/// The value of an optional setting that is not set.
const NONE: &str = "none";

fn path_text(path: Option<&Path>) -> String {
    path.map_or_else(|| NONE.to_owned(), |path| path.display().to_string())
}

fn path_of(text: &str) -> Option<PathBuf> {
    (!text.is_empty() && text != NONE).then(|| text.into())
}

/// The value of the setting for the opponent that means the bot of the fitting level.
const FITTING: &str = "fitting";

const LEVELS: [&str; 10] = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10"];

/// The longest name of a player, in characters.
const MAX_NAME_LENGTH: usize = 40;

/// The longest list of names, in characters.
const MAX_NAMES_LENGTH: usize = 400;

const SWITCH: [(&str, bool); 2] = [("on", true), ("off", false)];
const COLORS: [(&str, Option<Depth>); 5] = [
    ("auto", None),
    ("none", Some(Depth::Mono)),
    ("16", Some(Depth::Sixteen)),
    ("256", Some(Depth::Indexed)),
    ("truecolor", Some(Depth::TrueColor)),
];
const GRAPHICS: [(&str, Graphics); 3] = [
    ("auto", Graphics::Auto),
    ("on", Graphics::On),
    ("off", Graphics::Off),
];
const SOUNDS: [(&str, Sound); 2] = [("off", Sound::Off), ("bell", Sound::Bell)];
const DRAW_POLICIES: [(&str, DrawPolicy); 2] = [
    ("claim", DrawPolicy::Claim),
    ("automatic", DrawPolicy::Automatic),
];
const MINING: [(&str, MiningPolicy); 3] = [
    ("mains", MiningPolicy::Mains),
    ("always", MiningPolicy::Always),
    ("never", MiningPolicy::Never),
];

const KEY_MAPS: [(&str, KeyMap); 2] = [("standard", KeyMap::Standard), ("vim", KeyMap::Vim)];

fn named<T: Copy>(all: &[(&str, T)], text: &str) -> Option<T> {
    let found = all.iter().find(|(name, _)| *name == text);
    found.map(|&(_, value)| value)
}

fn name_of<T: PartialEq>(all: &[(&'static str, T)], wanted: &T) -> &'static str {
    // Every value of these types is in the list, as the tests check.
    let found = all.iter().find(|(_, value)| value == wanted);
    found.map_or("", |(name, _)| name)
}

/// The name of a policy on draws.
pub fn draws_name(draws: DrawPolicy) -> &'static str {
    name_of(&DRAW_POLICIES, &draws)
}

/// The policy on draws with this name, or the one that it had in earlier versions.
pub fn draws_named(text: &str) -> Option<DrawPolicy> {
    named(
        &DRAW_POLICIES,
        if text == "auto" { "automatic" } else { text },
    )
}

/// A clock as the setting for it is written.
pub fn clock_text(clock: &TimeControl) -> String {
    if clock.is_unlimited() {
        NONE.to_owned()
    } else {
        clock.to_string()
    }
}
