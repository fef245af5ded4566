//! Rows about PGN of any size: through the real program, and without the rules through the library.

use std::convert::Infallible;
use std::fmt::Write as _;
use std::io::Write as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tabiya_game::pgn;
use tabiya_rules::{Position, SplitMix64};

use super::shapes::{MOST_KIB, sound};
use crate::meter::{Fault, Meter, ensure};
use crate::process::{Program, peak_kib};

const GIB: u64 = 1 << 30;

/// Games that are written over and over, with the number of moves in their main lines.
struct Games {
    text: String,
    count: u64,
    plies: u64,
}

/// Creates random games with everything that real ones have.
fn games() -> Result<Games, Fault> {
    let mut random = SplitMix64::new(7);
    let (mut text, count, mut plies) = (String::new(), 500, 0);
    for number in 1..=count {
        write!(
            text,
            "[Event \"Load\"]\n[Site \"?\"]\n[Date \"2026.01.01\"]\n[Round \"{number}\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"*\"]\n\n"
        )?;
        let mut position = Position::start();
        for ply in 0..20 + random.below(100) {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let number = ply / 2 + 1;
            if ply % 2 == 0 {
                write!(text, "{number}. ")?;
            }
            let m = moves[random.below(moves.len())];
            write!(text, "{} ", position.san(m))?;
            match random.below(8) {
                0..3 => write!(
                    text,
                    "{{[%clk 0:{:02}:11] [%eval 0.{}]}} ",
                    random.below(60),
                    random.below(99)
                )?,
                3 => {
                    let other = position.san(moves[random.below(moves.len())]);
                    write!(
                        text,
                        "({number}{} {other}) ",
                        if ply % 2 == 0 { "." } else { "..." }
                    )?;
                }
                4 => write!(text, "${} ", random.below(140))?,
                _ => {}
            }
            position = position.play_unchecked(m);
            plies += 1;
        }
        text += "*\n\n";
    }
    Ok(Games { text, count, plies })
}

/// Runs `pgn check` on a gibibyte, with one thread and with two.
pub(super) fn big(meter: &mut Meter, program: &Program) -> Result<(), Fault> {
    let Games { text, count, plies } = games()?;
    let times = GIB.div_ceil(text.len() as u64);
    let expected = format!("{} games, {} moves, 0 errors", count * times, plies * times);
    let text: Arc<str> = text.into();
    for threads in ["1", "2"] {
        let text = text.clone();
        let fed = program.feed(&["pgn", "check", "--threads", threads, "-"], move |input| {
            (0..times).try_for_each(|_| input.write_all(text.as_bytes()))
        })?;
        let seconds = fed.took.as_secs_f64();
        let speed = (plies * times) as f64 / seconds / 1e6;
        let memory = fed.peak_kib / 1024;
        meter.figure(format!(
            "{threads} thread: {:.0} MB/s, {speed:.1} M plies/s, {memory} MiB",
            1073.7 / seconds
        ));
        meter.attempt(|| {
            // A game that ends with mate has no result here, which causes a warning after the errors.
            let last = fed.out.lines().last().unwrap_or("");
            ensure(last.starts_with(&expected), || {
                format!("{last:?} instead of {expected:?}")
            })?;
            ensure(fed.peak_kib <= MOST_KIB, || {
                format!("{memory} MiB of memory")
            })?;
            ensure(speed >= 2.0, || {
                format!("{speed:.1} million plies a second")
            })
        });
    }
    Ok(())
}

/// Runs the PGN reader without the rules over ten gibibytes, or as much as there is time for.
pub(super) fn syntax(meter: &mut Meter, _: &Program) -> Result<(), Fault> {
    let games = games()?;
    let until = Instant::now() + meter.time();
    let mut source = Endless {
        text: games.text.as_bytes(),
        at: 0,
        given: 0,
        until,
    };
    let mut errors = Errors(0);
    let begun = Instant::now();
    let Ok(read) = pgn::Reader::new(&mut source).read_all(&mut errors);
    let bytes = source.given as f64;
    let speed = bytes / 1e6 / begun.elapsed().as_secs_f64();
    let peak = peak_kib(std::process::id()).unwrap_or(0);
    meter.count(read);
    meter.figure(format!(
        "{:.1} GiB, {speed:.0} MB/s, {} MiB",
        bytes / GIB as f64,
        peak / 1024
    ));
    let whole = source.given / games.text.len() as u64;
    meter.attempt(|| {
        let is_all = read >= whole * games.count && errors.0 <= 1;
        ensure(is_all, || format!("{read} games with {} errors", errors.0))?;
        ensure(peak <= MOST_KIB, || format!("{peak} KiB of memory"))?;
        ensure(speed >= 200.0, || format!("{speed:.0} MB a second"))
    });
    Ok(())
}

/// Counts errors.
struct Errors(u64);

impl pgn::Visitor for Errors {
    type Output = ();
    type Stop = Infallible;

    fn error(&mut self, _: pgn::PgnError) {
        self.0 += 1;
    }

    fn end_game(&mut self) {}
}

/// Repeats a text until there are ten gibibytes of it or its time is over.
struct Endless<'a> {
    text: &'a [u8],
    at: usize,
    given: u64,
    until: Instant,
}

impl pgn::Source for Endless<'_> {
    type Error = Infallible;

    fn fill(&mut self, buffer: &mut [u8]) -> Result<usize, Infallible> {
        // Only between two rounds, so that no game is cut.
        if self.at == self.text.len() {
            if self.given >= 10 * GIB || Instant::now() > self.until {
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

pub(super) fn long_game(meter: &mut Meter, program: &Program) -> Result<(), Fault> {
    const PLIES: usize = 100_000;
    const LIMIT: Duration = Duration::from_secs(2);
    let mut text = String::new();
    for number in (1..=PLIES / 2).step_by(2) {
        write!(text, "{number}. Nf3 Nf6 {}. Ng1 Ng8 ", number + 1)?;
    }
    text += "*\n";
    for command in ["check", "fens"] {
        let bytes = text.clone();
        let fed = program.feed(&["pgn", command, "-"], move |input| {
            input.write_all(bytes.as_bytes())
        })?;
        meter.figure(format!("{command} {:.2} s", fed.took.as_secs_f64()));
        meter.attempt(|| sound(&fed, command, LIMIT));
    }
    let begun = Instant::now();
    meter.attempt(|| {
        let game = pgn::games(text.as_bytes()).next().ok_or("no game")?;
        let written = pgn::to_string(&game.record, pgn::Format::Export);
        let again = pgn::games(written.as_bytes()).next().ok_or("no game")?;
        ensure(
            again.record == game.record,
            || "written and read again it is another game",
        )?;
        let took = begun.elapsed();
        ensure(took <= LIMIT, || {
            format!("read, written and read again in {took:?}")
        })
    });
    meter.figure(format!(
        "read, written, read {:.2} s",
        begun.elapsed().as_secs_f64()
    ));
    Ok(())
}
