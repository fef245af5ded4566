//! Programs under the limits of a shell (`ulimit`), for a user who has no other processes.
//!
//! The limit on processes counts all that a user has, threads included, and not at all for the administrator. So the
//! administrator becomes a user whom nobody else is, and anybody else counts anew in a namespace of users.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// The first user who cannot be anybody, and how many there are.
const NOBODIES: (u32, u32) = (1 << 24, 1 << 24);

/// Whose processes a limit counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Count {
    /// All of whoever runs the tests.
    Mine,
    /// Only those of the program: it runs as somebody without rights.
    Own,
}

/// A shell that runs `script` with `"$0"` and `"$@"` as the program and its arguments. Returns `None`, and says so in a
/// line, if the system lets nobody count processes anew.
#[must_use]
pub fn shell(count: Count, script: &str) -> Option<Command> {
    let is_root = fs::metadata("/proc/self").is_ok_and(|process| process.uid() == 0);
    let mut command = match count {
        Count::Mine => Command::new("bash"),
        Count::Own if is_root => {
            let user = somebody_new();
            let mut command = Command::new("bash");
            command.uid(user).gid(user);
            command
        }
        Count::Own if has_namespaces() => {
            let mut command = Command::new("unshare");
            command.args(["--user", "bash"]);
            command
        }
        Count::Own => {
            eprintln!(
                "left out: only the administrator can limit the processes of a test here (unshare --user is refused)"
            );
            return None;
        }
    };
    command.args(["-c", script]);
    Some(command)
}

/// A user who has no processes: another one in each process of tests and for each command.
fn somebody_new() -> u32 {
    static COMMANDS: AtomicU32 = AtomicU32::new(0);
    let (first, count) = NOBODIES;
    let command = COMMANDS.fetch_add(1, Ordering::Relaxed);
    first
        + std::process::id()
            .wrapping_mul(1 << 10)
            .wrapping_add(command)
            % count
}

fn has_namespaces() -> bool {
    let unshare = Command::new("unshare")
        .args(["--user", "true"])
        .stderr(Stdio::null())
        .status();
    unshare.is_ok_and(|status| status.success())
}
