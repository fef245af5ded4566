//! The manifest: which files a database is made of. It is written last, so that there is always a whole database or none.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tabiya_store::disk::{self, Disk, SystemDisk};

use crate::error::{Damage, DbError, library_message};
use crate::part_file::PartInfo;
use crate::partition::{MAX_PARTS, Share};
use crate::table::Schema;
use crate::tables::{GAMES, tables};

/// The version of the format that is written.
pub const VERSION: u64 = 2;

/// The manifest's name in the folder of a database.
pub(crate) const NAME: &str = "manifest.json";

/// The most bytes that a manifest may have.
const MAX_MANIFEST_SIZE: u64 = 1 << 26;

/// The most rows and bytes of a part.
const MAX_ROWS: u64 = 1 << 48;

/// A manifest as it is stored: with a checksum, so that a changed digit is noticed.
#[derive(Serialize, Deserialize)]
struct ManifestFile {
    tabiya_db: u64,
    crc32: u32,
    manifest: Manifest,
}

/// Only the version, which is checked first.
#[derive(Deserialize)]
struct ManifestVersion {
    tabiya_db: u64,
}

/// What a database is made of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Manifest {
    /// The folder with the data, beside the manifest.
    pub(crate) data: String,
    /// How many parts each table has.
    pub(crate) parts: u32,
    /// Which share of the parts is here.
    pub(crate) share: [u32; 2],
    /// Whether there are `occurrences`.
    pub(crate) full: bool,
    /// The seed of the table of Zobrist numbers.
    pub(crate) zobrist_seed: String,
    /// What the games were read from.
    pub(crate) sources: Vec<Source>,
    /// How many games were read, copies included.
    pub(crate) games_read: u64,
    /// How many errors they had.
    pub(crate) errors: u64,
    pub(crate) tables: Tables,
}

/// The parts of each table, in order, by its name.
pub(crate) type Tables = BTreeMap<String, Vec<PartInfo>>;

/// A file that games were read from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Source {
    pub(crate) name: String,
    pub(crate) bytes: Option<u64>,
    /// When it was last modified, in seconds since 1970; unknown for a pipe.
    pub(crate) modified: Option<u64>,
}

impl Manifest {
    /// Reads a manifest.
    pub(crate) fn parse(text: &[u8]) -> Result<Manifest, ManifestError> {
        let fault = |error: serde_json::Error| {
            ManifestError::Damaged(Damage::Manifest(library_message(&error.to_string())))
        };
        let versioned: ManifestVersion = serde_json::from_slice(text).map_err(fault)?;
        match versioned.tabiya_db {
            VERSION => {}
            ..VERSION => return Err(ManifestError::Older(versioned.tabiya_db)),
            _ => return Err(ManifestError::Newer(versioned.tabiya_db)),
        }
        let sealed: ManifestFile = serde_json::from_slice(text).map_err(fault)?;
        let manifest = sealed.manifest;
        if manifest.crc() != sealed.crc32 {
            return Err(ManifestError::Damaged(Damage::Manifest(
                "its checksum does not match".into(),
            )));
        }
        manifest
            .check()
            .map_err(|why| ManifestError::Damaged(Damage::Manifest(why.into())))?;
        Ok(manifest)
    }

