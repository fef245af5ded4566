//! Any value as text and back, in both directions.
