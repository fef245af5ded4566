//! The full screen in a real terminal: whole games by keys, cursor and mouse, and every way to leave.

#![cfg(unix)]

use std::io::{Read, Write};
use std::num::NonZero;
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

/// How long anything may take on a machine that has other things to do.
const PATIENCE: Duration = Duration::from_secs(30);

const ESCAPE: &str = "\u{1b}";

pub(crate) struct Screen {
    child: Box<dyn Child + Send + Sync>,
    keys: Box<dyn Write + Send>,
    master: Box<dyn MasterPty + Send>,
    parser: Arc<Mutex<vt100::Parser>>,
    /// The line discipline before the program had the terminal.
    pub(crate) before: String,
}

fn size(cols: u16, rows: u16) -> PtySize {
    PtySize {
        rows,
        cols,
        pixel_width: 0,
        pixel_height: 0,
    }
}

fn some(number: u16) -> NonZero<u16> {
    NonZero::new(number).expect("not zero")
}

impl Screen {
    pub(crate) fn start(arguments: &[&str]) -> Screen {
        Screen::start_with(arguments, &[])
    }

    pub(crate) fn start_with(arguments: &[&str], variables: &[(&str, &str)]) -> Screen {
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_tabiya"));
        command.args(arguments);
        Screen::spawn(command, variables)
    }

    pub(crate) fn spawn(mut command: CommandBuilder, variables: &[(&str, &str)]) -> Screen {
        command.env("TERM", "xterm-256color");
        // What a panic says shall fit on the screen.
        command.env("RUST_BACKTRACE", "0");
        command.env_remove("NO_COLOR");
        command.env_remove("COLORTERM");
        for (name, value) in crate::support::no_home() {
            command.env(name, value);
        }
        for (name, value) in variables {
            command.env(name, value);
        }
        let pair = native_pty_system()
            .openpty(size(80, 24))
            .expect("a pseudo-terminal");
        let before = format!("{:?}", pair.master.get_termios());
        let child = pair
            .slave
            .spawn_command(command)
            .expect("the binary can be started");
        // The slave stays open, so that the terminal outlives the program as a shell's does.
        let slave = pair.slave;
        let mut output = pair.master.try_clone_reader().expect("the other end");
        let keys = pair.master.take_writer().expect("the other end");
        let parser = Arc::new(Mutex::new(vt100::Parser::new(some(24), some(80), 0)));
        let fed = Arc::clone(&parser);
        thread::spawn(move || {
            let _slave = slave;
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = output.read(&mut bytes) {
                fed.lock().expect("no panic").process(&bytes[..count]);
            }
        });
        Screen {
            child,
            keys,
            master: pair.master,
            parser,
            before,
        }
    }

    pub(crate) fn send(&mut self, keys: &str) {
        self.keys
            .write_all(keys.as_bytes())
            .expect("the terminal takes keys");
        self.keys.flush().expect("the terminal takes keys");
    }

    pub(crate) fn shown(&self) -> String {
        self.parser.lock().expect("no panic").screen().contents()
    }

    #[track_caller]
    pub(crate) fn wait(&self, what: impl Fn(&vt100::Screen) -> bool) {
        let begun = Instant::now();
        while !what(self.parser.lock().expect("no panic").screen()) {
            assert!(
                begun.elapsed() < PATIENCE,
                "it never came: {}",
                self.shown()
            );
            thread::sleep(Duration::from_millis(5));
        }
    }

    #[track_caller]
    pub(crate) fn wait_for(&self, text: &str) {
        self.wait(|screen| screen.contents().contains(text));
    }

    #[track_caller]
    pub(crate) fn wait_for_clean(&self) {
        self.wait(|screen| {
            !screen.alternate_screen()
                && !screen.hide_cursor()
                && !screen.bracketed_paste()
                && screen.mouse_protocol_mode() == vt100::MouseProtocolMode::None
        });
        let begun = Instant::now();
        while self.line_discipline() != self.before {
            assert!(
                begun.elapsed() < PATIENCE,
                "{} was {}",
                self.line_discipline(),
                self.before
            );
            thread::sleep(Duration::from_millis(5));
        }
    }

    pub(crate) fn line_discipline(&self) -> String {
        format!("{:?}", self.master.get_termios())
    }

    pub(crate) fn id(&self) -> String {
        self.child.process_id().expect("it runs").to_string()
    }

