//! Tables that were changed by whoever could make the checksums again: each change is found, and named.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parquet::data_type::ByteArray;
use tabiya_game::pgn::{Reader, Replay};

use super::*;
use crate::build::{BuildOptions, Builder, SourceFile};
use crate::collect::{Collector, ReadFrom};
use crate::column::Column;
use crate::manifest::Manifest;
use crate::page::MAX_VALUE;
use crate::part_file::{PartInfo, PartWriter};
use crate::table::{TableWriter, Value};

/// Games that share a beginning, so that every table has rows.
const TEXT: &str = "\
[White \"A\"]\n[Date \"2020.01.01\"]\n[WhiteElo \"2500\"]\n[TimeControl \"180+2\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 Nc6 1-0\n\n\
[White \"B\"]\n[Date \"2021.01.01\"]\n[BlackElo \"2100\"]\n[Result \"0-1\"]\n\n1. e4 e5 2. Nf3 Nf6 3. d4 0-1\n\n\
[White \"C\"]\n[Result \"1/2-1/2\"]\n\n1. d4 d5 2. c4 c6 1/2-1/2\n\n\
[White \"D\"]\n[Result \"*\"]\n\n1. d4 d5 2. Nf3 *\n\n";

/// A temporary folder with a database, removed when it is dropped.
struct Scratch(PathBuf);

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn database(name: &str) -> Scratch {
    let name = format!("tabiya-db-check-{}-{name}", std::process::id());
    let scratch = Scratch(std::env::temp_dir().join(name));
    let options = BuildOptions {
        full: true,
        ..BuildOptions::default()
    };
    let sources = vec![SourceFile::pipe("test")];
    let mut builder = Builder::create(&scratch.0, sources, options).expect("a builder");
    let collector = Collector::new(builder.scope(), "test", ReadFrom::Beginning);
    let mut replay = Replay::new(collector);
    let mut reader = Reader::new(TEXT.as_bytes());
    while reader.read_game(&mut replay).expect("memory").is_some() {}
    builder.add(replay.visitor_mut().take()).expect("added");
    builder.finish(&|_, _| {}).expect("a database");
    scratch
}

/// Writes the first part of a table that has rows again, with other values, and the manifest.
fn rewrite(folder: &Path, schema: &'static Schema, change: impl FnOnce(&mut [Column])) {
    let mut manifest = Manifest::load(folder).expect("a manifest");
    let data = folder.join(&manifest.data);
    let parts = manifest.tables.get_mut(schema.name).expect("the table");
    let part = parts.iter().position(|info| info.rows > 0).expect("rows");
    let table = TableReader::open(&data, &parts[part], schema, &Arc::default()).expect("a table");
    let rows = table.groups().next().expect("a group");
    let read = |column| table.read(&rows, column).expect("a column");
    let mut columns: Vec<Column> = (0..table.columns()).map(read).collect();
    change(&mut columns);
    let mut writer = TableWriter::create(&data, schema, part as u32).expect("a writer");
    let count = match &columns[0] {
        Column::Long(keys) => keys.len(),
        _ => 0,
    };
    for row in 0..count {
        let values: Vec<Value<'_>> = columns
            .iter()
            .map(|column| match column {
                Column::Long(values) => Value::Long(values[row]),
                Column::Int(values) => Value::Int(values[row]),
                Column::Bytes(values) => match &values[row] {
                    Some(bytes) => Value::Bytes(bytes.data()),
                    None => Value::Text(None),
                },
            })
            .collect();
        writer.push(&values).expect("a row");
    }
    parts[part] = writer.finish().expect("a part");
    manifest.publish(folder).expect("a manifest");
}

fn check(folder: &Path) -> Result<(), DbError> {
    Database::open(folder)?.check()
}

fn add(column: &mut Column, by: i32) {
    match column {
        Column::Long(values) => values[0] = values[0].map(|value| value + i64::from(by)),
        Column::Int(values) => values[0] = values[0].map_or(Some(by), |value| Some(value + by)),
        Column::Bytes(_) => panic!("a column of texts"),
    }
}

fn negate(column: &mut Column) {
    match column {
        Column::Long(values) => values[0] = values[0].map(|value| !value),
        Column::Int(_) | Column::Bytes(_) => panic!("another column"),
    }
}

fn put(column: &mut Column, text: &[u8]) {
    match column {
        Column::Bytes(values) => values[0] = Some(ByteArray::from(text.to_vec())),
        Column::Long(_) | Column::Int(_) => panic!("a column of numbers"),
    }
}

fn shorten(columns: &mut [Column]) {
    for column in columns {
        match column {
            Column::Long(values) => drop(values.pop()),
            Column::Int(values) => drop(values.pop()),
            Column::Bytes(values) => drop(values.pop()),
        }
    }
}

/// All files below a folder.
fn files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        match path.is_dir() {
            true => found.extend(files(&path)),
            false => found.push((path.clone(), fs::read(&path).expect("a file"))),
        }
    }
    found
}

type Change = fn(&mut [Column]);

