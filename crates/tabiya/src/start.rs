//! `tabiya play`, and `tabiya` alone: from flags to a game.

use std::path::Path;

use std::num::{NonZeroU32, NonZeroUsize};

use crate::flags::{DisplayFlags, Play, Review, Train};
use tabiya_front::book_file;
use tabiya_front::color::ColorChoice;
use tabiya_front::commands::suggest;
use tabiya_front::config::engines::configured;
use tabiya_front::config::settings::Settings;
use tabiya_front::config::{self, Config};
use tabiya_front::failure::Failure;
use tabiya_front::flags::random;
use tabiya_front::opening_names;
use tabiya_front::output::say;
use tabiya_front::position;
use tabiya_front::saved;
use tabiya_front::setup::{First, Setup, is_interactive};
use tabiya_game::{NewGame, Policy, Session, Tags};
use tabiya_play::engines::KnownEngines;
use tabiya_play::players::{PlayerConfig, PlayerSpec, SharedBook, resolve};
use tabiya_rules::{ByColor, Position, SplitMix64};
use tabiya_store::paths::Folders;
use tabiya_store::{Autosaver, SaveError, SaveName, SavedGame, Store, local_time};
use tabiya_train::trainer::Options;
use tabiya_uci::{Deadlines, Engine};

use tabiya_line::Form;
use tabiya_screen as screen;

/// Plays the standard game between two people.
pub(crate) fn bare(display: &DisplayFlags) -> Result<(), Failure> {
    let engines = KnownEngines::new(configured());
    let setup = setup(engines, None, None, display.color)?;
    let game = game_of_settings(&setup.config.settings);
    begin(display, Setup { game, ..setup })
}

/// Plays the game that was asked for.
pub(crate) fn run(args: &Play) -> Result<(), Failure> {
    let (db, book) = (args.db.as_deref(), args.book.as_deref());
    let mut setup = setup(known_engines(args)?, db, book, args.display.color)?;
    setup.random = random(args.seed);
    #[cfg(feature = "serve")]
    if let Some(link) = &args.join {
        let (joined, server) = crate::join::join(link)?;
        setup.first = First::Joined(joined);
        setup.server = Some(server);
        return begin(&args.display, setup);
    }
    if let Some(name) = &args.resume {
        let (game, warning) = match name {
            Some(name) => (open_named(&mut setup, name)?, None),
            None => open_latest(&mut setup)?,
        };
        setup.first = First::Resumed(Box::new(game), warning);
        return begin(&args.display, setup);
    }
    let settings = &setup.config.settings;
    let mut game = game_of_settings(settings).with_start(start(args, &mut setup.random)?);
    if let Some(draws) = args.draws {
        game.policy.draws = draws.into();
    }
    if let Some(control) = &args.clock {
        game = game.with_clock(control);
    }
    if let Some(outcome) = Session::new(game.clone()).outcome() {
        let sentence = format!("the position is the end of a game: {outcome}");
        return Err(Failure::No(sentence));
    }
    setup.players = seated(args, &setup)?;
    check_engines(args, &setup)?;
    setup.game = game;
    setup.first = First::Board;
    begin(&args.display, setup)
}

/// What the program starts with if nothing is asked for: the home screen, and nobody seated. The database and the book
/// of the command line take the place of those in the settings.
fn setup(
    engines: KnownEngines,
    db: Option<&Path>,
    book: Option<&Path>,
    color: ColorChoice,
) -> Result<Setup, Failure> {
    let mut config = config();
    if let Some(folder) = db {
        config.settings.db = Some(folder.to_owned());
    }
    let book = match book {
        Some(path) => Some(book_file::open(path)?),
        None => book_of_settings(&mut config),
    };
    // Opened games are always saved, and for a person all games if the settings say so.
    let autosave = is_interactive() && config.settings.autosave;
    Ok(Setup {
        game: NewGame::default(),
        random: random(None),
        players: ByColor::default(),
        engines,
        book,
        color,
        first: First::Home,
        autosaver: Autosaver::new(autosave.into()),
        config,
        server: None,
    })
}

