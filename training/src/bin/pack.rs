//! Turns games into training positions.
//!
//!     xz -dc games-*.txt.xz | pack OUT
//!
//! Reads lines as `play` writes them from standard input, and writes `OUT.train` and `OUT.valid`: 32 bytes for each
//! position, always seen from the side to move, so that the trainer need not know colors.
//!
//! | bytes | what |
//! | --- | --- |
//! | 0..8 | the occupied squares, little-endian; for Black to move the board is flipped top to bottom |
//! | 8..24 | one nibble for each piece in the order of the squares, low nibble first: role, plus 8 if the opponent's |
//! | 24..26 | the score in centipawns for the side to move |
//! | 26 | the result for the side to move: 0 lost, 1 drawn, 2 won |
//! | 27 | the side to move: 0 White, 1 Black |
//! | 28..30 | the ply, counted from the first one after the random plies |
//! | 30 | the half-move clock |
//! | 31 | zero |
//!
//! Left out are positions in check, those whose best move captures or promotes, scores beyond 25 pawns, the first
//! plies after the random ones, and duplicates. Two percent of the games are set aside for validation.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufRead, BufWriter, Write};
use std::process::ExitCode;

use tabiya_rules::{Color, Position};
use training::game_line::{FIRST_PLY, Game, GameResult, HIGHEST_SCORE, LineError, is_tactical};

/// One game in this many is set aside for validation.
const VALIDATION_SHARE: u64 = 50;

/// How many positions were taken, and why others were not.
#[derive(Default)]
struct Counts {
    games: u64,
    plies: u64,
    training: u64,
    validation: u64,
    early: u64,
    checks: u64,
    tactical: u64,
    decided: u64,
    repeated: u64,
}

struct Packer {
    training: BufWriter<File>,
    validation: BufWriter<File>,
    seen: HashSet<u64>,
    counts: Counts,
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let (Some(out), None) = (arguments.next(), arguments.next()) else {
        eprintln!("usage: xz -dc games-*.txt.xz | pack OUT");
        return ExitCode::from(2);
    };
    match run(&out) {
        Ok(counts) => {
            report(&counts);
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{out}: {error}");
            ExitCode::from(3)
        }
    }
}

fn run(out: &str) -> io::Result<Counts> {
    let mut packer = Packer {
        training: BufWriter::new(File::create(format!("{out}.train"))?),
        validation: BufWriter::new(File::create(format!("{out}.valid"))?),
        seen: HashSet::new(),
        counts: Counts::default(),
    };
    let mut taken = Vec::new();
    for (number, line) in io::stdin().lock().lines().enumerate() {
        let line = line?;
        taken.clear();
        // A line that a killed program left half-written is reported and skipped.
        match positions(&line, &mut packer.counts, &mut packer.seen, &mut taken) {
            Ok(()) => packer.write(&line, &taken)?,
            Err(error) => eprintln!("line {}: {error}", number + 1),
        }
    }
    packer.training.flush()?;
    packer.validation.flush()?;
    Ok(packer.counts)
}

impl Packer {
    fn write(&mut self, line: &str, positions: &[[u8; 32]]) -> io::Result<()> {
        self.counts.games += 1;
        let aside = fnv1a(line.as_bytes()).is_multiple_of(VALIDATION_SHARE);
        let (file, count) = if aside {
            (&mut self.validation, &mut self.counts.validation)
        } else {
            (&mut self.training, &mut self.counts.training)
        };
        *count += positions.len() as u64;
        positions
            .iter()
            .try_for_each(|packed| file.write_all(packed))
    }
}

/// Returns the positions of one game that are worth learning from.
fn positions(
    line: &str,
    counts: &mut Counts,
    seen: &mut HashSet<u64>,
    out: &mut Vec<[u8; 32]>,
) -> Result<(), LineError> {
    let game: Game = line.parse()?;
    for (index, (position, ply)) in game.positions().enumerate() {
        counts.plies += 1;
        if index < FIRST_PLY {
            counts.early += 1;
        } else if position.is_check() {
            counts.checks += 1;
        } else if is_tactical(&position, ply.played) {
            counts.tactical += 1;
        } else if ply.score.abs() > HIGHEST_SCORE {
            counts.decided += 1;
        } else if !seen.insert(position.key()) {
            counts.repeated += 1;
        } else {
            out.push(pack(&position, ply.score, game.result, index));
        }
    }
    Ok(())
}

fn pack(position: &Position, score: i32, result: GameResult, ply: usize) -> [u8; 32] {
    let mut packed = [0; 32];
    let turn = position.turn();
    let mirrored;
    let board = if turn == Color::White {
        position.board()
    } else {
        mirrored = position.board().mirror();
        &mirrored
    };
    // `Board::mirror` also swaps the colors, so the side to move is White in either case.
    packed[..8].copy_from_slice(&board.occupied().0.to_le_bytes());
    for (index, (_, piece)) in board.iter().enumerate() {
        let nibble = piece.role as u8 | if piece.color == Color::White { 0 } else { 8 };
        packed[8 + index / 2] |= nibble << (4 * (index % 2));
    }
    packed[24..26].copy_from_slice(&(score as i16).to_le_bytes());
    packed[26] = match result {
        GameResult::Drawn => 1,
        GameResult::Won(winner) if winner == turn => 2,
        GameResult::Won(_) => 0,
    };
    packed[27] = u8::from(turn == Color::Black);
    packed[28..30].copy_from_slice(&(ply.min(usize::from(u16::MAX)) as u16).to_le_bytes());
    packed[30] = position.halfmove_clock().min(255) as u8;
    packed
}

fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

fn report(counts: &Counts) {
    eprintln!("games       {:>12}", counts.games);
    eprintln!("plies       {:>12}", counts.plies);
    eprintln!("training    {:>12}", counts.training);
    eprintln!("validation  {:>12}", counts.validation);
    eprintln!(
        "left out: early {}, in check {}, tactical {}, decided {}, repeated {}",
        counts.early, counts.checks, counts.tactical, counts.decided, counts.repeated
    );
}

#[cfg(test)]
mod tests {
    //! What is packed, and what is left out.

    use super::*;

    fn packed(line: &str) -> (Vec<[u8; 32]>, Counts) {
        let (mut counts, mut out) = (Counts::default(), Vec::new());
        positions(line, &mut counts, &mut HashSet::new(), &mut out).expect("a whole line");
        (out, counts)
    }

    const GAME: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\tw\t\
        e2e4 20 e7e5 -20 g1f3 30 b8c6 -25 f1c4 30 g8f6 -30 f3g5 40 d7d5 -35 e4d5 50 f6d5 -60 g5f7 70 ";

    #[test]
    fn quiet_positions_are_seen_from_the_side_to_move() {
        let (positions, counts) = packed(GAME);
        // Four early plies and three captures are left out.
        assert_eq!((positions.len(), counts.early, counts.tactical), (4, 4, 3));
        let [white, black, ..] = &positions[..] else {
            unreachable!()
        };
        assert_eq!(i16::from_le_bytes([white[24], white[25]]), 30);
        assert_eq!((white[26], white[27], black[26], black[27]), (2, 0, 0, 1));
        // a1 and h1 hold the own rooks of either side, because Black's board is flipped.
        for position in [white, black] {
            let occupied = u64::from_le_bytes(position[..8].try_into().expect("eight bytes"));
            assert_eq!(occupied.count_ones(), 32);
            assert_eq!(position[8] & 15, 3);
        }
        assert_eq!(u16::from_le_bytes([black[28], black[29]]), 5);
    }
}