    pub(crate) fn signal(&self, name: &str) {
        let done = Command::new("kill").args(["-s", name, &self.id()]).status();
        assert!(done.expect("kill runs").success());
    }

    #[track_caller]
    pub(crate) fn ends(&mut self) -> portable_pty::ExitStatus {
        let begun = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("it can be waited for") {
                return status;
            }
            assert!(
                begun.elapsed() < PATIENCE,
                "it does not end: {}",
                self.shown()
            );
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// A click on a square of the board at 80×24, White at the bottom.
    pub(crate) fn click(&mut self, square: &str) {
        let bytes = square.as_bytes();
        let column = 3 + u16::from(bytes[0] - b'a') * 4 + 1;
        let row = 1 + u16::from(b'8' - bytes[1]) * 2;
        // The protocol counts from one.
        let (x, y) = (column + 1, row + 1);
        self.send(&format!("{ESCAPE}[<0;{x};{y}M{ESCAPE}[<0;{x};{y}m"));
    }
}

#[test]
fn a_game_against_the_bot() {
    let mut screen = Screen::start(&["play", "--white", "bot:1"]);
    screen.wait_for("Game vs Bot 1");
    // The bot begins, and the board shows the side of the person.
    screen.wait_for("Black to move · move 1");
    screen.send("i");
    screen.wait_for("Hint: the ");
    screen.send("l");
    screen.wait_for(" depth ");
    screen.send("l");
    screen.send("e5\r");
    screen.wait_for("Black to move · move 2");
    screen.send("u");
    screen.wait_for("Black to move · move 1");
    screen.send(":resign\ry");
    screen.wait_for("Black resigns. White wins.");
    screen.send("l:q\r");
    assert!(screen.ends().success());
    screen.wait_for_clean();
}

#[test]
fn a_game_against_a_real_engine() {
    let Some(stockfish) = crate::line_players::stockfish() else {
        return eprintln!("left out: there is no Stockfish on PATH or in TABIYA_STOCKFISH");
    };
    let player = format!("uci:{}", stockfish.display());
    let mut screen = Screen::start(&["play", "--black", &player, "--clock", "1+1"]);
    screen.wait_for("Game vs stockfish");
    screen.send("e4\r");
    screen.wait_for("White to move · move 2");
    screen.send("d4\r");
    screen.wait_for("White to move · move 3");
    screen.send(":opponent uci /no/such/engine\r");
    screen.send("a3\r");
    // The game goes on without it.
    screen.wait_for("There is no engine");
    screen.send(":opponent bot 1\r");
    screen.wait_for("White to move · move 4");
    screen.send(":q\r");
    assert!(screen.ends().success());
    screen.wait_for_clean();
}

#[test]
fn a_game_to_mate_by_typing() {
    let mut screen = Screen::start(&[]);
    screen.wait_for("Play, two at one board");
    screen.send("\u{1b}[B\r");
    screen.wait_for("White to move · move 1");
    for (text, then) in [
        ("e4", "Black to move"),
        ("e5", "move 2"),
        ("Qh5", "Black to move"),
        ("Nc6", "move 3"),
        ("Bc4", "Black to move"),
        ("Nf6", "move 4"),
        ("Qxf7", "Checkmate! White wins."),
    ] {
        screen.send(text);
        screen.send("\r");
        screen.wait_for(then);
    }
    screen.wait_for("Rematch");
    screen.send("l:q\r");
    assert!(screen.ends().success());
    screen.wait_for_clean();
}

#[test]
fn a_game_to_mate_by_cursor() {
    let mut screen = Screen::start(&["play"]);
    screen.wait_for("White to move · move 1");
    let (up, down, right, left) = ("\u{1b}[A", "\u{1b}[B", "\u{1b}[C", "\u{1b}[D");
    // f3 e5 g4 Qh4, the cursor beginning on e2 and shown by its first key.
    let steps = [
        format!("{up}{right}\r{up}\r"),
        format!("{up}{up}{up}{up}{left}\r{down}{down}\r"),
        format!("{right}{right}{down}{down}{down}\r{up}{up}\r"),
        format!(
            "{up}{up}{up}{up}{left}{left}{left}\r{right}{right}{right}{right}{down}{down}{down}{down}\r"
        ),
    ];
    for (step, then) in steps
        .iter()
        .zip(["f3", "e5", "g4", "Checkmate! Black wins."])
    {
        screen.send(step);
        screen.wait_for(then);
    }
    screen.send("l\u{3}\u{3}");
    assert!(screen.ends().success());
    screen.wait_for_clean();
}

#[test]
fn a_game_to_mate_by_mouse() {
    let mut screen = Screen::start(&["play"]);
    screen.wait_for("White to move · move 1");
    for (from, to, then) in [
        ("f2", "f3", "White played f3."),
        ("e7", "e5", "Black played e5."),
        ("g2", "g4", "White played g4."),
        ("d8", "h4", "Checkmate! Black wins."),
    ] {
        screen.click(from);
        screen.click(to);
        screen.wait_for(then);
    }
    screen.send("l:quit\r");
    assert!(screen.ends().success());
    screen.wait_for_clean();
}

#[test]
fn the_screen_may_change_its_size_at_any_moment() {
    let mut screen = Screen::start(&["play"]);
    screen.wait_for("White to move · move 1");
    for (cols, rows, text) in [
        (132, 43, "White to move"),
        (30, 8, "needs 40×12, have 30×8"),
        (40, 12, "move>"),
        (60, 18, "White to move"),
        (80, 24, "White to move"),
    ] {
        screen
            .parser
            .lock()
            .expect("no panic")
            .screen_mut()
            .set_size(some(rows), some(cols));
        screen.master.resize(size(cols, rows)).expect("a new size");
        screen.wait_for(text);
    }
    screen.send(":q\r");
    assert!(screen.ends().success());
}

#[test]
fn control_z_and_a_stop_from_outside_give_the_terminal_back_and_come_back() {
    let mut screen = Screen::start(&["play"]);
    screen.wait_for("White to move · move 1");
    for stop in ["key", "TSTP"] {
        match stop {
            "key" => screen.send("\u{1a}"),
            signal => screen.signal(signal),
        }
        screen.wait_for_clean();
        let begun = Instant::now();
        let state = || {
            let stat =
                std::fs::read_to_string(format!("/proc/{}/stat", screen.id())).unwrap_or_default();
            stat.rsplit(") ")
                .next()
                .and_then(|rest| rest.chars().next())
        };
        while cfg!(target_os = "linux") && state() != Some('T') {
            assert!(begun.elapsed() < PATIENCE, "it does not stop");
            thread::sleep(Duration::from_millis(5));
        }
        screen.signal("CONT");
        screen.wait(vt100::Screen::alternate_screen);
        screen.wait_for("White to move · move 1");
    }
    screen.send("e4\r");
    screen.wait_for("White played e4.");
    screen.send(":q\r");
    assert!(screen.ends().success());
    screen.wait_for_clean();
}

#[test]
fn signals_that_end_the_program_leave_the_terminal_clean() {
    for signal in ["TERM", "HUP", "INT"] {
        let mut screen = Screen::start(&["play"]);
        screen.wait_for("White to move · move 1");
        screen.signal(signal);
        let status = screen.ends();
        assert!(!status.success(), "{signal}: {status:?}");
        screen.wait_for_clean();
    }
}

#[test]
fn a_panic_leaves_the_terminal_clean_and_can_be_read() {
    for place in ["main", "worker"] {
        let mut screen = Screen::start_with(&["play"], &[("TABIYA_TEST_PANIC", place)]);
        screen.wait_for("White to move · move 1");
        screen.send("\u{1b}[24~");
        let status = screen.ends();
        assert!(!status.success(), "{place}: {status:?}");
        screen.wait_for_clean();
        screen.wait_for(&format!("a rehearsed panic in {place}"));
    }
}

#[test]
fn the_copy_goes_to_the_terminals_clipboard_and_no_color_is_honored() {
    let mut screen = Screen::start_with(&["play"], &[("NO_COLOR", "1")]);
    screen.wait_for("White to move · move 1");
    screen.send("y");
    screen.wait_for("Copied: rnbqkbnr");
    let colored = {
        let parser = screen.parser.lock().expect("no panic");
        let shown = parser.screen();
        (0..24).any(|row| {
            (0..80).any(|column| {
                let cell = shown.cell(row, column).expect("a cell");
                cell.fgcolor() != vt100::Color::Default || cell.bgcolor() != vt100::Color::Default
            })
        })
    };
    assert!(!colored);
    screen.send(":q\r");
    assert!(screen.ends().success());
}
