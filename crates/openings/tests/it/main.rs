//! The names against a reference, any bytes as a table or a book, and threads.

mod any_bytes;
mod reference;
mod threads;
