//! esca: a model of positions over the generator of cozy-chess, so that it is measured only where it does the work itself.

use esca::{Classic, Move, Position};

use crate::library::{Library, consume};

/// The library `esca`.
#[derive(Debug)]
pub struct Esca;

impl Library for Esca {
    type Position = Position;
    type Move = Move;

    const NAME: &'static str = "esca";
    const KEEPS_KEY: bool = true;
    const GENERATES: bool = false;

    fn read_fen(fen: &str) -> Option<Position> {
        Position::from_fen(fen).ok()
    }

    fn write_fen(position: &Position, text: &mut String) {
        text.push_str(&position.fen());
    }

    fn perft_counted(position: &Position, depth: u32) -> u64 {
        let moves = position.legal_moves(&Classic);
        if depth <= 1 {
            return moves.len() as u64;
        }
        let mut nodes = 0;
        for &mv in &moves {
            nodes += Self::perft_counted(&position.play(&Classic, mv), depth - 1);
        }
        nodes
    }

    fn perft_played(position: &Position, depth: u32, digest: &mut u64) -> u64 {
        let mut nodes = 0;
        for &mv in &position.legal_moves(&Classic) {
            let child = position.play(&Classic, mv);
            if depth <= 1 {
                consume(&child, child.key().get(), digest);
                nodes += 1;
            } else {
                nodes += Self::perft_played(&child, depth - 1, digest);
            }
        }
        nodes
    }

    fn list_moves(position: &Position) -> usize {
        std::hint::black_box(&position.legal_moves(&Classic)).len()
    }

    fn list_play_key(position: &Position, digest: &mut u64) -> u64 {
        Self::perft_played(position, 1, digest)
    }

    fn read_san(position: &Position, san: &str) -> Option<Move> {
        position.parse_san(&Classic, san).ok()
    }

    fn play(position: &mut Position, mv: Move) {
        *position = position.play(&Classic, mv);
    }

    fn write_san(position: &mut Position, mv: Move, text: &mut String) {
        text.push_str(&position.san(&Classic, mv));
        Self::play(position, mv);
    }
}
