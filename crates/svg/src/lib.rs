//! Chess pictures as SVG: a board with its marks, White's chances over a game as a curve, and results of many games as
//! bars. Values in, text out. There are also the pieces as pixels, for programs that cannot display SVG.
//!
//! ```
//! use tabiya_rules::Position;
//! use tabiya_svg::Picture;
//!
//! let svg = Picture::of(Position::start().board()).svg();
//! assert!(svg.starts_with("<svg"));
//! ```
//!
//! # Features and the oldest Rust
//!
//! There are no features. The crate needs the standard library and Rust 1.88 or newer. A newer Rust is required only with
//! a new minor version.

#![forbid(unsafe_code)]

mod board;
mod game_curve;
mod raster;
mod result_bars;

pub use board::{BEGINNING, Picture, piece};
#[doc(hidden)]
pub use game_curve::escaped;
pub use game_curve::{CurveMark, GameCurve};
pub use raster::{Coverage, PieceRaster};
pub use result_bars::{BarGroup, ResultBar, ResultBars};

#[cfg(test)]
mod tests;

/// Runs the programs of the README as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
