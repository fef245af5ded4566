//! Rows of the server, which the example `load` of its crate measures with a client process beside it.

use std::process::Command;
use std::time::Duration;

use super::load::{at_most, measured};
use crate::meter::{Meter, Stop};
use crate::program::Programs;

/// Games with two clients each and a move a second: how soon a move is with the other client, and the server's memory.
pub(super) fn games(meter: &mut Meter, programs: &Programs) -> Result<(), Stop> {
    let count = meter.size_for(1000, 1000);
    let seconds = meter.time().as_secs().clamp(5, 60);
    let mut load = load(
        programs,
        &["games", &count.to_string(), &seconds.to_string()],
    );
    for line in measured(meter, &mut load)? {
        meter.attempt(|| {
            at_most(&line, " ms (99 %)", 50.0)?;
            at_most(&line, " MiB", 1024.0)
        });
    }
    Ok(())
}

/// Many who look on: all see every move.
pub(super) fn watchers(meter: &mut Meter, programs: &Programs) -> Result<(), Stop> {
    let count = meter.size_for(10_000, 10_000);
    let mut load = load(programs, &["watchers", &count.to_string(), "30"]);
    for line in measured(meter, &mut load)? {
        meter.attempt(|| at_most(&line, " MiB,", 1024.0));
    }
    Ok(())
}

/// Games that end and begin again, clients that come and go.
pub(super) fn soak(meter: &mut Meter, programs: &Programs) -> Result<(), Stop> {
    let time = meter
        .time()
        .clamp(Duration::from_secs(30), Duration::from_secs(3600));
    // Its games leave the memory soon, so that much more than an hour's worth of them come and go.
    let mut load = Command::new(program(programs));
    load.args(["-", "soak", "50", &time.as_secs().to_string()]);
    for line in measured(meter, &mut load)? {
        meter.attempt(|| {
            at_most(&line, " % growth", 1.0)?;
            at_most(&line, " more files", 0.0)
        });
    }
    Ok(())
}

/// A server that is killed in play: the example fails if anything that was shown is lost.
pub(super) fn kills(meter: &mut Meter, programs: &Programs) -> Result<(), Stop> {
    let count = meter.size_for(1000, 200);
    let mut load = load(programs, &["kills", &count.to_string()]);
    for line in measured(meter, &mut load)? {
        meter.attempt(|| at_most(&line, " moves lost", 0.0));
    }
    meter.count(count - 1);
    Ok(())
}

/// The example with the program as its server.
fn load(programs: &Programs, arguments: &[&str]) -> Command {
    let mut command = Command::new(program(programs));
    command.arg(&programs.tabiya).args(arguments);
    command
}

fn program(programs: &Programs) -> std::ffi::OsString {
    programs.example("load").get_program().to_owned()
}
