//! Plays games of the engine against itself, for a network to learn from.
//!
//!     play FIRST_NUMBER SECONDS THREADS NODES OUT [NETWORK]
//!
//! A game is determined by its number: numbers are tried one after another from the first on, until the time is
//! over. A game depends only on the engine, the soft node limit, the network and the number, and OUT has the
//! games in the order of their numbers. So the same numbers produce the same file on any machine, with any
//! number of threads. Not every number yields a game: see `start`. `training::game_line` describes a line of
//! OUT.

mod game;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};

use game::Player;
use tabiya_engine::{Network, NetworkError};
use training::game_line::Game;
use training::run::Run;

const USAGE: &str = "usage: play FIRST_NUMBER SECONDS THREADS NODES OUT [NETWORK]";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some(arguments) = Arguments::parse(&arguments) else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    match run(&arguments) {
        Ok(summary) => {
            println!("{summary}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("play: {error}");
            ExitCode::FAILURE
        }
    }
}

#[derive(Debug)]
struct Arguments {
    run: Run,
    out: PathBuf,
    network: Option<PathBuf>,
}

impl Arguments {
    fn parse(arguments: &[String]) -> Option<Arguments> {
        let (run, rest) = Run::parse(arguments)?;
        let (out, network) = rest.split_first()?;
        if network.len() > 1 {
            return None;
        }
        Some(Arguments {
            run,
            out: out.into(),
            network: network.first().map(PathBuf::from),
        })
    }
}

#[derive(Debug)]
enum PlayError {
    Network(PathBuf, NetworkError),
    Output(PathBuf, io::Error),
}

impl fmt::Display for PlayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlayError::Network(path, error) => write!(f, "{}: {error}", path.display()),
            PlayError::Output(path, error) => {
                write!(f, "{} cannot be written: {error}", path.display())
            }
        }
    }
}

/// The totals of what was played.
#[derive(Debug)]
struct Summary {
    games: u64,
    plies: u64,
    first_number: u64,
    next_number: u64,
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Summary {
            games,
            plies,
            first_number,
            next_number,
        } = self;
        write!(
            f,
            "games {games} plies {plies} numbers {first_number}..{next_number}"
        )
    }
}

fn run(arguments: &Arguments) -> Result<Summary, PlayError> {
    let output_error = |error| PlayError::Output(arguments.out.clone(), error);
    let network = match &arguments.network {
        Some(path) => Some(open_network(path)?),
        None => None,
    };
    let file = File::create(&arguments.out).map_err(output_error)?;
    let output = Mutex::new(Output::new(
        BufWriter::new(file),
        arguments.run.first_number,
    ));
    arguments.run.for_each_number(|| {
        let mut player = Player::new(network.clone(), arguments.run.nodes);
        let output = &output;
        move |number| {
            let game = player.play(number);
            let mut output = output.lock().unwrap_or_else(PoisonError::into_inner);
            output.add(number, game);
            match output.error {
                None => ControlFlow::Continue(()),
                Some(_) => ControlFlow::Break(()),
            }
        }
    });
    let output = output.into_inner().unwrap_or_else(PoisonError::into_inner);
    output
        .finish(arguments.run.first_number)
        .map_err(output_error)
}

fn open_network(path: &Path) -> Result<Arc<Network>, PlayError> {
    let network = Network::open(path);
    network
        .map(Arc::new)
        .map_err(|error| PlayError::Network(path.to_owned(), error))
}

/// Writes games in the order of their numbers, in whatever order they finish.
struct Output<W: Write> {
    writer: W,
    /// The next number to write.
    next: u64,
    /// Games that finished before one with a lower number.
    waiting: BTreeMap<u64, Option<Game>>,
    games: u64,
    plies: u64,
    /// The first error; nothing is written after it.
    error: Option<io::Error>,
}

impl<W: Write> Output<W> {
    fn new(writer: W, first_number: u64) -> Output<W> {
        Output {
            writer,
            next: first_number,
            waiting: BTreeMap::new(),
            games: 0,
            plies: 0,
            error: None,
        }
    }

    /// Adds the result for a number.
    fn add(&mut self, number: u64, game: Option<Game>) {
        self.waiting.insert(number, game);
        while let Some(game) = self.waiting.remove(&self.next) {
            self.next += 1;
            if let Some(game) = game
                && self.error.is_none()
            {
                self.games += 1;
                self.plies += game.plies.len() as u64;
                self.error = writeln!(self.writer, "{game}").err();
            }
        }
    }

    fn finish(mut self, first_number: u64) -> io::Result<Summary> {
        match self.error {
            Some(error) => Err(error),
            None => {
                self.writer.flush()?;
                Ok(Summary {
                    games: self.games,
                    plies: self.plies,
                    first_number,
                    next_number: self.next,
                })
            }
        }
    }
}
