//! Where the dependencies come from and their licenses, as Cargo reports them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

/// Licenses that only ask to be included.
const PERMISSIVE: [&str; 13] = [
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    // Public domain, as far as the law allows.
    "CC0-1.0",
    // For data, the root certificates: asks for its text.
    "CDLA-Permissive-2.0",
    "ISC",
    // Asks for its text and a note of changes, like the zlib license.
    "bzip2-1.0.6",
    "MIT",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// Crates present in two versions, because crates of the full screen, of the command line, of the server, of imports and of
/// Parquet disagree about them: Base64, compiler tools, a crate that consists only of code they generate, and the system's
/// random numbers.
const TWICE: [&str; 5] = ["base64", "getrandom", "syn", "thiserror", "thiserror-impl"];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
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

/// Returns all packages that a build on this machine can use.
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

/// Returns whether at least one choice of a license expression is permissive in all its parts.
fn is_permissive(expression: &str) -> bool {
    let expression = expression.replace('/', " OR ").replace(['(', ')'], "");
    // Parentheses only group alternatives here, so the parts joined by AND can be checked one by one.
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

/// Returns the packages of the lock file that come from the registry, as names and versions.
fn locked() -> Vec<(String, String)> {
    let lock = std::fs::read_to_string(root().join("Cargo.lock")).expect("a lock file");
    let field = |block: &str, name: &str| {
        let start = format!("{name} = \"");
        let line = block.lines().find_map(|line| line.strip_prefix(&start))?;
        Some(line.trim_end_matches('"').to_owned())
    };
    lock.split("[[package]]")
        .filter(|block| block.contains("\nsource = "))
        .map(|block| {
            let name = field(block, "name").expect("a name");
            (name, field(block, "version").expect("a version"))
        })
        .collect()
}

/// Returns where Cargo caches what the registry says about a package.
fn remembered(name: &str) -> Option<Vec<u8>> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(std::env::home_dir()?.join(".cargo")))?;
    let below = match name.len() {
        1 | 2 => format!("{}/{name}", name.len()),
        3 => format!("3/{}/{name}", &name[..1]),
        _ => format!("{}/{}/{name}", &name[..2], &name[2..4]),
    };
    let registries = std::fs::read_dir(home.join("registry/index")).ok()?;
    let mut files = registries
        .flatten()
        .map(|registry| registry.path().join(".cache").join(&below));
    files.find_map(|file| std::fs::read(file).ok())
}

#[test]
fn nothing_that_was_withdrawn_is_used() {
    let (mut known, mut unknown) = (0, Vec::new());
    for (name, version) in locked() {
        // One line of JSON for each version, between bytes of Cargo's own.
        let entry = remembered(&name).and_then(|bytes| {
            let lines = bytes.split(|byte| matches!(byte, 0 | b'\n'));
            let mut entries = lines.filter_map(|line| serde_json::from_slice::<Value>(line).ok());
            entries.find(|entry| entry["vers"] == version.as_str())
        });
        match entry {
            Some(entry) => {
                assert_eq!(entry["yanked"], false, "{name} {version} was withdrawn");
                known += 1;
            }
            None => unknown.push(format!("{name} {version}")),
        }
    }
    println!("{known} packages looked up offline; nothing is remembered of {unknown:?}");
}
