//! Rows about PGN: files of any size and shape through the real program, and changed bytes through the library.

use std::io::Write;
use std::process::{ChildStdin, Stdio};
use std::time::{Duration, Instant};

use tabiya_game::pgn;
use tabiya_rules::{Position, SplitMix64};

use crate::meter::{Meter, Stop};
use crate::program::{Fed, Programs, resident_kib};

const MIB: u64 = 1 << 20;
const GIB: u64 = 1 << 30;
const MOST_KIB: u64 = 64 * 1024;

/// Games that are written again and again, with how many moves their main lines have.
struct Games {
    text: Vec<u8>,
    count: u64,
    plies: u64,
}

/// Random games with everything that real ones have.
fn games() -> Games {
    let mut random = SplitMix64::new(7);
    let mut games = Games {
        text: Vec::new(),
        count: 500,
        plies: 0,
    };
    for number in 1..=games.count {
        let mut text = format!(
            "[Event \"Load\"]\n[Site \"?\"]\n[Date \"2026.01.01\"]\n[Round \"{number}\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"*\"]\n\n"
        );
        let mut position = Position::start();
        for ply in 0..20 + random.below(100) {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            if ply % 2 == 0 {
                text += &format!("{}. ", ply / 2 + 1);
            }
            let m = moves[random.below(moves.len())];
            text += &format!("{} ", position.san(m));
            match random.below(8) {
                0..3 => {
                    text += &format!(
                        "{{[%clk 0:{:02}:11] [%eval 0.{}]}} ",
                        random.below(60),
                        random.below(99)
                    );
                }
                3 => {
                    let other = moves[random.below(moves.len())];
                    let dots = if ply % 2 == 0 { "." } else { "..." };
                    text += &format!("({}{dots} {}) ", ply / 2 + 1, position.san(other));
                }
                4 => text += &format!("${} ", random.below(140)),
                _ => {}
            }
            position = position.play(m);
            games.plies += 1;
        }
        text += "*\n\n";
        games.text.extend_from_slice(text.as_bytes());
    }
    games
}

/// `pgn check` on a gibibyte, one thread and all.
pub(crate) fn big(meter: &mut Meter, programs: &Programs) -> Result<(), Stop> {
    let games = games();
    let times = GIB.div_ceil(games.text.len() as u64);
    let expected = format!(
        "{} games, {} moves, 0 errors",
        games.count * times,
        games.plies * times
    );
    let text = std::sync::Arc::new(games.text);
    for threads in ["1", "2"] {
        let text = text.clone();
        let fed = programs.feed(&["pgn", "check", "--threads", threads, "-"], move |input| {
            (0..times).try_for_each(|_| input.write_all(&text))
        })?;
        let plies = (games.plies * times) as f64 / fed.took.as_secs_f64();
        meter.figure(format!(
            "{threads} thread: {:.0} MB/s, {:.1} M plies/s, {} MiB",
            1073.7 / fed.took.as_secs_f64(),
            plies / 1e6,
            fed.peak_kib / 1024
        ));
        meter.attempt(|| {
            if fed.out.trim_end().lines().last() != Some(&expected) {
                return Err(format!(
                    "{:?} instead of {expected:?}",
                    fed.out.lines().last()
                ));
            }
            if fed.peak_kib > MOST_KIB {
                return Err(format!("{} KiB of memory", fed.peak_kib));
            }
            if plies < 2e6 {
                return Err(format!("{plies:.0} plies a second"));
            }
            Ok(())
        });
    }
    Ok(())
}

/// An input: its name, what begins it, what is repeated, what ends it.
struct Shape {
    name: &'static str,
    begin: &'static [u8],
    repeated: &'static [u8],
    end: &'static [u8],
}

const fn shape(
    name: &'static str,
    begin: &'static [u8],
    repeated: &'static [u8],
    end: &'static [u8],
) -> Shape {
    Shape {
        name,
        begin,
        repeated,
        end,
    }
}

const CROWDED: [Shape; 6] = [
    shape("nested, never closed", b"1. e4 ", b"(1. d4 (1. e4 ", b"\n"),
    shape("siblings", b"1. e4 ", b"(1. d4) ", b"*\n"),
    shape("comments", b"1. e4 ", b"{c} ", b"*\n"),
    shape("glyphs", b"1. e4 ", b"$1 ", b"*\n"),
    shape("tags", b"", b"[Tag \"v\"]\n", b"\n1. e4 *\n"),
    shape("empty games", b"", b"*\n", b""),
];

