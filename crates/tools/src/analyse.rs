//! `tabiya analyse`: an engine's analysis of a position, or of the games of a file.

mod games;
mod plot;
mod position;
mod result_writer;
mod unanalysed;
mod unfinished;

use std::num::{NonZeroU32, NonZeroU64, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use tabiya_front::config::engines::configured;
use tabiya_front::failure::Failure;
use tabiya_front::flags::{count, engine_option};
use tabiya_front::input_file::has_games;
use tabiya_front::position::{START, castling_mode};
use tabiya_play::engines::KnownEngines;
use tabiya_play::players::{BlockingPlayer, EngineSpec, PlayerConfig, PlayerSpec};
use tabiya_rules::text::clean;
use tabiya_uci::{Go, SetOption};

use crate::read_opening_names;

pub const EXAMPLES: &str = "\
Examples:
  tabiya analyse
  tabiya analyse \"r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3\" --multipv 3
  tabiya analyse startpos --engine stockfish --depth 20 --json
  tabiya analyse game.pgn --out analyzed.pgn --svg game.svg
  tabiya analyse games.pgn --engine stockfish --movetime 100 --threads 2 > analyzed.pgn

A position gets its best lines with scores, chances and depth; without a limit the engine thinks for
2 seconds. Games get an evaluation for each move, better lines, marks, reasons and the accuracy of each
side (200 ms a position without a limit), and are judged games for review and train. A move costs as much of its side's chances as it gives away: ?!
from 9 %, ? from 17 %, ?? from 25 %. The accuracy is Lichess's. Scores are White's, in pawns.

Keys of --json for a position: fen, opening ({eco, name}), engine, depth, seldepth, nodes,
nodes_per_second, time_ms, lines (a list of {cp, mate, wdl, pv, san}); for games, one object each: game,
white, black, result, opening, accuracy_white, accuracy_black, moves (a list of {ply, side, san, cp, mate, loss, mark, best,
why}); what the engine gave no score for is null. A game with an error that would cost some of its moves or tags is
not looked at: its text is written as it is, with the reason in a tag AnalysisError (with --json, in a
key error). Where a run with --out was killed, the next one with the same --out and engine takes over the
games that were finished; with --svg, those that have their picture.";

/// How long to think about a position if no limit is given.
const POSITION_TIME: Duration = Duration::from_secs(2);

#[derive(Clone, Debug, Args)]
pub struct Analyse {
    /// A position as FEN, or a file of games (`-` is stdin); the start position if there is nothing
    #[arg(value_name = "FEN|PGN")]
    pub(crate) what: Vec<String>,
    /// The engine, by its name or path [default: the built-in engine]
    #[arg(long, value_name = "NAME|PATH")]
    pub(crate) engine: Option<EngineSpec>,
    /// An option for the engine that --engine names, such as Hash=64; may be given several times
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = engine_option, requires = "engine")]
    pub(crate) options: Vec<SetOption>,
    /// Search to this depth, in plies
    #[arg(long, value_name = "N", value_parser = count::<NonZeroU32>)]
    pub(crate) depth: Option<NonZeroU32>,
    /// Search this many nodes
    #[arg(long, value_name = "N", value_parser = count::<NonZeroU64>)]
    pub(crate) nodes: Option<NonZeroU64>,
    /// Search for this many milliseconds
    #[arg(long, value_name = "MS", value_parser = count::<NonZeroU64>)]
    pub(crate) movetime: Option<NonZeroU64>,
    /// How many lines of a position to show
    #[arg(long, value_name = "N", default_value = "1", value_parser = count::<NonZeroUsize>)]
    pub(crate) multipv: NonZeroUsize,
    /// How many games are analyzed at once
    #[arg(long, value_name = "N", default_value = "1", value_parser = count::<NonZeroUsize>)]
    pub(crate) threads: NonZeroUsize,
    /// Write the games with all that was found to a new file instead of stdout
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Write a graph of the evaluations to a new file; with several games, the names are numbered: x-1.svg, x-2.svg
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
    /// Castle as in Chess960, where the FEN does not say so itself
    #[arg(long)]
    pub(crate) chess960: bool,
    /// Print JSON: one object for a position, or one for each game
    #[arg(long)]
    pub(crate) json: bool,
}

