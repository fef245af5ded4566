//! The ways in which the program writes, on a disk that fails and on a real one.

mod faults;

mod new_file;
