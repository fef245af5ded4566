//! The names of the table against those of a reference, and any bytes as a table or a book.

mod any_bytes;
mod reference;
