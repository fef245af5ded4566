//! What the programs that make the engine's network share: runs over numbers, games as lines of text, searches with a soft node
//! limit, games from random starts, and the tuning of parameters.

pub mod game;
pub mod game_line;
pub mod linear;
pub mod run;
pub mod scorer;
pub mod start;
pub mod tuning;
