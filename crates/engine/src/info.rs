//! Reports of a search as UCI `info` lines.

use std::time::Duration;

use tabiya_rules::{Position, Score};
use tabiya_uci::{BoundedScore, Info, Wdl};

use crate::bench::per_second;
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
            .with_wdl(show_wdl.then(|| Wdl::of(self.score, root)))
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

#[cfg(test)]
mod tests {
    //! Reports carry the WDL of their score.

    use tabiya_rules::MoveHistory;
    use tabiya_uci::Go;

    use super::*;
    use crate::options::Settings;
    use crate::searcher::Control;
    use crate::{AlphaBeta, think};

    /// The WDL is the same in a report for the server and in one for a program with the engine inside.
    #[test]
    fn the_wdl_is_the_same_everywhere() {
        let fen = "8/5pk1/4p1p1/1p1pP2p/1P1P1P1P/4K1P1/8/8 w - - 0 40";
        let white = Position::from_fen(fen).expect("a position");
        let pawn = Score::Centipawns(100);
        let wdl = Wdl::of(pawn, &white);
        for show in [true, false] {
            let info = Report::new(1, pawn, Vec::new()).to_info(&white, Duration::ZERO, show);
            assert_eq!(info.wdl, show.then_some(wdl));
        }
        let settings = Settings::new().with_wdl();
        let (game, go) = (MoveHistory::new(white), Go::new().with_depth(4));
        let mut seen = 0;
        think(
            &mut AlphaBeta::default(),
            &settings,
            &game,
            &go,
            &Control::new(),
            &mut |found| {
                let score = found.info.score.expect("a score").value;
                assert_eq!(found.info.wdl, Some(Wdl::of(score, &white)));
                seen += 1;
            },
        );
        assert!(seen > 0);
    }
}
