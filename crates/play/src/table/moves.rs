//! Moves: a person's, typed or chosen, and an engine's.

use tabiya_game::{Command, GoTo, MoveInput, Refusal, Step, Timestamp};
use tabiya_rules::{Move, Position};

use super::{Handled, Table};
use crate::outcome::{Happened, Outcome, TableRefusal};
use crate::typed_move::{self, ParsedMove};

impl Table {
    /// Plays a move from the position being looked at. If that is not the current position, the game goes there first
    /// and a variation begins; nothing is lost. The move is checked before the game goes anywhere, so that a refusal
    /// changes nothing. `also` is another move that a text could have meant, if a front has parsed it.
    pub(super) fn play(&mut self, input: MoveInput, also: Option<Move>, now: Timestamp) -> Handled {
        if self.is_remote() {
            return self.send_move(input, also);
        }
        let position = *self.position();
        self.refuse_on_engines_turn(position.turn())?;
        // A review may continue after a resignation.
        let reopens = self.reviewed && self.session.ended_by_act();
        let is_stopped = self.session.is_paused() || self.session.outcome().is_some();
        if is_stopped && !reopens && !self.is_elsewhere() {
            // The session knows best why: the game is over, or paused.
            return self.apply(Command::Play(input), now);
        }
        let parsed = parse(&input, &position)?;
        let tried = match self.try_out(parsed.played) {
            None => None,
            Some((attempt, None)) if attempt.is_good() => Some(Outcome::Tried(attempt)),
            Some((attempt, None)) => return Err(TableRefusal::Tried(attempt)),
            Some((attempt, Some(task))) => {
                // The engine has to judge it before it is played.
                self.push(Outcome::Tried(attempt));
                self.push(Outcome::Study(Box::new(task)));
                return Ok(());
            }
        };
        let read_as = read_as(parsed.played, parsed.also.or(also), &position);
        self.outcomes.extend(read_as.into_iter().chain(tried));
        if reopens {
            let _ = self.session.apply(Command::undo(1), now);
        }
        self.play_here(parsed.played, now)
    }

    /// Plays a legal move from the position being looked at.
    pub(super) fn play_here(&mut self, played: Move, now: Timestamp) -> Handled {
        // As text, the game has gone to the earlier position already.
        let from_earlier = self.plays_from_earlier();
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
        let counts = self.opponents.person().is_some() || self.session.clock(now).running.is_some();
        if self.reviewed
            || !self.plays_from_earlier()
            || !counts
            || self.study.is_some()
            || self.is_remote()
        {
            return None;
        }
        let next = self.node().next()?;
        let position = self.position();
        self.refuse_on_engines_turn(position.turn()).ok()?;
        let played = parse(input, position).ok()?.played;
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

/// Finds the legal move that is meant. Text is read as people type it.
pub(super) fn parse(input: &MoveInput, position: &Position) -> Result<ParsedMove, TableRefusal> {
    if let MoveInput::Text(text) = input {
        return typed_move::parse(text, position)
            .map_err(|why| TableRefusal::typed(why, text.clone()));
    }
    match input.resolve(position) {
        Ok(played) => Ok(ParsedMove { played, also: None }),
        Err(refusal) => Err(Refusal::Move(refusal).into()),
    }
}

/// Tells the player that a text could also have meant another move.
pub(super) fn read_as(played: Move, also: Option<Move>, position: &Position) -> Option<Outcome> {
    Some(Outcome::ReadAs {
        position: Box::new(*position),
        played,
        other: also?,
    })
}

/// The intended move of a claim, typed like any other. What cannot be read is left to the session, which may have a
/// better reason to refuse the claim.
pub(super) fn intended_move(text: String, position: &Position) -> MoveInput {
    match typed_move::parse(&text, position) {
        Ok(read) => MoveInput::Move(read.played),
        Err(_) => MoveInput::Text(text),
    }
}
