//! A system without signals: there is nothing to watch, and no shell to stop for.

use std::io;
use std::sync::mpsc::SyncSender;

use crate::runtime::Incoming;

pub(in crate::runtime) fn watch(_: SyncSender<Incoming>) -> io::Result<()> {
    Ok(())
}

pub(in crate::runtime) fn stop() -> io::Result<()> {
    Ok(())
}

pub(super) fn die_by(_: i32) -> io::Result<()> {
    Ok(())
}
