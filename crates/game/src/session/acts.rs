//! What players do besides moving: offers, answers, resignations and annotations.

use tabiya_rules::{Color, Move};

use super::{Session, Takeback, save};
use crate::annotation::{Arrow, Comment, Evaluation, Glyph, SquareMark};
use crate::clock::Timestamp;
use crate::event::Event;
use crate::outcome::Outcome;
use crate::policy::{Branching, Policy};
use crate::record::{Node, NodeId, Record, uci_line};
use crate::refusal::Refusal;

/// How many bytes an evaluation takes at most as it is written.
const EVALUATION_LENGTH: usize = 40;

impl Session {
    /// Offers a draw, or refuses if one is offered already.
    pub(super) fn offer_draw(&mut self, by: Color, now: Timestamp) -> Result<Vec<Event>, Refusal> {
        self.refuse_if_over()?;
        if let Some(by) = self.draw_offer() {
            return Err(Refusal::DrawIsOffered { by });
        }
        self.count_time(now);
        self.tie_offers_to_cursor();
        self.draw_offer = Some(by);
        Ok(vec![Event::DrawOffered { by }])
    }

    /// Ends the game by agreement.
    pub(super) fn accept_draw(&mut self, by: Color, now: Timestamp) -> Result<Vec<Event>, Refusal> {
        self.refuse_without_offer(by)?;
        self.count_time(now);
        let mut events = vec![Event::DrawAccepted { by }];
        self.end(Outcome::Agreement, &mut events);
        Ok(events)
    }

    /// Declines the draw that the other side offers.
    pub(super) fn decline_draw(
        &mut self,
        by: Color,
        now: Timestamp,
    ) -> Result<Vec<Event>, Refusal> {
        self.refuse_without_offer(by)?;
        self.count_time(now);
        self.draw_offer = None;
        Ok(vec![Event::DrawDeclined { by }])
    }

    /// Ends the game with the victory of the other side.
    pub(super) fn resign(&mut self, by: Color, now: Timestamp) -> Result<Vec<Event>, Refusal> {
        self.refuse_if_over()?;
        self.count_time(now);
        let mut events = vec![Event::Resigned { by }];
        self.end(Outcome::Resignation { loser: by }, &mut events);
        Ok(events)
    }

    /// Ends the game with an outcome that somebody else has decided.
    pub(super) fn decide(
        &mut self,
        outcome: Outcome,
        now: Timestamp,
    ) -> Result<Vec<Event>, Refusal> {
        self.refuse_if_over()?;
        self.count_time(now);
        let mut events = Vec::new();
        self.end(outcome, &mut events);
        Ok(events)
    }

    /// Asks the other side to let the last move be taken back.
    pub(super) fn ask_takeback(
        &mut self,
        by: Color,
        now: Timestamp,
    ) -> Result<Vec<Event>, Refusal> {
        self.refuse_if_over()?;
        if let Some(Takeback { by, .. }) = self.takeback() {
            return Err(Refusal::TakebackIsAsked { by });
        }
        // A player's last move is the last ply, or on the player's own turn the one before it.
        let back = if self.turn() == by { 2 } else { 1 };
        let to = self
            .ply()
            .checked_sub(back)
            .ok_or(Refusal::NoMoveToTakeBack { by })?;
        self.count_time(now);
        self.tie_offers_to_cursor();
        self.takeback = Some(Takeback { by, to });
        Ok(vec![Event::TakebackAsked { by }])
    }

    /// Takes back what the other side has asked for.
    pub(super) fn grant_takeback(
        &mut self,
        by: Color,
        now: Timestamp,
    ) -> Result<Vec<Event>, Refusal> {
        let takeback = self.takeback_to_answer(by)?;
        // A record from elsewhere may name any ply.
        let plies = match self.ply().checked_sub(takeback.to) {
            None | Some(0) => return Err(Refusal::NoMoveToTakeBack { by: takeback.by }),
            Some(plies) => plies,
        };
        self.count_time(now);
        self.takeback = None;
        self.record.back(plies);
        self.update_derived();
        let mut events = vec![
            Event::TakebackGranted { by },
            Event::Undone {
                plies,
                reopened: None,
            },
        ];
        self.announce(&mut events);
        Ok(events)
    }

