//! Any bytes as the commands of a GUI: exactly one move for each `go`, none otherwise, plain text
//! only, and an end. The fuzz target tries the same property.

use std::io::{Cursor, Read};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use tabiya_engine::{Control, Report, Request, Searcher, SharedBuffer, serve};
use tabiya_rules::Score;
use tabiya_uci::{BestMove, Reply, UciCommand, is_plain};

/// Runs any bytes as the lines of a session, with a `stop` and a `quit` at the end.
///
/// # Panics
/// Panics if a property does not hold.
pub fn uci_session(bytes: &[u8]) {
    let mut input = Vec::new();
    let mut asked = 0;
    for line in bytes.split(|&byte| byte == b'\n') {
        match UciCommand::parse(line) {
            // What comes after `quit` is not part of the session.
            Ok(UciCommand::Quit) => continue,
            Ok(UciCommand::Go(go)) => asked += usize::from(go.perft.is_none()),
            _ => {}
        }
        input.extend_from_slice(line);
        input.push(b'\n');
    }
    input.extend_from_slice(b"stop\nquit\n");
    let (held, released) = channel();
    let reader = Patient {
        bytes: Cursor::new(input),
        released,
    };
    let output = SharedBuffer::default();
    serve(reader, output.clone(), Dawdler).expect("threads");
    drop(held);
    let text = output.text();
    let moves = text
        .lines()
        .inspect(|line| assert!(line.chars().all(is_plain), "{line:?}"))
        .filter(|line| matches!(Reply::parse(line.as_bytes()), Reply::BestMove(_)))
        .count();
    assert_eq!(moves, asked, "{text}");
}

/// An input that stays open after its last byte, so that only a command ends the server.
struct Patient {
    bytes: Cursor<Vec<u8>>,
    released: Receiver<()>,
}

impl Read for Patient {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        match self.bytes.read(buffer)? {
            0 => {
                // Nothing is ever sent; the sender is dropped when the session is over.
                let _ = self.released.recv();
                Ok(0)
            }
            count => Ok(count),
        }
    }
}

/// Keeps reporting the first move until it is stopped or has counted far enough.
struct Dawdler;

impl Searcher for Dawdler {
    fn search(
        &mut self,
        request: &Request,
        control: &Control,
        report: &mut dyn FnMut(Report),
    ) -> BestMove {
        let best = request.moves.first().copied();
        for depth in 1..=request.depth.unwrap_or(64).min(64) {
            let pv = best.into_iter().collect();
            report(Report::new(depth, Score::EVEN, pv).with_nodes(depth.into()));
            if control.should_stop() || request.nodes.is_some_and(|nodes| nodes <= depth.into()) {
                break;
            }
            std::thread::sleep(Duration::from_micros(20));
        }
        BestMove { best, ponder: None }
    }
}
