//! Rows of a table with types as bytes, so that they can wait in a temporary file: each value after its length.

/// Puts the values of a row into bytes.
pub(super) fn encode(values: &[String]) -> Vec<u8> {
    let mut row = Vec::new();
    for value in values {
        row.extend_from_slice(&value.len().to_le_bytes());
        row.extend_from_slice(value.as_bytes());
    }
    row
}

/// The values of a row that [`encode`] made.
pub(super) fn values(mut row: &[u8]) -> impl Iterator<Item = &str> {
    std::iter::from_fn(move || {
        let (length, rest) = row.split_first_chunk()?;
        let (value, rest) = rest.split_at_checked(usize::from_le_bytes(*length))?;
        row = rest;
        str::from_utf8(value).ok()
    })
}

#[cfg(test)]
mod tests;
