//! The rules library from outside, through its public interface.

mod cases;
mod formats;
mod perft;
mod properties;
mod suites;
mod support;
mod text;
mod threads;
