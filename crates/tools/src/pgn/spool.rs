//! Texts in an anonymous temporary file, until it is known whether and in which order they are written.
//!
//! The system removes the file, whatever happens to the program. Memory is needed only for the offset of each text.

use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};

use tabiya_front::failure::Failure;

/// The place of a text in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    offset: u64,
    length: u32,
}

/// Texts to read in any order.
#[derive(Debug)]
pub(crate) struct Spool {
    file: BufWriter<File>,
    length: u64,
    /// The text that was read last.
    text: Vec<u8>,
}

impl Spool {
    pub(crate) fn new() -> Result<Spool, Failure> {
        let file = tempfile::tempfile().map_err(|error| failed(&error))?;
        Ok(Spool {
            file: BufWriter::with_capacity(1 << 20, file),
            length: 0,
            text: Vec::new(),
        })
    }

    /// Adds a text. All texts are added before the first is read.
    pub(crate) fn add(&mut self, text: &[u8]) -> Result<Span, Failure> {
        let too_long = || failed(&io::ErrorKind::FileTooLarge.into());
        let length = u32::try_from(text.len()).map_err(|_| too_long())?;
        self.file.write_all(text).map_err(|error| failed(&error))?;
        let offset = self.length;
        self.length += u64::from(length);
        Ok(Span { offset, length })
    }

    /// Reads a text again.
    pub(crate) fn read(&mut self, place: Span) -> Result<&[u8], Failure> {
        self.text.resize(place.length as usize, 0);
        // Seeking writes out what is still in the buffer.
        let sought = self.file.seek(SeekFrom::Start(place.offset));
        sought
            .and_then(|_| self.file.get_mut().read_exact(&mut self.text))
            .map_err(|error| failed(&error))?;
        Ok(&self.text)
    }
}

fn failed(error: &io::Error) -> Failure {
    Failure::system(
        "games cannot be put aside in the folder for temporary files",
        error,
    )
}

#[cfg(test)]
mod tests;
