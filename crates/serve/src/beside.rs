//! What an engine says beside a game: hints, lines, and the review of a game with its judgment. A review is a second table
//! beside the one of the game; the helpers of a front serve whichever of the two is asked about.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tabiya_game::{MoveInput, NodeId, Record, Timestamp};
use tabiya_play::advice::{Stage, line_text, score_text};
use tabiya_play::opponents::{EngineEvent, EngineOrder, Seat};
use tabiya_play::outcome::{Outcome, Outcomes};
use tabiya_play::players::PlayerSpec;
use tabiya_play::request::{GameRequest, Question, Request, StudyRequest};
use tabiya_play::study::{Studied, Study, StudyTask};
use tabiya_play::table::Table;
use tabiya_rules::{Color, Move, Square};
use tabiya_uci::expected_score;

use crate::config::Sentences;
use crate::role::Denied;
use crate::sides::Sides;
use crate::tree::{self, TreeNode};

/// The most places of a game that is reviewed here: all of them go to the page at once.
const LARGEST_REVIEW: usize = 4_000;

/// How many moves of a line are shown.
const LINE: usize = 10;

/// What a client asks for beside the game.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "command", rename_all = "snake_case")]
pub(crate) enum Wish {
    /// A little more of a good move.
    Hint {
        /// In the review, not in the game.
        #[serde(default)]
        review: bool,
    },
    /// The best lines from now on, or no longer.
    Lines {
        shown: bool,
        #[serde(default)]
        review: bool,
    },
    /// The game with its variations and comments.
    Review,
    /// Have an engine judge the game.
    Judge,
    /// Go to the next mistake, to find something better.
    Retry,
    /// Look at another place of the review.
    Look { node: NodeId },
    /// Play a move from a place of the review.
    Try {
        node: NodeId,
        #[serde(rename = "move")]
        played: String,
    },
}

impl Wish {
    /// The names of these requests. All others are about the game.
    pub(crate) const NAMES: [&str; 7] =
        ["hint", "lines", "review", "judge", "retry", "look", "try"];
}

/// Something that everybody is told beside the game.
#[derive(Debug)]
pub(crate) enum Beside {
    Advice(Advice),
    Review(Review),
}

/// What an engine thinks of a place.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Advice {
    /// Whether it is about the review, and not about the game.
    review: bool,
    node: NodeId,
    ply: u32,
    /// Whether lines are sought wherever the game goes.
    shown: bool,
    lines: Vec<Line>,
    hint: Option<Hint>,
    sentences: Vec<String>,
    /// What White could expect at the start and after each move of the game, as far as it is known.
    chances: Vec<Option<f64>>,
}

#[derive(Clone, Debug, Serialize)]
struct Line {
    /// As White sees it.
    score: String,
    chance: f64,
    depth: Option<u32>,
    text: String,
}

/// A hint: the piece first, then where it goes, then the move.
#[derive(Clone, Debug, Serialize)]
struct Hint {
    from: Square,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<Square>,
}

/// A game that is reviewed.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Review {
    /// All its places, where they have changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<Vec<TreeNode>>,
    /// The place that is looked at, and the legal moves there.
    at: NodeId,
    legal: Vec<String>,
    /// What White could expect at the start and after each move, as far as it is judged.
    chances: Vec<Option<f64>>,
    judging: bool,
    judged: usize,
    of: usize,
    done: bool,
    turning_points: usize,
    accuracy: Sides<Option<f64>>,
    sentences: Vec<String>,
}

/// What came of something beside the game.
#[derive(Debug, Default)]
pub(crate) struct Told {
    pub(crate) messages: Vec<Beside>,
    pub(crate) orders: Vec<EngineOrder>,
    pub(crate) study: Option<Box<StudyTask>>,
    pub(crate) refused: Option<Vec<String>>,
}

/// What is beside a game.
pub(crate) struct Desk {
    sentences: Arc<dyn Sentences>,
    review: Option<Table>,
    /// How many places the game had when its review began.
    reviewed: usize,
    /// Whether the helpers are at the review.
    helps_review: bool,
}

impl Desk {
    pub(crate) fn new(sentences: Arc<dyn Sentences>) -> Desk {
        Desk {
            sentences,
            review: None,
            reviewed: 0,
            helps_review: false,
        }
    }

    /// The game as its review has it, where an engine has judged it and it has not gone on since.
    pub(crate) fn judged(&self, game: &Table) -> Option<Record> {
        let same = self.reviewed == game.session().record().len();
        let review = self.review.as_ref().filter(|_| same)?;
        review.study()?.done.then(|| review.session().publish())
    }

