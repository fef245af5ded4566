//! The state of a build, from which the next attempt resumes it after an interruption.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tabiya_store::disk::{self, Disk, SystemDisk};

use crate::error::DbError;
use crate::manifest::Source;
use crate::part_file::PartInfo;
use crate::runs::Run;

/// The folder beside the manifest in which a build keeps what it has sorted.
pub(crate) const WORK: &str = "building";

/// What is built from what. Two builds with equal plans give the same database.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct BuildPlan {
    /// The versions of the format and of the program: a state of any other version is not continued.
    pub(crate) version: (u64, String),
    /// The databases whose games are taken, with the folders of their data.
    pub(crate) bases: Vec<(PathBuf, String)>,
    pub(crate) sources: Vec<Source>,
    pub(crate) parts: u32,
    pub(crate) share: [u32; 2],
    pub(crate) full: bool,
}

/// How much of the input the sorted files have.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Checkpoint {
    /// How many games of the databases whose games are taken.
    pub(crate) base_games: u64,
    /// The index of the file being read.
    pub(crate) source: usize,
    /// The offset of the last game of that file that the sorted files have; `None` before its first.
    pub(crate) offset: Option<u64>,
    pub(crate) games: u64,
    pub(crate) errors: u64,
}

/// How far a build has come.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct BuildState {
    #[serde(rename = "order")]
    pub(crate) plan: BuildPlan,
    /// The folder that the data is written to.
    pub(crate) data: String,
    pub(crate) checkpoint: Checkpoint,
    /// Whether the sorted files have all games.
    pub(crate) is_read: bool,
    /// Files of sorted positions.
    pub(crate) entries: Vec<Run>,
    /// Files of sorted games.
    pub(crate) games: Vec<Run>,
    /// The parts that are complete.
    pub(crate) done: BTreeMap<String, PartInfo>,
}

impl BuildState {
    /// The state of a build that begins.
    pub(crate) fn new(plan: BuildPlan, data: String) -> BuildState {
        BuildState {
            plan,
            data,
            checkpoint: Checkpoint::default(),
            is_read: false,
            entries: Vec::new(),
            games: Vec::new(),
            done: BTreeMap::new(),
        }
    }

    /// The state of an earlier attempt; `None` if it cannot be read.
    pub(crate) fn load(folder: &Path) -> Option<BuildState> {
        let text = SystemDisk.read(&path(folder), 1 << 28).ok()?;
        serde_json::from_slice(&text).ok()
    }

    /// Writes the state, so that a build can be resumed from here.
    pub(crate) fn save(&self, folder: &Path) -> Result<(), DbError> {
        let path = path(folder);
        let text = serde_json::to_vec(self).unwrap_or_default();
        disk::replace(&SystemDisk, &path, &disk::draft_of(&path), &text)
            .map_err(|error| DbError::io(&path, &error))
    }

    /// Whether the files that it names are as they were written.
    pub(crate) fn is_whole(&self, folder: &Path) -> bool {
        let work = folder.join(WORK);
        self.entries
            .iter()
            .chain(&self.games)
            .all(|run| run.is_whole(&work))
    }
}

fn path(folder: &Path) -> PathBuf {
    folder.join(WORK).join("state.json")
}
