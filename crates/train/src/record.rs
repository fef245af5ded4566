//! The folder with the logs of all devices.
//!
//! Each installation writes only its own log, so folders that are synced merge without conflict. An entry is on the disk
//! before anything that follows from it is shown: it is appended and synced. A log is only ever appended to, except that
//! the torn end that a power cut leaves of one's own is copied aside and cut off.

use std::io;
use std::path::{Path, PathBuf};

use tabiya_store::disk::{self, Disk, FileFault, SystemDisk, uninterrupted, write_all};
use thiserror::Error;

use crate::day::Moment;
use crate::log::{self, Change, Entry, Line, Stamper, VERSION};
use crate::memory::Memory;

/// The largest log that is read or written, in bytes.
pub const MAX_LOG: u64 = 256 << 20;

/// A log that is larger than this is not continued: a new one begins.
const FULL: u64 = MAX_LOG - (1 << 20);

/// The largest file of device numbers that is read.
const MAX_DEVICES: u64 = 1 << 16;

/// Where a record is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The folder of the user's data, which may be synced between machines. The logs are in `train` in it, and what is
    /// damaged in `damaged`.
    pub data: PathBuf,
    /// The folder for what belongs to this installation alone.
    pub state: PathBuf,
    /// What tells this machine from others that share the folder for the state.
    pub machine: String,
}

impl Place {
    /// The folder with the logs.
    #[must_use]
    pub fn logs(&self) -> PathBuf {
        self.data.join("train")
    }

    fn log(&self, device: &str) -> PathBuf {
        self.logs().join(format!("log-{device}.jsonl"))
    }
}

/// Why a record cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RecordError {
    /// Another program has it open.
    #[error("The training is open in another window; close it there first.")]
    Busy,
    /// The log has no room.
    #[error(
        "The log of the training is full; it continues in a new one when the program starts again."
    )]
    Full,
    /// A file or folder that cannot be used.
    #[error("{fault}: {}.", .path.display())]
    File {
        /// The file or folder.
        path: PathBuf,
        /// What is wrong with it.
        fault: FileFault,
    },
}

/// Something about the logs that the user should know.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Notice {
    /// The end of the log was torn, and is now here.
    Torn(PathBuf),
    /// So many lines of a log cannot be read; the first has this number.
    Unreadable {
        /// The log.
        log: PathBuf,
        /// How many lines.
        lines: usize,
        /// The number of the first, counted from 1.
        first: usize,
    },
    /// A log is too large or cannot be opened, and is left out.
    LeftOut {
        /// The log.
        log: PathBuf,
        /// What is wrong with it.
        fault: FileFault,
    },
    /// There are more exercises than the program handles; so many are left out.
    TooMany(usize),
}

/// What the logs of a record amount to.
#[derive(Clone, Debug, Default)]
pub struct Contents {
    /// The exercises.
    pub memory: Memory,
    /// What the user should know.
    pub notices: Vec<Notice>,
}

/// What was read of one log.
struct ReadLog {
    entries: Vec<(usize, Entry)>,
    unreadable: Option<(usize, usize)>,
    /// The greatest version that a line names.
    version: u32,
    tail: LogTail,
}

/// What follows the last complete line.
#[derive(Clone, Copy)]
enum LogTail {
    Nothing,
    /// A whole entry without the end of its line.
    Whole,
    /// The beginning of an entry, from this byte on.
    Torn(usize),
}

/// An open record: it is locked, and this installation's own log can be appended to.
#[derive(Debug)]
pub struct Record<D: Disk = SystemDisk> {
    disk: D,
    path: PathBuf,
    file: D::File,
    length: u64,
    /// Whether there may be something after that.
    torn: bool,
    /// The time of the last entry when the log was opened.
    last: i64,
    /// What could not be written yet.
    unsaved: Vec<u8>,
    _lock: D::Lock,
}

