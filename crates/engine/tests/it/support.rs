//! What the tests share: the engine as a program, and a conversation with deadlines.

use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use tabiya_rules::{CastlingMode, MoveHistory, Position};
use tabiya_uci::{Line, LineReader, Reply, UciCommand};

/// The engine as a program, which Cargo builds as an example before it runs the tests.
pub(crate) fn program() -> PathBuf {
    let test = std::env::current_exe().expect("a path");
    let profile = test.ancestors().nth(2).expect("the folder of the profile");
    let built = profile.join("examples/serve");
    assert!(
        built.exists(),
        "{} is missing: cargo build -p tabiya-engine --examples",
        built.display()
    );
    built
}

/// Lines as they come, each with its time limit.
pub(crate) struct Lines(Receiver<String>);

impl Lines {
    pub(crate) fn of(output: impl Read + Send + 'static) -> Lines {
        let (sender, receiver) = channel();
        std::thread::spawn(move || {
            let mut lines = LineReader::new(output);
            while let Ok(Line::Whole(line)) = lines.next_line() {
                let text = String::from_utf8(line).expect("text");
                assert!(text.chars().all(tabiya_uci::is_plain), "{text:?}");
                if sender.send(text).is_err() {
                    return;
                }
            }
        });
        Lines(receiver)
    }

    pub(crate) fn next(&self, limit: Duration) -> Option<String> {
        self.0.recv_timeout(limit).ok()
    }

    /// All lines up to one that fits.
    #[track_caller]
    pub(crate) fn until(&self, fits: impl Fn(&str) -> bool, limit: Duration) -> Vec<String> {
        let until = Instant::now() + limit;
        let mut all = Vec::new();
        loop {
            let left = until.saturating_duration_since(Instant::now());
            match self.next(left) {
                Some(line) => {
                    let done = fits(&line);
                    all.push(line);
                    if done {
                        return all;
                    }
                }
                None => panic!("nothing that fits within {limit:?}: {all:?}"),
            }
        }
    }
}

/// The engine as a program.
pub(crate) struct Conversation {
    pub(crate) child: Child,
    pub(crate) input: Option<ChildStdin>,
    pub(crate) lines: Lines,
    played: MoveHistory,
    mode: CastlingMode,
}

impl Conversation {
    pub(crate) fn start() -> Conversation {
        Conversation::with(&mut Command::new(program()))
    }

    /// A conversation with the program of a command.
    pub(crate) fn with(command: &mut Command) -> Conversation {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("it starts");
        let lines = Lines::of(child.stdout.take().expect("a pipe"));
        Conversation {
            input: child.stdin.take(),
            child,
            lines,
            played: MoveHistory::default(),
            mode: CastlingMode::Standard,
        }
    }

    pub(crate) fn send(&mut self, line: &[u8]) {
        match UciCommand::parse(line) {
            Ok(UciCommand::Position(position)) => {
                if let Ok(played) = position.play(self.mode) {
                    self.played = played;
                }
            }
            Ok(UciCommand::SetOption(option)) if option.name == "UCI_Chess960" => {
                self.mode = match option.value.as_deref() {
                    Some("true") => CastlingMode::Chess960,
                    _ => CastlingMode::Standard,
                };
            }
            _ => {}
        }
        let input = self.input.as_mut().expect("still open");
        input.write_all(line).expect("it reads");
        input.write_all(b"\n").expect("it reads");
    }

    /// The memory it has, in KiB; 0 on systems that do not tell.
    pub(crate) fn resident_kib(&self) -> u64 {
        let path = format!("/proc/{}/status", self.child.id());
        let status = std::fs::read_to_string(path).unwrap_or_default();
        let field = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let number = field.and_then(|field| field.split_whitespace().next());
        number.map_or(0, |number| number.parse().expect("a number"))
    }

    /// Sends a line, waits for one that begins with a word, and tells how long that took.
    #[track_caller]
    pub(crate) fn time(&mut self, line: &str, word: &str) -> Duration {
        let begun = Instant::now();
        self.send(line.as_bytes());
        self.lines.until(
            |line| line.split(' ').next() == Some(word),
            Duration::from_secs(60),
        );
        begun.elapsed()
    }

    /// The last position sent that was one.
    pub(crate) fn position(&self) -> &Position {
        self.played.current()
    }

    /// It ends with status 0 in time.
    #[track_caller]
    pub(crate) fn assert_exit(&mut self, limit: Duration) {
        let begun = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("it is ours") {
                assert!(status.success(), "{status}");
                return;
            }
            assert!(begun.elapsed() < limit, "still running after {limit:?}");
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

impl Drop for Conversation {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Checks that a `bestmove` line names a legal move, and gives its text.
#[track_caller]
pub(crate) fn assert_legal(position: &Position, line: &str) {
    match Reply::parse(line.as_bytes()) {
        Reply::BestMove(best) => match best.best {
            Some(m) => {
                let m = position.resolve_uci(m);
                assert!(m.is_ok(), "{line} in {position}");
            }
            None => assert!(!position.has_legal_move(), "{line} in {position}"),
        },
        other => panic!("no bestmove: {other:?}"),
    }
}

/// Returns a size that an environment variable may set.
pub(crate) fn size(variable: &str, otherwise: u64) -> u64 {
    std::env::var(variable).map_or(otherwise, |text| text.parse().expect("a number"))
}

pub(crate) fn is_best(line: &str) -> bool {
    line.starts_with("bestmove")
}
