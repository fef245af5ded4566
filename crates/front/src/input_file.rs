//! Files of games as text, in any format: plain, from stdin, compressed with zstd, gzip or bzip2, or in UTF-16.
//!
//! The first bytes of a file decide its format. Everything is read in blocks, so that no file needs more memory than a
//! few blocks, however large it is when decompressed. Files are never memory-mapped: truncating a mapped file would
//! crash the program.

mod utf16;

use std::fs::File;
use std::io::{self, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use bzip2::bufread::MultiBzDecoder;
use flate2::bufread::MultiGzDecoder;
use tabiya_rules::text::clean;
use thiserror::Error;
use utf16::Utf16;

/// How many bytes decide the format.
const MAGIC_LENGTH: usize = 6;

/// Where a `tar` archive has its magic.
const TAR: std::ops::Range<usize> = 257..262;

/// How much of a compressed file is read at once.
const COMPRESSED_BLOCK_SIZE: usize = 1 << 17;

/// The format of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    /// Text in an encoding that extends ASCII.
    Text,
    Utf16Little,
    Utf16Big,
    Zstd,
    Gzip,
    Bzip2,
    Unsupported(UnsupportedFormat),
}

/// A format that is recognized but not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
enum UnsupportedFormat {
    /// What it is, and the command that unpacks it.
    #[error("this is {0}, which is not read here; unpack it with `{1}`")]
    Packed(&'static str, &'static str),
    #[error("this is text in UTF-32, which is not read here; UTF-8 and UTF-16 are")]
    Utf32,
    #[error("this is compressed twice; unpack it once")]
    Twice,
}

const TAR_ARCHIVE: UnsupportedFormat = UnsupportedFormat::Packed("a tar archive", "tar -x");

/// Unsupported formats: their magic bytes, their names, and the commands that unpack them.
const PACKED: [(&[u8], &str, &str); 8] = [
    (b"\xFD7zXZ\0", "compressed with xz", "xz -d"),
    (b"PK\x03\x04", "a zip archive", "unzip"),
    (b"PK\x05\x06", "a zip archive", "unzip"),
    (b"7z\xBC\xAF", "a 7z archive", "7z x"),
    (b"Rar!", "a rar archive", "unrar x"),
    (b"\x04\x22\x4D\x18", "compressed with lz4", "lz4 -d"),
    (b"LZIP", "compressed with lzip", "lzip -d"),
    (b"\x1F\x9D", "compressed with compress", "uncompress"),
];

impl Format {
    /// The format of a file that begins with these bytes.
    fn of(beginning: &[u8]) -> Format {
        for (magic, what, command) in PACKED {
            if beginning.starts_with(magic) {
                return Format::Unsupported(UnsupportedFormat::Packed(what, command));
            }
        }
        match *beginning {
            [0x28, 0xB5, 0x2F, 0xFD, ..] => Format::Zstd,
            // A skippable frame of zstd. The low four bits are free.
            [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..] => Format::Zstd,
            [0x1F, 0x8B, ..] => Format::Gzip,
            [b'B', b'Z', b'h', b'1'..=b'9', 0x31 | 0x17, ..] => Format::Bzip2,
            [0xFF, 0xFE, 0, 0, ..] | [0, 0, 0xFE, 0xFF, ..] => {
                Format::Unsupported(UnsupportedFormat::Utf32)
            }
            [0xFF, 0xFE, ..] => Format::Utf16Little,
            [0xFE, 0xFF, ..] => Format::Utf16Big,
            // Without a byte order mark, but with a tag: no other text has zeros there.
            [b'[', 0, b'A'..=b'Z', 0, ..] => Format::Utf16Little,
            [0, b'[', 0, b'A'..=b'Z', ..] => Format::Utf16Big,
            _ => Format::Text,
        }
    }
}

impl From<UnsupportedFormat> for io::Error {
    fn from(format: UnsupportedFormat) -> io::Error {
        io::Error::new(io::ErrorKind::InvalidData, format)
    }
}

/// An input to read.
#[derive(Debug)]
pub struct InputFile {
    /// `None` for stdin.
    path: Option<PathBuf>,
    /// Its name in messages, safe to show.
    pub name: String,
    /// Why it cannot be read, if that is already known.
    problem: Option<io::Error>,
}

/// The inputs in order. Without files, stdin is read. A folder stands for the files of games in it and below it.
pub fn input_files(files: &[PathBuf]) -> Vec<InputFile> {
    let stdin = [PathBuf::from("-")];
    let files = if files.is_empty() { &stdin } else { files };
    let mut all = Vec::new();
    for input in files.iter().map(|file| InputFile::new(file)) {
        let Some(folder) = input.path.as_deref().filter(|path| path.is_dir()) else {
            all.push(input);
            continue;
        };
        let mut found = Vec::new();
        let read = games_below(folder, 0, &mut found);
        found.sort();
        all.extend(found.iter().map(|file| InputFile::new(file)));
        let problem = match read {
            Ok(()) if found.is_empty() => Some(io::Error::other(NO_GAMES)),
            read => read.err(),
        };
        if problem.is_some() {
            all.push(InputFile { problem, ..input });
        }
    }
    all
}

const NO_GAMES: &str =
    "there is no file of games in this folder: none ends with .pgn, .pgn.zst, .pgn.gz or .pgn.bz2";

/// How deep folders are searched.
const MAX_FOLDER_DEPTH: usize = 64;

