//! Restores a session from a record: one that a session saved, or a game from anywhere.
//!
//! The record is not trusted: what cannot be understood is ignored, and every record gives a session.

use tabiya_rules::{ByColor, Color};

use super::save::{
    BLACK_TIME_CONTROL, DEAD_POSITIONS, DRAW_POLICY, ENDING, SESSION, TERMINATION, THINKING,
    TIME_CONTROL, WHITE_TIME_CONTROL,
};
use super::{Session, Takeback, save};
use crate::annotation::parse_clock;
use crate::clock::TimeControl;
use crate::outcome::{DrawBy, GameResult, Outcome};
use crate::policy::{DeadPositions, DrawPolicy, Policy};
use crate::record::{Node, NodeId, Record};
use crate::tags::Tags;

impl Session {
    /// Restores the session that [`Session::save`] saved as a record.
    ///
    /// A record from another program is understood as far as possible. Its `TimeControl` tag and `[%clk …]`
    /// give the clocks, and its result and `Termination` tag the outcome. The cursor is at the end of its main
    /// line. If it has a clock and is not finished, it is paused.
    pub fn restore(record: Record) -> Session {
        Session::restored(record, Policy::default())
    }

    /// Like [`Session::restore`], with a policy for records that state none.
    pub(super) fn restored(mut record: Record, policy: Policy) -> Session {
        let tags = core::mem::take(record.tags_mut());
        let clocks = clocks(&tags);
        let stated = tags
            .get(DRAW_POLICY)
            .map(|draws| stated_policy(draws, &tags, policy));
        let result = record.result();
        record.set_result(GameResult::Unknown);
        read_commands(&mut record);
        record.rewind();
        *record.tags_mut() = tags_to_keep(&tags, &clocks);

        let mut session = Session::from_parts(record, clocks, stated.unwrap_or(policy));
        let end = session.record.main_line_end().id();
        session.record.go_to(end);
        session.update_derived();
        let place = SavedPlace::read(tags.get(SESSION).unwrap_or(""));
        if place.is_at_main_line_end() {
            session.adopt_stated_result(result, tags.get(TERMINATION));
        }
        session.restore_place(&place);
        if stated.is_none() && session.outcome().is_none() {
            session.paused = session.clocks != ByColor::default();
        }
        session
    }

    /// Gives the end of the main line the outcome that the record states, if the moves do not explain it.
    fn adopt_stated_result(&mut self, result: GameResult, termination: Option<&str>) {
        let end = self.record.cursor_id();
        let ending = self.record.extra(end).and_then(|extra| extra.ending);
        if ending.is_none() && self.by_position.is_none() {
            let outcome = stated_outcome(result, termination.unwrap_or(""), self.turn());
            self.record.set_ending(end, outcome);
        }
    }

    /// Goes to the current position of the saved game, or to the end of the main line if none is saved.
    fn restore_place(&mut self, place: &SavedPlace) {
        let mut tip = self.record.root();
        let mut branches = place.branches.iter().peekable();
        while tip.ply() < place.end.unwrap_or(u32::MAX) {
            let branch = branches
                .next_if(|(ply, _)| *ply == tip.ply() + 1)
                .map_or(0, |&(_, at)| at);
            match tip.children().nth(branch) {
                Some(next) => tip = next,
                None => break,
            }
        }
        let (tip, last) = (tip.id(), tip.ply());
        self.record.go_to(tip);
        if place.end.is_some() {
            self.record.end_line();
        }
        let ending = self.record.extra(tip).and_then(|extra| extra.ending);
        let ply = place
            .ply
            .unwrap_or(last)
            .min(self.record.cursor_line().len() as u32);
        self.record.go_to_ply(ply);
        self.ended = self.record.at_line_end() && ending.is_some() && !place.open;
        self.paused = place.paused;
        self.draw_offer = place.offer;
        self.takeback = place.takeback;
        self.asked_at = Some(self.record.cursor_id());
        self.update_derived();
    }
}

/// The current position of a saved game, and its pending offers.
#[derive(Default)]
struct SavedPlace {
    ply: Option<u32>,
    branches: Vec<(u32, usize)>,
    end: Option<u32>,
    open: bool,
    paused: bool,
    offer: Option<Color>,
    takeback: Option<Takeback>,
}

impl SavedPlace {
    /// Whether the game goes on from, or ended at, the end of the main line, so that the result of the record is about
    /// that. Elsewhere the end is an embedded command.
    fn is_at_main_line_end(&self) -> bool {
        self.end.is_none() && self.branches.is_empty()
    }

    /// Reads the words that a session writes into its tag. Others are ignored.
    fn read(text: &str) -> SavedPlace {
        let mut place = SavedPlace::default();
        for word in text.split_whitespace() {
            match word.split_once('=') {
                Some(("ply", ply)) => place.ply = ply.parse().ok(),
                Some(("end", ply)) => place.end = ply.parse().ok(),
                Some(("line", line)) => {
                    place.branches = line.split(',').filter_map(branch).collect();
                }
                Some(("offer", by)) => place.offer = color(by),
                Some(("takeback", words)) => place.takeback = takeback(words),
                None if word == "open" => place.open = true,
                None if word == "paused" => place.paused = true,
                _ => {}
            }
        }
        place
    }
}

