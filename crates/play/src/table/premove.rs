//! Premoves: moves that wait for their turn. Who may set one is decided here, and fronts ask [`Table::premover`].

use tabiya_game::{MoveInput, MoveRefusal, Refusal, Timestamp};
use tabiya_rules::Color;

use super::{Handled, Table};
use crate::outcome::{Outcome, TableRefusal};
use crate::typed_move::{self, Unplayable};

impl Table {
    /// The side that may set a premove now: that of the only person, while the opponent is to move and the person is
    /// looking at the current position.
    #[must_use]
    pub fn premover(&self) -> Option<Color> {
        let person = self.opponents.person()?;
        let may_set = self.begun
            && self.session.outcome().is_none()
            && self.session.turn() != person
            && !self.is_elsewhere()
            && !self.is_at_earlier_position();
        may_set.then_some(person)
    }

    /// The premove that has been set.
    #[must_use]
    pub fn premove(&self) -> Option<&MoveInput> {
        self.premove.as_ref()
    }

    /// Sets or removes the premove. If the person cannot set one now, the move is simply played.
    pub(super) fn set_premove(&mut self, input: Option<MoveInput>, now: Timestamp) -> Handled {
        match input {
            None => {
                self.premove.take().ok_or(TableRefusal::NoPremove)?;
                self.push(Outcome::Premove(None));
                Ok(())
            }
            Some(input) if self.premover().is_some() => self.store_premove(input),
            Some(input) => self.play(input, None, now),
        }
    }

    /// Stores a move for the next turn. What it means is decided then, but unreadable text is refused now.
    pub(super) fn store_premove(&mut self, input: MoveInput) -> Handled {
        if let MoveInput::Text(text) = &input
            && let Err(Unplayable::Refused(refusal @ MoveRefusal::Unreadable { .. })) =
                typed_move::parse(text, self.session.position())
        {
            let typed = Some(text.clone());
            let refusal = Refusal::Move(refusal);
            return Err(TableRefusal::Game { refusal, typed });
        }
        self.premove = Some(input.clone());
        self.push(Outcome::Premove(Some(input)));
        Ok(())
    }

    /// Plays the premove, if it is legal.
    pub(super) fn play_premove(&mut self, now: Timestamp) {
        let Some(input) = self.premove.take() else {
            return;
        };
        if self.session.outcome().is_some() || !self.opponents.is_human(self.session.turn()) {
            return;
        }
        self.viewed = None;
        if let Err(refused) = self.play(input, None, now) {
            self.push(Outcome::PremoveDropped(Box::new(refused)));
        }
    }
}
