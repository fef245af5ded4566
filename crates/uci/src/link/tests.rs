//! Sentences of failures.
