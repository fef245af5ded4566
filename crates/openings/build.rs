//! Turns the table of openings in `data/` into the compact form that the library searches: sorted keys of positions, each
//! with a code and the indexes of a family's and a variation's name.
//!
//! The tables are written by hand, so a line that cannot be read ends the build with its file and number.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};
use std::path::Path;
use std::{env, fs};

use tabiya_rules::{Position, SanError};

const FILES: [&str; 5] = ["a.tsv", "b.tsv", "c.tsv", "d.tsv", "e.tsv"];

/// Names joined into one text, without duplicates.
#[derive(Default)]
struct Pool {
    places: BTreeMap<String, u16>,
    text: String,
    ends: Vec<u32>,
}

impl Pool {
    fn place(&mut self, name: &str) -> u16 {
        if let Some(&place) = self.places.get(name) {
            return place;
        }
        let place = u16::try_from(self.ends.len()).expect("fewer names than 65,536");
        self.places.insert(name.to_owned(), place);
        self.text += name;
        let end = u32::try_from(self.text.len()).expect("less text than 4 GiB");
        self.ends.push(end);
        place
    }

    fn write(&self, name: &str, code: &mut String) {
        let Pool { text, ends, .. } = self;
        writeln!(
            code,
            "static {name}: Pool = Pool {{ text: {text:?}, ends: &{ends:?} }};"
        )
        .expect("a string takes everything");
    }
}

/// Why a line of the table is not valid.
enum LineError<'a> {
    Columns,
    Code(&'a str),
    Move(&'a str, SanError),
    SamePosition,
}

impl fmt::Display for LineError<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LineError::Columns => {
                f.write_str("expected a code, a name and moves with tabs between them")
            }
            LineError::Code(code) => write!(f, "{code} is no code from A00 to E99"),
            LineError::Move(text, error) => write!(f, "{text}: {error}"),
            LineError::SamePosition => f.write_str("another line has the same position"),
        }
    }
}

/// A line of the table: the code as a number, and the indexes of the family and the variation.
type Row = (u16, u16, u16);

#[derive(Default)]
struct Table {
    families: Pool,
    variations: Pool,
    rows: BTreeMap<u64, Row>,
}

impl Table {
    fn add<'a>(&mut self, line: &'a str) -> Result<(), LineError<'a>> {
        let columns: Vec<&str> = line.split('\t').collect();
        let [eco, name, moves] = columns[..] else {
            return Err(LineError::Columns);
        };
        let code = code(eco).ok_or(LineError::Code(eco))?;
        let (family, variation) = name.split_once(": ").unwrap_or((name, ""));
        let row = (
            code,
            self.families.place(family),
            self.variations.place(variation),
        );
        if self.rows.insert(key(moves)?, row).is_some() {
            return Err(LineError::SamePosition);
        }
        Ok(())
    }
}

fn main() {
    let data = Path::new("data");
    println!("cargo::rerun-if-changed=data");
    let mut table = Table::default();
    for file in FILES {
        let path = data.join(file);
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{file}: {error}"));
        for (number, line) in text.lines().enumerate() {
            if let Err(problem) = table.add(line) {
                panic!("data/{file}, line {}: {problem}: {line}", number + 1);
            }
        }
    }
    let out = env::var_os("OUT_DIR").expect("Cargo names the folder");
    fs::write(Path::new(&out).join("standard.rs"), code_of(&table)).expect("a file in OUT_DIR");
}

/// The table as Rust code.
fn code_of(table: &Table) -> String {
    let mut code = String::new();
    let keys: Vec<_> = table.rows.keys().collect();
    let rows: Vec<_> = table.rows.values().collect();
    let count = rows.len();
    writeln!(code, "static KEYS: [u64; {count}] = {keys:?};").expect("a string");
    writeln!(code, "static ROWS: [(u16, u16, u16); {count}] = {rows:?};").expect("a string");
    table.families.write("FAMILIES", &mut code);
    table.variations.write("VARIATIONS", &mut code);
    code
}

/// The number of a code, 0 for A00 to 499 for E99.
fn code(text: &str) -> Option<u16> {
    let &[letter @ b'A'..=b'E', tens @ b'0'..=b'9', ones @ b'0'..=b'9'] = text.as_bytes() else {
        return None;
    };
    Some(u16::from(letter - b'A') * 100 + u16::from(tens - b'0') * 10 + u16::from(ones - b'0'))
}

/// The key of the position after moves from the start.
fn key(moves: &str) -> Result<u64, LineError<'_>> {
    let mut position = Position::start();
    for text in moves.split(' ') {
        let m = position
            .parse_san(text)
            .map_err(|error| LineError::Move(text, error))?;
        position = position.play_unchecked(m);
    }
    Ok(position.key())
}
