//! `bench`: the speed of Tabiya and of its peers in one interleaved run.

use std::{path::PathBuf, process::ExitCode, time::Duration};

use tabiya_conformance::{
    corpus,
    entrant::{Entrant, Job, Material, PERFT, entrants},
    measure::{Effort, geometric_mean, measure, table},
    pgn_bench,
};

const HELP: &str = "\
Usage: bench [options]
  --only LIST        which tables, separated by commas:
                     size counted played read-fen write-fen san list
                     play-key pgn
  --libraries LIST   which libraries (shakmaty is always run)
  --rounds N         rounds that count (default 11)
  --seconds S        least time of one sample (default 0.1)
  --program FILE     the program that the table pgn also times with one thread
                     and two (default ../target/release/tabiya)
  --games FILE       a PGN file instead of the ones in the package pgn-reader;
                     may be given more than once
  --detail           a table for each perft position too
  --quick            3 short rounds, perft one ply less deep";

fn main() -> ExitCode {
    let options = match Options::parse(std::env::args().skip(1)) {
        Ok(Some(options)) => options,
        Ok(None) => {
            println!("{HELP}");
            return ExitCode::SUCCESS;
        }
        Err(message) => {
            eprintln!("{message}\n{HELP}");
            return ExitCode::from(2);
        }
    };
    match run(&options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(1)
        }
    }
}

struct Options {
    only: Option<Vec<String>>,
    libraries: Option<Vec<String>>,
    effort: Effort,
    games: Vec<PathBuf>,
    program: Option<PathBuf>,
    detail: bool,
    shallower: u32,
}

impl Options {
    fn parse(mut words: impl Iterator<Item = String>) -> Result<Option<Self>, String> {
        let mut options = Self {
            only: None,
            libraries: None,
            effort: Effort {
                rounds: 11,
                sample: Duration::from_millis(100),
            },
            games: Vec::new(),
            program: None,
            detail: false,
            shallower: 0,
        };
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or_else(|| format!("{word} needs a value"));
            match word.as_str() {
                "--only" => options.only = Some(list(&value()?)),
                "--libraries" => options.libraries = Some(list(&value()?)),
                "--rounds" => {
                    options.effort.rounds = value()?
                        .parse()
                        .ok()
                        .filter(|rounds| *rounds > 0)
                        .ok_or("--rounds needs a number above 0")?;
                }
                "--seconds" => {
                    options.effort.sample = value()?
                        .parse()
                        .ok()
                        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
                        .ok_or("--seconds needs a number")?;
                }
                "--games" => options.games.push(value()?.into()),
                "--program" => options.program = Some(value()?.into()),
                "--detail" => options.detail = true,
                "--quick" => {
                    options.effort = Effort {
                        rounds: 3,
                        sample: Duration::from_millis(20),
                    };
                    options.shallower = 1;
                }
                "--help" | "-h" => return Ok(None),
                _ => return Err(format!("unknown option {word}")),
            }
        }
        Ok(Some(options))
    }

    fn wants(&self, table: &str) -> bool {
        self.only
            .as_ref()
            .is_none_or(|only| only.iter().any(|name| name == table))
    }

    fn wants_library(&self, library: &str) -> bool {
        library == "shakmaty"
            || self
                .libraries
                .as_ref()
                .is_none_or(|names| names.iter().any(|name| name == library))
    }
}

fn list(text: &str) -> Vec<String> {
    text.split(',').map(str::to_owned).collect()
}

fn run(options: &Options) -> Result<(), String> {
    let text = corpus::read_texts(&options.games).map_err(|error| error.to_string())?;
    let games = corpus::games(&text).map_err(|error| error.to_string())?;
    let fens = corpus::positions(&games, 4096);
    let material = Material {
        fens: &fens,
        games: &games,
    };
    let mut entrants = entrants(&material)?;
    entrants.retain(|entrant| options.wants_library(entrant.name()));
    println!(
        "Build: {}. {} rounds of at least {:?} a sample; {} games, {} positions.\n",
        build(),
        options.effort.rounds,
        options.effort.sample,
        games.len(),
        fens.len()
    );
    // Those that generate moves themselves come first.
    entrants.sort_by_key(|entrant| !entrant.generates());
    Bench {
        options,
        material,
        names: entrants.iter().map(|entrant| entrant.name()).collect(),
        generators: entrants
            .iter()
            .filter(|entrant| entrant.generates())
            .count(),
        entrants,
    }
    .tables()
}

/// What this program was compiled for, as far as it matters here.
fn build() -> &'static str {
    if cfg!(target_feature = "avx512f") {
        "native, with AVX-512"
    } else if cfg!(target_feature = "bmi2") {
        "native, with BMI2"
    } else if cfg!(target_feature = "popcnt") {
        "with POPCNT"
    } else {
        "plain, no CPU features beyond the target's least"
    }
}

