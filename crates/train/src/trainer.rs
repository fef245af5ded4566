//! A training session: it asks the exercises of the day one after another, and grades the answers.
//!
//! Like a table it does no input or output: [`Trainer::handle`] returns what has to be stored, then what is to be shown, and
//! what an engine has to judge. A move that is not known to solve an exercise is never called wrong without the engine.

mod mined;
mod solving;

use std::collections::VecDeque;

use tabiya_play::advice::Stage;
use tabiya_play::analysis::Verdict;
use tabiya_play::analysis::explanation::numbered_line;
use tabiya_play::outcome::TableRefusal;
use tabiya_play::study::StudyTask;
use tabiya_play::typed_move;
use tabiya_rules::{Color, Move, Position, UciMove};

use crate::day::{Day, Moment};
use crate::fsrs::Grade;
use crate::item::{Item, ItemId, ItemKind};
use crate::log::{Change, Entry, Review, Stamper};
use crate::memory::{LEARNED, Memory};
use crate::player;
use crate::queue::{self, Queue, RETENTION};
use solving::{Next, Solving};

/// A move that loses no more than this keeps most of what there is.
pub const PLAYABLE: f64 = 0.10;

/// What a player can ask of a session.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// Begin.
    Start,
    /// Answer with a move as typed.
    Typed(String),
    /// Answer with a legal move.
    Move(Move),
    /// Another hint: the piece, the square, then the move.
    Hint,
    /// Show the solution, and go on.
    Show,
    /// Ask this exercise again at the end.
    Later,
    /// The last exercise was easy.
    Easy,
    /// Withdraw the last review, and ask that exercise again.
    Undo,
    /// The engine's verdict on a position of the task with this number.
    Judged {
        /// The number of the task.
        number: u64,
        /// The index of the position.
        at: usize,
        /// The verdict.
        found: Verdict,
    },
    /// The engine has finished the task with this number, or cannot.
    JudgeEnded {
        /// The number of the task.
        number: u64,
    },
    /// End the session.
    End,
}

/// How a session is limited.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Options {
    /// The most exercises.
    pub count: Option<usize>,
    /// The most minutes. The exercise begun before that is finished.
    pub minutes: Option<u32>,
    /// Only exercises of this kind.
    pub kind: Option<ItemKind>,
    /// The probability of recall at which an exercise is due, from 0.7 to 0.95.
    pub retention: f64,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            count: None,
            minutes: None,
            kind: None,
            retention: RETENTION,
        }
    }
}

/// What comes of a request, in the order in which it is to be carried out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcomes {
    /// Must be on the disk before anything else is carried out.
    pub entries: Vec<Entry>,
    /// What to show.
    pub events: Vec<Event>,
    /// What an engine has to judge.
    pub task: Option<StudyTask>,
}

/// Something to show.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// An exercise is asked.
    Exercise(Box<Exercise>),
    /// An answer was judged.
    Judged(Judged),
    /// The engine has to judge the move first.
    Asked {
        /// The move in SAN.
        san: String,
    },
    /// The engine could not judge the move. It counts as no answer.
    Unjudged {
        /// The move in SAN.
        san: String,
    },
    /// A hint.
    Hinted {
        /// How much it tells.
        stage: Stage,
        /// The move it is about.
        best: Move,
        /// The move in SAN.
        san: String,
    },
    /// The solution.
    Shown {
        /// The exercise.
        id: ItemId,
        /// The best move in SAN.
        san: String,
        /// What follows from that.
        grading: Option<Grading>,
        /// The best line, with numbers.
        line: Vec<String>,
    },
    /// The exercise comes back at the end.
    Postponed,
    /// The last exercise counts as easy.
    Eased(Grading),
    /// The last review is withdrawn.
    Undone,
    /// The text is no move in this position. It counts as no answer.
    Refused {
        /// Why it is none.
        why: TableRefusal,
        /// The position.
        position: Position,
    },
    /// There is nothing to do that to.
    Nothing(Request),
    /// The session is over.
    Ended(Summary),
}