/// Collects the files of games in a folder. Links to folders are not followed, so there are no cycles.
fn games_below(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let path = entry.path();
        if entry.file_type()?.is_dir() {
            if depth < MAX_FOLDER_DEPTH {
                games_below(&path, depth + 1, found)?;
            }
        } else if has_games(&path) && path.is_file() {
            found.push(path);
        }
    }
    Ok(())
}

/// How the names of files of games end.
const ENDINGS: [&str; 4] = [".pgn", ".pgn.zst", ".pgn.gz", ".pgn.bz2"];

/// Whether a file's name says that it has games.
pub fn has_games(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let name = name.to_lowercase();
    ENDINGS.into_iter().any(|ending| name.ends_with(ending))
}

impl InputFile {
    /// A file, or stdin for `-`.
    pub fn new(file: &Path) -> InputFile {
        let is_stdin = file == Path::new("-");
        InputFile {
            path: (!is_stdin).then(|| file.to_owned()),
            name: match is_stdin {
                true => "stdin".to_owned(),
                false => clean(&file.display().to_string()).into_owned(),
            },
            problem: None,
        }
    }

    /// The number of bytes to read, if it is known.
    pub fn size(&self) -> Option<u64> {
        let data = self.path.as_ref()?.metadata().ok()?;
        data.is_file().then_some(data.len())
    }

    /// Opens it as text. The bytes read are counted before decompression.
    pub fn open<'a>(&self, count: &'a AtomicU64) -> io::Result<TextReader<'a>> {
        if let Some(problem) = &self.problem {
            return Err(io::Error::new(problem.kind(), problem.to_string()));
        }
        let reader: TextReader<'static> = match &self.path {
            None => Box::new(io::stdin()),
            Some(path) => Box::new(File::open(path)?),
        };
        text(Counted { reader, count })
    }
}

/// Whether the input is plain text, so that offsets in it are those of the file. Its first bytes are read.
pub fn is_plain(reader: &mut dyn Read) -> io::Result<bool> {
    Ok(Format::of(&beginning(reader, MAGIC_LENGTH)?) == Format::Text)
}

/// Reads text in whatever form it came.
pub type TextReader<'a> = Box<dyn Read + Send + 'a>;

/// Opens anything that may be a file of games as text: decompressed, in UTF-8 or an older encoding.
///
/// # Errors
/// It cannot be read, or is something that is recognized and not read here.
pub fn text<'a>(mut reader: impl Read + Send + 'a) -> io::Result<TextReader<'a>> {
    let beginning = beginning(&mut reader, MAGIC_LENGTH)?;
    let format = Format::of(&beginning);
    let whole: TextReader<'a> = Box::new(Cursor::new(beginning).chain(reader));
    let packed = |whole| BufReader::with_capacity(COMPRESSED_BLOCK_SIZE, whole);
    match format {
        Format::Text => Ok(whole),
        Format::Utf16Little => Ok(Box::new(Utf16::new(whole, u16::from_le_bytes))),
        Format::Utf16Big => Ok(Box::new(Utf16::new(whole, u16::from_be_bytes))),
        Format::Zstd => unpacked(Box::new(zstd::Decoder::with_buffer(packed(whole))?)),
        Format::Gzip => unpacked(Box::new(MultiGzDecoder::new(packed(whole)))),
        Format::Bzip2 => unpacked(Box::new(MultiBzDecoder::new(packed(whole)))),
        Format::Unsupported(format) => Err(format.into()),
    }
}

/// The decompressed contents as text.
fn unpacked(reader: TextReader<'_>) -> io::Result<TextReader<'_>> {
    let mut reader = Failing {
        reader,
        failure: None,
    };
    let mut beginning = Vec::with_capacity(TAR.end);
    // A file that is damaged from the start reports that when it is read, like one damaged later.
    let mut start = reader.by_ref().take(TAR.end as u64);
    reader.failure = start.read_to_end(&mut beginning).err();
    if beginning.get(TAR) == Some(b"ustar") {
        return Err(TAR_ARCHIVE.into());
    }
    let format = Format::of(&beginning);
    let whole: TextReader<'_> = Box::new(Cursor::new(beginning).chain(reader));
    match format {
        Format::Text => Ok(whole),
        Format::Utf16Little => Ok(Box::new(Utf16::new(whole, u16::from_le_bytes))),
        Format::Utf16Big => Ok(Box::new(Utf16::new(whole, u16::from_be_bytes))),
        Format::Zstd | Format::Gzip | Format::Bzip2 => Err(UnsupportedFormat::Twice.into()),
        Format::Unsupported(format) => Err(format.into()),
    }
}

/// The first bytes of the input, fewer only at its end.
pub fn beginning(reader: &mut dyn Read, count: usize) -> io::Result<Vec<u8>> {
    let mut beginning = Vec::with_capacity(count);
    reader.take(count as u64).read_to_end(&mut beginning)?;
    Ok(beginning)
}

/// A reader that has already failed, and reports it when it is read.
struct Failing<'a> {
    reader: TextReader<'a>,
    failure: Option<io::Error>,
}

impl Read for Failing<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.failure.take() {
            Some(failure) => Err(failure),
            None => self.reader.read(buffer),
        }
    }
}

/// Counts the bytes read.
struct Counted<'a> {
    reader: TextReader<'static>,
    count: &'a AtomicU64,
}

impl Read for Counted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.reader.read(buffer)?;
        self.count.fetch_add(length as u64, Ordering::Relaxed);
        Ok(length)
    }
}

#[cfg(test)]
mod tests;
