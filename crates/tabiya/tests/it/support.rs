//! Running the binary.

use std::io::Write;
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

/// What a run left behind.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) out: String,
    pub(crate) err: String,
    pub(crate) code: i32,
}

impl Run {
    /// The output of a run that went well and said nothing on stderr.
    #[track_caller]
    pub(crate) fn fine(self) -> String {
        assert_eq!((self.code, self.err.as_str()), (0, ""), "{}", self.out);
        self.out
    }

    /// The sentence of a run that was refused with exit code 1 and printed nothing.
    #[track_caller]
    pub(crate) fn refused(self) -> String {
        assert_eq!((self.code, self.out.as_str()), (1, ""), "{}", self.err);
        self.err
    }
}

/// How much of something a test does: what a variable of the environment says, for a release, or little.
pub(crate) fn size(variable: &str, little: usize) -> usize {
    let wanted = std::env::var(variable).ok();
    wanted.map_or(little, |text| text.parse().expect("a number"))
}

/// The binary with arguments, and without what the environment of the tests could change.
pub(crate) fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tabiya"));
    command.args(arguments);
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS"] {
        command.env_remove(name);
    }
    for (name, value) in no_home() {
        command.env(name, value);
    }
    command
}

/// The variables that keep a run away from what the user of this machine has kept and settled.
pub(crate) fn no_home() -> [(&'static str, String); 3] {
    static RUNS: AtomicUsize = AtomicUsize::new(0);
    // A folder for each run, so that none finds the games of another.
    let run = RUNS.fetch_add(1, Ordering::Relaxed);
    let folder = format!("tabiya-home-{}-{run}", std::process::id());
    let folder = std::env::temp_dir().join(folder).display().to_string();
    ["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"].map(|name| (name, folder.clone()))
}

/// Runs it with nothing on stdin.
pub(crate) fn run(arguments: &[&str]) -> Run {
    run_with(arguments, "")
}

/// Runs it with a text on stdin.
pub(crate) fn run_with(arguments: &[&str], input: &str) -> Run {
    let mut child = spawn(arguments);
    let mut stdin = child.stdin.take().expect("stdin is a pipe");
    let input = input.to_owned();
    // From another thread, because a child may want its output read before it reads on.
    let writer = std::thread::spawn(move || {
        // A child that ends before it has read everything is fine.
        let _ = stdin.write_all(input.as_bytes());
    });
    let output = child.wait_with_output().expect("the child ends");
    writer.join().expect("the writer ends");
    finished(&output)
}

/// Starts it with pipes.
pub(crate) fn spawn(arguments: &[&str]) -> Child {
    command(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary can be started")
}

pub(crate) fn finished(output: &Output) -> Run {
    Run {
        out: String::from_utf8(output.stdout.clone()).expect("stdout is UTF-8"),
        err: String::from_utf8(output.stderr.clone()).expect("stderr is UTF-8"),
        code: output.status.code().expect("no signal ended it"),
    }
}

/// The one JSON object a run printed.
#[track_caller]
pub(crate) fn json(run: Run) -> serde_json::Value {
    let out = run.fine();
    assert_eq!(out.lines().count(), 1, "{out}");
    serde_json::from_str(&out).expect("JSON")
}