/// An exercise as it is asked.
#[derive(Clone, Debug, PartialEq)]
pub struct Exercise {
    /// The exercise.
    pub item: Item,
    /// Its number in the session, from 1.
    pub number: usize,
    /// How many there are.
    pub of: usize,
    /// Whether it comes back because it was failed or withdrawn in this session.
    pub is_return: bool,
    /// Whether it was never asked before.
    pub is_new: bool,
}

impl Exercise {
    /// The side to move.
    #[must_use]
    pub fn turn(&self) -> Color {
        self.item.position.turn()
    }
}

/// What was found about an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quality {
    /// It solves the exercise.
    Right,
    /// It keeps most of what there is, but there is better.
    Playable,
    /// It wins too, but there is a mate.
    WinsToo,
    /// It was played in the game.
    Same,
    /// It gives too much away.
    Wrong,
}

/// A judged answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// The exercise.
    pub id: ItemId,
    /// The move in SAN.
    pub san: String,
    /// How good it is.
    pub quality: Quality,
    /// The share of the chances that it loses against the best move; `None` if the engine was not asked.
    pub loss: Option<f64>,
    /// What follows from it; `None` if it counts for nothing.
    pub grading: Option<Grading>,
    /// The opponent's reply, if there is more to find.
    pub reply: Option<Reply>,
    /// The best line with numbers, once the exercise is solved.
    pub line: Vec<String>,
}

/// The opponent's reply to a right move.
#[derive(Clone, Debug, PartialEq)]
pub struct Reply {
    /// In SAN with its number, such as `12...Kxh7`.
    pub san: String,
    /// The move.
    pub uci: UciMove,
    /// The position after it, in which the player goes on.
    pub position: Position,
}

/// A grade, and when the exercise comes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grading {
    /// The grade.
    pub grade: Grade,
    /// In how many days it is due.
    pub due: u32,
    /// Whether it comes back only after so long that it counts as learned.
    pub is_learned: bool,
}

/// A session that is over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// How many exercises were answered.
    pub asked: usize,
    /// How many of them were solved.
    pub solved: usize,
    /// How many were solved with the first move and without a hint.
    pub at_once: usize,
    /// How many are due tomorrow.
    pub tomorrow: usize,
    /// How many exercises there are in all.
    pub known: usize,
    /// The player's rating before and after the session, if it counts for that.
    pub rating: Option<[u32; 2]>,
}

/// A training session.
#[derive(Clone, Debug)]
pub struct Trainer {
    memory: Memory,
    options: Options,
    stamper: Stamper,
    /// When the session began.
    begun: Option<Moment>,
    queue: VecDeque<Asking>,
    current: Option<Solving>,
    /// How many exercises have been asked, and how many there are.
    number: usize,
    of: usize,
    answered: Vec<Answered>,
    /// The player's rating when the session began.
    rated: Option<f64>,
    /// How many tasks the engine has had.
    tasks: u64,
}

/// An exercise in the queue.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Asking {
    id: ItemId,
    /// Its number in the session, if it was asked before.
    number: Option<usize>,
    /// Whether it comes back because the answer was wrong.
    is_return: bool,
}

/// A review of this session.
#[derive(Clone, Debug)]
struct Answered {
    /// The number of its entry.
    n: u64,
    review: Review,
    number: usize,
    is_return: bool,
}

impl Trainer {
    /// Creates a session with what the record holds. `last` is the time of the last entry of this installation's log, and
    /// the seed must be random, because the numbers of entries are.
    #[must_use]
    pub fn new(memory: Memory, last: i64, seed: u64, options: Options) -> Trainer {
        Trainer {
            memory,
            options: Options {
                retention: options.retention.clamp(0.7, 0.95),
                ..options
            },
            stamper: Stamper::new(last, seed),
            begun: None,
            queue: VecDeque::new(),
            current: None,
            number: 0,
            of: 0,
            answered: Vec::new(),
            rated: None,
            tasks: 0,
        }
    }

