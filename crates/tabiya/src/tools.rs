//! The commands that answer one question and end.

pub(crate) mod analyse;
pub(crate) mod book;
pub(crate) mod contest;
pub(crate) mod counting;
pub(crate) mod db;
pub(crate) mod engine;
pub(crate) mod engines;
pub(crate) mod explorer;
#[cfg(feature = "serve")]
pub(crate) mod export;
mod made_file;
pub(crate) mod moves;
mod openings;
pub(crate) mod packaging;
pub(crate) mod perft;
pub(crate) mod pgn;
pub(crate) mod progress;
#[cfg(feature = "serve")]
pub(crate) mod serve;
pub(crate) mod show;
pub(crate) mod status;
pub(crate) mod suite;
