//! The file of a network: a header of 64 bytes, then the numbers, all little-endian.
//!
//! | bytes | header |
//! | --- | --- |
//! | 0..8 | `TABIYANN` |
//! | 8..12 | version, 1 |
//! | 12..16 | neurons for each side |
//! | 16..20 | output buckets |
//! | 20..24, 24..28 | QA and QB, the quantization of activations and of output weights |
//! | 28..32 | centipawns for each unit of the output |
//! | 32..40 | FNV-1a checksum of all that follows the header |
//! | 40..64 | zeros |
//!
//! The numbers are the weights of each input for all neurons, the neurons' biases, for each output the weights of the side
//! to move's neurons and of the other side's (16 bits each), and the outputs' biases (32 bits each). A file whose numbers
//! could overflow in some position is refused, so that nothing has to be checked while a network is computed. Output weights
//! have 8 bits; QB is best as large as the largest of them allows.

use std::fmt;
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use super::kernels::Row;
use super::{FEATURE_ROWS, FEATURES, HIDDEN, Network, OUTPUT_BUCKETS, QA};

const MAGIC: &[u8; 8] = b"TABIYANN";
const VERSION: u32 = 1;
pub(super) const HEADER_SIZE: usize = 64;
/// Rows of 16-bit numbers: features, biases, and two for each output.
const ROWS: usize = FEATURES + 1 + 2 * OUTPUT_BUCKETS;
pub(super) const FILE_SIZE: usize = HEADER_SIZE + ROWS * HIDDEN * 2 + OUTPUT_BUCKETS * 4;
/// The most pieces there can be on a board.
const MAX_PIECES: usize = 32;
/// The greatest weight of an output whose product with a neuron fits into 16 bits.
const MAX_OUTPUT_WEIGHT: i16 = i16::MAX / QA;
const MAX_SCALE: u32 = 10_000;
const MAX_QB: u32 = 10_000;

/// Why a file is not a network that this engine can play with.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum NetworkError {
    /// The file cannot be read.
    Unreadable(ErrorKind),
    /// It does not begin as a network does.
    NotANetwork,
    /// A field of its header has a value that this engine does not know.
    Header {
        /// What the field is.
        field: HeaderField,
        /// Its value.
        found: u64,
        /// The value that it must have.
        expected: u64,
    },
    /// A number of its header is zero or too large.
    Range {
        /// What the number is.
        field: HeaderField,
        /// Its value.
        found: u32,
        /// The greatest value that it may have.
        max: u32,
    },
    /// It is not as long as its header says.
    Length {
        /// How long it must be, in bytes.
        expected: usize,
    },
    /// It is damaged: the checksum is another one than the header says.
    Checksum,
    /// In some position a neuron would overflow.
    NeuronOverflow {
        /// The number of the neuron.
        neuron: usize,
    },
    /// In some position an output would overflow.
    OutputOverflow {
        /// The number of the output.
        bucket: usize,
    },
}

/// A field of the header.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum HeaderField {
    /// The version of the format.
    Version,
    /// The number of neurons for each side.
    Neurons,
    /// The number of outputs.
    Outputs,
    /// QA: the quantization of activations.
    Qa,
    /// QB: the quantization of output weights.
    Qb,
    /// Centipawns for each unit of the output.
    Scale,
    /// What follows the last field.
    Padding,
}

impl fmt::Display for HeaderField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            HeaderField::Version => "the version of the format",
            HeaderField::Neurons => "the number of neurons for each side",
            HeaderField::Outputs => "the number of outputs",
            HeaderField::Qa => "the unit of the neurons",
            HeaderField::Qb => "the unit of the output weights",
            HeaderField::Scale => "the scale",
            HeaderField::Padding => "the end of the header",
        })
    }
}

impl fmt::Display for NetworkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NetworkError::Unreadable(error) => write!(f, "the file cannot be read: {error}"),
            NetworkError::NotANetwork => f.write_str("the file is not a network of this engine"),
            NetworkError::Header {
                field,
                found,
                expected,
            } => write!(f, "{field} must be {expected}, not {found}"),
            NetworkError::Range { field, found, max } => {
                write!(f, "{field} must be a number from 1 to {max}, not {found}")
            }
            NetworkError::Length { expected } => {
                write!(f, "the file must have {expected} bytes")
            }
            NetworkError::Checksum => {
                f.write_str("the file is damaged: its checksum does not match its numbers")
            }
            NetworkError::NeuronOverflow { neuron } => {
                write!(f, "the weights of neuron {neuron} can overflow")
            }
            NetworkError::OutputOverflow { bucket } => {
                write!(f, "the weights of output {bucket} can overflow")
            }
        }
    }
}

impl std::error::Error for NetworkError {}

impl From<io::Error> for NetworkError {
    fn from(error: io::Error) -> NetworkError {
        NetworkError::Unreadable(error.kind())
    }
}

/// Reads a regular file: a pipe or a device might never end.
pub(super) fn open(path: &Path) -> Result<Network, NetworkError> {
    if !std::fs::metadata(path)?.is_file() {
        return Err(NetworkError::NotANetwork);
    }
    let mut bytes = Vec::new();
    // One byte more than there may be shows a file that is too long.
    File::open(path)?
        .take(FILE_SIZE as u64 + 1)
        .read_to_end(&mut bytes)?;
    parse(&bytes)
}

