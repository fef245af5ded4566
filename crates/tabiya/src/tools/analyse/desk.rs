//! Where the results of analysed games go: annotated games, summaries, pictures and JSON.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use tabiya_game::pgn::{self, PgnGame};
use tabiya_game::{Glyph, Record, Score};
use tabiya_rules::Color;

use super::Analyse;
use super::plot;
use crate::analysis::GameAnalysis;
use crate::clean::{clean, clean_lines};
use crate::disk::NewFile;
use crate::failure::Failure;
use crate::json::Json;
use crate::json::color_word;
use crate::output::{Output, say};

/// How wide the curve of a game is in text.
const CURVE: usize = 80;

/// Where the results go.
pub(super) struct Desk {
    output: Output,
    out: Option<NewFile>,
    svg: Option<PathBuf>,
    /// The picture of the first game, which gets its number only where another game follows.
    first_picture: Option<String>,
    json: bool,
    /// Whether what is printed can act on a terminal. In a pipe a text is as its file has it.
    for_terminal: bool,
    engine: String,
    errors: usize,
    games: usize,
}

/// How much there was.
pub(super) struct Sum {
    pub(super) games: usize,
    /// What was wrong with their text.
    pub(super) errors: usize,
}

impl Desk {
    pub(super) fn new(asked: &Analyse, engine: &str) -> Result<Desk, Failure> {
        let out = asked.out.as_ref().map(|path| {
            let file = NewFile::begin(path);
            file.map_err(|error| failed(path, &error))
        });
        Ok(Desk {
            output: Output::new(),
            out: out.transpose()?,
            svg: asked.svg.clone(),
            first_picture: None,
            json: asked.json,
            for_terminal: io::stdout().is_terminal(),
            engine: engine.to_owned(),
            errors: 0,
            games: 0,
        })
    }

    /// Takes the next game of the file.
    pub(super) fn game(
        &mut self,
        number: usize,
        game: PgnGame,
        analysis: &GameAnalysis,
    ) -> Result<(), Failure> {
        for error in &game.errors {
            self.errors += 1;
            say(&format!("game {number}: {error}"));
        }
        let record = game.record;
        let mut annotated = record.clone();
        analysis.annotate(&mut annotated);
        // A name that cannot stand in a tag is left out.
        let _ = annotated.tags_mut().set("Annotator", &self.engine);
        let text = pgn::to_string(&annotated, pgn::Format::Export);
        if let Some(file) = &mut self.out {
            let written = file.add(&format!("{text}\n"));
            written.map_err(|error| failed(file.path(), &error))?;
        }
        self.games += 1;
        if let Some(path) = self.svg.clone() {
            let first = record.start().fullmove_number();
            let svg = plot::svg(analysis, first, &title(&record));
            self.picture(&path, number, svg)?;
        }
        let summary = summary(number, &record, analysis);
        if self.json {
            self.output.json(&json(number, &record, analysis))?;
        } else if self.out.is_some() {
            for line in &summary {
                self.output.line(line)?;
            }
        } else {
            let shown = if self.for_terminal {
                clean_lines(&text)
            } else {
                text
            };
            self.output.line(&shown)?;
            say(&summary.join("\n"));
        }
        self.output.flush()
    }

    /// Draws a game. With several games each has its number in the name.
    fn picture(&mut self, path: &Path, number: usize, svg: String) -> Result<(), Failure> {
        if number == 1 {
            self.first_picture = Some(svg);
            return Ok(());
        }
        if let Some(first) = self.first_picture.take() {
            draw(&numbered(path, 1), &first)?;
        }
        draw(&numbered(path, number), &svg)
    }

    /// Completes what was written, with the games there are. Without any there is no file.
    pub(super) fn finish(self) -> Result<Sum, Failure> {
        if let Some(file) = self.out.filter(|_| self.games > 0) {
            let path = file.path().to_owned();
            file.finish().map_err(|error| failed(&path, &error))?;
        }
        if let (Some(path), Some(only)) = (&self.svg, &self.first_picture) {
            draw(path, only)?;
        }
        self.output.finish()?;
        Ok(Sum {
            games: self.games,
            errors: self.errors,
        })
    }
}

fn failed(path: &Path, error: &io::Error) -> Failure {
    Failure::file(&path.display().to_string(), error)
}

fn draw(path: &Path, svg: &str) -> Result<(), Failure> {
    NewFile::write_text(path, svg).map_err(|error| failed(path, &error))
}

/// The name of the picture of one game among several.
fn numbered(path: &Path, number: usize) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let name = match path.extension() {
        Some(extension) => format!("{stem}-{number}.{}", extension.to_string_lossy()),
        None => format!("{stem}-{number}"),
    };
    path.with_file_name(name)
}

fn title(record: &Record) -> String {
    let tag = |name: &str| record.tags().get(name).unwrap_or("?").to_owned();
    format!(
        "{} – {}, {}",
        tag("White"),
        tag("Black"),
        record.result().as_str()
    )
}

/// How the sides played, and the curve.
fn summary(number: usize, record: &Record, analysis: &GameAnalysis) -> Vec<String> {
    let mut lines = vec![format!("{number}. {}", clean(&title(record)))];
    for color in Color::ALL {
        let Some(accuracy) = analysis.accuracy(color) else {
            continue;
        };
        let count = |mark| analysis.count(color, mark);
        lines.push(format!(
            "{color}: accuracy {accuracy:.0}, {} ?!, {} ?, {} ??",
            count(Glyph::DUBIOUS),
            count(Glyph::MISTAKE),
            count(Glyph::BLUNDER)
        ));
    }
    let unknown = analysis.chances().filter(Option::is_none).count();
    if unknown > 0 {
        let all = analysis.chances().count();
        lines.push(format!(
            "The engine gave no score for {unknown} of {all} positions, and moves before and after them that were not \
             its choice are not judged; let it look at more."
        ));
    }
    lines.extend(plot::text(analysis, CURVE));
    lines
}

fn json(number: usize, record: &Record, analysis: &GameAnalysis) -> Json {
    let tag = |name: &str| Json::from(record.tags().get(name).map(str::to_owned));
    let mut node = record.root();
    let mut moves = Vec::new();
    for (at, judged) in analysis.moves().enumerate() {
        let position = *node.position();
        let Some(next) = node.next() else { break };
        let (cp, mate) = match judged.after.evaluation.map(|evaluation| evaluation.score) {
            Some(Score::Centipawns(value)) => (Json::Signed(value.into()), Json::Null),
            Some(Score::Mate(moves)) => (Json::Null, Json::Signed(moves.into())),
            None => (Json::Null, Json::Null),
        };
        let best = judged.before.best.first();
        moves.push(Json::Object(vec![
            ("ply", (at + 1).into()),
            ("side", color_word(judged.by).into()),
            ("san", next.san().map(|san| san.to_string()).into()),
            ("cp", cp),
            ("mate", mate),
            ("loss", judged.loss.into()),
            ("mark", judged.mark.and_then(Glyph::symbol).into()),
            ("best", best.map(|&m| position.san(m).to_string()).into()),
        ]));
        node = next;
    }
    Json::Object(vec![
        ("game", number.into()),
        ("white", tag("White")),
        ("black", tag("Black")),
        ("result", record.result().as_str().into()),
        ("accuracy_white", analysis.accuracy(Color::White).into()),
        ("accuracy_black", analysis.accuracy(Color::Black).into()),
        ("moves", Json::List(moves)),
    ])
}
