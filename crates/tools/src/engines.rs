//! `tabiya engines`: lists the engines known by name, and checks whether one works. `tabiya uci` and `tabiya bench`: the
//! built-in engine for other programs.

use std::slice;
use std::time::Duration;

use clap::{Args, Subcommand};
use serde::Serialize;
use serde_json::Value;
use tabiya_engine::{AlphaBeta, Control};
use tabiya_front::config::engines::configured_with_warnings;
use tabiya_front::failure::Failure;
use tabiya_front::flags::engine_option;
use tabiya_front::output::{Output, answer, print, say};
use tabiya_front::signals;
use tabiya_play::engines::{KnownEngines, Source};
use tabiya_play::players::{EngineSpec, resolve};
use tabiya_rules::MoveHistory;
use tabiya_rules::text::clean;
use tabiya_uci::{Deadlines, Engine, EngineCommand, Go, OptionDeclaration, OptionKind, SetOption};

pub const EXAMPLES: &str = "\
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
pub struct Engines {
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

/// Runs `tabiya engines`.
pub fn run(args: &Engines) -> Result<(), Failure> {
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
    let mut output = Output::stdout();
    let engines = known.all();
    for engine in &engines {
        let source = match engine.source {
            Source::Config => "config",
            Source::Installed => "installed",
        };
        let program = program(&engine.command);
        let arguments = arguments(&engine.command);
        let words = [slice::from_ref(&program), &arguments].concat().join(" ");
        let line = format!("{:<16} {source:<10} {words}", engine.name);
        let listed = Listed {
            name: &engine.name,
            source,
            program,
            arguments,
        };
        output.answer(json, &listed, [clean(&line)])?;
    }
    if engines.is_empty() && !json {
        output.line("No engine is known. Name one in config.toml, or give its path.")?;
    }
    output.finish()
}

/// Starts an engine, has it think for a moment, and shows what it says about itself.
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
    let author = engine.author().map(|author| format!(" by {author}"));
    let program = program(command);
    let mut lines = vec![
        format!("{}{}", engine.name(), author.unwrap_or_default()),
        format!("program: {}", clean(&program)),
    ];
    lines.extend(engine.options().iter().map(option_text));
    let move_text = best.as_deref().unwrap_or("nothing");
    lines.push(format!(
        "It works: {move_text} at depth {depth}, {speed} positions a second."
    ));
    let checked = Checked {
        name: engine.name(),
        author: engine.author(),
        program,
        options: engine.options().iter().map(option_json).collect(),
        depth,
        nodes_per_second: speed,
        best_move: best,
    };
    let answered = answer(json, &checked, lines);
    engine.quit();
    answered
}

/// An option of an engine as a line: its default, and what else it may be.
fn option_text(option: &OptionDeclaration) -> String {
    let about = match &option.kind {
        OptionKind::Check { default: true } => "on".to_owned(),
        OptionKind::Check { default: false } => "off".to_owned(),
        OptionKind::Spin { default, min, max } => format!("{default} ({min} to {max})"),
        OptionKind::Combo { default, choices } => format!("{default} ({})", choices.join(", ")),
        OptionKind::Button => "a button".to_owned(),
        OptionKind::Text { default } => format!("\"{default}\""),
    };
    format!("option:  {}, {about}", option.name)
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
    default: Option<Value>,
    min: Option<i64>,
    max: Option<i64>,
    choices: Option<&'a [String]>,
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
        OptionKind::Check { default } => plain("check", Some((*default).into())),
        OptionKind::Spin { default, min, max } => OptionJson {
            min: Some(*min),
            max: Some(*max),
            ..plain("spin", Some((*default).into()))
        },
        OptionKind::Combo { default, choices } => OptionJson {
            choices: Some(choices),
            ..plain("combo", Some(default.as_str().into()))
        },
        OptionKind::Button => plain("button", None),
        OptionKind::Text { default } => plain("string", Some(default.as_str().into())),
    }
}

/// Serves the UCI protocol until the input ends, `quit` or SIGTERM comes, or the output is closed.
pub fn uci() -> Result<(), Failure> {
    let end = signals::termination()?;
    tabiya_engine::serve_stdio_until(AlphaBeta::default(), end).map_err(|error| {
        Failure::Unusable(format!("The engine cannot start its threads: {error}."))
    })
}

/// Prints how many nodes a fixed search visits, and the nodes per second.
pub fn bench() -> Result<(), Failure> {
    let done = tabiya_engine::bench(&mut AlphaBeta::default(), &Control::new());
    let (nodes, speed) = (done.nodes, done.nodes_per_second());
    print(&format!("{nodes} nodes {speed} nps\n"))
}
