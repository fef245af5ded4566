//! A row in its own process: run there, and watched from here.

use std::io::Read;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::{Command, ExitCode, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::meter::{Fault, Meter, Outcome, panic_text};
use crate::process::{Program, follow, own_group, signal};
use crate::rows::Row;

/// Tells this program that it is the process of one row.
const FLAG: &str = "--in-a-process-of-its-own";

/// The extra time that a row may take beyond twice its time, because tests have to be built.
const BUILDING: Duration = Duration::from_secs(15 * 60);

/// Runs a row, and prints its outcome.
pub(crate) fn run(row: &Row, time: Duration) -> ExitCode {
    // Ends this process and everything it started when the watching process is gone, which closes its input.
    thread::spawn(|| {
        let mut nothing = [0];
        while let Ok(1..) = std::io::stdin().read(&mut nothing) {}
        signal(format!("-{}", std::process::id()), "KILL");
    });
    // A panic is a finding. Its message is kept, but not a page of output for each.
    std::panic::set_hook(Box::new(|_| {}));
    let mut meter = Meter::new(time);
    let ended = Program::built().and_then(|program| {
        catch_unwind(AssertUnwindSafe(|| row.run(&mut meter, &program)))
            .unwrap_or_else(|panic| Err(format!("the row {}", panic_text(&*panic)).into()))
    });
    match serde_json::to_string(&meter.finish(ended)) {
        Ok(line) => println!("{line}"),
        Err(error) => eprintln!("stress: {error}"),
    }
    ExitCode::SUCCESS
}

/// Runs a row in its own process, and returns its outcome, whatever happens to that process.
pub(crate) fn watch(row: &Row, time: Duration) -> Outcome {
    let begun = Instant::now();
    let mut outcome = outcome(row, time).unwrap_or_else(|fault| Outcome {
        broken: Some(fault.to_string()),
        ..Outcome::default()
    });
    outcome.seconds = begun.elapsed().as_secs();
    outcome
}

fn outcome(row: &Row, time: Duration) -> Result<Outcome, Fault> {
    let minutes = (time.as_secs_f64() / 60.0).to_string();
    let mut command = Command::new(std::env::current_exe()?);
    let mut child = own_group(&mut command)
        .args([FLAG, row.id, "--minutes", &minutes])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let mut outcome = None;
    let ended = follow(&mut child, time * 2 + BUILDING, |line| {
        outcome = serde_json::from_str(line).ok().or(outcome.take());
    });
    // Whatever the row has left behind is killed. A process that has already exited does no harm.
    signal(format!("-{}", child.id()), "KILL");
    child.wait()?;
    outcome.ok_or_else(|| match ended {
        Ok(status) => format!("its process died before the end ({status})").into(),
        Err(fault) => fault,
    })
}