    /// Does what somebody who may ask for it asks for; `side` is theirs.
    pub(crate) fn ask(
        &mut self,
        game: &mut Table,
        side: Option<Color>,
        wish: Wish,
        now: Timestamp,
    ) -> Result<Told, Denied> {
        match wish {
            Wish::Hint { review: false } => {
                self.help(game, false);
                let outcomes = game.handle(Question::Hint.into(), now);
                Ok(self.absorb_advice(game, outcomes))
            }
            Wish::Lines {
                shown,
                review: false,
            } => {
                self.help(game, false);
                let outcomes = toggle_lines(game, shown, now);
                Ok(self.absorb_advice(game, outcomes))
            }
            Wish::Hint { review: true } => self.in_review(game, side, now, |table| {
                table.handle(Question::Hint.into(), now)
            }),
            Wish::Lines {
                shown,
                review: true,
            } => self.in_review(game, side, now, |table| toggle_lines(table, shown, now)),
            Wish::Review => self.in_review(game, side, now, |table| table.attend(now)),
            Wish::Judge => self.in_review(game, side, now, |table| {
                table.handle(StudyRequest::Judge(PlayerSpec::Bot(None)).into(), now)
            }),
            Wish::Retry => self.in_review(game, side, now, |table| {
                table.handle(StudyRequest::Retry.into(), now)
            }),
            Wish::Look { node } => self.in_review(game, side, now, |table| {
                let mut outcomes = look(table, node, now);
                outcomes.extend(table.attend(now));
                outcomes
            }),
            Wish::Try { node, played } => {
                let places = self
                    .review
                    .as_ref()
                    .map_or(0, |table| table.session().record().len());
                if places >= LARGEST_REVIEW {
                    return Err(Denied::TooLarge);
                }
                self.in_review(game, side, now, |table| {
                    let mut outcomes = look(table, node, now);
                    let input = MoveInput::Text(played);
                    let play = Request::Game(GameRequest::Play(input));
                    outcomes.extend(table.handle(play, now));
                    outcomes
                })
            }
        }
    }

    /// Takes in what the adviser tells.
    pub(crate) fn heard(&mut self, game: &mut Table, event: EngineEvent, now: Timestamp) -> Told {
        match &mut self.review {
            Some(table) if self.helps_review => {
                let outcomes = table.heard(Seat::Adviser, event, now);
                let mut told = match outcomes.is_empty() {
                    true => Told::default(),
                    false => self.absorb_review(outcomes, Whom::Everybody),
                };
                told.messages.extend(self.review_advice());
                told
            }
            Some(_) | None => {
                let outcomes = game.heard(Seat::Adviser, event, now);
                self.absorb_advice(game, outcomes)
            }
        }
    }

    /// Takes in what an engine tells that judges the game.
    pub(crate) fn studied(&mut self, studied: Studied, now: Timestamp) -> Told {
        let Some(table) = &mut self.review else {
            return Told::default();
        };
        let is_end = matches!(studied, Studied::Ended { .. });
        let outcomes = table.studied(studied, now);
        // The end of a try tells nothing new, and what was said about the move stays.
        if is_end && outcomes.is_empty() {
            return Told::default();
        }
        self.absorb_review(outcomes, Whom::Everybody)
    }

    /// Sends the helpers to the review, or back to the game.
    fn help(&mut self, game: &mut Table, review: bool) {
        if let Some(table) = &mut self.review
            && self.helps_review != review
        {
            if review {
                game.hand_over(table);
            } else {
                table.hand_over(game);
            }
            self.helps_review = review;
        }
    }

    /// Does something in the review, which begins if it has not, or if the game has gone on since.
    fn in_review(
        &mut self,
        game: &mut Table,
        side: Option<Color>,
        now: Timestamp,
        act: impl FnOnce(&mut Table) -> Outcomes,
    ) -> Result<Told, Denied> {
        let places = game.session().record().len();
        if places > LARGEST_REVIEW {
            return Err(Denied::TooLarge);
        }
        let is_new = self.review.is_none() || self.reviewed != places;
        if is_new {
            self.help(game, false);
            let end = game.session().ply();
            let mut table = Table::review(game.session().publish(), now);
            table.belongs_to(side);
            table.walk(i64::from(end), now);
            self.review = Some(table);
            self.reviewed = places;
        }
        self.help(game, true);
        let Some(table) = &mut self.review else {
            return Ok(Told::default());
        };
        let outcomes = act(table);
        let mut told = self.absorb_review(outcomes, Whom::Asker);
        told.messages.extend(self.review_advice());
        // Whoever asks may not know the game yet.
        if let Some(Beside::Review(review)) = told.messages.first_mut() {
            review.nodes = self
                .review
                .as_ref()
                .map(|table| tree::of(table.session().record()));
        }
        Ok(told)
    }

