//! Starting and ending engines many times leaves nothing behind: no processes, no descriptors, no threads.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use tabiya_rules::MoveHistory;
use tabiya_uci::{Engine, EngineCommand, ExitNote, Go};

use crate::support::{assert_group_gone, assert_nothing_left, hostile, hostile_program, size};

/// Set in the process that counts descriptors and threads. It is a separate one, because other tests open
/// and close theirs.
const COUNTING: &str = "TABIYA_UCI_CYCLES";

fn entries(folder: &str) -> usize {
    std::fs::read_dir(folder).expect("on Linux").count()
}

#[test]
fn cycles_leave_nothing_behind() {
    if let Ok(cycles) = std::env::var(COUNTING) {
        return count(cycles.parse().expect("a number"));
    }
    let cycles = size("TABIYA_CYCLES", 1000);
    let this = std::env::current_exe().expect("a path");
    let status = Command::new(this)
        .args(["--exact", "cycles::cycles_leave_nothing_behind"])
        .env(COUNTING, cycles.to_string())
        .stdout(Stdio::null())
        .status()
        .expect("this program again");
    assert!(status.success());
}

fn count(cycles: u32) {
    // The first cycle creates whatever stays for good.
    cycle(0);
    let before = (entries("/proc/self/fd"), entries("/proc/self/task"));
    for i in 0..cycles {
        cycle(i);
    }
    assert_eq!(
        (entries("/proc/self/fd"), entries("/proc/self/task")),
        before
    );
    assert_nothing_left("cycles");
    let children = std::fs::read_to_string("/proc/thread-self/children").expect("on Linux");
    assert_eq!(children, "");
}

/// Starts an engine and ends it in one of four ways.
fn cycle(i: u32) {
    let mut engine = hostile("cycles").expect("it starts");
    match i % 4 {
        0 => assert_eq!(engine.quit(), ExitNote::Code(0)),
        1 => drop(engine),
        2 => {
            engine
                .go(&MoveHistory::default(), Go::infinite())
                .expect("it thinks");
            drop(engine);
        }
        _ => {
            let reply = engine.think(&MoveHistory::default(), Go::default(), |_| {});
            assert!(reply.expect("a move").best.is_some());
            assert_eq!(engine.quit(), ExitNote::Code(0));
        }
    }
}

/// Tells the program that this test starts to hold an engine until it is killed.
const HOLDING: &str = "TABIYA_UCI_HOLD";

#[test]
fn an_engine_dies_with_the_program_that_started_it() {
    if let Ok(way) = std::env::var(HOLDING) {
        return hold(&way);
    }
    let mut longest = Duration::ZERO;
    let kills = size("TABIYA_ORPHANS", 3);
    let ways = ["hold_idle", "hold_thinking", "ignores_sigterm"];
    for way in ways.iter().cycle().take(kills) {
        let this = std::env::current_exe().expect("a path");
        let mut program = Command::new(this)
            .args([
                "--exact",
                "cycles::an_engine_dies_with_the_program_that_started_it",
                "--nocapture",
            ])
            .env(HOLDING, way)
            .stdout(Stdio::piped())
            .spawn()
            .expect("this program again");
        let id = engine_id(program.stdout.take().expect("a pipe"));
        program.kill().expect("it runs");
        program.wait().expect("it was started here");
        let killed = Instant::now();
        assert_group_gone(id);
        longest = longest.max(killed.elapsed());
        assert!(killed.elapsed() < Duration::from_secs(2));
    }
    println!("{kills} kills, the engine gone within {longest:?}");
}

fn engine_id(output: impl std::io::Read) -> u32 {
    let lines = std::io::BufRead::lines(std::io::BufReader::new(output));
    for line in lines.map_while(Result::ok) {
        if let Some((_, id)) = line.split_once("engine ") {
            return id.trim().parse().expect("a number");
        }
    }
    panic!("the program said nothing");
}

fn hold(way: &str) {
    let mut command = EngineCommand::new(hostile_program());
    command.arguments = vec![way.into()];
    let mut engine = Engine::start(&command, *crate::support::QUICK).expect("it starts");
    if way == "hold_thinking" {
        engine
            .go(&MoveHistory::default(), Go::infinite())
            .expect("it thinks");
    }
    println!("engine {}", engine.process_id());
    std::thread::sleep(Duration::from_secs(60));
}
