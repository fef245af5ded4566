//! The outcomes of a table in the line mode: they become replies and effects.

use tabiya_front::review::{Origin, filed_game, reviewed_game};
use tabiya_front::wording::answers::{self, NO_BRACE};
use tabiya_front::wording::{
    PREMOVE_DROPPED, PREMOVE_REMOVED, Reply, Thinking, branched, events, refusals, study,
};
use tabiya_game::{Event, EventKind};
use tabiya_play::desk::{Filed, SaveOrder};
use tabiya_play::opponents::{EngineOrder, Seat};
use tabiya_play::outcome::{Answer, Happened, Outcome, TableRefusal};

use super::{LineEffect, LineGame, LineSaveEffect};

impl LineGame {
    /// Turns one outcome into effects.
    pub(super) fn show_outcome(&mut self, outcome: Outcome, effects: &mut Vec<LineEffect>) {
        let session = self.table().session();
        let effect = match outcome {
            Outcome::Happened(happened) => return self.show_happened(&happened, effects),
            Outcome::Refused(refused) => LineEffect::Say(Reply::Refused {
                code: refusals::code(&refused),
                lines: self.why(&refused),
            }),
            Outcome::Answer(Answer::Thinking) => return,
            Outcome::Answer(answer) => LineEffect::Say(Reply::Answer(Box::new(answer))),
            Outcome::Order(order) => {
                effects.extend(thinking(&order));
                LineEffect::Order(order)
            }
            Outcome::Study(task) => LineEffect::Study(task),
            Outcome::Server(request) => LineEffect::Server(request, session.ply()),
            Outcome::ServerNews(news) => self.say_news(&news),
            Outcome::ReadAs {
                position,
                played,
                other,
            } => {
                let (played, other) = (position.san(played), position.san(other));
                let sentence = format!("Read as {played}; the other move is written {other}.");
                text("move", sentence)
            }
            Outcome::Premove(None) => text("premove", PREMOVE_REMOVED.to_owned()),
            Outcome::Premove(Some(input)) => {
                let shown = answers::premove(&input);
                text(
                    "premove",
                    format!("{shown} is played when it is your turn, if it is legal."),
                )
            }
            Outcome::PremoveDropped(refused) => {
                let mut lines = vec![PREMOVE_DROPPED.to_owned()];
                lines.extend(self.why(&refused));
                let code = "premove";
                LineEffect::Say(Reply::Refused { code, lines })
            }
            Outcome::Seated { color, name } => {
                text("opponent", answers::seated(color, name.as_deref()))
            }
            Outcome::TookSide(color) => {
                self.bottom = color;
                return;
            }
            Outcome::EngineFailed { color, why } => LineEffect::Say(Reply::Refused {
                code: "engine",
                lines: refusals::engine_failed(color, &why, &refusals::LINE_MODE),
            }),
            Outcome::BraceReplaced => text("comment", NO_BRACE.to_owned()),
            Outcome::Judging | Outcome::VariationMoved(_) => return,
            Outcome::Judged(node) => {
                let judged = self.table().study();
                let line = judged.and_then(|judged| study::judged(judged, session.record(), node));
                let Some(line) = line else { return };
                text("study", line)
            }
            Outcome::AllJudged => {
                let judged = self.table().study();
                let sentence = judged.map(|judged| study::summary(judged, "retry"));
                text("study", sentence.unwrap_or_default())
            }
            Outcome::Line(which, moves) => {
                let walk = "Enter next to go through it, or variation leave to go back.";
                text("study", study::line(which, &moves, walk))
            }
            Outcome::TryEnded => LineEffect::Say(Reply::text("retry", Vec::new())),
            Outcome::Retry(mistake) => text("retry", study::retry(&mistake)),
            Outcome::Tried(tried) => {
                let reply = if tried.is_good() {
                    Reply::news
                } else {
                    Reply::text
                };
                LineEffect::Say(reply("retry", vec![study::tried(&tried)]))
            }
        };
        effects.push(effect);
    }

