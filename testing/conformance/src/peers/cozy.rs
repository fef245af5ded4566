//! cozy-chess: the fastest permissive generator on stable Rust.

use std::{fmt::Write as _, hint::black_box};

use arrayvec::ArrayVec;
use cozy_chess::{
    Board, Move,
    util::{display_san_move, parse_san_move},
};

use crate::library::{Library, consume};

/// The library `cozy-chess`.
#[derive(Debug)]
pub struct Cozy;

impl Library for Cozy {
    type Position = Board;
    type Move = Move;

    const NAME: &'static str = "cozy-chess";
    const KEEPS_KEY: bool = true;

    fn read_fen(fen: &str) -> Option<Board> {
        Board::from_fen(fen, false).ok()
    }

    fn write_fen(position: &Board, text: &mut String) {
        // Writing to a String cannot fail.
        let _ = write!(text, "{position}");
    }

    fn perft_counted(position: &Board, depth: u32) -> u64 {
        let mut nodes = 0;
        if depth <= 1 {
            position.generate_moves(|moves| {
                nodes += moves.len() as u64;
                false
            });
        } else {
            position.generate_moves(|moves| {
                for mv in moves {
                    let mut child = position.clone();
                    child.play_unchecked(mv);
                    nodes += Self::perft_counted(&child, depth - 1);
                }
                false
            });
        }
        nodes
    }

    fn perft_played(position: &Board, depth: u32, digest: &mut u64) -> u64 {
        let mut nodes = 0;
        position.generate_moves(|moves| {
            for mv in moves {
                let mut child = position.clone();
                child.play_unchecked(mv);
                if depth <= 1 {
                    consume(&child, child.hash(), digest);
                    nodes += 1;
                } else {
                    nodes += Self::perft_played(&child, depth - 1, digest);
                }
            }
            false
        });
        nodes
    }

    fn list_moves(position: &Board) -> usize {
        // The library hands out sets; a list of fixed capacity on the stack is
        // what its users write around them.
        let mut list = ArrayVec::<Move, 256>::new();
        position.generate_moves(|moves| {
            list.extend(moves);
            false
        });
        black_box(&list).len()
    }

    fn list_play_key(position: &Board, digest: &mut u64) -> u64 {
        let mut list = ArrayVec::<Move, 256>::new();
        position.generate_moves(|moves| {
            list.extend(moves);
            false
        });
        for &mv in &list {
            let mut child = position.clone();
            child.play_unchecked(mv);
            consume(&child, child.hash(), digest);
        }
        list.len() as u64
    }

    fn read_san(position: &Board, san: &str) -> Option<Move> {
        parse_san_move(position, san).ok()
    }

    fn play(position: &mut Board, mv: Move) {
        position.play_unchecked(mv);
    }

    fn write_san(position: &mut Board, mv: Move, text: &mut String) {
        // Writing to a String cannot fail.
        let _ = write!(text, "{}", display_san_move(position, mv));
        position.play_unchecked(mv);
    }
}
