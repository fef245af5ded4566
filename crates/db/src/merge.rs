//! Merges the shares of a database that were built separately. Nothing is sorted again.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tabiya_store::disk::{Disk, SystemDisk};

use crate::build::{check_place, sync_data};
use crate::error::{DbError, MergeFault};
use crate::manifest::{Manifest, Tables};
use crate::part_file::{PartInfo, sums_path};
use crate::partition::Share;

/// Merges the shares of a database in a new folder and returns the number of games. The files are linked if possible and
/// copied otherwise; the shares stay as they are.
///
/// # Errors
/// They are not the shares of one database, one is missing, or a file cannot be used.
pub fn merge_shares(folder: &Path, shares: &[PathBuf]) -> Result<u64, DbError> {
    check_place(folder)?;
    let mut found: Vec<(&PathBuf, Manifest)> = Vec::new();
    for path in shares {
        found.push((path, Manifest::load(path)?));
    }
    found.sort_by_key(|(_, manifest)| manifest.share);
    let Some((_, first)) = found.first() else {
        return Err(DbError::NotADatabase(folder.to_owned()));
    };
    let first = first.clone();
    check_complete(folder, &found, &first)?;
    let mut whole = Manifest {
        data: "data-1".to_owned(),
        share: [1, 1],
        tables: Tables::new(),
        ..first
    };
    let data = folder.join(&whole.data);
    for (path, manifest) in found {
        let from = path.join(&manifest.data);
        for (table, parts) in manifest.tables {
            for part in &parts {
                copy_part(&from, &data, part)?;
            }
            whole.tables.entry(table).or_default().extend(parts);
        }
    }
    sync_data(&data)?;
    whole.publish(folder)?;
    Ok(whole.games())
}

/// Checks that these are all shares of one database, each once; they are sorted by their numbers.
fn check_complete(
    folder: &Path,
    shares: &[(&PathBuf, Manifest)],
    first: &Manifest,
) -> Result<(), DbError> {
    let fault = |path: &Path, why| {
        Err(DbError::Merge {
            path: path.to_owned(),
            why,
        })
    };
    let of = first.share[1];
    let mut expected = 1;
    for (path, manifest) in shares {
        let share = manifest.share().unwrap_or(Share::WHOLE);
        if share.of() == 1 {
            return fault(path, MergeFault::Whole);
        }
        if !is_alike(manifest, first) {
            return fault(path, MergeFault::Other);
        }
        if share.number() < expected {
            return fault(path, MergeFault::Twice(share));
        }
        if share.number() > expected {
            return fault(folder, missing(expected, of));
        }
        expected += 1;
    }
    if expected <= of {
        return fault(folder, missing(expected, of));
    }
    Ok(())
}

fn missing(number: u32, of: u32) -> MergeFault {
    MergeFault::Missing(format!("{number}/{of}").parse().unwrap_or(Share::WHOLE))
}

/// Whether two shares belong to the same database.
fn is_alike(one: &Manifest, other: &Manifest) -> bool {
    one.share[1] == other.share[1]
        && one.parts == other.parts
        && one.full == other.full
        && one.sources == other.sources
        && one.games_read == other.games_read
        && one.zobrist_seed == other.zobrist_seed
}

/// Links or copies a file and its checksums.
fn copy_part(from: &Path, to: &Path, part: &PartInfo) -> Result<(), DbError> {
    let (from, to) = (from.join(&part.name), to.join(&part.name));
    if let Some(folder) = to.parent() {
        SystemDisk
            .make_folder(folder)
            .map_err(|error| DbError::io(folder, &error))?;
    }
    // Files that were damaged on the way here are refused.
    crate::part_file::PartFile::open(&from, part, Arc::default())?.check()?;
    for (from, to) in [(sums_path(&from), sums_path(&to)), (from, to)] {
        if SystemDisk.link(&from, &to).is_ok() {
            continue;
        }
        fs::copy(&from, &to).map_err(|error| DbError::io(&to, &error))?;
        let copy = fs::File::open(&to).map_err(|error| DbError::io(&to, &error))?;
        SystemDisk
            .sync(&copy)
            .map_err(|error| DbError::io(&to, &error))?;
    }
    Ok(())
}
