//! The tables of the benchmark about PGN: readers against each other in one
//! thread, and the program with one thread against two.

use std::{
    fs, io,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use crate::{
    measure::{Effort, Rate, Summary, interleaved},
    pgn::{Entrant, Workload},
};

/// How many bytes of each kind of game are read in one go.
const SIZE: usize = 30_000_000;

/// Prints all tables about some files, named and as the bytes in them. The program is timed where it is found.
///
/// # Errors
/// If the readers do not find the same in a file.
pub fn tables(
    files: &[(String, Vec<u8>)],
    effort: Effort,
    program: Option<&Path>,
    summary: &mut Summary,
) -> Result<(), String> {
    for (name, text) in files {
        let text = repeated(text, SIZE);
        for (task, what) in [
            (Workload::Validation, "every move played"),
            (Workload::Tokens, "tokens alone"),
        ] {
            agree(task, &text, name)?;
            let rates = interleaved(&Entrant::ALL, effort, |entrant| {
                // The texts were read before, so this does not fail.
                let _ = std::hint::black_box(entrant.read(task, &text));
                text.len() as u64
            });
            let names = Entrant::ALL.map(Entrant::name);
            let title = format!("PGN, {what}, {name}, MB/s");
            println!("{}", table(&title, &names, &rates));
            summary.add(&title, &names, rates);
        }
        match program {
            Some(program) => threads(name, &text, program, effort)?,
            None => println!("PGN, threads: left out, because there is no program\n"),
        }
    }
    Ok(())
}

/// Times `tabiya pgn check` with one thread and with two on a file.
fn threads(name: &str, text: &[u8], program: &Path, effort: Effort) -> Result<(), String> {
    let file = std::env::temp_dir().join(format!("tabiya-bench-{}.pgn", std::process::id()));
    let failed = |error: io::Error| format!("{}: {error}", file.display());
    fs::write(&file, text).map_err(failed)?;
    let run = |threads: &&str| {
        Command::new(program)
            .args(["pgn", "check", "--threads", threads])
            .arg(&file)
            .stdout(Stdio::null())
            .status()
    };
    let checked = run(&"1");
    let rates = interleaved(&["1", "2"], effort, |threads| {
        let _ = std::hint::black_box(run(threads));
        text.len() as u64
    });
    fs::remove_file(&file).map_err(failed)?;
    match checked {
        Ok(status) if status.success() => {}
        Ok(status) => return Err(format!("{}: {status}", program.display())),
        Err(error) => return Err(format!("{}: {error}", program.display())),
    }
    let title = format!("PGN, the program with one thread and two, {name}, MB/s");
    // Here the ratio is to one thread.
    let (names, rates) = (["2 threads", "1 thread"], [rates[1], rates[0]]);
    println!("{}", table(&title, &names, &rates));
    Ok(())
}

/// A text over and over until it has a size.
#[must_use]
pub fn repeated(text: &[u8], size: usize) -> Vec<u8> {
    let mut all = Vec::with_capacity(size + text.len());
    while all.len() < size {
        all.extend_from_slice(text);
        all.extend_from_slice(b"\n\n");
    }
    all
}

/// Refuses to time readers that do not find the same.
fn agree(task: Workload, text: &[u8], name: &str) -> Result<(), String> {
    let found =
        Entrant::ALL.map(|entrant| entrant.read(task, text).map_err(|error| error.to_string()));
    match found {
        [Ok(ours), Ok(theirs)] if ours == theirs => Ok(()),
        found => Err(format!("the readers disagree: {task:?}, {name}: {found:?}")),
    }
}

/// One table: median, range, and the ratio of the medians to the last line's.
fn table(title: &str, names: &[&str], rates: &[Rate]) -> String {
    let mut text = format!(
        "{title}\n  {:<12} {:>9} {:>19} {:>7}\n",
        "", "median", "slowest..fastest", "ratio"
    );
    let base = rates.last().map_or(1.0, |rate| rate.median);
    for (name, rate) in names.iter().zip(rates) {
        let range = format!("{:.0}..{:.0}", rate.slowest / 1e6, rate.fastest / 1e6);
        text += &format!(
            "  {name:<12} {:>9.0} {range:>19} {:>7.2}\n",
            rate.median / 1e6,
            rate.median / base
        );
    }
    text
}

/// Where the program is, if it was built in the usual place.
#[must_use]
pub fn usual_program() -> Option<PathBuf> {
    let built = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/release/tabiya");
    built.is_file().then_some(built)
}
