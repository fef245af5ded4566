//! `tabiya pgn convert`: games in another form, without some of what they have, in another order, or in several files.

mod change;
mod form;
mod sink;

use tabiya_game::pgn::{Reader, RecordReader, Source};

use self::change::Change;
use self::form::Writing;
use self::sink::{Converted, Sink, groups};
use super::columns::{Column, SortKey};
use super::flags::Convert;
use super::job::{Job, Part, Sheet, Stopped, Wish};
use super::options::{Form, Notation, Split};
use super::{mention, work};
use crate::failure::Failure;
use crate::opening_names;

pub(crate) fn run(asked: &Convert) -> Result<(), Failure> {
    if !asked.columns.is_empty() && asked.to != Form::Csv {
        let sentence = "--columns is for --to csv";
        return Err(Failure::Usage(sentence.to_owned()));
    }
    if asked.moves != Notation::San && asked.to != Form::Pgn {
        let sentence =
            "--moves is for --to pgn; --to csv has a column uci, and --to jsonl has both";
        return Err(Failure::Usage(sentence.to_owned()));
    }
    opening_names::configure_tool();
    let writing = Writing::new(asked.to, asked.moves, &asked.columns);
    let mut sink = Sink::new(asked, writing.heading())?;
    let job = Converting {
        change: Change {
            strip: asked.strip.clone(),
            fix_results: asked.fix_results,
            classify: asked.classify,
        },
        writing,
        sort: asked.sort.clone(),
        split: asked.split,
    };
    let mut errors = 0;
    let mut desk = work::perform(job, &asked.reading, &mut |tally: Tally, output| {
        match tally {
            Tally::Game(converted) => sink.add(*converted, output)?,
            Tally::Errors(more) => errors += more,
        }
        Ok(Wish::More)
    })?;
    if desk.has_counts() {
        sink.finish(&mut desk.output)?;
    }
    mention(errors);
    desk.finish(errors)
}

/// What comes of a part: its games one by one, and at its end how many errors they have.
enum Tally {
    Game(Box<Converted>),
    Errors(u64),
}

struct Converting {
    change: Change,
    writing: Writing,
    sort: Vec<Column>,
    split: Option<Split>,
}

impl Job for Converting {
    type Tally = Tally;

    fn read<S: Source<Error = Stopped>>(
        &self,
        part: Part<'_, S>,
        sheet: &mut Sheet<'_, Tally>,
    ) -> Result<(), Stopped> {
        let mut reader = RecordReader::from_reader(Reader::starting_at(part.source, part.start));
        let mut errors = 0;
        while let Some(game) = reader.read()? {
            errors += game.errors.len() as u64;
            let mut record = game.record;
            self.change.apply(&mut record);
            let keys = self.sort.iter().map(|column| SortKey::of(column, &record));
            sheet.tally(Tally::Game(Box::new(Converted {
                keys: keys.collect(),
                groups: self
                    .split
                    .map_or_else(Vec::new, |split| groups(split, &record)),
                text: self.writing.text(&record),
            })));
        }
        sheet.tally(Tally::Errors(errors));
        Ok(())
    }
}
