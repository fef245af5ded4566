//! The line mode: a game between two people in text, one line after the other.
//!
//! [`Game`] decides what happens and what is said; this file reads lines, prints, and does what only the program may
//! do. Everything that is printed is either the fixed text or, with `--json`, one object a line.

pub(crate) mod answers;
mod editor;
pub(crate) mod events;
mod game;
mod input;
pub(crate) mod refusals;
mod screen;
pub(crate) mod suggest;

use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;
use std::time::Instant;

use tabiya_game::{NewGame, Timestamp};
use tabiya_rules::SplitMix64;

use crate::failure::Failure;
use crate::game_file;
use game::{Ask, Effect, Game, Reply};
use input::{Input, Taken};
use screen::Screen;

pub(crate) use game::{chess960, ply_after};
pub(crate) use screen::Form;

/// What a game in the line mode begins with.
#[derive(Debug)]
pub(crate) struct Setup {
    pub(crate) game: NewGame,
    /// Where everything comes from that is left to chance.
    pub(crate) random: SplitMix64,
    pub(crate) form: Form,
    pub(crate) color: anstream::ColorChoice,
}

/// Plays until the players leave.
pub(crate) fn run(setup: Setup) -> Result<(), Failure> {
    let mut screen = Screen::new(setup.form, setup.color);
    let mut input = Input::new(&screen)?;
    let begun = Instant::now();
    let now = || Timestamp::after_origin(begun.elapsed());

    let mut game = Game::new(setup.random);
    let mut effects = game.begin(setup.game, now());
    let mut alarm = Alarm::Silent;
    loop {
        for effect in effects {
            match effect {
                Effect::Say(reply) => screen.tell(&reply)?,
                Effect::Write { path, text } => screen.tell(&write(&path, &text))?,
                Effect::Open(path) => {
                    for told in game.open(game_file::open_at(&path, 0), now()) {
                        if let Effect::Say(reply) = told {
                            screen.tell(&reply)?;
                        }
                    }
                }
                Effect::Leave => return screen.finish(),
            }
        }
        let ask = game.ask(now());
        screen.ask(&ask)?;
        let patience = match alarm {
            Alarm::Set => game.flag_in(now()),
            Alarm::Silent => None,
        };
        let taken = input.take(&prompt(&ask), || game.completions(), patience);
        screen.taken()?;
        effects = match taken {
            Taken::Line(line) => {
                alarm = Alarm::Set;
                game.submit(&line, now())
            }
            Taken::TooLate => {
                alarm = Alarm::Silent;
                let told = game.tick(now());
                // A line editor has the terminal, so it says what happened. What was being typed belonged to the
                // game that ended, and the next one begins when the players are there.
                if input.announce(&told) {
                    game.begin_again(now())
                } else {
                    told
                }
            }
            Taken::End => game.leave(),
            Taken::Broken(error) => return Err(Failure::file("stdin", &error)),
        };
    }
}

/// Whether a flag that falls is to be announced while nobody types. A game in which nobody has typed anything yet
/// falls silent, so that an idle program does not begin one game after the other.
enum Alarm {
    Set,
    Silent,
}

/// What a line editor shows in front of the line.
fn prompt(ask: &Ask) -> String {
    match ask {
        Ask::Turn { prompt, .. } => prompt.clone(),
        Ask::Menu { .. } => "1, 2 or a move: ".to_owned(),
    }
}

/// Writes a game to a file that does not exist yet, and tells how it went.
pub(crate) fn write_new(path: &Path, text: &str) -> Result<String, String> {
    let create = || -> std::io::Result<()> {
        let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()
    };
    let name = path.display().to_string();
    match create() {
        Ok(()) => Ok(format!("Written to {name}.")),
        Err(error) => Err(format!("{name}: {error}")),
    }
}

fn write(path: &Path, text: &str) -> Reply {
    match write_new(path, text) {
        Ok(sentence) => Reply::answer("pgn", vec![sentence]),
        Err(sentence) => Reply::refusal(vec![sentence]),
    }
}
