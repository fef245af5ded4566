//! What holds for all positions, moves and texts, tried on seeded random ones.

mod moves;
mod positions;
mod texts;
