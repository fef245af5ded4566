//! Time in a session: counting it, fallen flags, pausing, and what the clocks show.
//!
//! The record holds a clock's reading beside each move, and beside the cursor's node how long the side to move has
//! been thinking. So a change of place restores the times that belong to it.

use core::time::Duration;

use tabiya_rules::Color;

use super::Session;
use crate::clock::{ClockFace, Timestamp};
use crate::event::Event;
use crate::outcome::Outcome;
use crate::refusal::Refusal;

impl Session {
    /// Returns what the clocks show at a moment.
    ///
    /// ```
    /// use core::time::Duration;
    /// use tabiya_game::{Command, NewGame, Session, Timestamp};
    /// use tabiya_rules::Color;
    ///
    /// let mut session = Session::new(NewGame::default().with_clock(&"5+3".parse()?));
    /// session.apply(Command::Tick, Timestamp::from_millis(0))?;
    /// session.apply(Command::play("e4"), Timestamp::from_millis(10_000))?;
    /// let face = session.clock(Timestamp::from_millis(11_500));
    /// assert_eq!(face.left.white, Some(Duration::from_secs(293)));
    /// assert_eq!(face.left.black, Some(Duration::from_millis(298_500)));
    /// assert_eq!(face.running, Some(Color::Black));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn clock(&self, now: Timestamp) -> ClockFace {
        let turn = self.turn();
        let thought = self.thought(now);
        let readings = self.history.readings();
        let moves = self.moves_made(turn);
        let mut left = readings;
        left[turn] = readings[turn].map(|reading| self.clocks[turn].left(reading, moves, thought));
        if self.ended
            && let Some(Outcome::Time { loser: flagged } | Outcome::TimeWithoutMaterial { flagged }) =
                self.outcome()
        {
            left[flagged] = left[flagged].map(|_| Duration::ZERO);
        }
        let running = self.is_running().then_some(turn);
        let delay = running.map_or(Duration::ZERO, |_| {
            self.clocks[turn].delay_left(moves, thought)
        });
        ClockFace {
            left,
            running,
            delay,
        }
    }

    /// Returns the number of moves a side has made up to the cursor.
    pub fn moves_made(&self, color: Color) -> u32 {
        let ply = self.ply();
        if self.record.start().turn() == color {
            ply.div_ceil(2)
        } else {
            ply / 2
        }
    }

    /// Returns how long the side to move has been thinking. Only thinking that a clock counts is included.
    pub(super) fn thought(&self, now: Timestamp) -> Duration {
        let since_counted = match (self.is_running(), self.counted_until) {
            (true, Some(counted)) => now.since(counted),
            _ => Duration::ZERO,
        };
        let cursor = self.record.cursor_id();
        let before = self
            .record
            .extra(cursor)
            .map_or(Duration::ZERO, |extra| extra.thinking);
        before.saturating_add(since_counted)
    }

    /// Counts the thinking time up to a moment. Every accepted command does this; refused ones do not.
    pub(super) fn count_time(&mut self, now: Timestamp) {
        let thought = self.thought(now);
        self.record.set_thinking(self.record.cursor_id(), thought);
        self.counted_until = Some(now);
    }

    /// Returns the side whose flag has fallen at a moment.
    pub(super) fn fallen_flag(&self, now: Timestamp) -> Option<Color> {
        let face = self.clock(now);
        face.running
            .filter(|&running| face.left[running].is_some_and(|left| left.is_zero()))
    }

    /// Ends the game because a flag has fallen.
    pub(super) fn drop_flag(&mut self, flagged: Color, now: Timestamp) -> Vec<Event> {
        let outcome = if self.position().has_mating_material(!flagged) {
            Outcome::Time { loser: flagged }
        } else {
            Outcome::TimeWithoutMaterial { flagged }
        };
        self.counted_until = Some(now);
        // Reopening the game restarts the turn; otherwise the flag would fall again.
        self.record
            .set_thinking(self.record.cursor_id(), Duration::ZERO);
        let mut events = vec![Event::FlagFell { color: flagged }];
        self.end(outcome, &mut events);
        events
    }

    /// Stops the clock of a game in progress.
    pub(super) fn pause(&mut self, now: Timestamp) -> Result<Vec<Event>, Refusal> {
        self.refuse_if_over()?;
        if self.paused {
            return Err(Refusal::Paused);
        }
        self.count_time(now);
        self.paused = true;
        Ok(vec![Event::Paused])
    }

    /// Lets the clock run again.
    pub(super) fn resume(&mut self, now: Timestamp) -> Result<Vec<Event>, Refusal> {
        self.refuse_if_over()?;
        if !self.paused {
            return Err(Refusal::NotPaused);
        }
        self.count_time(now);
        self.paused = false;
        Ok(vec![Event::Resumed])
    }

    /// Whether a clock runs now.
    fn is_running(&self) -> bool {
        !self.paused && self.outcome().is_none() && !self.clocks[self.turn()].is_unlimited()
    }
}