/// Reads `3.1`: a ply, and the index of its node among its siblings.
fn branch(words: &str) -> Option<(u32, usize)> {
    let (ply, at) = words.split_once('.')?;
    Some((ply.parse().ok()?, at.parse().ok()?))
}

/// Reads `White.12`: who asks, and the ply to return to.
fn takeback(words: &str) -> Option<Takeback> {
    let (by, to) = words.split_once('.')?;
    Some(Takeback {
        by: color(by)?,
        to: to.parse().ok()?,
    })
}

/// Reads the name of a side.
fn color(word: &str) -> Option<Color> {
    Color::ALL.into_iter().find(|color| color.name() == word)
}

/// Reads the time controls, of both sides or of each.
fn clocks(tags: &Tags) -> ByColor<TimeControl> {
    let read = |name| {
        tags.get(name)
            .and_then(|text| TimeControl::from_pgn(text).ok())
    };
    let both = read(TIME_CONTROL).unwrap_or_default();
    ByColor::new(
        read(WHITE_TIME_CONTROL).unwrap_or_else(|| both.clone()),
        read(BLACK_TIME_CONTROL).unwrap_or(both),
    )
}

/// Reads the policy. What the tags do not state stays as it was.
fn stated_policy(draws: &str, tags: &Tags, before: Policy) -> Policy {
    Policy {
        draws: match draws {
            "automatic" | "auto" => DrawPolicy::Automatic,
            _ => DrawPolicy::Claim,
        },
        dead_positions: match tags.get(DEAD_POSITIONS) {
            Some("end") => DeadPositions::End,
            _ => DeadPositions::PlayOn,
        },
        branching: before.branching,
    }
}

/// Returns the tags that do not follow from the session. A time control that cannot be parsed is kept.
fn tags_to_keep(tags: &Tags, clocks: &ByColor<TimeControl>) -> Tags {
    let mut kept = save::own_tags_removed(tags.clone());
    let unread = tags
        .get(TIME_CONTROL)
        .filter(|text| TimeControl::from_pgn(text).is_err());
    if let Some(text) = unread.filter(|_| *clocks == ByColor::default()) {
        // The tag was in a record before, so it is valid.
        let done = kept.set(TIME_CONTROL, text);
        debug_assert!(done.is_ok());
    }
    kept
}

/// Removes the commands that a session wrote from the annotations. Those that are not valid stay.
fn read_commands(record: &mut Record) {
    let nodes: Vec<NodeId> = record
        .root()
        .subtree()
        .filter(|node| !node.annotation().commands().is_empty())
        .map(Node::id)
        .collect();
    for id in nodes {
        let extra = record.extra_mut(id);
        for name in [ENDING, THINKING] {
            for command in extra.annotation.remove_commands(name) {
                let argument = command.argument();
                let understood = if name == ENDING {
                    ending(argument).map(|outcome| extra.ending = Some(outcome))
                } else {
                    parse_clock(argument).map(|time| extra.thinking = time)
                };
                if understood.is_none() {
                    // It was in an annotation before, so it is valid.
                    let added = extra.annotation.add_command(name, argument);
                    debug_assert!(added.is_ok());
                }
            }
        }
    }
}

/// Reads what [`save::ending_words`] writes.
fn ending(words: &str) -> Option<Outcome> {
    let (reason, rest) = words.split_once(' ').unwrap_or((words, ""));
    let side = || color(rest);
    let winner = || {
        if rest == "none" {
            Some(None)
        } else {
            side().map(Some)
        }
    };
    Some(match (reason, rest) {
        ("threefold", "") => Outcome::Threefold(DrawBy::Claim),
        ("fifty", "") => Outcome::FiftyMoves(DrawBy::Claim),
        ("agreement", "") => Outcome::Agreement,
        ("resignation", _) => Outcome::Resignation { loser: side()? },
        ("time", _) => Outcome::Time { loser: side()? },
        ("time_without_material", _) => Outcome::TimeWithoutMaterial { flagged: side()? },
        ("abandoned", _) => Outcome::Abandoned { winner: winner()? },
        ("adjudicated", _) => Outcome::Adjudicated { winner: winner()? },
        ("rules_infraction", _) => Outcome::RulesInfraction { loser: side()? },
        ("recorded", _) => Outcome::Recorded { winner: winner()? },
        _ => return None,
    })
}

/// Returns what a record from elsewhere says about its end, in the words that files and servers use.
fn stated_outcome(result: GameResult, termination: &str, turn: Color) -> Option<Outcome> {
    let words = termination.to_ascii_lowercase();
    let says = |word: &str| words.contains(word);
    let winner = result.winner();
    if result == GameResult::Unknown {
        return says("abandon").then_some(Outcome::Abandoned { winner });
    }
    Some(match winner {
        _ if says("abandon") => Outcome::Abandoned { winner },
        _ if says("adjudicat") => Outcome::Adjudicated { winner },
        Some(winner) if says("infraction") => Outcome::RulesInfraction { loser: !winner },
        Some(winner) if says("time") => Outcome::Time { loser: !winner },
        Some(winner) if says("resign") => Outcome::Resignation { loser: !winner },
        // Only the side to move can have run out of time.
        None if says("time") => Outcome::TimeWithoutMaterial { flagged: turn },
        None if says("agree") => Outcome::Agreement,
        _ => Outcome::Recorded { winner },
    })
}
