//! Any bytes as changes of the files of a database whose checksums were made again: nothing panics, and every error can be
//! shown.

use std::cell::RefCell;
use std::fs;
use std::path::{Path, PathBuf};

use tabiya_db::{
    BuildOptions, Builder, Collector, Database, DbError, Effort, Filter, Query, ReadFrom,
    SourceFile,
};
use tabiya_game::pgn::{Reader, Replay};
use tabiya_rules::Position;
use tabiya_rules::text::is_safe;

/// Games with shared beginnings, texts, ratings, and a start of their own.
const GAMES: &str = "\
[White \"A\"]\n[Black \"B\"]\n[Date \"2020.01.01\"]\n[WhiteElo \"2500\"]\n[TimeControl \"180+2\"]\n[Result \"1-0\"]\n\n\
1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0\n\n\
[White \"C\"]\n[Black \"D\"]\n[Date \"2021.01.01\"]\n[BlackElo \"2100\"]\n[Result \"0-1\"]\n\n1. e4 e5 2. Nf3 Nf6 0-1\n\n\
[White \"E\"]\n[Black \"F\"]\n[Annotator \"G\"]\n[Result \"1/2-1/2\"]\n\n1. d4 d5 2. c4 c6 1/2-1/2\n\n\
[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n[Result \"1-0\"]\n\n1. e4 Kd7 1-0\n\n";

thread_local! {
    /// The database of this thread, with the bytes that its files should have.
    static SAMPLE: RefCell<Option<Sample>> = const { RefCell::new(None) };
}

struct Sample {
    folder: PathBuf,
    manifest: String,
    /// The files with rows, by their names in the manifest.
    files: Vec<(String, Vec<u8>)>,
}

impl Drop for Sample {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

impl Sample {
    fn new() -> Result<Sample, DbError> {
        let thread = std::thread::current().id();
        let name = format!("tabiya-db-part-{}-{thread:?}", std::process::id());
        let folder = std::env::temp_dir().join(name.replace(['(', ')'], "-"));
        let _ = fs::remove_dir_all(&folder);
        let mut options = BuildOptions::default();
        options.full = true;
        let mut builder = Builder::create(&folder, vec![SourceFile::pipe("games")], options)?;
        let collector = Collector::new(builder.scope(), "games", ReadFrom::Beginning);
        let mut replay = Replay::new(collector);
        let mut reader = Reader::new(GAMES.as_bytes());
        while let Ok(Some(())) = reader.read_game(&mut replay) {}
        builder.add(replay.visitor_mut().take())?;
        builder.finish(&|_, _| {})?;
        let manifest = fs::read_to_string(folder.join("manifest.json")).expect("a manifest");
        let names = manifest
            .lines()
            .filter_map(|line| line.trim().strip_prefix("\"name\": \""));
        let names = names.filter_map(|rest| rest.strip_suffix("\","));
        let read = |name: &str| fs::read(folder.join("data-1").join(name)).ok();
        let files = names.filter_map(|name| Some((name.to_owned(), read(name)?)));
        // Those without rows are small and alike.
        let least = files
            .clone()
            .map(|(_, bytes)| bytes.len())
            .min()
            .unwrap_or_default();
        Ok(Sample {
            files: files
                .filter(|(_, bytes)| bytes.len() > least + 100)
                .collect(),
            manifest: manifest.clone(),
            folder,
        })
    }

    /// Writes a file, its checksums, and the manifest.
    fn write(&self, name: &str, bytes: &[u8]) {
        let path = self.folder.join("data-1").join(name);
        let sums: Vec<u8> = bytes
            .chunks(1 << 15)
            .flat_map(|block| crc32fast::hash(block).to_le_bytes())
            .collect();
        write(&path, bytes);
        write(&path.with_extension("sums"), &sums);
        write(
            &self.folder.join("manifest.json"),
            self.sealed(name, bytes, &sums).as_bytes(),
        );
    }

    /// The manifest for other bytes of a file.
    fn sealed(&self, name: &str, bytes: &[u8], sums: &[u8]) -> String {
        // Nothing in it has a space in a text, so this is the form of which it has the checksum.
        let text: String = self.manifest.split_whitespace().collect();
        let (head, rest) = text
            .split_once(&format!("\"name\":\"{name}\""))
            .expect("the file");
        let (entry, tail) = rest.split_once('}').expect("its end");
        let rows = entry
            .split(',')
            .find(|pair| pair.starts_with("\"rows\""))
            .expect("rows");
        let sums = crc32fast::hash(sums);
        let entry = format!(
            "\"name\":\"{name}\",\"bytes\":{},{rows},\"sums\":{sums}",
            bytes.len()
        );
        let text = format!("{head}{entry}}}{tail}");
        let (_, manifest) = text.split_once("\"manifest\":").expect("the manifest");
        let manifest = &manifest[..manifest.len() - 1];
        let sum = crc32fast::hash(manifest.as_bytes());
        format!("{{\"tabiya_db\":2,\"crc32\":{sum},\"manifest\":{manifest}}}")
    }
}

fn write(path: &Path, bytes: &[u8]) {
    fs::write(path, bytes).expect("a temporary file is written");
}

/// Asks for what the files have, and checks them.
fn ask(folder: &Path) -> Result<(), DbError> {
    let database = Database::open(folder)?;
    let mut positions = vec![Position::start()];
    for moves in [
        &["e4"][..],
        &["e4", "e5", "Nf3"],
        &["d4", "d5", "c4"],
        &["a4"],
    ] {
        let mut position = Position::start();
        for text in moves {
            let m = position.parse_san(text).expect("a legal move");
            position = position.play_unchecked(m);
        }
        positions.push(position);
    }
    let answers = positions.iter().map(|position| {
        database.explore(&Query {
            path: &[],
            position: *position,
            filter: Filter::default(),
            player: None,
            games: 5,
            effort: Effort::EveryGame,
        })
    });
    let answers: Vec<_> = answers.collect();
    let checked = database.check();
    for answer in answers {
        answer?;
    }
    checked
}

/// Changes a file of a database, makes the checksums again, and asks the database. The first byte chooses the file; each
/// three bytes after it are a place and what is changed there.
///
/// # Panics
/// Panics if the property does not hold.
pub fn db_part(bytes: &[u8]) {
    SAMPLE.with_borrow_mut(|sample| {
        let sample = sample.get_or_insert_with(|| Sample::new().expect("a database"));
        let Some((&choice, changes)) = bytes.split_first() else {
            return;
        };
        let (name, original) = &sample.files[usize::from(choice) % sample.files.len()];
        let mut changed = original.clone();
        for change in changes.as_chunks::<3>().0.iter().take(16) {
            let at = usize::from(change[0]) << 8 | usize::from(change[1]);
            let length = changed.len();
            changed[at % length] ^= change[2];
        }
        sample.write(name, &changed);
        let answer = ask(&sample.folder);
        if let Err(error) = &answer {
            let sentence = error.to_string();
            assert!(sentence.chars().all(is_safe), "{sentence:?}");
        }
        sample.write(name, original);
        if changed == *original {
            answer.expect("what nobody changed is whole");
        }
    });
}
