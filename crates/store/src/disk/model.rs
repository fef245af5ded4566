//! A disk in memory that fails on demand, and knows what a power cut leaves of it. It is for testing code that writes
//! files through [`Disk`].

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use crate::disk::Disk;

/// What goes wrong at a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The call does nothing and returns this system error.
    Error(i32),
    /// A write accepts half of what it is given.
    Short,
    /// The call is done, and the program dies right after it.
    Death,
    /// This call and every later one return this error.
    Forever(i32),
}

/// Everything that can go wrong: ENOSPC, EIO, EDQUOT, EACCES, EROFS, EINTR, a short write, death.
pub const FAULTS: [Fault; 8] = [
    Fault::Error(28),
    Fault::Error(5),
    Fault::Error(122),
    Fault::Error(13),
    Fault::Error(30),
    Fault::Error(4),
    Fault::Short,
    Fault::Death,
];

/// A disk in memory. Clones are the same disk.
#[derive(Clone, Debug, Default)]
pub struct ModelDisk(Arc<Mutex<DiskContents>>);

#[derive(Clone, Debug, Default)]
struct DiskContents {
    /// The data that each path leads to now.
    paths: BTreeMap<PathBuf, usize>,
    /// The data that each path led to when its folder was last synced.
    synced_paths: BTreeMap<PathBuf, usize>,
    /// What was done to paths since their folder was synced. Each step is done completely or not at all.
    steps: Vec<Step>,
    data: Vec<Data>,
    locks: BTreeSet<PathBuf>,
    folders: BTreeSet<PathBuf>,
    calls: Vec<String>,
    fault: Option<(usize, Fault)>,
    dead: bool,
    time: u64,
}

#[derive(Clone, Debug, Default)]
struct Data {
    bytes: Vec<u8>,
    synced: usize,
    modified: u64,
}

#[derive(Clone, Debug)]
struct Step {
    folder: PathBuf,
    changes: Vec<(PathBuf, Option<usize>)>,
}

/// A locked file of a [`ModelDisk`].
#[derive(Debug)]
pub struct ModelLock {
    path: PathBuf,
    disk: ModelDisk,
}

impl Drop for ModelLock {
    fn drop(&mut self) {
        self.disk.state().locks.remove(&self.path);
    }
}

/// What a power cut can leave of bytes that were written but not synced: nothing, all of them, the first half, or as many
/// zeros.
const LOSSES: [fn(&mut Data); 4] = [
    |data| data.bytes.truncate(data.synced),
    |_| {},
    |data| {
        let half = usize::midpoint(data.synced, data.bytes.len());
        data.bytes.truncate(half);
    },
    |data| data.bytes[data.synced..].fill(0),
];

impl ModelDisk {
    /// Returns the names of all calls so far.
    pub fn calls(&self) -> Vec<String> {
        self.state().calls.clone()
    }

    /// Makes the call with that number fail.
    pub fn fail(&self, call: usize, fault: Fault) {
        self.state().fault = Some((call, fault));
    }

    /// Returns the disk as the next program finds it: nothing is locked, and nothing fails.
    pub fn restarted(&self) -> ModelDisk {
        let mut state = self.state().clone();
        state.locks.clear();
        state.fault = None;
        state.dead = false;
        state.calls.clear();
        ModelDisk(Arc::new(Mutex::new(state)))
    }

    /// Returns every disk that a power cut at this moment could leave.
    pub fn after_power_cut(&self) -> Vec<ModelDisk> {
        let state = self.restarted().state().clone();
        let mut left = Vec::new();
        for chosen in 0..1u32 << state.steps.len() {
            let mut paths = state.synced_paths.clone();
            for (at, step) in state.steps.iter().enumerate() {
                if chosen & (1 << at) != 0 {
                    apply(step.changes.clone(), &mut paths);
                }
            }
            for lose in LOSSES {
                let mut after = state.clone();
                after.paths = paths.clone();
                after.synced_paths = paths.clone();
                after.steps.clear();
                for data in &mut after.data {
                    lose(data);
                    data.synced = data.bytes.len();
                }
                left.push(ModelDisk(Arc::new(Mutex::new(after))));
            }
        }
        left
    }

    /// Puts a file on the disk, as if it had always been there.
    pub fn put(&self, path: &Path, bytes: &[u8]) {
        let mut state = self.state();
        state.time += 1;
        let modified = state.time;
        let at = state.data.len();
        state.data.push(Data {
            bytes: bytes.to_vec(),
            synced: bytes.len(),
            modified,
        });
        state.paths.insert(path.to_owned(), at);
        state.synced_paths.insert(path.to_owned(), at);
    }

