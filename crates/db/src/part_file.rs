//! One immutable file of a database. Every block has a checksum, so a reader checks just the blocks it reads.

use std::fmt;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use tabiya_store::disk::{Disk, SystemDisk};

use crate::block_cache::BlockCache;
use crate::error::{Damage, DbError};

/// The size of a block, which has one checksum.
const BLOCK: usize = 1 << 15;

/// The most bytes that are read at a time, which is the most of a footer or a page, and a little more for its header.
const MAX_BYTES: usize = (1 << 26) + (1 << 16);

/// The most bytes of a file, so that its checksums fit into memory.
const MAX_FILE: u64 = 1 << 39;

/// Reads of this many blocks or more are not cached.
const MAX_CACHED_BLOCKS: u64 = 8;

/// What the manifest says about a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PartInfo {
    /// Its path below the folder with the data, with slashes.
    pub(crate) name: String,
    pub(crate) bytes: u64,
    pub(crate) rows: u64,
    /// The CRC-32 of the file with the checksums.
    pub(crate) sums: u32,
}

/// The path of the file with the checksums.
pub(crate) fn sums_path(path: &Path) -> PathBuf {
    path.with_extension("sums")
}

/// A file that is being written, with the checksums of its blocks.
#[derive(Debug)]
pub(crate) struct PartWriter {
    path: PathBuf,
    file: File,
    /// What is not written yet, less than a block.
    block: Vec<u8>,
    bytes: u64,
    sums: Vec<u8>,
}

impl PartWriter {
    /// Begins a file, in place of one that an interrupted build has left.
    pub(crate) fn create(path: &Path) -> Result<PartWriter, DbError> {
        let failed = |error| DbError::io(path, &error);
        for old in [path, &sums_path(path)] {
            match SystemDisk.remove(old) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(failed(error)),
                _ => {}
            }
        }
        Ok(PartWriter {
            path: path.to_owned(),
            file: SystemDisk.create(path).map_err(failed)?,
            block: Vec::with_capacity(BLOCK),
            bytes: 0,
            sums: Vec::new(),
        })
    }

    /// Writes a block, and records its checksum.
    fn flush_block(&mut self) -> io::Result<()> {
        self.file.write_all(&self.block)?;
        self.bytes += self.block.len() as u64;
        let sum = crc32fast::hash(&self.block);
        self.sums.extend_from_slice(&sum.to_le_bytes());
        self.block.clear();
        Ok(())
    }

    /// Writes the rest and the checksums, and waits until everything is on disk.
    pub(crate) fn finish(mut self, name: &str, rows: u64) -> Result<PartInfo, DbError> {
        let path = self.path.clone();
        let failed = |error| DbError::io(&path, &error);
        if !self.block.is_empty() {
            self.flush_block().map_err(failed)?;
        }
        SystemDisk.sync(&self.file).map_err(failed)?;
        let mut sums = SystemDisk.create(&sums_path(&path)).map_err(failed)?;
        sums.write_all(&self.sums).map_err(failed)?;
        SystemDisk.sync(&sums).map_err(failed)?;
        Ok(PartInfo {
            name: name.to_owned(),
            bytes: self.bytes,
            rows,
            sums: crc32fast::hash(&self.sums),
        })
    }
}

impl Write for PartWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = bytes.len().min(BLOCK - self.block.len());
        self.block
            .extend_from_slice(bytes.get(..count).unwrap_or_default());
        if self.block.len() == BLOCK {
            self.flush_block()?;
        }
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A file that is being read. Each block is checked when it is read.
#[derive(Clone)]
pub(crate) struct PartFile(Arc<OpenPart>);

struct OpenPart {
    path: PathBuf,
    file: Mutex<File>,
    bytes: u64,
    sums: Vec<u32>,
    blocks: Arc<BlockCache>,
    /// The file's number in the cache.
    number: u64,
}

impl fmt::Debug for PartFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("PartFile").field(&self.0.path).finish()
    }
}

