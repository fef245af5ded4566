//! Engine help beside a game: hints, lines, and the review of a game with its judgment. A review is a second table beside
//! the table of the game; the engines that help work for whichever of the two they are asked about.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tabiya_game::{MoveInput, NodeId, Record, Session, Timestamp};
use tabiya_play::advice::{Stage, line_text, score_text};
use tabiya_play::analysis::explanation::LineKind;
use tabiya_play::desk::{Beside, BoardId};
use tabiya_play::opponents::{EngineEvent, EngineOrder, Seat};
use tabiya_play::outcome::{Outcome, Outcomes};
use tabiya_play::players::PlayerSpec;
use tabiya_play::request::{GameRequest, Question, Request, StudyRequest};
use tabiya_play::review::{Review, Source};
use tabiya_play::study::{Study, StudyReport, StudyTask};
use tabiya_play::table::{Display, Table};
use tabiya_rules::{Color, Move, Square};
use tabiya_uci::expected_score;

use crate::chunks;
use crate::config::Sentences;
use crate::moves;
use crate::role::Denied;
use crate::sides::Sides;
use crate::tree::{self, TreeNode};

/// The largest number of positions in a review, and their size in bytes when it begins: all of them are sent to the page at
/// once.
const MAX_REVIEW_POSITIONS: usize = 4_000;
const MAX_REVIEW_SIZE: usize = 3 << 20;

/// The number of moves shown of a line.
const LINE: usize = 10;

/// What a client asks for beside the game.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "command", rename_all = "snake_case")]
pub(crate) enum AssistantRequest {
    /// The next stage of a hint at a good move.
    Hint {
        /// Whether it is about the review instead of the game.
        #[serde(default)]
        review: bool,
    },
    /// Start or stop showing the best lines.
    Lines {
        shown: bool,
        #[serde(default)]
        review: bool,
    },
    /// The game with its variations and comments.
    Review,
    /// Let an engine judge the game.
    Judge,
    /// Go to the next mistake, to find a better move.
    Retry,
    /// Show the better line at a move as a variation.
    Better { node: NodeId },
    /// Show the line that answers a move as a variation.
    Refutation { node: NodeId },
    /// Go to another position of the review.
    Look { node: NodeId },
    /// Play a move from a position of the review.
    Try {
        node: NodeId,
        #[serde(rename = "move")]
        played: String,
    },
}

impl AssistantRequest {
    /// The names of these requests. All other requests are about the game.
    pub(crate) const NAMES: [&str; 9] = [
        "hint",
        "lines",
        "review",
        "judge",
        "retry",
        "better",
        "refutation",
        "look",
        "try",
    ];

    /// What it is about.
    pub(crate) fn about(&self) -> BoardId {
        match self {
            AssistantRequest::Hint { review: false }
            | AssistantRequest::Lines { review: false, .. } => BoardId::Game,
            AssistantRequest::Hint { review: true }
            | AssistantRequest::Lines { review: true, .. }
            | AssistantRequest::Review
            | AssistantRequest::Judge
            | AssistantRequest::Retry
            | AssistantRequest::Better { .. }
            | AssistantRequest::Refutation { .. }
            | AssistantRequest::Look { .. }
            | AssistantRequest::Try { .. } => BoardId::Review,
        }
    }
}

/// A message that is not about the game itself.
#[derive(Debug)]
pub(crate) enum AssistantMessage {
    Advice(Advice),
    Review(ReviewMessage),
}

impl AssistantMessage {
    /// What it is about. A review is shown only to the person whose review it is.
    pub(crate) fn about(&self) -> BoardId {
        match self {
            AssistantMessage::Advice(Advice { review: false, .. }) => BoardId::Game,
            AssistantMessage::Advice(Advice { review: true, .. }) | AssistantMessage::Review(_) => {
                BoardId::Review
            }
        }
    }
}

/// What an engine thinks of a position.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Advice {
    /// Whether it is about the review instead of the game.
    review: bool,
    node: NodeId,
    ply: u32,
    /// Whether lines are shown.
    shown: bool,
    lines: Vec<Line>,
    hint: Option<Hint>,
    sentences: Vec<String>,
    /// White's expected score at the start and after each move of the game, as far as it is known.
    chances: Vec<Option<f64>>,
}