/// Reads a record without locking or changing it.
///
/// # Errors
/// The folder cannot be read.
pub fn read<D: Disk>(disk: &D, place: &Place) -> Result<Contents, RecordError> {
    Ok(contents(read_all(disk, place)?))
}

impl<D: Disk> Record<D> {
    /// Opens the record, creating it if there is none. The seed must be random, because the numbers of entries are.
    ///
    /// # Errors
    /// Another program has it open, or a file or folder cannot be used.
    pub fn open(
        disk: D,
        place: &Place,
        seed: u64,
        now: Moment,
    ) -> Result<(Record<D>, Contents), RecordError> {
        let mut stamper = Stamper::new(0, seed);
        for folder in [&place.logs(), &place.state] {
            with_path(folder, uninterrupted(|| disk.make_folder(folder)))?;
        }
        let lock = place.state.join("train.lock");
        let lock =
            with_path(&lock, uninterrupted(|| disk.lock(&lock)))?.ok_or(RecordError::Busy)?;
        let logs = read_all(&disk, place)?;
        let path = place.log(&usable_device(&disk, place, &logs, &mut stamper)?);
        let own = logs.read.iter().find(|(known, ..)| *known == path);
        let tail = own.map_or(LogTail::Nothing, |(_, log, _)| log.tail);
        let times = own.into_iter().flat_map(|(_, log, _)| &log.entries);
        let last = times.map(|(_, entry)| entry.stamp.t).max().unwrap_or(0);
        let (file, length, aside) = open_log(&disk, place, &path, tail, &mut stamper)?;
        let mut record = Record {
            disk,
            path,
            file,
            length,
            torn: false,
            last,
            unsaved: match tail {
                LogTail::Whole => b"\n".to_vec(),
                LogTail::Nothing | LogTail::Torn(_) => Vec::new(),
            },
            _lock: lock,
        };
        if record.length == 0 {
            record.append(&[stamper.entry(Change::Head, now)])?;
        }
        // A program that died may have created the log without this.
        let folder = place.logs();
        with_path(&folder, uninterrupted(|| record.disk.sync_folder(&folder)))?;
        let mut contents = contents(logs);
        contents.notices.splice(0..0, aside.map(Notice::Torn));
        Ok((record, contents))
    }

    /// The time of the last entry when this log was opened. Later entries are never earlier.
    #[must_use]
    pub fn last(&self) -> i64 {
        self.last
    }

    /// Appends entries, and waits until they are on the disk. What cannot be written is written with the next entries.
    ///
    /// # Errors
    /// The log cannot be written, or is full.
    pub fn append(&mut self, entries: &[Entry]) -> Result<(), RecordError> {
        for entry in entries {
            self.unsaved.extend(entry.line().bytes());
            self.unsaved.push(b'\n');
        }
        self.save_again()
    }

    /// Whether something could not be written.
    #[must_use]
    pub fn is_unsaved(&self) -> bool {
        !self.unsaved.is_empty()
    }

    /// Tries again to write what could not be written.
    ///
    /// # Errors
    /// The log cannot be written, or is full.
    pub fn save_again(&mut self) -> Result<(), RecordError> {
        if self.unsaved.is_empty() {
            return Ok(());
        }
        if self.length + self.unsaved.len() as u64 > MAX_LOG {
            return Err(RecordError::Full);
        }
        let written = self.write();
        self.torn = written.is_err();
        with_path(&self.path, written)?;
        self.length += self.unsaved.len() as u64;
        self.unsaved.clear();
        Ok(())
    }

    /// Writes what is unsaved, in place of what an earlier attempt wrote of it.
    fn write(&mut self) -> io::Result<()> {
        if self.torn {
            uninterrupted(|| self.disk.truncate(&mut self.file, self.length))?;
        }
        write_all(&self.disk, &mut self.file, &self.unsaved)?;
        uninterrupted(|| self.disk.sync(&self.file))
    }
}

/// All logs of a folder: each with its path and its length.
struct Logs {
    read: Vec<(PathBuf, ReadLog, u64)>,
    left_out: Vec<(PathBuf, FileFault)>,
}

