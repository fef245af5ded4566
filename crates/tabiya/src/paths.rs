//! The names of files that the beginning of one can become.

use std::path::{MAIN_SEPARATOR, Path};

use crate::clean::is_safe;

/// So many are offered at most; whoever has more in a folder types another letter.
const MOST: usize = 200;

/// The files and folders whose names begin so, in their order. A folder ends with a separator, so that one can go on
/// into it. Hidden ones are offered to whoever begins with a dot; names that cannot be typed are left out.
pub(crate) fn beginning_with(text: &str) -> Vec<String> {
    let (folder, begun) = match text.rfind(std::path::is_separator) {
        Some(at) => text.split_at(at + 1),
        None => ("", text),
    };
    let place = if folder.is_empty() { "." } else { folder };
    // A folder that cannot be read offers nothing, which says the same as an empty one.
    let Ok(entries) = Path::new(place).read_dir() else {
        return Vec::new();
    };
    let mut found: Vec<String> = entries
        .filter_map(|entry| {
            let entry = entry.ok()?;
            let name = entry.file_name().into_string().ok()?;
            let shown = name.starts_with(begun) && name.chars().all(is_safe);
            let hidden = name.starts_with('.') && !begun.starts_with('.');
            if !shown || hidden {
                return None;
            }
            // A link to a folder is one, too.
            let end = if entry.path().is_dir() {
                MAIN_SEPARATOR.to_string()
            } else {
                String::new()
            };
            Some(format!("{folder}{name}{end}"))
        })
        .collect();
    found.sort_unstable();
    found.truncate(MOST);
    found
}

#[cfg(test)]
mod tests;
