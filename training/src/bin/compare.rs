//! Plays two networks against each other with a soft node limit: what they know, not how fast they are.
//!
//!     compare FIRST_NUMBER SECONDS THREADS NODES NETWORK OTHER_NETWORK [PARAMETERS]
//!
//! A number stands for a random start, from which each network plays both colors. Prints the pairs of games by the first
//! network's points, and its Elo difference. With a file that `tune` wrote, the first network plays with its parameters.

use std::fmt;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};

use tabiya_engine::{Network, NetworkError, SearchParams};
use tabiya_play::contest::statistics::Estimate;
use training::game::{fair_start, play_pair, random_of};
use training::run::Run;
use training::scorer::Scorer;
use training::tuning::{Tuning, TuningError};

const USAGE: &str =
    "usage: compare FIRST_NUMBER SECONDS THREADS NODES NETWORK OTHER_NETWORK [PARAMETERS]";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some(arguments) = Arguments::parse(&arguments) else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    match run(&arguments) {
        Ok(counts) => {
            println!("{}", report(&counts));
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("compare: {error}");
            ExitCode::FAILURE
        }
    }
}

#[derive(Debug)]
enum CompareError {
    Network(PathBuf, NetworkError),
    Parameters(TuningError),
}

impl fmt::Display for CompareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CompareError::Network(path, error) => write!(f, "{}: {error}", path.display()),
            CompareError::Parameters(error) => error.fmt(f),
        }
    }
}

#[derive(Debug)]
struct Arguments<'a> {
    run: Run,
    network: &'a Path,
    other: &'a Path,
    params: Option<&'a Path>,
}

impl Arguments<'_> {
    fn parse(arguments: &[String]) -> Option<Arguments<'_>> {
        let (run, rest) = Run::parse(arguments)?;
        let ([network, other], params) = rest.split_first_chunk::<2>()?;
        if params.len() > 1 {
            return None;
        }
        Some(Arguments {
            run,
            network: Path::new(network),
            other: Path::new(other),
            params: params.first().map(Path::new),
        })
    }
}

/// Returns how many pairs of games gave the first network 0, 1, 2, 3 and 4 half points.
fn run(arguments: &Arguments<'_>) -> Result<[u32; 5], CompareError> {
    let open = |path: &Path| match Network::open(path) {
        Ok(network) => Ok(Arc::new(network)),
        Err(error) => Err(CompareError::Network(path.to_owned(), error)),
    };
    let params = match arguments.params {
        Some(path) => Tuning::read(path)
            .map_err(CompareError::Parameters)?
            .params(),
        None => SearchParams::default(),
    };
    let networks = [open(arguments.network)?, open(arguments.other)?];
    Ok(play(arguments, params, &networks))
}

fn play(arguments: &Arguments<'_>, params: SearchParams, networks: &[Arc<Network>; 2]) -> [u32; 5] {
    let counts = Mutex::new([0; 5]);
    arguments.run.for_each_number(|| {
        let [mut first, mut second] = networks.clone().map(|network| Scorer::new(Some(network)));
        first.set_params(params);
        let counts = &counts;
        move |number| {
            // The start is judged by the second player, so that the same numbers give the same starts for every newcomer.
            if let Some(start) = fair_start(&mut random_of(number), &mut second) {
                let points = play_pair(start, [&mut first, &mut second], arguments.run.nodes);
                counts.lock().unwrap_or_else(PoisonError::into_inner)[points] += 1;
            }
            ControlFlow::Continue(())
        }
    });
    counts.into_inner().unwrap_or_else(PoisonError::into_inner)
}

fn report(counts: &[u32; 5]) -> String {
    let games = 2 * counts.iter().sum::<u32>();
    let elo = match Estimate::of(counts) {
        Some(Estimate {
            elo,
            interval: Some((low, high)),
            ..
        }) => format!("Elo {elo:+.1} ({low:+.1} to {high:+.1})"),
        Some(Estimate { elo, .. }) => format!("Elo {elo:+.1}"),
        None => "no games".to_owned(),
    };
    format!("{games} games, {elo}, pairs by points {counts:?}")
}

#[cfg(test)]
mod tests {
    //! Arguments are checked, and equal networks are even.

    use super::*;

    fn words(line: &str) -> Vec<String> {
        line.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn wrong_arguments_are_refused() {
        assert!(Arguments::parse(&words("1 60 2 5000 a.bin b.bin")).is_some());
        assert!(Arguments::parse(&words("1 60 2 5000 a.bin b.bin m.txt")).is_some());
        for wrong in [
            "1 60 2 5000 a.bin",
            "1 60 0 5000 a.bin b.bin",
            "1 60 2 0 a.bin b.bin",
            "1 60 2 5000 a.bin b.bin m.txt more",
        ] {
            assert!(Arguments::parse(&words(wrong)).is_none(), "{wrong}");
        }
    }

    #[test]
    fn a_network_is_even_with_itself() {
        let line = words("1 1 1 100 - -");
        let arguments = Arguments::parse(&line).expect("valid");
        let networks = [(); 2].map(|()| Arc::clone(Network::built_in()));
        let counts = play(&arguments, SearchParams::default(), &networks);
        assert!(counts[2] > 0);
        assert_eq!(counts.iter().sum::<u32>(), counts[2]);
        assert!(report(&counts).contains("games, Elo +0.0"));
        assert_eq!(
            report(&[0; 5]),
            "0 games, no games, pairs by points [0, 0, 0, 0, 0]"
        );
    }
}
