//! The core of a game server: each line of input is a command as JSON, and the answer is a line with the events or the
//! refusal. `echo '{"command":"play","move":"e4"}' | cargo run --features serde --example server`

use std::error::Error;
use std::io::{BufRead, Write, stdin, stdout};
use std::time::Instant;

use serde_json::{json, to_string};
use tabiya_game::{Command, NewGame, Session, Timestamp};

fn main() -> Result<(), Box<dyn Error>> {
    let mut session = Session::new(NewGame::default().with_clock(&"5+3".parse()?));
    let origin = Instant::now();
    let mut output = stdout().lock();
    for line in stdin().lock().lines() {
        let now = Timestamp::after_origin(origin.elapsed());
        let answer = match serde_json::from_str::<Command>(&line?) {
            Err(error) => json!({ "error": error.to_string() }),
            Ok(command) => match session.apply(command, now) {
                Ok(events) => json!({
                    "events": events,
                    "fen": session.position(),
                    "clock": session.clock(now),
                }),
                Err(refusal) => json!({ "text": refusal.to_string(), "refusal": refusal }),
            },
        };
        writeln!(output, "{answer}")?;
    }
    // What a database would store; any later run can continue from it.
    let saved = to_string(&session)?;
    let restored: Session = serde_json::from_str(&saved)?;
    assert_eq!(restored, session);
    writeln!(output, "{saved}")?;
    Ok(())
}