struct Bench<'a> {
    options: &'a Options,
    material: Material<'a>,
    names: Vec<&'static str>,
    /// How many of the entrants, the first ones, generate moves themselves.
    generators: usize,
    entrants: Vec<Box<dyn Entrant>>,
}

impl Bench<'_> {
    fn tables(&self) -> Result<(), String> {
        if self.options.wants("size") {
            self.sizes();
        }
        if self.options.wants("counted") {
            self.perft("perft, last ply counted", Job::Counted, &[])?;
        }
        if self.options.wants("played") {
            let notes = self.notes(|entrant| {
                let key = if entrant.keeps_key() {
                    "key kept"
                } else {
                    "no key"
                };
                key.into()
            });
            self.perft("perft, every leaf played", Job::Played, &notes)?;
        }
        if self.options.wants("read-fen") {
            self.single("FEN read, M positions/s", Job::ReadFen, &[])?;
        }
        if self.options.wants("write-fen") {
            self.single("FEN written, M positions/s", Job::WriteFen, &[])?;
        }
        if self.options.wants("san") {
            let notes = self.notes(|entrant| match entrant.wrong_games(&self.material) {
                0 => String::new(),
                wrong => {
                    let share = 100.0 * wrong as f64 / self.material.games.len() as f64;
                    format!("{share:.1} % of the games wrong")
                }
            });
            let title = "SAN read and played over whole games, M plies/s";
            self.single(title, Job::ReplaySan, &notes)?;
        }
        if self.options.wants("list") {
            let title = "full list of legal moves, M positions/s";
            self.single(title, Job::ListMoves, &[])?;
        }
        if self.options.wants("play-key") {
            let title = "list, play and key through the public API, M moves/s";
            self.single(title, Job::ListPlayKey, &[])?;
        }
        if self.options.wants("pgn") {
            let program = self
                .options
                .program
                .clone()
                .or_else(pgn_bench::usual_program);
            pgn_bench::tables(self.options.effort, program.as_deref())?;
        }
        Ok(())
    }

    fn notes(&self, note: impl Fn(&dyn Entrant) -> String) -> Vec<String> {
        self.entrants
            .iter()
            .map(|entrant| note(entrant.as_ref()))
            .collect()
    }

    fn sizes(&self) {
        println!("Bytes of a position and of a move");
        for entrant in &self.entrants {
            let (position, mv) = entrant.sizes();
            println!("  {:<12} {position:>9} {mv:>9}", entrant.name());
        }
        println!();
    }

    fn perft(
        &self,
        title: &str,
        job: fn(usize, u32) -> Job,
        notes: &[String],
    ) -> Result<(), String> {
        let mut all = Vec::new();
        for (index, (name, fen, depth)) in PERFT.iter().enumerate() {
            let depth = depth - self.options.shallower;
            self.agree(job(index, depth), fen)?;
            let rates = measure(
                self.measured(job(index, depth)),
                job(index, depth),
                &self.material,
                self.options.effort,
            );
            if self.options.detail {
                let title = format!("{title}: {name}, depth {depth}, Mnps");
                println!("{}", table(&title, &self.names, &rates, notes));
            }
            all.push(rates);
        }
        let title = format!("{title}, Mnps, geometric mean of {} positions", PERFT.len());
        println!(
            "{}",
            table(&title, &self.names, &geometric_mean(&all), notes)
        );
        Ok(())
    }

    fn single(&self, title: &str, job: Job, notes: &[String]) -> Result<(), String> {
        if job != Job::ReplaySan {
            self.agree(job, title)?;
        }
        let rates = measure(self.measured(job), job, &self.material, self.options.effort);
        println!("{}", table(title, &self.names, &rates, notes));
        Ok(())
    }

    /// Those that a job is measured for: not a library whose generator is that of another one.
    fn measured(&self, job: Job) -> &[Box<dyn Entrant>] {
        match job.is_generation() {
            true => &self.entrants[..self.generators],
            false => &self.entrants,
        }
    }

    /// Refuses to measure a job whose amount of work the libraries see
    /// differently.
    fn agree(&self, job: Job, what: &str) -> Result<(), String> {
        let counts: Vec<_> = self
            .entrants
            .iter()
            .map(|entrant| entrant.run(job, &self.material))
            .collect();
        if counts.iter().any(|count| *count != counts[0]) {
            return Err(format!(
                "the libraries disagree: {job:?}, {what}: {:?} {counts:?}",
                self.names
            ));
        }
        Ok(())
    }
}
