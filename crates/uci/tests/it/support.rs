//! Shared by the tests: the test engine, short deadlines, and counts of what is left behind.

use std::path::PathBuf;
use std::sync::LazyLock;
use std::time::Duration;

use tabiya_uci::{Deadlines, Engine, EngineCommand, EngineError};

/// Returns the size of a test from an environment variable, or a default.
pub(crate) fn size(variable: &str, otherwise: usize) -> usize {
    std::env::var(variable).map_or(otherwise, |text| text.parse().expect("a number"))
}

/// Returns the path of the test engine, which Cargo builds as an example before it runs the tests.
pub(crate) fn hostile_program() -> PathBuf {
    let test = std::env::current_exe().expect("a path");
    let built = test
        .ancestors()
        .nth(2)
        .expect("the folder of the profile")
        .join("examples/hostile_engine");
    assert!(
        built.exists(),
        "{} is missing: cargo build -p tabiya-uci --examples",
        built.display()
    );
    built
}

/// Deadlines short enough for quick failures, and long enough for a busy machine.
pub(crate) static QUICK: LazyLock<Deadlines> = LazyLock::new(|| {
    Deadlines::new()
        .with_handshake(Duration::from_millis(2000))
        .with_ready(Duration::from_millis(1000))
        .with_overtime(Duration::from_millis(200))
        .with_silence(Duration::from_millis(400))
        .with_stop(Duration::from_millis(500))
        .with_quit(Duration::from_millis(500))
        .with_terminate(Duration::from_millis(300))
});

/// Starts the test engine in one of its ways.
pub(crate) fn hostile(way: &str) -> Result<Engine, EngineError> {
    let mut command = EngineCommand::new(hostile_program());
    command.arguments = vec![way.into()];
    Engine::start(&command, *QUICK)
}

/// Returns whether a process group has a live process. A killed orphan may still wait to be reaped by the system, which
/// is not our business.
#[cfg(unix)]
pub(crate) fn group_exists(id: u32) -> bool {
    let id = id.to_string();
    processes().any(|folder| {
        let [state, _, group] = stat(&folder);
        group == id && state != "Z" && state != "X"
    })
}

/// Checks that the engine's group is gone within a moment.
#[cfg(unix)]
#[track_caller]
pub(crate) fn assert_group_gone(id: u32) {
    for _ in 0..100 {
        if !group_exists(id) {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("somebody of the group {id} is left");
}

/// Checks that no test engine with that way is left, and no zombie.
#[cfg(unix)]
#[track_caller]
pub(crate) fn assert_nothing_left(way: &str) {
    for _ in 0..200 {
        if running(way) == 0 && zombies() == 0 {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("{way}: {} running, {} zombies", running(way), zombies());
}

/// Returns the number of running test engines with that way.
#[cfg(unix)]
fn running(way: &str) -> usize {
    let end = format!("hostile_engine\0{way}\0");
    processes()
        .filter(|folder| {
            std::fs::read(folder.join("cmdline")).is_ok_and(|line| line.ends_with(end.as_bytes()))
        })
        .count()
}

/// Returns the number of zombie children of this process.
#[cfg(unix)]
pub(crate) fn zombies() -> usize {
    let this = std::process::id().to_string();
    let ended = |folder: &PathBuf| matches!(stat(folder), [state, parent, _] if state == "Z" && parent == this);
    processes().filter(ended).count()
}

/// Returns the state, the parent and the group of a process; empty if it is gone.
#[cfg(unix)]
fn stat(folder: &std::path::Path) -> [String; 3] {
    let text = std::fs::read_to_string(folder.join("stat")).unwrap_or_default();
    // The program's name is in parentheses and may contain anything.
    let mut fields = text
        .rsplit(')')
        .next()
        .unwrap_or_default()
        .split_whitespace();
    std::array::from_fn(|_| fields.next().unwrap_or_default().to_owned())
}

#[cfg(unix)]
fn processes() -> impl Iterator<Item = PathBuf> {
    let folders = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    folders.map(|entry| entry.path()).filter(|path| {
        path.file_name().is_some_and(|name| {
            name.to_string_lossy()
                .bytes()
                .all(|byte| byte.is_ascii_digit())
        })
    })
}
