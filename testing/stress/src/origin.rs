//! Where the outcomes of a run come from: the version of the program, its commit, the day, and the machine.

use crate::outcome::Outcome;
use crate::program::{Programs, said};

/// What each row of a run has in common.
#[derive(Debug)]
pub(crate) struct Origin {
    version: String,
    commit: String,
    date: String,
    machine: String,
}

impl Origin {
    /// Returns what the programs, Git and the system report.
    pub(crate) fn of(programs: &Programs) -> Origin {
        let unknown = || "unknown".to_owned();
        let version = said(&programs.tabiya.to_string_lossy(), &["--version"]);
        let root = programs.root.to_string_lossy();
        Origin {
            version: version
                .and_then(|line| Some(line.split(' ').nth(1)?.to_owned()))
                .unwrap_or_else(unknown),
            commit: said("git", &["-C", &root, "rev-parse", "--short", "HEAD"])
                .unwrap_or_else(unknown),
            date: said("date", &["-u", "+%Y-%m-%d"]).unwrap_or_else(unknown),
            machine: machine(),
        }
    }

    pub(crate) fn sign(&self, outcome: &mut Outcome) {
        outcome.version.clone_from(&self.version);
        outcome.commit.clone_from(&self.commit);
        outcome.date.clone_from(&self.date);
        outcome.machine.clone_from(&self.machine);
    }
}

/// Returns the machine of this run, as far as the system reports it.
fn machine() -> String {
    let cpu = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let cpu = field(&cpu, "model name").unwrap_or_else(|| std::env::consts::ARCH.to_owned());
    let memory = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let memory = field(&memory, "MemTotal")
        .and_then(|text| text.split(' ').next()?.parse::<u64>().ok())
        .map_or("memory unknown".to_owned(), |kib| {
            format!("{:.1} GiB", kib as f64 / 1048576.0)
        });
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let system = said("uname", &["-sr"]).unwrap_or_else(|| "system unknown".to_owned());
    let compiler = said("rustc", &["--version"]).unwrap_or_else(|| "compiler unknown".to_owned());
    format!("{cpu}, {cores} cores, {memory}, {system}, {compiler}")
}

/// Returns the value of a field in a text of lines `name: value`.
fn field(text: &str, name: &str) -> Option<String> {
    let line = text.lines().find(|line| line.starts_with(name))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}
