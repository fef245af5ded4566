//! Load tests of a server: games with two clients each, idle watchers, a soak, and kills during play. The server is a process
//! of its own, on the same machine.
//!
//! ```text
//! load PROGRAM games COUNT SECONDS       a move a second in each game: the time from a move to the other client
//! load PROGRAM watchers COUNT SECONDS    idle watchers of one game: memory, and the time until all have seen a move
//! load PROGRAM soak GAMES SECONDS        games, rematches, clients that come and go: growth in the second half
//! load PROGRAM kills COUNT               kill -9 in play: nothing that was shown may be lost
//! ```
//!
//! `PROGRAM` is the path of `tabiya`, or `-` for a server that this program runs in a second process. The latter removes unused
//! games from memory after two seconds instead of ten minutes, so that a short soak shows growth. The program prints one line
//! of figures. It fails if anything but a kill ends a connection, if a move is lost, or if a request is refused.

mod games;
mod kills;
mod player;
mod server;
mod soak;
mod watchers;

use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use server::Program;

/// What went wrong, in a sentence.
type Fault = Box<dyn Error + Send + Sync>;

const USAGE: &str = "usage: load PROGRAM|- games COUNT SECONDS | watchers COUNT SECONDS | soak GAMES SECONDS | kills COUNT";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match run(&words) {
        Ok(line) => {
            println!("{line}");
            ExitCode::SUCCESS
        }
        Err(fault) => {
            eprintln!("load: {fault}");
            ExitCode::FAILURE
        }
    }
}

fn run(words: &[&str]) -> Result<String, Fault> {
    if let ["serve", folder, port] = words {
        server::serve(PathBuf::from(folder), port.parse()?)?;
        return Ok(String::new());
    }
    let [program, mode, numbers @ ..] = words else {
        return Err(USAGE.into());
    };
    let program = match *program {
        "-" => Program::Own,
        path => Program::Tabiya(path.into()),
    };
    raise_file_limit();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let seconds = |word: &str| word.parse().map(Duration::from_secs);
    match (*mode, numbers) {
        ("games", [count, time]) => {
            runtime.block_on(games::run(program, count.parse()?, seconds(time)?))
        }
        ("watchers", [count, time]) => {
            runtime.block_on(watchers::run(program, count.parse()?, seconds(time)?))
        }
        ("soak", [count, time]) => {
            runtime.block_on(soak::run(program, count.parse()?, seconds(time)?))
        }
        ("kills", [count]) => runtime.block_on(kills::run(program, count.parse()?)),
        _ => Err(USAGE.into()),
    }
}

/// Raises the limit on open files: every client is one.
fn raise_file_limit() {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
        let wanted = Rlimit {
            current: maximum,
            maximum,
        };
        // If this fails, there can be fewer clients, and connecting reports it.
        let _ = setrlimit(Resource::Nofile, wanted);
    }
}
