//! The engine on standard input and output: what `tabiya uci` does, for the tests of this crate.

fn main() -> std::io::Result<()> {
    tabiya_engine::serve_stdio(tabiya_engine::AlphaBeta::default())
}
