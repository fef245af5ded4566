//! Games out of files and pictures for them, in the line mode.

use std::path::{Path, PathBuf};

use tabiya_game::{Command, GoTo, Timestamp, pgn};
use tabiya_svg::Picture;

use super::{Effect, Game, Reply, answers, saves};
use crate::game_file::{self, Extent, Opened};

impl Game {
    /// Takes a game over that was read from a file, and stands at its start.
    pub(crate) fn open(
        &mut self,
        path: PathBuf,
        opened: Result<Opened, String>,
        now: Timestamp,
    ) -> Vec<Effect> {
        let effects = self.load(path, opened, now);
        self.settle(effects, now)
    }

    fn load(
        &mut self,
        path: PathBuf,
        opened: Result<Opened, String>,
        now: Timestamp,
    ) -> Vec<Effect> {
        match opened {
            Ok(opened) => {
                let problem = opened.problem.map(|problem| vec![problem]);
                let mut record = opened.record;
                game_file::stop_clocks(&mut record);
                let load = Command::LoadGame(Box::new(record));
                let loaded = self.session.apply(load, now);
                if loaded.is_ok() {
                    self.reviews = true;
                    self.source = opened.extent.map(|extent| (path, extent));
                }
                // The game of the file takes the place of the one that was kept, and is kept itself once it is changed.
                let mut effects = vec![Effect::Release];
                let shown = self.apply(Command::GoTo(GoTo::Start), now);
                let is_kept = |effect: &Effect| matches!(effect, Effect::Keep(_));
                effects.extend(shown.into_iter().filter(|effect| !is_kept(effect)));
                self.saved(true);
                if let Err(refusal) = loaded {
                    effects.push(Effect::Say(self.refuse(&refusal, "")));
                }
                effects.extend(problem.map(|problem| Effect::Say(Reply::refusal(problem))));
                effects
            }
            Err(sentence) => vec![Effect::Say(Reply::refusal(vec![sentence]))],
        }
    }

    /// The file that the game was read from, and where its text is there.
    pub(crate) fn source(&self) -> Option<(&Path, Extent)> {
        let (path, extent) = self.source.as_ref()?;
        Some((path, *extent))
    }

    /// The game is back in its file, or why not.
    pub(crate) fn put_back(&mut self, done: Result<(String, Extent), String>) -> Reply {
        let done = done.map(|(sentence, extent)| {
            if let Some((_, place)) = &mut self.source {
                *place = extent;
            }
            self.saved(true);
            sentence
        });
        saves::done("pgn", done)
    }

    /// The game as PGN.
    pub(super) fn pgn(&self) -> String {
        pgn::to_string(&self.session.publish(), pgn::Format::Export)
    }

    /// Writes a comment to the move on the board.
    pub(super) fn comment(&mut self, text: String, now: Timestamp) -> Vec<Effect> {
        let brace = text.contains('}');
        let mut effects = self.apply(Command::Comment { node: None, text }, now);
        if brace {
            let sentence = answers::NO_BRACE.to_owned();
            effects.push(Effect::Say(Reply::answer("comment", vec![sentence])));
        }
        effects
    }

    /// The position on the board as SVG.
    pub(super) fn picture(&self) -> String {
        let node = self.session.record().cursor();
        let annotation = node.annotation();
        Picture {
            bottom: self.look.bottom,
            squares: &annotation.squares,
            arrows: &annotation.arrows,
            ..Picture::of(node.position().board())
        }
        .svg()
    }
}

/// A text of a command for a file.
pub(super) fn write(command: &'static str, path: PathBuf, text: String) -> Vec<Effect> {
    vec![Effect::Write {
        command,
        path,
        text,
    }]
}
