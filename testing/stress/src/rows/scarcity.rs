//! Rows about searches that lack something: time, memory, threads, or an end to the captures.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tabiya_rules::{Position, SplitMix64};

use super::engine::HANG;
use crate::meter::{Meter, Stop};
use crate::program::{Programs, Talk, signal};

/// The most nodes that depth 1 may take.
const DEPTH_ONE_NODES: u64 = 20_000;

/// Searches positions with many queens and rooks, whose captures have no end, to depth 1.
pub(super) fn crowded(meter: &mut Meter, programs: &Programs) -> Result<(), Stop> {
    let mut random = SplitMix64::new(29);
    let mut talk = Talk::start(programs)?;
    let mut most = 0;
    while meter.goes_on(100_000) {
        let Some(position) = crowded_position(&mut random) else {
            continue;
        };
        meter.attempt(|| {
            let fen = position.fen();
            talk.say(b"setoption name Clear Hash");
            talk.say(format!("position fen {fen}").as_bytes());
            talk.say(b"go depth 1");
            let (_, seen) = talk.until("bestmove", HANG)?;
            let nodes = seen.iter().filter_map(|line| nodes_of(line)).max();
            let nodes = nodes.ok_or_else(|| format!("{fen}: no depth 1"))?;
            most = most.max(nodes);
            match nodes <= DEPTH_ONE_NODES {
                true => Ok(()),
                false => Err(format!("{fen}: {nodes} nodes")),
            }
        });
    }
    meter.figure(format!("{most} nodes at most"));
    Ok(())
}

fn nodes_of(line: &str) -> Option<u64> {
    let mut words = line.split_whitespace();
    words.find(|&word| word == "nodes")?;
    words.next()?.parse().ok()
}

fn crowded_position(random: &mut SplitMix64) -> Option<Position> {
    let mut board = ['1'; 64];
    let pieces = 8 + random.below(33);
    for number in 0..pieces {
        let piece = match number {
            0 => 'K',
            1 => 'k',
            _ => ['Q', 'q', 'Q', 'q', 'R', 'r', 'R', 'r', 'N', 'b'][random.below(10)],
        };
        let square = random.below(64);
        if board[square] == '1' {
            board[square] = piece;
        }
    }
    let ranks: Vec<String> = board.chunks(8).map(|rank| rank.iter().collect()).collect();
    let mut placement = ranks.join("/");
    for empty in (2..=8).rev() {
        placement = placement.replace(&"1".repeat(empty), &empty.to_string());
    }
    let position = Position::from_fen(&format!("{placement} w - - 0 1")).ok()?;
    position.has_legal_move().then_some(position)
}

/// With little memory and few threads, the engine continues with what there is and says so. A large table
/// delays no move.
pub(super) fn memory_and_threads(meter: &mut Meter, programs: &Programs) -> Result<(), Stop> {
    for (limit, threads) in [
        ("ulimit -v 300000", 64),
        ("ulimit -v 400000", 256),
        ("ulimit -v 600000", 128),
    ] {
        let mut command = Command::new("sh");
        command
            .args(["-c", &format!("{limit} && exec \"$0\" uci")])
            .arg(&programs.tabiya)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        let mut talk = Talk::with(command)?;
        meter.attempt(|| {
            talk.say(format!("setoption name Threads value {threads}").as_bytes());
            talk.say(b"position fen 4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1\ngo depth 10");
            let (_, seen) = talk.until("bestmove", HANG)?;
            let told = |line: &String| line.starts_with("info string");
            let best = seen.last().map_or("", String::as_str);
            match seen.iter().any(told) && best.starts_with("bestmove e4d5") {
                true => Ok(()),
                false => Err(format!("{limit}, {threads} threads: {best}")),
            }
        });
    }
    for mebibytes in [1024, 3072] {
        let mut talk = Talk::start(programs)?;
        meter.attempt(|| {
            talk.say(b"isready");
            talk.until("readyok", HANG)?;
            let begun = Instant::now();
            talk.say(format!("setoption name Hash value {mebibytes}\ngo movetime 100").as_bytes());
            let (at, _) = talk.until("bestmove", HANG)?;
            let took = at.saturating_duration_since(begun);
            match took < Duration::from_millis(200) {
                true => Ok(()),
                false => Err(format!("Hash {mebibytes}: 100 ms became {took:?}")),
            }
        });
    }
    Ok(())
}

