//! Advice for a person: hints in three stages, an evaluation, and the best lines beside the board.

use tabiya_game::{Node, NodeId, Record};
use tabiya_rules::{Color, Move, Position, Score};
use tabiya_uci::{Go, SearchInfo};

use std::time::Duration;

use crate::opponents::{EngineOrder, SearchRequest, Seat};
use crate::players::PlayerSpec;

/// How long the engine thinks about a hint or an evaluation.
const MOMENT: Duration = Duration::from_secs(1);

/// How long it searches for the lines beside the board. Leaving them open must not keep the computer busy forever.
const LONG: Duration = Duration::from_secs(60);

/// How many lines are shown beside the board.
pub const LINES: usize = 3;

/// How much of a hint the player has asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// Which piece to move.
    Piece,
    /// The piece and its target square.
    Square,
    /// The whole move, in SAN.
    Move,
}

/// What a search for advice is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// A hint.
    Hint,
    /// An evaluation.
    Evaluation,
    /// Several lines, shown once.
    SomeLines,
    /// Lines that stay beside the board for as long as the position is on it.
    Lines,
}

/// A line that a search found, with its score.
#[derive(Clone, Debug, PartialEq)]
pub struct EvaluatedLine {
    /// The position the line begins at.
    pub position: Position,
    /// The score for the side to move.
    pub score: Score,
    /// The depth of the search.
    pub depth: Option<u32>,
    /// The moves.
    pub line: Vec<Move>,
}

/// A search for advice, running or finished.
#[derive(Clone, Debug)]
struct Search {
    number: u64,
    node: NodeId,
    position: Position,
    purpose: Purpose,
    /// The latest report about each line, best first.
    reports: Vec<SearchInfo>,
    done: bool,
}

/// The engine that gives advice, and what it has found.
#[derive(Debug, Default)]
pub struct Adviser {
    spec: Option<PlayerSpec>,
    count: u64,
    search: Option<Search>,
    /// Whether lines are shown for every position the player looks at.
    lines: bool,
    hint: Option<Stage>,
    /// The move that the hints are about. Once the player has seen part of it, it stays the same, even if a longer
    /// search prefers another.
    hinted: Option<Move>,
}

impl Adviser {
    /// Whether lines are shown.
    pub fn shows_lines(&self) -> bool {
        self.lines
    }

    /// Turns the lines on or off.
    pub fn toggle_lines(&mut self) -> Vec<EngineOrder> {
        self.lines = !self.lines;
        if self.lines {
            return Vec::new();
        }
        self.stop()
    }

    /// Ends the search.
    fn stop(&mut self) -> Vec<EngineOrder> {
        let running = self.search.take().filter(|search| !search.done);
        let stop = running.map(|_| EngineOrder::Stop(Seat::Adviser));
        stop.into_iter().collect()
    }

    /// Takes advice from another engine.
    pub fn consult(&mut self, spec: PlayerSpec) -> Vec<EngineOrder> {
        self.spec = Some(spec);
        self.search = None;
        vec![EngineOrder::Dismiss(Seat::Adviser)]
    }

    /// Whether an answer is still pending.
    pub fn is_awaited(&self) -> bool {
        let search = self.search.as_ref();
        search.is_some_and(|search| !search.done && search.purpose != Purpose::Lines)
    }

    /// Moves the adviser to a position of the record. Forgets what it found elsewhere, and searches for lines if they
    /// are shown.
    pub fn update(&mut self, record: &Record, place: NodeId) -> Vec<EngineOrder> {
        let here = record.node(place).is_some_and(|node| self.is_about(node));
        let search = self.search.as_ref();
        let seeks_lines = search.is_some_and(|one| one.purpose == Purpose::Lines || !one.done);
        if here && (!self.lines || seeks_lines) {
            return Vec::new();
        }
        let mut orders = Vec::new();
        if !here {
            self.forget_hint();
            orders = self.stop();
        }
        if self.lines {
            orders.extend(self.seek(record, place, Purpose::Lines));
        }
        orders
    }

    /// Begins again with the first stage of a hint.
    fn forget_hint(&mut self) {
        self.hint = None;
        self.hinted = None;
    }

    /// Fixes the move that the hints are about, unless the search is too short to be advice.
    fn fix_hint(&mut self) {
        if self.hint.is_some() && !self.is_awaited() {
            let best = || self.found()?.1.first()?.pv.first().copied();
            self.hinted = self.hinted.or_else(best);
        }
    }

    /// Whether the search is about this node. The same node of another game has another position.
    fn is_about(&self, node: Node<'_>) -> bool {
        let search = self.search.as_ref();
        search.is_some_and(|search| search.node == node.id() && search.position == *node.position())
    }

