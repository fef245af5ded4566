//! Decides, while a game is read, whether it matches.

use std::convert::Infallible;
use std::ops::ControlFlow;

use tabiya_game::pgn::{self, Flow, PgnError, PgnErrorKind, Response, Text, Visitor};
use tabiya_game::{GameResult, Step};
use tabiya_openings::Opening;
use tabiya_rules::{Move, Position, Role};

use super::filter_criteria::{FilterCriteria, Tags};
use crate::pgn::criteria::{Ending, Pattern, Reached, Sequence};

/// Compares one game after another with the criteria.
#[derive(Debug)]
pub(super) struct GameMatcher<'a> {
    criteria: &'a FilterCriteria,
    tags: Tags,
    /// The values for the tag tests, in their order.
    others: Vec<Option<String>>,
    pub(super) seen: Seen<'a>,
    /// The keys since the last irreversible move, if repetitions matter.
    keys: Vec<u64>,
}

/// What was seen of one game.
#[derive(Debug, Default)]
pub(super) struct Seen<'a> {
    tags_fit: bool,
    /// Whether the opening has to be found from the moves.
    names_opening: bool,
    /// The offset of the game.
    pub(super) offset: u64,
    plies: u64,
    /// Whether the required position occurred.
    position: bool,
    /// Whether a board with one of the required patterns occurred.
    board: bool,
    /// The same for the patterns of pawns.
    pawns: bool,
    underpromotion: bool,
    /// For how many positions in a row the material was on the board, and the greatest such number.
    material_run: u64,
    material_most: u64,
    moves: Option<Reached>,
    opening: Option<Opening<'a>>,
    last: Option<Position>,
    /// Whether the starting position is invalid, so that no move can be played.
    unplayable: bool,
    /// The result of the tags, or else the one after the moves.
    result: GameResult,
    pub(super) errors: u64,
}

impl<'a> GameMatcher<'a> {
    pub(super) fn new(criteria: &'a FilterCriteria) -> GameMatcher<'a> {
        GameMatcher {
            criteria,
            tags: Tags::default(),
            others: vec![None; criteria.filter.tag.len()],
            seen: Seen::default(),
            keys: Vec::new(),
        }
    }

    /// Whether the game matches.
    pub(super) fn matches(&self) -> bool {
        let (criteria, seen) = (self.criteria, &self.seen);
        let filter = &criteria.filter;
        let lengths = filter.plies.as_ref();
        let moves = filter.moves.as_ref().zip(seen.moves);
        let material_plies = filter.material_plies.map_or(1, |plies| plies.get().into());
        let fits = seen.tags_fit
            && (!seen.names_opening || criteria.opening_fits(&self.tags, seen.opening))
            && filter.result.is_none_or(|required| required == seen.result)
            && lengths.is_none_or(|range| range.contains(seen.plies))
            && (criteria.position.is_none() || seen.position)
            && (criteria.boards.is_empty() || seen.board)
            && (criteria.pawns.is_empty() || seen.pawns)
            && (!filter.underpromotion || seen.underpromotion)
            && (filter.material.is_none() || seen.material_most >= material_plies)
            && (filter.moves.is_none() || moves.is_some_and(|(moves, seen)| moves.is_found(seen)))
            && (filter.ended.is_empty() || self.ended_as_required());
        fits != filter.invert
    }

    /// Whether the game ended in one of the required ways.
    fn ended_as_required(&self) -> bool {
        let mut endings = self.criteria.filter.ended.iter();
        self.seen.last.as_ref().is_some_and(|last| {
            endings.any(|ending| ending.matches(last, &self.keys, &self.tags.termination))
        })
    }

    /// Compares a position of the game with the criteria.
    #[inline]
    fn compare_position(&mut self, position: &Position) {
        let (criteria, seen) = (self.criteria, &mut self.seen);
        if let Some(required) = &criteria.position {
            seen.position |= required == position;
        }
        let turn = position.turn();
        let board_matches = |pattern: &Pattern| pattern.matches_board(position.board(), turn);
        seen.board = seen.board || criteria.boards.iter().any(board_matches);
        let pawns_match = |pattern: &Pattern| pattern.matches_pawns(position.board(), turn);
        seen.pawns = seen.pawns || criteria.pawns.iter().any(pawns_match);
        if let Some(required) = &criteria.filter.material {
            let is_on = required.matches_board(position.board());
            seen.material_run = if is_on { seen.material_run + 1 } else { 0 };
            seen.material_most = seen.material_most.max(seen.material_run);
        }
        if seen.names_opening {
            seen.opening = criteria.openings.lookup(position).or(seen.opening);
        }
        if !criteria.filter.ended.is_empty() {
            seen.last = Some(*position);
            if criteria.filter.ended.contains(&Ending::Repetition) {
                if position.halfmove_clock() == 0 {
                    self.keys.clear();
                }
                self.keys.push(position.key());
            }
        }
    }
}

impl Visitor for GameMatcher<'_> {
    type Output = ();
    type Stop = Infallible;

    fn begin_game(&mut self, offset: u64) -> ControlFlow<Infallible, Flow> {
        self.tags.clear();
        self.others.fill(None);
        self.keys.clear();
        self.seen = Seen {
            offset,
            ..Seen::default()
        };
        ControlFlow::Continue(Flow::Read)
    }

    fn tag(&mut self, name: &[u8], value: Text<'_>) -> Response<Infallible> {
        for (test, place) in self.criteria.filter.tag.iter().zip(&mut self.others) {
            if test.name.as_bytes() == name {
                *place = Some(value.decode().into_owned());
            }
        }
        if name == b"Result" {
            self.seen.result = pgn::parse_result(value).unwrap_or_default();
        } else if let Some(place) = self.tags.place(name) {
            value.decode().as_ref().clone_into(place);
        }
        ControlFlow::Continue(())
    }

    fn start(&mut self, position: &Position) {
        self.seen.names_opening = self.criteria.names_opening(&self.tags);
        if !self.seen.unplayable {
            self.seen.moves = self.criteria.filter.moves.as_ref().map(Sequence::begin);
            self.compare_position(position);
        }
    }

    fn end_tags(&mut self) -> ControlFlow<Infallible, Flow> {
        self.seen.tags_fit = self.criteria.fits(&self.tags, &self.others);
        let is_skipped = !self.seen.tags_fit && !self.criteria.filter.invert;
        ControlFlow::Continue(if is_skipped { Flow::Skip } else { Flow::Read })
    }

    #[inline]
    fn step(&mut self, before: &Position, step: Step, after: &Position) -> Response<Infallible> {
        self.seen.plies += 1;
        if let (Some(moves), Some(reached)) = (&self.criteria.filter.moves, self.seen.moves) {
            self.seen.moves = Some(moves.after(reached, before, step.played()));
        }
        let promotion = step.played().and_then(Move::promotion);
        self.seen.underpromotion |= promotion.is_some_and(|role| role != Role::Queen);
        self.compare_position(after);
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self) -> ControlFlow<Infallible, Flow> {
        ControlFlow::Continue(Flow::Skip)
    }

    fn result(&mut self, result: GameResult) {
        if self.seen.result == GameResult::Unknown {
            self.seen.result = result;
        }
    }

    fn error(&mut self, error: PgnError) {
        self.seen.errors += 1;
        self.seen.unplayable |= matches!(error.kind, PgnErrorKind::Fen(_) | PgnErrorKind::Variant);
    }

    fn end_game(&mut self) {}
}