/// Reads all logs. One that cannot be read is left out.
fn read_all<D: Disk>(disk: &D, place: &Place) -> Result<Logs, RecordError> {
    let folder = place.logs();
    // A copy that a synchronizing program makes of a log has a longer name, and is read as well.
    let is_log = |name: &str| name.starts_with("log-") && name.ends_with(".jsonl");
    let names = match uninterrupted(|| disk.list(&folder, is_log)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        listed => with_path(&folder, listed)?,
    };
    let mut names: Vec<String> = names.into_iter().map(|(name, _)| name).collect();
    names.sort_unstable();
    let mut logs = Logs {
        read: Vec::new(),
        left_out: Vec::new(),
    };
    for name in names {
        let path = folder.join(name);
        match uninterrupted(|| disk.read(&path, MAX_LOG)) {
            Ok(bytes) => logs.read.push((path, read_log(&bytes), bytes.len() as u64)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => logs.left_out.push((path, disk::why(&error))),
        }
    }
    Ok(logs)
}

fn read_log(bytes: &[u8]) -> ReadLog {
    let mut log = ReadLog {
        entries: Vec::new(),
        unreadable: None,
        version: VERSION,
        tail: LogTail::Nothing,
    };
    let mut start = 0;
    for (number, line) in bytes.split_inclusive(|&byte| byte == b'\n').enumerate() {
        let (text, is_ended) = match line.strip_suffix(b"\n") {
            Some(text) => (text, true),
            None => (line, false),
        };
        let (read, version) = log::read(text);
        log.version = log.version.max(version);
        match read {
            Line::Entry(entry) => log.entries.push((number, *entry)),
            Line::Unknown => {}
            Line::Unreadable if !is_ended => log.tail = LogTail::Torn(start),
            Line::Unreadable if text.trim_ascii().is_empty() => {}
            Line::Unreadable => {
                let (lines, _) = log.unreadable.get_or_insert((0, number + 1));
                *lines += 1;
            }
        }
        if !is_ended && !matches!(log.tail, LogTail::Torn(_)) {
            log.tail = LogTail::Whole;
        }
        start += line.len();
    }
    log
}

/// Folds all logs, in an order that does not depend on the device that reads them.
fn contents(logs: Logs) -> Contents {
    let mut notices = Vec::new();
    let mut entries = Vec::new();
    for (device, (path, read, _)) in logs.read.into_iter().enumerate() {
        if let Some((lines, first)) = read.unreadable {
            let log = path;
            notices.push(Notice::Unreadable { log, lines, first });
        }
        let numbered = read.entries.into_iter();
        entries.extend(numbered.map(|(line, entry)| (device, line, entry)));
    }
    let left_out = logs.left_out.into_iter();
    notices.extend(left_out.map(|(log, fault)| Notice::LeftOut { log, fault }));
    entries.sort_by_key(|(device, line, entry)| (entry.stamp.t, *device, *line));
    let memory = Memory::of(entries.into_iter().map(|(.., entry)| entry));
    match memory.left_out() {
        0 => {}
        count => notices.push(Notice::TooMany(count)),
    }
    Contents { memory, notices }
}

/// The device number of this installation, which it has on this machine; `None` if it has none yet.
fn own_device<D: Disk>(disk: &D, place: &Place) -> Result<Option<String>, RecordError> {
    let own = read_devices(disk, place)?;
    let own = own.lines().rev().find_map(|line| {
        let (device, machine) = line.split_once(' ')?;
        let is_digit = |digit: u8| matches!(digit, b'0'..=b'9' | b'a'..=b'f');
        let is_number = device.len() == 8 && device.bytes().all(is_digit);
        (is_number && machine == place.machine).then(|| device.to_owned())
    });
    Ok(own)
}

/// Opens a log for appending, and returns its length. A torn end is cut off, and copied to where nothing is overwritten; that
/// place is returned too.
fn open_log<D: Disk>(
    disk: &D,
    place: &Place,
    path: &Path,
    tail: LogTail,
    stamper: &mut Stamper,
) -> Result<(D::File, u64, Option<PathBuf>), RecordError> {
    let aside = match tail {
        LogTail::Torn(from) => Some(copy_aside(disk, place, path, from, stamper)?),
        LogTail::Nothing | LogTail::Whole => None,
    };
    let (mut file, mut length) = with_path(path, uninterrupted(|| disk.append(path)))?;
    if let LogTail::Torn(from) = tail {
        length = from as u64;
        with_path(path, uninterrupted(|| disk.truncate(&mut file, length)))?;
    }
    Ok((file, length, aside))
}

/// The device number whose log can be appended to: a new one, if the log of this installation is full, unreadable, or of a
/// later version.
fn usable_device<D: Disk>(
    disk: &D,
    place: &Place,
    logs: &Logs,
    stamper: &mut Stamper,
) -> Result<String, RecordError> {
    let is_usable = |device: &String| {
        let path = place.log(device);
        let is_left_out = logs.left_out.iter().any(|(known, _)| *known == path);
        let read = logs.read.iter().find(|(known, ..)| *known == path);
        !is_left_out
            && read.is_none_or(|(_, log, length)| log.version <= VERSION && *length <= FULL)
    };
    match own_device(disk, place)?.filter(is_usable) {
        Some(device) => Ok(device),
        None => new_device(disk, place, stamper),
    }
}

fn devices_path(place: &Place) -> PathBuf {
    place.state.join("devices")
}

/// Reads the file of devices in the state folder. Each line has a number and the machine that it belongs to.
fn read_devices<D: Disk>(disk: &D, place: &Place) -> Result<String, RecordError> {
    let path = devices_path(place);
    match uninterrupted(|| disk.read(&path, MAX_DEVICES)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(String::new()),
        read => with_path(&path, read).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()),
    }
}

