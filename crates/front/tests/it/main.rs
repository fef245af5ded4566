//! What the fronts share, with input from outside.

mod config;
mod text_input;
