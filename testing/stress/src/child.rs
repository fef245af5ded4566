//! A row in its own process: run there, and watched from here.

use std::io::{BufRead, BufReader, Read};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::meter::{Meter, Stop, panic_text};
use crate::outcome::Outcome;
use crate::program::{Programs, own_group, signal_group};
use crate::rows::Row;
use crate::table::Progress;

/// Tells this program that it is the process of one row.
pub(crate) const FLAG: &str = "--in-a-process-of-its-own";

/// The extra time that a row may take beyond twice its time, because tests have to be built.
const BUILDING: Duration = Duration::from_secs(15 * 60);

/// Runs a row, and prints its outcome line by line.
pub(crate) fn run(row: &'static Row, time: Duration) -> ExitCode {
    end_with_the_watcher();
    // A panic is a finding. Its message is kept, but not a page of output for each.
    std::panic::set_hook(Box::new(|_| {}));
    let mut meter = Meter::new(time);
    let ended = match Programs::built() {
        Err(sentence) => Err(Stop::Broken(sentence)),
        Ok(programs) => catch_unwind(AssertUnwindSafe(|| row.run(&mut meter, &programs)))
            .unwrap_or_else(|panic| {
                let text = panic_text(&*panic);
                Err(Stop::Broken(format!("the row panicked: {text}")))
            }),
    };
    for line in meter.finish(ended).lines() {
        println!("{line}");
    }
    ExitCode::SUCCESS
}

/// Ends this process and everything it started when the watching process is gone, which closes its input.
fn end_with_the_watcher() {
    thread::spawn(|| {
        let mut nothing = [0];
        while let Ok(1..) = std::io::stdin().read(&mut nothing) {}
        signal_group(std::process::id(), "KILL");
    });
}

/// Runs a row in its own process, and returns its outcome, whatever happens to that process.
pub(crate) fn watch(row: &'static Row, time: Duration) -> Outcome {
    let begun = Instant::now();
    let mut outcome = Outcome::default();
    let limit = time * 2 + BUILDING;
    match start(row, time) {
        Err(error) => outcome.broken = Some(format!("its process did not start: {error}")),
        Ok(mut child) => {
            let lines = lines_of(&mut child);
            let told = listen(row, &lines, &mut outcome, time, limit);
            // Whatever the row has left behind is killed. A process that has already exited does no harm.
            signal_group(child.id(), "KILL");
            let status = child.wait();
            if let Err(sentence) = told {
                outcome.broken = Some(match status {
                    Ok(status) => format!("{sentence} ({status})"),
                    Err(error) => format!("{sentence} ({error})"),
                });
            }
        }
    }
    outcome.took = begun.elapsed();
    outcome
}

fn start(row: &Row, time: Duration) -> std::io::Result<Child> {
    let minutes = (time.as_secs_f64() / 60.0).to_string();
    let mut command = Command::new(std::env::current_exe()?);
    own_group(&mut command)
        .args([FLAG, row.id, "--minutes", &minutes])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
}

fn lines_of(child: &mut Child) -> Receiver<String> {
    let (sender, lines) = channel();
    let output = child.stdout.take();
    thread::spawn(move || {
        let lines = output
            .map(BufReader::new)
            .into_iter()
            .flat_map(BufRead::lines);
        for line in lines.map_while(Result::ok) {
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    lines
}

/// Reads the lines of the process until its outcome is complete, or returns a sentence that says why it is
/// not.
fn listen(
    row: &'static Row,
    lines: &Receiver<String>,
    outcome: &mut Outcome,
    time: Duration,
    limit: Duration,
) -> Result<(), String> {
    let mut progress = Progress::new(row.id, time);
    let begun = Instant::now();
    loop {
        match lines.recv_timeout(Duration::from_millis(200)) {
            Ok(line) if outcome.take(&line) => return Ok(()),
            Ok(_) => {}
            Err(RecvTimeoutError::Timeout) if begun.elapsed() > limit => {
                return Err(format!("it hung and was ended after {} s", limit.as_secs()));
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                return Err("its process died before the end".to_owned());
            }
        }
        progress.show(outcome);
    }
}
