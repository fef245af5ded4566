//! Writes the results of analyzed games: annotated games, summaries, pictures and JSON.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Serialize;
use tabiya_front::failure::Failure;
use tabiya_front::json::{Named, ScoreJson};
use tabiya_front::opening_names;
use tabiya_front::output::{Output, OutputFile, say};
use tabiya_game::pgn::{self, PgnGame};
use tabiya_game::{Glyph, Record};
use tabiya_openings::Opening;
use tabiya_play::analysis::GameAnalysis;
use tabiya_rules::Color;
use tabiya_rules::text::clean;
use tabiya_store::disk::NewFile;

use super::unfinished::leftovers;
use super::{Analyse, plot, unanalysed};

/// The width of a game's curve as text, in columns: that of a usual terminal.
const CURVE_WIDTH: usize = 80;

/// Where the results go.
pub(super) struct ResultWriter<'a> {
    args: &'a Analyse,
    output: Output,
    /// The new file with the annotated games.
    file: Option<OutputFile>,
    /// Whether the new file has a game.
    has_game: bool,
    /// The picture of the first game, which gets a number only if another game follows.
    first_picture: Option<String>,
    engine: String,
    /// The files of earlier runs with the same output, which are obsolete once this one is done.
    leftovers: Vec<PathBuf>,
    sum: Sum,
}

/// The result of a game.
pub(super) enum Finished {
    Analysed(Box<GameAnalysis>),
    /// It was not analyzed; this is its text, with a mark.
    Kept(String),
    /// An earlier run has written this.
    TakenOver(String),
}

/// The totals.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sum {
    pub(super) games: usize,
    /// The number of errors in their text.
    pub(super) errors: u64,
    pub(super) unanalysed: usize,
    pub(super) taken_over: usize,
}

impl ResultWriter<'_> {
    pub(super) fn new<'a>(args: &'a Analyse, engine: &str) -> Result<ResultWriter<'a>, Failure> {
        let file = args.out.as_deref().map(OutputFile::begin);
        Ok(ResultWriter {
            args,
            output: Output::stdout(),
            file: file.transpose()?,
            has_game: false,
            first_picture: None,
            engine: engine.to_owned(),
            leftovers: args.out.as_deref().map_or_else(Vec::new, leftovers),
            sum: Sum::default(),
        })
    }

    /// Writes the next game of the file, and its picture if that is wanted.
    pub(super) fn write_game(
        &mut self,
        number: usize,
        game: &PgnGame,
        finished: &Finished,
    ) -> Result<(), Failure> {
        let record = &game.record;
        let title = title(record);
        for error in &game.errors {
            self.sum.errors += 1;
            say(&format!("game {number}, {title}: {error}"));
        }
        self.sum.games += 1;
        let (text, details, summary) = match finished {
            Finished::Analysed(analysis) => {
                let opening = opening_names::of_record(record);
                let summary = summary(number, record, analysis, opening).join("\n");
                let details = analysis_details(record, analysis, opening);
                (self.annotated(record, analysis), details, summary)
            }
            Finished::Kept(text) => {
                self.sum.unanalysed += 1;
                let summary = format!("{number}. {}: not analyzed", clean(&title));
                let error = game.errors.first().map(|error| error.message().to_string());
                (format!("{text}\n"), Details::Unanalysed { error }, summary)
            }
            Finished::TakenOver(text) => {
                self.sum.taken_over += 1;
                self.sum.unanalysed += usize::from(unanalysed::is_marked(text));
                return self.add_to_file(&format!("{text}\n"));
            }
        };
        self.add_to_file(&text)?;
        if let (Finished::Analysed(analysis), Some(path)) = (finished, &self.args.svg) {
            let first = record.start().fullmove_number();
            self.add_picture(path, number, plot::svg(analysis, first, &title))?;
        }
        let json = GameJson {
            game: number,
            white: record.tags().get("White"),
            black: record.tags().get("Black"),
            result: record.result().as_str(),
            details,
        };
        self.print_game(&json, &text, &summary)
    }

    /// Prints what is wanted of a game: its JSON, its summary, or its text with the summary on stderr.
    fn print_game(
        &mut self,
        json: &GameJson<'_>,
        text: &str,
        summary: &str,
    ) -> Result<(), Failure> {
        if self.args.json {
            self.output.json(json)?;
        } else if self.file.is_some() {
            self.output.line(summary)?;
        } else {
            self.output.foreign(text.as_bytes())?;
            self.output.line("")?;
            say(summary);
        }
        self.output.flush()
    }

    /// The game as PGN, with the analysis.
    fn annotated(&self, record: &Record, analysis: &GameAnalysis) -> String {
        let mut annotated = record.clone();
        analysis.annotate(&mut annotated);
        let annotator = annotator(record.tags().get("Annotator"), &self.engine);
        // A name that a tag cannot hold is left out.
        let _ = annotated.tags_mut().set("Annotator", &annotator);
        pgn::to_string(&annotated, pgn::Format::Export)
    }

    /// Writes a game to the new file, if there is one.
    fn add_to_file(&mut self, text: &str) -> Result<(), Failure> {
        if let Some(file) = &mut self.file {
            file.add(&format!("{text}\n"))?;
            self.has_game = true;
        }
        Ok(())
    }

    /// Writes the picture of a game. With several games, the name of each picture has a number.
    fn add_picture(&mut self, path: &Path, number: usize, svg: String) -> Result<(), Failure> {
        if number == 1 {
            self.first_picture = Some(svg);
            return Ok(());
        }
        if let Some(first) = self.first_picture.take() {
            write_picture(&numbered_path(path, 1), &first)?;
        }
        write_picture(&numbered_path(path, number), &svg)
    }

    /// Completes the output with the games there are. Without any, no file is made.
    pub(super) fn finish(self) -> Result<Sum, Failure> {
        if let Some(file) = self.file.filter(|_| self.has_game) {
            file.finish()?;
            for leftover in &self.leftovers {
                // It is only in the way.
                let _ = fs::remove_file(leftover);
            }
        }
        if let (Some(path), Some(only)) = (&self.args.svg, &self.first_picture) {
            write_picture(path, only)?;
        }
        self.output.finish()?;
        Ok(self.sum)
    }
}

