//! `agree`: random games in which Tabiya, shakmaty and cozy-chess must give
//! the same answers.

use std::{io::Write as _, process::ExitCode};

use tabiya_conformance::agree::{Plan, run, start::Kind};

const HELP: &str = "\
Usage: agree [options]
  --positions N   positions to compare, at least (default 1000000)
  --seed N        another seed plays other games (default 1)
  --kinds LIST    starts, separated by commas:
                  standard chess960 double960 special scattered
                  (default all)
Exit code 1 if there is a difference that is not one by decision.";

fn main() -> ExitCode {
    let plan = match parse(std::env::args().skip(1)) {
        Ok(Some(plan)) => plan,
        Ok(None) => {
            println!("{HELP}");
            return ExitCode::SUCCESS;
        }
        Err(message) => {
            eprintln!("{message}\n{HELP}");
            return ExitCode::from(2);
        }
    };
    let report = run(&plan);
    // A reader that has seen enough is no error of the comparison.
    let _ = write!(std::io::stdout(), "{report}");
    if report.failures.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(1)
    }
}

fn parse(mut words: impl Iterator<Item = String>) -> Result<Option<Plan>, String> {
    let mut plan = Plan {
        positions: 1_000_000,
        seed: 1,
        kinds: Kind::ALL.to_vec(),
    };
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or_else(|| format!("{word} needs a value"));
        let number = |text: String| {
            text.parse()
                .map_err(|_| format!("{word} needs a number, not {text}"))
        };
        match word.as_str() {
            "--positions" => plan.positions = number(value()?)?,
            "--seed" => plan.seed = number(value()?)?,
            "--kinds" => {
                plan.kinds = value()?
                    .split(',')
                    .map(|name| {
                        Kind::ALL
                            .into_iter()
                            .find(|kind| kind.word() == name)
                            .ok_or_else(|| format!("unknown kind {name}"))
                    })
                    .collect::<Result<_, _>>()?;
            }
            "--help" | "-h" => return Ok(None),
            _ => return Err(format!("unknown option {word}")),
        }
    }
    Ok(Some(plan))
}
