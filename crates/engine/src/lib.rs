//! A chess engine behind the UCI protocol.
