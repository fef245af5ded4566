//! What the thinking thread does: a search with its one move at the end, a count, or a bench.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use tabiya_rules::Position;
use tabiya_uci::{Info, Score, ScoreValue, Wdl};

use super::output::Output;
use super::voice::Voice;
use crate::bench::{bench, per_second};
use crate::perft;
use crate::searcher::{Answer, Control, Report, Request, Searcher};

/// Something to do in the thinking thread.
pub(super) enum Task {
    Search(Box<Job>, Arc<Voice>),
    Perft { position: Position, depth: u32 },
    Bench,
}

/// A search that an interface asked for.
pub(super) struct Job {
    pub(super) request: Request,
    pub(super) show_wdl: bool,
}

impl Task {
    pub(super) fn run(self, searcher: &mut dyn Searcher, control: &Control, output: &Output) {
        match self {
            Task::Search(job, voice) => job.run(searcher, control, &voice),
            Task::Perft { position, depth } => count(&position, depth, control, output),
            Task::Bench => {
                let found = bench(searcher, control);
                // The count of a part means nothing.
                if !control.should_stop() {
                    output.line(found);
                }
            }
        }
    }
}

impl Job {
    /// Searches, waits until the move may be said, and says it.
    fn run(self, searcher: &mut dyn Searcher, control: &Control, voice: &Voice) {
        let answer = if self.request.moves.is_empty() {
            voice.report(finished(self.request.played.current()), None);
            Answer {
                best: None,
                ponder: None,
            }
        } else {
            self.search(searcher, control, voice)
        };
        voice.conclude(answer);
        control.wait_until_released();
        voice.answer_at_the_end();
    }

    fn search(self, searcher: &mut dyn Searcher, control: &Control, voice: &Voice) -> Answer {
        let position = *self.request.played.current();
        let request = self.request;
        let search = AssertUnwindSafe(|| {
            searcher.search(&request, control, &mut |report| {
                let info = info(&position, &report, control, self.show_wdl);
                voice.report(info, best_so_far(&report, &request));
            })
        });
        checked(catch_unwind(search).ok(), &request)
    }
}

/// The move that a report speaks for, if it is about the best line.
fn best_so_far(report: &Report, request: &Request) -> Option<Answer> {
    let best = report
        .pv
        .first()
        .copied()
        .filter(|m| report.line == 1 && request.moves.contains(m));
    best.map(|best| Answer {
        best: Some(best),
        ponder: report.pv.get(1).copied(),
    })
}

/// What is to be said about a position without moves.
fn finished(position: &Position) -> Info {
    let value = if position.is_check() {
        ScoreValue::Mate(0)
    } else {
        ScoreValue::Centipawns(0)
    };
    Info {
        depth: Some(0),
        score: Some(Score::exact(value)),
        ..Info::default()
    }
}

/// A searcher's mistake must not become an illegal move, nor its panic none at all.
pub(crate) fn checked(answer: Option<Answer>, request: &Request) -> Answer {
    match answer {
        Some(
            answer @ Answer {
                best: Some(best), ..
            },
        ) if request.moves.contains(&best) => answer,
        _ => Answer {
            best: request.moves.first().copied(),
            ponder: None,
        },
    }
}

pub(crate) fn info(
    position: &Position,
    report: &Report,
    control: &Control,
    show_wdl: bool,
) -> Info {
    let time = control.elapsed();
    let mut here = *position;
    let pv = report.pv.iter().map(|&m| {
        let text = here.uci(m);
        here = here.play_unchecked(m);
        text
    });
    Info {
        depth: Some(report.depth),
        selective_depth: Some(report.selective_depth),
        multi_pv: Some(report.line),
        score: Some(Score::exact(report.score)),
        wdl: show_wdl.then(|| chances(report.score)),
        nodes: Some(report.nodes),
        nodes_per_second: Some(per_second(report.nodes, time)),
        time: Some(time),
        hash_full: Some(report.table),
        pv: pv.collect(),
        ..Info::default()
    }
}

/// Rough chances from a score: a pawn wins about half of what would be drawn, three pawns nearly everything.
fn chances(score: ScoreValue) -> Wdl {
    let (win, loss) = match score {
        ScoreValue::Mate(moves) if moves > 0 => (1000, 0),
        ScoreValue::Mate(_) => (0, 1000),
        ScoreValue::Centipawns(value) => (share(value - 100), share(-value - 100)),
    };
    Wdl {
        win,
        draw: 1000 - win - loss,
        loss,
    }
}

/// A curve from 0 to 1000 that is steepest, and 500, at 0.
fn share(value: i32) -> u16 {
    let chance = 1000.0 / (1.0 + (-f64::from(value) / 60.0).exp());
    // Between 0 and 1000 by its making.
    chance.floor() as u16
}

fn count(position: &Position, depth: u32, control: &Control, output: &Output) {
    let mut total = 0_u64;
    for &m in &position.legal_moves() {
        let Some(below) = perft::count(
            &position.play_unchecked(m),
            depth.saturating_sub(1),
            control,
        ) else {
            return;
        };
        total = total.saturating_add(below);
        output.line(format_args!("{}: {below}", position.uci(m)));
    }
    output.line(format_args!("\nNodes searched: {total}"));
}