/// Opens a save by its name, or suggests similar names.
fn open_named(setup: &mut Setup, name: &str) -> Result<SavedGame, Failure> {
    let known = SaveName::typed(name).map_err(Failure::unusable)?;
    refuse_untrusted(setup, &known)?;
    setup.autosaver.open(&known).map_err(|error| {
        let sentence = error.to_string();
        let names = setup.autosaver.store().map(Store::names);
        let names = names.unwrap_or_default();
        if names.iter().any(|there| there == known.as_str()) {
            return Failure::Unusable(sentence);
        }
        let near = suggest::names(known.as_str(), &names);
        Failure::Unusable(sentence + &suggest::did_you_mean(&near))
    })
}

/// Opens the last game that is not over. Also returns the error of a newer one that could not be read.
fn open_latest(setup: &mut Setup) -> Result<(SavedGame, Option<SaveError>), Failure> {
    let latest = setup.autosaver.store().and_then(Store::latest);
    let (name, passed_over) = latest.map_err(Failure::unusable)?;
    refuse_untrusted(setup, &name)?;
    let game = setup.autosaver.open(&name).map_err(Failure::unusable)?;
    Ok((game, passed_over))
}

/// Without a user to ask, a save that names an unknown engine is not opened.
fn refuse_untrusted(setup: &Setup, name: &SaveName) -> Result<(), Failure> {
    if is_interactive() {
        return Ok(());
    }
    match saved::untrusted_engine(&setup.autosaver, name, &setup.engines) {
        Some(untrusted) => Err(Failure::Unusable(untrusted.refusal())),
        None => Ok(()),
    }
}

/// The engines known by name, and those that a flag allows saves to start.
fn known_engines(args: &Play) -> Result<KnownEngines, Failure> {
    let engines = KnownEngines::new(configured());
    let mut allowed = Vec::new();
    for engine in &args.allow_engine {
        let command = resolve(engine, &engines).map_err(Failure::unusable)?;
        allowed.push((engine.target.clone(), command));
    }
    Ok(engines.allowing(allowed))
}

/// Opens a file of games or a position for review.
pub(crate) fn review(args: &Review) -> Result<(), Failure> {
    let engines = KnownEngines::new(configured());
    let mut setup = setup(engines, args.db.as_deref(), None, args.color)?;
    setup.first = match &args.what[..] {
        [word, name] if word == "save" => {
            let name = SaveName::typed(name).map_err(Failure::unusable)?;
            let game = setup.autosaver.look(&name).map_err(Failure::unusable)?;
            First::Save(name, Box::new(game))
        }
        [name] if Path::new(name).exists() => First::File(name.into()),
        words => match position::read(words, None) {
            Ok(position) => First::Position(Box::new(position)),
            // A word without a space or a slash was meant as a file.
            Err(refused) => match words {
                [name] if !name.contains(' ') => {
                    let missing = std::io::Error::from(std::io::ErrorKind::NotFound);
                    return Err(Failure::system(name, &missing));
                }
                _ => return Err(refused.into()),
            },
        },
    };
    if !screen::has_screen() {
        let sentence = "a review needs a terminal; `tabiya pgn` reads files without one";
        return Err(Failure::Unusable(sentence.to_owned()));
    }
    screen::run(setup)
}

/// Asks the exercises of the day, or runs the command that was given.
pub(crate) fn train(args: &Train) -> Result<(), Failure> {
    let mut options = Options::default();
    options.count = args.count.map(NonZeroUsize::get);
    options.minutes = args.minutes.map(NonZeroU32::get);
    options.kind = args.kind;
    if args.command.is_none() && !args.line && !args.json && screen::has_screen() {
        let engines = KnownEngines::new(configured());
        let mut setup = setup(engines, None, None, args.color)?;
        setup.first = First::Train(options);
        return screen::run(setup);
    }
    // Unlike a game, this is about what the user has played and named, also through a pipe.
    let config = match Folders::find() {
        Ok(folders) => config::file::load(&folders.config_file()),
        Err(none) => Config::unread(none.to_string()),
    };
    for warning in &config.warnings {
        say(&format!("tabiya: {warning}"));
    }
    let learner = config.settings.learner();
    if let Some(command) = &args.command {
        return tabiya_tools::train::run(command, &learner);
    }
    let form = if args.json { Form::Json } else { Form::Text };
    tabiya_line::train::run(&learner, options, form, args.color)
}

