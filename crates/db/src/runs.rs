//! The external sort: records are sorted in memory and written to files, which are merged part by part.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::Path;

use serde::{Deserialize, Serialize};
use tabiya_store::disk::{Disk, SystemDisk};

use crate::entry::Entry;
use crate::error::{Damage, DbError};
use crate::facts::Speed;
use crate::game_row::Game;
use crate::partition::part_of;

/// The most files that are merged at once.
pub(crate) const FAN_IN: usize = 64;

/// How many bytes of a file are read at a time while it is merged.
const BUFFER: usize = 1 << 16;

/// A record that can be sorted.
pub(crate) trait Record: Sized + Ord {
    /// The number that records are sorted by. Its high bits determine the part.
    fn hash(&self) -> u64;
    fn write(&self, out: &mut Vec<u8>);
    fn read(input: &mut impl Read) -> io::Result<Self>;
}

impl Record for Entry {
    fn hash(&self) -> u64 {
        self.key().hash
    }

    fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.to_bytes());
    }

    fn read(input: &mut impl Read) -> io::Result<Entry> {
        let mut bytes = [0; Entry::BYTES];
        input.read_exact(&mut bytes)?;
        Ok(Entry::from_bytes(&bytes))
    }
}

/// A game and its number in the order of reading. Games are sorted by ID, and copies of a game by that number.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct GameRecord {
    pub(crate) sequence: u64,
    pub(crate) game: Game,
}

impl Ord for GameRecord {
    fn cmp(&self, other: &GameRecord) -> std::cmp::Ordering {
        (self.game.id, self.sequence).cmp(&(other.game.id, other.sequence))
    }
}

impl PartialOrd for GameRecord {
    fn partial_cmp(&self, other: &GameRecord) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl GameRecord {
    /// About how many bytes of memory it takes.
    pub(crate) fn size(&self) -> usize {
        let game = &self.game;
        let texts = [
            &game.white,
            &game.black,
            &game.event,
            &game.site,
            &game.round,
            &game.date,
            &game.eco,
            &game.time_control,
            &game.fen,
            &game.tags,
        ];
        let texts: usize = texts
            .iter()
            .map(|text| text.as_ref().map_or(0, |text| text.len() + 16))
            .sum();
        size_of::<GameRecord>() + texts + game.source.len() + game.moves.len() + 32
    }
}

impl Record for GameRecord {
    fn hash(&self) -> u64 {
        self.game.id
    }

    fn write(&self, out: &mut Vec<u8>) {
        let game = &self.game;
        let numbers = [self.sequence, game.id, game.offset, game.material];
        for number in numbers {
            out.extend_from_slice(&number.to_le_bytes());
        }
        let speed = game
            .speed
            .and_then(|speed| Speed::ALL.iter().position(|&other| other == speed));
        let elo = |elo: Option<u16>| elo.unwrap_or_default();
        let shorts = [
            elo(game.white_elo),
            elo(game.black_elo),
            elo(game.year),
            game.home_pawns,
            speed.map_or(0, |speed| speed as u16 + 1),
        ];
        for number in shorts {
            out.extend_from_slice(&number.to_le_bytes());
        }
        let result = Some(game.result.as_str().to_owned());
        for text in [
            &game.white,
            &game.black,
            &game.event,
            &game.site,
            &game.round,
            &game.date,
            &result,
            &game.eco,
            &game.time_control,
            &game.fen,
            &game.tags,
            &Some(game.source.clone()),
        ] {
            write_bytes(out, text.as_ref().map(String::as_bytes));
        }
        write_bytes(out, Some(&game.moves));
    }

