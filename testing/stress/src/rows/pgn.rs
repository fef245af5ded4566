//! Rows about PGN: files of any size and shape through the real program, and changed bytes through the library.

use std::convert::Infallible;
use std::io::Write;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use tabiya_game::pgn;
use tabiya_rules::{Position, SplitMix64};

use super::shapes::sound;
use crate::meter::{Meter, Stop};
use crate::program::{Programs, peak_kib};

pub(super) const GIB: u64 = 1 << 30;
/// The most memory that reading may take, whatever the size of the input.
pub(super) const MOST_KIB: u64 = 64 * 1024;

/// Games that are written over and over, with the number of moves in their main lines.
struct Games {
    text: Vec<u8>,
    count: u64,
    plies: u64,
}

/// Creates random games with everything that real ones have.
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
            position = position.play_unchecked(m);
            games.plies += 1;
        }
        text += "*\n\n";
        games.text.extend_from_slice(text.as_bytes());
    }
    games
}

/// Runs `pgn check` on a gibibyte, with one thread and with all.
pub(super) fn big(meter: &mut Meter, programs: &Programs) -> Result<(), Stop> {
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
            // A game that ends with mate has no result here, which causes a warning after the errors.
            let last = fed.out.trim_end().lines().last();
            if !last.is_some_and(|line| line.starts_with(&expected)) {
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

/// Runs the PGN reader without the rules over ten gibibytes, or as much as there is time for.
pub(super) fn syntax(meter: &mut Meter, _: &Programs) -> Result<(), Stop> {
    let games = games();
    let mut count = Count::default();
    let source = Endless {
        text: &games.text,
        at: 0,
        given: 0,
        most: 10 * GIB,
        until: Instant::now() + meter.time(),
    };
    let mut reader = pgn::Reader::new(source);
    let begun = Instant::now();
    let Ok(read) = reader.read_all(&mut count);
    let took = begun.elapsed().as_secs_f64();
    let bytes = reader.into_source().given;
    let peak = peak_kib(std::process::id()).unwrap_or(0);
    let speed = bytes as f64 / 1e6 / took;
    meter.count(read);
    meter.figure(format!(
        "{:.1} GiB, {speed:.0} MB/s, {} MiB",
        bytes as f64 / GIB as f64,
        peak / 1024
    ));
    let whole = bytes / games.text.len() as u64;
    meter.attempt(|| {
        if read < whole * games.count || count.errors > 1 {
            return Err(format!("{read} games with {} errors", count.errors));
        }
        if peak > MOST_KIB {
            return Err(format!("{peak} KiB of memory"));
        }
        if speed < 200.0 {
            return Err(format!("{speed:.0} MB a second"));
        }
        Ok(())
    });
    Ok(())
}

/// Counts what it is shown.
#[derive(Default)]
struct Count {
    moves: u64,
    errors: u64,
}

impl pgn::Visitor for Count {
    type Output = ();
    type Stop = Infallible;

    fn san(&mut self, _: &[u8]) -> pgn::Response<Infallible> {
        self.moves += 1;
        ControlFlow::Continue(())
    }

    fn error(&mut self, _: pgn::PgnError) {
        self.errors += 1;
    }

    fn end_game(&mut self) {}
}

/// Repeats a text until there is enough of it or its time is over.
struct Endless<'a> {
    text: &'a [u8],
    at: usize,
    given: u64,
    most: u64,
    until: Instant,
}

impl pgn::Source for Endless<'_> {
    type Error = Infallible;

    fn fill(&mut self, buffer: &mut [u8]) -> Result<usize, Infallible> {
        // Only between two rounds, so that no game is cut.
        if self.at == self.text.len() {
            if self.given >= self.most || Instant::now() > self.until {
                return Ok(0);
            }
            self.at = 0;
        }
        let count = buffer.len().min(self.text.len() - self.at);
        buffer[..count].copy_from_slice(&self.text[self.at..self.at + count]);
        self.at += count;
        self.given += count as u64;
        Ok(count)
    }
}

pub(super) fn long_game(meter: &mut Meter, programs: &Programs) -> Result<(), Stop> {
    const PLIES: usize = 100_000;
    const LIMIT: Duration = Duration::from_secs(2);
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
        meter.attempt(|| sound(&fed, command, LIMIT));
    }
    let begun = Instant::now();
    let mut took = Duration::ZERO;
    meter.attempt(|| {
        let game = pgn::games(text.as_bytes()).next().ok_or("no game")?;
        let written = pgn::to_string(&game.record, pgn::Format::Export);
        let again = pgn::games(written.as_bytes()).next().ok_or("no game")?;
        if again.record != game.record {
            return Err("written and read again it is another game".to_owned());
        }
        took = begun.elapsed();
        if took > LIMIT {
            return Err(format!("read, written and read again in {took:?}"));
        }
        Ok(())
    });
    meter.figure(format!("read, written, read {:.2} s", took.as_secs_f64()));
    super::tests::run(meter, programs, &super::tests::LONG_GAME)
}

/// Changes one byte anywhere, and splits the text into chunks anywhere: never a panic, always the same games.
pub(super) fn mutations(meter: &mut Meter, programs: &Programs) -> Result<(), Stop> {
    super::tests::run(meter, programs, &super::tests::PREFIXES)?;
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

/// A text that arrives in small chunks.
struct Chunks<'a> {
    text: &'a [u8],
    chunk: usize,
}

impl pgn::Source for Chunks<'_> {
    type Error = Infallible;

    fn fill(&mut self, buffer: &mut [u8]) -> Result<usize, Self::Error> {
        let count = self.chunk.min(buffer.len()).min(self.text.len());
        let (now, later) = self.text.split_at(count);
        buffer[..count].copy_from_slice(now);
        self.text = later;
        Ok(count)
    }
}
