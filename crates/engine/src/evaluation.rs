//! Static evaluation: a trained network, after endings whose outcome is known.

mod endings;
pub(crate) mod network;

/// Endings that are known to be won are worth more than this.
pub(crate) const KNOWN_WIN: i32 = 3500;

#[cfg(test)]
mod tests;
