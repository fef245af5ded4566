#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod block_cache;
mod build;
mod check;
mod collect;
mod column;
mod database;
mod entry;
mod error;
mod explore;
mod facts;
mod game_ref;
mod game_row;
mod key;
mod layout;
mod manifest;
mod merge;
mod move_code;
mod page;
mod parquet_writer;
mod part_file;
mod partition;
mod runs;
mod state;
mod table;
mod tables;
mod thrift;

pub use build::{BuildOptions, Builder, Built, SourceFile};
pub use collect::{Batch, Collector, ReadFrom};
pub use database::{Database, Info, TableInfo};
pub use error::{Damage, DbError, MergeFault};
pub use explore::{Answer, Effort, Filter, MoveStats, Player, Query, ResultCounts};
pub use facts::{Facts, ParseSpeedError, RATING_BAND, Speed};
pub use game_row::Game;
pub use key::PositionKey;
pub use manifest::{ManifestError, VERSION, check_manifest};
pub use merge::merge_shares;
pub use parquet_writer::{ColumnKind, ParquetWriter};
pub use partition::{MAX_PARTS, PARTS, ParseShareError, Scope, Share};
