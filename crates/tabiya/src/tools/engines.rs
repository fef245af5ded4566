//! `tabiya engines`: lists the engines known by name, and checks whether one works. `tabiya uci` and `tabiya bench`: the
//! built-in engine for other programs.

use std::time::Duration;

use clap::{Args, Subcommand};
use serde::Serialize;
use tabiya_engine::{AlphaBeta, Control};
use tabiya_play::engines::{KnownEngines, Source};
use tabiya_play::players::{EngineSpec, resolve};
use tabiya_rules::MoveHistory;
use tabiya_uci::{Deadlines, Engine, EngineCommand, Go, OptionDeclaration, OptionKind, SetOption};

use crate::config::engines::configured_with_warnings;
use crate::failure::Failure;
use crate::flags::engine_option;
use crate::output::{Output, say};
use crate::signals;

pub(crate) const EXAMPLES: &str = "\
Examples:
  tabiya engines
  tabiya engines check stockfish
  tabiya engines check ./my-engine --option Hash=64

Engines have names in config.toml, such as [engines.mine] with path, args and options; well-known
ones that are installed are found without it. Keys of --json, one object for each engine: name,
source (config or installed), program, arguments; with check: name, author, program, options (a list of
{name, type, default, min, max, choices}), depth, nodes_per_second, best_move.";

/// How long an engine thinks during a check.
const THINKS: Duration = Duration::from_millis(300);

#[derive(Debug, Args)]
pub(crate) struct Engines {
    #[command(subcommand)]
    pub(crate) action: Option<Action>,
    /// Print one JSON object for each engine
    #[arg(long, global = true)]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Action {
    /// Start an engine, list its options, and let it think for a moment
    #[command(after_help = EXAMPLES)]
    Check {
        /// Its name, or the path of its program
        #[arg(value_name = "NAME|PATH")]
        engine: EngineSpec,
        /// An option to set first, such as Hash=64; may be given several times
        #[arg(long = "option", value_name = "NAME=VALUE", value_parser = engine_option)]
        options: Vec<SetOption>,
    },
}

pub(crate) fn run(args: &Engines) -> Result<(), Failure> {
    let (configured, warnings) = configured_with_warnings();
    for warning in warnings {
        say(&format!("tabiya: {warning}"));
    }
    let known = KnownEngines::new(configured);
    match &args.action {
        None => list(&known, args.json),
        Some(Action::Check { engine, options }) => {
            let mut spec = engine.clone();
            spec.options.extend(options.iter().cloned());
            let command = resolve(&spec, &known).map_err(Failure::unusable)?;
            check(&command, args.json)
        }
    }
}

fn program(command: &EngineCommand) -> String {
    command.program.display().to_string()
}

fn arguments(command: &EngineCommand) -> Vec<String> {
    let texts = command.arguments.iter();
    texts
        .map(|text| text.to_string_lossy().into_owned())
        .collect()
}

fn list(known: &KnownEngines, json: bool) -> Result<(), Failure> {
    let mut output = Output::new();
    let mut count = 0;
    for engine in known.all() {
        count += 1;
        let source = match engine.source {
            Source::Config => "config",
            Source::Installed => "installed",
        };
        let program = program(&engine.command);
        let arguments = arguments(&engine.command);
        if json {
            output.json(&Listed {
                name: &engine.name,
                source,
                program,
                arguments,
            })?;
        } else {
            let words = [program].into_iter().chain(arguments);
            let words = words.collect::<Vec<_>>().join(" ");
            let line = format!("{:<16} {source:<10} {words}", engine.name);
            output.line(&tabiya_rules::text::clean(&line))?;
        }
    }
    if count == 0 && !json {
        output.line("No engine is known. Name one in config.toml, or give its path.")?;
    }
    output.finish()
}

