//! What the worker thread does: a search that ends with one `bestmove`, a perft count, or a bench.

use std::sync::Arc;
use std::time::Duration;

use tabiya_rules::Position;
use tabiya_uci::BestMove;

use super::output::Output;
use super::responder::Responder;
use crate::bench::bench;
use crate::info::game_over_info;
use crate::perft;
use crate::searcher::{Control, Report, Request, Searcher, search_checked};

/// How often a finished search that must not answer yet repeats its last line, so that the interface sees that the engine
/// is alive.
const REPEAT_INTERVAL: Duration = Duration::from_secs(1);

/// Something to do in the worker thread.
pub(super) enum Job {
    Search(Box<SearchJob>, Arc<Responder>),
    Perft { position: Position, depth: u32 },
    Bench,
}

/// A search that the interface asked for.
pub(super) struct SearchJob {
    pub(super) request: Request,
    pub(super) show_wdl: bool,
}

impl Job {
    pub(super) fn run(self, searcher: &mut dyn Searcher, control: &Control, output: &Output) {
        match self {
            Job::Search(search, responder) => search.run(searcher, control, &responder),
            Job::Perft { position, depth } => divide(&position, depth, control, output),
            Job::Bench => {
                let result = bench(searcher, control);
                // A partial count means nothing.
                if !control.should_stop() {
                    output.line(result);
                }
            }
        }
    }
}

impl SearchJob {
    /// Searches, waits until the move may be sent, and sends it.
    fn run(self, searcher: &mut dyn Searcher, control: &Control, responder: &Responder) {
        let answer = if self.request.moves.is_empty() {
            responder.report(game_over_info(self.request.game.current()), None);
            BestMove::NONE
        } else {
            self.search(searcher, control, responder)
        };
        responder.set_final_answer(answer);
        while !control.wait_until_released(REPEAT_INTERVAL) {
            responder.repeat_last_info(control.elapsed());
        }
        responder.respond_and_wake();
    }

    /// Searches, and reports what is found.
    fn search(
        self,
        searcher: &mut dyn Searcher,
        control: &Control,
        responder: &Responder,
    ) -> BestMove {
        let position = *self.request.game.current();
        let request = self.request;
        let answer = search_checked(searcher, &request, control, &mut |report| {
            responder.send_messages(control.take_messages());
            let info = report.to_info(&position, control.elapsed(), self.show_wdl);
            responder.report(info, best_so_far(&report, &request));
        });
        responder.send_messages(control.take_messages());
        answer
    }
}

/// The answer that a report of the best line implies.
fn best_so_far(report: &Report, request: &Request) -> Option<BestMove> {
    let best = report
        .pv
        .first()
        .copied()
        .filter(|m| report.multi_pv == 1 && request.moves.contains(m));
    best.map(|best| BestMove {
        best: Some(best),
        ponder: report.pv.get(1).copied(),
    })
}

/// Prints the perft count of each move, and their sum.
fn divide(position: &Position, depth: u32, control: &Control, output: &Output) {
    let mut total = 0_u64;
    for &m in &position.legal_moves() {
        let Some(count) = perft::count(
            &position.play_unchecked(m),
            depth.saturating_sub(1),
            control,
        ) else {
            return;
        };
        total = total.saturating_add(count);
        output.line(format_args!("{}: {count}", position.uci(m)));
    }
    output.line(format_args!("\nNodes searched: {total}"));
}
