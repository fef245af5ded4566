//! Decides which games are duplicates, and which of them is kept.

use std::cmp::Reverse;
use std::collections::HashMap;

use tabiya_front::failure::Failure;
use tabiya_game::{Node, Step, pgn};
use tabiya_rules::Move;

use super::fingerprint::{Fingerprint, SHORT};

/// How many games with the same beginning a game is compared with.
const MAX_COMPARED_GAMES: usize = 10_000;

/// Why a game is removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DuplicateKind {
    Same,
    Contained,
}

/// For each game `None` if it is kept, or the game that is kept in its place.
type Duplicates = Vec<Option<(usize, DuplicateKind)>>;

/// Finds the duplicates, with `same_length` only those of the same length. `text` reads a game again, so that none is
/// removed because of a hash alone.
pub(super) fn find_duplicates(
    games: &[&Fingerprint],
    same_length: bool,
    text: &mut dyn FnMut(usize) -> Result<Vec<u8>, Failure>,
) -> Result<Duplicates, Failure> {
    let mut duplicates: Duplicates = vec![None; games.len()];
    // The longest first, and of equally long ones the richest: later ones are compared with those that are kept.
    let mut order: Vec<usize> = (0..games.len()).filter(|&at| games[at].plies > 0).collect();
    order.sort_by_key(|&at| Reverse((games[at].plies, games[at].richness)));
    let mut groups: HashMap<(u64, u32), Vec<usize>> = HashMap::new();
    for at in order {
        let game = games[at];
        // Games that are not short and begin alike are one group, whatever their length.
        let length = game.plies.min(SHORT);
        let group = groups.entry((game.beginning, length)).or_default();
        let mut found = None;
        for &kept in group.iter().take(MAX_COMPARED_GAMES) {
            let other = games[kept];
            let is_same = (game.plies, game.moves) == (other.plies, other.moves);
            let kind = if is_same {
                DuplicateKind::Same
            } else if !same_length && game.may_begin(other) {
                DuplicateKind::Contained
            } else {
                continue;
            };
            if game.is_like(other) && line(&text(kept)?).starts_with(&line(&text(at)?)) {
                found = Some((kept, kind));
                break;
            }
        }
        match found {
            Some(_) => duplicates[at] = found,
            None => group.push(at),
        }
    }
    Ok(duplicates)
}

/// The moves of a game.
fn line(text: &[u8]) -> Vec<Option<Move>> {
    let game = pgn::games(text).next();
    game.map_or_else(Vec::new, |game| {
        let steps = game.record.main_line().map(Node::step);
        steps.map(|step| step.and_then(Step::played)).collect()
    })
}
