//! `tabiya pgn filter`: writes the games that match, as they are in their files, in UTF-8.

mod filter_criteria;
mod matcher;
mod selection;

use std::convert::Infallible;
use std::ops::ControlFlow;

use tabiya_front::failure::Failure;
use tabiya_front::output::Output;
use tabiya_game::pgn::{self, Canceled, Flow, Format, Part, Reader, Replay, Text, Visitor};
use tabiya_rules::text::clean_lines;

use self::filter_criteria::FilterCriteria;
use self::matcher::GameMatcher;
use self::selection::{Found, Selection};
use super::flags::Filter;
use super::job::{Job, PartWriter};
use super::raw_text::{self, RawText};
use super::{mention, work};
use crate::read_opening_names;

/// The result of a part.
pub(crate) enum Filtered {
    /// A match, if not all matches are written.
    Found(Found),
    Counts(Counts),
}

/// The counts of the games that were read and written.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    games: u64,
    errors: u64,
    /// Games that were too long to write.
    left_out: u64,
}

pub(crate) fn run(args: &Filter) -> Result<(), Failure> {
    read_opening_names();
    let mut sum = Counts::default();
    let mut selection = Selection::new(args);
    let mut add = |filtered, output: &mut Output| match filtered {
        Filtered::Counts(counts) => {
            sum.errors += counts.errors;
            sum.left_out += counts.left_out;
            Ok(selection.end_part(counts.games))
        }
        Filtered::Found(found) => {
            let (found, flow) = selection.select(found);
            if let Some(found) = found {
                sum.errors += found.errors;
                output.bytes(&found.text)?;
            }
            Ok(flow)
        }
    };
    let mut printer = work::run_job(FilterCriteria::new(args)?, &args.reading, &mut add)?;
    for found in selection.held {
        sum.errors += found.errors;
        printer.output.bytes(&found.text)?;
    }
    mention(sum.errors);
    printer.finish()?;
    Failure::if_errors(sum.errors + sum.left_out)
}

impl FilterCriteria {
    /// The text of a game.
    fn text(&self, text: &[u8]) -> Vec<u8> {
        let mut text = standalone(text);
        if self.for_terminal {
            text = clean_lines(&text.replace("\r\n", "\n"));
        }
        text.push_str("\n\n");
        text.into_bytes()
    }
}

/// A game in such a form that whatever follows it is read as another game: as it is if possible, with a result added if
/// that is enough, otherwise rewritten from what can be read.
pub(crate) fn standalone(text: &[u8]) -> String {
    let text = text.trim_ascii_end();
    // The output has one encoding, whatever those of the files are.
    let decoded = |text| Text::comment(text).decode().into_owned();
    if stands_alone(text) {
        return decoded(text);
    }
    let ended = [text, b"\n*"].concat();
    if stands_alone(&ended) {
        return decoded(&ended);
    }
    let rewritten: Vec<String> = pgn::games(text)
        .map(|game| pgn::to_string(&game.record, Format::Export))
        .collect();
    rewritten.join("\n").trim_ascii_end().to_owned()
}

/// Whether moves without tags after an empty line are read as another game. Nothing is more easily taken for a part of
/// what precedes it.
fn stands_alone(text: &[u8]) -> bool {
    const NEXT: &[u8] = b"\n\n1. a3 *\n";
    let mut beginnings = Beginnings(Vec::new());
    let both = [text, NEXT].concat();
    let Ok(_) = Reader::new(&both[..]).read_all(&mut beginnings);
    beginnings.0.len() == 2 && beginnings.0[1] == text.len() as u64 + 2
}

/// The offsets of games.
struct Beginnings(Vec<u64>);

impl Visitor for Beginnings {
    type Output = ();
    type Stop = Infallible;

    fn begin_game(&mut self, offset: u64) -> ControlFlow<Infallible, Flow> {
        self.0.push(offset);
        ControlFlow::Continue(Flow::Skip)
    }

    fn end_game(&mut self) {}
}

impl Job for FilterCriteria {
    type Item = Filtered;

    fn read(&self, part: Part<'_>, writer: &mut PartWriter<'_, Filtered>) -> Result<(), Canceled> {
        let mut counts = Counts::default();
        let start = part.start;
        let (kept, source) = RawText::record(part, start.offset());
        let mut reader = Reader::starting_at(source, start);
        let mut replay = Replay::new(GameMatcher::new(self));
        while reader.read_game(&mut replay)?.is_some() {
            let end = reader.offset();
            let matcher = replay.visitor();
            counts.games += 1;
            if matcher.matches() {
                match kept.with(matcher.seen.offset, end, |text| self.text(text)) {
                    Some(text) if self.filter.selects_all() => {
                        counts.errors += matcher.seen.errors;
                        writer.bytes(&text);
                    }
                    Some(text) => writer.item(Filtered::Found(Found {
                        number: counts.games,
                        text,
                        errors: matcher.seen.errors,
                    })),
                    None => {
                        counts.left_out += 1;
                        writer.message(raw_text::too_long(writer.file, matcher.seen.offset));
                    }
                }
            }
            kept.forget(end);
        }
        writer.item(Filtered::Counts(counts));
        Ok(())
    }
}

#[cfg(test)]
mod tests;
