//! Rows about PGN of odd shapes: deep, wide, crowded and endless inputs through the real program.

use std::io::{self, Write};
use std::process::ChildStdin;
use std::time::Duration;

use tabiya_rules::SplitMix64;

use crate::meter::{Fault, Meter, ensure};
use crate::process::{Fed, Program};

const MIB: u64 = 1 << 20;
/// The most memory that reading may take, whatever the size of the input.
pub(super) const MOST_KIB: u64 = 64 * 1024;
/// How much longer twice the input may take.
const MOST_GROWTH: f64 = 2.2;
/// The resolution of the measured time.
const TICK: Duration = Duration::from_millis(10);

/// An input: its name, its beginning, what is repeated, and its end.
type Shape = (&'static str, &'static str, &'static str, &'static str);

const CROWDED: [Shape; 5] = [
    ("nested, never closed", "1. e4 ", "(1. d4 (1. e4 ", "\n"),
    ("siblings", "1. e4 ", "(1. d4) ", "*\n"),
    ("comments", "1. e4 ", "{c} ", "*\n"),
    ("glyphs", "1. e4 ", "$1 ", "*\n"),
    ("tags", "", "[Tag \"v\"]\n", "\n1. e4 *\n"),
];

/// Repeats each a million times.
pub(super) fn deep_and_wide(meter: &mut Meter, program: &Program) -> Result<(), Fault> {
    let check =
        |write: fn(&mut ChildStdin) -> io::Result<()>| program.feed(&["pgn", "check", "-"], write);
    let mut all = Vec::new();
    for shape in CROWDED {
        all.push((shape.0, repeat(program, shape, 1_000_000)?));
    }
    let closed = check(|input| {
        input.write_all(b"1. e4 ")?;
        write_times(input, "(1. d4 (1. e4 ", 500_000)?;
        write_times(input, ") )", 500_000)?;
        input.write_all(b" *\n")
    })?;
    all.push(("nested and closed", closed));
    let tags = check(|input| {
        let tags: String = (0..1_000_000)
            .map(|number| format!("[T{number} \"v\"]\n"))
            .collect();
        input.write_all(tags.as_bytes())?;
        input.write_all(b"\n1. e4 *\n")
    })?;
    all.push(("different tags", tags));
    for (name, fed) in &all {
        meter.attempt(|| sound(fed, name, Duration::from_secs(5)));
    }
    if let Some((name, fed)) = all.iter().max_by_key(|(_, fed)| fed.took) {
        meter.figure(format!("{name}: {:.2} s", fed.took.as_secs_f64()));
    }
    Ok(())
}

const X: &str = "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx";

const ENDLESS: [Shape; 6] = [
    ("comment", "1. e4 {", X, "} e5 *\n"),
    ("tag", "[White \"", X, "\"]\n\n1. e4 *\n"),
    (
        "one line",
        "",
        "[Event \"Load\"] 1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1/2-1/2 ",
        "",
    ),
    ("open brace", "1. e4 {", "1. e4 e5 2. Nf3 Nc6\n", ""),
    ("blanks", "", " \n\t", ""),
    ("empty games", "", "*\n", ""),
];

/// Half a gibibyte and a whole one of each, or less to fit the time: the same memory, twice the time. Noise is
/// different everywhere.
pub(super) fn endless(meter: &mut Meter, program: &Program) -> Result<(), Fault> {
    // Half a minute for all of them on a current machine.
    let size = meter.size_for(1024 * MIB, 512 * MIB);
    let mut most = 0;
    for shape in ENDLESS {
        let fed = |bytes: u64| repeat(program, shape, bytes / shape.2.len() as u64);
        most = compare(meter, shape.0, size, fed)?.max(most);
    }
    most = compare(meter, "noise", size, |bytes| noise(program, bytes))?.max(most);
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
    feed: impl Fn(u64) -> Result<Fed, Fault>,
) -> Result<u64, Fault> {
    let (mut times, mut growth, mut most) = ([Duration::MAX; 2], f64::INFINITY, 0);
    for _ in 0..5 {
        for (part, time) in [size / 2, size].into_iter().zip(&mut times) {
            let fed = feed(part)?;
            most = fed.peak_kib.max(most);
            *time = fed.worked.min(*time);
            meter.attempt(|| sound(&fed, name, Duration::from_secs(300)));
        }
        growth = times[1].as_secs_f64() / times[0].max(TICK).as_secs_f64();
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
fn noise(program: &Program, size: u64) -> Result<Fed, Fault> {
    program.feed(&["pgn", "check", "-"], move |input| {
        let mut random = SplitMix64::new(9);
        (0..size / MIB).try_for_each(|_| {
            let bytes = (0..MIB / 8).flat_map(|_| random.next_u64().to_le_bytes());
            input.write_all(&bytes.collect::<Vec<_>>())
        })
    })
}

fn repeat(program: &Program, (_, begin, repeated, end): Shape, times: u64) -> Result<Fed, Fault> {
    program.feed(&["pgn", "check", "-"], move |input| {
        input.write_all(begin.as_bytes())?;
        write_times(input, repeated, times)?;
        input.write_all(end.as_bytes())
    })
}

/// Writes something over and over, in large chunks.
fn write_times(input: &mut ChildStdin, repeated: &str, times: u64) -> io::Result<()> {
    let at_once = (MIB / repeated.len() as u64).clamp(1, times.max(1));
    let chunk = repeated.repeat(at_once as usize);
    for _ in 0..times / at_once {
        input.write_all(chunk.as_bytes())?;
    }
    input.write_all(repeated.repeat((times % at_once) as usize).as_bytes())
}

/// Checks that the program exited by itself with an answer, in time and within its memory.
pub(super) fn sound(fed: &Fed, name: &str, limit: Duration) -> Result<(), Fault> {
    let code = fed.status.code();
    let last = fed.err.lines().last().unwrap_or("");
    ensure(matches!(code, Some(0 | 1)), || {
        format!("{name}: ended with {code:?}: {last}")
    })?;
    ensure(fed.took <= limit, || format!("{name}: took {:?}", fed.took))?;
    ensure(fed.peak_kib <= MOST_KIB, || {
        format!("{name}: {} KiB of memory", fed.peak_kib)
    })
}
