//! Pictures of chess as SVG: a board with its marks, and the course of a game as a curve. Values in, text out; and the
//! pieces as pixels, for whoever has no program that reads SVG.
//!
//! ```
//! use tabiya_rules::Position;
//! use tabiya_svg::Picture;
//!
//! let svg = Picture::of(Position::start().board()).svg();
//! assert!(svg.starts_with("<svg"));
//! ```

#![forbid(unsafe_code)]

mod board;
mod game_curve;
mod raster;

pub use board::{BEGINNING, Picture, piece};
pub use game_curve::{CurveMark, GameCurve};
pub use raster::{Coverage, PieceRaster};

/// The programs of the README are tests too.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
