//! What the lock file brings along.

mod supply;
