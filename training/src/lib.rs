//! What the programs that make the engine's network share: games as lines of text, and searches with a soft node limit.

pub mod game_line;
pub mod scorer;