    /// Reveals one more stage of the hint.
    pub fn hint(&mut self, record: &Record, place: NodeId) -> Vec<EngineOrder> {
        self.hint = Some(match self.hint {
            None => Stage::Piece,
            Some(Stage::Piece) => Stage::Square,
            Some(Stage::Square | Stage::Move) => Stage::Move,
        });
        if record.node(place).is_some_and(|node| !self.is_about(node)) {
            self.hinted = None;
        }
        if self.hinted.is_some() {
            return Vec::new();
        }
        let orders = self.seek(record, place, Purpose::Hint);
        self.fix_hint();
        orders
    }

    /// Searches a position, unless that search is running or done.
    pub fn seek(&mut self, record: &Record, place: NodeId, why: Purpose) -> Vec<EngineOrder> {
        let Some(node) = record.node(place) else {
            return Vec::new();
        };
        let known = self.search.as_ref().filter(|_| self.is_about(node));
        let enough = known.is_some_and(|search| [Purpose::Lines, why].contains(&search.purpose));
        if enough || !node.position().has_legal_move() {
            return Vec::new();
        }
        self.count += 1;
        self.search = Some(Search {
            number: self.count,
            node: place,
            position: *node.position(),
            purpose: why,
            reports: Vec::new(),
            done: false,
        });
        let (lines, time) = match why {
            Purpose::Lines => (LINES, LONG),
            Purpose::SomeLines => (LINES, MOMENT),
            Purpose::Hint | Purpose::Evaluation => (1, MOMENT),
        };
        vec![EngineOrder::Think(Box::new(SearchRequest {
            seat: Seat::Adviser,
            spec: self.spec.clone().unwrap_or(PlayerSpec::Bot(None)),
            lines,
            number: self.count,
            played: node.history(),
            go: Go::new().with_move_time(time),
        }))]
    }

    /// Stores a report of the running search.
    pub fn report(&mut self, number: u64, info: SearchInfo) {
        let is_line = !info.pv.is_empty() && info.exact_score().is_some();
        let Some(search) = self.search_numbered(number).filter(|_| is_line) else {
            return;
        };
        let reports = &mut search.reports;
        match reports.binary_search_by_key(&info.rank(), SearchInfo::rank) {
            Ok(at) => reports[at] = info,
            Err(at) if reports.len() < LINES => reports.insert(at, info),
            Err(_) => {}
        }
        self.fix_hint();
    }

    /// Ends the search. Returns its purpose, or `None` if it is out of date.
    pub fn finish(&mut self, number: u64) -> Option<Purpose> {
        let search = self.search_numbered(number)?;
        search.done = true;
        let purpose = search.purpose;
        self.fix_hint();
        Some(purpose)
    }

    fn search_numbered(&mut self, number: u64) -> Option<&mut Search> {
        let search = self.search.as_mut();
        search.filter(|search| search.number == number)
    }

    /// Replaces an adviser that has failed with the built-in engine.
    pub fn fail(&mut self) -> Vec<EngineOrder> {
        self.lines = false;
        self.forget_hint();
        self.consult(PlayerSpec::Bot(None))
    }

    /// The lines found so far, best first, with the position they begin at.
    pub fn found(&self) -> Option<(&Position, &[SearchInfo])> {
        let search = self.search.as_ref()?;
        Some((&search.position, &search.reports))
    }

    /// The lines found so far as values, best first.
    pub fn evaluations(&self) -> Vec<EvaluatedLine> {
        let Some((position, lines)) = self.found() else {
            return Vec::new();
        };
        let evaluation = |info: &SearchInfo| {
            Some(EvaluatedLine {
                position: *position,
                score: info.info.score?.value,
                depth: info.info.depth,
                line: info.pv.clone(),
            })
        };
        lines.iter().filter_map(evaluation).collect()
    }

    /// The node being searched, and its evaluation so far.
    pub fn standing(&self) -> Option<(NodeId, tabiya_game::Evaluation)> {
        let search = self.search.as_ref()?;
        let best = &search.reports.first()?.info;
        let score = best.score?.value.for_white(search.position.turn());
        let depth = best.depth;
        Some((search.node, tabiya_game::Evaluation { score, depth }))
    }

    /// The hinted move and the stage of the hint.
    pub fn hinted(&self) -> Option<(Stage, Move, &Position)> {
        let position = &self.search.as_ref()?.position;
        Some((self.hint?, self.hinted?, position))
    }
}

/// Formats a score from White's point of view, such as `+0.35` or `#-3`.
pub fn score_text(score: Score, turn: Color) -> String {
    format!("{:+}", score.for_white(turn))
}

/// Formats a line of legal moves with their numbers, up to `most` of them.
pub fn line_text(position: &Position, line: &[Move], most: usize) -> String {
    let text = position.variation_san(line.iter().take(most));
    text.unwrap_or_default()
}

#[cfg(test)]
mod tests;