    /// Declines the other side's request.
    pub(super) fn decline_takeback(
        &mut self,
        by: Color,
        now: Timestamp,
    ) -> Result<Vec<Event>, Refusal> {
        self.takeback_to_answer(by)?;
        self.count_time(now);
        self.takeback = None;
        Ok(vec![Event::TakebackDeclined { by }])
    }

    /// Replaces the comments of a move. An empty text removes them.
    pub(super) fn comment(
        &mut self,
        node: Option<NodeId>,
        text: &str,
        now: Timestamp,
    ) -> Result<Vec<Event>, Refusal> {
        let node = self.node_or_cursor(node)?;
        self.refuse_comment_beyond_limits(text)?;
        self.count_time(now);
        if let Some(annotation) = self.record.annotation_mut(node) {
            annotation.comments = Comment::new(text).into_iter().collect();
        }
        Ok(vec![Event::Annotated { node }])
    }

    /// Gives a move a glyph, or removes all of its glyphs. Of the glyphs that assess the move, it has one at most.
    pub(super) fn mark(
        &mut self,
        node: Option<NodeId>,
        glyph: Option<Glyph>,
        now: Timestamp,
    ) -> Result<Vec<Event>, Refusal> {
        let node = self.node_or_cursor(node)?;
        if glyph.is_some() {
            self.refuse_annotation_beyond_limits(0)?;
        }
        self.count_time(now);
        if let Some(annotation) = self.record.annotation_mut(node) {
            match glyph {
                None => annotation.glyphs.clear(),
                Some(glyph) => {
                    let replaced = |old: Glyph| {
                        old == glyph || (old.is_move_assessment() && glyph.is_move_assessment())
                    };
                    annotation.glyphs.retain(|&old| !replaced(old));
                    annotation.glyphs.push(glyph);
                }
            }
        }
        Ok(vec![Event::Annotated { node }])
    }

    /// Replaces the colored squares and arrows of a move.
    pub(super) fn draw_marks(
        &mut self,
        node: Option<NodeId>,
        squares: Vec<SquareMark>,
        arrows: Vec<Arrow>,
        now: Timestamp,
    ) -> Result<Vec<Event>, Refusal> {
        let node = self.node_or_cursor(node)?;
        self.refuse_marks_beyond_limits(squares.len() + arrows.len())?;
        self.count_time(now);
        if let Some(annotation) = self.record.annotation_mut(node) {
            annotation.squares = squares;
            annotation.arrows = arrows;
        }
        Ok(vec![Event::Annotated { node }])
    }

    /// Records the evaluation of a position and the best line from there.
    pub(super) fn evaluate(
        &mut self,
        node: Option<NodeId>,
        evaluation: Option<Evaluation>,
        best: &[Move],
        now: Timestamp,
    ) -> Result<Vec<Event>, Refusal> {
        let node = self.node_or_cursor(node)?;
        let line = uci_line(self.record.position_of(node), best);
        self.refuse_annotation_beyond_limits(EVALUATION_LENGTH + line.len())?;
        self.count_time(now);
        self.record.evaluate(node, evaluation, best);
        Ok(vec![Event::Annotated { node }])
    }

    /// Changes the place of a variation among those beside it.
    pub(super) fn reorder(
        &mut self,
        node: NodeId,
        change: fn(&mut Record, NodeId) -> bool,
        now: Timestamp,
    ) -> Result<Vec<Event>, Refusal> {
        let node = self.node_or_cursor(Some(node))?;
        self.reorder_within_limits(node, change)?;
        self.count_time(now);
        Ok(vec![Event::VariationMoved { node }])
    }

