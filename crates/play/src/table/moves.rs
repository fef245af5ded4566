//! Moves: a person's, typed or chosen, and an engine's.

use tabiya_game::{Command, GoTo, MoveInput, Refusal, Step, Timestamp};
use tabiya_rules::{Move, Position};

use super::{Handled, Table};
use crate::outcome::{Happened, Outcome, TableRefusal};
use crate::typed_move;

impl Table {
    /// Plays a move from the position being looked at. If that is not the current position, the game goes there first
    /// and a variation begins; nothing is lost. The move is checked before the game goes anywhere, so that a refusal
    /// changes nothing.
    pub(super) fn play(&mut self, input: MoveInput, now: Timestamp) -> Handled {
        if self.is_remote() {
            return self.send_move(&input);
        }
        let position = *self.position();
        self.engines_turn(position.turn())?;
        let elsewhere = self.is_elsewhere();
        let opens = self.reviewed && self.session.ended_by_act();
        let closed = self.session.is_paused() || self.session.outcome().is_some();
        if closed && !elsewhere && !opens {
            // The session knows best why: the game is over, or paused.
            return self.apply(Command::Play(input), now);
        }
        let (played, read_as) = read(&input, &position)?;
        let tried = match self.try_out(played) {
            None => None,
            Some((tried, None)) if tried.is_good() => Some(Outcome::Tried(tried)),
            Some((tried, None)) => return Err(TableRefusal::Tried(tried)),
            Some((tried, Some(task))) => {
                self.push(Outcome::Tried(tried));
                self.push(Outcome::Study(Box::new(task)));
                return Ok(());
            }
        };
        self.outcomes.extend(read_as.into_iter().chain(tried));
        if opens {
            // A review may continue after a resignation.
            let _ = self.session.apply(Command::undo(1), now);
        }
        self.play_here(played, now)
    }

    /// Plays a legal move from the position being looked at.
    pub(super) fn play_here(&mut self, played: Move, now: Timestamp) -> Handled {
        // As text, the game has gone to the earlier position already.
        let from_earlier = self.is_elsewhere() || self.resume_at.is_some();
        if self.is_elsewhere() {
            let node = self.node().id();
            self.apply_or_refuse(Command::GoTo(GoTo::Node(node)), now);
        }
        let followed = self.node().children().next().is_some();
        let happened = self.apply_unreported(Command::Play(MoveInput::Move(played)), now)?;
        self.push_happened(Happened {
            branched: from_earlier && followed && !self.reviewed,
            ..happened
        });
        Ok(())
    }

    /// The move that is meant, if playing it from the position being looked at would take back moves of a game against an
    /// engine or a clock: there are moves after that position, and this is not one of them. A front asks first.
    #[must_use]
    pub fn would_take_back(&self, input: &MoveInput, now: Timestamp) -> Option<Move> {
        let looks = self.is_elsewhere() || self.resume_at.is_some();
        let counts = self.opponents.person().is_some() || self.session.clock(now).running.is_some();
        if self.reviewed || !looks || !counts || self.study.is_some() || self.is_remote() {
            return None;
        }
        let next = self.node().next()?;
        let position = self.position();
        self.engines_turn(position.turn()).ok()?;
        let (played, _) = read(input, position).ok()?;
        (next.step() != Some(Step::Move(played))).then_some(played)
    }

    /// Plays an engine's move. A person who is viewing another position stays there.
    pub(super) fn play_for_engine(&mut self, found: Move, now: Timestamp) -> Handled {
        let viewed = self.viewed;
        let played = self.apply_unreported(Command::Play(MoveInput::Move(found)), now);
        self.viewed = viewed;
        self.push_happened(Happened {
            by_engine: true,
            ..played?
        });
        self.play_premove(now);
        Ok(())
    }
}

/// Finds the legal move that is meant. Text is read as people type it; if there is another possible reading, the
/// player has to know.
pub(super) fn read(
    input: &MoveInput,
    position: &Position,
) -> Result<(Move, Option<Outcome>), TableRefusal> {
    let MoveInput::Text(text) = input else {
        let resolved = input.resolve(position);
        let played = resolved.map_err(|refusal| TableRefusal::from(Refusal::Move(refusal)))?;
        return Ok((played, None));
    };
    match typed_move::parse(text, position) {
        Ok(read) => {
            let read_as = read.also.map(|other| Outcome::ReadAs {
                position: Box::new(*position),
                played: read.played,
                other,
            });
            Ok((read.played, read_as))
        }
        Err(why) => Err(TableRefusal::typed(why, text.clone())),
    }
}

/// The intended move of a claim, typed like any other. What cannot be read is left to the session, which may have a
/// better reason to refuse the claim.
pub(super) fn intended_move(text: String, position: &Position) -> MoveInput {
    match typed_move::parse(&text, position) {
        Ok(read) => MoveInput::Move(read.played),
        Err(_) => MoveInput::Text(text),
    }
}
