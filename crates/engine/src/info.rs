//! Reports of a search as UCI `info` lines.

use std::time::Duration;

use tabiya_rules::{Position, Score};
use tabiya_uci::{BoundedScore, Info};

use crate::bench::per_second;
use crate::chances::chances;
use crate::searcher::Report;

impl Report {
    /// The `info` line of this report about a root position, this long after the search began.
    pub(crate) fn to_info(&self, root: &Position, time: Duration, show_wdl: bool) -> Info {
        let mut position = *root;
        // A faulty searcher must not panic the server: its line ends before the first illegal move.
        let pv = self.pv.iter().map_while(|&m| {
            let child = position.play(m).ok()?;
            let text = position.uci(m);
            position = child;
            Some(text)
        });
        Info::new()
            .with_depth(self.depth)
            .with_selective_depth(self.seldepth)
            .with_multi_pv(self.multi_pv)
            .with_score(BoundedScore {
                value: self.score,
                bound: self.bound,
            })
            .with_wdl(show_wdl.then(|| chances(self.score, root)))
            .with_nodes(self.nodes)
            .with_nodes_per_second(per_second(self.nodes, time))
            .with_time(time)
            .with_hash_full(self.hashfull)
            .with_pv(pv.collect())
    }
}

/// The `info` line of a finished game.
pub(crate) fn game_over_info(position: &Position) -> Info {
    let value = if position.is_check() {
        Score::MatedIn(0)
    } else {
        Score::Centipawns(0)
    };
    Info::new()
        .with_depth(0)
        .with_score(BoundedScore::exact(value))
}
