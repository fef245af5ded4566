//! A game as it lies on the table: the session, what is being typed or held, and what was said last.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::time::Duration;

use tabiya_game::{Branching, NewGame, Node, NodeId, Record, Session, Step, Timestamp, pgn};
use tabiya_play::course::Course;
use tabiya_play::study::Study;
use tabiya_rules::{Bitboard, ByColor, ByRole, CastlingMode, Color, Position, Role, Square};
use tabiya_store::Game;

use super::review::{Origin, Review};
use super::typing::Typing;
use super::words;
use crate::tui::board::Mark;

/// How many sentences are kept.
const SAID: usize = 8;

/// How a sentence is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    Plain,
    /// Nobody should overlook it.
    News,
    /// The game is over.
    Ending,
    /// Something was not done.
    Refusal,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Said {
    pub(crate) text: String,
    pub(crate) tone: Tone,
}

/// The game and what surrounds it.
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) session: Session,
    /// Whether the game was begun, so that there is something to go back to.
    pub(crate) begun: bool,
    pub(crate) typing: Typing,
    pub(crate) cursor: Square,
    /// Whether the cursor was used since the last move by other means.
    pub(crate) cursor_shown: bool,
    /// The square of the piece that is held.
    pub(crate) held: Option<Square>,
    /// Where the left mouse button went down with a piece.
    pub(crate) dragged: Option<Square>,
    /// Where the right one went down.
    pub(crate) marking: Option<Square>,
    /// What the player has marked in a game.
    pub(crate) marks: Vec<Mark>,
    /// A place in the record that is looked at while the game stands elsewhere.
    pub(crate) viewed: Option<NodeId>,
    /// What there is to know about a game that is only looked at; `None` for one that is played.
    pub(crate) reviewed: Option<Review>,
    /// How the game stood, where an engine was asked.
    pub(crate) course: Course,
    said: VecDeque<Said>,
}

impl Table {
    pub(crate) fn new(game: NewGame) -> Table {
        // What is played leads to the main line.
        let mut game = game;
        game.policy.branching = Branching::MainLine;
        Table::with(Session::new(game))
    }

    /// A table at which a game is looked at.
    pub(crate) fn review(session: Session, review: Review) -> Table {
        Table {
            begun: true,
            reviewed: Some(review),
            ..Table::with(session)
        }
    }

    pub(crate) fn is_review(&self) -> bool {
        self.reviewed.is_some()
    }

    /// Whether an engine judges the game that is looked at, or has.
    pub(crate) fn is_judged(&self) -> bool {
        self.reviewed
            .as_ref()
            .is_some_and(|review| review.study.is_some())
    }

    fn with(session: Session) -> Table {
        let cursor = first_cursor(Color::White);
        Table {
            session,
            begun: false,
            typing: Typing::default(),
            cursor,
            cursor_shown: false,
            held: None,
            dragged: None,
            marking: None,
            marks: Vec::new(),
            viewed: None,
            reviewed: None,
            course: Course::default(),
            said: VecDeque::new(),
        }
    }

    pub(crate) fn say(&mut self, text: String) {
        self.tell(text, Tone::Plain);
    }

    pub(crate) fn refuse(&mut self, text: String) {
        self.tell(text, Tone::Refusal);
    }

    pub(crate) fn tell(&mut self, text: String, tone: Tone) {
        if self.said.len() >= SAID {
            self.said.pop_front();
        }
        self.said.push_back(Said { text, tone });
    }

    /// Forgets why the last thing was not done, once something else is.
    pub(crate) fn forget_refusal(&mut self) {
        while self
            .said
            .back()
            .is_some_and(|said| said.tone == Tone::Refusal)
        {
            self.said.pop_back();
        }
    }

    pub(crate) fn forget_what_was_said(&mut self) {
        self.said.clear();
    }

    /// What was said, the latest last.
    pub(crate) fn said(&self) -> impl DoubleEndedIterator<Item = &Said> {
        self.said.iter()
    }

