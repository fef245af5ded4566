//! A Parquet file with columns of any names, to use games in other programs.

use std::fmt;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parquet::basic::{LogicalType, Repetition, Type as Physical};
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;

use crate::column::{self, Column};
use crate::error::DbError;

/// How many bytes of values are buffered before they are written.
const HELD: usize = 16 << 20;

/// The type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnKind {
    /// UTF-8 text.
    Text,
    /// 32-bit integers. A text that is not one becomes null.
    Number,
}

/// A Parquet file that is written row by row.
///
/// Values are texts, and an empty text is null. The memory used does not depend on the number of rows.
///
/// ```
/// use std::path::Path;
/// use tabiya_db::{ColumnKind, ParquetWriter};
///
/// let columns = [("White", ColumnKind::Text), ("plies", ColumnKind::Number)];
/// let mut writer = ParquetWriter::new(Path::new("games.parquet"), Vec::new(), &columns)?;
/// writer.push(["Morphy", "33"])?;
/// let bytes = writer.finish()?;
/// assert_eq!(&bytes[..4], b"PAR1");
/// # Ok::<(), tabiya_db::DbError>(())
/// ```
pub struct ParquetWriter<W: Write + Send> {
    encoder: Encoder,
    out: W,
}

impl<W: Write + Send> fmt::Debug for ParquetWriter<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ParquetWriter")
            .field("path", &self.encoder.path)
            .finish_non_exhaustive()
    }
}

impl<W: Write + Send> ParquetWriter<W> {
    /// Begins a file. The path is only used in error messages.
    ///
    /// # Errors
    /// Two columns have the same name, or the file cannot be written.
    pub fn new(
        path: &Path,
        out: W,
        columns: &[(&str, ColumnKind)],
    ) -> Result<ParquetWriter<W>, DbError> {
        let encoder = Encoder::new(path, columns)?;
        Ok(ParquetWriter { encoder, out })
    }

    /// Adds a row. Missing values are null, and surplus ones are ignored.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn push<'a>(&mut self, row: impl IntoIterator<Item = &'a str>) -> Result<(), DbError> {
        let Encoder { columns, held, .. } = &mut self.encoder;
        let mut row = row.into_iter();
        for column in columns {
            let text = row.next().unwrap_or_default();
            *held += text.len() + size_of::<Option<ByteArray>>();
            push_text(column, text);
        }
        if *held >= HELD {
            let bytes = self.encoder.encode()?;
            self.write(&bytes)?;
        }
        Ok(())
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), DbError> {
        let written = self.out.write_all(bytes);
        written.map_err(|error| DbError::io(&self.encoder.path, &error))
    }

    /// Writes the rest and returns the writer.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn finish(mut self) -> Result<W, DbError> {
        let rest = self.encoder.finish()?;
        self.write(&rest)?;
        Ok(self.out)
    }
}

/// The rows that are not written yet, and the bytes that they become. It does not know where these go, so that the Parquet
/// library is compiled in this crate only.
struct Encoder {
    path: PathBuf,
    writer: SerializedFileWriter<Vec<u8>>,
    columns: Vec<Column>,
    held: usize,
}

impl Encoder {
    fn new(path: &Path, columns: &[(&str, ColumnKind)]) -> Result<Encoder, DbError> {
        let failed = |error| DbError::parquet(path, error);
        let schema = schema(columns).map_err(failed)?;
        let properties = column::properties().build();
        let writer = SerializedFileWriter::new(Vec::new(), Arc::new(schema), Arc::new(properties));
        Ok(Encoder {
            path: path.to_owned(),
            writer: writer.map_err(failed)?,
            columns: columns
                .iter()
                .map(|(_, kind)| Column::empty(kind.physical()))
                .collect(),
            held: 0,
        })
    }

    /// Turns the rows into a row group. Returns the bytes that are complete.
    fn encode(&mut self) -> Result<Vec<u8>, DbError> {
        self.held = 0;
        column::write_group(&mut self.writer, &mut self.columns)
            .map_err(|error| DbError::parquet(&self.path, error))?;
        Ok(std::mem::take(self.writer.inner_mut()))
    }

    /// Turns the rest into bytes, with the footer.
    fn finish(&mut self) -> Result<Vec<u8>, DbError> {
        let mut bytes = match self.held {
            0 => Vec::new(),
            _ => self.encode()?,
        };
        self.writer
            .finish()
            .map_err(|error| DbError::parquet(&self.path, error))?;
        bytes.append(self.writer.inner_mut());
        Ok(bytes)
    }
}

impl ColumnKind {
    fn physical(self) -> Physical {
        match self {
            ColumnKind::Text => Physical::BYTE_ARRAY,
            ColumnKind::Number => Physical::INT32,
        }
    }
}

fn push_text(column: &mut Column, text: &str) {
    match column {
        Column::Bytes(values) => {
            let value = (!text.is_empty()).then(|| ByteArray::from(text.as_bytes().to_vec()));
            values.push(value);
        }
        Column::Int(values) => values.push(text.trim().parse().ok()),
        Column::Long(values) => values.push(text.trim().parse().ok()),
    }
}

fn schema(columns: &[(&str, ColumnKind)]) -> Result<Type, ParquetError> {
    let mut fields = Vec::with_capacity(columns.len());
    for (at, &(name, kind)) in columns.iter().enumerate() {
        if columns.iter().take(at).any(|&(other, _)| other == name) {
            return Err(ParquetError::General(format!(
                "two columns are called {name}"
            )));
        }
        let field = Type::primitive_type_builder(name, kind.physical());
        let field = match kind {
            ColumnKind::Text => field.with_logical_type(Some(LogicalType::String)),
            ColumnKind::Number => field,
        };
        let field = field.with_repetition(Repetition::OPTIONAL).build()?;
        fields.push(Arc::new(field));
    }
    Type::group_type_builder("games")
        .with_fields(fields)
        .build()
}

#[cfg(test)]
mod tests;
