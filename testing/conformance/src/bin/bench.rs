//! `bench`: the speed of Tabiya and of its peers in one interleaved run.

use std::{path::PathBuf, process::ExitCode, time::Duration};

use tabiya_conformance::{
    corpus,
    entrant::{Entrant, Job, Material, PERFT, entrants},
    measure::{Effort, Rate, Summary, geometric_mean, measure, table},
    pgn_bench,
};

const HELP: &str = "\
Usage: bench [options]
  --only LIST        which tables, separated by commas:
                     size counted played read-fen write-fen san write-san
                     list play play-key pgn
  --libraries LIST   which libraries (shakmaty is always run)
  --runs N           all tables so often, and in the end one table of all
                     runs in Markdown, with the range of the ratios (default 1)
  --rounds N         rounds of a run that count (default 11)
  --seconds S        least time of one sample (default 0.1)
  --program FILE     the program that the table pgn also times with one thread
                     and two (default ../target/release/tabiya)
  --games FILE       a PGN file instead of the ones in the package pgn-reader,
                     for which cargo is asked; may be given more than once
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
    runs: usize,
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
            runs: 1,
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
                "--runs" => options.runs = above_zero("--runs", &value()?)?,
                "--rounds" => options.effort.rounds = above_zero("--rounds", &value()?)?,
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

fn above_zero(option: &str, text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| *number > 0);
    number.ok_or_else(|| format!("{option} needs a number above 0"))
}

fn list(text: &str) -> Vec<String> {
    text.split(',').map(str::to_owned).collect()
}

fn run(options: &Options) -> Result<(), String> {
    let files = corpus::files(&options.games).map_err(|error| error.to_string())?;
    let text = corpus::text(&files);
    let games = corpus::games(&text).map_err(|error| error.to_string())?;
    let fens = corpus::positions(&games, 4096);
    let material = Material {
        fens: &fens,
        games: &games,
    };
    let mut entrants = entrants(&material)?;
    entrants.retain(|entrant| options.wants_library(entrant.name()));
    println!(
        "Build: {}. {} runs of {} rounds of at least {:?} a sample; {} games, {} positions.\n",
        build(),
        options.runs,
        options.effort.rounds,
        options.effort.sample,
        games.len(),
        fens.len()
    );
    let mut bench = Bench {
        options,
        material,
        files: &files,
        entrants,
        summary: Summary::default(),
    };
    bench.agree()?;
    for _ in 0..options.runs {
        bench.tables()?;
    }
    println!("{}", bench.summary.markdown());
    Ok(())
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
    files: &'a [(String, Vec<u8>)],
    entrants: Vec<Box<dyn Entrant>>,
    summary: Summary,
}

