//! What is to be done is done, and once.

use std::sync::mpsc::channel;

use super::*;

#[test]
fn the_work_is_done_once() {
    let (sender, receiver) = channel();
    spawn_or_run(move || sender.send(1).expect("somebody listens"));
    assert_eq!(receiver.iter().collect::<Vec<_>>(), [1]);
}
