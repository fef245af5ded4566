//! Tokens: 128 random bits from the system, written as 32 hexadecimal digits.

use std::fmt;

/// A secret token. `Debug` does not show it, so that it cannot get into a log by accident.
#[derive(Clone)]
pub(crate) struct Token([u8; 16]);

/// The system provides no random numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the system gives no random numbers")]
pub(crate) struct NoRandom;

impl Token {
    pub(crate) fn random() -> Result<Token, NoRandom> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).map_err(|_| NoRandom)?;
        Ok(Token(bytes))
    }

    /// Parses a token.
    pub(crate) fn read(text: &str) -> Option<Token> {
        let digits = text.as_bytes();
        if digits.len() != 32 {
            return None;
        }
        let mut bytes = [0; 16];
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
            *byte = digit(pair[0])? << 4 | digit(pair[1])?;
        }
        Some(Token(bytes))
    }

    /// The token as text, for a link or a cookie.
    pub(crate) fn reveal(&self) -> String {
        self.0.iter().map(|byte| format!("{byte:02x}")).collect()
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
impl PartialEq for Token {
    fn eq(&self, other: &Token) -> bool {
        let differences = self
            .0
            .iter()
            .zip(other.0)
            .fold(0, |all, (a, b)| all | (a ^ b));
        differences == 0
    }
}

impl Eq for Token {}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_have_128_random_bits_and_are_read_back() {
        let mut seen = [0u8; 16];
        for _ in 0..200 {
            let token = Token::random().expect("random numbers");
            let text = token.reveal();
            assert_eq!(text.len(), 32);
            assert_eq!(Token::read(&text), Some(token.clone()));
            assert_ne!(token, Token::random().expect("random numbers"));
            for (all, byte) in seen.iter_mut().zip(token.0) {
                *all |= byte;
            }
        }
        assert_eq!(seen, [255; 16], "every bit is set sometimes");
        for text in [
            "",
            "00",
            &"0".repeat(33),
            &"g".repeat(32),
            &"A".repeat(32),
            &"é".repeat(16),
        ] {
            assert_eq!(Token::read(text), None, "{text}");
        }
    }

    #[test]
    fn nothing_secret_is_shown_by_debug() {
        let token = Token::random().expect("random numbers");
        assert!(!format!("{token:?}").contains(&token.reveal()));
    }
}
