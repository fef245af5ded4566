//! Moves that are typed, clicked and stepped to on the screen, on their way to the table.

use tabiya_game::{MoveInput, NodeId, Timestamp};
use tabiya_play::advice::Stage;
use tabiya_play::outcome::Outcomes;
use tabiya_play::request::GameRequest;
use tabiya_play::table::Table;
use tabiya_play::typed_move::Candidate;
use tabiya_rules::Bitboard;

use super::words;
use crate::app::action::Action;
use crate::app::overlay::dialog::Dialog;
use crate::app::{App, Overlay};
use crate::wording::take_back_question;

impl App {
    /// Plays a move from the position on the screen, or sets it as a premove if an engine is to move. Returns whether it
    /// was played. If it would take back moves against an engine or a clock, the player is asked first.
    pub(in crate::app) fn play(&mut self, input: MoveInput) -> bool {
        let table = &self.board().table;
        if table.engine_to_move().is_some() {
            return self.request(GameRequest::Premove(Some(input)));
        }
        if let Some(played) = table.would_take_back(&input, self.now) {
            let title = take_back_question(played, table.position());
            self.board_mut().held = None;
            let play = Action::request(GameRequest::Play(input));
            self.open(Dialog::confirmation(title, play));
            return false;
        }
        self.request(GameRequest::Play(input))
    }

    /// Plays the move that was typed or chosen. The table reads what was typed, and says why it cannot be played.
    pub(in crate::app) fn submit(&mut self) {
        let position = *self.board().position();
        let text = self.board().typing.line.text().trim().to_owned();
        if text.is_empty() {
            self.board_mut().typing.clear();
            return;
        }
        let found = self.board().fitting();
        let sentence = words::as_command(&text, &self.keys).filter(|_| found.is_empty());
        let played = match (sentence, self.board().typing.chosen(&found)) {
            (Some(sentence), _) => {
                self.board_mut().refuse(sentence);
                false
            }
            (None, Some(chosen)) => self.play(MoveInput::Move(chosen.played)),
            (None, None) => self.play(MoveInput::Text(text)),
        };
        if !played {
            self.board_mut().typing.refuse(&position);
        }
    }

    /// Views a position of the record without moving the game.
    pub(in crate::app) fn look_at(&mut self, node: NodeId) {
        self.look(|table, now| table.look_at(node, now));
    }

    /// Steps through the record by this many plies, back or forward.
    pub(in crate::app) fn walk(&mut self, plies: i64) {
        self.look(|table, now| table.walk(plies, now));
    }

    fn look(&mut self, look: impl FnOnce(&mut Table, Timestamp) -> Outcomes) {
        self.board_mut().held = None;
        let outcomes = look(&mut self.boards.front_mut().table, self.now);
        self.show_outcomes(self.boards.front_id(), outcomes);
    }

    /// Goes back to viewing the current position. Returns whether another one was viewed.
    pub(in crate::app) fn look_back(&mut self) -> bool {
        let Some(outcomes) = self.boards.front_mut().table.look_back(self.now) else {
            return false;
        };
        self.show_outcomes(self.boards.front_id(), outcomes);
        true
    }

    /// The squares that the board highlights: the typed move or the held piece, otherwise a hint. `found` are
    /// the moves that fit the text.
    pub(crate) fn pointed(&self, found: &[Candidate]) -> (Bitboard, Bitboard) {
        if let Some(Overlay::Dialog(dialog)) = &self.overlay
            && let Some((from, to)) = dialog.about
        {
            return (Bitboard::of(from), Bitboard::of(to));
        }
        let (selected, targets) = if self.board().typing.is_empty() {
            self.board().pointed()
        } else {
            self.board().typing.squares(found)
        };
        if !selected.is_empty() || !targets.is_empty() {
            return (selected, targets);
        }
        match self.board().adviser().hinted() {
            Some((stage, best, position)) if position == self.board().position() => {
                let target = match stage {
                    Stage::Piece => Bitboard::EMPTY,
                    Stage::Square | Stage::Move => Bitboard::of(best.destination()),
                };
                (Bitboard::of(best.from()), target)
            }
            _ => (selected, targets),
        }
    }
}