#[derive(Clone, Debug, Serialize)]
struct Line {
    /// From White's point of view.
    score: String,
    chance: f64,
    depth: Option<u32>,
    text: String,
}

/// A hint: first the piece, then its target, then the move.
#[derive(Clone, Debug, Serialize)]
struct Hint {
    from: Square,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<Square>,
}

/// A game under review, as clients are told of it.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct ReviewMessage {
    /// All its positions, if they have changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) nodes: Option<Vec<TreeNode>>,
    /// How many there are, if they follow in chunks.
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<usize>,
    /// The position that is shown, and its legal moves.
    at: NodeId,
    legal: Vec<String>,
    /// The rook of each castling move.
    castling: BTreeMap<String, Square>,
    /// White's expected score at the start and after each move, as far as it has been judged.
    chances: Vec<Option<f64>>,
    judging: bool,
    judged: usize,
    of: usize,
    done: bool,
    turning_points: usize,
    accuracy: Sides<Option<f64>>,
    sentences: Vec<String>,
}

/// The results of a request that is not about the game itself.
#[derive(Debug, Default)]
pub(crate) struct AssistantOutcome {
    pub(crate) messages: Vec<AssistantMessage>,
    pub(crate) orders: Vec<EngineOrder>,
    pub(crate) study: Option<Box<StudyTask>>,
    pub(crate) refused: Option<Vec<String>>,
}

/// A game that was played here, by the person of a side if only one played.
#[derive(Clone, Copy, Debug)]
struct PlayedHere(Option<Color>);

impl Source for PlayedHere {
    fn person(&self) -> Option<Color> {
        self.0
    }
}

/// The help for a person beside a game: the adviser, and the review.
pub(crate) struct Assistant {
    sentences: Arc<dyn Sentences>,
    /// The review, and which of the two boards the engines that help work for.
    beside: Beside<PlayedHere>,
    /// The number of positions of the game when its review began.
    reviewed: usize,
}

impl Assistant {
    pub(crate) fn new(sentences: Arc<dyn Sentences>) -> Assistant {
        Assistant {
            sentences,
            beside: Beside::default(),
            reviewed: 0,
        }
    }

    /// The reviewed game, if an engine has judged it and no move has been played since.
    pub(crate) fn judged(&self, game: &Table) -> Option<Record> {
        let same = self.reviewed == game.session().record().len();
        let review = self.review().filter(|_| same)?;
        if !review.study()?.done {
            return None;
        }
        let mut record = review.session().publish();
        // A review has no clocks.
        let played = game.session().publish();
        for name in Session::CLOCK_TAGS {
            match played.tags().get(name) {
                // The game has this tag with the same text, so it can be written.
                Some(value) => drop(record.tags_mut().set(name, value)),
                None => drop(record.tags_mut().remove(name)),
            }
        }
        Some(record)
    }

    /// The table of the review.
    fn review(&self) -> Option<&Table> {
        self.beside.review().map(Review::table)
    }

