//! The searches of a game: for the moves of a bot, and for what helps a person.

use std::time::Duration;

use tabiya_engine::{SearchHandle, SearchPriority};
use tabiya_play::desk::BoardId;
use tabiya_play::opponents::{EngineEvent, EngineOrder, Seat};
use tabiya_play::study::{StudyReport, StudyTask};
use tabiya_rules::Color;

use super::{GameTask, Message};
use crate::assistant::AssistantMessage;
use crate::chunks::{self, Items};
use crate::judge::GameJudge;
use crate::protocol::ServerMessage;
use crate::role::Role;
use crate::tree::TreeNode;

impl GameTask {
    /// Carries out an order to the engine of a side, or to the adviser of the person who is helped.
    pub(super) fn carry_out(&mut self, order: EngineOrder, helped: Color) {
        match order {
            EngineOrder::Think(task) => {
                type ToMessage = fn(Color, EngineEvent) -> Message;
                let (color, priority, message): (_, _, ToMessage) = match task.seat {
                    Seat::Side(color) => (color, SearchPriority::High, Message::Engine),
                    Seat::Adviser => (helped, SearchPriority::Normal, Message::Advised),
                };
                let own = self.own.clone();
                let report = move |event| {
                    // This fails if the task has ended.
                    let _ = own.blocking_send(message(color, event));
                };
                let seed = self.random.next_u64();
                let engines = &self.shared.engines;
                let search = engines.think(priority, &task, seed, Box::new(report));
                *self.search_slot(task.seat, helped) = search;
            }
            EngineOrder::Stop(seat) | EngineOrder::NewGame(seat) | EngineOrder::Dismiss(seat) => {
                *self.search_slot(seat, helped) = None;
            }
        }
    }

    fn search_slot(&mut self, seat: Seat, helped: Color) -> &mut Option<SearchHandle> {
        match seat {
            Seat::Side(_) => &mut self.search,
            Seat::Adviser => &mut self.advice[helped],
        }
    }

    /// Starts to judge the game for a person.
    pub(super) fn start_judging(&mut self, task: StudyTask, helped: Color) {
        self.judging[helped] = Some(GameJudge::new(task));
        self.judge(helped);
    }

    /// Starts the search of the next position to judge.
    fn judge(&mut self, helped: Color) {
        let own = self.own.clone();
        let report = move |studied| {
            // This fails if the task has ended.
            let _ = own.blocking_send(Message::Studied(helped, studied));
        };
        if let Some(judging) = &mut self.judging[helped] {
            judging.start_next(&self.shared.engines, report);
        }
    }

    /// Handles a report of the engine that judges the game for a person.
    pub(super) async fn handle_study_report(&mut self, helped: Color, studied: StudyReport) {
        let judging = self.judging[helped].as_mut();
        let Some(judging) = judging.filter(|judging| judging.is_about(&studied)) else {
            return;
        };
        let reports = judging.advance(studied);
        let is_over = matches!(reports.last(), Some(StudyReport::Ended { .. }));
        let now = self.advance_clock(Duration::ZERO);
        for studied in reports {
            if matches!(studied, StudyReport::Ended { .. }) {
                // A move that was tried may have started another judgment.
                self.judging[helped].take_if(|judging| judging.is_about(&studied));
            }
            let effects = self.room.handle_study_report(helped, studied, now);
            self.apply(effects, None).await;
        }
        if !is_over {
            self.judge(helped);
        }
    }

    /// Sends advice about the game to everybody, and about a review to the person whose review it is.
    pub(super) fn send_advice(&mut self, message: AssistantMessage, helped: Color) {
        let about = message.about();
        let is_meant = |role: Role| match about {
            BoardId::Game => true,
            BoardId::Review => role.helped() == Some(helped),
        };
        let mut review = match message {
            AssistantMessage::Advice(advice) => {
                self.send_where(&ServerMessage::Advice(&advice), is_meant);
                return;
            }
            AssistantMessage::Review(review) => review,
        };
        let nodes = review.nodes.take().unwrap_or_default();
        let mut chunks = chunks::cut(&nodes);
        review.nodes = chunks.next().map(<[TreeNode]>::to_vec);
        self.send_where(&ServerMessage::Review(&review), is_meant);
        for chunk in chunks {
            let items = Items::Nodes(chunk);
            self.send_where(&ServerMessage::More { items }, is_meant);
        }
    }
}
