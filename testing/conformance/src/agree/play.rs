//! One random game, with a taste that makes the rare things less rare.

use tabiya_rules::Role;

use super::{
    compare::Comparison,
    history::History,
    report::Report,
    start::Start,
    trio::{Code, Moves, Trio, reversed},
};
use crate::random::SplitMix64;

/// Positions compared after the material has run out.
const PLIES_WHEN_DEAD: usize = 6;

/// What a game's moves tend to be.
#[derive(Clone, Copy, Debug)]
enum Taste {
    /// Any legal move, each as likely as the others.
    Any,
    /// Captures, so that endings come.
    Captures,
    /// Pawn moves: en passant and promotions.
    Pawns,
    /// Back to where the piece came from: repetitions and a high clock.
    Shuffling,
    /// Checks, and so evasions and mates.
    Checks,
}

const TASTES: [Taste; 5] = [
    Taste::Any,
    Taste::Captures,
    Taste::Pawns,
    Taste::Shuffling,
    Taste::Checks,
];

/// A game that is being played.
#[derive(Debug)]
pub struct Game {
    trio: Trio,
    history: History,
    number: u64,
    /// The last two moves, the older one first.
    last: [Code; 2],
}

impl Game {
    /// Sets up the start; `None` if a library refuses it or numbers it
    /// otherwise.
    pub fn begin(start: &Start, number: u64, report: &mut Report) -> Option<Self> {
        let trio = Trio::read(start)?;
        if let Some(numbered) = start.numbered {
            if numbered != trio.tabiya || numbered.castling_mode() != start.mode {
                return None;
            }
            report.met("numbered starts");
        }
        Some(Self {
            trio,
            history: History::default(),
            number,
            last: [0; 2],
        })
    }

    /// Plays and compares until the game is over, long enough, or wrong.
    pub fn play(mut self, plies: usize, random: &mut SplitMix64, report: &mut Report) {
        let taste = TASTES[random.below(TASTES.len())];
        let mut plies_when_dead = 0;
        for _ in 0..plies {
            let occurrences = self.history.push(&self.trio);
            let moves = self.trio.moves();
            let comparison = Comparison {
                trio: &self.trio,
                moves: &moves,
                game: self.number,
                report,
            };
            let agreed = comparison.run(occurrences);
            report.positions += 1;
            if !agreed || moves.tabiya.is_empty() {
                return;
            }
            if self.trio.tabiya.is_insufficient_material() {
                plies_when_dead += 1;
                if plies_when_dead > PLIES_WHEN_DEAD {
                    return;
                }
            }
            let index = self.choose(taste, &moves, random);
            self.count_rare_moves(moves.tabiya[index].1, report);
            self.last = [self.last[1], moves.tabiya[index].0];
            self.trio = self.trio.play(&moves, index);
        }
    }

    fn choose(&self, taste: Taste, moves: &Moves, random: &mut SplitMix64) -> usize {
        let position = &self.trio.tabiya;
        let any = random.below(moves.tabiya.len());
        // Half of the moves follow the taste, and special ones are always
        // liked, so that no game is without external_changes.
        if random.one_in(2) {
            return any;
        }
        let back = reversed(self.last[0]);
        let liked = |code: Code, mv: tabiya_rules::Move| {
            mv.is_en_passant()
                || mv.is_castle()
                || match taste {
                    Taste::Any => false,
                    Taste::Captures => position.captured(mv).is_some(),
                    Taste::Pawns => mv.role() == Role::Pawn,
                    Taste::Shuffling => code == back,
                    Taste::Checks => position.gives_check(mv),
                }
        };
        let first = random.below(moves.tabiya.len());
        (0..moves.tabiya.len())
            .map(|step| (first + step) % moves.tabiya.len())
            .find(|&index| liked(moves.tabiya[index].0, moves.tabiya[index].1))
            .unwrap_or(any)
    }

    fn count_rare_moves(&self, mv: tabiya_rules::Move, report: &mut Report) {
        let position = &self.trio.tabiya;
        if mv.is_castle() {
            report.met("castles played");
        }
        if mv.is_en_passant() {
            report.met("en passant captures played");
        }
        if mv.promotion().is_some() {
            report.met("promotions played");
        }
        let passed = position.en_passant().is_some();
        if passed && position.legal_en_passant().is_none() {
            let text = position.fen_with(
                tabiya_rules::EnPassantMode::PseudoLegal,
                tabiya_rules::CastlingNotation::ByMode,
            );
            if text.split(' ').nth(3) != Some("-") {
                report.met("positions whose en passant capture is illegal");
            }
        }
        if position.halfmove_clock() > 100 {
            report.met("positions with a clock over 100");
        }
    }
}