    /// What is known about all exercises.
    #[must_use]
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// The exercises of the day that have not been asked on it yet.
    #[must_use]
    pub fn queue(&self, now: Moment) -> Queue {
        self.queue_of(now.day())
    }

    fn queue_of(&self, day: Day) -> Queue {
        let Options {
            retention, kind, ..
        } = self.options;
        queue::of(&self.memory, day, retention, kind)
    }

    /// The exercise that is being asked.
    #[must_use]
    pub fn current(&self) -> Option<&Item> {
        self.memory.item(self.current.as_ref()?.asking.id)
    }

    /// The position in which the player is to move.
    #[must_use]
    pub fn position(&self) -> Option<Position> {
        Some(self.current.as_ref()?.position)
    }

    /// The opponent's move that led to that position.
    #[must_use]
    pub fn last_move(&self) -> Option<UciMove> {
        self.current.as_ref()?.last
    }

    /// The exercises of the day that have no rating yet.
    #[must_use]
    pub fn unrated(&self, now: Moment) -> Vec<Item> {
        let ids = self.queue(now).items.into_iter();
        let items = ids.filter_map(|id| self.memory.item(id));
        items
            .filter(|item| item.rating.is_none())
            .cloned()
            .collect()
    }

    /// Adds exercises. Returns the entries to store: none for what is known already.
    pub fn add(&mut self, items: impl IntoIterator<Item = Item>, now: Moment) -> Vec<Entry> {
        let mut entries = Vec::new();
        for item in items {
            if let Some(item) = self.memory.news(item) {
                let change = Change::Item(Box::new(item));
                self.store(change, now, &mut entries);
            }
        }
        entries
    }

    /// Carries out a request.
    pub fn handle(&mut self, request: Request, now: Moment) -> Outcomes {
        let mut outcomes = Outcomes::default();
        let out = &mut outcomes;
        let is_judgment = matches!(
            request,
            Request::Judged { .. } | Request::JudgeEnded { .. } | Request::Typed(_)
        );
        if let Some(current) = &mut self.current
            && !is_judgment
        {
            // Nobody waits for it any more.
            current.compared = None;
        }
        let done = match request.clone() {
            Request::Start => {
                self.start(now, out);
                Some(())
            }
            Request::Typed(text) => self.typed(text, now, out),
            Request::Move(played) => self.answer(played, now, out),
            Request::Hint => self.hint(out),
            Request::Show => self.show(now, out),
            Request::Later => self.later(now, out),
            Request::Easy => self.ease(now, out),
            Request::Undo => self.undo(now, out),
            Request::Judged { number, at, found } => {
                self.judged(number, at, found, now, out);
                Some(())
            }
            Request::JudgeEnded { number } => {
                self.compared(number, now, out);
                Some(())
            }
            Request::End => {
                self.end(now, out);
                Some(())
            }
        };
        if done.is_none() {
            out.events.push(Event::Nothing(request));
        }
        outcomes
    }

    /// Begins a session with the queue of the day.
    fn start(&mut self, now: Moment, out: &mut Outcomes) {
        let asked = |id| Asking {
            id,
            number: None,
            is_return: false,
        };
        self.queue = self.queue(now).items.into_iter().map(asked).collect();
        self.queue
            .truncate(self.options.count.unwrap_or(usize::MAX));
        self.of = self.queue.len();
        self.number = 0;
        self.answered.clear();
        self.begun = Some(now);
        self.rated = Some(self.rating(now));
        self.next(now, out);
    }

    /// The player's rating.
    fn rating(&self, now: Moment) -> f64 {
        player::rating(&self.memory, now.day())
            .unwrap_or_default()
            .rating
    }

