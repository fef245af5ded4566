//! The program as a script sees it: the real binary with pipes, its output to the letter, its exit codes.

mod analyse;
mod contest;
mod engine;
mod engines;
mod line_cases;
mod line_claims;
mod line_commands;
mod line_json;
mod line_players;
mod line_review;
mod line_support;
mod line_texts;
mod moves;
mod packaging;
mod perft;
mod pgn;
mod pgn_hostile;
mod pgn_support;
mod show;
mod status;
mod support;
mod surface;
mod terminal;
mod tui;
mod tui_review;
