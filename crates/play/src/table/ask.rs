//! Questions about the game: what is where, the time, and advice.

use tabiya_game::{Node, Session, Timestamp};
use tabiya_openings::{Opening, Openings};
use tabiya_rules::{Bitboard, Board, ByColor, Color, Position, Role, Square};

use super::{Display, Handled, Table};
use crate::advice::Purpose;
use crate::outcome::{Answer, LastMove, Outcome, TableRefusal};
use crate::players::PlayerSpec;
use crate::request::{Line, Question};

impl Table {
    /// Answers a question from what is known, or asks the adviser.
    pub(super) fn handle_question(&mut self, question: Question, now: Timestamp) -> Handled {
        let session = &self.session;
        let position = session.position();
        let board = position.board();
        let answer = match question {
            Question::Hint => return self.advise(Purpose::Hint),
            Question::Lines(spec) => return self.lines(spec),
            Question::Evaluate => return self.advise(Purpose::Evaluation),
            Question::Opening => Answer::Opening(opening(self.openings, self.node())),
            Question::Pieces(role) => Answer::Pieces {
                role,
                squares: ByColor::from_fn(|color| board.pieces(color, role)),
            },
            Question::Squares(line) => {
                let on = match line {
                    Line::File(file) => Bitboard::file(file),
                    Line::Rank(rank) => Bitboard::rank(rank),
                };
                let standing = |square: Square| Some((square, board.piece_at(square)?));
                Answer::Squares(on.into_iter().filter_map(standing).collect())
            }
            Question::Square(square) => Answer::Square {
                square,
                piece: board.piece_at(square),
                reached_by: attackers(position, square),
            },
            Question::Captured => Answer::Captured(session.record().cursor().captures()),
            Question::Material => Answer::Material(ByColor::from_fn(|side| more(board, side))),
            Question::Attackers(square) => Answer::Attackers(attackers(position, square)),
            Question::Moves(Some(from)) if board.piece_at(from).is_none() => Answer::NoPiece(from),
            Question::Moves(from) => Answer::Moves(legal_moves(position, from)),
            Question::Clock => Answer::Clock(session.clock(now)),
            Question::LastMove => Answer::LastMove(last_move(session)),
        };
        self.push(Outcome::Answer(answer));
        Ok(())
    }

    /// The best lines: once, or turned on or off beside the board.
    fn lines(&mut self, spec: Option<PlayerSpec>) -> Handled {
        let named = spec.is_some();
        if let Some(spec) = spec {
            let orders = self.assistance.adviser.consult(spec);
            self.push_orders(orders);
        }
        match self.display {
            Display::Text => self.advise(Purpose::SomeLines)?,
            Display::Board => {
                // Whoever names an engine wants to see its lines.
                if !named || !self.assistance.adviser.shows_lines() {
                    let orders = self.assistance.adviser.toggle_lines();
                    self.push_orders(orders);
                }
                let shown = self.assistance.adviser.shows_lines();
                self.push(Outcome::Answer(Answer::LinesShown(shown)));
            }
        }
        Ok(())
    }

    /// Answers from what is known, or starts a search.
    fn advise(&mut self, purpose: Purpose) -> Handled {
        if !self.position().has_legal_move() {
            return Err(TableRefusal::NothingToThinkAbout);
        }
        let place = self.node().id();
        let record = self.session.record();
        let orders = match purpose {
            Purpose::Hint => self.assistance.adviser.hint(record, place),
            Purpose::Evaluation | Purpose::SomeLines | Purpose::Lines => {
                self.assistance.adviser.seek(record, place, purpose)
            }
        };
        let known = match orders.is_empty() {
            true => self.advice(purpose)?,
            false => Answer::Thinking,
        };
        self.push(Outcome::Answer(known));
        self.push_orders(orders);
        Ok(())
    }

    /// Handles the end of the adviser's search.
    pub(super) fn handle_advice(&mut self, number: u64) -> Handled {
        // Lines beside the board are on the screen already.
        let finished = self.assistance.adviser.finish(number);
        if let Some(purpose) = finished.filter(|&purpose| purpose != Purpose::Lines) {
            let answer = self.advice(purpose)?;
            self.push(Outcome::Answer(answer));
        }
        Ok(())
    }

    /// The answer to a question, from what the search found.
    fn advice(&self, purpose: Purpose) -> Result<Answer, TableRefusal> {
        let adviser = &self.assistance.adviser;
        Ok(match purpose {
            Purpose::Hint => {
                let (stage, best, position) = adviser.hinted().ok_or(TableRefusal::NoAdvice)?;
                let san = position.san(best).to_string();
                Answer::Hint { stage, best, san }
            }
            Purpose::Evaluation => Answer::Evaluation(adviser.evaluations().into_iter().next()),
            Purpose::SomeLines | Purpose::Lines => Answer::Lines(adviser.evaluations()),
        })
    }
}

/// The opening of a game up to a node: the name of the last position on the way that has one.
#[must_use]
pub fn opening<'a>(openings: &'a Openings, node: Node<'_>) -> Option<Opening<'a>> {
    std::iter::successors(Some(node), |node| node.parent())
        .find_map(|node| openings.lookup(node.position()))
}

/// The legal moves in SAN, sorted, or those from a square.
fn legal_moves(position: &Position, from: Option<Square>) -> Vec<String> {
    let found = position.legal_moves().into_iter();
    let mut moves: Vec<String> = found
        .filter(|found| from.is_none_or(|from| found.from() == from))
        .map(|found| position.san(found).to_string())
        .collect();
    moves.sort_unstable();
    moves
}

/// The pieces that a side has more of than the other.
fn more(board: &Board, side: Color) -> Vec<Role> {
    let more = |role: Role| {
        let count = |color: Color| board.pieces(color, role).count();
        count(side).saturating_sub(count(!side))
    };
    let roles = Role::ALL.into_iter();
    roles
        .flat_map(|role| std::iter::repeat_n(role, more(role) as usize))
        .collect()
}

/// The pieces of each side that attack a square.
fn attackers(position: &Position, square: Square) -> ByColor<Vec<(Square, Role)>> {
    let board = position.board();
    ByColor::from_fn(|color| {
        let attackers = position.attackers(square, color).into_iter();
        attackers
            .filter_map(|from| Some((from, board.piece_at(from)?.role)))
            .collect()
    })
}

/// The last move of the game, if there is one.
fn last_move(session: &Session) -> Option<LastMove> {
    let cursor = session.record().cursor();
    let before = cursor.parent()?.position();
    Some(LastMove {
        by: before.turn(),
        san: cursor.san()?.to_string(),
        uci: cursor.uci()?.to_string(),
    })
}