    fn absorb_advice(&self, game: &Table, outcomes: Outcomes) -> Told {
        // Whoever asks an adviser changes nothing of the game.
        let Absorbed {
            mut told, words, ..
        } = self.absorb(game, outcomes, Whom::Asker);
        told.messages
            .push(Beside::Advice(advice(game, false, words)));
        told
    }

    fn absorb_review(&self, outcomes: Outcomes, whom: Whom) -> Told {
        let Some(table) = &self.review else {
            return Told::default();
        };
        let Absorbed {
            mut told,
            words,
            changed,
        } = self.absorb(table, outcomes, whom);
        told.messages
            .push(Beside::Review(review(table, changed, words)));
        told
    }

    /// Sorts what came of something at one of the two tables.
    fn absorb(&self, table: &Table, outcomes: Outcomes, whom: Whom) -> Absorbed {
        let mut told = Told::default();
        let mut words = Vec::new();
        let mut changed = false;
        for outcome in outcomes {
            match outcome {
                Outcome::Order(order) => told.orders.push(order),
                Outcome::Study(task) => told.study = Some(task),
                Outcome::Answer(answer) => words.extend(self.sentences.answered(&answer)),
                Outcome::Happened(happened) => changed |= happened.recorded,
                Outcome::Judged(_) | Outcome::VariationMoved(_) => changed = true,
                Outcome::Retry(mistake) => words.extend(self.sentences.retry(&mistake)),
                Outcome::Tried(tried) => words.extend(self.sentences.tried(&tried)),
                Outcome::AllJudged => {
                    changed = true;
                    let study = table.study();
                    words.extend(study.map_or_else(Vec::new, |study| self.sentences.judged(study)));
                }
                Outcome::Refused(refused) => {
                    let said = self.sentences.refused(&refused, table.position());
                    match whom {
                        Whom::Asker => {
                            told.refused.get_or_insert(said);
                        }
                        Whom::Everybody => words.extend(said),
                    }
                }
                // No player is asked here, and there is none at a review.
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
        Absorbed {
            told,
            words,
            changed,
        }
    }

    fn review_advice(&self) -> Option<Beside> {
        let table = self.review.as_ref().filter(|_| self.helps_review)?;
        Some(Beside::Advice(advice(table, true, Vec::new())))
    }
}

/// What came of something at a table: what is told, in which words, and whether its moves or marks changed.
struct Absorbed {
    told: Told,
    words: Vec<String>,
    changed: bool,
}

/// Who is told why something was not done.
#[derive(Clone, Copy)]
enum Whom {
    Asker,
    Everybody,
}

fn toggle_lines(table: &mut Table, shown: bool, now: Timestamp) -> Outcomes {
    if table.adviser().shows_lines() == shown {
        return table.attend(now);
    }
    table.handle(Question::Lines(None).into(), now)
}

/// Looks at a place of a review; one that is there already ends no try at a mistake.
fn look(table: &mut Table, node: NodeId, now: Timestamp) -> Outcomes {
    let there = table.session().record().node(node).is_some();
    if !there || table.node().id() == node {
        return Vec::new();
    }
    table.look_at(node, now)
}

fn advice(table: &Table, review: bool, sentences: Vec<String>) -> Advice {
    let adviser = table.adviser();
    let here = table.position();
    let evaluations = adviser.evaluations().into_iter();
    let lines = evaluations
        .filter(|line| line.position == *here)
        .map(|found| {
            let turn = found.position.turn();
            Line {
                score: score_text(found.score, turn),
                chance: tree::rounded(expected_score(found.score.for_white(turn))),
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
            false => chances(table.course().chances(table.session().record())),
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

fn chances(known: Vec<Option<f64>>) -> Vec<Option<f64>> {
    known
        .into_iter()
        .map(|chance| chance.map(tree::rounded))
        .collect()
}

fn review(table: &Table, changed: bool, sentences: Vec<String>) -> Review {
    let record = table.session().record();
    let study = table.study();
    let analysis = study.and_then(|study| study.analysis.as_ref());
    let (judged, of) = study.map_or((0, 0), Study::progress);
    let position = table.position();
    Review {
        nodes: changed.then(|| tree::of(record)),
        at: table.node().id(),
        legal: position
            .legal_moves()
            .iter()
            .map(|&played| position.uci(played).to_string())
            .collect(),
        chances: analysis.map_or_else(Vec::new, |known| chances(known.chances().collect())),
        judging: table.is_judging(),
        judged,
        of,
        done: study.is_some_and(|study| study.done),
        turning_points: study.map_or(0, |study| study.turning_points().len()),
        accuracy: Sides::from_fn(|color| analysis?.accuracy(color).map(f64::round)),
        sentences,
    }
}