/// The annotators of a game, with the engine as the last. Names are separated like those of several players.
fn annotator(before: Option<&str>, engine: &str) -> String {
    match before.map(str::trim) {
        None | Some("" | "?") => engine.to_owned(),
        Some(names) if names.split(':').next_back() == Some(engine) => names.to_owned(),
        Some(names) => format!("{names}:{engine}"),
    }
}

fn write_picture(path: &Path, svg: &str) -> Result<(), Failure> {
    NewFile::write_text(path, svg).map_err(|error| Failure::system(path.display(), &error))
}

/// The name of the picture of one of several games.
pub(super) fn numbered_path(path: &Path, number: usize) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let name = match path.extension() {
        Some(extension) => format!("{stem}-{number}.{}", extension.to_string_lossy()),
        None => format!("{stem}-{number}"),
    };
    path.with_file_name(name)
}

fn title(record: &Record) -> String {
    let [white, black] = ["White", "Black"].map(|name| record.tags().get(name).unwrap_or("?"));
    format!("{white} – {black}, {}", record.result().as_str())
}

/// The accuracy of both sides, and the curve.
fn summary(
    number: usize,
    record: &Record,
    analysis: &GameAnalysis,
    opening: Option<Opening<'_>>,
) -> Vec<String> {
    let mut lines = vec![format!("{number}. {}", clean(&title(record)))];
    lines.extend(opening.map(opening_names::shown));
    for color in Color::ALL {
        let Some(accuracy) = analysis.accuracy(color) else {
            continue;
        };
        let marks = [Glyph::DUBIOUS, Glyph::MISTAKE, Glyph::BLUNDER];
        let [dubious, mistakes, blunders] = marks.map(|mark| analysis.count(color, mark));
        lines.push(format!(
            "{color}: accuracy {accuracy:.0}, {dubious} ?!, {mistakes} ?, {blunders} ??"
        ));
    }
    let unknown = analysis.chances().filter(Option::is_none).count();
    if unknown > 0 {
        let all = analysis.chances().count();
        lines.push(format!(
            "The engine gave no score for {unknown} of {all} positions, so the moves next to them are not judged \
             unless they were its choice; raise the limit."
        ));
    }
    lines.extend(plot::text(analysis, CURVE_WIDTH));
    lines
}

/// A game for `--json`.
#[derive(Serialize)]
struct GameJson<'a> {
    game: usize,
    white: Option<&'a str>,
    black: Option<&'a str>,
    result: &'static str,
    #[serde(flatten)]
    details: Details,
}

/// How a game was played, or why it was not analyzed.
#[derive(Serialize)]
#[serde(untagged)]
enum Details {
    Analysed {
        opening: Option<Named>,
        accuracy_white: Option<f64>,
        accuracy_black: Option<f64>,
        moves: Vec<MoveJson>,
    },
    Unanalysed {
        error: Option<String>,
    },
}

#[derive(Serialize)]
struct MoveJson {
    ply: usize,
    side: Color,
    san: Option<String>,
    #[serde(flatten)]
    score: ScoreJson,
    loss: Option<f64>,
    mark: Option<&'static str>,
    best: Option<String>,
    why: Option<String>,
}

fn analysis_details(
    record: &Record,
    analysis: &GameAnalysis,
    opening: Option<Opening<'_>>,
) -> Details {
    let mut node = record.root();
    let mut moves = Vec::new();
    for (at, judged) in analysis.moves().enumerate() {
        let position = *node.position();
        let Some(next) = node.next() else { break };
        let score = judged.after.evaluation.map(|evaluation| evaluation.score);
        let best = judged.before.best.first();
        moves.push(MoveJson {
            ply: at + 1,
            side: judged.by,
            san: next.san().map(|san| san.to_string()),
            score: score.into(),
            loss: judged.loss,
            mark: judged.mark.and_then(Glyph::symbol),
            best: best.map(|&m| position.san(m).to_string()),
            why: judged.comment(&position),
        });
        node = next;
    }
    Details::Analysed {
        opening: opening.map(Named::from),
        accuracy_white: analysis.accuracy(Color::White),
        accuracy_black: analysis.accuracy(Color::Black),
        moves,
    }
}
