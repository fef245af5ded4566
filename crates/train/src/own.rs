//! The mistakes of a judged game as exercises: find a better move than the one that was played.

use std::time::Duration;

use tabiya_game::{Node, Record, Step};
use tabiya_play::analysis::chance;
use tabiya_play::study::Study;
use tabiya_rules::{ByColor, Color, Move, Position};

use crate::item::{Item, ItemKind};

/// The loss of chances from which a move is an exercise: that of a mistake, `?`.
pub const LEAST_LOSS: f64 = 0.17;

/// The most exercises of one game.
pub const MAX_OF_GAME: usize = 3;

/// A move that loses no more than this against the best one is as good.
pub const AS_GOOD: f64 = 0.05;

/// A mistake with less time than this on the clock has the theme `time`.
const SHORT_OF_TIME: Duration = Duration::from_secs(10);

/// The longest line that is stored, in plies.
const MAX_LINE_LENGTH: usize = 8;

/// The exercises of a game that an engine has judged: the dearest mistakes of the player's sides, the dearest first. There
/// are none if the game is not judged as a whole. `from` says where the game is.
#[must_use]
pub fn mistakes(record: &Record, from: &str, sides: ByColor<bool>) -> Vec<Item> {
    let Some(study) = Study::stored_in(record) else {
        return Vec::new();
    };
    let Some(analysis) = study.analysis() else {
        return Vec::new();
    };
    let judged = analysis.moves().zip(record.main_line());
    let mut found: Vec<(f64, Item)> = judged
        .filter(|(judged, _)| sides[judged.by])
        .filter_map(|(judged, node)| {
            let loss = judged.loss.filter(|&loss| loss >= LEAST_LOSS)?;
            let best = &judged.before.best;
            let chance = for_side(judged.before.chance?, judged.by);
            let also = as_good(node.parent()?, *best.first()?, judged.by, chance);
            Some((loss, exercise(record, node, from, best, also, chance)?))
        })
        .collect();
    found.sort_by(|(a, one), (b, other)| b.total_cmp(a).then(one.ply.cmp(&other.ply)));
    found.truncate(MAX_OF_GAME);
    found.into_iter().map(|(_, item)| item).collect()
}

/// The exercise of a mistake, given the best line, the other moves that are as good, and the chance of those; `None` if its
/// position cannot be written as a FEN alone.
pub(crate) fn exercise(
    record: &Record,
    node: Node<'_>,
    from: &str,
    line: &[Move],
    also: Vec<Move>,
    chance: f64,
) -> Option<Item> {
    let position = *node.parent()?.position();
    let best = *line.first().filter(|_| is_plain(&position))?;
    let mut item = Item::new(ItemKind::Own, position, best);
    item.also = also;
    item.wrong = node.step().and_then(Step::played);
    item.line = legal_line(&position, line);
    item.w = Some(rounded(chance));
    item.from = Some(from.to_owned());
    item.ply = Some(node.ply());
    item.vs = tag(record, (!position.turn()).name());
    item.date = tag(record, "Date");
    if node
        .annotation()
        .clock
        .is_some_and(|left| left < SHORT_OF_TIME)
    {
        item.themes.push("time".to_owned());
    }
    Some(item)
}

/// Whether a position can be written as a FEN alone: read again, it is the same.
pub(crate) fn is_plain(position: &Position) -> bool {
    let mode = position.castling_mode();
    let read = Position::from_fen(&position.fen());
    read.is_ok_and(|read| read == *position && read.castling_mode() == mode)
}

/// A tag of the game, if its value is known.
pub(crate) fn tag(record: &Record, name: &str) -> Option<String> {
    let value = record.tags().get(name).filter(|value| !value.contains('?'));
    value.map(|value| value.chars().take(100).collect())
}

/// A chance as it is stored.
pub(crate) fn rounded(chance: f64) -> f64 {
    (chance * 1e4).round() / 1e4
}

/// The other moves that the game's own variations evaluate as highly as the best one.
fn as_good(before: Node<'_>, best: Move, by: Color, best_chance: f64) -> Vec<Move> {
    let evaluated = before.children().filter_map(|child| {
        let tried = child.step()?.played().filter(|&tried| tried != best)?;
        let score = child.annotation().evaluation.map(|found| found.score);
        let chance = for_side(chance(child.position(), score)?, by);
        (best_chance - chance <= AS_GOOD).then_some(tried)
    });
    evaluated.collect()
}

/// White's chance, as that of a side.
pub(crate) fn for_side(chance: f64, side: Color) -> f64 {
    match side {
        Color::White => chance,
        Color::Black => 1.0 - chance,
    }
}

/// The first moves of a line, as far as they are legal.
fn legal_line(start: &Position, line: &[Move]) -> Vec<Move> {
    let mut here = *start;
    let legal = line.iter().take(MAX_LINE_LENGTH).map_while(|&next| {
        here = here.play(next).ok()?;
        Some(next)
    });
    legal.collect()
}
