//! Two simple players to measure the levels by, as UCI engines: `anchor random` and `anchor careful`.
//!
//! What they play depends on the position, the number of moves played and the number that may follow, so that games can be
//! repeated.

use tabiya_engine::{Control, Report, Request, Searcher, serve_stdio};
use tabiya_uci::BestMove;
use test_suites::players::{Player, choose};

fn main() -> std::io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let kind = arguments.next();
    let seed = arguments.next().map_or(Some(0), |text| text.parse().ok());
    let player = match kind.as_deref() {
        Some("random") => Some(Player::Random),
        Some("careful") => Some(Player::Careful),
        _ => None,
    };
    let (Some(player), Some(seed)) = (player, seed) else {
        eprintln!("usage: anchor random|careful [SEED]");
        std::process::exit(2);
    };
    serve_stdio(Anchor { player, seed })
}

struct Anchor {
    player: Player,
    seed: u64,
}

impl Searcher for Anchor {
    fn search(&mut self, request: &Request, _: &Control, _: &mut dyn FnMut(Report)) -> BestMove {
        BestMove {
            best: choose(self.player, &request.game, &request.moves, self.seed),
            ponder: None,
        }
    }
}