    /// Asks the next exercise, or ends the session.
    fn next(&mut self, now: Moment, out: &mut Outcomes) {
        self.current = None;
        let is_late = self.is_late(now);
        while let Some(asking) = self.queue.pop_front().filter(|_| !is_late) {
            let Some(known) = self.memory.known(asking.id) else {
                continue;
            };
            let Some(item) = known.item() else {
                continue;
            };
            let number = asking.number.unwrap_or(self.number + 1);
            let Some(solving) = Solving::new(item, asking, number, now) else {
                continue;
            };
            out.events.push(Event::Exercise(Box::new(Exercise {
                item: item.clone(),
                number,
                of: self.of,
                is_return: asking.is_return,
                is_new: known.progress().is_none(),
            })));
            self.number = self.number.max(number);
            self.current = Some(solving);
            return;
        }
        self.end(now, out);
    }

    /// Whether the minutes of the session are over.
    fn is_late(&self, now: Moment) -> bool {
        let (Some(begun), Some(minutes)) = (self.begun, self.options.minutes) else {
            return false;
        };
        const MILLIS_PER_MINUTE: i64 = 60_000;
        now.ms.saturating_sub(begun.ms) >= i64::from(minutes) * MILLIS_PER_MINUTE
    }

    /// Reads a typed move, and handles it as an answer.
    fn typed(&mut self, text: String, now: Moment, out: &mut Outcomes) -> Option<()> {
        let position = self.position()?;
        match typed_move::parse(&text, &position) {
            Ok(parsed) => self.answer(parsed.played, now, out)?,
            Err(why) => {
                let why = TableRefusal::typed(why, text);
                out.events.push(Event::Refused { why, position });
            }
        }
        Some(())
    }

    /// Handles an answer. The engine judges a move that the exercise does not know.
    fn answer(&mut self, played: Move, now: Moment, out: &mut Outcomes) -> Option<()> {
        let item = self.current()?;
        let current = self.current.as_ref()?;
        let position = current.position;
        let is_first = current.is_first(item);
        let accepts = played == current.best() || is_first && item.accepts(played);
        let is_same = is_first && item.wrong == Some(played);
        // A mate is as good as any other.
        let next = match position.play(played).ok()?.is_checkmate() {
            true => Some(Next::Solved),
            false if accepts => current.next_by_solution(played),
            false => None,
        };
        self.current.as_mut()?.compared = None;
        if let Some(next) = next {
            self.record_right(played, None, next, now, out);
            return Some(());
        }
        if is_same && !accepts {
            self.record_other(played, Quality::Same, None, now, out);
            return Some(());
        }
        self.tasks += 1;
        out.events.push(Event::Asked {
            san: position.san(played).to_string(),
        });
        let (number, current) = (self.tasks, self.current.as_mut()?);
        out.task = Some(current.compare(number, played, accepts));
        Some(())
    }

    /// Handles the engine's verdict on a position of its task. Once all are there, the answer is graded.
    fn judged(&mut self, number: u64, at: usize, found: Verdict, now: Moment, out: &mut Outcomes) {
        let Some(current) = &mut self.current else {
            return;
        };
        let Some(compared) = current.compared.as_mut().filter(|it| it.number == number) else {
            return;
        };
        if compared.take(at, found) {
            self.compared(number, now, out);
        }
    }

    /// Handles the end of a task. A move that the engine could not judge counts as no answer, unless it is known to be right.
    fn compared(&mut self, number: u64, now: Moment, out: &mut Outcomes) {
        let Some(current) = &mut self.current else {
            return;
        };
        let Some(compared) = current.compared.take_if(|it| it.number == number) else {
            return;
        };
        let played = compared.tried;
        match compared.verdict(current.position.turn()) {
            Some((Quality::Right, loss)) => {
                let next = current.next_by_engine(&compared);
                self.record_right(played, loss, next, now, out);
            }
            Some((quality, loss)) => self.record_other(played, quality, loss, now, out),
            None => out.events.push(Event::Unjudged {
                san: current.position.san(played).to_string(),
            }),
        }
    }

