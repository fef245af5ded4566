//! A board on the screen: its table on the desk, and the state of the view (typed text, held piece, marks, messages).

use std::collections::VecDeque;
use std::ops::Deref;
use std::time::Duration;

use tabiya_front::game_text;
use tabiya_front::key_map::Keys;
use tabiya_front::review::{Desk, Review};
use tabiya_front::wording::Tone;
use tabiya_game::{Annotation, Arrow, MarkColor, Refusal, Session, SquareMark, Timestamp};
use tabiya_play::desk::BoardId;
use tabiya_play::request::NotesRequest;
use tabiya_play::table::Table;
use tabiya_rules::text::excerpt;
use tabiya_rules::{
    Bitboard, ByColor, ByRole, CastlingMode, Color, PIECE_VALUES, Position, Role, Square,
};

use super::game::typing::Typing;
use super::game::words;
use crate::tui::board::Mark;
use crate::tui::geometry::BoardGeometry;

/// Less time than this is short.
pub(super) const LOW: Duration = Duration::from_secs(20);

/// How many messages are kept.
const SAID: usize = 8;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Said {
    pub(crate) text: String,
    pub(crate) tone: Tone,
}

/// What surrounds a board on the screen, and is not part of the game.
#[derive(Debug)]
pub(crate) struct View {
    pub(crate) typing: Typing,
    pub(crate) cursor: Square,
    /// Whether the cursor has been used since the last move made by other means.
    pub(crate) cursor_shown: bool,
    /// The square of the held piece.
    pub(crate) held: Option<Square>,
    /// Where the left mouse button was pressed on a piece.
    pub(crate) dragged: Option<Square>,
    /// Where the right mouse button was pressed.
    pub(crate) marking: Option<Square>,
    /// The player's own marks in a game.
    own_marks: Annotation,
    /// Whether the player has shown or hidden the explorer; `None` for the default.
    pub(crate) explored: Option<bool>,
    said: VecDeque<Said>,
}

impl Default for View {
    fn default() -> View {
        View {
            typing: Typing::default(),
            cursor: first_cursor(Color::White),
            cursor_shown: false,
            held: None,
            dragged: None,
            marking: None,
            own_marks: Annotation::EMPTY,
            explored: None,
            said: VecDeque::new(),
        }
    }
}

/// The views of both boards.
#[derive(Debug, Default)]
pub(crate) struct Views {
    game: View,
    review: View,
}

impl Views {
    pub(crate) fn of(&self, id: BoardId) -> &View {
        match id {
            BoardId::Game => &self.game,
            BoardId::Review => &self.review,
        }
    }

    /// A board, to change its view.
    pub(super) fn board<'a>(&'a mut self, desk: &'a Desk, id: BoardId) -> Board<'a, &'a mut View> {
        Board {
            table: desk.at(id),
            reviewed: desk.review().filter(|_| id == BoardId::Review),
            view: self.of_mut(id),
        }
    }

    pub(super) fn of_mut(&mut self, id: BoardId) -> &mut View {
        match id {
            BoardId::Game => &mut self.game,
            BoardId::Review => &mut self.review,
        }
    }
}

impl View {
    /// Resets the view for another game.
    pub(super) fn clear(&mut self, bottom: Color) {
        self.said.clear();
        self.typing.clear();
        self.own_marks = Annotation::EMPTY;
        self.explored = None;
        self.cursor = first_cursor(bottom);
        self.cursor_shown = false;
    }

    /// Adds a message.
    pub(crate) fn say(&mut self, text: impl Into<String>) {
        self.say_as(text, Tone::Plain);
    }

    /// Adds the message why something was not done.
    pub(crate) fn refuse(&mut self, text: impl Into<String>) {
        self.say_as(text, Tone::Refusal);
    }

    /// Adds a message with a tone. Only the last few are kept.
    pub(crate) fn say_as(&mut self, text: impl Into<String>, tone: Tone) {
        if self.said.len() >= SAID {
            self.said.pop_front();
        }
        let text = text.into();
        self.said.push_back(Said { text, tone });
    }

    /// Removes the last refusal and what was said about a try, once another position is shown.
    pub(crate) fn forget_passing(&mut self) {
        self.said.retain(|said| said.tone != Tone::Try);
        let is_refusal = |said: &mut Said| said.tone == Tone::Refusal;
        while self.said.pop_back_if(is_refusal).is_some() {}
    }

    /// The messages, latest last.
    pub(crate) fn said(&self) -> impl DoubleEndedIterator<Item = &Said> {
        self.said.iter()
    }

    /// Moves the cursor. The first press only shows it.
    pub(super) fn step(&mut self, geometry: &BoardGeometry, (right, down): (i8, i8)) {
        if self.cursor_shown {
            self.cursor = geometry.step(self.cursor, right, down);
        }
        self.cursor_shown = true;
    }

