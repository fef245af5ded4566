//! Moves that are typed, clicked and stepped to on the screen, on their way to the table.

use tabiya_game::{MoveInput, NodeId};
use tabiya_play::advice::Stage;
use tabiya_play::desk::{DeskRequest, Look, Step};
use tabiya_play::request::GameRequest;
use tabiya_play::typed_move::Candidate;
use tabiya_rules::Bitboard;

use super::words;
use crate::app::action::Action;
use crate::app::overlay::dialog::Dialog;
use crate::app::{App, Overlay};

impl App {
    /// Plays a move from the position on the screen, or sets it as a premove if the player may set one now. Returns whether
    /// it was accepted. If it would take back moves against an engine or a clock, the player is asked first.
    pub(in crate::app) fn request_move(&mut self, input: MoveInput) -> bool {
        if self.desk.front().premover().is_some() {
            return self.request(GameRequest::Premove(Some(input)));
        }
        self.play_or_ask(&input, GameRequest::Play(input.clone()))
    }

    /// Plays a move, after a question if it would take back moves. Returns whether it was accepted.
    fn play_or_ask(&mut self, input: &MoveInput, play: GameRequest) -> bool {
        let step = Step::Play(input);
        let Some(question) = self.question_before(&step) else {
            return self.request(play);
        };
        self.view_mut().held = None;
        self.open(Dialog::confirmation(question, Action::request(play)));
        true
    }

    /// Plays the move that was typed, or chosen with Tab. It is parsed only here; a text that is no move goes to the table as
    /// it is, which says why it cannot be played.
    pub(in crate::app) fn request_typed_move(&mut self) {
        let position = *self.board().position();
        let text = self.board().view.typing.line.text().trim().to_owned();
        if text.is_empty() {
            self.view_mut().typing.clear();
            return;
        }
        let found = self.board().candidates();
        let accepted = match self.board().view.typing.meant(&found) {
            Some(parsed) => {
                let input = MoveInput::Move(parsed.played);
                self.play_or_ask(&input, GameRequest::PlayParsed(parsed))
            }
            None if found.is_empty()
                && let Some(sentence) = words::command_hint(&text, &self.keys) =>
            {
                self.view_mut().refuse(sentence);
                false
            }
            None => self.request_move(MoveInput::Text(text)),
        };
        if !accepted {
            self.view_mut().typing.refuse(&position);
        }
    }

    /// Views a position of the record without moving the game.
    pub(in crate::app) fn look_at(&mut self, node: NodeId) {
        self.look(Look::At(node));
    }

    /// Steps through the record by this many plies, back or forward.
    pub(in crate::app) fn walk(&mut self, plies: i64) {
        self.look(Look::Walk(plies));
    }

    /// Views another position. A held piece is put down.
    fn look(&mut self, look: Look) {
        self.view_mut().held = None;
        self.request(DeskRequest::Look(look));
    }

    /// Goes back to viewing the current position. Returns whether another one was viewed.
    pub(in crate::app) fn look_back(&mut self) -> bool {
        let is_elsewhere = self.board().is_elsewhere();
        self.request(DeskRequest::Look(Look::Back));
        is_elsewhere
    }

    /// The squares that the board highlights: the typed move or the held piece, otherwise a hint. `found` are
    /// the moves that fit the text.
    pub(crate) fn highlighted(&self, found: &[Candidate]) -> (Bitboard, Bitboard) {
        if let Some(Overlay::Dialog(dialog)) = &self.overlay
            && let Some((from, to)) = dialog.about
        {
            return (Bitboard::of(from), Bitboard::of(to));
        }
        let (selected, targets) = if self.board().view.typing.is_empty() {
            self.board().highlighted()
        } else {
            self.board().view.typing.squares(found)
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