    /// Goes on after a right move. The last one is graded.
    fn record_right(
        &mut self,
        played: Move,
        loss: Option<f64>,
        next: Next,
        now: Moment,
        out: &mut Outcomes,
    ) {
        let Some(item) = self.current().cloned() else {
            return;
        };
        let Some(current) = self.current.as_mut() else {
            return;
        };
        let san = current.position.san(played).to_string();
        current.tried.push(current.position.uci(played));
        let is_new = current.is_first(&item) && !item.accepts(played);
        let mut judged = Judged {
            id: item.id,
            san,
            quality: Quality::Right,
            loss,
            grading: None,
            reply: None,
            line: Vec::new(),
        };
        let is_solved = match next {
            Next::Solved => true,
            Next::Reply { reply, best, off } => {
                judged.reply = Some(current.advance(played, reply, best, off));
                false
            }
        };
        let grade = current.grade_of(Quality::Right).filter(|_| is_solved);
        if is_new {
            let mut accepting = item.clone();
            accepting.also.push(played);
            let change = Change::Item(Box::new(accepting));
            self.store(change, now, &mut out.entries);
        }
        judged.grading = grade.and_then(|grade| self.grade(grade, now, out));
        if is_solved {
            judged.line = numbered_line(&item.position, &item.line);
        }
        out.events.push(Event::Judged(judged));
        if is_solved {
            self.next(now, out);
        }
    }

    /// Grades a move that is not right. The player tries again.
    fn record_other(
        &mut self,
        played: Move,
        quality: Quality,
        loss: Option<f64>,
        now: Moment,
        out: &mut Outcomes,
    ) {
        let Some(current) = self.current.as_mut() else {
            return;
        };
        let (id, san) = (current.asking.id, current.position.san(played).to_string());
        current.tried.push(current.position.uci(played));
        let grade = current.grade_of(quality);
        current.was_playable |= grade.is_none();
        let grading = grade.and_then(|grade| self.grade(grade, now, out));
        out.events.push(Event::Judged(Judged {
            id,
            san,
            quality,
            loss,
            grading,
            reply: None,
            line: Vec::new(),
        }));
    }

    /// Stores the grade of the current exercise, unless it has one. A failed one comes back once, at the end.
    fn grade(&mut self, grade: Grade, now: Moment, out: &mut Outcomes) -> Option<Grading> {
        let current = self.current.as_mut().filter(|current| !current.is_graded)?;
        current.is_graded = true;
        let Asking { id, is_return, .. } = current.asking;
        let number = current.number;
        let took = now.ms.saturating_sub(current.since.ms);
        let review = Review {
            id,
            grade,
            ms: u64::try_from(took).unwrap_or(0),
            tried: current.tried.clone(),
            hints: current.hints,
        };
        let n = self.store(Change::Review(review.clone()), now, &mut out.entries);
        self.answered.push(Answered {
            n,
            review,
            number,
            is_return,
        });
        if grade == Grade::Again && !is_return {
            self.queue.push_back(Asking {
                id,
                number: Some(number),
                is_return: true,
            });
        }
        self.grading(id, grade, now)
    }

    /// What a grade means for an exercise.
    fn grading(&self, id: ItemId, grade: Grade, now: Moment) -> Option<Grading> {
        let progress = self.memory.known(id)?.progress()?;
        let retention = self.options.retention;
        Some(Grading {
            grade,
            due: progress.due(retention).since(now.day()),
            is_learned: progress.interval(retention) >= LEARNED,
        })
    }

    fn hint(&mut self, out: &mut Outcomes) -> Option<()> {
        let current = self.current.as_mut()?;
        let best = current.best();
        let san = current.position.san(best).to_string();
        let stage = match current.hint() {
            1 => Stage::Piece,
            2 => Stage::Square,
            _ => Stage::Move,
        };
        out.events.push(Event::Hinted { stage, best, san });
        Some(())
    }

