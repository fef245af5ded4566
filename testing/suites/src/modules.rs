//! Finds circular dependencies between the top-level modules of a crate, by the paths in its source. Modules that
//! point in one direction only are easier to read.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The modules that each top-level module of a crate uses. Tests are left out, and `lib` and `main` may use all.
pub type Uses = BTreeMap<String, BTreeSet<String>>;

/// Reads the modules below the `src` folder of a crate.
///
/// # Panics
/// Panics if the folder cannot be read.
#[must_use]
pub fn uses(src: &Path) -> Uses {
    let mut files = Vec::new();
    collect(src, &mut files);
    let module = |file: &Path| -> Vec<String> {
        let path = file.strip_prefix(src).unwrap_or(file).with_extension("");
        let mut parts: Vec<String> = path
            .iter()
            .map(|part| part.to_string_lossy().into_owned())
            .collect();
        if parts.last().is_some_and(|last| last == "mod") {
            parts.pop();
        }
        parts
    };
    let is_root = |name: &str| matches!(name, "lib" | "main");
    let mut all = Uses::new();
    for file in &files {
        if let Some(top) = module(file).first().filter(|top| !is_root(top)) {
            all.entry(top.clone()).or_default();
        }
    }
    let tops: BTreeSet<String> = all.keys().cloned().collect();
    for file in &files {
        let parts = module(file);
        let is_test = |part: &String| part == "tests" || part.ends_with("_tests");
        let Some(top) = parts.first().filter(|top| !is_root(top)) else {
            continue;
        };
        if parts.iter().any(is_test) {
            continue;
        }
        let text = fs::read_to_string(file).expect("a source file is text");
        let used = targets(&text, &parts).filter(|used| tops.contains(used) && used != top);
        all.entry(top.clone()).or_default().extend(used);
    }
    all
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the folder of a crate can be read") {
        let path = entry.expect("an entry of the folder").path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            files.push(path);
        }
    }
}

/// Returns the top-level modules that a source names, by paths that begin with `crate` or `super`.
fn targets(text: &str, module: &[String]) -> impl Iterator<Item = String> {
    let mut tokens = tokens(text).into_iter().peekable();
    let mut found = Vec::new();
    let mut before = String::new();
    while let Some(token) = tokens.next() {
        let begins = matches!(token.as_str(), "crate" | "super") && before != "::";
        before.clone_from(&token);
        if !begins {
            continue;
        }
        // How many modules deep the path begins.
        let mut depth = match token.as_str() {
            "crate" => 0,
            _ => module.len().saturating_sub(1),
        };
        while tokens.next_if(|next| next == "::").is_some() {
            match tokens.next() {
                Some(next) if next == "super" => depth = depth.saturating_sub(1),
                Some(next) if next == "{" => {
                    let names = group(&mut tokens);
                    if depth == 0 {
                        found.extend(names);
                    }
                    break;
                }
                Some(next) => {
                    before.clone_from(&next);
                    if depth == 0 {
                        found.push(next);
                    }
                    break;
                }
                None => break,
            }
        }
    }
    found.into_iter()
}

/// Returns the first names of the paths in a group of imports whose brace is open.
fn group(tokens: &mut impl Iterator<Item = String>) -> Vec<String> {
    let mut names = Vec::new();
    let mut depth = 1;
    let mut begins = true;
    for token in tokens {
        match token.as_str() {
            "{" => depth += 1,
            "}" => depth -= 1,
            "," if depth == 1 => {
                begins = true;
                continue;
            }
            name if depth == 1 && begins => names.push(name.to_owned()),
            _ => {}
        }
        begins = false;
        if depth == 0 {
            break;
        }
    }
    names
}

/// Returns the words, `::`, braces and commas of a source, without comments, strings and the tests at its end.
fn tokens(text: &str) -> Vec<String> {
    let code = text
        .split_once("#[cfg(test)]\nmod tests {")
        .map_or(text, |(code, _)| code);
    let mut tokens = Vec::new();
    let mut rest = code;
    while let Some(first) = rest.chars().next() {
        if let Some(length) = skipped(rest) {
            rest = rest.get(length..).unwrap_or_default();
            continue;
        }
        let length = if first.is_alphanumeric() || first == '_' {
            rest.find(|c: char| !c.is_alphanumeric() && c != '_')
                .unwrap_or(rest.len())
        } else if rest.starts_with("::") {
            2
        } else {
            first.len_utf8()
        };
        let (token, after) = rest.split_at(length);
        rest = after;
        if !token.trim().is_empty() {
            tokens.push(token.to_owned());
        }
    }
    tokens
}

/// Returns the length of a comment, string or quoted character that a source begins with.
fn skipped(code: &str) -> Option<usize> {
    let past = |from: usize, end: &str| code.get(from..)?.find(end).map(|at| from + at + end.len());
    if code.starts_with("//") {
        return Some(code.find('\n').unwrap_or(code.len()));
    }
    if let Some(raw) = code.strip_prefix('r') {
        let signs = raw.len() - raw.trim_start_matches('#').len();
        if raw.get(signs..)?.starts_with('"') {
            return past(signs + 2, &format!("\"{}", "#".repeat(signs)));
        }
    }
    if code.starts_with("'\\") {
        return past(3, "'");
    }
    if code.starts_with("'\"'") {
        return Some(3);
    }
    let inside = code.strip_prefix('"')?;
    let mut escaped = false;
    let end = inside.find(|sign: char| {
        let ends = sign == '"' && !escaped;
        escaped = sign == '\\' && !escaped;
        ends
    })?;
    Some(end + 2)
}

/// Returns the circles: sets of modules that can all reach each other.
#[must_use]
pub fn circles(uses: &Uses) -> Vec<BTreeSet<String>> {
    let reach = |from: &String| -> BTreeSet<String> {
        let mut seen = BTreeSet::new();
        let mut open: Vec<&String> = uses.get(from).into_iter().flatten().collect();
        while let Some(next) = open.pop() {
            if seen.insert(next.clone()) {
                open.extend(uses.get(next).into_iter().flatten());
            }
        }
        seen
    };
    let reached: BTreeMap<&String, BTreeSet<String>> =
        uses.keys().map(|module| (module, reach(module))).collect();
    let mut found: Vec<BTreeSet<String>> = Vec::new();
    for (module, there) in &reached {
        let back = |other: &&String| {
            let back = reached.get(other);
            back.is_some_and(|back| back.contains(*module))
        };
        let circle: BTreeSet<String> = there.iter().filter(back).cloned().collect();
        if !circle.is_empty() && !found.contains(&circle) {
            found.push(circle);
        }
    }
    found
}

#[cfg(test)]
mod tests;
