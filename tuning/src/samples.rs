//! Positions to learn from.

use std::io;

use tabiya_game::{GameResult, Record, pgn};
use tabiya_rules::{Position, Score};

/// Beyond this many hundredths of a pawn a game is decided, and the exact number does not matter.
const DECIDED: i32 = 1500;

/// A position in which the engine saw nothing better than a quiet move; what the search thought of it and how the game
/// ended, both as White sees it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample {
    pub(crate) position: Position,
    /// In hundredths of a pawn.
    pub(crate) searched: f32,
    /// 1 for a win, 0 for a loss.
    pub(crate) result: f32,
}

/// The samples of each game of a file.
pub(crate) fn read(path: &str) -> io::Result<Vec<Vec<Sample>>> {
    let text = std::fs::read(path)?;
    Ok(pgn::games(&text)
        .map(|game| of_game(&game.record))
        .collect())
}

fn of_game(record: &Record) -> Vec<Sample> {
    let result = match record.result() {
        GameResult::WhiteWins => 1.0,
        GameResult::BlackWins => 0.0,
        GameResult::Draw => 0.5,
        GameResult::Unknown => return Vec::new(),
    };
    let mut samples = Vec::new();
    let mut node = record.root();
    while let Some(next) = node.next() {
        let before = *node.position();
        // What was thought before the move is written beside it. Openings were chosen by chance, and have nothing.
        if let Some(evaluation) = next.annotation().evaluation
            && let Score::Centipawns(score) = evaluation.score
            && score.abs() <= DECIDED
            && next.position().board().material() == before.board().material()
            && !before.is_check()
        {
            samples.push(Sample {
                position: before,
                searched: score as f32,
                result,
            });
        }
        node = next;
    }
    samples
}

#[cfg(test)]
mod tests {
    //! Which positions are learned from.

    use tabiya_rules::Color;

    use super::*;

    #[test]
    fn captures_promotions_and_checks_are_left_out() {
        let text = b"[Result \"1/2-1/2\"]\n[SetUp \"1\"]\n[FEN \"4k3/P7/8/8/8/8/3p4/4K3 w - - 0 9\"]\n\n\
            9. Kxd2 {[%eval 9.00]} 9... Kd7 {[%eval 9.00]} 10. a8=Q {[%eval 9.00]} 10... Ke7 {[%eval 9.00]} \
            11. Qe4+ {[%eval 9.00]} 11... Kd7 {[%eval 9.00]} 12. Kc3 {[%eval 9.00]} 1/2-1/2";
        let games: Vec<_> = pgn::games(text).collect();
        let samples = of_game(&games[0].record);
        let moves: Vec<_> = samples
            .iter()
            .map(|sample| sample.position.fullmove_number())
            .collect();
        assert_eq!(moves, [9, 10, 11, 12]);
    }

    #[test]
    fn what_was_thought_before_a_move_belongs_to_the_position_before_it() {
        let text = b"[Result \"1-0\"]\n\n1. a3 a6 2. b3 b6 3. c3 c6 4. d3 d6 5. e3 e6 \
            6. f3 {[%eval 0.30,7]} 6... f6 {[%eval #5]} 7. g3 {[%eval 20.00]} 7... g6 {[%eval -0.10]} 8. h3 1-0";
        let games: Vec<_> = pgn::games(text).collect();
        let samples = of_game(&games[0].record);
        let seen: Vec<_> = samples
            .iter()
            .map(|s| (s.position.turn(), s.searched, s.result))
            .collect();
        assert_eq!(
            seen,
            [(Color::White, 30.0, 1.0), (Color::Black, -10.0, 1.0)]
        );
    }
}
