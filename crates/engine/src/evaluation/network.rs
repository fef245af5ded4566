//! NNUE evaluation, (768hm → 512)×2 → 1×8.
//!
//! Each perspective has 768 inputs (own or enemy piece, role, square), mirrored horizontally while its king is on the files
//! e to h. The two accumulators, the side to move's first, go through SCReLU (clipped to 0..[`QA`], then squared) and one
//! of [`OUTPUT_BUCKETS`] outputs, chosen by the number of pieces. All weights are quantized integers, so every machine
//! computes the same score.

mod accumulators;
mod file;
mod kernels;

use std::fmt;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use tabiya_rules::{Color, MoveDelta, Position, cpu};

use super::{KNOWN_WIN, endings};
use accumulators::Accumulators;
pub use file::{HeaderField, NetworkError};
use kernels::{Evaluate, Row};

/// The neurons of the hidden layer for each perspective. Files with another number are refused.
const HIDDEN: usize = 512;
/// Own and enemy pieces of six roles on 64 squares.
const FEATURES: usize = 768;
/// Rows of features in memory, where the indices of own and enemy pieces differ in one bit. Those between are not used.
const FEATURE_ROWS: usize = 512 + FEATURES / 2;
/// Output buckets, by the number of pieces on the board.
const OUTPUT_BUCKETS: usize = 8;
/// QA: an activation of 1.0.
const QA: i16 = 255;

/// The numbers of a trained network.
///
/// A network is read from a file, once, and shared by all that play with it. Two networks are equal if all their numbers
/// are.
///
/// ```
/// use tabiya_engine::{Network, NetworkError};
///
/// assert!(Network::from_bytes(b"no network").is_err());
/// assert_ne!(Network::built_in().checksum(), 0);
/// # let _: Option<NetworkError> = None;
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Network {
    /// The weights of each feature, by its index (see `accumulators`).
    features: Box<[Row; FEATURE_ROWS]>,
    biases: Row,
    /// For each bucket the weights of the side to move's accumulator, and of the other side's.
    outputs: [[Row; 2]; OUTPUT_BUCKETS],
    /// In units of `QA * qb`.
    output_biases: [i32; OUTPUT_BUCKETS],
    /// QB: an output weight of 1.0.
    qb: u32,
    /// Centipawns for each unit of the output.
    scale: u32,
    checksum: u64,
}

impl Network {
    /// The network that the engine plays with unless it is given another one.
    #[must_use]
    pub fn built_in() -> &'static Arc<Network> {
        static BUILT_IN: LazyLock<Arc<Network>> = LazyLock::new(|| {
            let bytes = include_bytes!("../../network.bin");
            Arc::new(Network::from_bytes(bytes).expect("the file in the crate is a network"))
        });
        &BUILT_IN
    }

    /// Reads a network from a file.
    ///
    /// # Errors
    /// The file cannot be read, or is not a network that this engine can play with.
    pub fn open(path: &Path) -> Result<Network, NetworkError> {
        file::open(path)
    }

    /// Reads a network from the bytes of a file.
    ///
    /// # Errors
    /// The bytes are not a network that this engine can play with.
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, NetworkError> {
        file::parse(bytes)
    }

    /// The checksum of its numbers, which serves as its name.
    #[must_use]
    pub fn checksum(&self) -> u64 {
        self.checksum
    }

    /// The score, in centipawns, of the weighted sum of an output bucket.
    #[inline(always)]
    fn score(&self, bucket: usize, sum: i32) -> i32 {
        let sum = i64::from(sum / i32::from(QA)) + i64::from(self.output_biases[bucket]);
        let centipawns = sum * i64::from(self.scale) / (i64::from(QA) * i64::from(self.qb));
        let most = i64::from(KNOWN_WIN - 1);
        centipawns.clamp(-most, most) as i32
    }
}

impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Network({:016x})", self.checksum)
    }
}

/// Which output bucket evaluates a position with this many pieces.
#[inline(always)]
fn bucket(pieces: u32) -> usize {
    (pieces.saturating_sub(2) as usize / 4).min(OUTPUT_BUCKETS - 1)
}

/// Evaluates the positions of a line by a network, except for endings that are known to be won or drawn. It has the
/// accumulators of each ply, and gets the deltas of moves instead of every position.
#[derive(Clone, Debug)]
pub(crate) struct NetworkEvaluator {
    network: Arc<Network>,
    accumulators: Accumulators,
}

impl NetworkEvaluator {
    /// For lines of up to `max_ply` plies.
    pub(crate) fn new(network: Arc<Network>, max_ply: usize) -> NetworkEvaluator {
        NetworkEvaluator {
            accumulators: Accumulators::new(max_ply),
            network,
        }
    }

    /// Begins a new line with the position at ply 0.
    pub(crate) fn set_root(&mut self, position: &Position) {
        self.accumulators.set_root(&self.network, position.board());
    }

    /// Records the delta of the move that leads to a ply, which replaces that ply and all after it.
    #[inline]
    pub(crate) fn make_move(&mut self, ply: usize, delta: &MoveDelta) {
        self.accumulators.make_move(ply, delta);
    }

    /// Records that a null move leads to a ply.
    #[inline]
    pub(crate) fn make_null_move(&mut self, ply: usize) {
        self.accumulators.make_null_move(ply);
    }

    /// The evaluation of the position at a ply, for the side to move.
    pub(crate) fn evaluate(&mut self, position: &Position, ply: usize) -> i32 {
        let (board, turn) = (position.board(), position.turn());
        if let Some(white) = endings::known_score(board) {
            return match turn {
                Color::White => white,
                Color::Black => -white,
            };
        }
        cpu::run_wide(Evaluate {
            network: &self.network,
            accumulators: &mut self.accumulators,
            board,
            turn,
            ply,
        })
    }
}

#[cfg(test)]
pub(crate) mod tests;
