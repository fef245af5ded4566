//! From the beginning of a move to the moves that fit: the list of candidates, and the squares that the board
//! highlights.

use std::ops::Deref;

use crossterm::event::KeyEvent;
use tabiya_play::typed_move::{self, Candidate, ParsedMove};
use tabiya_rules::{Bitboard, Position};

use crate::app::board::{Board, View};
use crate::app::press::stepped;
use crate::app::text_line::TextLine;

impl<V: Deref<Target = View>> Board<'_, V> {
    /// The moves that fit the typed text, best first; none if the opponent is to move.
    pub(in crate::app) fn candidates(&self) -> Vec<Candidate> {
        match self.opponent_to_move() {
            None => typed_move::candidates(self.view.typing.text_to_fit(), self.position()),
            Some(_) => Vec::new(),
        }
    }
}

/// A move being typed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Typing {
    pub(crate) line: TextLine,
    /// The text that was typed before Tab replaced it, and the index of the candidate.
    cycle: Option<(String, usize)>,
    /// Whether it was refused and cannot be completed to a move. The next letter then starts over.
    refused: bool,
}

impl Typing {
    /// Whether nothing is typed.
    pub(crate) fn is_empty(&self) -> bool {
        self.line.is_empty()
    }

    /// Clears the text, and forgets what depends on it.
    pub(crate) fn clear(&mut self) {
        *self = Typing::default();
    }

    /// Handles an editing key. Returns whether it is one.
    pub(crate) fn edit(&mut self, key: KeyEvent) -> bool {
        let edited = self.line.edit(key);
        if edited {
            self.forget();
        }
        edited
    }

    pub(crate) fn insert(&mut self, text: &str) {
        self.line.insert(text);
        self.forget();
    }

    pub(crate) fn set(&mut self, text: &str) {
        self.line.set(text);
        self.forget();
    }

    /// Resets what depends on the old text.
    fn forget(&mut self) {
        self.cycle = None;
        self.refused = false;
    }

    /// Marks the text as refused in a position. The beginning of a move can still be continued.
    pub(crate) fn refuse(&mut self, position: &Position) {
        self.refused |= typed_move::candidates(self.text_to_fit(), position).is_empty();
    }

    /// Marks the text as refused, whatever it says.
    pub(crate) fn refuse_all(&mut self) {
        self.refused = true;
    }

    /// Whether the text was refused, so that the next letter starts over.
    pub(crate) fn is_refused(&self) -> bool {
        self.refused && !self.line.is_empty()
    }

    /// The text that candidates have to fit: what was typed before Tab replaced it, otherwise the text of the line.
    fn text_to_fit(&self) -> &str {
        let cycle = self.cycle.as_ref();
        cycle.map_or(self.line.text(), |(typed, _)| typed)
    }

    /// The move that Enter plays, as the list shows it: the one that Tab chose, otherwise the one that is meant.
    pub(crate) fn meant(&self, found: &[Candidate]) -> Option<ParsedMove> {
        match self.cycled() {
            Some(at) => found.get(at).map(|chosen| ParsedMove {
                played: chosen.played,
                also: None,
            }),
            None => typed_move::meant(found),
        }
    }

    /// The index of the candidate that Tab chose.
    pub(crate) fn cycled(&self) -> Option<usize> {
        self.cycle.as_ref().map(|(_, at)| *at)
    }

    /// The origins and targets of the candidates.
    pub(crate) fn squares(&self, found: &[Candidate]) -> (Bitboard, Bitboard) {
        let cycled = self.cycled().and_then(|at| found.get(at));
        let found = cycled.map_or(found, std::slice::from_ref);
        let (mut from, mut to) = (Bitboard::EMPTY, Bitboard::EMPTY);
        for candidate in found {
            from |= candidate.played.from();
            to |= candidate.played.destination();
        }
        (from, to)
    }

    /// Puts the next or previous candidate into the line.
    pub(crate) fn cycle(&mut self, position: &Position, forward: bool) {
        let found = typed_move::candidates(self.text_to_fit(), position);
        if found.is_empty() {
            return;
        }
        let (typed, at) = match self.cycle.take() {
            Some((typed, at)) => (typed, stepped(at, found.len(), forward)),
            None => {
                let at = if forward { 0 } else { found.len() - 1 };
                (self.line.text().to_owned(), at)
            }
        };
        if let Some(candidate) = found.get(at) {
            self.line.set(&candidate.san);
        }
        self.cycle = Some((typed, at));
    }
}

#[cfg(test)]
mod tests;
