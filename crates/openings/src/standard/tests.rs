//! The built-in table: it is what the files in `data/` say, every line of them is an opening, and the table is small.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::{env, fs};

use tabiya_rules::text;

use super::{FAMILIES, KEYS, ROWS, VARIATIONS};
use crate::tests::after;
use crate::{Eco, Openings, tsv};

const FILES: [(&str, &str); 5] = [
    ("a.tsv", include_str!("../../data/a.tsv")),
    ("b.tsv", include_str!("../../data/b.tsv")),
    ("c.tsv", include_str!("../../data/c.tsv")),
    ("d.tsv", include_str!("../../data/d.tsv")),
    ("e.tsv", include_str!("../../data/e.tsv")),
];

/// The code, the name and the moves of every line of the files, after words that say where it is.
fn lines() -> impl Iterator<Item = (String, [&'static str; 3])> {
    FILES.iter().flat_map(|(file, text)| {
        (1..).zip(text.lines()).map(move |(number, line)| {
            let place = format!("data/{file}, line {number}: {line}");
            let columns: Vec<_> = line.split('\t').collect();
            match columns.try_into() {
                Ok(columns) => (place, columns),
                Err(_) => panic!("{place}: not a code, a name and moves with tabs between them"),
            }
        })
    })
}

/// What `lines.rs` should be.
fn code() -> String {
    let mut openings = BTreeMap::new();
    for (place, columns) in lines() {
        // The reader forgives more than the files may have, such as move numbers; the other tests do not.
        let read = tsv::read(columns.join("\t").as_bytes())
            .unwrap_or_else(|error| panic!("{place}: {}", error.kind));
        assert_eq!(read.len(), 1, "{place}: not an opening");
        for opening in read {
            let before = openings.insert(opening.key, opening);
            assert!(
                before.is_none(),
                "{place}: another line has the same position"
            );
        }
    }
    let families: BTreeSet<&str> = openings.values().map(|line| &*line.family).collect();
    let families: Vec<&str> = families.into_iter().collect();
    let mut code = String::from(
        "//! Made from `data/*.tsv` by a test; do not edit. Families, then lines sorted by the key of the position: the key, the\n\
         //! index of the code, the index of the family, and the variation.\n\n\
         pub(super) static FAMILIES: &[&str] = &[\n",
    );
    for family in &families {
        writeln!(code, "    {family:?},").expect("a string takes everything");
    }
    code += "];\n\nlines! {\n";
    for (key, line) in &openings {
        let eco = line.eco.index();
        let family = families.partition_point(|&family| family < &*line.family);
        let variation = line.variation.as_deref().unwrap_or_default();
        writeln!(code, "    {key:#018x} {eco:3} {family:3} {variation:?}")
            .expect("a string takes everything");
    }
    code + "}\n"
}

#[test]
fn lines_rs_is_made_from_the_files() {
    let made = code();
    if env::var_os("TABIYA_WRITE").is_some() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/standard/lines.rs");
        fs::write(path, made).expect(path);
        return;
    }
    // By lines, because Git may have changed their ends.
    assert!(
        made.lines().eq(include_str!("lines.rs").lines()),
        "data/*.tsv changed: run TABIYA_WRITE=1 cargo test -p tabiya-openings lines_rs, and commit src/standard/lines.rs"
    );
}

#[test]
fn every_line_is_found_by_its_position() {
    let openings = Openings::standard();
    for (place, [eco, name, moves]) in lines() {
        let opening = openings.lookup(&after(moves)).expect(&place);
        assert_eq!(opening.eco.to_string(), eco, "{place}");
        assert_eq!(opening.to_string(), name, "{place}");
    }
    assert_eq!(openings.iter().count(), lines().count());
}

#[test]
fn the_files_are_in_the_order_of_the_codes() {
    for (file, text) in FILES {
        let codes: Vec<Eco> = text
            .lines()
            .map(|line| line[..3].parse().expect(line))
            .collect();
        assert!(codes.is_sorted(), "{file}");
        let letter = file.to_uppercase().remove(0);
        assert!(codes.iter().all(|eco| eco.volume() == letter), "{file}");
    }
}

#[test]
fn every_code_has_a_name() {
    let named: BTreeSet<Eco> = Openings::standard().iter().map(|line| line.eco).collect();
    let missing: Vec<Eco> = Eco::all().filter(|eco| !named.contains(eco)).collect();
    assert!(missing.is_empty(), "{} codes: {missing:?}", missing.len());
}

#[test]
fn the_table_is_large_enough_and_small_enough() {
    let families: usize = FAMILIES.iter().map(|name| name.len()).sum();
    let bytes =
        size_of_val(KEYS) + size_of_val(ROWS) + size_of_val(FAMILIES) + families + VARIATIONS.len();
    println!("{} lines, {bytes} bytes", KEYS.len());
    assert!(KEYS.len() >= 1_200, "{} lines", KEYS.len());
    assert!(bytes < 100_000, "{bytes} bytes");
}

#[test]
fn names_are_plain_and_trimmed() {
    for (place, [_, name, _]) in lines() {
        assert!(name.chars().all(text::is_safe), "{place}");
        assert_eq!(name.trim(), name, "{place}");
        assert!(!name.contains("  ") && !name.ends_with(':'), "{place}");
        assert!(name.matches(':').count() <= 1, "{place}");
    }
}