/// The time controls: hardly any increment, or none.
const SHORT_CLOCKS: [(&str, &str); 2] = [("1 s + 0", "1s+0s"), ("0.1 s + 0.001 s", "0.1s+0.001s")];

/// Plays against Stockfish with hardly any increment: our engine never loses on time.
pub(super) fn time_without_increment(meter: &mut Meter, programs: &Programs) -> Result<(), Stop> {
    for (name, clock) in SHORT_CLOCKS {
        let mut games = 0;
        let time = meter.time() / 2;
        against_stockfish(programs, clock, time, |line| {
            games += 1;
            meter.attempt(|| match lost_on_time(line, "A") {
                false => Ok(()),
                true => Err(format!("{name}: {line}")),
            });
        })?;
        meter.figure(format!("{games} games of {name}"));
    }
    Ok(())
}

/// Plays the same games beside two busy loops: our engine loses no more games on time than Stockfish.
pub(super) fn time_under_load(meter: &mut Meter, programs: &Programs) -> Result<(), Stop> {
    let _loops = [BusyLoop::start()?, BusyLoop::start()?];
    for (name, clock) in SHORT_CLOCKS {
        let (mut games, mut ours, mut theirs) = (0, 0, 0);
        let time = meter.time() / 2;
        against_stockfish(programs, clock, time, |line| {
            games += 1;
            ours += u32::from(lost_on_time(line, "A"));
            theirs += u32::from(lost_on_time(line, "B"));
        })?;
        let losses = format!("{games} games of {name}: {ours} lost on time, Stockfish {theirs}");
        meter.attempt(|| match ours <= theirs {
            true => Ok(()),
            false => Err(losses.clone()),
        });
        meter.figure(losses);
    }
    Ok(())
}

fn lost_on_time(line: &str, player: &str) -> bool {
    line.contains("\"kind\":\"time\"") && line.contains(&format!("\"by\":\"{player}\""))
}

/// Plays 500 games, or as many as there is time for, and reports each.
fn against_stockfish(
    programs: &Programs,
    clock: &str,
    time: Duration,
    mut tell: impl FnMut(&str),
) -> Result<(), Stop> {
    // The program looks for it in more places than the PATH here.
    let known = programs.command(&["engines"]).output();
    let known = known.map_err(Stop::broken)?.stdout;
    if !known
        .split(|&byte| byte == b'\n')
        .any(|line| line.starts_with(b"stockfish "))
    {
        return Err(Stop::Impossible("stockfish is not installed".to_owned()));
    }
    let mut command = programs.command(&["match", "bot", "uci:stockfish", "--json"]);
    command.args(["--games", "500", "--concurrency", "1", "--clock", clock]);
    let mut child = command
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(Stop::broken)?;
    let output = child.stdout.take();
    let output = output.ok_or_else(|| Stop::Broken("no output".to_owned()))?;
    let end = Instant::now() + time;
    let (mut asked_to_end, mut games) = (false, 0);
    for line in BufReader::new(output).lines().map_while(Result::ok) {
        if line.contains("\"event\":\"game\"") {
            games += 1;
            tell(&line);
        }
        if Instant::now() > end && !asked_to_end {
            signal(child.id(), "INT");
            asked_to_end = true;
        }
    }
    let status = child.wait().map_err(Stop::broken)?;
    if games == 0 || !(status.success() || asked_to_end) {
        let sentence = format!("the match at {clock} ended with {status} after {games} games");
        return Err(Stop::Broken(sentence));
    }
    Ok(())
}

/// A process that wants a CPU all the time.
struct BusyLoop(Child);

impl BusyLoop {
    fn start() -> Result<BusyLoop, Stop> {
        let mut command = Command::new("sh");
        command.args(["-c", "while :; do :; done"]);
        command.spawn().map(BusyLoop).map_err(Stop::broken)
    }
}

impl Drop for BusyLoop {
    fn drop(&mut self) {
        // It is killed, or it has exited.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
