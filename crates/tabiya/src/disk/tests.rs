//! The ways in which the program writes, on a disk that fails and on a real one.

pub(crate) mod faults;
pub(crate) mod model;
mod new_file;
