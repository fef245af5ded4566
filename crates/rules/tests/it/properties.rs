//! Properties of all positions, moves and texts, tested on seeded random ones.

mod moves;
mod positions;
mod texts;
