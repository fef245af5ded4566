//! Asks engines for their options, each in its own thread, and writes the user's values.

use std::sync::mpsc::SyncSender;

use tabiya_front::config::edit;
use tabiya_front::config::engines::configured;
use tabiya_front::config::file::{self, ConfigError, NoEngine};
use tabiya_play::engines::KnownEngines;
use tabiya_play::threads;
use tabiya_store::paths::Folders;
use tabiya_uci::{Deadlines, Engine, SetOption};

use super::Incoming;
use crate::message::{EngineMessage, EngineOption, NotDone, OptionChange};

/// Starts an engine and reports its options. The options of the user's file are not set, because one of them may be the
/// problem.
pub(super) fn ask(name: String, engines: &KnownEngines, sender: SyncSender<Incoming>) {
    let command = engines.command(&name);
    threads::spawn_or_run(move || {
        let answer = command
            .ok_or_else(|| NotDone::from(NoEngine(name.clone())))
            .and_then(|mut command| {
                let configured = std::mem::take(&mut command.options);
                let engine = Engine::start(&command, Deadlines::default())?;
                Ok(declared(&engine, &configured))
            });
        // Nobody receives it if the program is about to exit.
        let _ = sender.send(EngineMessage::Asked { name, answer }.into());
    });
}

/// The options of an engine with the user's values. A value that does not fit is ignored.
fn declared(engine: &Engine, configured: &[SetOption]) -> Vec<EngineOption> {
    let value_of = |option: &tabiya_uci::OptionDeclaration| {
        let set = configured.iter().rfind(|set| option.is_named(&set.name))?;
        option.check(set.value.as_deref()).ok()
    };
    let options = engine.options().iter();
    options
        .map(|option| EngineOption {
            value: value_of(option),
            declared: option.clone(),
        })
        .collect()
}

/// Writes an option into the user's file, for the next start of the engine.
pub(super) fn write_option(
    change: &OptionChange,
    engines: &KnownEngines,
) -> Result<(), ConfigError> {
    let (engine, value) = (&change.engine, change.value.as_ref());
    let command = engines.command(engine);
    let command = command.ok_or_else(|| NoEngine(engine.clone()))?;
    let path = Folders::find()?.config_file();
    file::rewrite(&path, |old| {
        edit::with_engine_option(old, engine, &command, &change.option, value)
    })?;
    engines.replace(configured());
    Ok(())
}