impl Bench<'_> {
    fn tables(&mut self) -> Result<(), String> {
        if self.options.wants("size") {
            self.sizes();
        }
        if self.options.wants("counted") {
            self.perft("perft, last ply counted", Job::Counted, |_| String::new());
        }
        if self.options.wants("played") {
            self.perft("perft, every leaf played", Job::Played, key_note);
        }
        if self.options.wants("list") {
            self.single(
                "full list of legal moves, M positions/s",
                Job::ListMoves,
                |_| String::new(),
            );
        }
        if self.options.wants("play") {
            self.single(
                "every legal move played, M moves/s",
                Job::PlayMoves,
                key_note,
            );
        }
        if self.options.wants("play-key") {
            let title = "list, play and key through the public API, M moves/s";
            self.single(title, Job::ListPlayKey, |_| String::new());
        }
        if self.options.wants("read-fen") {
            self.single("FEN read, M positions/s", Job::ReadFen, |_| String::new());
        }
        if self.options.wants("write-fen") {
            self.single("FEN written, M positions/s", Job::WriteFen, |_| {
                String::new()
            });
        }
        if self.options.wants("san") {
            let material = self.material;
            let wrong = |entrant: &dyn Entrant| match entrant.wrong_games(&material) {
                0 => String::new(),
                wrong => {
                    let share = 100.0 * wrong as f64 / material.games.len() as f64;
                    format!("{share:.1} % of the games wrong")
                }
            };
            self.single(
                "SAN read and played over whole games, M plies/s",
                Job::ReplaySan,
                wrong,
            );
        }
        if self.options.wants("write-san") {
            self.single(
                "SAN written and played over whole games, M plies/s",
                Job::WriteSan,
                |_| String::new(),
            );
        }
        if self.options.wants("pgn") {
            let program = self
                .options
                .program
                .clone()
                .or_else(pgn_bench::usual_program);
            pgn_bench::tables(
                self.files,
                self.options.effort,
                program.as_deref(),
                &mut self.summary,
            )?;
        }
        Ok(())
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
        &mut self,
        title: &str,
        job: fn(usize, u32) -> Job,
        note: impl Fn(&dyn Entrant) -> String,
    ) {
        let depth = |depth: u32| depth - self.options.shallower;
        let measured = self.measured(job(0, 1));
        let mut all = Vec::new();
        for (index, (name, _, most)) in PERFT.iter().enumerate() {
            let rates = self.measure(job(index, depth(*most)));
            if self.options.detail {
                let title = format!("{title}: {name}, depth {}, Mnps", depth(*most));
                println!(
                    "{}",
                    table(&title, &names(&measured), &rates, &notes(&measured, &note))
                );
            }
            all.push(rates);
        }
        let title = format!("{title}, Mnps");
        self.show(&title, job(0, 1), geometric_mean(&all), note);
    }

    fn single(&mut self, title: &str, job: Job, note: impl Fn(&dyn Entrant) -> String) {
        let rates = self.measure(job);
        self.show(title, job, rates, note);
    }

    fn measure(&self, job: Job) -> Vec<Rate> {
        measure(
            &self.measured(job),
            job,
            &self.material,
            self.options.effort,
        )
    }

    fn show(
        &mut self,
        title: &str,
        job: Job,
        rates: Vec<Rate>,
        note: impl Fn(&dyn Entrant) -> String,
    ) {
        let measured = self.measured(job);
        let names = names(&measured);
        println!("{}", table(title, &names, &rates, &notes(&measured, note)));
        self.summary.add(title, &names, rates);
    }

    /// Those that a job is measured for.
    fn measured(&self, job: Job) -> Vec<&dyn Entrant> {
        let all = self.entrants.iter().map(AsRef::as_ref);
        all.filter(|entrant| entrant.does(job)).collect()
    }

    /// Refuses to measure where the libraries see the amount of work differently.
    fn agree(&self) -> Result<(), String> {
        let perft = PERFT.iter().enumerate().flat_map(|(index, (_, _, depth))| {
            let depth = depth - self.options.shallower;
            [Job::Counted(index, depth), Job::Played(index, depth)]
        });
        let single = [
            Job::ReadFen,
            Job::WriteFen,
            Job::WriteSan,
            Job::ListMoves,
            Job::PlayMoves,
            Job::ListPlayKey,
        ];
        for job in perft.chain(single) {
            let counts: Vec<_> = self
                .measured(job)
                .iter()
                .map(|entrant| (entrant.name(), entrant.run(job, &self.material)))
                .collect();
            if counts.iter().any(|(_, count)| *count != counts[0].1) {
                return Err(format!("the libraries disagree: {job:?}: {counts:?}"));
            }
        }
        let writers = self.measured(Job::WriteSan);
        let expected = writers[0].written();
        match writers.iter().find(|writer| writer.written() != expected) {
            Some(writer) => Err(format!(
                "{} writes other SAN than {}",
                writer.name(),
                writers[0].name()
            )),
            None => Ok(()),
        }
    }
}

fn key_note(entrant: &dyn Entrant) -> String {
    let note = if entrant.keeps_key() {
        "key kept"
    } else {
        "no key"
    };
    note.into()
}

fn names(measured: &[&dyn Entrant]) -> Vec<&'static str> {
    measured.iter().map(|entrant| entrant.name()).collect()
}

fn notes(measured: &[&dyn Entrant], note: impl Fn(&dyn Entrant) -> String) -> Vec<String> {
    measured.iter().map(|entrant| note(*entrant)).collect()
}