    /// Removes the marks of a game. Returns whether there were any.
    pub(super) fn clear_own_marks(&mut self) -> bool {
        std::mem::take(&mut self.own_marks) != Annotation::EMPTY
    }
}

/// A board of the desk on the screen, to be read, or with a view that can be changed. Its methods that are not here are
/// those of its table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Board<'a, V = &'a View> {
    pub(crate) table: &'a Table,
    /// What belongs to a review; `None` for a game being played.
    pub(crate) reviewed: Option<&'a Review>,
    pub(crate) view: V,
}

impl<V> Deref for Board<'_, V> {
    type Target = Table;

    fn deref(&self) -> &Table {
        self.table
    }
}

impl<V: Deref<Target = View>> Board<'_, V> {
    /// Whether an engine is judging the reviewed game, or has judged it.
    pub(crate) fn is_judged(&self) -> bool {
        self.is_review() && self.study().is_some()
    }

    /// What to call a side: the player's name if two people with names play, otherwise the color.
    pub(crate) fn called(&self, color: Color) -> String {
        let names = ByColor::from_fn(|color| {
            let is_known = !self.opponents().is_engine(color) && !self.is_review();
            name(self.session(), color).filter(|_| is_known)
        });
        match (names.white, names.black) {
            (Some(_), Some(_)) => excerpt(names[color].unwrap_or_default()),
            _ => color.name().to_owned(),
        }
    }

    /// The side that acts if none is given: that of the only person, otherwise the side to move.
    pub(crate) fn acting_side(&self) -> Color {
        self.opponents().acting_side(self.session())
    }

    /// Whether the game has begun and is not over.
    pub(crate) fn is_unfinished(&self) -> bool {
        self.has_begun() && self.session().outcome().is_none()
    }

    /// How long until the running clock shows another time.
    pub(super) fn next_second(&self, now: Timestamp) -> Option<Duration> {
        let face = self.session().clock(now);
        let left = face.left[face.running?]?;
        if left.is_zero() && self.is_remote() {
            // The server says when a flag falls.
            return None;
        }
        let step = if left < LOW { 100 } else { 1000 };
        let rest = u64::try_from(left.as_millis() % step).unwrap_or(0);
        Some(Duration::from_millis(rest + 1).min(face.flag_in()?.max(Duration::from_millis(1))))
    }

    /// Whether the arrows step through the game instead of moving the cursor.
    pub(super) fn arrows_walk(&self) -> bool {
        self.is_review() && !self.view.cursor_shown && self.view.held.is_none()
    }

    /// The position on the screen as SVG, with its marks.
    pub(super) fn picture(&self, bottom: Color) -> String {
        game_text::picture(self.node(), bottom, self.marked())
    }

    /// What has the marks on the board: the record in a review, otherwise the player.
    fn marked(&self) -> &Annotation {
        match self.reviewed {
            Some(_) => self.node().annotation(),
            None => &self.view.own_marks,
        }
    }

    /// The marks on the board.
    pub(crate) fn marks(&self) -> Vec<Mark> {
        let marked = self.marked();
        let arrows = marked.arrows.iter();
        let squares = marked.squares.iter();
        squares
            .map(|mark| Mark::Square(mark.square, mark.color))
            .chain(arrows.map(|arrow| Mark::Arrow(arrow.from, arrow.to, arrow.color)))
            .collect()
    }

    /// The squares of the last move.
    pub(crate) fn last_move_squares(&self) -> Bitboard {
        game_text::last_move(self.node())
    }

    /// The square of the king in check.
    pub(crate) fn check_square(&self) -> Option<Square> {
        checked_king(self.position())
    }

    /// The held piece and its targets, which the board highlights.
    pub(crate) fn highlighted(&self) -> (Bitboard, Bitboard) {
        match self.view.held {
            Some(held) => (Bitboard::of(held), self.targets(held)),
            None if let Some((from, to)) = self.premove_squares() => {
                (Bitboard::of(from), Bitboard::of(to))
            }
            None => (Bitboard::EMPTY, Bitboard::EMPTY),
        }
    }

    /// The squares that a piece can move to, or could as a premove.
    pub(crate) fn targets(&self, from: Square) -> Bitboard {
        if self.premover().is_some() {
            return self.premove_targets(from);
        }
        let position = self.position();
        let chess960 = position.castling_mode() == CastlingMode::Chess960;
        let mut targets = Bitboard::EMPTY;
        for played in position.legal_moves() {
            if played.from() != from {
                continue;
            }
            let to = played.destination();
            // In Chess960 the king's target may be beside it or under it, so its rook is shown too.
            if chess960 {
                targets |= played.to();
            }
            if !chess960 || position.find_move(from, to, played.promotion()) == Ok(played) {
                targets |= to;
            }
        }
        targets
    }

    /// Whether a piece of the side to move, or of the side that can set a premove, is on a square.
    pub(crate) fn is_own(&self, square: Square) -> bool {
        let position = self.position();
        let side = self.premover().unwrap_or(position.turn());
        position.board().color_at(square) == Some(side)
    }

    /// The pieces that a side has captured, the most valuable first, and its lead in pawns.
    pub(crate) fn captured(&self, by: Color) -> (Vec<Role>, i32) {
        let mut taken = self.node().captures()[by].clone();
        taken.sort_unstable_by(|one, other| other.cmp(one));
        let now = self.position().board().material();
        (taken, value(&now[by]) - value(&now[!by]))
    }
}

