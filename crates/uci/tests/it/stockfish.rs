//! The real Stockfish through the client.
