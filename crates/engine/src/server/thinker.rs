//! The thread that thinks: it owns the searcher and does what it is told, one order after another.
//!
//! The server never waits for it to take an order. A search that was told to stop may need a while before it gets a
//! processor to notice, and what the interface says meanwhile must be answered.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use tabiya_uci::Info;

use super::job::Task;
use super::output::Output;
use crate::options::Settings;
use crate::searcher::{Control, Searcher};

/// What a searcher takes over before it does anything else.
pub(super) struct Preparation {
    pub(super) settings: Settings,
    /// Whether it forgets the game so far.
    pub(super) forget: bool,
}

/// Something to do; nothing more than the preparation where there is no task.
struct Order {
    preparation: Preparation,
    task: Option<(Task, Arc<Control>)>,
}

pub(super) struct Thinker {
    orders: Sender<Order>,
    /// One for each order that was carried out.
    done: Receiver<()>,
    /// Orders that were given and not carried out, as far as this side knows.
    open: usize,
}

impl Thinker {
    pub(super) fn start(mut searcher: Box<dyn Searcher>, output: Output) -> Thinker {
        let (orders, inbox) = channel::<Order>();
        let (outbox, done) = channel();
        thread::spawn(move || {
            for order in inbox {
                carry_out(order, searcher.as_mut(), &output);
                if outbox.send(()).is_err() {
                    break;
                }
            }
        });
        Thinker {
            orders,
            done,
            open: 0,
        }
    }

    /// Gives an order to work, which is begun when the ones before are done.
    pub(super) fn work(&mut self, preparation: Preparation, task: Task, control: Arc<Control>) {
        self.order(preparation, Some((task, control)));
    }

    /// Prepares the searcher, and returns when it is prepared.
    pub(super) fn prepare(&mut self, preparation: Preparation) {
        self.order(preparation, None);
        while self.open > 0 && self.done.recv().is_ok() {
            self.open -= 1;
        }
    }

    fn order(&mut self, preparation: Preparation, task: Option<(Task, Arc<Control>)>) {
        // The thread only ends when this side is gone.
        if self.orders.send(Order { preparation, task }).is_ok() {
            self.open += 1;
        }
    }

    /// Whether everything was carried out. Waits so long for it.
    pub(super) fn is_idle_within(&mut self, limit: Duration) -> bool {
        let end = Instant::now() + limit;
        while self.open > 0 {
            let left = end.saturating_duration_since(Instant::now());
            if self.done.recv_timeout(left).is_err() {
                return false;
            }
            self.open -= 1;
        }
        true
    }
}

fn carry_out(order: Order, searcher: &mut dyn Searcher, output: &Output) {
    // Whatever happens, each search says its move and the next order is carried out.
    let prepared = catch_unwind(AssertUnwindSafe(|| {
        if let Some(problem) = searcher.configure(&order.preparation.settings) {
            output.line(Info::message(problem));
        }
        if order.preparation.forget {
            searcher.new_game();
        }
    }));
    let worked = catch_unwind(AssertUnwindSafe(|| {
        if let Some((task, control)) = order.task {
            task.run(searcher, &control, output);
        }
    }));
    if prepared.and(worked).is_err() {
        output.line(Info::message("the search failed"));
    }
}
