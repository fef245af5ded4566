//! The keeping of games, measured on the real program.
//!
//! `saves moves PROGRAM [COUNT]` plays so many moves (1,000) in a game that is kept, and prints how long each took from
//! its input to its output, which comes after it is on the disk. `saves list PROGRAM [COUNT]` makes so many saves
//! (100,000), and prints how long the program takes to list them and how much memory it has needed. Both work in a
//! folder of their own below the one for temporary files, or below the folder that TMPDIR names.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let count = |text: &[&str], otherwise: usize| {
        text.first()
            .map_or(otherwise, |text| text.parse().expect("a number"))
    };
    match words[..] {
        ["moves", program, ref rest @ ..] => moves(program, count(rest, 1000)),
        ["list", program, ref rest @ ..] => list(program, count(rest, 100_000)),
        _ => eprintln!("saves moves PROGRAM [COUNT] | saves list PROGRAM [COUNT]"),
    }
}

/// A folder that is removed in the end.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Folder {
        let folder = std::env::temp_dir().join(format!("tabiya-saves-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("tabiya/saves")).expect("a folder");
        Folder(folder)
    }

    fn saves(&self) -> PathBuf {
        self.0.join("tabiya/saves")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The program in its line mode.
struct Program {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Program {
    fn start(program: &str, arguments: &[&str], folder: &Path) -> Program {
        let mut child = Command::new(program)
            .args(arguments)
            .env("XDG_DATA_HOME", folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program can be started");
        let input = child.stdin.take().expect("a pipe");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        Program {
            child,
            input,
            output,
        }
    }

    fn say(&mut self, line: &str) {
        writeln!(self.input, "{line}").expect("it reads");
    }

    /// Reads up to a line with this text in it.
    fn wait(&mut self, text: &str) {
        let mut line = String::new();
        while !line.contains(text) {
            line.clear();
            let read = self.output.read_line(&mut line).expect("it answers");
            assert_ne!(read, 0, "it ended before it said {text}");
        }
    }

    /// The most memory that it has had, in MB, where the system tells.
    fn peak(&self) -> Option<f64> {
        let path = format!("/proc/{}/status", self.child.id());
        let status = std::fs::read_to_string(path).ok()?;
        let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
        let kib: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
        Some(kib / 1024.0)
    }

    fn leave(mut self) {
        drop(self.input);
        self.child.wait().expect("it ends");
    }
}

fn moves(program: &str, count: usize) {
    let folder = Folder::new();
    let mut times: Vec<Duration> = Vec::new();
    let mut game = 0;
    while times.len() < count {
        game += 1;
        let name = format!("game {game}");
        let mut first = Program::start(program, &["play", "--json"], &folder.0);
        first.say(&format!("save {name}"));
        first.wait("Saved as");
        first.leave();
        let mut playing =
            Program::start(program, &["play", "--json", "--resume", &name], &folder.0);
        playing.wait("\"turn\"");
        // Pawns first, and then so few moves there and back that no position occurs five times.
        for text in OPENING.split(' ').chain(SHUFFLE.split(' ')) {
            let begun = Instant::now();
            playing.say(text);
            playing.wait("\"moved\"");
            times.push(begun.elapsed());
            playing.wait("\"turn\"");
        }
        playing.leave();
    }
    times.sort_unstable();
    let at = |part: f64| times[((times.len() - 1) as f64 * part) as usize].as_secs_f64() * 1e3;
    println!(
        "{} moves: median {:.2} ms, 99 of 100 within {:.2} ms, longest {:.2} ms",
        times.len(),
        at(0.5),
        at(0.99),
        at(1.0)
    );
}

const OPENING: &str = "a3 a6 b3 b6 c3 c6 d3 d6 e3 e6 f3 f6 g3 g6 h3 h6 a4 a5 b4 b5 c4 c5 d4 d5 e4 e5 f4 f5 g4 g5 h4 h5";
const SHUFFLE: &str = "Nc3 Nc6 Nb1 Nb8 Nd2 Nd7 Nb1 Nb8 Be2 Be7 Bf1 Bf8";

fn list(program: &str, count: usize) {
    let folder = Folder::new();
    let text = "[Event \"?\"]\n[Site \"?\"]\n[Date \"2026.11.15\"]\n[White \"Player\"]\n[Black \"bot:4\"]\n\
                [Result \"*\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *\n";
    for number in 0..count {
        let path = folder.saves().join(format!("game-{number:06}.pgn"));
        std::fs::write(path, text).expect("written");
    }
    for _ in 0..5 {
        let mut playing = Program::start(program, &["play", "--json"], &folder.0);
        playing.wait("\"turn\"");
        let begun = Instant::now();
        playing.say("saves");
        playing.wait("\"saves\"");
        let time = begun.elapsed();
        println!(
            "{count} saves listed in {:.0} ms, at most {:.0} MB of memory",
            time.as_secs_f64() * 1e3,
            playing.peak().unwrap_or(f64::NAN)
        );
        playing.leave();
    }
}
