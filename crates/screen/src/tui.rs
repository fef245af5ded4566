//! How things look: the layout of the screen, colors and pieces. Nothing here knows the rules of the game or the state
//! of the program.

pub(crate) mod board;
pub(crate) mod charset;
pub(crate) mod geometry;
pub(crate) mod graphics;
pub(crate) mod pieces;
pub(crate) mod styles;
