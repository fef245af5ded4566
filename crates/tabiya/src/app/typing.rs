//! From the beginning of a move to the moves that fit: what the live list shows, and what the board points at.

use tabiya_rules::{Bitboard, Move, Position};

use super::text_line::TextLine;

/// A legal move that fits what was typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Candidate {
    pub(crate) played: Move,
    pub(crate) san: String,
    /// How directly it fits; less is better.
    distance: u8,
    /// What is missing, where the text is the beginning of one of the move's spellings.
    pub(crate) rest: Option<String>,
}

/// A move that is being typed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Typing {
    pub(crate) line: TextLine,
    /// What was typed before Tab put a candidate in its place, and which.
    cycle: Option<(String, usize)>,
    /// Whether it was refused and going on with it is of no use: whoever types then means something else.
    refused: bool,
}

impl Typing {
    pub(crate) fn is_empty(&self) -> bool {
        self.line.is_empty()
    }

    pub(crate) fn clear(&mut self) {
        *self = Typing::default();
    }

    /// To be called when the text was edited: what Tab had found is then of no use, and what was refused may be mended.
    pub(crate) fn edited(&mut self) {
        self.cycle = None;
        self.refused = false;
    }

    /// To be called when the text was refused in a position. The beginning of a move can still be gone on with.
    pub(crate) fn refuse(&mut self, position: &Position) {
        self.refused |= self.candidates(position).is_empty();
    }

    /// To be called when nothing that is typed could be done now.
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
        candidates(typed, position)
    }

    /// The candidate that Tab put into the line.
    pub(crate) fn cycled(&self) -> Option<usize> {
        self.cycle.as_ref().map(|(_, at)| *at)
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

/// The legal moves that a text can be the beginning of, the best first.
pub(crate) fn candidates(typed: &str, position: &Position) -> Vec<Candidate> {
    let typed = typed.trim();
    if typed.is_empty() {
        return Vec::new();
    }
    let mut found: Vec<Candidate> = position
        .legal_moves()
        .into_iter()
        .filter_map(|played| candidate(typed, played, position))
        .collect();
    found.sort_by(|a, b| (a.distance, &a.san).cmp(&(b.distance, &b.san)));
    // Where something fits as it was typed, small letters do not also stand for pieces, except for the bishop,
    // whose letter is that of a file.
    let best = found.first().map_or(0, |first| first.distance);
    found.retain(|candidate| candidate.distance <= best.max(2));
    found
}

fn candidate(typed: &str, played: Move, position: &Position) -> Option<Candidate> {
    let san = position.san(played).to_string();
    let uci = position.uci(played).to_string();
    let lan = position.lan(played).to_string();
    let folded = fold(typed);
    let rest = [&san, &uci, &lan]
        .into_iter()
        .find_map(|spelling| spelling.strip_prefix(typed))
        .map(str::to_owned);
    let distance = if san.starts_with(typed) {
        0
    } else if rest.is_some() {
        1
    } else if fold(&san).starts_with(&folded) && !folded.is_empty() {
        if same_piece(typed, &san) { 1 } else { 2 }
    } else if [&uci, &lan]
        .into_iter()
        .any(|spelling| fold(spelling).starts_with(&folded))
        && !folded.is_empty()
    {
        3
    } else {
        return None;
    };
    Some(Candidate {
        played,
        san,
        distance,
        rest,
    })
}

/// Whether both begin with the same letter in the same case, so that a pawn stays a pawn.
fn same_piece(typed: &str, san: &str) -> bool {
    typed.chars().next() == san.chars().next()
}

/// The letters and digits that tell moves apart, in small letters; castling with zeros as with letters.
fn fold(text: &str) -> String {
    text.chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|c| {
            if c == '0' {
                'o'
            } else {
                c.to_ascii_lowercase()
            }
        })
        .filter(|&c| c != 'x')
        .collect()
}

/// Where the candidates come from and where they go.
pub(crate) fn squares(found: &[Candidate]) -> (Bitboard, Bitboard) {
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