/// Runs `tabiya analyse`, on a position or on the games of a file.
pub fn run(args: &Analyse) -> Result<(), Failure> {
    refuse_other_files(&args.what)?;
    read_opening_names();
    match file(&args.what) {
        Some(path) if args.multipv.get() > 1 => {
            let name = path.display();
            let sentence = format!("--multipv is for a position, and {name} is a file of games");
            Err(Failure::Usage(sentence))
        }
        Some(path) => games::run(args, path),
        None if args.out.is_some() || args.svg.is_some() || args.threads.get() > 1 => {
            let sentence = "--out, --svg and --threads are for a file of games";
            Err(Failure::Usage(sentence.to_owned()))
        }
        None => {
            let mode = castling_mode(args.chess960);
            position::run(args, tabiya_front::position::read(&args.what, mode)?)
        }
    }
}

/// Refuses what would be read as an invalid FEN: a folder, or several files. No FEN looks like either.
fn refuse_other_files(what: &[String]) -> Result<(), Failure> {
    let Some(first) = what.first().filter(|word| *word != START) else {
        return Ok(());
    };
    let name = clean(first);
    if Path::new(first).is_dir() {
        let sentence = format!("{name} is a folder; name a file of games in it");
        return Err(Failure::Unusable(sentence));
    }
    if what.len() > 1 && is_file(first) {
        let sentence = format!("one file of games is taken at a time; {name} is not the only one");
        return Err(Failure::Usage(sentence));
    }
    Ok(())
}

/// The file to analyze, if the argument is one and not a FEN.
fn file(what: &[String]) -> Option<&Path> {
    let [word] = what else { return None };
    (word == "-" || is_file(word)).then_some(Path::new(word))
}

/// Whether a word is the name of a file of games, existing or not.
fn is_file(word: &str) -> bool {
    let path = Path::new(word);
    path.is_file() || has_games(path)
}

/// The search limits, or else a time.
fn go(args: &Analyse, otherwise: Duration) -> Go {
    let go = Go::new()
        .with_depth(args.depth.map(NonZeroU32::get))
        .with_nodes(args.nodes.map(NonZeroU64::get))
        .with_move_time(args.movetime.map(|ms| Duration::from_millis(ms.get())));
    if go.has_limit() {
        return go;
    }
    go.with_move_time(otherwise)
}

/// The config of the requested engine.
fn player_config(args: &Analyse) -> Result<PlayerConfig, Failure> {
    let spec = match &args.engine {
        None => PlayerSpec::Bot(None),
        Some(engine) => {
            let mut engine = engine.clone();
            engine.options.extend(args.options.iter().cloned());
            PlayerSpec::Uci(engine)
        }
    };
    let known = KnownEngines::new(configured());
    let player_config = PlayerConfig::of(&spec, &known).map_err(Failure::unusable)?;
    // The specification above is never a person.
    let no_engine = || Failure::Usage("an engine is needed".to_owned());
    let mut player_config = player_config.ok_or_else(no_engine)?;
    match &mut player_config {
        PlayerConfig::Uci(command) if args.multipv.get() > 1 => {
            command.set("MultiPV", &args.multipv.to_string());
        }
        PlayerConfig::Uci(_) => {}
        PlayerConfig::Bot(bot) => {
            bot.settings.multi_pv = args.multipv.get();
            bot.settings.show_wdl = true;
        }
    }
    Ok(player_config)
}

/// Starts the engine, and has it report chances (WDL) if it can.
fn start(player_config: &PlayerConfig) -> Result<BlockingPlayer, Failure> {
    let mut mind = BlockingPlayer::start(player_config).map_err(Failure::unusable)?;
    if let BlockingPlayer::Uci(engine) = &mut mind
        && engine.option("UCI_ShowWDL").is_some()
    {
        let option = SetOption {
            name: "UCI_ShowWDL".to_owned(),
            value: Some("true".to_owned()),
        };
        // Scores are useful without chances too.
        let _ = engine.set_option(&option);
    }
    Ok(mind)
}
