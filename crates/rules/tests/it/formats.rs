//! Positions and moves as text: what is read, what is printed, and what an error says.

mod chess960;
mod diagram;
mod epd;
mod errors;
mod fen;
mod packed;
mod polyglot;
mod san;
#[cfg(feature = "serde")]
mod serde;
mod uci;
mod vocabulary;
