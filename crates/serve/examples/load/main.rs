//! Load on a server: games between two clients each, idle watchers, a soak, and kills in play. The server is a process of
//! its own, and everything stays on this machine.
//!
//! ```text
//! load PROGRAM games COUNT SECONDS       a move a second in each game: the time from a move to the other client
//! load PROGRAM watchers COUNT SECONDS    idle watchers of one game: memory, and the time until all have seen a move
//! load PROGRAM soak GAMES SECONDS        games, rematches, clients that come and go: growth in the second half
//! load PROGRAM kills COUNT               kill -9 in play: nothing that was shown may be lost
//! ```
//!
//! `PROGRAM` is `tabiya`, or `-` for a server in a process of this program, whose games leave the memory after two seconds
//! instead of ten minutes: in a soak of minutes they must. It prints one line of figures, and fails if anything but a kill
//! ended a connection, a move was lost, or a request was refused.

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

/// Every client is an open file.
fn raise_file_limit() {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
        let wanted = Rlimit {
            current: maximum,
            maximum,
        };
        // Without it there are fewer clients, and the system says so.
        let _ = setrlimit(Resource::Nofile, wanted);
    }
}
