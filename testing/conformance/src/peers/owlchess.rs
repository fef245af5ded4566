//! owlchess: a permissive library that filters semilegal moves.
//!
//! Its moves are played quickly only through functions marked unsafe, so this
//! is the one file of the comparison that uses them: the moves come straight
//! from its own legal generator, or from its own check of a SAN text.

use std::fmt::Write as _;

use owlchess::{
    Board, Move,
    movegen::legal,
    moves::{RawUndo, Style, make_move_unchecked, unmake_move_unchecked},
};

use crate::library::{Library, consume};

/// The library `owlchess`.
#[derive(Debug)]
pub struct Owlchess;

impl Library for Owlchess {
    type Position = Board;
    type Move = Move;

    const NAME: &'static str = "owlchess";
    const KEEPS_KEY: bool = true;

    fn read_fen(fen: &str) -> Option<Board> {
        Board::from_fen(fen).ok()
    }

    fn write_fen(position: &Board, text: &mut String) {
        // Writing to a String cannot fail.
        let _ = write!(text, "{position}");
    }

    fn perft_counted(position: &Board, depth: u32) -> u64 {
        counted(&mut position.clone(), depth)
    }

    fn perft_played(position: &Board, depth: u32, digest: &mut u64) -> u64 {
        played(&mut position.clone(), depth, digest)
    }

    fn list_moves(position: &Board) -> usize {
        std::hint::black_box(&legal::gen_all(position)).len()
    }

    fn list_play_key(position: &Board, digest: &mut u64) -> u64 {
        let mut position = position.clone();
        let moves = legal::gen_all(&position);
        for &mv in &moves {
            with(&mut position, mv, |child| {
                consume(child, child.zobrist_hash(), digest);
            });
        }
        moves.len() as u64
    }

    fn read_san(position: &Board, san: &str) -> Option<Move> {
        Move::from_san(san, position).ok()
    }

    fn play(position: &mut Board, mv: Move) {
        play(position, mv);
    }

    fn write_san(position: &mut Board, mv: Move, text: &mut String) {
        // Only an illegal move is refused, and writing to a String cannot fail.
        if let Ok(san) = mv.styled(position, Style::San) {
            let _ = write!(text, "{san}");
        }
        play(position, mv);
    }
}

fn counted(position: &mut Board, depth: u32) -> u64 {
    let moves = legal::gen_all(position);
    if depth <= 1 {
        return moves.len() as u64;
    }
    let mut nodes = 0;
    for &mv in &moves {
        with(position, mv, |child| nodes += counted(child, depth - 1));
    }
    nodes
}

fn played(position: &mut Board, depth: u32, digest: &mut u64) -> u64 {
    let mut nodes = 0;
    for &mv in &legal::gen_all(position) {
        with(position, mv, |child| {
            if depth <= 1 {
                consume(child, child.zobrist_hash(), digest);
                nodes += 1;
            } else {
                nodes += played(child, depth - 1, digest);
            }
        });
    }
    nodes
}

/// Plays a move in place, which is this library's fast way.
#[allow(unsafe_code)]
#[inline(always)]
fn play(position: &mut Board, mv: Move) -> RawUndo {
    // SAFETY: all callers pass a move that this library's legal generator or
    // SAN reader has given for this very position.
    unsafe { make_move_unchecked(position, mv) }
}

/// Plays a move, shows the position, and takes the move back.
#[allow(unsafe_code)]
#[inline(always)]
fn with(position: &mut Board, mv: Move, visit: impl FnOnce(&mut Board)) {
    let undo = play(position, mv);
    visit(position);
    // SAFETY: the position is the one that the move led to, since whatever is
    // played in `visit` is taken back there.
    unsafe { unmake_move_unchecked(position, mv, undo) };
}
