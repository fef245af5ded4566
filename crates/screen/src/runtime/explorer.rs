//! Queries of databases in their own thread: however large or slow a database is, the game goes on.

use std::sync::mpsc::{self, Receiver, Sender, SyncSender};

use tabiya_front::explorer::{ExplorerError, Library};
use tabiya_play::threads;

use super::Incoming;
use crate::message::{ExplorerEffect, ExplorerMessage, Message};

/// The thread for queries, and the receiver of its answers.
pub(super) struct QueryThread {
    sender: SyncSender<Incoming>,
    /// Orders for the thread; `None` until the first query.
    orders: Option<Sender<ExplorerEffect>>,
}

impl QueryThread {
    /// Prepares for queries. The thread starts with the first one.
    pub(super) fn new(sender: SyncSender<Incoming>) -> QueryThread {
        QueryThread {
            sender,
            orders: None,
        }
    }

    /// Starts a query. Returns an answer only if there is no thread.
    pub(super) fn perform(&mut self, effect: ExplorerEffect) -> Option<Message> {
        let unsent = match &self.orders {
            Some(orders) => orders.send(effect).err().map(|unsent| unsent.0),
            None => Some(effect),
        };
        let effect = unsent?;
        let (orders, wanted) = mpsc::channel();
        let sender = self.sender.clone();
        if threads::spawn(move || work(&wanted, &sender)).is_err() {
            return Some(answer(effect, Err(ExplorerError::NoThread)).into());
        }
        // The thread has just started to listen.
        let _ = orders.send(effect);
        self.orders = Some(orders);
        None
    }
}

/// Answers one order after another; of several queries only the last.
fn work(wanted: &Receiver<ExplorerEffect>, sender: &SyncSender<Incoming>) {
    let mut library = Library::default();
    while let Ok(first) = wanted.recv() {
        let mut orders = vec![first];
        orders.extend(wanted.try_iter());
        let is_query = |order: &ExplorerEffect| matches!(order, ExplorerEffect::Ask { .. });
        let last = orders.iter().rposition(is_query);
        for (at, order) in orders.into_iter().enumerate() {
            if is_query(&order) && Some(at) != last {
                continue;
            }
            if sender.send(answer(order, Ok(&mut library)).into()).is_err() {
                return;
            }
        }
    }
}

/// The answer to an order, from the open databases, or why they cannot be queried.
fn answer(order: ExplorerEffect, library: Result<&mut Library, ExplorerError>) -> ExplorerMessage {
    match order {
        ExplorerEffect::Ask { number, query } => {
            let found = library.and_then(|library| library.answer(&query));
            let found = found.map(Box::new);
            ExplorerMessage::Found { number, found }
        }
        ExplorerEffect::Open {
            source,
            id,
            position,
        } => {
            let game = library.and_then(|library| library.game(&source, id));
            let game = game.map(Box::new);
            ExplorerMessage::Game { position, game }
        }
    }
}