    /// Checks that the manifest is consistent and names only files below the folder with the data.
    fn check(&self) -> Result<(), &'static str> {
        let is_plain = |name: &str| {
            !name.is_empty()
                && name
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
                && !name.starts_with('.')
        };
        if !is_plain(&self.data) {
            return Err("the folder of the data has no plain name");
        }
        if !self.parts.is_power_of_two() || !(2..=MAX_PARTS).contains(&self.parts) {
            return Err("the number of parts is not a power of two");
        }
        let share = self.share().ok_or("the share is invalid")?;
        if share.of() > self.parts {
            return Err("the share is less than a part");
        }
        let expected = (self.parts / share.of()) as usize;
        if tables(self.full).any(|schema| self.parts_of(schema).len() != expected) {
            return Err("parts are missing");
        }
        if self.tables.len() != tables(self.full).count() {
            return Err("there is another table");
        }
        let mut all = self.tables.values().flatten();
        if !all.all(|part| part.name.split('/').all(is_plain)) {
            return Err("a part has no plain name");
        }
        // So that sums of them are numbers too.
        let mut all = self.tables.values().flatten();
        if !all.all(|part| part.rows <= MAX_ROWS && part.bytes <= MAX_ROWS) {
            return Err("a part is too large");
        }
        Ok(())
    }

    /// The parts of a table; none if the database does not have it.
    pub(crate) fn parts_of(&self, schema: &Schema) -> &[PartInfo] {
        self.tables.get(schema.name).map_or(&[], Vec::as_slice)
    }

    /// How many games there are.
    pub(crate) fn games(&self) -> u64 {
        self.parts_of(&GAMES).iter().map(|part| part.rows).sum()
    }

    pub(crate) fn share(&self) -> Option<Share> {
        let [number, of] = self.share;
        Share::new(number, of)
    }

    fn crc(&self) -> u32 {
        // Strings and numbers can always be written as JSON.
        crc32fast::hash(&serde_json::to_vec(self).unwrap_or_default())
    }

    pub(crate) fn text(&self) -> Vec<u8> {
        let sealed = ManifestFile {
            tabiya_db: VERSION,
            crc32: self.crc(),
            manifest: self.clone(),
        };
        let mut text = serde_json::to_vec_pretty(&sealed).unwrap_or_default();
        text.push(b'\n');
        text
    }

    /// Reads the manifest of a folder.
    pub(crate) fn load(folder: &Path) -> Result<Manifest, DbError> {
        let path = path(folder);
        let text = match SystemDisk.read(&path, MAX_MANIFEST_SIZE) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Err(if folder.is_dir() {
                    DbError::NotADatabase(folder.to_owned())
                } else {
                    DbError::io(folder, &error)
                });
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotADirectory => {
                return Err(DbError::NotAFolder(folder.to_owned()));
            }
            Err(error) => return Err(DbError::io(&path, &error)),
        };
        Manifest::parse(&text).map_err(|error| match error {
            ManifestError::Older(version) => DbError::Older {
                path,
                version,
                readable: VERSION,
            },
            ManifestError::Newer(version) => DbError::Newer {
                path,
                version,
                readable: VERSION,
            },
            ManifestError::Damaged(damage) => DbError::Damaged { path, damage },
        })
    }

    /// Replaces the manifest of a folder atomically.
    pub(crate) fn publish(&self, folder: &Path) -> Result<(), DbError> {
        let path = path(folder);
        disk::replace(&SystemDisk, &path, &disk::draft_of(&path), &self.text())
            .map_err(|error| DbError::io(&path, &error))
    }
}

/// Why a text is not a usable manifest.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ManifestError {
    /// A version of the format that is no longer read.
    #[error("the database has the old version {0}")]
    Older(u64),
    /// A later version of the format.
    #[error("the database has version {0}")]
    Newer(u64),
    /// Not a manifest.
    #[error("{0}")]
    Damaged(Damage),
}

/// Checks that a text is a manifest. For tests of hostile input; programs open a [`Database`](crate::Database).
///
/// # Errors
/// Why it is not one.
#[doc(hidden)]
pub fn check_manifest(text: &[u8]) -> Result<(), ManifestError> {
    let manifest = Manifest::parse(text)?;
    debug_assert_eq!(Manifest::parse(&manifest.text()), Ok(manifest));
    Ok(())
}

pub(crate) fn path(folder: &Path) -> PathBuf {
    folder.join(NAME)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest() -> Manifest {
        let parts = |table: &'static str| {
            let part = |part| PartInfo {
                name: format!("{table}/part-{part:04}.parquet"),
                bytes: 4,
                rows: 0,
                sums: 7,
            };
            (table.to_owned(), (0..2).map(part).collect())
        };
        Manifest {
            data: "data-1".into(),
            parts: 2,
            share: [1, 1],
            full: false,
            zobrist_seed: crate::build::ZOBRIST_SEED.into(),
            sources: Vec::new(),
            games_read: 0,
            errors: 0,
            tables: ["games", "tree", "exits"].map(parts).into(),
        }
    }

    /// The last part of a table.
    fn part<'a>(manifest: &'a mut Manifest, table: &str) -> &'a mut PartInfo {
        let parts = manifest.tables.get_mut(table).expect("a table");
        parts.last_mut().expect("a part")
    }

    /// The checksums of the changed manifests are right, so only their contents are wrong.
    #[test]
    fn a_manifest_names_nothing_outside_of_its_folder() {
        assert_eq!(Manifest::parse(&manifest().text()), Ok(manifest()));
        let changes: [fn(&mut Manifest); 12] = [
            |manifest| part(manifest, "games").rows = u64::MAX,
            |manifest| part(manifest, "tree").bytes = u64::MAX,
            |manifest| manifest.data = "..".into(),
            |manifest| manifest.data = "/etc".into(),
            |manifest| part(manifest, "tree").name = "../../part-0000.parquet".into(),
            |manifest| part(manifest, "tree").name = "/etc/passwd".into(),
            |manifest| part(manifest, "games").name = "games\\part".into(),
            |manifest| manifest.parts = 3,
            |manifest| manifest.share = [2, 1],
            |manifest| manifest.full = true,
            |manifest| drop(manifest.tables.remove("exits")),
            |manifest| drop(manifest.tables.insert("others".into(), Vec::new())),
        ];
        for change in changes {
            let mut changed = manifest();
            change(&mut changed);
            let refused = Manifest::parse(&changed.text());
            assert!(
                matches!(refused, Err(ManifestError::Damaged(_))),
                "{changed:?}"
            );
        }
    }
}