    /// Whether the game has begun and is not over.
    pub(crate) fn is_unfinished(&self) -> bool {
        self.begun && self.session.outcome().is_none()
    }

    /// When a clock shows something else, if one runs.
    pub(super) fn next_second(&self, now: Timestamp) -> Option<Duration> {
        let face = self.session.clock(now);
        let left = face.left[face.running?]?;
        let step = if left < Duration::from_secs(20) {
            100
        } else {
            1000
        };
        let rest = u64::try_from(left.as_millis() % step).unwrap_or(0);
        Some(Duration::from_millis(rest + 1).min(face.flag_in()?.max(Duration::from_millis(1))))
    }

    /// Whether the arrows walk through the game instead of moving the cursor.
    pub(super) fn walks(&self) -> bool {
        self.is_review() && !self.cursor_shown && self.held.is_none()
    }

    /// Takes a piece into the hand, unless the game is over.
    pub(super) fn pick_up(&mut self, square: Square) {
        let over = self
            .session
            .outcome()
            .filter(|_| !self.is_elsewhere() && !self.is_review());
        if let Some(outcome) = over {
            let sentence = format!("The game is over: {outcome} Press x for what can be done.");
            return self.refuse(sentence);
        }
        self.held = Some(square);
        self.typing.clear();
    }

    /// Says why the piece that is held cannot move, if it cannot.
    pub(super) fn explain_held(&mut self) {
        if let Some(held) = self.held.filter(|&held| self.targets(held).is_empty()) {
            self.refuse(words::stuck(held, self.position()));
        }
    }

    pub(super) fn study_mut(&mut self) -> Option<&mut Study> {
        self.reviewed.as_mut()?.study.as_mut()
    }

    /// Gives up another try at a mistake when another place is looked at.
    pub(super) fn leave_retry(&mut self) {
        if let Some(study) = self.study_mut() {
            study.give_up();
        }
    }

    /// The game as it is handed to others: the one that is played, or the one that is reviewed.
    pub(super) fn record(&self) -> Record {
        match &self.reviewed {
            Some(review) => review.record(&self.session),
            None => self.session.publish(),
        }
    }

    pub(super) fn pgn_text(&self) -> String {
        pgn::to_string(&self.record(), pgn::Format::Export)
    }

    /// The reviewed game as a save holds it.
    pub(super) fn reviewed_game(&self) -> Box<Game> {
        Box::new(Game {
            session: Session::restore(self.record()),
            players: ByColor::default(),
        })
    }

    /// The file that the game came from.
    pub(super) fn source(&self) -> Option<PathBuf> {
        match &self.reviewed.as_ref()?.origin {
            Origin::File { path, .. } => Some(path.clone()),
            Origin::Game | Origin::Save(_) | Origin::Match(_) | Origin::Text => None,
        }
    }

    /// Remembers that everything in the review is being written to a file.
    pub(super) fn saving(&mut self) {
        if let Some(review) = &mut self.reviewed {
            review.saving = true;
        }
    }

    /// What is marked on the board: in a review what is written there, and else what the player has marked.
    pub(crate) fn marks(&self) -> Vec<Mark> {
        if self.reviewed.is_none() {
            return self.marks.clone();
        }
        let annotation = self.node().annotation();
        let squares = annotation.squares.iter();
        let arrows = annotation.arrows.iter();
        squares
            .map(|mark| Mark::Square(mark.square, mark.color))
            .chain(arrows.map(|arrow| Mark::Arrow(arrow.from, arrow.to, arrow.color)))
            .collect()
    }

