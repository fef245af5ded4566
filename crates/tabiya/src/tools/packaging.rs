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

pub(crate) fn man(command: Option<&str>, mut definition: Command) -> Result<(), Failure> {
    // Building gives every command its full name, which is the name of its page.
    definition.build();
    let page = match command {
        None => definition,
        Some(name) => definition
            .get_subcommands()
            .find(|known| known.get_name() == name)
            .cloned()
            .ok_or_else(|| Failure::Usage(format!("there is no command '{name}'")))?,
    };
    let mut text = Vec::new();
    clap_mangen::Man::new(page).render(&mut text)?;
    print(&text)
}

fn print(text: &[u8]) -> Result<(), Failure> {
    let mut output = Output::new();
    output.text(&String::from_utf8_lossy(text))?;
    output.finish()
}
