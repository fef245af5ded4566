//! The crate seen from outside: databases are built of generated games and asked.

mod any_bytes;
mod brute_force;
mod damage;
mod resuming;
mod shares;
mod support;
mod threads;