    /// Carries out a request that is already authorized; `side` is the side that the client plays, and `other` helps the
    /// opponent.
    pub(crate) fn ask(
        &mut self,
        game: &mut Table,
        other: &Assistant,
        side: Option<Color>,
        request: AssistantRequest,
        now: Timestamp,
    ) -> Result<AssistantOutcome, Denied> {
        match request {
            AssistantRequest::Hint { review: false } => {
                let mut outcomes = self.work_for(game, BoardId::Game, now);
                outcomes.extend(game.handle(Question::Hint.into(), now));
                Ok(self.absorb_advice(game, outcomes))
            }
            AssistantRequest::Lines {
                shown,
                review: false,
            } => {
                let mut outcomes = self.work_for(game, BoardId::Game, now);
                outcomes.extend(toggle_lines(game, shown, now));
                Ok(self.absorb_advice(game, outcomes))
            }
            AssistantRequest::Hint { review: true } => {
                self.in_review(game, other, side, now, |table| {
                    table.handle(Question::Hint.into(), now)
                })
            }
            AssistantRequest::Lines {
                shown,
                review: true,
            } => self.in_review(game, other, side, now, |table| {
                toggle_lines(table, shown, now)
            }),
            AssistantRequest::Review => self.in_review(game, other, side, now, |_| Vec::new()),
            AssistantRequest::Judge => self.in_review(game, other, side, now, |table| {
                table.handle(StudyRequest::Judge(PlayerSpec::Bot(None)).into(), now)
            }),
            AssistantRequest::Retry => self.in_review(game, other, side, now, |table| {
                table.handle(StudyRequest::Retry.into(), now)
            }),
            AssistantRequest::Look { node } => {
                self.in_review(game, other, side, now, |table| go_to(table, node, now))
            }
            AssistantRequest::Better { node } => {
                self.refuse_large_review()?;
                self.in_review(game, other, side, now, |table| {
                    show_line(table, node, LineKind::Best, now)
                })
            }
            AssistantRequest::Refutation { node } => {
                self.refuse_large_review()?;
                self.in_review(game, other, side, now, |table| {
                    show_line(table, node, LineKind::Refutation, now)
                })
            }
            AssistantRequest::Try { node, played } => {
                self.refuse_large_review()?;
                self.in_review(game, other, side, now, |table| {
                    let mut outcomes = go_to(table, node, now);
                    let input = MoveInput::Text(played);
                    let play = Request::Game(GameRequest::Play(input));
                    outcomes.extend(table.handle(play, now));
                    outcomes
                })
            }
        }
    }

    /// Refuses to add to a review that has as many positions as it may have.
    fn refuse_large_review(&self) -> Result<(), Denied> {
        let review = self.review();
        let places = review.map_or(0, |table| table.session().record().len());
        match places >= MAX_REVIEW_POSITIONS {
            true => Err(Denied::TooLarge),
            false => Ok(()),
        }
    }

    /// Handles a report of the adviser.
    pub(crate) fn handle_engine_event(
        &mut self,
        game: &mut Table,
        event: EngineEvent,
        now: Timestamp,
    ) -> AssistantOutcome {
        let helped = self.beside.front();
        let table = self.beside.at_mut(helped, game);
        let outcomes = table.handle_engine_event(Seat::Adviser, event, now);
        if helped == BoardId::Game {
            return self.absorb_advice(game, outcomes);
        }
        let mut result = match outcomes.is_empty() {
            true => AssistantOutcome::default(),
            false => self.absorb_review(outcomes, Audience::Everybody),
        };
        result.messages.extend(self.review_advice());
        result
    }

    /// Handles a report of the engine that judges the game.
    pub(crate) fn handle_study_report(
        &mut self,
        game: &mut Table,
        studied: StudyReport,
        now: Timestamp,
    ) -> AssistantOutcome {
        if self.beside.review().is_none() {
            return AssistantOutcome::default();
        }
        let table = self.beside.at_mut(BoardId::Review, game);
        let is_end = matches!(studied, StudyReport::Ended { .. });
        let outcomes = table.handle_study_report(studied, now);
        // The end of a try is no news, and what was said about the move stays on the screen.
        if is_end && outcomes.is_empty() {
            return AssistantOutcome::default();
        }
        self.absorb_review(outcomes, Audience::Everybody)
    }

    /// Lets the engines that help work for the review, or for the game again. Returns the outcomes there.
    fn work_for(&mut self, game: &mut Table, helped: BoardId, now: Timestamp) -> Outcomes {
        self.beside.show(helped, game, now).unwrap_or_default()
    }

