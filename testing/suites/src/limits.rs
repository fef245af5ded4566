//! Programs under the limits of a shell (`ulimit`), for a user without other processes.
//!
//! The limit on processes counts all processes and threads of a user, and does not apply to root. So root becomes a
//! user that nobody else uses, and other users get a new count in a user namespace.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// The first user ID that nobody uses, and how many there are.
const NOBODIES: (u32, u32) = (1 << 24, 1 << 24);

/// Which processes a limit counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Count {
    /// All processes of the user who runs the tests.
    Mine,
    /// Only those of the program, which runs as a user without rights.
    Own,
}

/// Returns a shell that runs `script` with `"$0"` and `"$@"` as the program and its arguments.
///
/// # Panics
///
/// Panics if the system does not allow a separate count of processes.
#[must_use]
pub fn shell(count: Count, script: &str) -> Command {
    let is_root = fs::metadata("/proc/self").is_ok_and(|process| process.uid() == 0);
    let mut command = match count {
        Count::Mine => Command::new("bash"),
        Count::Own if is_root => {
            let user = somebody_new();
            let mut command = Command::new("bash");
            command.uid(user).gid(user);
            command
        }
        Count::Own => {
            assert!(
                has_namespaces(),
                "only the administrator can limit the processes of a test here: unshare --user is refused"
            );
            let mut command = Command::new("unshare");
            command.args(["--user", "bash"]);
            command
        }
    };
    command.args(["-c", script]);
    command
}

/// Returns a user ID without processes: another one for each test process and each command.
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
