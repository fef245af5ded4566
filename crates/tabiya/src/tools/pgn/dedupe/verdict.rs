//! Decides which games are duplicates, and which of them is kept.

use std::collections::HashMap;

use tabiya_game::{Node, Step, pgn};
use tabiya_rules::Move;

use super::card::{Card, SHORT};
use crate::failure::Failure;

/// How many games with the same beginning a game is compared with.
const MAX_COMPARED_GAMES: usize = 10_000;

/// Why a game is removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Why {
    Same,
    Contained,
}

/// For each game `None` if it is kept, or the game that is kept in its place.
type Verdicts = Vec<Option<(usize, Why)>>;

/// Finds the duplicates, only those of the same length if that is wanted. `text` reads a game again, so that none is removed because of a hash alone.
pub(super) fn judge(
    cards: &[&Card],
    same_length: bool,
    text: &mut dyn FnMut(usize) -> Result<Vec<u8>, Failure>,
) -> Result<Verdicts, Failure> {
    let mut verdicts: Verdicts = vec![None; cards.len()];
    // The longest first, and of equally long ones the richest: later ones are compared with those that are kept.
    let mut order: Vec<usize> = (0..cards.len()).filter(|&at| cards[at].plies > 0).collect();
    order.sort_by_key(|&at| (u32::MAX - cards[at].plies, u32::MAX - cards[at].richness));
    let mut groups: HashMap<(u64, u32), Vec<usize>> = HashMap::new();
    for at in order {
        let card = cards[at];
        // Games that are not short and begin alike are one group, whatever their length.
        let length = card.plies.min(SHORT);
        let group = groups.entry((card.beginning, length)).or_default();
        let mut found = None;
        for &kept in group.iter().take(MAX_COMPARED_GAMES) {
            let other = cards[kept];
            let is_same = (card.plies, card.moves) == (other.plies, other.moves);
            let why = if is_same {
                Why::Same
            } else if !same_length && card.may_begin(other) {
                Why::Contained
            } else {
                continue;
            };
            if card.is_like(other) && line(&text(kept)?).starts_with(&line(&text(at)?)) {
                found = Some((kept, why));
                break;
            }
        }
        match found {
            Some(_) => verdicts[at] = found,
            None => group.push(at),
        }
    }
    Ok(verdicts)
}

/// The moves of a game.
fn line(text: &[u8]) -> Vec<Option<Move>> {
    let game = pgn::games(text).next();
    game.map_or_else(Vec::new, |game| {
        let steps = game.record.main_line().map(Node::step);
        steps.map(|step| step.and_then(Step::played)).collect()
    })
}
