//! `tabiya completions` and `tabiya man`, for packagers.

use clap::Command;
use clap_complete::Shell;

use crate::failure::Failure;
use crate::output::Output;

pub(crate) fn completions(shell: Shell, mut definition: Command) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut definition, "tabiya", &mut script);
    print(&script)
}

/// Prints the page of the program, or of a command by its words: `pgn check`, or `pgn-check` as pages are named.
pub(crate) fn man(words: &[String], definition: Command) -> Result<(), Failure> {
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
    print(text.as_bytes())
}

fn print(text: &[u8]) -> Result<(), Failure> {
    let mut output = Output::new();
    output.text(&String::from_utf8_lossy(text))?;
    output.finish()
}
