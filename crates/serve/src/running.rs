//! Which games of a folder a server runs: no other server may run them at the same time.

use std::io;
use std::path::Path;

use tabiya_store::disk::{Disk, FileLock, SystemDisk};

use crate::config::Share;
use crate::private;

/// Locks on the games of a server, until it is dropped: one for each digit that their IDs begin with.
#[derive(Debug)]
pub(crate) struct Running {
    _locks: Vec<FileLock>,
}

impl Running {
    /// Locks the games of a share; `None` if another server runs some of them.
    pub(crate) fn lock(folder: &Path, share: Share) -> io::Result<Option<Running>> {
        let mut locks = Vec::new();
        for digit in "0123456789abcdef".chars() {
            if share.has(digit.encode_utf8(&mut [0; 4])) {
                let path = folder.join(format!("running-{digit}.lock"));
                let Some(lock) = SystemDisk.lock(&path)? else {
                    return Ok(None);
                };
                private::tighten(&path)?;
                locks.push(lock);
            }
        }
        Ok(Some(Running { _locks: locks }))
    }
}
