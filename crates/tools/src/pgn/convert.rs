//! `tabiya pgn convert`: writes games in another format, with parts removed, in another order, or to several files.

mod change;
mod form;
mod row;
mod sink;

use std::ops::ControlFlow;
use std::sync::Arc;

use tabiya_front::failure::Failure;
use tabiya_front::output::Output;
use tabiya_game::pgn::{Canceled, Part, RecordReader};

use self::sink::{Converted, Sink, groups};
use super::columns::SortKey;
use super::flags::Convert;
use super::job::{Job, PartWriter};
use super::options::{Form, Notation};
use super::{mention, work};
use crate::read_opening_names;

pub(crate) fn run(args: &Convert) -> Result<(), Failure> {
    let is_table = matches!(args.to, Form::Csv | Form::Parquet);
    if !args.columns.is_empty() && !is_table {
        let sentence = "--columns is for --to csv and --to parquet";
        return Err(Failure::Usage(sentence.to_owned()));
    }
    if args.moves != Notation::San && args.to != Form::Pgn {
        let sentence =
            "--moves is for --to pgn; --to csv has a column uci, and --to jsonl has both";
        return Err(Failure::Usage(sentence.to_owned()));
    }
    if args.to == Form::Parquet && args.out.is_none() {
        let sentence = "--to parquet writes a file: name it with --out";
        return Err(Failure::Usage(sentence.to_owned()));
    }
    read_opening_names();
    let mut args = args.clone();
    if args.columns.is_empty() {
        args.columns = form::usual_columns();
    }
    let args = Arc::new(args);
    let mut sink = Sink::new(args.clone())?;
    let mut errors = 0;
    let mut add = |game: Converted, output: &mut Output| {
        errors += game.errors;
        sink.add(game, output)?;
        Ok(ControlFlow::Continue(()))
    };
    let mut printer = work::run_job(args.clone(), &args.reading, &mut add)?;
    if printer.has_counts() {
        sink.finish(&mut printer.output)?;
    }
    mention(errors);
    printer.finish()?;
    Failure::if_errors(errors)
}

impl Job for Arc<Convert> {
    type Item = Converted;

    fn read(&self, part: Part<'_>, writer: &mut PartWriter<'_, Converted>) -> Result<(), Canceled> {
        let mut reader = RecordReader::from_reader(part.reader());
        while let Some(game) = reader.read()? {
            let mut record = game.record;
            self.change.apply(&mut record);
            let keys = self.sort.iter().map(|column| SortKey::of(column, &record));
            writer.item(Converted {
                keys: keys.collect(),
                groups: groups(self.split, &record),
                bytes: self.bytes(&record),
                errors: game.errors.len() as u64,
            });
        }
        Ok(())
    }
}
