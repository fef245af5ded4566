//! The engine on standard input and output: what `tabiya uci` does, for the tests of this crate.

fn main() {
    tabiya_engine::serve_stdio(tabiya_engine::AlphaBeta::default());
}
