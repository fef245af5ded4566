//! One file per library that is compared, Tabiya included, each with that library's fastest
//! public idiom for every task.

pub mod chess;
pub mod cozy;
pub mod esca;
pub mod owlchess;
pub mod shakmaty;
pub mod tabiya;