    /// Does something in the review. Starts a new review if there is none, or if the game has gone on since: with the
    /// judgment and the variations of the opponent's, so that no engine judges the same again.
    fn in_review(
        &mut self,
        game: &mut Table,
        other: &Assistant,
        side: Option<Color>,
        now: Timestamp,
        act: impl FnOnce(&mut Table) -> Outcomes,
    ) -> Result<AssistantOutcome, Denied> {
        let places = game.session().record().len();
        if places > MAX_REVIEW_POSITIONS {
            return Err(Denied::TooLarge);
        }
        let mut outcomes = Vec::new();
        let is_new = self.beside.review().is_none() || self.reviewed != places;
        if is_new {
            if chunks::size(&tree::of(game.session().record())) > MAX_REVIEW_SIZE {
                return Err(Denied::TooLarge);
            }
            let end = game.session().ply();
            let record = other.judged(game);
            let record = record.unwrap_or_else(|| game.session().publish());
            let review = Review::open(record, PlayedHere(side), "", Display::Board, now);
            outcomes = self.beside.open(review, game, now);
            let table = self.beside.at_mut(BoardId::Review, game);
            outcomes.extend(table.walk(i64::from(end), now));
            self.reviewed = places;
        }
        outcomes.extend(self.work_for(game, BoardId::Review, now));
        outcomes.extend(act(self.beside.at_mut(BoardId::Review, game)));
        let mut result = self.absorb_review(outcomes, Audience::Asker);
        result.messages.extend(self.review_advice());
        // The client that asks may not have the positions yet.
        if let Some(AssistantMessage::Review(review)) = result.messages.first_mut() {
            let table = self.review();
            review.nodes = table.map(|table| tree::of(table.session().record()));
            review.count = review.nodes.as_ref().map(Vec::len);
        }
        Ok(result)
    }

    fn absorb_advice(&self, game: &Table, outcomes: Outcomes) -> AssistantOutcome {
        // Asking the adviser does not change the game.
        let SortedOutcomes {
            mut result, words, ..
        } = self.absorb(game, outcomes, Audience::Asker);
        result
            .messages
            .push(AssistantMessage::Advice(advice_message(game, false, words)));
        result
    }

    fn absorb_review(&self, outcomes: Outcomes, whom: Audience) -> AssistantOutcome {
        let Some(table) = self.review() else {
            return AssistantOutcome::default();
        };
        let SortedOutcomes {
            mut result,
            words,
            changed,
        } = self.absorb(table, outcomes, whom);
        result
            .messages
            .push(AssistantMessage::Review(review_message(
                table, changed, words,
            )));
        result
    }

    /// Sorts the outcomes of one of the two tables.
    fn absorb(&self, table: &Table, outcomes: Outcomes, whom: Audience) -> SortedOutcomes {
        let mut result = AssistantOutcome::default();
        let mut words = Vec::new();
        let mut changed = false;
        for outcome in outcomes {
            match outcome {
                Outcome::Order(order) => result.orders.push(order),
                Outcome::Study(task) => result.study = Some(task),
                Outcome::Answer(answer) => words.extend(self.sentences.answered(&answer)),
                Outcome::Happened(happened) => changed |= happened.recorded,
                Outcome::Judged(_) | Outcome::VariationMoved(_) => changed = true,
                Outcome::Retry(mistake) => words.extend(self.sentences.retry(&mistake)),
                Outcome::Line(which, moves) => words.extend(self.sentences.line(which, &moves)),
                Outcome::Tried(tried) => words.extend(self.sentences.tried(&tried)),
                Outcome::AllJudged => {
                    changed = true;
                    let study = table.study();
                    words.extend(study.map_or_else(Vec::new, |study| self.sentences.judged(study)));
                }
                Outcome::Refused(refused) => {
                    let said = self.sentences.refused(&refused, table.position());
                    match whom {
                        Audience::Asker => {
                            result.refused.get_or_insert(said);
                        }
                        Audience::Everybody => words.extend(said),
                    }
                }
                // These are about players, and nobody plays at a review.
                Outcome::ReadAs { .. }
                | Outcome::Server(_)
                | Outcome::ServerNews(_)
                | Outcome::Premove(_)
                | Outcome::PremoveDropped(_)
                | Outcome::Seated { .. }
                | Outcome::TookSide(_)
                | Outcome::EngineFailed { .. }
                | Outcome::BraceReplaced
                | Outcome::Judging
                | Outcome::TryEnded => {}
            }
        }
        SortedOutcomes {
            result,
            words,
            changed,
        }
    }