impl Board<'_, &mut View> {
    /// Picks up a piece, unless the game is over.
    pub(super) fn pick_up(&mut self, square: Square, keys: &Keys) {
        let over = self
            .session()
            .outcome()
            .filter(|_| !self.is_elsewhere() && !self.is_review());
        if let Some(outcome) = over {
            let why = Refusal::GameOver(outcome);
            let menu = keys.named("menu");
            let sentence = format!("{why} Press {menu} for what can be done.");
            return self.view.refuse(sentence);
        }
        self.view.held = Some(square);
        self.view.typing.clear();
    }

    /// Says why a piece of the other side cannot be picked up.
    pub(super) fn refuse_other_side(&mut self) {
        let turn = self.position().turn();
        let sentence = if self.is_elsewhere() && !self.is_review() {
            let number = self.position().fullmove_number();
            format!(
                "You are looking at move {number}, where it is {turn}'s turn. Esc goes back to the game."
            )
        } else {
            format!("It is {}'s turn.", self.called(turn))
        };
        self.view.refuse(sentence);
    }

    /// Puts the next or previous move that fits into the line.
    pub(super) fn cycle(&mut self, forward: bool) {
        self.view.typing.cycle(self.table.position(), forward);
    }

    /// Says why the held piece cannot move, if it cannot.
    pub(super) fn explain_held(&mut self) {
        if self.premover().is_some() {
            return;
        }
        if let Some(held) = self.view.held.filter(|&held| self.targets(held).is_empty()) {
            self.view.refuse(words::why_stuck(held, self.position()));
        }
    }

    /// Marks a square, or draws an arrow, from where the right mouse button was pressed to where it is released; removes
    /// the mark if it is there. Returns the request that writes it in a review.
    pub(super) fn end_mark(&mut self, square: Option<Square>) -> Option<NotesRequest> {
        let (from, to) = (self.view.marking.take()?, square?);
        let mut marked = self.marked().clone();
        let color = MarkColor::Green;
        if from == to {
            let is_it = |known: &SquareMark| known.square == from;
            let square = from;
            toggle(&mut marked.squares, SquareMark { color, square }, is_it);
        } else {
            let is_it = |known: &Arrow| (known.from, known.to) == (from, to);
            toggle(&mut marked.arrows, Arrow { color, from, to }, is_it);
        }
        if !self.is_review() {
            self.view.own_marks = marked;
            return None;
        }
        let (squares, arrows) = (marked.squares, marked.arrows);
        Some(NotesRequest::Marks { squares, arrows })
    }
}

/// Adds a mark, or removes it if it is there.
fn toggle<M>(marks: &mut Vec<M>, mark: M, is_it: impl Fn(&M) -> bool) {
    let before = marks.len();
    marks.retain(|known| !is_it(known));
    if marks.len() == before {
        marks.push(mark);
    }
}

/// The first square of the cursor: the pawn in front of the king of the side at the bottom.
pub(crate) fn first_cursor(bottom: Color) -> Square {
    match bottom {
        Color::White => Square::E2,
        Color::Black => Square::E7,
    }
}

/// The name of a side's player, if there is one.
pub(crate) fn name(session: &Session, color: Color) -> Option<&str> {
    let name = session.record().tags().get(color.name())?;
    Some(name).filter(|name| !matches!(*name, "" | "?"))
}

/// The material in whole pawns, as players count it: three for a minor piece, five for a rook, nine for a queen.
fn value(material: &ByRole<u32>) -> i32 {
    let worth = |role| PIECE_VALUES[role] / PIECE_VALUES[Role::Pawn];
    let counted = Role::ALL.into_iter().filter(|&role| role != Role::King);
    counted
        .map(|role| i32::try_from(material[role]).unwrap_or(0) * worth(role))
        .sum()
}

/// The square of the king in check.
pub(super) fn checked_king(position: &Position) -> Option<Square> {
    let king = position.board().king(position.turn());
    king.filter(|_| position.is_check())
}