impl PartFile {
    /// Opens a file, which must be what the manifest says.
    pub(crate) fn open(
        path: &Path,
        info: &PartInfo,
        blocks: Arc<BlockCache>,
    ) -> Result<PartFile, DbError> {
        let damaged = |damage| DbError::damaged(path, damage);
        let file = match File::open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(damaged(Damage::Missing));
            }
            Err(error) => return Err(DbError::io(path, &error)),
        };
        let found = file
            .metadata()
            .map_err(|error| DbError::io(path, &error))?
            .len();
        if found != info.bytes || found > MAX_FILE {
            return Err(damaged(Damage::Length {
                expected: info.bytes,
                found,
            }));
        }
        Ok(PartFile(Arc::new(OpenPart {
            path: path.to_owned(),
            file: Mutex::new(file),
            bytes: found,
            sums: read_sums(&sums_path(path), info)?,
            number: blocks.number_file(),
            blocks,
        })))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0.path
    }

    /// How many bytes it has.
    pub(crate) fn len(&self) -> u64 {
        self.0.bytes
    }

    /// Returns the bytes of a range, from the cache where it has them.
    pub(crate) fn bytes(&self, range: Range<u64>) -> Result<Bytes, DbError> {
        let length = usize::try_from(range.end.saturating_sub(range.start));
        let bytes = match length {
            Ok(length) if length <= MAX_BYTES => self.read_through_cache(range.start, length),
            _ => Err(io::ErrorKind::FileTooLarge.into()),
        };
        bytes.map_err(|error| self.failed(&error))
    }

    /// The error of a read, which may say that the file is damaged.
    fn failed(&self, error: &io::Error) -> DbError {
        match error
            .get_ref()
            .and_then(|inner| inner.downcast_ref::<Damage>())
        {
            Some(damage) => DbError::damaged(&self.0.path, damage.clone()),
            None => DbError::io(&self.0.path, error),
        }
    }

    /// Returns some bytes. The blocks of a short range come from the cache, or are put there.
    fn read_through_cache(&self, start: u64, length: usize) -> io::Result<Bytes> {
        let block = BLOCK as u64;
        let end = start.saturating_add(length as u64);
        let numbers = start / block..end.div_ceil(block);
        if length == 0 || numbers.end - numbers.start > MAX_CACHED_BLOCKS {
            return self.read(start, length);
        }
        let OpenPart { blocks, number, .. } = &*self.0;
        let cached = numbers.clone().map(|at| blocks.get(*number, at));
        let found = match cached.collect::<Option<Vec<Bytes>>>() {
            Some(found) => found,
            None => self.load_blocks(numbers.clone())?,
        };
        let skipped = (start - numbers.start * block) as usize;
        let whole = match found.as_slice() {
            [one] => one.clone(),
            several => Bytes::from(several.concat()),
        };
        if skipped + length > whole.len() {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(whole.slice(skipped..skipped + length))
    }

    /// Reads consecutive blocks into the cache.
    fn load_blocks(&self, numbers: Range<u64>) -> io::Result<Vec<Bytes>> {
        let OpenPart { blocks, number, .. } = &*self.0;
        let block = BLOCK as u64;
        let from = numbers.start * block;
        let to = (numbers.end * block).min(self.0.bytes);
        let whole = self.read(from, to.saturating_sub(from) as usize)?;
        let cut = |at: u64| {
            let begin = ((at - numbers.start) * block) as usize;
            let end = (begin + BLOCK).min(whole.len());
            // A copy, so that a cached block does not keep its neighbors in memory.
            Bytes::copy_from_slice(whole.get(begin..end).unwrap_or_default())
        };
        let found: Vec<Bytes> = numbers.clone().map(cut).collect();
        for (at, bytes) in numbers.clone().zip(&found) {
            blocks.insert(*number, at, bytes.clone());
        }
        Ok(found)
    }

    /// Reads some bytes and checks their blocks.
    fn read(&self, start: u64, length: usize) -> io::Result<Bytes> {
        let end = start.checked_add(length as u64);
        let end = end.filter(|&end| end <= self.0.bytes);
        let end = end.ok_or(io::ErrorKind::UnexpectedEof)?;
        let block = BLOCK as u64;
        let (from, to) = (start / block * block, end.div_ceil(block) * block);
        let mut buffer = vec![0; (to.min(self.0.bytes) - from) as usize];
        {
            let mut file = self.0.file.lock().unwrap_or_else(PoisonError::into_inner);
            file.seek(SeekFrom::Start(from))?;
            file.read_exact(&mut buffer)?;
        }
        for (number, bytes) in (from / block..).zip(buffer.chunks(BLOCK)) {
            if self.0.sums.get(number as usize) != Some(&crc32fast::hash(bytes)) {
                return Err(io::Error::other(Damage::Changed(number * block)));
            }
        }
        let skipped = (start - from) as usize;
        Ok(Bytes::from(buffer).slice(skipped..skipped + length))
    }

    /// Reads and checks the whole file.
    pub(crate) fn check(&self) -> Result<(), DbError> {
        let mut start = 0;
        while start < self.0.bytes {
            let length = (self.0.bytes - start).min(32 * BLOCK as u64);
            self.read(start, length as usize)
                .map_err(|error| self.failed(&error))?;
            start += length;
        }
        Ok(())
    }
}

/// Reads the checksums of a file's blocks.
fn read_sums(path: &Path, info: &PartInfo) -> Result<Vec<u32>, DbError> {
    let count = info.bytes.div_ceil(BLOCK as u64);
    let bytes = match SystemDisk.read(path, count * 4) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Err(DbError::damaged(path, Damage::Missing));
        }
        Err(error) => return Err(DbError::io(path, &error)),
    };
    if bytes.len() as u64 != count * 4 || crc32fast::hash(&bytes) != info.sums {
        return Err(DbError::damaged(path, Damage::Changed(0)));
    }
    let (sums, _) = bytes.as_chunks::<4>();
    Ok(sums.iter().map(|sum| u32::from_le_bytes(*sum)).collect())
}
