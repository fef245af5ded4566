//! What an interrupted build left behind, so that the next attempt goes on where it ended.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tabiya_store::disk::{self, Computer, Disk};

use crate::error::DbError;
use crate::manifest::Source;
use crate::part_file::PartInfo;
use crate::runs::Run;

/// The folder beside the manifest in which a build keeps what it has sorted.
pub(crate) const WORK: &str = "building";

/// What is built, of what. Two builds with the same order give the same database.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Order {
    /// The version of the format, and that of the program, whose notes may differ.
    pub(crate) version: (u64, String),
    /// The databases that are put together, by the folders of their data.
    pub(crate) bases: Vec<(PathBuf, String)>,
    pub(crate) sources: Vec<Source>,
    pub(crate) parts: u32,
    pub(crate) share: [u32; 2],
    pub(crate) full: bool,
}

/// How much of the input is in the sorted files.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Checkpoint {
    /// How many games of the databases that are put together.
    pub(crate) base_games: u64,
    /// The file that is read.
    pub(crate) source: usize,
    /// Where the last game of that file begins that is in; `None` before its first.
    pub(crate) offset: Option<u64>,
    pub(crate) games: u64,
    pub(crate) errors: u64,
}

/// How far a build has come.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct State {
    pub(crate) order: Order,
    /// The folder of the data that is written.
    pub(crate) data: String,
    pub(crate) checkpoint: Checkpoint,
    /// Whether all games are in the sorted files.
    pub(crate) is_read: bool,
    /// Files of sorted positions.
    pub(crate) entries: Vec<Run>,
    /// Files of sorted games.
    pub(crate) games: Vec<Run>,
    /// The parts that are complete.
    pub(crate) done: BTreeMap<String, PartInfo>,
}

impl State {
    pub(crate) fn new(order: Order, data: String) -> State {
        State {
            order,
            data,
            checkpoint: Checkpoint::default(),
            is_read: false,
            entries: Vec::new(),
            games: Vec::new(),
            done: BTreeMap::new(),
        }
    }

    /// What an earlier attempt left behind; nothing if it cannot be read.
    pub(crate) fn load(folder: &Path) -> Option<State> {
        let text = Computer.read(&path(folder), 1 << 28).ok()?;
        serde_json::from_slice(&text).ok()
    }

    pub(crate) fn save(&self, folder: &Path) -> Result<(), DbError> {
        let path = path(folder);
        let text = serde_json::to_vec(self).unwrap_or_default();
        disk::replace(&Computer, &path, &disk::draft_of(&path), &text)
            .map_err(|error| DbError::io(&path, &error))
    }

    /// Whether the files that it names are there as they were written.
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
