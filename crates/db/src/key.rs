//! The key by which a position is found, and the hash of other things in this format.

pub use tabiya_rules::PositionKey;

/// One step of the hashes of this format: a bijection that lets every bit of the input reach the high bits.
pub(crate) const fn mix(word: u64) -> u64 {
    let word = (word ^ word >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    word ^ word >> 29
}
