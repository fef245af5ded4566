//! The full screen with input from outside.

mod terminal_answers;