fn check(command: &EngineCommand, json: bool) -> Result<(), Failure> {
    let mut engine = Engine::start(command, Deadlines::default()).map_err(Failure::unusable)?;
    let go = Go::new().with_move_time(THINKS);
    let (mut depth, mut speed) = (0, 0);
    let played = MoveHistory::default();
    let reply = engine
        .think(&played, go, |info| {
            depth = info.info.depth.unwrap_or(depth);
            speed = info.info.nodes_per_second.unwrap_or(speed);
        })
        .map_err(Failure::unusable)?;
    let best = reply.best.map(|m| played.current().san(m).to_string());
    let mut output = Output::new();
    if json {
        output.json(&Checked {
            name: engine.name(),
            author: engine.author(),
            program: program(command),
            options: engine.options().iter().map(option_json).collect(),
            depth,
            nodes_per_second: speed,
            best_move: best,
        })?;
    } else {
        let author = engine
            .author()
            .map_or(String::new(), |author| format!(" by {author}"));
        output.line(&format!("{}{author}", engine.name()))?;
        output.line(&format!(
            "program: {}",
            tabiya_rules::text::clean(&program(command))
        ))?;
        for option in engine.options() {
            output.line(&format!("option:  {}", option_text(option)))?;
        }
        let best = best.unwrap_or_else(|| "nothing".to_owned());
        output.line(&format!(
            "It works: {best} at depth {depth}, {speed} positions a second."
        ))?;
    }
    engine.quit();
    output.finish()
}

fn option_text(option: &OptionDeclaration) -> String {
    let name = &option.name;
    match &option.kind {
        OptionKind::Check { default } => {
            format!("{name}, {}", if *default { "on" } else { "off" })
        }
        OptionKind::Spin { default, min, max } => format!("{name}, {default} ({min} to {max})"),
        OptionKind::Combo { default, choices } => {
            format!("{name}, {default} ({})", choices.join(", "))
        }
        OptionKind::Button => format!("{name}, a button"),
        OptionKind::Text { default } => format!("{name}, \"{default}\""),
    }
}

/// An engine of the list for `--json`.
#[derive(Serialize)]
struct Listed<'a> {
    name: &'a str,
    source: &'static str,
    program: String,
    arguments: Vec<String>,
}

/// An engine that was checked.
#[derive(Serialize)]
struct Checked<'a> {
    name: &'a str,
    author: Option<&'a str>,
    program: String,
    options: Vec<OptionJson<'a>>,
    depth: u32,
    nodes_per_second: u64,
    best_move: Option<String>,
}

#[derive(Serialize)]
struct OptionJson<'a> {
    name: &'a str,
    #[serde(rename = "type")]
    kind: &'static str,
    default: Option<Default<'a>>,
    min: Option<i64>,
    max: Option<i64>,
    choices: Option<&'a [String]>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Default<'a> {
    Flag(bool),
    Number(i64),
    Text(&'a str),
}

fn option_json(option: &OptionDeclaration) -> OptionJson<'_> {
    let plain = |kind, default| OptionJson {
        name: &option.name,
        kind,
        default,
        min: None,
        max: None,
        choices: None,
    };
    match &option.kind {
        OptionKind::Check { default } => plain("check", Some(Default::Flag(*default))),
        OptionKind::Spin { default, min, max } => OptionJson {
            min: Some(*min),
            max: Some(*max),
            ..plain("spin", Some(Default::Number(*default)))
        },
        OptionKind::Combo { default, choices } => OptionJson {
            choices: Some(choices),
            ..plain("combo", Some(Default::Text(default)))
        },
        OptionKind::Button => plain("button", None),
        OptionKind::Text { default } => plain("string", Some(Default::Text(default))),
    }
}

/// Serves the UCI protocol until the input ends, `quit` or SIGTERM comes, or the output is closed.
pub(crate) fn uci() -> Result<(), Failure> {
    let end = signals::termination()?;
    tabiya_engine::serve_stdio_until(AlphaBeta::default(), end).map_err(|error| {
        Failure::Unusable(format!("The engine cannot start its threads: {error}."))
    })
}

/// Prints how many nodes a fixed search visits, and the nodes per second.
pub(crate) fn bench() -> Result<(), Failure> {
    let done = tabiya_engine::bench(&mut AlphaBeta::default(), &Control::new());
    let mut output = Output::new();
    let (nodes, speed) = (done.nodes, done.nodes_per_second());
    output.line(&format!("{nodes} nodes {speed} nps"))?;
    output.finish()
}
