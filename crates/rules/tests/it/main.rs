//! The rules library from outside, through its public interface.

mod any_bytes;
mod cases;
mod formats;
mod perft;
mod properties;
mod slow;
mod suites;
mod support;
mod text;
mod threads;
