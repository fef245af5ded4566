//! Tests of the server through its sockets, as clients see it.

mod access;
mod any_messages;
mod api;
mod beside;
mod client;
mod games;
mod harness;
mod keeping;
mod limits;
mod threads;