    fn read(input: &mut impl Read) -> io::Result<GameRecord> {
        let sequence = read_u64(input)?;
        let mut game = Game {
            id: read_u64(input)?,
            offset: read_u64(input)?,
            material: read_u64(input)?,
            ..Game::default()
        };
        let some = |number: u16| (number > 0).then_some(number);
        game.white_elo = some(read_u16(input)?);
        game.black_elo = some(read_u16(input)?);
        game.year = some(read_u16(input)?);
        game.home_pawns = read_u16(input)?;
        let speed = read_u16(input)?.checked_sub(1);
        game.speed = speed.and_then(|speed| Speed::ALL.get(usize::from(speed)).copied());
        game.white = read_text(input)?;
        game.black = read_text(input)?;
        game.event = read_text(input)?;
        game.site = read_text(input)?;
        game.round = read_text(input)?;
        game.date = read_text(input)?;
        game.result = read_text(input)?
            .and_then(|text| text.parse().ok())
            .unwrap_or_default();
        game.eco = read_text(input)?;
        game.time_control = read_text(input)?;
        game.fen = read_text(input)?;
        game.tags = read_text(input)?;
        game.source = read_text(input)?.unwrap_or_default();
        game.moves = read_bytes(input)?.unwrap_or_default();
        Ok(GameRecord { sequence, game })
    }
}

fn write_bytes(out: &mut Vec<u8>, bytes: Option<&[u8]>) {
    let length = bytes.map_or(u32::MAX, |bytes| bytes.len() as u32);
    out.extend_from_slice(&length.to_le_bytes());
    out.extend_from_slice(bytes.unwrap_or_default());
}

fn read_bytes(input: &mut impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut length = [0; 4];
    input.read_exact(&mut length)?;
    let length = u32::from_le_bytes(length);
    if length == u32::MAX {
        return Ok(None);
    }
    // The length may be wrong, so it alone must not decide how much is allocated.
    let mut bytes = Vec::new();
    input.take(u64::from(length)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 == u64::from(length) {
        Ok(Some(bytes))
    } else {
        Err(io::ErrorKind::UnexpectedEof.into())
    }
}

fn read_text(input: &mut impl Read) -> io::Result<Option<String>> {
    let bytes = read_bytes(input)?;
    Ok(bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
}

fn read_u64(input: &mut impl Read) -> io::Result<u64> {
    let mut bytes = [0; 8];
    input.read_exact(&mut bytes)?;
    Ok(u64::from_le_bytes(bytes))
}

fn read_u16(input: &mut impl Read) -> io::Result<u16> {
    let mut bytes = [0; 2];
    input.read_exact(&mut bytes)?;
    Ok(u16::from_le_bytes(bytes))
}

/// A file of sorted records.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Run {
    pub(crate) name: String,
    /// Where the records of each part begin, and where the last part ends.
    pub(crate) starts: Vec<u64>,
    /// The CRC-32 of the file.
    pub(crate) crc: u32,
}

impl Run {
    /// Whether the file is as it was written.
    pub(crate) fn is_whole(&self, folder: &Path) -> bool {
        let check = || -> io::Result<bool> {
            let mut file = File::open(folder.join(&self.name))?;
            let mut hasher = crc32fast::Hasher::new();
            let mut buffer = vec![0; 1 << 20];
            let mut length = 0;
            loop {
                let count = file.read(&mut buffer)?;
                if count == 0 {
                    break;
                }
                length += count as u64;
                hasher.update(buffer.get(..count).unwrap_or_default());
            }
            Ok(self.starts.last() == Some(&length) && hasher.finalize() == self.crc)
        };
        check().unwrap_or(false)
    }
}

/// Writes sorted records to a file.
struct RunWriter {
    path: std::path::PathBuf,
    file: BufWriter<File>,
    parts: u32,
    starts: Vec<u64>,
    length: u64,
    hasher: crc32fast::Hasher,
    scratch: Vec<u8>,
}

impl RunWriter {
    /// Begins a file, in place of one that an interrupted build has left.
    fn create(path: &Path, parts: u32) -> Result<RunWriter, DbError> {
        let failed = |error| DbError::io(path, &error);
        match SystemDisk.remove(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(failed(error)),
            _ => {}
        }
        let file = SystemDisk.create(path).map_err(failed)?;
        Ok(RunWriter {
            path: path.to_owned(),
            file: BufWriter::with_capacity(1 << 18, file),
            parts,
            starts: vec![0],
            length: 0,
            hasher: crc32fast::Hasher::new(),
            scratch: Vec::new(),
        })
    }

    /// Adds a record. Records must be added in their order.
    fn push(&mut self, record: &impl Record) -> Result<(), DbError> {
        let part = part_of(record.hash(), self.parts) as usize;
        self.starts.resize(part + 1, self.length);
        self.scratch.clear();
        record.write(&mut self.scratch);
        self.length += self.scratch.len() as u64;
        self.hasher.update(&self.scratch);
        self.file
            .write_all(&self.scratch)
            .map_err(|error| DbError::io(&self.path, &error))
    }

    fn finish(mut self, name: &str) -> Result<Run, DbError> {
        self.file
            .flush()
            .map_err(|error| DbError::io(&self.path, &error))?;
        self.starts.resize(self.parts as usize + 1, self.length);
        Ok(Run {
            name: name.to_owned(),
            starts: self.starts,
            crc: self.hasher.finalize(),
        })
    }
}

/// Sorts records and writes them to a file.
pub(crate) fn write_sorted<R: Record>(
    folder: &Path,
    name: &str,
    parts: u32,
    mut records: Vec<R>,
) -> Result<Run, DbError> {
    records.sort_unstable();
    let mut writer = RunWriter::create(&folder.join(name), parts)?;
    for record in &records {
        writer.push(record)?;
    }
    writer.finish(name)
}

/// Merges several files into one.
pub(crate) fn combine<R: Record>(
    folder: &Path,
    name: &str,
    parts: u32,
    runs: &[Run],
) -> Result<Run, DbError> {
    let mut writer = RunWriter::create(&folder.join(name), parts)?;
    let mut merge = Merge::<R>::open(folder, runs, 0..parts)?;
    while let Some(record) = merge.next()? {
        writer.push(&record)?;
    }
    writer.finish(name)
}

/// The records of some parts of several files, in order.
pub(crate) struct Merge<R> {
    sources: Vec<Source>,
    heads: BinaryHeap<Reverse<(R, usize)>>,
}

struct Source {
    path: std::path::PathBuf,
    input: io::Take<BufReader<File>>,
}

impl<R: Record> Merge<R> {
    pub(crate) fn open(
        folder: &Path,
        runs: &[Run],
        parts: Range<u32>,
    ) -> Result<Merge<R>, DbError> {
        let mut merge = Merge {
            sources: Vec::with_capacity(runs.len()),
            heads: BinaryHeap::with_capacity(runs.len()),
        };
        for run in runs {
            let path = folder.join(&run.name);
            let place = |part: u32| run.starts.get(part as usize).copied();
            let (Some(start), Some(end)) = (place(parts.start), place(parts.end)) else {
                return Err(DbError::damaged(&path, Damage::Changed(0)));
            };
            if start == end {
                continue;
            }
            let failed = |error| DbError::io(&path, &error);
            let mut file = File::open(&path).map_err(failed)?;
            file.seek(SeekFrom::Start(start)).map_err(failed)?;
            let input = BufReader::with_capacity(BUFFER, file).take(end - start);
            merge.sources.push(Source { path, input });
            merge.advance(merge.sources.len() - 1)?;
        }
        Ok(merge)
    }

    /// Puts the next record of a file among those that wait.
    fn advance(&mut self, source: usize) -> Result<(), DbError> {
        if let Some(record) = self.pull(source)? {
            self.heads.push(Reverse((record, source)));
        }
        Ok(())
    }

    /// Reads the next record of a file; `None` after the last one that is wanted.
    fn pull(&mut self, source: usize) -> Result<Option<R>, DbError> {
        let Some(Source { path, input }) = self.sources.get_mut(source) else {
            return Ok(None);
        };
        if input.limit() == 0 {
            return Ok(None);
        }
        R::read(input)
            .map(Some)
            .map_err(|error| DbError::io(path, &error))
    }

    /// The next record.
    pub(crate) fn next(&mut self) -> Result<Option<R>, DbError> {
        let Some(&Reverse((_, source))) = self.heads.peek() else {
            return Ok(None);
        };
        let next = self.pull(source)?;
        let taken = match (next, self.heads.peek_mut()) {
            // Replaces the top of the heap, which costs half as much as a pop and a push.
            (Some(next), Some(mut head)) => std::mem::replace(&mut head.0.0, next),
            (None, Some(head)) => PeekMut::pop(head).0.0,
            (_, None) => return Ok(None),
        };
        Ok(Some(taken))
    }
}
