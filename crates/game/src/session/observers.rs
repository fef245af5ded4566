//! Those who watch a session. They are told what happens and cannot change it.

use core::fmt;

use crate::event::Event;

/// The name of an observer of one session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ObserverId(u64);

type Observer = Box<dyn FnMut(&Event) + Send>;

#[derive(Default)]
pub(super) struct Observers {
    next: u64,
    watching: Vec<(ObserverId, Observer)>,
}

impl Observers {
    pub(super) fn add(&mut self, observer: Observer) -> ObserverId {
        let id = ObserverId(self.next);
        self.next += 1;
        self.watching.push((id, observer));
        id
    }

    pub(super) fn remove(&mut self, id: ObserverId) -> bool {
        let before = self.watching.len();
        self.watching.retain(|(other, _)| *other != id);
        self.watching.len() < before
    }

    pub(super) fn tell(&mut self, event: &Event) {
        for (_, observer) in &mut self.watching {
            observer(event);
        }
    }
}

impl fmt::Debug for Observers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Observers({})", self.watching.len())
    }
}
