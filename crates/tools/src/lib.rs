//! The commands that answer one question and end. The two for packagers, `completions` and `man`, are here.

#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::wildcard_enum_match_arm))]
// A comment on the flags of a command would be its help text, which stands in the table of commands.
#![allow(missing_docs)]

pub mod analyse;
pub mod book;
pub mod contest;
mod counting;
pub mod db;
pub mod engines;
pub mod explorer;
#[cfg(feature = "serve")]
pub mod export;
pub mod flags;
#[cfg(feature = "import")]
pub mod import;
pub mod perft;
pub mod pgn;
pub mod position;
mod progress;
#[cfg(feature = "serve")]
pub mod serve;
mod status_line;
mod suite;
pub mod train;

use std::time::Instant;

use clap::Command;
use clap_complete::Shell;
use tabiya_front::config;
use tabiya_front::failure::Failure;
use tabiya_front::opening_names;
use tabiya_front::output::{print, say};
use tabiya_front::signals::{self, Heard, Signal};
use tabiya_store::paths::Folders;

/// Reads the user's own opening names, if the config has a file of them. A broken file is reported, and the standard
/// names apply.
fn read_opening_names() {
    let Ok(folders) = Folders::find() else { return };
    let config = config::file::load(&folders.config_file());
    if let Err(error) = opening_names::configure(config.settings.openings.as_deref()) {
        say(&format!("tabiya: {error}"));
    }
}

/// Calls a function with the first signal that asks for an end. A later one ends the program at once, because a user who
/// asks twice does not want to wait.
fn watch_ends(mut first: impl FnMut(i32) + Send + 'static) -> Result<(), Failure> {
    let mut since: Option<Instant> = None;
    let heard = move |signal| {
        if let Signal::End(number) = signal {
            match since {
                None => first(number),
                Some(since) if since.elapsed() > signals::SAME_REQUEST => {
                    let _ = signals::die_by(number);
                }
                Some(_) => {}
            }
            since.get_or_insert_with(Instant::now);
        }
        true
    };
    let watched = signals::watch(Heard::Ends, heard);
    watched.map_err(|error| Failure::Unusable(signals::unusable(&error)))
}

/// Prints the completions of a shell.
pub fn completions(shell: Shell, mut definition: Command) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut definition, "tabiya", &mut script);
    print(&String::from_utf8_lossy(&script))
}

/// Prints the page of the program, or of a command by its words: `pgn check`, or `pgn-check` as pages are named.
pub fn man(words: &[String], definition: Command) -> Result<(), Failure> {
    let mut page = definition;
    // Building gives every command its full name, which is the name of its page.
    page.build();
    let unknown = || Failure::Usage(format!("there is no command '{}'", words.join(" ")));
    for name in words.iter().flat_map(|word| word.split(['-', ' '])) {
        page = page.find_subcommand(name).cloned().ok_or_else(unknown)?;
    }
    let mut text = Vec::new();
    clap_mangen::Man::new(page).render(&mut text)?;
    let text = String::from_utf8_lossy(&text);
    // What follows the flags begins with examples everywhere.
    let text = text.replace(".SH EXTRA\nExamples:\n", ".SH EXAMPLES\n");
    print(&text)
}
