//! What was found in a game while a session goes on.

use super::{Asking, Trainer};
use crate::day::Moment;
use crate::item::{Item, ItemId};
use crate::log::{Change, Entry};
use crate::mine::RULES;

impl Trainer {
    /// Adds the exercises of a game that was searched, and notes that it was. A session that goes on asks them too, as far as
    /// the day has room. Returns the entries to store.
    pub fn add_mined(
        &mut self,
        game: u64,
        items: impl IntoIterator<Item = Item>,
        now: Moment,
    ) -> Vec<Entry> {
        let mut entries = self.add(items, now);
        let has_new = !entries.is_empty();
        let rules = RULES;
        self.store(Change::Scanned { game, rules }, now, &mut entries);
        if has_new && self.current.is_some() {
            self.fill_up(now);
        }
        entries
    }

    /// Adds exercises of the day to a session that has fewer.
    fn fill_up(&mut self, now: Moment) {
        let waiting = self.queue.iter().map(|asking| asking.id);
        let current = self.current.iter().map(|current| current.asking.id);
        let asked: Vec<ItemId> = current.chain(waiting).collect();
        let mut today = self.queue(now).items;
        // What was answered and comes back is not of today any more.
        let answered = |id| self.answered.iter().any(|one| one.review.id == id);
        let left = asked.iter().filter(|&&id| !answered(id)).count();
        let most = self.options.count.unwrap_or(usize::MAX);
        let room = today.len().saturating_sub(left);
        today.retain(|id| !asked.contains(id));
        today.truncate(room.min(most.saturating_sub(self.of)));
        self.of += today.len();
        let is_return = false;
        let number = None;
        self.queue.extend(today.into_iter().map(|id| Asking {
            id,
            number,
            is_return,
        }));
    }
}