    /// The node that is looked at: usually the one where the game stands.
    pub(crate) fn node(&self) -> Node<'_> {
        let record = self.session.record();
        self.viewed
            .and_then(|id| record.node(id))
            .unwrap_or_else(|| record.cursor())
    }

    /// The position on the screen.
    pub(crate) fn position(&self) -> &Position {
        self.node().position()
    }

    /// Whether an earlier or another place than the game's is looked at.
    pub(crate) fn is_elsewhere(&self) -> bool {
        self.node().id() != self.session.record().cursor().id()
    }

    /// The squares of the last move.
    pub(crate) fn last(&self) -> Bitboard {
        match self.node().step() {
            Some(Step::Move(played)) => Bitboard::of(played.from()) | played.destination(),
            _ => Bitboard::EMPTY,
        }
    }

    /// The king in check on the screen.
    pub(crate) fn check(&self) -> Option<Square> {
        let position = self.position();
        position
            .board()
            .king(position.turn())
            .filter(|_| position.is_check())
    }

    /// What the board points at: the piece that is held and where it can go.
    pub(crate) fn pointed(&self) -> (Bitboard, Bitboard) {
        match self.held {
            Some(held) => (Bitboard::of(held), self.targets(held)),
            None => (Bitboard::EMPTY, Bitboard::EMPTY),
        }
    }

    /// Where a piece can go.
    pub(crate) fn targets(&self, from: Square) -> Bitboard {
        let position = self.position();
        let chess960 = position.castling_mode() == CastlingMode::Chess960;
        let mut targets = Bitboard::EMPTY;
        for played in position.legal_moves() {
            if played.from() != from {
                continue;
            }
            let to = played.destination();
            // In Chess960 the king's target may be next to it or under it, so its rook is shown as well.
            if chess960 {
                targets |= played.to();
            }
            if !chess960 || position.find_move(from, to, played.promotion()) == Ok(played) {
                targets |= to;
            }
        }
        targets
    }

    /// Whether a piece of the side to move stands there.
    pub(crate) fn is_own(&self, square: Square) -> bool {
        let position = self.position();
        position.board().color_at(square) == Some(position.turn())
    }

    /// The pieces a side has captured, and by how much it is ahead, in pawns.
    ///
    /// Both follow from the board and from the start: what a side lacks of its first pieces was captured, promoted
    /// pawns aside.
    pub(crate) fn captured(&self, by: Color) -> (Vec<Role>, i32) {
        let start = self.session.record().start().board().material();
        let now = self.position().board().material();
        let mut taken = Vec::new();
        for role in [
            Role::Queen,
            Role::Rook,
            Role::Bishop,
            Role::Knight,
            Role::Pawn,
        ] {
            let missing = start[!by][role].saturating_sub(now[!by][role]);
            let promoted = match role {
                Role::Pawn => promoted(&start[!by], &now[!by]),
                _ => 0,
            };
            for _ in 0..missing.saturating_sub(promoted) {
                taken.push(role);
            }
        }
        let ahead = value(&now[by]) - value(&now[!by]);
        (taken, ahead)
    }
}

/// Where the cursor begins: on the pawn before the king of whoever sits at the bottom.
pub(crate) fn first_cursor(bottom: Color) -> Square {
    match bottom {
        Color::White => Square::E2,
        Color::Black => Square::E7,
    }
}

/// The name of a side's player, where one was given.
pub(crate) fn name(session: &Session, color: Color) -> Option<&str> {
    let name = session.record().tags().get(color.name())?;
    Some(name).filter(|name| !matches!(*name, "" | "?"))
}

/// How many pawns have become something else: what there is more of than at the start.
fn promoted(start: &ByRole<u32>, now: &ByRole<u32>) -> u32 {
    [Role::Queen, Role::Rook, Role::Bishop, Role::Knight]
        .into_iter()
        .map(|role| now[role].saturating_sub(start[role]))
        .sum()
}

/// The material in pawns.
fn value(material: &ByRole<u32>) -> i32 {
    [
        (Role::Pawn, 1),
        (Role::Knight, 3),
        (Role::Bishop, 3),
        (Role::Rook, 5),
        (Role::Queen, 9),
    ]
    .into_iter()
    .map(|(role, worth)| i32::try_from(material[role]).unwrap_or(0) * worth)
    .sum()
}
