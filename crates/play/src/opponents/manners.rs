//! A bot's manners toward a person: it resigns hopeless games, and offers a draw if there is nothing left to play for.
use tabiya_rules::Score;

use crate::players::PlayerSpec;

/// Weaker levels play on: beginners learn to win won games from them.
const MIN_LEVEL: u8 = 5;
/// A game is hopeless after this many consecutive moves at this many centipawns or less.
const HOPELESS: (u32, i32) = (4, -900);
/// A game is drawish after this many consecutive moves within this many centipawns of zero.
const EVEN: (u32, i32) = (10, 15);
/// No draw is offered before this ply, nor again within this many plies of an offer.
const DRAW_FROM: u32 = 80;
const DRAW_AGAIN: u32 = 40;

/// How long a bot has considered the game hopeless or even.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Manners {
    hopeless: u32,
    even: u32,
    /// The ply after which it last offered a draw.
    offered: Option<u32>,
}

/// Whether a player resigns and offers draws.
pub(super) fn has_manners(spec: &PlayerSpec) -> bool {
    match spec {
        PlayerSpec::Bot(level) => level.is_none_or(|level| level.number() >= MIN_LEVEL),
        PlayerSpec::Human | PlayerSpec::Uci(_) | PlayerSpec::Named(_) | PlayerSpec::Remote(_) => {
            false
        }
    }
}

impl Manners {
    /// Records the bot's evaluation before a move.
    pub(super) fn judge(&mut self, score: Option<Score>) {
        let (hopeless, even) = match score {
            Some(Score::Centipawns(value)) => (value <= HOPELESS.1, value.abs() <= EVEN.1),
            Some(Score::MateIn(_)) => (false, false),
            Some(Score::MatedIn(_)) => (true, false),
            None => (false, false),
        };
        self.hopeless = if hopeless { self.hopeless + 1 } else { 0 };
        self.even = if even { self.even + 1 } else { 0 };
    }

    /// Whether the bot has found the game hopeless for long enough.
    pub(super) fn resigns(&self) -> bool {
        self.hopeless >= HOPELESS.0
    }

    /// Whether the bot offers a draw at this ply.
    pub(super) fn offers_draw(&self, plies: u32) -> bool {
        let again = self.offered.is_none_or(|at| plies >= at + DRAW_AGAIN);
        self.even >= EVEN.0 && plies >= DRAW_FROM && again
    }

    /// Records an offer at this ply. Taking back moves does not make it forget one.
    pub(super) fn record_offer(&mut self, plies: u32) {
        self.offered = self.offered.max(Some(plies));
    }
}
