//! A trained network as the evaluation.
//!
//! Each side sees the board from its own end: 768 inputs say which of its own and of the other side's pieces stands where,
//! left and right exchanged if its own king stands on the files e to h. They are summed up in [`HIDDEN`] neurons for each
//! side. Both rows, the one of the side to move first, are clipped, squared and weighed by one of [`BUCKETS`] outputs,
//! chosen by the number of pieces. All numbers are integers, so that every machine computes the same score.

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

/// How many neurons there are for each side. Files with another number are refused.
const HIDDEN: usize = 256;
/// Own and other pieces of six roles on 64 squares.
const FEATURES: usize = 768;
/// Rows of features in memory, where the numbers of the sides' features differ in one bit. Those between are not used.
const FEATURE_ROWS: usize = 512 + FEATURES / 2;
/// How many outputs there are, by the number of pieces on the board.
const BUCKETS: usize = 8;
/// The value of a neuron that is fully active.
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
    /// By the number that `accumulators` gives to a piece on a square.
    features: Box<[Row; FEATURE_ROWS]>,
    biases: Row,
    /// For each bucket the weights of the side to move's neurons, and of the other side's.
    outputs: [[Row; 2]; BUCKETS],
    /// In units of `QA * output_unit`.
    output_biases: [i32; BUCKETS],
    /// The weight of an output that passes a neuron on as it is.
    output_unit: u32,
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

    /// The score, in centipawns, of the weighed sum of one of the outputs.
    #[inline(always)]
    fn score(&self, bucket: usize, sum: i32) -> i32 {
        let sum = i64::from(sum / i32::from(QA)) + i64::from(self.output_biases[bucket]);
        let centipawns =
            sum * i64::from(self.scale) / (i64::from(QA) * i64::from(self.output_unit));
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
    (pieces.saturating_sub(2) as usize / 4).min(BUCKETS - 1)
}

/// Evaluates the positions of a line by a network, except for endings that are known to be won or drawn. It keeps sums for
/// each ply, and is told what moves change instead of seeing every position.
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

    /// Notes what the move changes that leads to a ply, which replaces that ply and all after it.
    #[inline]
    pub(crate) fn make_move(&mut self, ply: usize, change: &MoveDelta) {
        self.accumulators.make_move(ply, change);
    }

    /// Notes that a null move leads to a ply.
    #[inline]
    pub(crate) fn make_null_move(&mut self, ply: usize) {
        self.accumulators.make_null_move(ply);
    }

    /// The evaluation of the position at a ply, for the side to move.
    pub(crate) fn evaluate(&mut self, position: &Position, ply: usize) -> i32 {
        let (board, turn) = (position.board(), position.turn());
        if let Some(white) = endings::known(board) {
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
