//! Positions and moves as text: FEN, EPD, SAN, long algebraic and UCI.

pub(crate) mod diagram;
pub(crate) mod epd;
pub(crate) mod fen;
pub(crate) mod san;
pub(crate) mod san_reader;
pub(crate) mod uci;

#[cfg(test)]
mod tests;
