//! Rows about PGN of odd shapes: deep, wide, crowded and endless inputs through the real program.

use std::io::Write;
use std::process::ChildStdin;
use std::time::Duration;

use tabiya_rules::SplitMix64;

use super::pgn::{GIB, MOST_KIB};
use crate::meter::{Meter, Stop};
use crate::program::{Fed, Programs};

const MIB: u64 = 1 << 20;

/// An input: its name, its beginning, what is repeated, and its end.
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

const CROWDED: [Shape; 5] = [
    shape("nested, never closed", b"1. e4 ", b"(1. d4 (1. e4 ", b"\n"),
    shape("siblings", b"1. e4 ", b"(1. d4) ", b"*\n"),
    shape("comments", b"1. e4 ", b"{c} ", b"*\n"),
    shape("glyphs", b"1. e4 ", b"$1 ", b"*\n"),
    shape("tags", b"", b"[Tag \"v\"]\n", b"\n1. e4 *\n"),
];

/// Repeats each a million times.
pub(super) fn deep_and_wide(meter: &mut Meter, programs: &Programs) -> Result<(), Stop> {
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
    let tags = programs.feed(&["pgn", "check", "-"], |input| {
        let mut text = String::new();
        for number in 0..1_000_000 {
            text += &format!("[T{number} \"v\"]\n");
        }
        input.write_all(text.as_bytes())?;
        input.write_all(b"\n1. e4 *\n")
    })?;
    meter.attempt(|| sound(&tags, "different tags", Duration::from_secs(5)));
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
    shape("empty games", b"", b"*\n", b""),
];

/// Half a gibibyte and a whole one of each, or less to fit the time: the same memory, twice the time. Noise is
/// different everywhere.
pub(super) fn endless(meter: &mut Meter, programs: &Programs) -> Result<(), Stop> {
    // Half a minute for all of them on a current machine.
    let size = meter.size_for(GIB, 512 * MIB);
    let mut most = 0;
    for shape in &ENDLESS {
        let length = shape.repeated.len() as u64;
        let fed = |bytes: u64| repeat(programs, shape, bytes / length);
        most = compare(meter, shape.name, size, fed)?.max(most);
    }
    most = compare(meter, "noise", size, |bytes| noise(programs, bytes))?.max(most);
    meter.figure(format!("{} MiB of each", size / MIB));
    meter.figure(format!("{} MiB of memory at most", most / 1024));
    Ok(())
}

/// Checks that twice the input takes about twice the time and no more memory. Returns the peak memory.
///
/// CPU time counts, because the machine has other work. That work can only make it longer, never shorter, so growth
/// beyond the goal is measured again, and the shortest times count.
fn compare(
    meter: &mut Meter,
    name: &str,
    size: u64,
    feed: impl Fn(u64) -> Result<Fed, Stop>,
) -> Result<u64, Stop> {
    const MOST_GROWTH: f64 = 2.2;
    /// The resolution of the measured time.
    const TICK: Duration = Duration::from_millis(10);
    let (mut half_time, mut whole_time) = (Duration::MAX, Duration::MAX);
    let (mut growth, mut most) = (f64::INFINITY, 0);
    for _ in 0..5 {
        let (half, whole) = (feed(size / 2)?, feed(size)?);
        most = most.max(half.peak_kib).max(whole.peak_kib);
        half_time = half_time.min(half.worked);
        whole_time = whole_time.min(whole.worked);
        growth = whole_time.as_secs_f64() / half_time.max(TICK).as_secs_f64();
        meter.attempt(|| {
            sound(&half, name, Duration::from_secs(300))?;
            sound(&whole, name, Duration::from_secs(300))
        });
        if growth <= MOST_GROWTH {
            break;
        }
    }
    meter.figure(format!("{name} {growth:.2}x"));
    if growth > MOST_GROWTH {
        meter.fail(format!(
            "{name}: twice the input took {growth:.2}x the time"
        ));
    }
    Ok(most)
}

/// Random bytes, the same ones each time.
fn noise(programs: &Programs, size: u64) -> Result<Fed, Stop> {
    programs.feed(&["pgn", "check", "-"], move |input| {
        let mut random = SplitMix64::new(9);
        let mut piece = Vec::new();
        for _ in 0..size / MIB {
            piece.clear();
            piece.extend((0..MIB / 8).flat_map(|_| random.next_u64().to_le_bytes()));
            input.write_all(&piece)?;
        }
        Ok(())
    })
}

fn repeat(programs: &Programs, shape: &'static Shape, times: u64) -> Result<Fed, Stop> {
    programs.feed(&["pgn", "check", "-"], move |input| {
        input.write_all(shape.begin)?;
        write_times(input, shape.repeated, times)?;
        input.write_all(shape.end)
    })
}

/// Writes something over and over, in large chunks.
fn write_times(input: &mut ChildStdin, repeated: &[u8], times: u64) -> std::io::Result<()> {
    let in_piece = (MIB / repeated.len() as u64).clamp(1, times.max(1));
    let piece = repeated.repeat(in_piece as usize);
    for _ in 0..times / in_piece {
        input.write_all(&piece)?;
    }
    input.write_all(&repeated.repeat((times % in_piece) as usize))
}

/// Checks that the program exited by itself with an answer, in time and within its memory.
pub(super) fn sound(fed: &Fed, name: &str, limit: Duration) -> Result<(), String> {
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
