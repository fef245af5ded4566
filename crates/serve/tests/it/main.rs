//! Tests of the server through its sockets, as clients see it.

mod access;
mod api;
mod games;
mod harness;
mod keeping;
mod limits;