/// Reads a network from the bytes of a file.
pub(super) fn parse(bytes: &[u8]) -> Result<Network, NetworkError> {
    let Some((header, body)) = bytes.split_first_chunk::<HEADER_SIZE>() else {
        return Err(NetworkError::NotANetwork);
    };
    let header = Header::parse(header)?;
    let length = NetworkError::Length {
        expected: FILE_SIZE,
    };
    if bytes.len() != FILE_SIZE {
        return Err(length);
    }
    if checksum(body) != header.checksum {
        return Err(NetworkError::Checksum);
    }
    let mut numbers = Numbers(body);
    let mut features: Vec<Row> = (0..FEATURES / 2).map(|_| numbers.row()).collect();
    features.resize(FEATURE_ROWS - FEATURES / 2, Row::ZERO);
    features.extend((0..FEATURES / 2).map(|_| numbers.row()));
    let network = Network {
        features: features.try_into().map_err(|_| length)?,
        biases: numbers.row(),
        outputs: std::array::from_fn(|_| [numbers.row(), numbers.row()]),
        output_biases: std::array::from_fn(|_| numbers.i32()),
        qb: header.qb,
        scale: header.scale,
        checksum: header.checksum,
    };
    check_ranges(&network)?;
    Ok(network)
}

struct Header {
    qb: u32,
    scale: u32,
    checksum: u64,
}

impl Header {
    /// Reads the header, and checks that the engine can use such a network.
    fn parse(bytes: &[u8; HEADER_SIZE]) -> Result<Header, NetworkError> {
        let Some(rest) = bytes.strip_prefix(MAGIC) else {
            return Err(NetworkError::NotANetwork);
        };
        let mut numbers = Numbers(rest);
        for (field, expected) in [
            (HeaderField::Version, VERSION),
            (HeaderField::Neurons, HIDDEN as u32),
            (HeaderField::Outputs, OUTPUT_BUCKETS as u32),
            (HeaderField::Qa, QA as u32),
        ] {
            require(field, u64::from(numbers.u32()), u64::from(expected))?;
        }
        let qb = in_range(HeaderField::Qb, numbers.u32(), MAX_QB)?;
        let scale = in_range(HeaderField::Scale, numbers.u32(), MAX_SCALE)?;
        let checksum = numbers.u64();
        for _ in 0..3 {
            require(HeaderField::Padding, numbers.u64(), 0)?;
        }
        Ok(Header {
            qb,
            scale,
            checksum,
        })
    }
}

/// Checks that a field is neither zero nor too large.
fn in_range(field: HeaderField, found: u32, max: u32) -> Result<u32, NetworkError> {
    if (1..=max).contains(&found) {
        return Ok(found);
    }
    Err(NetworkError::Range { field, found, max })
}

/// Checks that a field is what it has to be.
fn require(field: HeaderField, found: u64, expected: u64) -> Result<(), NetworkError> {
    if found == expected {
        return Ok(());
    }
    Err(NetworkError::Header {
        field,
        found,
        expected,
    })
}

/// Consecutive little-endian numbers; zeros past the end, which the length check rules out.
struct Numbers<'a>(&'a [u8]);

impl Numbers<'_> {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        let Some((bytes, rest)) = self.0.split_first_chunk::<N>() else {
            return [0; N];
        };
        self.0 = rest;
        *bytes
    }

    fn u32(&mut self) -> u32 {
        u32::from_le_bytes(self.take())
    }

    fn u64(&mut self) -> u64 {
        u64::from_le_bytes(self.take())
    }

    fn i32(&mut self) -> i32 {
        i32::from_le_bytes(self.take())
    }

    fn row(&mut self) -> Row {
        Row(std::array::from_fn(|_| i16::from_le_bytes(self.take())))
    }
}

/// Makes sure that no position with up to 32 pieces overflows a neuron's 16 bits or an output's 32.
fn check_ranges(network: &Network) -> Result<(), NetworkError> {
    for neuron in 0..HIDDEN {
        let weight = |row: &Row| i32::from(row.0[neuron]).abs();
        let mut weights: Vec<i32> = network.features.iter().map(weight).collect();
        weights.sort_unstable_by_key(|&weight| std::cmp::Reverse(weight));
        let most: i32 = weights.iter().take(MAX_PIECES).sum();
        if most + weight(&network.biases) > i32::from(i16::MAX) {
            return Err(NetworkError::NeuronOverflow { neuron });
        }
    }
    for (bucket, rows) in network.outputs.iter().enumerate() {
        let weights = || rows.iter().flat_map(|row| row.0);
        let sum: i64 = weights().map(|weight| i64::from(weight).abs()).sum();
        let fits = |weight: i16| weight.unsigned_abs() <= MAX_OUTPUT_WEIGHT.unsigned_abs();
        let square = i64::from(QA) * i64::from(QA);
        if !weights().all(fits) || sum * square > i64::from(i32::MAX) {
            return Err(NetworkError::OutputOverflow { bucket });
        }
    }
    Ok(())
}

/// FNV-1a with 64 bits.
pub(super) fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
