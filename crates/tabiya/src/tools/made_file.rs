//! Files that the program generates: pictures and pages. An existing file is replaced if it is of the same kind;
//! anything else is left alone.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use tabiya_store::disk::{self, NewFile, SystemDisk, draft_of};

use crate::failure::Failure;

/// A kind of generated file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kind {
    /// How such files begin.
    pub(crate) beginning: &'static str,
    /// The name of the kind, as in "there is a file that is no …".
    pub(crate) name: &'static str,
}

/// Writes a text to a file.
pub(crate) fn write(path: &Path, text: &str, kind: Kind) -> Result<(), Failure> {
    let name = path.display().to_string();
    let failed = |error: io::Error| Failure::system(&name, &error);
    let written = match fs::metadata(path) {
        Ok(there) if there.is_file() => {
            if !is_of(path, kind).map_err(failed)? {
                return Err(Failure::Unusable(format!(
                    "{name}: there is a file that is no {}; it was left alone",
                    kind.name
                )));
            }
            // A link to such a file stays a link.
            fs::canonicalize(path).and_then(|target| {
                disk::replace(&SystemDisk, &target, &draft_of(&target), text.as_bytes())
            })
        }
        // Pipes and terminals are written to.
        Ok(_) => fs::write(path, text),
        Err(error) if error.kind() == ErrorKind::NotFound => NewFile::write_text(path, text),
        Err(error) => Err(error),
    };
    written.map_err(failed)
}

/// Whether a file is of a kind, or empty.
fn is_of(path: &Path, kind: Kind) -> io::Result<bool> {
    let mut beginning = Vec::new();
    File::open(path)?
        .take(kind.beginning.len() as u64)
        .read_to_end(&mut beginning)?;
    Ok(beginning.is_empty() || beginning == kind.beginning.as_bytes())
}