#[test]
fn every_change_of_a_row_is_found() {
    let (place, games) = (
        "a row is in the wrong place",
        "it does not agree with the games",
    );
    let best = "a move has no best game, or several";
    let (moves, word) = ("a game has other moves than it says", "a value of");
    let changes: [(&'static Schema, &str, Change); 26] = [
        (&GAMES, moves, |columns| add(&mut columns[0], 1)),
        (&GAMES, place, |columns| negate(&mut columns[0])),
        (&GAMES, moves, |columns| put(&mut columns[1], b"Somebody")),
        (&GAMES, word, |columns| put(&mut columns[1], b"\xff")),
        (&GAMES, word, |columns| put(&mut columns[10], b"won")),
        (&GAMES, word, |columns| put(&mut columns[13], b"fast")),
        (&GAMES, "a position is invalid", |columns| {
            put(&mut columns[14], b"8/8");
        }),
        (&GAMES, moves, |columns| add(&mut columns[18], 1)),
        (&GAMES, "a move is invalid", |columns| {
            put(&mut columns[19], &[255]);
        }),
        (&GAMES, moves, |columns| put(&mut columns[19], &[0])),
        (&GAMES, moves, |columns| add(&mut columns[20], 1)),
        (&GAMES, moves, |columns| add(&mut columns[21], 1)),
        (&GAMES, games, |columns| add(&mut columns[9], 1)),
        (&TREE, best, |columns| add(&mut columns[1], 1)),
        (&TREE, "a move is invalid", |columns| {
            put(&mut columns[2], b"e2e9");
        }),
        (&TREE, best, |columns| put(&mut columns[2], b"a2a3")),
        (&TREE, games, |columns| add(&mut columns[3], 7)),
        (&TREE, word, |columns| put(&mut columns[5], b"fast")),
        (&TREE, games, |columns| add(&mut columns[6], 1)),
        (&TREE, "a number of games is invalid", |columns| {
            add(&mut columns[7], -9);
        }),
        (&TREE, "a sum of ratings is invalid", |columns| {
            add(&mut columns[9], i32::MIN);
        }),
        (&TREE, games, |columns| add(&mut columns[10], 1)),
        (&EXITS, games, |columns| add(&mut columns[4], 1)),
        (&EXITS, games, |columns| add(&mut columns[7], 200)),
        (&EXITS, games, shorten),
        (&OCCURRENCES, games, shorten),
    ];
    let mut others = Vec::new();
    let scratch = database("rows");
    for schema in tables(true) {
        rewrite(&scratch.0, schema, |_| {});
    }
    check(&scratch.0).expect("nothing has changed");
    let files = files(&scratch.0);
    for (number, (schema, expected, change)) in changes.into_iter().enumerate() {
        for (path, bytes) in &files {
            fs::write(path, bytes).expect("a file");
        }
        rewrite(&scratch.0, schema, change);
        match check(&scratch.0) {
            Err(error) if error.to_string().contains(expected) => {}
            other => others.push((number, schema.name, other)),
        }
    }
    assert!(others.is_empty(), "{others:#?}");
}

/// Rows are found by the least and the greatest value of each page, which the file has beside the values.
#[test]
fn rows_that_are_not_found_any_more_are_missed() {
    let scratch = database("bounds");
    let mut manifest = Manifest::load(&scratch.0).expect("a manifest");
    let data = scratch.0.join(&manifest.data);
    let infos = manifest.tables[TREE.name].clone();
    let part = infos.iter().position(|info| info.rows > 0).expect("rows");
    let info = &infos[part];
    let open = |info: &PartInfo| TableReader::open(&data, info, &TREE, &Arc::default());
    let table = open(info).expect("a table");
    let rows = table.groups().next().expect("a group");
    let key = table.read(&rows, 0).expect("keys").longs()[0].expect("a key");
    let bytes = fs::read(data.join(&info.name)).expect("a file");
    let mut lost = 0;
    for at in 0..bytes.len() - 8 {
        if bytes[at..at + 8] != key.to_le_bytes() {
            continue;
        }
        for other in [key - 1, key + 1] {
            let mut changed = bytes.clone();
            changed[at..at + 8].copy_from_slice(&other.to_le_bytes());
            let mut writer = PartWriter::create(&data.join(&info.name)).expect("a file");
            writer.write_all(&changed).expect("written");
            let info = writer.finish(&info.name, info.rows).expect("a part");
            let found = open(&info).and_then(|table| table.find(&(key..=key)));
            manifest.tables.get_mut(TREE.name).expect("the table")[part] = info;
            manifest.publish(&scratch.0).expect("a manifest");
            if found.is_ok_and(|found| found.is_empty()) {
                lost += 1;
                check(&scratch.0).expect_err("a row that is not found");
            }
        }
    }
    assert!(lost > 0);
}

#[test]
fn values_and_pages_have_a_greatest_size() {
    for size in [MAX_VALUE, MAX_VALUE + 1, 50 * MAX_VALUE] {
        let scratch = database(&format!("size-{size}"));
        rewrite(&scratch.0, &GAMES, |columns| {
            put(&mut columns[15], &vec![b'a'; size]);
        });
        let database = Database::open(&scratch.0).expect("a manifest");
        let pages = (0..database.game_parts()).map(|part| {
            let table = database.table(&GAMES, part)?;
            let groups = table.groups().map(|rows| read_games(&table, &rows));
            groups.collect::<Result<Vec<_>, _>>()
        });
        let read: Result<Vec<_>, _> = pages.collect();
        match size {
            MAX_VALUE => assert!(read.is_ok()),
            _ => assert!(read.expect_err("too large").to_string().contains("damaged")),
        }
    }
}
