//! Files and folders that only their owner may read: the links of games and the sessions of the host.

use std::fs::{self, OpenOptions};
use std::io;
use std::path::Path;

use tabiya_store::disk::{self, Disk, SystemDisk, draft_of, folder_of};

/// Creates a folder, or takes the rights of others away from one that exists.
pub(crate) fn make_folder(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)?;
    tighten(folder)
}

/// Takes the rights of others away from a file or a folder.
pub(crate) fn tighten(path: &Path) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = fs::metadata(path)?.permissions().mode();
        if mode & 0o077 != 0 {
            fs::set_permissions(path, fs::Permissions::from_mode(mode & 0o700))?;
        }
    }
    #[cfg(not(unix))]
    let _ = path;
    Ok(())
}

/// Writes a file, replacing the file that was there in one step.
pub(crate) fn write(path: &Path, text: &str) -> io::Result<()> {
    let draft = draft_of(path);
    // Only a program that died can have left one behind.
    let _ = SystemDisk.remove(&draft);
    let mut options = OpenOptions::new();
    options.append(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let put = || {
        let mut file = options.open(&draft)?;
        disk::write_all(&SystemDisk, &mut file, text.as_bytes())?;
        SystemDisk.sync(&file)?;
        SystemDisk.rename(&draft, path)
    };
    put().inspect_err(|_| {
        // The remains of a failed attempt are useless.
        let _ = SystemDisk.remove(&draft);
    })?;
    SystemDisk.sync_folder(folder_of(path))
}