    fn review_advice(&self) -> Option<AssistantMessage> {
        let is_helped = self.beside.front() == BoardId::Review;
        let table = self.review().filter(|_| is_helped)?;
        Some(AssistantMessage::Advice(advice_message(
            table,
            true,
            Vec::new(),
        )))
    }
}

/// Sorted outcomes: what is sent, the sentences about it, and whether moves or marks changed.
struct SortedOutcomes {
    result: AssistantOutcome,
    words: Vec<String>,
    changed: bool,
}

/// Who is told why a request was refused.
#[derive(Clone, Copy)]
enum Audience {
    Asker,
    Everybody,
}

fn toggle_lines(table: &mut Table, shown: bool, now: Timestamp) -> Outcomes {
    if table.adviser().shows_lines() == shown {
        return Vec::new();
    }
    table.handle(Question::Lines(None).into(), now)
}

/// Goes to a position of a review. If it is shown already, nothing happens, so that a try at a mistake goes on.
fn go_to(table: &mut Table, node: NodeId, now: Timestamp) -> Outcomes {
    let there = table.session().record().node(node).is_some();
    if !there || table.node().id() == node {
        return Vec::new();
    }
    table.look_at(node, now)
}

/// Shows a line about a move of a review.
fn show_line(table: &mut Table, node: NodeId, which: LineKind, now: Timestamp) -> Outcomes {
    let mut outcomes = go_to(table, node, now);
    outcomes.extend(table.handle(StudyRequest::Line(which).into(), now));
    outcomes
}

fn advice_message(table: &Table, review: bool, sentences: Vec<String>) -> Advice {
    let adviser = table.adviser();
    let here = table.position();
    let evaluations = adviser.evaluations().into_iter();
    let lines = evaluations
        .filter(|line| line.position == *here)
        .map(|found| {
            let turn = found.position.turn();
            Line {
                score: score_text(found.score, turn),
                chance: tree::rounded(expected_score(found.score.for_white(turn), &found.position)),
                depth: found.depth,
                text: line_text(&found.position, &found.line, LINE),
            }
        });
    let hinted = adviser
        .hinted()
        .filter(|(_, _, position)| *position == here);
    Advice {
        review,
        node: table.node().id(),
        ply: table.node().ply(),
        shown: adviser.shows_lines(),
        lines: lines.collect(),
        hint: hinted.map(|(stage, best, _)| hint(stage, best)),
        sentences,
        chances: match review {
            true => Vec::new(),
            false => rounded(table.evaluation_history().chances(table.session().record())),
        },
    }
}

fn hint(stage: Stage, best: Move) -> Hint {
    Hint {
        from: best.from(),
        to: match stage {
            Stage::Piece => None,
            Stage::Square | Stage::Move => Some(best.to()),
        },
    }
}

fn rounded(known: Vec<Option<f64>>) -> Vec<Option<f64>> {
    known
        .into_iter()
        .map(|chance| chance.map(tree::rounded))
        .collect()
}

fn review_message(table: &Table, changed: bool, sentences: Vec<String>) -> ReviewMessage {
    let record = table.session().record();
    let study = table.study();
    let analysis = study.and_then(Study::analysis);
    let (judged, of) = study.map_or((0, 0), Study::progress);
    let position = table.position();
    let nodes = changed.then(|| tree::of(record));
    let legal = position.legal_moves();
    ReviewMessage {
        count: nodes.as_ref().map(Vec::len),
        nodes,
        at: table.node().id(),
        legal: moves::coordinates(position, &legal),
        castling: moves::castling(position, &legal),
        chances: analysis.map_or_else(Vec::new, |known| rounded(known.chances().collect())),
        judging: table.is_judging(),
        judged,
        of,
        done: study.is_some_and(|study| study.done),
        turning_points: study.map_or(0, |study| study.turning_points().len()),
        accuracy: Sides::from_fn(|color| analysis?.accuracy(color).map(f64::round)),
        sentences,
    }
}
