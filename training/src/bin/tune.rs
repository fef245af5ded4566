//! Tunes the parameters of the search by games against itself (SPSA).
//!
//!     tune FIRST_NUMBER SECONDS THREADS NODES PAIRS STATE [NETWORK]
//!
//! STATE holds the parameters; a run goes on from it if it exists, and writes it at the end. PAIRS is the length of the whole
//! run, over all calls: steps become smaller until then.

use std::ops::ControlFlow;
use std::path::Path;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};

use tabiya_engine::Network;
use training::game::{fair_start, play_pair, random_of};
use training::run::Run;
use training::scorer::Scorer;
use training::tuning::{Tuning, TuningError};

const USAGE: &str = "usage: tune FIRST_NUMBER SECONDS THREADS NODES PAIRS STATE [NETWORK]";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some(arguments) = Arguments::parse(&arguments) else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    let network = match arguments.network.map(Network::open).transpose() {
        Ok(network) => network.map(Arc::new),
        Err(error) => {
            eprintln!("tune: the network: {error}");
            return ExitCode::FAILURE;
        }
    };
    match tune(&arguments, network.as_ref()) {
        Ok(tuning) => {
            print!("{tuning}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("tune: {error}");
            ExitCode::FAILURE
        }
    }
}

#[derive(Debug)]
struct Arguments<'a> {
    run: Run,
    all_pairs: u64,
    state: &'a Path,
    network: Option<&'a Path>,
}

impl Arguments<'_> {
    fn parse(arguments: &[String]) -> Option<Arguments<'_>> {
        let (run, rest) = Run::parse(arguments)?;
        let ([all_pairs, state], network) = rest.split_first_chunk::<2>()?;
        if network.len() > 1 {
            return None;
        }
        Some(Arguments {
            run,
            all_pairs: all_pairs.parse().ok().filter(|&pairs| pairs > 0)?,
            state: Path::new(state),
            network: network.first().map(Path::new),
        })
    }
}

fn tune(arguments: &Arguments<'_>, network: Option<&Arc<Network>>) -> Result<Tuning, TuningError> {
    let start = match arguments.state.exists() {
        true => Tuning::read(arguments.state)?,
        false => Tuning::default(),
    };
    let tuning = Mutex::new(start);
    arguments.run.for_each_number(|| {
        let mut players = [(); 2].map(|()| Scorer::new(network.cloned()));
        let lock = || tuning.lock().unwrap_or_else(PoisonError::into_inner);
        move |number| {
            let mut random = random_of(number);
            if let Some(start) = fair_start(&mut random, &mut players[0]) {
                let perturbation = lock().perturbation(&mut random, arguments.all_pairs);
                for (player, params) in players.iter_mut().zip(perturbation.params) {
                    player.set_params(params);
                }
                let points = play_pair(start, players.each_mut(), arguments.run.nodes);
                lock().learn(&perturbation, points);
            }
            ControlFlow::Continue(())
        }
    });
    let tuning = tuning.into_inner().unwrap_or_else(PoisonError::into_inner);
    tuning.write(arguments.state)?;
    Ok(tuning)
}

#[cfg(test)]
mod tests {
    //! Arguments are checked, and a run goes on where the last one ended.

    use super::*;

    #[test]
    fn a_run_goes_on_where_the_last_one_ended() {
        let state = std::env::temp_dir().join(format!("tabiya-tune-{}", std::process::id()));
        let line = format!("1 1 1 50 100 {}", state.display());
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let arguments = Arguments::parse(&words).expect("valid");
        let first = tune(&arguments, None).expect("tuned");
        let second = tune(&arguments, None).expect("tuned");
        assert!(first.pairs > 0);
        assert!(second.pairs > first.pairs);
        std::fs::remove_file(&state).expect("removed");
    }

    #[test]
    fn wrong_arguments_are_refused() {
        for wrong in ["1 60 2 5000 10", "1 60 0 5000 10 s", "1 60 2 5000 10 s n m"] {
            let words: Vec<String> = wrong.split(' ').map(str::to_owned).collect();
            assert!(Arguments::parse(&words).is_none(), "{wrong}");
        }
    }
}