    /// Returns the contents of a file.
    pub fn bytes(&self, path: &Path) -> Option<Vec<u8>> {
        let state = self.state();
        let at = *state.paths.get(path)?;
        Some(state.data[at].bytes.clone())
    }

    /// Returns whether some file has these bytes.
    pub fn holds(&self, bytes: &[u8]) -> bool {
        let state = self.state();
        state
            .paths
            .values()
            .any(|&at| state.data[at].bytes == bytes)
    }

    /// Returns all files.
    pub fn paths(&self) -> Vec<PathBuf> {
        self.state().paths.keys().cloned().collect()
    }

    /// Never held over a call of the disk, which needs it itself.
    fn state(&self) -> MutexGuard<'_, DiskContents> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a call and carries it out, unless it is to fail. `true` asks for half of it.
    fn carry_out<T>(
        &self,
        name: &str,
        path: &Path,
        act: impl FnOnce(&mut DiskContents, bool) -> io::Result<T>,
    ) -> io::Result<T> {
        let mut state = self.state();
        if state.dead {
            return Err(io::Error::other("the program is dead"));
        }
        let number = state.calls.len();
        state.calls.push(format!("{name} {}", path.display()));
        let fault = state.fault.and_then(|(at, fault)| {
            let lasts = matches!(fault, Fault::Forever(_)) && at < number;
            (at == number || lasts).then_some(fault)
        });
        if let Some(Fault::Error(code) | Fault::Forever(code)) = fault {
            return Err(io::Error::from_raw_os_error(code));
        }
        let done = act(&mut state, fault == Some(Fault::Short))?;
        state.dead = fault == Some(Fault::Death);
        Ok(done)
    }
}

impl DiskContents {
    /// The file at a path.
    fn find(&self, path: &Path) -> io::Result<usize> {
        let at = self.paths.get(path).copied();
        at.ok_or(io::ErrorKind::NotFound.into())
    }

    /// Changes paths in the folder of one, in one step.
    fn change(&mut self, path: &Path, changes: Vec<(PathBuf, Option<usize>)>) {
        apply(changes.clone(), &mut self.paths);
        let folder = path.parent().expect("a file is in a folder").to_owned();
        self.steps.push(Step { folder, changes });
    }
}

/// Applies changes to the names of files.
fn apply(changes: Vec<(PathBuf, Option<usize>)>, paths: &mut BTreeMap<PathBuf, usize>) {
    for (path, to) in changes {
        match to {
            Some(data) => paths.insert(path, data),
            None => paths.remove(&path),
        };
    }
}

impl Disk for ModelDisk {
    type File = usize;
    type Lock = ModelLock;

    fn make_folder(&self, folder: &Path) -> io::Result<()> {
        self.carry_out("make folder", folder, |state, _| {
            state.folders.insert(folder.to_owned());
            Ok(())
        })
    }

    fn create(&self, path: &Path) -> io::Result<usize> {
        self.carry_out("create", path, |state, _| {
            if state.paths.contains_key(path) {
                return Err(io::ErrorKind::AlreadyExists.into());
            }
            let at = state.data.len();
            state.data.push(Data::default());
            state.change(path, vec![(path.to_owned(), Some(at))]);
            Ok(at)
        })
    }

    fn append(&self, path: &Path) -> io::Result<(usize, u64)> {
        let there = self.state().paths.get(path).copied();
        match there {
            Some(at) => self.carry_out("append", path, |state, _| {
                Ok((at, state.data[at].bytes.len() as u64))
            }),
            None => Ok((self.create(path)?, 0)),
        }
    }

    fn write(&self, file: &mut usize, bytes: &[u8]) -> io::Result<usize> {
        self.carry_out("write", Path::new(""), |state, short| {
            let length = bytes.len().div_ceil(1 + usize::from(short));
            state.time += 1;
            let data = &mut state.data[*file];
            data.bytes.extend(&bytes[..length]);
            data.modified = state.time;
            Ok(length)
        })
    }

