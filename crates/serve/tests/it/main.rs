//! Tests of the server through its sockets, as clients see it.

mod access;
mod any_messages;
mod api;
mod beginning;
mod beside;
mod client;
mod floods;
mod frozen;
mod games;
mod harness;
mod keeping;
mod limits;
mod long_games;
mod threads;