/// A million of each.
pub(crate) fn deep_and_wide(meter: &mut Meter, programs: &Programs) -> Result<(), Stop> {
    let mut worst = (Duration::ZERO, "");
    for shape in &CROWDED {
        let fed = repeat(programs, shape, 1_000_000)?;
        worst = worst.max((fed.took, shape.name));
        meter.attempt(|| sound(&fed, shape.name, Duration::from_secs(5)));
    }
    let closed = programs.feed(&["pgn", "check", "-"], |input| {
        input.write_all(b"1. e4 ")?;
        write_times(input, b"(1. d4 (1. e4 ", 500_000)?;
        write_times(input, b") )", 500_000)?;
        input.write_all(b" *\n")
    })?;
    meter.attempt(|| sound(&closed, "nested and closed", Duration::from_secs(5)));
    meter.figure(format!("{}: {:.2} s", worst.1, worst.0.as_secs_f64()));
    Ok(())
}

const ENDLESS: [Shape; 6] = [
    shape("comment", b"1. e4 {", &[b'x'; 4096], b"} e5 *\n"),
    shape("tag", b"[White \"", &[b'x'; 4096], b"\"]\n\n1. e4 *\n"),
    shape(
        "one line",
        b"",
        b"[Event \"Load\"] 1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1/2-1/2 ",
        b"",
    ),
    shape("open brace", b"1. e4 {", b"1. e4 e5 2. Nf3 Nc6\n", b""),
    shape("blanks", b"", b" \n\t", b""),
    shape("noise", b"", b"\x8f\x03]x)(1.{Q\xff;\n$[\"e4 %}", b""),
];

/// Half a gibibyte and a whole one of each: the same memory, twice the time.
pub(crate) fn endless(meter: &mut Meter, programs: &Programs) -> Result<(), Stop> {
    let mut most = 0;
    for shape in &ENDLESS {
        let length = shape.repeated.len() as u64;
        let half = repeat(programs, shape, GIB / 2 / length)?;
        let whole = repeat(programs, shape, GIB / length)?;
        most = most.max(half.peak_kib).max(whole.peak_kib);
        let growth = whole.took.as_secs_f64() / half.took.as_secs_f64();
        meter.figure(format!("{} {:.2}x", shape.name, growth));
        meter.attempt(|| {
            sound(&half, shape.name, Duration::from_secs(300))?;
            sound(&whole, shape.name, Duration::from_secs(300))?;
            // Some tenths beyond the goal, because this machine is not alone.
            if growth > 2.5 {
                return Err(format!(
                    "{}: twice the input took {growth:.2}x the time",
                    shape.name
                ));
            }
            Ok(())
        });
    }
    meter.figure(format!("{} MiB at most", most / 1024));
    Ok(())
}

fn repeat(programs: &Programs, shape: &'static Shape, times: u64) -> Result<Fed, Stop> {
    programs.feed(&["pgn", "check", "-"], move |input| {
        input.write_all(shape.begin)?;
        write_times(input, shape.repeated, times)?;
        input.write_all(shape.end)
    })
}

/// Writes something again and again, in large pieces.
fn write_times(input: &mut ChildStdin, repeated: &[u8], times: u64) -> std::io::Result<()> {
    let in_piece = (MIB / repeated.len() as u64).clamp(1, times.max(1));
    let piece = repeated.repeat(in_piece as usize);
    for _ in 0..times / in_piece {
        input.write_all(&piece)?;
    }
    input.write_all(&repeated.repeat((times % in_piece) as usize))
}

/// It ended by itself with an answer, in time and within its memory.
fn sound(fed: &Fed, name: &str, limit: Duration) -> Result<(), String> {
    let code = fed.status.code();
    if !matches!(code, Some(0 | 1)) {
        let last = fed.err.lines().last().unwrap_or("");
        return Err(format!("{name}: ended with {code:?}: {last}"));
    }
    if fed.took > limit {
        return Err(format!("{name}: took {:?}", fed.took));
    }
    if fed.peak_kib > MOST_KIB {
        return Err(format!("{name}: {} KiB of memory", fed.peak_kib));
    }
    Ok(())
}

