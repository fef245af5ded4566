//! Making moves, and claiming draws with them.

use core::time::Duration;

use tabiya_rules::{Color, Move, Status};

use super::{Session, Takeback};
use crate::claims::{self, Claim, ClaimRule};
use crate::clock::Timestamp;
use crate::command::MoveInput;
use crate::event::{Event, Moved};
use crate::outcome::{DrawBy, Outcome};
use crate::policy::Branching;
use crate::record::{CLAIM, Node, NodeId, Record, Step};
use crate::refusal::{ClaimRefusal, Refusal};

impl Session {
    /// Plays a move, which may go on along an existing line or begin another.
    pub(super) fn play(
        &mut self,
        input: &MoveInput,
        now: Timestamp,
    ) -> Result<Vec<Event>, Refusal> {
        self.refuse_if_over()?;
        if self.paused {
            return Err(Refusal::Paused);
        }
        let before = *self.position();
        let played = input.resolve(&before).map_err(Refusal::Move)?;
        let by = before.turn();
        let thought = self.thought(now);
        let moves = self.moves_made(by);
        let clock = self.history.readings()[by]
            .and_then(|reading| self.clocks[by].after_move(reading, moves, thought));

        let parent = self.record.cursor_id();
        let node = self.find_or_add_child(played)?;
        let offered = self.draw_offer().filter(|&offered| offered != by);
        let asked = self.takeback().filter(|takeback| takeback.by != by);
        self.begin_turn(parent, node, by, clock, now);

        let after = self.position();
        let mut events = vec![Event::Moved(Moved {
            node,
            ply: self.ply(),
            by,
            played,
            san: before.san(played).to_string(),
            uci: before.uci(played),
            captured: before.captured(played),
            check: after.is_check(),
            clock,
        })];
        if !after.status().is_over() {
            events.extend(offered.map(|by| Event::DrawLapsed { by }));
            events.extend(asked.map(|Takeback { by, .. }| Event::TakebackLapsed { by }));
        }
        self.announce(&mut events);
        Ok(events)
    }

    /// Returns the child of the cursor's node that a legal move leads to, which is added if it is missing.
    fn find_or_add_child(&mut self, played: Move) -> Result<NodeId, Refusal> {
        if let Some(node) = self.child_with(played) {
            return Ok(node);
        }
        let parent = self.record.cursor_id();
        self.refuse_move_beyond_limits(parent)?;
        let after = self.position().play_unchecked(played);
        let added = self.record.push(parent, Step::Move(played), after);
        // The move is legal, so this fails only if the record is full.
        added.map_err(|_| Refusal::RecordFull)
    }

    /// Goes on from `parent` to `node`, the position after a move of `by`, whose clock then shows `clock`. Drops what the
    /// move has overtaken.
    fn begin_turn(
        &mut self,
        parent: NodeId,
        node: NodeId,
        by: Color,
        clock: Option<Duration>,
        now: Timestamp,
    ) {
        // Playing on discards an ending that was undone here, and begins a new turn.
        self.record.set_ending(parent, None);
        self.record.forget_claim(parent);
        self.record.set_thinking(parent, Duration::ZERO);
        self.record.set_thinking(node, Duration::ZERO);
        if clock.is_some() {
            self.record.extra_mut(node).annotation.clock = clock;
        }
        if !self.is_where_asked() {
            // The offers and requests were made at another place in the game.
            self.drop_offers();
        }
        self.asked_at = Some(node);
        self.record.go_to(node);
        if self.policy.branching == Branching::MainLine {
            // If variations would be nested too deeply, the move stays in its own variation.
            let _ = self.reorder_within_limits(node, Record::promote_to_main_line);
        }
        self.ended = false;
        self.counted_until = Some(now);
        self.draw_offer = self.draw_offer.filter(|&offered| offered == by);
        self.takeback = self.takeback.filter(|takeback| takeback.by == by);
        self.update_derived();
        if self.by_position.is_some() {
            self.drop_offers();
        }
    }

    /// Claims a draw, for the position or for that after an intended move.
    pub(super) fn claim(
        &mut self,
        rule: Option<ClaimRule>,
        intended: Option<&MoveInput>,
        now: Timestamp,
    ) -> Result<Vec<Event>, Refusal> {
        self.refuse_if_over()?;
        let intended = match intended {
            Some(input) => Some(input.resolve(self.position()).map_err(Refusal::Move)?),
            None => None,
        };
        let claims = match intended {
            Some(played) => self.claims_with(played),
            None => self.claims(),
        };
        let fits = |claim: &Claim| rule.is_none_or(|rule| claim.rule() == rule);
        let claim = claims.into_iter().find(fits);
        let claim = claim.ok_or_else(|| Refusal::Claim(self.claim_refusal(rule, intended)))?;
        self.count_time(now);
        let outcome = match claim.rule() {
            ClaimRule::FiftyMoves => Outcome::FiftyMoves(DrawBy::Claim),
            ClaimRule::Threefold => Outcome::Threefold(DrawBy::Claim),
        };
        self.write_claim(&claim);
        let mut events = vec![Event::DrawClaimed(claim)];
        self.end(outcome, &mut events);
        Ok(events)
    }

    /// Returns why the position, or that after an intended move, does not justify a claim.
    fn claim_refusal(&self, rule: Option<ClaimRule>, intended: Option<Move>) -> ClaimRefusal {
        let position = self.position();
        match intended {
            None => ClaimRefusal {
                rule,
                clock: position.halfmove_clock(),
                count: self.history.count(),
                open: None,
            },
            Some(played) => {
                let next = position.play_unchecked(played);
                ClaimRefusal {
                    rule,
                    clock: next.halfmove_clock(),
                    count: self.history.plies(&next).len() as u32 + 1,
                    open: self.claims().first().map(Claim::rule),
                }
            }
        }
    }

    /// Writes the claim, with the intended move, to the move at the cursor.
    fn write_claim(&mut self, claim: &Claim) {
        let rule = match claim.rule() {
            ClaimRule::FiftyMoves => "fifty",
            ClaimRule::Threefold => "threefold",
        };
        let words = match claim.intended {
            None => rule.to_owned(),
            Some(intended) => format!("{rule} {}", self.position().san(intended)),
        };
        let annotation = &mut self.record.extra_mut(self.record.cursor_id()).annotation;
        annotation.remove_commands(CLAIM);
        // Neither a word nor a move contains a bracket or brace, so this is never refused.
        let added = annotation.add_command(CLAIM, &words);
        debug_assert!(added.is_ok());
    }

    /// Returns the claims that a legal move would justify; none if the move ends the game on the
    /// board.
    pub(super) fn claims_with(&self, played: Move) -> Vec<Claim> {
        let position = self.position();
        let next = position.play_unchecked(played);
        if matches!(next.status(), Status::Checkmate { .. } | Status::Stalemate) {
            return Vec::new();
        }
        let mut plies = self.history.plies(&next);
        plies.push(self.ply() + 1);
        claims::claims(position.turn(), next.halfmove_clock(), &plies, Some(played)).collect()
    }

    /// Returns the child of the cursor's node that a move leads to; the one on the current line
    /// comes first.
    fn child_with(&self, played: Move) -> Option<NodeId> {
        let ahead = self.record.on_line(self.ply() + 1);
        ahead
            .into_iter()
            .chain(self.record.cursor().children())
            .find(|node| node.step() == Some(Step::Move(played)))
            .map(Node::id)
    }
}
