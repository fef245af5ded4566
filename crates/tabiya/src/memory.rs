//! A limit on the memory of the process, as `ulimit -v` sets it.
//!
//! The allocator of glibc reserves at least 64 MiB of addresses for each thread that allocates, and twice as much for a
//! moment. Under a limit, an allocation of another thread can fail in that moment, which aborts the program although there
//! is memory enough. With one arena for all threads nothing is reserved.

use tabiya_engine::MemoryLimit;

/// How much memory must be left when a command begins: what the built-in engine takes, and a little more.
const LEAST_MEMORY: u64 = 8 << 20;

/// Is there so little memory left that no command should begin?
pub(crate) fn is_short() -> bool {
    let left = MemoryLimit::of_process().available();
    left.is_some_and(|left| left < LEAST_MEMORY)
}

/// Where memory is limited, replaces this process by one whose threads share an arena, because the allocator reads this
/// setting only when a process begins. Engines inherit the limit, and the setting with it.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub(crate) fn share_arena() {
    use std::os::unix::process::CommandExt;

    const SETTING: &str = "MALLOC_ARENA_MAX";
    let is_limited = MemoryLimit::of_process().available().is_some();
    if !is_limited || std::env::var_os(SETTING).is_some() {
        return;
    }
    let Ok(program) = std::env::current_exe() else {
        return;
    };
    let mut arguments = std::env::args_os();
    let name = arguments.next().unwrap_or_default();
    // If the system refuses, the program goes on as it is.
    let _ = std::process::Command::new(program)
        .arg0(name)
        .args(arguments)
        .env(SETTING, "1")
        .exec();
}

/// Other allocators reserve nothing.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(crate) fn share_arena() {}