    /// Shows the solution, which counts as a wrong answer, and goes on.
    fn show(&mut self, now: Moment, out: &mut Outcomes) -> Option<()> {
        let current = self.current.as_ref()?;
        let (id, position, best) = (current.asking.id, current.position, current.best());
        let line = match self.memory.item(id) {
            // The line of an own mistake is longer than what is to be found.
            Some(item) if current.is_first(item) && !item.line.is_empty() => item.line.clone(),
            Some(_) | None => current.rest(),
        };
        let grading = self.grade(Grade::Again, now, out);
        out.events.push(Event::Shown {
            id,
            san: position.san(best).to_string(),
            grading,
            line: numbered_line(&position, &line),
        });
        self.next(now, out);
        Some(())
    }

    /// Moves the current exercise to the end of the queue.
    fn later(&mut self, now: Moment, out: &mut Outcomes) -> Option<()> {
        let current = self.current.take()?;
        // One that was failed waits at the end already.
        if !current.is_graded {
            self.queue.push_back(Asking {
                number: Some(current.number),
                ..current.asking
            });
        }
        out.events.push(Event::Postponed);
        self.next(now, out);
        Some(())
    }

    /// Replaces the last review by one with the grade for easy.
    fn ease(&mut self, now: Moment, out: &mut Outcomes) -> Option<()> {
        let is_good = |last: &mut Answered| last.review.grade == Grade::Good;
        let mut last = self.answered.pop_if(is_good)?;
        self.store(Change::Undo { of: last.n }, now, &mut out.entries);
        last.review.grade = Grade::Easy;
        last.n = self.store(Change::Review(last.review.clone()), now, &mut out.entries);
        let grading = self.grading(last.review.id, Grade::Easy, now)?;
        self.answered.push(last);
        out.events.push(Event::Eased(grading));
        Some(())
    }

    /// Withdraws the last review, and asks its exercise again.
    fn undo(&mut self, now: Moment, out: &mut Outcomes) -> Option<()> {
        let last = self.answered.pop()?;
        self.store(Change::Undo { of: last.n }, now, &mut out.entries);
        let id = last.review.id;
        if !last.is_return {
            self.queue
                .retain(|asking| asking.id != id || !asking.is_return);
        }
        if let Some(current) = self.current.take()
            && current.asking.id != id
        {
            self.queue.push_front(Asking {
                number: Some(current.number),
                ..current.asking
            });
        }
        self.queue.push_front(Asking {
            id,
            number: Some(last.number),
            is_return: last.is_return,
        });
        out.events.push(Event::Undone);
        self.next(now, out);
        Some(())
    }

    fn end(&mut self, now: Moment, out: &mut Outcomes) {
        self.current = None;
        self.queue.clear();
        let tomorrow = now.day().after(1);
        let firsts = || self.answered.iter().filter(|one| !one.is_return);
        let solved = |id: ItemId| {
            let mut reviews = self.answered.iter().map(|one| &one.review);
            reviews.any(|review| review.id == id && review.grade > Grade::Again)
        };
        let after = self.rating(now);
        let rated = self.rated.filter(|&before| before != after);
        let rating = rated.map(|before| [before, after].map(|rating| rating.round() as u32));
        out.events.push(Event::Ended(Summary {
            asked: firsts().count(),
            solved: firsts().filter(|one| solved(one.review.id)).count(),
            at_once: firsts()
                .filter(|one| one.review.grade >= Grade::Good)
                .count(),
            tomorrow: self.queue_of(tomorrow).due,
            known: self.memory.count(),
            rating,
        }));
    }

    /// Applies a change and adds the entry to store. Returns its number.
    fn store(&mut self, change: Change, now: Moment, entries: &mut Vec<Entry>) -> u64 {
        let entry = self.stamper.entry(change, now);
        self.memory.apply(entry.clone());
        let n = entry.stamp.n;
        entries.push(entry);
        n
    }
}