/// The user's settings. A program at the other end of a pipe gets the defaults: its results must not depend on whose
/// computer it runs on.
fn config() -> Config {
    if !is_interactive() {
        return Config::default();
    }
    let mut config = match Folders::find() {
        Ok(folders) => config::file::load(&folders.config_file()),
        Err(none) => Config::unread(none.to_string()),
    };
    if let Err(error) = opening_names::configure(config.settings.openings.as_deref()) {
        config.warn(error.to_string());
    }
    config
}

/// The book of the settings. One that cannot be opened becomes a warning.
fn book_of_settings(config: &mut Config) -> Option<SharedBook> {
    let opened = book_file::open(config.settings.book.as_deref()?);
    opened.map_err(|error| config.warn(error.to_string())).ok()
}

/// A game according to the settings.
fn game_of_settings(settings: &Settings) -> NewGame {
    let policy = Policy::new().with_draws(settings.draws);
    let mut tags = Tags::new();
    // A script gets the same output every day.
    if is_interactive() {
        // A date is a single line, and a tag refuses nothing else.
        let _ = tags.set("Date", &local_time::pgn_date());
    }
    NewGame::default()
        .with_policy(policy)
        .with_tags(tags)
        .with_clock(&settings.clock)
}

/// Starts the engines that were asked for once, so that a person learns before the board opens that one cannot play. A
/// program at the other end of a pipe is told when the engine has to move.
fn check_engines(args: &Play, setup: &Setup) -> Result<(), Failure> {
    let given = args.white.is_some() || args.black.is_some();
    if !(given && args.display.line && is_interactive()) {
        return Ok(());
    }
    for (_, player) in setup.players.iter() {
        let PlayerSpec::Uci(spec) = player else {
            continue;
        };
        let command = resolve(spec, &setup.engines).map_err(Failure::unusable)?;
        let engine = Engine::start(&command, Deadlines::default());
        engine.map_err(Failure::unusable)?.quit();
    }
    Ok(())
}

/// Begins on the full screen, or in the line mode.
fn begin(display: &DisplayFlags, setup: Setup) -> Result<(), Failure> {
    if !display.line && !display.json && screen::has_screen() {
        return screen::run(setup);
    }
    for warning in &setup.config.warnings {
        say(&format!("tabiya: {warning}"));
    }
    if let First::Resumed(_, Some(warning)) = &setup.first {
        say(&format!("tabiya: {warning}"));
    }
    let form = if display.json { Form::Json } else { Form::Text };
    tabiya_line::run(setup, form)
}

/// The players, each engine with the options of the command line. A missing engine is noticed before the game begins.
///
/// A person who names none gets the opponent of the settings; a program at the other end of a pipe plays both sides.
fn seated(args: &Play, setup: &Setup) -> Result<ByColor<PlayerSpec>, Failure> {
    let names_nobody = args.white.is_none() && args.black.is_none();
    let black = if names_nobody && is_interactive() && !args.display.json {
        setup.config.settings.first_opponent()
    } else {
        args.black.clone().unwrap_or_default()
    };
    let mut players = ByColor::new(args.white.clone().unwrap_or_default(), black);
    let mut count = 0;
    for player in [&mut players.white, &mut players.black] {
        if let PlayerSpec::Uci(engine) = player {
            count += 1;
            engine.options.extend(args.options.iter().cloned());
        }
        PlayerConfig::of(player, &setup.engines).map_err(Failure::unusable)?;
    }
    if count == 0 && !args.options.is_empty() {
        let sentence = "--option is for a UCI engine, such as --black uci:stockfish";
        return Err(Failure::Usage(sentence.to_owned()));
    }
    Ok(players)
}

fn start(args: &Play, random: &mut SplitMix64) -> Result<Position, Failure> {
    match (&args.fen, args.chess960) {
        (None, None) => Ok(Position::start()),
        (None, Some(number)) => Ok(tabiya_play::request::chess960(number, random)),
        (Some(fen), chess960) => {
            if let Some(Some(_)) = chess960 {
                let sentence = "--chess960=N names a start position, and so does --fen";
                return Err(Failure::Usage(sentence.to_owned()));
            }
            let mode = position::castling_mode(chess960.is_some());
            Ok(position::read(std::slice::from_ref(fen), mode)?)
        }
    }
}