    /// What engines and the server have to do for a board that is not in front. Nothing else that happens there is shown.
    pub(super) fn order_in_background(&self, outcome: Outcome) -> Option<LineEffect> {
        match outcome {
            Outcome::Order(order) => Some(LineEffect::Order(order)),
            Outcome::Server(request) => {
                let ply = self.desk.game().session().ply();
                Some(LineEffect::Server(request, ply))
            }
            Outcome::Happened(_)
            | Outcome::Refused(_)
            | Outcome::Answer(_)
            | Outcome::ServerNews(_)
            | Outcome::Study(_)
            | Outcome::ReadAs { .. }
            | Outcome::Premove(_)
            | Outcome::PremoveDropped(_)
            | Outcome::Seated { .. }
            | Outcome::TookSide(_)
            | Outcome::EngineFailed { .. }
            | Outcome::BraceReplaced
            | Outcome::Judging
            | Outcome::Judged(_)
            | Outcome::AllJudged
            | Outcome::Line(..)
            | Outcome::TryEnded
            | Outcome::Retry(_)
            | Outcome::Tried(_)
            | Outcome::VariationMoved(_) => None,
        }
    }

    /// What is saved. A review is not: the user is asked before it is lost.
    pub(super) fn save_effect(&self, order: SaveOrder) -> Option<LineEffect> {
        let effect = match order {
            SaveOrder::Game => LineSaveEffect::Autosave(self.game_to_save()),
            SaveOrder::ReleaseGame { is_whole } => LineSaveEffect::Release { is_whole },
            SaveOrder::Review | SaveOrder::DiscardReview => return None,
            SaveOrder::Finished => {
                let finished = Filed::Finished(self.desk.finished()?);
                LineSaveEffect::SaveJudgment(None, filed_game(finished))
            }
            SaveOrder::ReviewedSave => {
                let review = self.desk.review()?;
                let Origin::Save(name, _) = review.source() else {
                    return None;
                };
                LineSaveEffect::SaveJudgment(Some(name.clone()), reviewed_game(review))
            }
        };
        Some(effect.into())
    }

    /// The lines about a refusal.
    fn why(&self, refused: &TableRefusal) -> Vec<String> {
        refusals::refused(refused, self.position(), &refusals::LINE_MODE).lines
    }

    /// Prints what happened.
    fn show_happened(&mut self, happened: &Happened, effects: &mut Vec<LineEffect>) {
        if !self.is_review() {
            for event in &happened.events {
                self.update_prompt_state(event);
            }
        }
        let events = events::detailed(happened, self.table().session()).into_iter();
        effects.extend(events.map(|event| LineEffect::Say(Reply::Event(Box::new(event)))));
        if happened.branched && self.is_interactive {
            effects.push(text("goto", branched(self.table().node(), "redo")));
        }
    }

    /// Updates what the next prompt depends on, after an event of the game.
    fn update_prompt_state(&mut self, event: &Event) {
        let is_undo = matches!(event, Event::Undone { .. });
        match event.kind() {
            EventKind::Move | EventKind::End => {
                self.is_menu_open = false;
                self.is_looking_back = false;
            }
            EventKind::Walk => {
                self.is_menu_open = false;
                let is_last = self.table().session().record().cursor().next().is_none();
                self.is_looking_back &= !is_undo && !is_last;
            }
            EventKind::Game => {
                self.is_menu_open = false;
                self.is_looking_back = false;
                self.is_clock_held = false;
                if *event == Event::NewGame {
                    self.display.bottom = self.bottom;
                }
            }
            // The menu stays open until the position changes.
            EventKind::Act => {
                self.is_menu_open |= matches!(event, Event::ClaimAvailable(_));
                self.is_clock_held &= *event != Event::Resumed;
            }
            EventKind::Annotation | EventKind::Tag | EventKind::Variation => {}
        }
    }
}

fn text(command: &'static str, sentence: String) -> LineEffect {
    LineEffect::Say(Reply::text(command, vec![sentence]))
}

/// Announces an engine that begins to think.
fn thinking(order: &EngineOrder) -> Option<LineEffect> {
    let EngineOrder::Think(search) = order else {
        return None;
    };
    let Seat::Side(side) = search.seat else {
        return None;
    };
    let player = search.spec.to_string();
    Some(LineEffect::Say(Reply::Thinking(Thinking { side, player })))
}
