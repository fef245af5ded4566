//! However a file is cut, its parts together are read exactly like the whole.

use std::convert::Infallible;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;

use tabiya_game::pgn::{PgnGame, Reader, RecordReader};
use tabiya_rules::SplitMix64;

use super::*;
use crate::input::inputs;
use crate::tools::pgn::job::{Job, Part, PartWriter};

/// Gives every game whole, with its errors and their places.
struct Everything;

impl Job for Everything {
    type Tally = PgnGame;

    fn read<S: Source<Error = Stopped>>(
        &self,
        part: Part<'_, S>,
        writer: &mut PartWriter<'_, PgnGame>,
    ) -> Result<(), Stopped> {
        let mut reader = RecordReader::from_reader(Reader::starting_at(part.source, part.start));
        while let Some(game) = reader.read()? {
            writer.tally(game);
        }
        Ok(())
    }
}

/// The games as they come when the file is cut, and how many parts there were.
fn in_parts(text: &[u8], block: usize) -> (Vec<PgnGame>, usize) {
    let pool = Arc::new(Pool::new(block));
    let (tasks, waiting) = sync_channel::<PartTask<PgnGame>>(1);
    let (order, items) = sync_channel(1);
    let stop = AtomicBool::new(false);
    let (free, stop) = (&*pool, &stop);
    let input = &inputs(&[])[0];
    let cutter = Cutter {
        pool: pool.clone(),
        tasks,
        order,
        chunks: 1,
    };
    thread::scope(|scope| {
        scope.spawn(move || {
            cutter.cut(input, Ok(Box::new(text))).unwrap();
            cutter.order.send(Item::End).unwrap_or_default();
        });
        scope.spawn(move || {
            while let Ok(task) = waiting.recv() {
                let mut deliver = |chunk| task.out.send(chunk).map_err(|_| Stopped);
                let mut writer = PartWriter::new(stop, &mut deliver);
                let part = Part {
                    name: &task.name,
                    source: Fed::new(task.blocks, free, stop),
                    start: task.start,
                };
                Everything.read(part, &mut writer).unwrap();
                writer.finish();
            }
        });
        let (mut games, mut parts) = (Vec::new(), 0);
        loop {
            match items.recv().unwrap() {
                Item::End => return (games, parts),
                Item::Opened => {}
                Item::Unusable(sentence) => panic!("{sentence}"),
                Item::Part(pieces) => {
                    parts += 1;
                    games.extend(pieces.into_iter().filter_map(|chunk| match chunk {
                        OutputChunk::Tally(game) => Some(game),
                        _ => None,
                    }));
                }
            }
        }
    })
}

fn whole(text: &[u8]) -> Vec<PgnGame> {
    let mut reader = RecordReader::new(text);
    let mut next = || -> Result<Option<PgnGame>, Infallible> { reader.read() };
    std::iter::from_fn(|| next().unwrap_or_default()).collect()
}

#[track_caller]
fn compare(text: &[u8], blocks: &[usize]) {
    let expected = whole(text);
    for &block in blocks {
        let (games, _) = in_parts(text, block);
        assert!(
            games == expected,
            "cut by {block}: {:?}",
            String::from_utf8_lossy(text)
        );
    }
}

/// Parts of games, and texts that make it hard to see where games begin.
const PIECES: [&str; 30] = [
    "[Event \"a\"]\n",
    "[Event \"a\"]",
    "\n[Event \"",
    "\n\n[Event \"b\"]\n",
    "\r\n\r\n[Event \"b\"]\r\n",
    "\r\r[Event \"c\"]\r",
    "\n\r\n[Event \"c\"]\n",
    "[White \"x\\\"",
    "[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"]\n",
    "\n",
    "\n\n",
    "\r\n",
    " ",
    "1. e4 ",
    "e5 ",
    "2. Nf3 Nc6 ",
    "(",
    ") ",
    "{",
    "} ",
    "; rest ",
    "% line",
    "\n%",
    "1-0",
    "* ",
    "$1 ",
    "\"]",
    "Ke2 ",
    "\u{FEFF}",
    "é",
];

#[test]
fn generated_texts() {
    let mut random = SplitMix64::new(3);
    for _ in 0..1_500 {
        let mut text = Vec::new();
        for _ in 0..random.below(60) {
            text.extend_from_slice(PIECES[random.below(PIECES.len())].as_bytes());
        }
        compare(&text, &[16, 19, 40, 64 + random.below(100)]);
    }
}

#[test]
fn ordinary_games_are_read_in_many_parts() {
    let game = "[Event \"x\"]\n[Site \"?\"]\n\n1. e4 {a} e5 2. Qh7 Nc6 1-0\n\n";
    let text = game.repeat(2_000);
    let (games, parts) = in_parts(text.as_bytes(), 1 << 12);
    assert_eq!((games.len(), parts), (2_000, text.len().div_ceil(1 << 12)));
    assert!(games == whole(text.as_bytes()));
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        match entry.path() {
            path if path.is_dir() => files(&path, found),
            path if path.extension().is_some_and(|end| end == "pgn") => found.push(path),
            _ => {}
        }
    }
}

#[test]
fn the_files_of_the_suites() {
    let Some(suites) = std::env::var_os("TABIYA_SUITES") else {
        println!("left out: TABIYA_SUITES is not set, so the PGN files are not read");
        return;
    };
    let mut found = Vec::new();
    files(&Path::new(&suites).join("pgn"), &mut found);
    assert!(!found.is_empty());
    found.sort();
    let mut all = Vec::new();
    for path in found {
        let text = fs::read(path).unwrap();
        if text.len() < 20_000 {
            compare(&text, &[64, 333]);
        }
        compare(&text, &[1 << 12]);
        if all.len() + text.len() < 3_000_000 {
            all.extend_from_slice(&text);
            all.extend_from_slice(b"\n\n");
        }
    }
    compare(&all, &[1 << 10, 1 << 14]);
}
