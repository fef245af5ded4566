//! The third front: games over HTTP and WebSocket, with a board for the browser.
//!
//! A [`Server`] keeps games ([`tabiya_play::table::Table`], one task each), brings every change to the disk before anybody
//! sees it, and sends it to everybody who plays or watches. Only the server decides on legality, clocks and results: a client
//! sends requests, and is told what happened.
//!
//! | module | owns |
//! | --- | --- |
//! | `config` | what a server is told when it starts, and its limits |
//! | `token` | secrets of random bits |
//! | `sessions` `private` | the sessions of the host; files that only their owner may read |
//! | `role` | what the holder of a link may ask for |
//! | `protocol` `moves` `chunks` | messages in both directions, and how a game stands as a value; moves as they are sent; long lists in several messages |
//! | `room` | one game: a table, and what each change means for those who see it |
//! | `assistant` | what an engine says beside a game, and its review |
//! | `judge` | a game that is judged, position by position |
//! | `task` | the task that owns a room: its inbox, its clock, its save, its clients |
//! | `engines` `disk_threads` | the threads that think for all games; those that read and write their files |
//! | `rates` | how often anybody may ask, each client and all together |
//! | `links` `lobby` | the secrets of a game on disk; all games by their IDs |
//! | `web/` | HTTP: who may ask what, the page, the interface for programs, the socket |
//! | `page` `tree` `export` | the texts of the page; a game as the page shows it; a game as a page to give away |
//! | `client` | the other end, for players at a terminal |
//! | `offline` | both ends without a network, to try what any bytes do to them |
//! | `server` `addresses` | listening, limits on connections, the end; the addresses of this machine |
//! | `running` | which games of a folder a server runs |
//!
//! # Features and the oldest Rust
//!
//! There are no features. The crate needs the standard library and Rust 1.95 or newer. A newer Rust is required only with
//! a new minor version.

#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::wildcard_enum_match_arm))]

mod addresses;
mod assistant;
mod chunks;
mod client;
mod config;
mod disk_threads;
mod engines;
pub mod export;
mod json;
mod judge;
mod links;
mod lobby;
mod moves;
#[doc(hidden)]
pub mod offline;
mod page;
mod private;
mod protocol;
mod rates;
mod role;
mod room;
mod running;
mod server;
mod sessions;
mod sides;
mod task;
mod token;
mod tree;
mod web;

pub use client::{BadGameLink, Client, GameLink, JoinError};
pub use config::{BadPublicUrl, BadShare, Config, Limits, PublicUrl, Sentences, Share};
pub use protocol::PROTOCOL;
pub use role::Role;
pub use server::{ServeError, Server, ShutdownHandle};

/// Runs the programs of the README as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
