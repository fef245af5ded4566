//! A puzzle of a file as a position, the opponent's last move, and the solution. Its moves are legal.

use tabiya_rules::{Move, Position};

use crate::csv::{MAX_MOVES, PuzzleFault, PuzzleRow};
use crate::item::{Item, ItemKind};
use crate::themes;

/// The most themes of a row that are kept, and the longest one.
const MAX_THEMES: usize = 24;
const MAX_THEME_LENGTH: usize = 40;

/// A puzzle.
#[derive(Clone, Debug, PartialEq)]
pub struct Puzzle {
    /// The position before the opponent's last move.
    pub before: Position,
    /// That move.
    pub last: Move,
    /// The position to solve.
    pub position: Position,
    /// The solution with the opponent's replies: an odd number of moves.
    pub solution: Vec<Move>,
}

impl TryFrom<&PuzzleRow> for Puzzle {
    type Error = PuzzleFault;

    fn try_from(row: &PuzzleRow) -> Result<Puzzle, PuzzleFault> {
        let before = Position::from_fen(&row.fen).map_err(|_| PuzzleFault::Position)?;
        if !matches!(row.moves.len(), 2..=MAX_MOVES) || row.moves.len() % 2 == 1 {
            return Err(PuzzleFault::Length);
        }
        let mut here = before;
        let mut solution = Vec::with_capacity(row.moves.len());
        for (text, number) in row.moves.iter().zip(1..) {
            let played = here.parse_uci(text);
            let played = played.map_err(|_| PuzzleFault::Move(number))?;
            here = here.play_unchecked(played);
            solution.push(played);
        }
        let last = solution.remove(0);
        Ok(Puzzle {
            before,
            last,
            position: before.play_unchecked(last),
            solution,
        })
    }
}

impl Puzzle {
    /// The row of this puzzle, with what its exercise says about it.
    #[must_use]
    pub fn row(&self, item: &Item) -> PuzzleRow {
        let mut here = self.before;
        let moves = std::iter::once(&self.last)
            .chain(&self.solution)
            .map(|&played| {
                let text = here.uci(played).to_string();
                here = here.play_unchecked(played);
                text
            });
        PuzzleRow {
            id: item.id.to_string().replace("x:", ""),
            fen: self.before.fen(),
            moves: moves.collect(),
            rating: item.rating,
            rd: item.rd,
            themes: item.themes.clone(),
            url: String::new(),
        }
    }

    /// The exercise of this puzzle, with the rating and the themes of its row. Without any, its themes are worked out.
    #[must_use]
    pub fn item(&self, row: &PuzzleRow) -> Item {
        let best = self.solution[0];
        let mut item = Item::new(ItemKind::Tactic, self.position, best);
        item.line.clone_from(&self.solution);
        item.last = Some(self.before.uci(self.last));
        item.rating = row.rating;
        item.rd = row.rd;
        let is_name = |theme: &&String| {
            theme.len() <= MAX_THEME_LENGTH && theme.bytes().all(|b| b.is_ascii_alphanumeric())
        };
        let themes = row.themes.iter().filter(is_name).take(MAX_THEMES);
        item.themes = themes.cloned().collect();
        if item.themes.is_empty() {
            item.themes = self.themes();
        }
        item
    }

    /// What the solution is about.
    pub(crate) fn themes(&self) -> Vec<String> {
        let last = Some((&self.before, self.last));
        let found = themes::of(&self.position, &self.solution, last);
        found.into_iter().map(str::to_owned).collect()
    }
}
