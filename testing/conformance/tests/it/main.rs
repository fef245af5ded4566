//! Tests of the comparison itself: that it runs, and that it can fail.

mod agree;
mod bench;
