//! Tabiya itself, through the same calls that any user has.

use std::{fmt::Write as _, hint::black_box};

use tabiya_rules::{Move, MoveList, Position};

use crate::library::{Library, consume};

/// The library `tabiya-rules`.
#[derive(Debug)]
pub struct Tabiya;

impl Library for Tabiya {
    type Position = Position;
    type Move = Move;

    const NAME: &'static str = "tabiya";
    const KEEPS_KEY: bool = true;

    fn read_fen(fen: &str) -> Option<Position> {
        Position::from_fen(fen).ok()
    }

    fn write_fen(position: &Position, text: &mut String) {
        // Writing to a String cannot fail.
        let _ = write!(text, "{position}");
    }

    fn perft_counted(position: &Position, depth: u32) -> u64 {
        if depth <= 1 {
            return position.count_legal_moves() as u64;
        }
        let mut nodes = 0;
        for &mv in &position.legal_moves() {
            nodes += Self::perft_counted(&position.play_unchecked(mv), depth - 1);
        }
        nodes
    }

    fn perft_played(position: &Position, depth: u32, digest: &mut u64) -> u64 {
        let mut nodes = 0;
        // Filled in place, which spares copying the list.
        let mut moves = MoveList::new();
        position.legal_moves_into(&mut moves);
        for &mv in &moves {
            let child = position.play_unchecked(mv);
            if depth <= 1 {
                consume(&child, child.key(), digest);
                nodes += 1;
            } else {
                nodes += Self::perft_played(&child, depth - 1, digest);
            }
        }
        nodes
    }

    fn list_moves(position: &Position) -> usize {
        black_box(&position.legal_moves()).len()
    }

    fn list_play_key(position: &Position, digest: &mut u64) -> u64 {
        let moves = position.legal_moves();
        for &mv in &moves {
            let child = position.play_unchecked(mv);
            consume(&child, child.key(), digest);
        }
        moves.len() as u64
    }

    fn read_san(position: &Position, san: &str) -> Option<Move> {
        position.parse_san(san).ok()
    }

    fn play(position: &mut Position, mv: Move) {
        *position = position.play_unchecked(mv);
    }

    fn write_san(position: &mut Position, mv: Move, text: &mut String) {
        // Writing to a String cannot fail.
        let _ = write!(text, "{}", position.san(mv));
        Self::play(position, mv);
    }
}
