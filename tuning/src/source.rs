//! The numbers as Rust.

use tabiya_engine::tuning::Weights;

const HEAD: &str = "\
//! The numbers the engine plays with, fitted to games that it played against itself. `tuning` writes this file.

use super::tapered_score::pair;
use super::weights::{KingWeights, MobilityWeights, PawnWeights, PieceWeights, Weights};

impl Weights {
    /// The numbers the engine plays with.
    #[rustfmt::skip]
    pub const STANDARD: Weights = ";

/// How long a line may be.
const WIDTH: usize = 100;
/// Pairs that stand in one line: half a rank of the board.
const PAIRS: usize = 4;

/// The file that has the numbers.
pub(crate) fn of(weights: &Weights) -> String {
    // What `Debug` says is Rust already; all that is missing is lines.
    format!("{HEAD}{};\n}}\n", lines(&format!("{weights:?}"), 4))
}

/// Breaks a value into lines where it is too long for one, which begins at this column.
fn lines(value: &str, column: usize) -> String {
    let Some(open) = value
        .find(['{', '['])
        .filter(|_| column + value.len() > WIDTH)
    else {
        return value.to_string();
    };
    let (head, rest) = value.split_at(open + 1);
    let (inner, close) = rest.split_at(rest.len() - 1);
    let items = items(inner.trim());
    let in_a_line = if items[0].starts_with("pair") {
        PAIRS
    } else {
        1
    };
    let mut text = head.to_string();
    for items in items.chunks(in_a_line) {
        text.push_str(&format!("\n{:1$}", "", column + 4));
        let items: Vec<String> = items.iter().map(|item| lines(item, column + 4)).collect();
        text.push_str(&items.join(", "));
        text.push(',');
    }
    text + &format!("\n{:column$}{close}", "")
}

/// The parts between the commas that stand in no brackets.
fn items(text: &str) -> Vec<&str> {
    let mut depth = 0;
    let outer = move |c: char| {
        match c {
            '{' | '[' | '(' => depth += 1,
            '}' | ']' | ')' => depth -= 1,
            _ => {}
        }
        c == ',' && depth == 0
    };
    text.split(outer).map(str::trim).collect()
}

#[cfg(test)]
mod tests {
    //! What is written is Rust, and the numbers are in it.

    use super::*;

    #[test]
    fn long_values_are_broken_and_short_ones_are_not() {
        assert_eq!(
            lines("[pair(1, 2), pair(3, 4)]", 0),
            "[pair(1, 2), pair(3, 4)]"
        );
        assert_eq!(
            lines("[[1, 2], [3, 4]]", 90),
            format!("[\n{0:94}[1, 2],\n{0:94}[3, 4],\n{0:90}]", "")
        );
    }

    #[test]
    fn the_file_of_the_engine_was_written_here() {
        let file = include_str!("../../crates/engine/src/evaluation/standard.rs");
        assert_eq!(of(&Weights::STANDARD), file);
    }
}
