//! The rows name tests, and tests are renamed and moved. Checks that each name still matches one, and each size
//! is read by one.

use std::fs;
use std::path::{Path, PathBuf};

use super::super::{ROWS, Run};
use super::{COUNTS, FLOODED, LONG_GAME, PREFIXES, Tests};

/// Returns the tests of all rows, including those that are only part of a row.
fn all() -> Vec<(&'static str, &'static Tests)> {
    let whole = ROWS.iter().filter_map(|row| match row.run {
        Run::Tests(tests) => Some((row.id, tests)),
        Run::Code(..) => None,
    });
    let parts: [(&str, &Tests); 4] = [
        ("A1", &COUNTS),
        ("B5", &LONG_GAME),
        ("B6", &PREFIXES),
        ("E4", &FLOODED),
    ];
    whole.chain(parts).collect()
}

fn sources(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, files);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            files.push(path);
        }
    }
}

/// Returns the functions of a crate with their modules, and the text of all its sources.
fn functions(package: &str) -> (Vec<String>, String) {
    let name = package.strip_prefix("tabiya-").unwrap_or(package);
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates");
    let (mut names, mut all) = (Vec::new(), String::new());
    for part in ["src", "tests/it"] {
        let folder = root.join(name).join(part);
        let mut files = Vec::new();
        sources(&folder, &mut files);
        for file in files {
            let module = file.strip_prefix(&folder).expect("it is below");
            let module = module.with_extension("");
            let parts = module.iter().map(|part| part.to_string_lossy());
            let parts: Vec<_> = parts
                .filter(|part| !matches!(&**part, "lib" | "main" | "mod"))
                .collect();
            let text = fs::read_to_string(&file).expect("a source is text");
            let named = text.split("fn ").skip(1).map(|rest| {
                let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
                format!("{}::{}", parts.join("::"), &rest[..end.unwrap_or(0)])
            });
            names.extend(named);
            all.push_str(&text);
        }
    }
    (names, all)
}

#[test]
fn every_row_names_folders_that_are_there() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates");
    for row in ROWS {
        assert!(!row.crates().is_empty(), "{}", row.id);
        for name in row.crates() {
            assert!(crates.join(name).is_dir(), "{}: {name}", row.id);
        }
    }
}

#[test]
fn every_row_names_tests_that_are_there() {
    for (row, tests) in all() {
        let crates: Vec<_> = tests.packages.iter().map(|name| functions(name)).collect();
        for name in tests.names {
            let fits = |names: &Vec<String>| names.iter().any(|test| test.contains(name));
            let found = crates.iter().any(|(names, _)| fits(names));
            assert!(found, "{row}: no test of {:?} is {name}", tests.packages);
        }
        for size in tests.sizes {
            let is_read = crates.iter().any(|(_, text)| text.contains(size.variable));
            assert!(is_read, "{row}: nobody reads {}", size.variable);
        }
    }
}
