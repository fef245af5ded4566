//! Checks of the lock file.

mod supply;