/// Begins a new device on this machine.
fn new_device<D: Disk>(
    disk: &D,
    place: &Place,
    stamper: &mut Stamper,
) -> Result<String, RecordError> {
    let device = format!("{:08x}", stamper.number() >> 32);
    let is_of_another = |line: &&str| {
        let machine = line.split_once(' ').map(|(_, machine)| machine);
        machine.is_some_and(|machine| machine != place.machine)
    };
    let known = read_devices(disk, place)?;
    let mut text: String = known
        .lines()
        .filter(is_of_another)
        .map(|line| format!("{line}\n"))
        .collect();
    text.push_str(&format!("{device} {}\n", place.machine));
    let path = devices_path(place);
    let new = path.with_extension("new");
    with_path(&path, disk::replace(disk, &path, &new, text.as_bytes()))?;
    Ok(device)
}

/// Copies the end of a log to where nothing is overwritten, and returns where.
fn copy_aside<D: Disk>(
    disk: &D,
    place: &Place,
    log: &Path,
    from: usize,
    stamper: &mut Stamper,
) -> Result<PathBuf, RecordError> {
    let bytes = with_path(log, uninterrupted(|| disk.read(log, MAX_LOG)))?;
    let folder = place.data.join("damaged");
    with_path(&folder, uninterrupted(|| disk.make_folder(&folder)))?;
    let stem = log.file_stem().unwrap_or_default().to_string_lossy();
    let name = format!("{stem}.{:016x}", stamper.number());
    let path = folder.join(format!("{name}.jsonl"));
    let new = folder.join(format!("{name}.new"));
    let torn = bytes.get(from..).unwrap_or_default();
    with_path(&path, disk::replace(disk, &path, &new, torn))?;
    Ok(path)
}

/// Adds the path to an error.
fn with_path<T>(path: &Path, done: io::Result<T>) -> Result<T, RecordError> {
    done.map_err(|error| RecordError::File {
        path: path.to_owned(),
        fault: disk::why(&error),
    })
}
