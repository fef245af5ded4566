//! The bytes of the files that were asked for: plain, from stdin, or compressed with zstd.
//!
//! Files are read piece by piece and never mapped: a mapped file that somebody shortens would end the program.

use std::fs::File;
use std::io::{self, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::clean::clean;

/// How a file of zstd begins.
const ZSTD: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];

/// How a part begins that zstd passes over, its first byte aside, of which the low four bits are free.
const SKIPPABLE: [u8; 3] = [0x2A, 0x4D, 0x18];

/// One of the things to be read.
#[derive(Debug)]
pub(crate) struct Input {
    /// `None` is stdin.
    path: Option<PathBuf>,
    /// Its name in messages, safe to show.
    pub(crate) name: String,
}

/// The things to be read, in their order. No file is stdin.
pub(crate) fn inputs(files: &[PathBuf]) -> Vec<Input> {
    let stdin = [PathBuf::from("-")];
    let files = if files.is_empty() { &stdin } else { files };
    files.iter().map(|file| Input::new(file)).collect()
}

/// How many bytes there are to be read, where that is known of all.
pub(crate) fn total(inputs: &[Input]) -> Option<u64> {
    inputs
        .iter()
        .map(|input| {
            let data = input.path.as_ref()?.metadata().ok()?;
            data.is_file().then_some(data.len())
        })
        .sum()
}

impl Input {
    fn new(file: &Path) -> Input {
        if file == Path::new("-") {
            return Input {
                path: None,
                name: "stdin".to_owned(),
            };
        }
        Input {
            path: Some(file.to_owned()),
            name: clean(&file.display().to_string()).into_owned(),
        }
    }

    /// Opens it, and finds out what it is by its first bytes. What is read of it is counted as it comes, before it is
    /// decompressed.
    pub(crate) fn open<'a>(&self, count: &'a AtomicU64) -> io::Result<Box<dyn Read + Send + 'a>> {
        match &self.path {
            None => plain_or_compressed(Counted {
                reader: io::stdin(),
                count,
            }),
            Some(path) => open_file(path, count),
        }
    }
}

/// Opens a file, plain or compressed.
pub(crate) fn open_file<'a>(
    path: &Path,
    count: &'a AtomicU64,
) -> io::Result<Box<dyn Read + Send + 'a>> {
    plain_or_compressed(Counted {
        reader: File::open(path)?,
        count,
    })
}

/// Whether what comes next is compressed. Its first bytes are read.
pub(crate) fn is_compressed(reader: &mut dyn Read) -> io::Result<bool> {
    let mut beginning = Vec::with_capacity(ZSTD.len());
    reader.take(ZSTD.len() as u64).read_to_end(&mut beginning)?;
    Ok(begins_compressed(&beginning))
}

fn begins_compressed(beginning: &[u8]) -> bool {
    beginning == ZSTD
        || matches!(*beginning, [first, ref rest @ ..] if first >> 4 == 5 && *rest == SKIPPABLE)
}

fn plain_or_compressed<'a, R: Read + Send + 'a>(
    mut reader: R,
) -> io::Result<Box<dyn Read + Send + 'a>> {
    let mut beginning = Vec::with_capacity(ZSTD.len());
    (&mut reader)
        .take(ZSTD.len() as u64)
        .read_to_end(&mut beginning)?;
    let compressed = begins_compressed(&beginning);
    let whole = Cursor::new(beginning).chain(reader);
    if compressed {
        let decoder = zstd::Decoder::with_buffer(BufReader::with_capacity(1 << 17, whole))?;
        return Ok(Box::new(decoder));
    }
    Ok(Box::new(whole))
}

/// Counts what is read.
struct Counted<'a, R> {
    reader: R,
    count: &'a AtomicU64,
}

impl<R: Read> Read for Counted<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.reader.read(buffer)?;
        self.count.fetch_add(length as u64, Ordering::Relaxed);
        Ok(length)
    }
}

/// Reads what there is, however often the system interrupts.
pub(crate) fn read_some(reader: &mut dyn Read, buffer: &mut [u8]) -> io::Result<usize> {
    loop {
        match reader.read(buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            answer => return answer,
        }
    }
}
