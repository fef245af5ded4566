//! The program as a script sees it: the real binary with pipes, its output to the letter, its exit codes.

mod moves;
mod packaging;
mod perft;
mod show;
mod status;
mod support;
mod surface;