pub(crate) fn long_game(meter: &mut Meter, programs: &Programs) -> Result<(), Stop> {
    const PLIES: usize = 100_000;
    let mut text = String::new();
    for ply in 0..PLIES {
        if ply % 2 == 0 {
            text += &format!("{}. ", ply / 2 + 1);
        }
        text += ["Nf3 ", "Nf6 ", "Ng1 ", "Ng8 "][ply % 4];
    }
    text += "*\n";
    for command in ["check", "fens"] {
        let bytes = text.clone().into_bytes();
        let fed = programs.feed(&["pgn", command, "-"], move |input| input.write_all(&bytes))?;
        meter.figure(format!("{command} {:.2} s", fed.took.as_secs_f64()));
        meter.attempt(|| sound(&fed, command, Duration::from_secs(2)));
    }
    let begun = Instant::now();
    meter.attempt(|| {
        let game = pgn::games(text.as_bytes()).next().ok_or("no game")?;
        let written = pgn::to_string(&game.record, pgn::Format::Export);
        let again = pgn::games(written.as_bytes()).next().ok_or("no game")?;
        if again.record != game.record {
            return Err("written and read again it is another game".to_owned());
        }
        Ok(())
    });
    meter.figure(format!(
        "read, written, read {:.2} s",
        begun.elapsed().as_secs_f64()
    ));
    Ok(())
}

/// One byte changed anywhere, and the text cut into chunks anywhere: never a panic, always the same games.
pub(crate) fn mutations(meter: &mut Meter, _: &Programs) -> Result<(), Stop> {
    let games = games();
    let mut random = SplitMix64::new(3);
    while meter.goes_on(1_000_000) {
        let from = random.below(games.text.len() - 3000);
        let mut text = games.text[from..from + 100 + random.below(2900)].to_vec();
        let at = random.below(text.len());
        text[at] = random.next_u64() as u8;
        let chunk = 1 + random.below(64);
        meter.attempt(|| {
            let whole: Vec<_> = pgn::games(&text).collect();
            let mut reader = pgn::RecordReader::new(Chunks { text: &text, chunk });
            let mut number = 0;
            while let Ok(Some(game)) = reader.read() {
                let same = whole
                    .get(number)
                    .is_some_and(|whole| whole.record == game.record);
                if !same {
                    return Err(format!("chunks of {chunk} change game {number}"));
                }
                number += 1;
            }
            if number == whole.len() {
                Ok(())
            } else {
                Err(format!(
                    "chunks of {chunk} give {number} games, not {}",
                    whole.len()
                ))
            }
        });
    }
    Ok(())
}

/// A text that arrives in small pieces.
struct Chunks<'a> {
    text: &'a [u8],
    chunk: usize,
}

impl pgn::Source for Chunks<'_> {
    type Error = std::convert::Infallible;

    fn fill(&mut self, buffer: &mut [u8]) -> Result<usize, Self::Error> {
        let count = self.chunk.min(buffer.len()).min(self.text.len());
        let (now, later) = self.text.split_at(count);
        buffer[..count].copy_from_slice(now);
        self.text = later;
        Ok(count)
    }
}

/// What is no file, never ends, or cannot be read.
pub(crate) fn odd_files(meter: &mut Meter, programs: &Programs) -> Result<(), Stop> {
    for (path, codes) in [
        ("/", [3, 3]),
        ("/nonexistent/games.pgn", [3, 3]),
        ("/dev/null", [0, 0]),
    ] {
        let fed = programs.feed(&["pgn", "check", path], |_| Ok(()))?;
        meter.attempt(|| match fed.status.code() {
            Some(code) if codes.contains(&code) && !fed.err.contains("panicked") => Ok(()),
            code => Err(format!("{path}: exit code {code:?}, {}", fed.err.trim())),
        });
    }
    let mut slowest = Duration::ZERO;
    for _ in 0..20 {
        let mut child = programs
            .command(&["pgn", "check", "/dev/zero"])
            .stdin(Stdio::null())
            .spawn()
            .map_err(|error| Stop::Broken(error.to_string()))?;
        std::thread::sleep(Duration::from_millis(300));
        let memory = resident_kib(child.id()).unwrap_or(0);
        signal(child.id(), "INT");
        let begun = Instant::now();
        let status = child.wait();
        slowest = slowest.max(begun.elapsed());
        meter.attempt(|| {
            status.map_err(|error| error.to_string())?;
            match (begun.elapsed(), memory) {
                (took, _) if took > Duration::from_millis(200) => {
                    Err(format!("ended after {took:?}"))
                }
                (_, memory) if memory > MOST_KIB => Err(format!("{memory} KiB of memory")),
                _ => Ok(()),
            }
        });
    }
    meter.figure(format!(
        "ended within {:.0} ms",
        slowest.as_secs_f64() * 1e3
    ));
    Ok(())
}

/// Sends a signal, by the program that every system with signals has.
pub(super) fn signal(process: u32, name: &str) {
    let _ = std::process::Command::new("kill")
        .args([&format!("-{name}"), &process.to_string()])
        .stderr(Stdio::null())
        .status();
}
