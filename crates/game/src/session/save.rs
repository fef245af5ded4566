//! Saves a session as a record that PGN can carry without loss.
//!
//! Clock readings are the usual `[%clk …]`. What PGN has no word for has forms of its own: tags for the policy and
//! for the current place, and embedded commands for an act that ended a line (`[%ending …]`) and for the time spent
//! on a move that has not been made (`[%thinking …]`).

use core::fmt::Write;
use core::time::Duration;

use tabiya_rules::Color;

use super::Session;
use crate::annotation::clock_text;
use crate::outcome::{DrawBy, Outcome};
use crate::policy::{DeadPositions, DrawPolicy};
use crate::record::{Node, NodeId, Record};
use crate::tags::{TagError, Tags};

/// The tags derived from a session.
pub(super) const TIME_CONTROL: &str = "TimeControl";
pub(super) const WHITE_TIME_CONTROL: &str = "WhiteTimeControl";
pub(super) const BLACK_TIME_CONTROL: &str = "BlackTimeControl";
pub(super) const TERMINATION: &str = "Termination";
pub(super) const DRAW_POLICY: &str = "DrawPolicy";
pub(super) const DEAD_POSITIONS: &str = "DeadPositions";
pub(super) const SESSION: &str = "Session";
pub(super) const OWN_TAGS: [&str; 7] = [
    TIME_CONTROL,
    WHITE_TIME_CONTROL,
    BLACK_TIME_CONTROL,
    TERMINATION,
    DRAW_POLICY,
    DEAD_POSITIONS,
    SESSION,
];

/// The embedded commands that a session writes.
pub(super) const ENDING: &str = "ending";
pub(super) const THINKING: &str = "thinking";

impl Session {
    /// The tags from which a session restores its clocks and the current position.
    pub const CLOCK_TAGS: [&'static str; 4] = [
        TIME_CONTROL,
        WHITE_TIME_CONTROL,
        BLACK_TIME_CONTROL,
        SESSION,
    ];

    /// Returns the game as a record that holds everything: result, clocks, policy, offers, and the current position.
    ///
    /// [`Session::restore`] creates an equal session from it, even after a round trip through PGN text. It does not
    /// include the time since the last accepted command; apply [`Command::Tick`](crate::Command::Tick) first if that
    /// matters.
    ///
    /// ```
    /// use tabiya_game::{Command, Session, Timestamp};
    ///
    /// let mut session = Session::default();
    /// session.apply(Command::play("e4"), Timestamp::ORIGIN)?;
    /// session.apply(Command::play("e5"), Timestamp::ORIGIN)?;
    /// session.apply(Command::undo(1), Timestamp::ORIGIN)?;
    /// assert_eq!(Session::restore(session.save()), session);
    /// # Ok::<(), tabiya_game::Refusal>(())
    /// ```
    pub fn save(&self) -> Record {
        let mut record = self.concluded(self.stated_outcome());
        self.write_own_tags(record.tags_mut());
        for id in all_nodes(&record) {
            write_commands(&mut record, id);
        }
        record
    }

    /// Returns the game for other programs: with its result, its time control and its clocks to a tenth of a second,
    /// and without what only [`Session::restore`] understands.
    ///
    /// ```
    /// use tabiya_game::{Command, Session, Timestamp, pgn};
    ///
    /// let mut session = Session::default();
    /// session.apply(Command::play("e4"), Timestamp::ORIGIN)?;
    /// assert!(session.save().tags().get("Session").is_some());
    /// assert!(session.publish().tags().get("Session").is_none());
    /// # Ok::<(), tabiya_game::Refusal>(())
    /// ```
    pub fn publish(&self) -> Record {
        let mut record = self.concluded(self.stated_outcome());
        if !self.ended {
            // A claim that was undone does not count.
            record.forget_claim(self.record.cursor_id());
        }
        for id in all_nodes(&record) {
            if let Some(annotation) = record.annotation_mut(id) {
                annotation.clock = annotation.clock.map(to_tenths);
                annotation.elapsed = annotation.elapsed.map(to_tenths);
            }
        }
        record
    }

    /// Returns the record with a result and the time control, from its start.
    fn concluded(&self, outcome: Option<Outcome>) -> Record {
        let mut record = self.record.clone();
        self.write_time_control(record.tags_mut());
        if let Some(outcome) = outcome {
            record.set_result(outcome.result());
            if let Some(word) = termination(outcome) {
                set(record.tags_mut(), TERMINATION, word);
            }
        }
        record.rewind();
        record
    }

    /// Writes the time control, for each side if they differ.
    fn write_time_control(&self, tags: &mut Tags) {
        let clocks = &self.clocks;
        if clocks.white == clocks.black {
            // A record from elsewhere may have a time control that cannot be parsed. It is left unchanged.
            if tags.get(TIME_CONTROL).is_none() {
                set(tags, TIME_CONTROL, &clocks.white.pgn());
            }
        } else {
            set(tags, WHITE_TIME_CONTROL, &clocks.white.pgn());
            set(tags, BLACK_TIME_CONTROL, &clocks.black.pgn());
        }
    }

    /// Writes the tags that are not part of PGN.
    fn write_own_tags(&self, tags: &mut Tags) {
        set(
            tags,
            DRAW_POLICY,
            match self.policy.draws {
                DrawPolicy::Claim => "claim",
                DrawPolicy::Automatic => "automatic",
            },
        );
        if self.policy.dead_positions == DeadPositions::End {
            set(tags, DEAD_POSITIONS, "end");
        }
        set(tags, SESSION, &self.place());
    }

