//! Where the dependencies come from and under which licenses, as cargo itself tells.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

/// Licenses that ask for nothing but their own text.
const PERMISSIVE: [&str; 10] = [
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "ISC",
    "MIT",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// Crates in two versions, because crates of the full screen and of the command line disagree about them: tools of the
/// compiler, and one that is made of nothing but code they write.
const TWICE: [&str; 3] = ["syn", "thiserror", "thiserror-impl"];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn cargo(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO"))
        .args(arguments)
        .current_dir(root())
        .output()
        .expect("cargo runs");
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{error}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// All packages that this machine's build can use.
fn packages() -> Vec<Value> {
    let platform = format!("--filter-platform={}", host());
    let text = cargo(&["metadata", "--format-version=1", "--locked", &platform]);
    let metadata: Value = serde_json::from_str(&text).expect("JSON");
    metadata["packages"].as_array().expect("packages").clone()
}

fn host() -> String {
    let output = Command::new("rustc").arg("-vV").output().expect("rustc");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.expect("a host").to_owned()
}

/// Whether one of the choices that an expression leaves is permissive in all its parts.
fn is_permissive(expression: &str) -> bool {
    let expression = expression.replace('/', " OR ").replace(['(', ')'], "");
    // Parentheses only ever group alternatives here, so the parts that AND joins can be looked at one by one.
    expression.split(" AND ").all(|part| {
        part.split(" OR ")
            .any(|name| PERMISSIVE.contains(&name.trim()))
    })
}

#[test]
fn licenses_are_read_as_they_are_meant() {
    for (expression, expected) in [
        ("MIT", true),
        ("MIT/Apache-2.0", true),
        ("GPL-3.0-only", false),
        ("GPL-3.0 OR MIT", true),
        ("MIT AND GPL-3.0", false),
        ("(MIT OR Apache-2.0) AND Unicode-3.0", true),
        ("", false),
    ] {
        assert_eq!(is_permissive(expression), expected, "{expression:?}");
    }
}

#[test]
fn every_dependency_is_under_a_permissive_license() {
    let packages = packages();
    assert!(packages.len() > 20, "only {} packages", packages.len());
    for package in packages {
        let license = package["license"].as_str().unwrap_or("");
        let name = package["name"].as_str().unwrap_or("");
        assert!(is_permissive(license), "{name} is under {license:?}");
    }
}

#[test]
fn the_lock_file_holds_no_peer_and_nothing_from_elsewhere() {
    let lock = std::fs::read_to_string(root().join("Cargo.lock")).expect("a lock file");
    for peer in ["shakmaty", "pgn-reader", "cozy-chess", "chess", "owlchess"] {
        assert!(!lock.contains(&format!("name = \"{peer}\"\n")), "{peer}");
    }
    let registry = "source = \"registry+https://github.com/rust-lang/crates.io-index\"";
    for line in lock.lines().filter(|line| line.starts_with("source")) {
        assert_eq!(line, registry);
    }
}

#[test]
fn no_other_crate_comes_twice() {
    let tree = cargo(&[
        "tree",
        "--locked",
        "--package=tabiya",
        "--edges=normal",
        "--prefix=none",
        "--format={p}",
    ]);
    let mut versions: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for line in tree.lines() {
        let mut words = line.split(' ');
        let (name, version) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
        versions.entry(name).or_default().insert(version);
    }
    let twice: Vec<&str> = versions
        .iter()
        .filter(|(_, versions)| versions.len() > 1)
        .map(|(name, _)| *name)
        .filter(|name| !TWICE.contains(name))
        .collect();
    assert!(twice.is_empty(), "{twice:?}");
}
