//! Tokens: random bits from the system, written as hexadecimal digits. Those of links have 128 bits, those of sessions 256.

use std::fmt;

use sha2::{Digest as _, Sha256};

/// A secret token of so many bytes. `Debug` does not show it, so that it cannot get into a log by accident.
#[derive(Clone)]
pub(crate) struct Token<const BYTES: usize = 16>([u8; BYTES]);

/// The secret of a session.
pub(crate) type Secret = Token<32>;

/// The SHA-256 of a secret, by which the server knows it.
pub(crate) type Digest = Token<32>;

/// The system provides no random numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the system cannot provide random numbers")]
pub(crate) struct NoRandom;

impl<const BYTES: usize> Token<BYTES> {
    pub(crate) fn random() -> Result<Self, NoRandom> {
        let mut bytes = [0; BYTES];
        getrandom::fill(&mut bytes).map_err(|_| NoRandom)?;
        Ok(Token(bytes))
    }

    /// Parses a token.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let digits = text.as_bytes();
        if digits.len() != 2 * BYTES {
            return None;
        }
        let mut bytes = [0; BYTES];
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
            *byte = digit(pair[0])? << 4 | digit(pair[1])?;
        }
        Some(Token(bytes))
    }

    /// The token as text, for a link or a client.
    pub(crate) fn reveal(&self) -> String {
        self.0.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// What the server stores instead of the token.
    pub(crate) fn digest(&self) -> Digest {
        Token(Sha256::digest(self.0).into())
    }
}

fn digit(sign: u8) -> Option<u8> {
    match sign {
        b'0'..=b'9' => Some(sign - b'0'),
        b'a'..=b'f' => Some(sign - b'a' + 10),
        _ => None,
    }
}

/// Compares in constant time, so that the time tells nothing about the token.
impl<const BYTES: usize> PartialEq for Token<BYTES> {
    fn eq(&self, other: &Self) -> bool {
        let differences = self
            .0
            .iter()
            .zip(other.0)
            .fold(0, |all, (a, b)| all | (a ^ b));
        differences == 0
    }
}

impl<const BYTES: usize> Eq for Token<BYTES> {}

impl<const BYTES: usize> fmt::Debug for Token<BYTES> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn has_random_bits<const BYTES: usize>() {
        let mut seen = [0u8; BYTES];
        for _ in 0..200 {
            let token = Token::<BYTES>::random().expect("random numbers");
            let text = token.reveal();
            assert_eq!(text.len(), 2 * BYTES);
            assert_eq!(Token::read(&text), Some(token.clone()));
            assert_ne!(token, Token::random().expect("random numbers"));
            for (all, byte) in seen.iter_mut().zip(token.0) {
                *all |= byte;
            }
        }
        assert_eq!(seen, [255; BYTES], "every bit is set sometimes");
        let digits = 2 * BYTES;
        for text in [
            "",
            "00",
            &"0".repeat(digits + 1),
            &"g".repeat(digits),
            &"A".repeat(digits),
            &"é".repeat(BYTES),
        ] {
            assert_eq!(Token::<BYTES>::read(text), None, "{text}");
        }
    }

    #[test]
    fn tokens_have_128_random_bits_and_sessions_256() {
        has_random_bits::<16>();
        has_random_bits::<32>();
    }

    #[test]
    fn a_digest_is_the_sha_256_of_the_bits() {
        let zero = Secret::read(&"0".repeat(64)).expect("64 digits");
        let known = "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925";
        assert_eq!(zero.digest().reveal(), known);
    }

    #[test]
    fn nothing_secret_is_shown_by_debug() {
        let token = Secret::random().expect("random numbers");
        assert!(!format!("{token:?}").contains(&token.reveal()));
    }
}
