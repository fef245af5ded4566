//! chess: the most downloaded permissive rules library.

use std::{fmt::Write as _, hint::black_box, str::FromStr as _};

use arrayvec::ArrayVec;
use chess::{Board, ChessMove, MoveGen};

use crate::library::{Library, consume};

/// The library `chess`.
#[derive(Debug)]
pub struct JordanChess;

impl Library for JordanChess {
    type Position = Board;
    type Move = ChessMove;

    const NAME: &'static str = "chess";
    const KEEPS_KEY: bool = true;
    const WRITES_SAN: bool = false;

    fn read_fen(fen: &str) -> Option<Board> {
        Board::from_str(fen).ok()
    }

    fn write_fen(position: &Board, text: &mut String) {
        // Writing to a String cannot fail.
        let _ = write!(text, "{position}");
    }

    fn perft_counted(position: &Board, depth: u32) -> u64 {
        let moves = MoveGen::new_legal(position);
        if depth <= 1 {
            return moves.len() as u64;
        }
        let mut nodes = 0;
        for mv in moves {
            nodes += Self::perft_counted(&position.make_move_new(mv), depth - 1);
        }
        nodes
    }

    fn perft_played(position: &Board, depth: u32, digest: &mut u64) -> u64 {
        let mut nodes = 0;
        for mv in MoveGen::new_legal(position) {
            let child = position.make_move_new(mv);
            if depth <= 1 {
                consume(&child, child.get_hash(), digest);
                nodes += 1;
            } else {
                nodes += Self::perft_played(&child, depth - 1, digest);
            }
        }
        nodes
    }

    fn list_moves(position: &Board) -> usize {
        let list: ArrayVec<ChessMove, 256> = MoveGen::new_legal(position).collect();
        black_box(&list).len()
    }

    fn list_play_key(position: &Board, digest: &mut u64) -> u64 {
        let list: ArrayVec<ChessMove, 256> = MoveGen::new_legal(position).collect();
        for &mv in &list {
            let child = position.make_move_new(mv);
            consume(&child, child.get_hash(), digest);
        }
        list.len() as u64
    }

    fn read_san(position: &Board, san: &str) -> Option<ChessMove> {
        ChessMove::from_san(position, san).ok()
    }

    fn play(position: &mut Board, mv: ChessMove) {
        *position = position.make_move_new(mv);
    }

    fn write_san(position: &mut Board, mv: ChessMove, _: &mut String) {
        Self::play(position, mv);
    }
}