    /// Deletes a node and everything below it. A cursor there goes to the node before.
    pub(super) fn delete(&mut self, node: NodeId, now: Timestamp) -> Result<Vec<Event>, Refusal> {
        let node = self.node_or_cursor(Some(node))?;
        let parent = self.record.node(node).and_then(Node::parent);
        let parent = parent.ok_or(Refusal::StartStays)?.id();
        self.count_time(now);
        let before = self.record.cursor_id();
        self.record.delete(node);
        let mut events = vec![Event::VariationDeleted { parent }];
        if self.record.cursor_id() != before {
            self.ended = false;
            self.update_derived();
            events.push(Event::WentTo {
                node: self.record.cursor_id(),
                ply: self.ply(),
            });
            self.announce(&mut events);
        }
        Ok(events)
    }

    pub(super) fn set_tag(
        &mut self,
        name: String,
        value: Option<&str>,
        now: Timestamp,
    ) -> Result<Vec<Event>, Refusal> {
        save::refuse_own_tag(&name).map_err(Refusal::Tag)?;
        match value {
            Some(value) => {
                self.refuse_tag_beyond_limits(&name, value)?;
                let tags = self.record.tags_mut();
                tags.set(&name, value).map_err(Refusal::Tag)?;
            }
            None => drop(self.record.tags_mut().remove(&name)),
        }
        self.count_time(now);
        Ok(vec![Event::TagChanged { name }])
    }

    /// Changes the optional rules, under which the position may end the game or no longer do so.
    pub(super) fn set_policy(&mut self, policy: Policy, now: Timestamp) -> Vec<Event> {
        self.count_time(now);
        let before = self.outcome();
        self.policy = policy;
        self.update_derived();
        let mut events = vec![Event::PolicyChanged];
        if self.outcome() != before {
            self.announce(&mut events);
        }
        events
    }

    /// Ends the game at the cursor by an act. Moves ahead of it stay in the record, off the line, and in a game being
    /// played also off the main line.
    pub(super) fn end(&mut self, outcome: Outcome, events: &mut Vec<Event>) {
        self.record
            .set_ending(self.record.cursor_id(), Some(outcome));
        self.record.end_line();
        if self.policy.branching == Branching::MainLine {
            self.end_main_line();
        }
        self.ended = true;
        self.drop_offers();
        events.push(Event::Ended(outcome));
    }

    /// Makes the main line end at the cursor. What was undone becomes a variation, or is deleted where none can be: at
    /// the start, and if the record could then not be read back.
    fn end_main_line(&mut self) {
        let cursor = self.record.cursor_id();
        // If variations would be nested too deeply, the game stays in its own variation.
        let _ = self.reorder_within_limits(cursor, Record::promote_to_main_line);
        let undone = self.record.cursor().next().is_some();
        if undone && (!self.has_room_for_variation() || self.record.set_aside(cursor).is_err()) {
            self.record.delete_after(cursor);
        }
    }

    /// Ties offers and requests to the node of the cursor: those made at another one are dropped.
    fn tie_offers_to_cursor(&mut self) {
        if !self.is_where_asked() {
            self.drop_offers();
        }
        self.asked_at = Some(self.record.cursor_id());
    }

    /// Drops the draw offer and the takeback request.
    pub(super) fn drop_offers(&mut self) {
        self.draw_offer = None;
        self.takeback = None;
    }

    /// Refuses the answer of a side that was not offered a draw.
    fn refuse_without_offer(&self, by: Color) -> Result<(), Refusal> {
        self.refuse_if_over()?;
        if self.draw_offer() == Some(!by) {
            Ok(())
        } else {
            Err(Refusal::NoDrawOffer { by })
        }
    }

    /// Returns the request that a side can answer.
    fn takeback_to_answer(&self, by: Color) -> Result<Takeback, Refusal> {
        self.refuse_if_over()?;
        self.takeback()
            .filter(|takeback| takeback.by == !by)
            .ok_or(Refusal::NoTakeback { by })
    }

    /// Returns the node, or that of the cursor if none is given; refuses one that is not in the record.
    fn node_or_cursor(&self, node: Option<NodeId>) -> Result<NodeId, Refusal> {
        let node = node.unwrap_or(self.record.cursor_id());
        self.record
            .node(node)
            .map(Node::id)
            .ok_or(Refusal::NoSuchMove)
    }
}
