//! `tabiya uci` and `tabiya bench`: the engine for other programs.

use tabiya_engine::{AlphaBeta, Control};

use crate::failure::Failure;
use crate::output::Output;
use crate::signals;

/// Serves the UCI protocol until the input ends, `quit` or SIGTERM comes, or the output is closed.
pub(crate) fn uci() -> Result<(), Failure> {
    let end = signals::termination()?;
    tabiya_engine::serve_stdio_until(AlphaBeta::default(), end).map_err(|error| {
        Failure::Unusable(format!("The engine cannot start its threads: {error}."))
    })
}

/// Prints how many nodes a fixed search visits, and the nodes per second.
pub(crate) fn bench() -> Result<(), Failure> {
    let done = tabiya_engine::bench(&mut AlphaBeta::default(), &Control::new());
    let mut output = Output::new();
    output.line(&format!(
        "{} nodes {} nps",
        done.nodes,
        done.nodes_per_second()
    ))?;
    output.finish()
}
