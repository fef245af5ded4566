//! The full screen in terminals that show pictures, and in ones that claim to: a pseudo-terminal that answers.

#![cfg(unix)]

use std::io::{Read, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, PtySize, native_pty_system};

use crate::saves::Home;
use crate::tui_saves::settle;

/// How long anything may take on a machine that has other things to do.
const PATIENCE: Duration = Duration::from_secs(30);

/// What a terminal answers to each of the two sets of questions.
#[derive(Clone, Copy)]
struct Answering {
    first: &'static [u8],
    rest: &'static [u8],
    /// Where its cursor is after a symbol that it is asked to show.
    cursor: &'static [u8],
}

const KITTY: Answering = Answering {
    first: b"\x1b[?62;c",
    rest:
        b"\x1b_Gi=31;OK\x1b\\\x1bP>|kitty(0.26.5)\x1b\\\x1b]11;rgb:0000/0000/0000\x1b\\\x1b[?62;c",
    cursor: b"",
};
const ITERM: Answering = Answering {
    first: b"\x1b[?65;1;9c",
    rest: b"\x1bP>|iTerm2 3.5.0\x1b\\\x1b]11;rgb:ffff/ffff/ffff\x07\x1b[?65;1;9c",
    cursor: b"",
};
const SIXEL: Answering = Answering {
    first: b"\x1b[?63;1;2;4;6c",
    rest: b"\x1bP>|XTerm(379)\x1b\\\x1b[?1;0;256S\x1b[?63;1;2;4;6c",
    cursor: b"",
};
const PLAIN: Answering = Answering {
    first: b"\x1b[?1;2c",
    rest: b"\x1b[?1;2c",
    cursor: b"",
};
/// Nothing of this is an answer in full, and some of it never ends.
const HOSTILE: Answering = Answering {
    first: b"\x1b[?62;44;999999999999999999999c",
    rest: b"\x1b_Gi=31;EVIL\x1b[2J\x1b\\\x1b[?1;0;99999999999999999999S\x1b[?62c\x1b]11;rgb:zz/zz/zz\x07\x1b]11;",
    cursor: b"",
};

/// A terminal that draws sixths of a cell itself, but no eighths.
const VTE: Answering = Answering {
    first: b"\x1b[?65;1;9c",
    rest: b"\x1bP>|VTE(6800)\x1b\\\x1b[?65;1;9c",
    cursor: b"\x1b[1;2R",
};
/// One that says so of itself, and takes a sixth for two columns wide.
const WIDE: Answering = Answering {
    cursor: b"\x1b[1;3R",
    ..VTE
};

struct Terminal {
    child: Box<dyn Child + Send + Sync>,
    keys: Arc<Mutex<Box<dyn Write + Send>>>,
    seen: Arc<Mutex<Vec<u8>>>,
}

impl Terminal {
    /// Starts a game in a terminal of 80 by 24 cells of 10 by 20 pixels.
    fn start(answering: Answering) -> Terminal {
        static RUNS: AtomicUsize = AtomicUsize::new(0);
        let run = RUNS.fetch_add(1, Ordering::Relaxed);
        Terminal::start_in(&Home::new(&format!("pictures-{run}")), answering)
    }

    fn start_in(home: &Home, answering: Answering) -> Terminal {
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_tabiya"));
        command.args(["play", "--white", "human", "--black", "human"]);
        command.env("TERM", "xterm-256color");
        command.env("LANG", "C.UTF-8");
        command.env_remove("NO_COLOR");
        command.env("XDG_CONFIG_HOME", home.path().join("config"));
        command.env("XDG_DATA_HOME", home.path().join("data"));
        let size = PtySize {
            rows: 24,
            cols: 80,
            pixel_width: 800,
            pixel_height: 480,
        };
        let pair = native_pty_system()
            .openpty(size)
            .expect("a pseudo-terminal");
        let child = pair
            .slave
            .spawn_command(command)
            .expect("the binary starts");
        let mut output = pair.master.try_clone_reader().expect("the other end");
        let keys = pair.master.take_writer().expect("the other end");
        let keys = Arc::new(Mutex::new(keys));
        let seen = Arc::new(Mutex::new(Vec::new()));
        let (written, answers) = (Arc::clone(&seen), Arc::clone(&keys));
        thread::spawn(move || {
            let _master = pair.master;
            let mut replies = vec![answering.rest, answering.first];
            let mut bytes = [0; 4096];
            let mut asked = 0;
            while let Ok(count @ 1..) = output.read(&mut bytes) {
                let mut seen = written.lock().expect("no panic");
                seen.extend_from_slice(&bytes[..count]);
                while let Some(at) = find(&seen[asked..], b"\x1b[c") {
                    asked += at + 3;
                    if let Some(reply) = replies.pop() {
                        let mut keys = answers.lock().expect("no panic");
                        keys.write_all(reply).expect("the program listens");
                    }
                }
                if let Some(at) = find(&seen[asked..], b"\x1b[6n") {
                    asked += at + 4;
                    let mut keys = answers.lock().expect("no panic");
                    keys.write_all(answering.cursor)
                        .expect("the program listens");
                }
            }
        });
        Terminal { child, keys, seen }
    }

    fn type_keys(&self, keys: &str) {
        let mut out = self.keys.lock().expect("no panic");
        out.write_all(keys.as_bytes()).expect("the program listens");
    }

    fn bytes(&self) -> Vec<u8> {
        self.seen.lock().expect("no panic").clone()
    }

