//! Imports from a server on this machine that behaves as badly as any.

mod chesscom;
mod lichess;
mod server;
mod values;

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use crate::{Account, Import, ImportError, Site, Stopper, Summary};
use server::Server;

/// A user's folders.
struct Home(tempfile::TempDir);

impl Home {
    fn new() -> Home {
        Home(tempfile::tempdir().expect("a folder"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// An import of Anna's games that waits for nothing for long.
    fn import(&self, site: Site, server: &Server) -> Import {
        let account = Account::new(site, "Anna").expect("a name");
        let lock = self.path("state/import.lock");
        let mut import = Import::new(account, self.path("games"), lock, 1 << 20);
        // 1 January 2027.
        import.now = 1_798_761_600;
        import.origin = server
            .address()
            .parse()
            .expect("an address of this machine");
        import.pause = Duration::from_millis(120);
        import.read_timeout = Duration::from_secs(20);
        import
    }

    /// The file of a month.
    fn file(&self, name: &str) -> String {
        fs::read_to_string(self.path("games").join(name)).expect("a file")
    }

    /// The names of all files.
    fn files(&self) -> Vec<String> {
        let listed = fs::read_dir(self.path("games")).expect("a folder");
        let name = |file: fs::DirEntry| file.file_name().into_string().expect("UTF-8");
        let mut names: Vec<String> = listed.map(|file| name(file.expect("a file"))).collect();
        names.sort();
        names
    }
}

fn run(import: &Import) -> (Summary, Result<(), ImportError>) {
    import.run(&Stopper::default(), &mut |_| {})
}

/// What an import counted: new games, known ones, variants, and what was not readable.
fn counts(summary: &Summary) -> [u64; 4] {
    [
        summary.new,
        summary.known,
        summary.variants,
        summary.unreadable,
    ]
}

/// An import that went well.
#[track_caller]
fn fine(import: &Import) -> [u64; 4] {
    let (summary, done) = run(import);
    assert_eq!(done, Ok(()));
    counts(&summary)
}

fn names(files: &[PathBuf]) -> Vec<&str> {
    let names = files.iter().filter_map(|path| path.file_name()?.to_str());
    names.collect()
}
