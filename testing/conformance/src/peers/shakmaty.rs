//! shakmaty: the most complete Rust rules library, and the base of the ratios.

use shakmaty::{
    CastlingMode, Chess, EnPassantMode, Move, Position as _, fen::Fen, san::SanPlus,
    zobrist::Zobrist64,
};

use crate::library::{Library, consume};

/// The library `shakmaty`.
#[derive(Debug)]
pub struct Shakmaty;

impl Library for Shakmaty {
    type Position = Chess;
    type Move = Move;

    const NAME: &'static str = "shakmaty";
    /// Keys exist on demand only; computing one for each leaf would slow it
    /// down, so its leaves are played without.
    const KEEPS_KEY: bool = false;

    fn read_fen(fen: &str) -> Option<Chess> {
        Fen::from_ascii(fen.as_bytes())
            .ok()?
            .into_position(CastlingMode::Standard)
            .ok()
    }

    fn write_fen(position: &Chess, text: &mut String) {
        Fen::from_position(position, EnPassantMode::Legal).append_to_string(text);
    }

    fn perft_counted(position: &Chess, depth: u32) -> u64 {
        let moves = position.legal_moves();
        if depth <= 1 {
            return moves.len() as u64;
        }
        let mut nodes = 0;
        for &mv in &moves {
            let mut child = position.clone();
            child.play_unchecked(mv);
            nodes += Self::perft_counted(&child, depth - 1);
        }
        nodes
    }

    fn perft_played(position: &Chess, depth: u32, digest: &mut u64) -> u64 {
        let moves = position.legal_moves();
        let mut nodes = 0;
        for &mv in &moves {
            let mut child = position.clone();
            child.play_unchecked(mv);
            if depth <= 1 {
                consume(&child, 0, digest);
                nodes += 1;
            } else {
                nodes += Self::perft_played(&child, depth - 1, digest);
            }
        }
        nodes
    }

    fn list_moves(position: &Chess) -> usize {
        std::hint::black_box(&position.legal_moves()).len()
    }

    fn list_play_key(position: &Chess, digest: &mut u64) -> u64 {
        let moves = position.legal_moves();
        for &mv in &moves {
            let mut child = position.clone();
            child.play_unchecked(mv);
            let Zobrist64(key) = child.zobrist_hash(EnPassantMode::Legal);
            consume(&child, key, digest);
        }
        moves.len() as u64
    }

    fn read_san(position: &Chess, san: &str) -> Option<Move> {
        let san = SanPlus::from_ascii(san.as_bytes()).ok()?;
        san.san.to_move(position).ok()
    }

    fn play(position: &mut Chess, mv: Move) {
        position.play_unchecked(mv);
    }

    fn write_san(position: &mut Chess, mv: Move, text: &mut String) {
        SanPlus::from_move_and_play_unchecked(position, mv).append_to_string(text);
    }
}