    /// Returns the place of the game and what is pending, as words such as `ply=12 line=3.1,7.2 paused offer=White`.
    fn place(&self) -> String {
        let mut place = format!("ply={}", self.ply());
        let branches = self.branches();
        if !branches.is_empty() {
            push(&mut place, format_args!(" line={branches}"));
        }
        let last = self
            .record
            .cursor_line()
            .next_back()
            .unwrap_or(self.record.root());
        if last.next().is_some() {
            push(&mut place, format_args!(" end={}", last.ply()));
        }
        let ending = self
            .record
            .extra(self.record.cursor_id())
            .and_then(|extra| extra.ending);
        if !self.ended && self.record.at_line_end() && ending.is_some() {
            place.push_str(" open");
        }
        if self.paused {
            place.push_str(" paused");
        }
        if let Some(by) = self.draw_offer() {
            push(&mut place, format_args!(" offer={by}"));
        }
        if let Some(takeback) = self.takeback() {
            push(
                &mut place,
                format_args!(" takeback={}.{}", takeback.by, takeback.to),
            );
        }
        place
    }

    /// Returns where the cursor's line leaves the first children, such as `3.1,7.2`: each ply with the index of its node.
    fn branches(&self) -> String {
        let branch = |node: Node<'_>| {
            let mut siblings = node.parent()?.children();
            let at = siblings.position(|child| child.id() == node.id())?;
            (at > 0).then(|| format!("{}.{at}", node.ply()))
        };
        let branches: Vec<String> = self.record.cursor_line().filter_map(branch).collect();
        branches.join(",")
    }

    /// Returns the outcome that the record states. An act ends the game even if undone moves follow.
    fn stated_outcome(&self) -> Option<Outcome> {
        let ended = self.outcome().filter(|_| self.ended);
        ended.or_else(|| self.main_line_outcome())
    }

    /// Returns how the main line ends, for the result of the record. A game that was reopened there has no ending.
    fn main_line_outcome(&self) -> Option<Outcome> {
        let end = self.record.main_line_end().id();
        if self.record.cursor_id() == end {
            return self.outcome();
        }
        if let Some(ending) = self.record.extra(end).and_then(|extra| extra.ending) {
            return Some(ending);
        }
        let mut there = self.clone();
        there.record.go_to(end);
        there.update_derived();
        there.by_position
    }
}

/// Returns the tags without those derived from a session.
pub(super) fn own_tags_removed(mut tags: Tags) -> Tags {
    for name in OWN_TAGS {
        tags.remove(name);
    }
    tags
}

/// Refuses the tags that are derived from a session.
pub(super) fn refuse_own_tag(name: &str) -> Result<(), TagError> {
    if OWN_TAGS.contains(&name) {
        Err(TagError::KeptByRecord(name.to_owned()))
    } else {
        Ok(())
    }
}

/// Returns an ending by an act, in the words that [`super::restore`] reads.
pub(super) fn ending_words(outcome: Outcome) -> Option<String> {
    let with = |word: &str, color: Option<Color>| {
        Some(format!("{word} {}", color.map_or("none", Color::name)))
    };
    match outcome {
        Outcome::Threefold(DrawBy::Claim)
        | Outcome::FiftyMoves(DrawBy::Claim)
        | Outcome::Agreement => Some(outcome.reason().to_owned()),
        Outcome::Resignation { loser }
        | Outcome::Time { loser }
        | Outcome::RulesInfraction { loser } => with(outcome.reason(), Some(loser)),
        Outcome::TimeWithoutMaterial { flagged } => with(outcome.reason(), Some(flagged)),
        Outcome::Abandoned { winner }
        | Outcome::Adjudicated { winner }
        | Outcome::Recorded { winner } => with(outcome.reason(), winner),
        _ => None,
    }
}

/// Returns the word of the `Termination` tag. A result without a reason has none.
fn termination(outcome: Outcome) -> Option<&'static str> {
    match outcome {
        Outcome::Time { .. } | Outcome::TimeWithoutMaterial { .. } => Some("time forfeit"),
        Outcome::Abandoned { .. } => Some("abandoned"),
        Outcome::Adjudicated { .. } => Some("adjudication"),
        Outcome::RulesInfraction { .. } => Some("rules infraction"),
        Outcome::Recorded { .. } => None,
        _ => Some("normal"),
    }
}

/// Returns the IDs of all nodes.
fn all_nodes(record: &Record) -> Vec<NodeId> {
    record.root().subtree().map(Node::id).collect()
}

/// Returns a time as clocks show it, rounded down to a tenth of a second.
fn to_tenths(time: Duration) -> Duration {
    let tenths = time.subsec_millis() / 100;
    Duration::new(time.as_secs(), tenths * 100_000_000)
}

/// Turns what only a session knows about a node into embedded commands.
fn write_commands(record: &mut Record, id: NodeId) {
    let Some(extra) = record.extra(id) else {
        return;
    };
    let ending = extra.ending.and_then(ending_words);
    let thinking = extra.thinking;
    if ending.is_none() && thinking.is_zero() {
        return;
    }
    let extra = record.extra_mut(id);
    extra.ending = None;
    extra.thinking = Duration::ZERO;
    let thinking = (!thinking.is_zero()).then(|| clock_text(thinking).to_string());
    for (name, argument) in [(ENDING, ending), (THINKING, thinking)] {
        if let Some(argument) = argument {
            // Neither a word nor a time contains a bracket or brace, so this is never refused.
            let added = extra.annotation.add_command(name, &argument);
            debug_assert!(added.is_ok());
        }
    }
}

/// Sets a tag that is always valid.
fn set(tags: &mut Tags, name: &str, value: &str) {
    // All the names above are valid, so none is refused.
    let done = tags.set(name, value);
    debug_assert!(done.is_ok());
}

fn push(text: &mut String, words: core::fmt::Arguments<'_>) {
    // Writing into a String never fails.
    let done = text.write_fmt(words);
    debug_assert!(done.is_ok());
}
