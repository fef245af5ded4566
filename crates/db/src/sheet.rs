//! A table of one's own columns as a Parquet file, for whoever wants games in another program.

use std::fmt;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical, ZstdLevel};
use parquet::data_type::{ByteArray, ByteArrayType, Int32Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::Type;

use crate::error::DbError;

/// How many bytes of values are held before they are written.
const HELD: usize = 16 << 20;

/// What the values of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnKind {
    /// Texts in UTF-8.
    Text,
    /// Whole numbers of 32 bits. A text that is none becomes nothing.
    Number,
}

/// The values that wait to be written.
enum Values {
    Text(Vec<Option<ByteArray>>),
    Number(Vec<Option<i32>>),
}

/// A Parquet file that is written row by row.
///
/// Values are texts; an empty one is nothing. Memory does not grow with the number of rows.
///
/// ```
/// use std::path::Path;
/// use tabiya_db::{ColumnKind, Sheet};
///
/// let columns = [("White", ColumnKind::Text), ("plies", ColumnKind::Number)];
/// let mut sheet = Sheet::new(Path::new("games.parquet"), Vec::new(), &columns)?;
/// sheet.push(["Morphy", "33"])?;
/// let bytes = sheet.finish()?;
/// assert_eq!(&bytes[..4], b"PAR1");
/// # Ok::<(), tabiya_db::DbError>(())
/// ```
pub struct Sheet<W: Write + Send> {
    path: PathBuf,
    writer: SerializedFileWriter<W>,
    columns: Vec<Values>,
    held: usize,
}

impl<W: Write + Send> fmt::Debug for Sheet<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sheet")
            .field("path", &self.path)
            .finish_non_exhaustive()
    }
}

impl<W: Write + Send> Sheet<W> {
    /// Begins a file. The path is only for what is said of errors.
    ///
    /// # Errors
    /// Two columns have the same name, or the file cannot be written.
    pub fn new(path: &Path, out: W, columns: &[(&str, ColumnKind)]) -> Result<Sheet<W>, DbError> {
        let failed = |error| DbError::parquet(path, error);
        let schema = schema(columns).map_err(failed)?;
        let level = ZstdLevel::try_new(3).unwrap_or_default();
        let properties = WriterProperties::builder()
            .set_created_by(format!("tabiya {}", env!("CARGO_PKG_VERSION")))
            .set_compression(Compression::ZSTD(level))
            .build();
        let writer = SerializedFileWriter::new(out, Arc::new(schema), Arc::new(properties));
        Ok(Sheet {
            path: path.to_owned(),
            writer: writer.map_err(failed)?,
            columns: columns.iter().map(|(_, kind)| Values::new(*kind)).collect(),
            held: 0,
        })
    }

    /// Adds a row. What it has too little or too much is nothing.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn push<'a>(&mut self, row: impl IntoIterator<Item = &'a str>) -> Result<(), DbError> {
        let mut row = row.into_iter();
        for column in &mut self.columns {
            let text = row.next().unwrap_or_default();
            self.held += text.len() + size_of::<Option<ByteArray>>();
            column.push(text);
        }
        if self.held >= HELD {
            self.flush()?;
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<(), DbError> {
        let write = |writer: &mut SerializedFileWriter<W>, columns: &mut [Values]| {
            let mut group = writer.next_row_group()?;
            for column in columns {
                column.write(&mut group)?;
            }
            group.close().map(drop)
        };
        let written = write(&mut self.writer, &mut self.columns);
        self.held = 0;
        written.map_err(|error| DbError::parquet(&self.path, error))
    }

    /// Writes what is left, and gives back what was written to.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn finish(mut self) -> Result<W, DbError> {
        if self.held > 0 {
            self.flush()?;
        }
        let path = self.path;
        let out = self.writer.into_inner();
        out.map_err(|error| DbError::parquet(&path, error))
    }
}

impl Values {
    fn new(kind: ColumnKind) -> Values {
        match kind {
            ColumnKind::Text => Values::Text(Vec::new()),
            ColumnKind::Number => Values::Number(Vec::new()),
        }
    }

    fn push(&mut self, text: &str) {
        match self {
            Values::Text(values) => {
                let value = (!text.is_empty()).then(|| ByteArray::from(text.as_bytes().to_vec()));
                values.push(value);
            }
            Values::Number(values) => values.push(text.trim().parse().ok()),
        }
    }

    /// Writes the values as the next column of a group, and forgets them.
    fn write<W: Write + Send>(
        &mut self,
        group: &mut SerializedRowGroupWriter<'_, W>,
    ) -> Result<(), ParquetError> {
        let Some(mut writer) = group.next_column()? else {
            return Err(ParquetError::General(
                "more columns than the schema has".into(),
            ));
        };
        match self {
            Values::Text(values) => {
                let (values, levels) = split(std::mem::take(values));
                let typed = writer.typed::<ByteArrayType>();
                typed.write_batch(&values, Some(&levels), None)?;
            }
            Values::Number(values) => {
                let (values, levels) = split(std::mem::take(values));
                let typed = writer.typed::<Int32Type>();
                typed.write_batch(&values, Some(&levels), None)?;
            }
        }
        writer.close()
    }
}

/// The values that are there, and for each row whether one is.
fn split<T>(values: Vec<Option<T>>) -> (Vec<T>, Vec<i16>) {
    let levels = values.iter().map(|value| i16::from(value.is_some()));
    let levels = levels.collect();
    (values.into_iter().flatten().collect(), levels)
}

fn schema(columns: &[(&str, ColumnKind)]) -> Result<Type, ParquetError> {
    let mut fields = Vec::with_capacity(columns.len());
    for (at, &(name, kind)) in columns.iter().enumerate() {
        if columns.iter().take(at).any(|&(other, _)| other == name) {
            return Err(ParquetError::General(format!(
                "two columns are called {name}"
            )));
        }
        let field = match kind {
            ColumnKind::Text => Type::primitive_type_builder(name, Physical::BYTE_ARRAY)
                .with_logical_type(Some(LogicalType::String)),
            ColumnKind::Number => Type::primitive_type_builder(name, Physical::INT32),
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
