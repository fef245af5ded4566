//! From the beginning of a move to the moves that fit: what the live list shows, and what the board points at.

use ratatui::crossterm::event::KeyEvent;
use tabiya_play::typed_move::{self, Candidate};
use tabiya_rules::{Bitboard, Position};

use super::text_line::TextLine;

/// A move that is being typed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Typing {
    pub(crate) line: TextLine,
    /// What was typed before Tab put a candidate in its place, and which.
    cycle: Option<(String, usize)>,
    /// Whether it was refused and cannot be completed to a move: the next letter then starts over.
    refused: bool,
}

impl Typing {
    pub(crate) fn is_empty(&self) -> bool {
        self.line.is_empty()
    }

    pub(crate) fn clear(&mut self) {
        *self = Typing::default();
    }

    /// Edits the text if the key is one for that. Returns whether it was.
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

    /// What Tab had found is of no use for another text, and what was refused may be mended.
    fn forget(&mut self) {
        self.cycle = None;
        self.refused = false;
    }

    /// Takes in that the text was refused in a position. The beginning of a move can still be gone on with.
    pub(crate) fn refuse(&mut self, position: &Position) {
        self.refused |= self.candidates(position).is_empty();
    }

    /// Takes in that nothing that is typed could be done now.
    pub(crate) fn refuse_all(&mut self) {
        self.refused = true;
    }

    /// Whether the next letter begins another text.
    pub(crate) fn is_refused(&self) -> bool {
        self.refused && !self.line.is_empty()
    }

    /// The moves that fit what was typed, the best first.
    pub(crate) fn candidates(&self, position: &Position) -> Vec<Candidate> {
        let typed = self
            .cycle
            .as_ref()
            .map_or(self.line.text(), |(typed, _)| typed);
        typed_move::candidates(typed, position)
    }

    /// The move that Enter plays: the one that Tab put into the line, otherwise the one that is meant.
    pub(crate) fn meant<'a>(&self, found: &'a [Candidate]) -> Option<&'a Candidate> {
        match self.cycled() {
            Some(at) => found.get(at),
            None => typed_move::meant(found),
        }
    }

    /// The candidate that Tab put into the line.
    pub(crate) fn cycled(&self) -> Option<usize> {
        self.cycle.as_ref().map(|(_, at)| *at)
    }

    /// Where the moves in question come from and where they go.
    pub(crate) fn squares(&self, found: &[Candidate]) -> (Bitboard, Bitboard) {
        match self.cycled().and_then(|at| found.get(at)) {
            Some(one) => squares(std::slice::from_ref(one)),
            None => squares(found),
        }
    }

    /// Puts the next candidate into the line, or the one before.
    pub(crate) fn cycle(&mut self, position: &Position, forward: bool) {
        let found = self.candidates(position);
        if found.is_empty() {
            return;
        }
        let last = found.len() - 1;
        let (typed, at) = match self.cycle.take() {
            None => {
                let at = if forward { 0 } else { last };
                (self.line.text().to_owned(), at)
            }
            Some((typed, at)) if forward => (typed, if at >= last { 0 } else { at + 1 }),
            Some((typed, at)) => (typed, at.checked_sub(1).unwrap_or(last)),
        };
        if let Some(candidate) = found.get(at) {
            self.line.set(&candidate.san);
        }
        self.cycle = Some((typed, at));
    }
}

/// Where the candidates come from and where they go.
fn squares(found: &[Candidate]) -> (Bitboard, Bitboard) {
    let mut from = Bitboard::EMPTY;
    let mut to = Bitboard::EMPTY;
    for candidate in found {
        from |= candidate.played.from();
        to |= candidate.played.destination();
    }
    (from, to)
}

#[cfg(test)]
mod tests;