    #[track_caller]
    fn wait_for(&self, what: impl Fn(&[u8]) -> bool) -> Vec<u8> {
        let begun = Instant::now();
        loop {
            let bytes = self.bytes();
            if what(&bytes) {
                return bytes;
            }
            assert!(
                begun.elapsed() < PATIENCE,
                "it never came: {}",
                bytes.escape_ascii()
            );
            thread::sleep(Duration::from_millis(20));
        }
    }

    fn leave(mut self) -> Vec<u8> {
        self.type_keys(":quit\r");
        let begun = Instant::now();
        while self.child.try_wait().expect("the child").is_none() {
            assert!(
                begun.elapsed() < PATIENCE,
                "it never left: {}",
                shown(&self.bytes())
            );
            thread::sleep(Duration::from_millis(20));
        }
        self.wait_for(|bytes| find(bytes, b"\x1b[?1049l").is_some())
    }
}

fn find(bytes: &[u8], what: &[u8]) -> Option<usize> {
    bytes.windows(what.len()).position(|window| window == what)
}

fn count(bytes: &[u8], what: &[u8]) -> usize {
    bytes
        .windows(what.len())
        .filter(|window| window == &what)
        .count()
}

/// What the cells show, without the pictures.
fn shown(bytes: &[u8]) -> String {
    let mut parser = vt100::Parser::default();
    parser.process(bytes);
    parser.screen().contents()
}

#[test]
fn each_protocol_shows_the_board_and_a_move() {
    let beginnings: [(Answering, &[u8]); 3] = [
        (KITTY, b"\x1b_Ga=p,"),
        (ITERM, b"\x1b]1337;File=inline=1;"),
        (SIXEL, b"\x1bP0;1;0q"),
    ];
    for (answering, picture) in beginnings {
        let terminal = Terminal::start(answering);
        terminal.wait_for(|bytes| count(bytes, picture) == 64);
        terminal.type_keys("e4\r");
        // Two squares have other pieces, and two are those of the last move, which are the same here.
        let bytes = terminal.wait_for(|bytes| count(bytes, picture) > 64);
        assert!(bytes.len() < 1 << 20, "{} bytes", bytes.len());
        let bytes = terminal.leave();
        if picture == b"\x1b_Ga=p," {
            assert_eq!(
                count(&bytes, b"a=t"),
                count(&bytes, b"a=d,d=I"),
                "a picture stays behind"
            );
        }
    }
}

/// A cursor that is seen over a picture leaves a cell of text there.
#[test]
fn the_cursor_is_hidden_while_pictures_are_written() {
    for (answering, picture) in [
        (SIXEL, &b"\x1bP0;1;0q"[..]),
        (ITERM, b"\x1b]1337;File=inline=1;"),
    ] {
        let terminal = Terminal::start(answering);
        terminal.wait_for(|bytes| count(bytes, picture) == 64);
        terminal.type_keys("e4\r");
        terminal.wait_for(|bytes| count(bytes, picture) > 64);
        let bytes = terminal.leave();
        let mut is_hidden = false;
        let mut pictures = 0;
        for at in 0..bytes.len() {
            let rest = &bytes[at..];
            if rest.starts_with(b"\x1b[?25l") {
                is_hidden = true;
            } else if rest.starts_with(b"\x1b[?25h") {
                is_hidden = false;
            } else if rest.starts_with(picture) {
                pictures += 1;
                assert!(is_hidden, "picture {pictures}");
            }
        }
        assert!(!is_hidden, "the cursor stays hidden");
    }
}

#[test]
fn no_answer_becomes_a_key_and_no_terminal_gets_pictures_it_did_not_ask_for() {
    for answering in [PLAIN, HOSTILE] {
        let terminal = Terminal::start(answering);
        terminal.wait_for(|bytes| shown(bytes).contains("move>"));
        terminal.type_keys("e4\r");
        let bytes = terminal.wait_for(|bytes| shown(bytes).contains("White played e4"));
        for picture in [&b"\x1b_Ga=p"[..], b"\x1b]1337", b"\x1bP0;1;0q"] {
            assert_eq!(count(&bytes, picture), 0, "{}", picture.escape_ascii());
        }
        terminal.leave();
    }
}

#[test]
fn pieces_are_drawn_as_finely_as_the_terminal_shows_them() {
    // In sixths of a cell.
    const PART_OF_A_KING: &str = "\u{1fb2b}";
    for (answering, is_fine) in [(VTE, true), (WIDE, false), (PLAIN, false)] {
        let terminal = Terminal::start(answering);
        terminal.type_keys("e4\r");
        terminal.wait_for(|bytes| shown(bytes).contains("White played e4"));
        let bytes = terminal.leave();
        assert_eq!(count(&bytes, PART_OF_A_KING.as_bytes()) > 0, is_fine);
    }
}

#[test]
fn whoever_wants_no_pictures_gets_none() {
    let home = Home::new("pictures-off");
    settle(&home, "board.graphics = \"off\"\n");
    let terminal = Terminal::start_in(&home, KITTY);
    terminal.type_keys("e4\r");
    let bytes = terminal.wait_for(|bytes| shown(bytes).contains("White played e4"));
    assert_eq!(count(&bytes, b"\x1b_Ga=t"), 0);
    terminal.leave();
}

#[test]
fn what_is_typed_before_the_terminal_answers_is_not_lost() {
    let terminal = Terminal::start(KITTY);
    terminal.type_keys("e4\r");
    terminal.wait_for(|bytes| shown(bytes).contains("White played e4"));
    terminal.leave();
}