    fn sync(&self, file: &usize) -> io::Result<()> {
        self.carry_out("sync", Path::new(""), |state, _| {
            let data = &mut state.data[*file];
            data.synced = data.bytes.len();
            Ok(())
        })
    }

    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        self.carry_out("sync folder", folder, |state, _| {
            for step in std::mem::take(&mut state.steps) {
                if step.folder == folder {
                    apply(step.changes, &mut state.synced_paths);
                } else {
                    state.steps.push(step);
                }
            }
            Ok(())
        })
    }

    fn copy_permissions(&self, _: &usize, other: &Path) -> io::Result<()> {
        self.carry_out("copy permissions", other, |_, _| Ok(()))
    }

    fn truncate(&self, file: &mut usize, length: u64) -> io::Result<()> {
        self.carry_out("truncate", Path::new(""), |state, _| {
            let data = &mut state.data[*file];
            data.bytes.truncate(length as usize);
            data.synced = data.synced.min(data.bytes.len());
            Ok(())
        })
    }

    fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.carry_out("link", from, |state, _| {
            if state.paths.contains_key(to) {
                return Err(io::ErrorKind::AlreadyExists.into());
            }
            let at = state.find(from)?;
            state.change(to, vec![(to.to_owned(), Some(at))]);
            Ok(())
        })
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.carry_out("rename", from, |state, _| {
            let at = state.find(from)?;
            state.change(to, vec![(from.to_owned(), None), (to.to_owned(), Some(at))]);
            Ok(())
        })
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.carry_out("remove", path, |state, _| {
            state.find(path)?;
            state.change(path, vec![(path.to_owned(), None)]);
            Ok(())
        })
    }

    fn read(&self, path: &Path, most: u64) -> io::Result<Vec<u8>> {
        let bytes = self.carry_out("read", path, |state, _| {
            let at = state.find(path)?;
            Ok(state.data[at].bytes.clone())
        })?;
        if bytes.len() as u64 > most {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        Ok(bytes)
    }

    fn is_same_file(&self, path: &Path, file: &usize) -> io::Result<bool> {
        self.carry_out("is same file", path, |state, _| {
            Ok(state.paths.get(path) == Some(file))
        })
    }

    fn exists(&self, path: &Path) -> io::Result<bool> {
        self.carry_out("exists", path, |state, _| {
            Ok(state.paths.contains_key(path))
        })
    }

    fn list(
        &self,
        folder: &Path,
        wanted: fn(&str) -> bool,
    ) -> io::Result<Vec<(String, SystemTime)>> {
        self.carry_out("list", folder, |state, _| {
            let files = state.paths.iter();
            let files = files.filter(|(path, _)| path.starts_with(folder));
            let listed = files.map(|(path, &at)| {
                let name = path.file_name().expect("a name").to_string_lossy();
                let time = Duration::from_secs(state.data[at].modified);
                (name.into_owned(), SystemTime::UNIX_EPOCH + time)
            });
            Ok(listed.filter(|(name, _)| wanted(name)).collect())
        })
    }

    fn lock(&self, path: &Path) -> io::Result<Option<ModelLock>> {
        let free = self.carry_out("lock", path, |state, _| {
            Ok(state.locks.insert(path.to_owned()))
        })?;
        Ok(free.then(|| ModelLock {
            path: path.to_owned(),
            disk: self.clone(),
        }))
    }

    fn holds(&self, lock: &ModelLock) -> io::Result<bool> {
        self.carry_out("holds", &lock.path, |state, _| {
            Ok(state.locks.contains(&lock.path))
        })
    }
}

/// Whether a way of writing may leave this behind, given whether it reported success and what is in the file.
pub type Allowed = fn(done: bool, found: Option<&[u8]>) -> bool;

/// Makes every call of a way of writing a file fail in every way, and cuts the power after every call.
///
/// # Panics
/// Panics if what it leaves behind is not allowed.
#[track_caller]
pub fn try_all<E: Debug>(
    before: &ModelDisk,
    path: &Path,
    write: impl Fn(&ModelDisk) -> Result<(), E>,
    allowed: Allowed,
) {
    let plain = before.restarted();
    write(&plain).expect("nothing fails");
    let found = plain.bytes(path);
    assert!(allowed(true, found.as_deref()), "{found:?}");
    for (at, call) in plain.calls().iter().enumerate() {
        for fault in FAULTS.into_iter().chain([28, 5].map(Fault::Forever)) {
            let disk = before.restarted();
            disk.fail(at, fault);
            let result = write(&disk);
            let context = format!("{fault:?} at call {at}, {call}: {result:?}");
            let mut left = vec![disk.restarted()];
            if fault == Fault::Death {
                left = disk.after_power_cut();
            }
            for after in left {
                let found = after.bytes(path);
                assert!(
                    allowed(result.is_ok(), found.as_deref()),
                    "{context}: {found:?}"
                );
            }
            if matches!(fault, Fault::Error(4) | Fault::Short) {
                assert!(result.is_ok(), "{context}");
            }
        }
    }
}
