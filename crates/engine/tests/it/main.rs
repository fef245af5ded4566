//! The server as interfaces see it: in this process over pipes, and as a program.

mod analysis;
#[cfg(unix)]
mod any_session;
mod endings;
mod games;
mod levels;
mod malformed;
mod mates;
mod program;
mod release;
mod scarcity;
mod scripts;
mod session;
mod sessions;
mod support;
mod threads;
mod truth;
