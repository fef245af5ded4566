//! The crate seen from outside: databases are built from generated games and queried.

mod any_bytes;
mod brute_force;
mod damage;
mod resuming;
mod shares;
mod support;
mod threads;
