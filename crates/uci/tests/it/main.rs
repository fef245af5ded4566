//! Integration tests: the protocol over whole suites, and real processes.

mod any_bytes;
#[cfg(unix)]
mod cycles;
#[cfg(unix)]
mod hostile;
mod limits;
mod round_trips;
mod stockfish;
mod suites;
mod support;
#[cfg(unix)]
mod threads;
#[cfg(unix)]
mod worker;
