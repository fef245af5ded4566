//! The comparison of Tabiya with other chess libraries: what the programs
//! `bench` (speed) and `agree` (answers) share.
//!
//! Nothing here ships. Every library is used through the public interface that
//! any of its users has.

pub mod agree;
pub mod corpus;
pub mod entrant;
pub mod library;
pub mod measure;
pub mod peers;
pub mod pgn;
pub mod pgn_bench;
pub mod random;
