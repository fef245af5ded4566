//! Jobs are carried out in their order, once, and as long as anybody wants them.

use std::sync::mpsc::{Sender, channel};

use super::*;

/// After this long, the test counts as hanging.
const HANG: Duration = Duration::from_secs(60);

/// A pool whose only thread is busy until the sender is dropped.
fn busy_pool() -> (SearchPool<()>, Sender<()>) {
    let pool = SearchPool::start([()]).expect("a thread");
    let (gate, closed) = channel();
    pool.run(move |()| {
        let _ = closed.recv();
    });
    (pool, gate)
}

#[test]
fn searches_of_high_priority_come_first_and_abandoned_ones_never() {
    let (mut pool, gate) = busy_pool();
    let (sender, order) = channel();
    let search = |name, priority| {
        let sender = sender.clone();
        pool.search(priority, move |(), _| {
            let _ = sender.send(name);
        })
    };
    let _second = search("second", SearchPriority::Normal);
    drop(search("abandoned", SearchPriority::High));
    let _third = search("third", SearchPriority::Normal);
    let _first = search("first", SearchPriority::High);
    assert!(!pool.wait_until_idle(Duration::ZERO));
    drop(gate);
    assert!(pool.wait_until_idle(HANG));
    pool.join();
    drop(sender);
    assert_eq!(
        order.iter().collect::<Vec<_>>(),
        ["first", "second", "third"]
    );
}

#[test]
fn abandoned_searches_leave_the_queue() {
    let (pool, _gate) = busy_pool();
    for _ in 0..100 {
        drop(pool.search(SearchPriority::Normal, |(), _| {}));
    }
    // The last one, and the job before it if no thread has taken that yet.
    assert!(pool.shared.lock().jobs.len() <= 2);
}

#[test]
fn a_handle_stops_its_search_and_dropping_it_abandons_it() {
    let pool = SearchPool::start([()]).expect("a thread");
    let (sender, ends) = channel();
    let search = || {
        let sender = sender.clone();
        pool.search(SearchPriority::Normal, move |(), control| {
            while !control.should_stop() {
                std::thread::yield_now();
            }
            let _ = sender.send(control.is_abandoned());
        })
    };
    let stopped = search();
    stopped.stop();
    assert_eq!(ends.recv_timeout(HANG), Ok(false));
    assert!(pool.wait_until_idle(HANG));
    let abandoned = search();
    while pool.shared.lock().busy == 0 {
        std::thread::yield_now();
    }
    drop(abandoned);
    assert_eq!(ends.recv_timeout(HANG), Ok(true));
}

#[test]
fn a_panic_ends_no_thread() {
    let mut pool = SearchPool::start([0]).expect("a thread");
    let (sender, counts) = channel();
    for _ in 0..3 {
        let sender = sender.clone();
        pool.run(move |count| {
            *count += 1;
            let _ = sender.send(*count);
            panic!("on purpose");
        });
    }
    pool.join();
    drop(sender);
    assert_eq!(counts.iter().collect::<Vec<_>>(), [1, 2, 3]);
}
