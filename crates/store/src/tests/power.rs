//! The power is cut at every moment, and any part of what was not synced is lost.

use std::cell::Cell;

use super::faults::{check, keep};
use crate::disk::model::{Fault, ModelDisk};

#[test]
fn a_power_cut_at_any_moment_leaves_the_old_game_or_the_new_one() {
    let plain = ModelDisk::default();
    keep(&plain, |_| {});
    let calls = plain.calls();
    let states = Cell::new(0);
    for (at, call) in calls.iter().enumerate() {
        let disk = ModelDisk::default();
        // Death stops the disk right after the call, like a power cut.
        disk.fail(at, Fault::Death);
        let progress = keep(&disk, |_| {});
        for after in disk.after_power_cut() {
            check(&after, &progress, &format!("after call {at}, {call}"));
            states.set(states.get() + 1);
        }
    }
    assert!(states.get() >= 300, "{}", states.get());
}
