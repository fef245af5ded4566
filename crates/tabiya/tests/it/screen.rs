//! The full screen in a pseudo-terminal: keys in, and what a screen would show out.

#![cfg(unix)]

use std::io::{Read, Write};
use std::num::NonZero;
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

/// How long anything may take on a machine that has other things to do.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

pub(crate) const ESCAPE: &str = "\u{1b}";

pub(crate) struct Screen {
    child: Box<dyn Child + Send + Sync>,
    keys: Box<dyn Write + Send>,
    pub(crate) master: Box<dyn MasterPty + Send>,
    pub(crate) parser: Arc<Mutex<vt100::Parser>>,
    /// Everything that was written.
    written: Arc<Mutex<Vec<u8>>>,
    /// The line discipline before the program had the terminal.
    pub(crate) before: String,
}

pub(crate) fn size(cols: u16, rows: u16) -> PtySize {
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

/// Settles that the player has no name, where nothing is settled: otherwise it is asked before the first game against an
/// engine.
fn settle_name(command: &CommandBuilder) {
    let Some(home) = command.get_env("XDG_CONFIG_HOME") else {
        return;
    };
    let folder = std::path::Path::new(home).join("tabiya");
    let file = folder.join("config.toml");
    // Some tests have a home in which nothing can be written.
    if !file.exists() && std::fs::create_dir_all(&folder).is_ok() {
        let _ = std::fs::write(file, "name = \"none\"\n");
    }
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
        for name in ["TERM_PROGRAM", "VTE_VERSION", "TMUX", "STY"] {
            command.env_remove(name);
        }
        command.env("LC_ALL", "C.UTF-8");
        for (name, value) in crate::support::no_home() {
            command.env(name, value);
        }
        for (name, value) in variables {
            command.env(name, value);
        }
        settle_name(&command);
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
        let written = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&written);
        thread::spawn(move || {
            let _slave = slave;
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = output.read(&mut bytes) {
                kept.lock()
                    .expect("no panic")
                    .extend_from_slice(&bytes[..count]);
                fed.lock().expect("no panic").process(&bytes[..count]);
            }
        });
        Screen {
            child,
            keys,
            master: pair.master,
            parser,
            written,
            before,
        }
    }

    pub(crate) fn send(&mut self, keys: &str) {
        self.keys
            .write_all(keys.as_bytes())
            .expect("the terminal takes keys");
        self.keys.flush().expect("the terminal takes keys");
    }

    /// Everything that was written so far.
    pub(crate) fn written(&self) -> Vec<u8> {
        self.written.lock().expect("no panic").clone()
    }

    /// Gives the terminal another size.
    pub(crate) fn resize(&mut self, cols: u16, rows: u16) {
        self.parser
            .lock()
            .expect("no panic")
            .screen_mut()
            .set_size(some(rows), some(cols));
        self.master.resize(size(cols, rows)).expect("a new size");
    }

    pub(crate) fn shown(&self) -> String {
        self.parser.lock().expect("no panic").screen().contents()
    }

    /// Looks at the screen as it is now.
    pub(crate) fn look(&self, look: impl FnOnce(&vt100::Screen)) {
        look(self.parser.lock().expect("no panic").screen());
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
        self.ends_while(|_| {})
    }

    /// Waits for the end, and does something meanwhile again and again.
    #[track_caller]
    pub(crate) fn ends_while(
        &mut self,
        mut meanwhile: impl FnMut(&mut Screen),
    ) -> portable_pty::ExitStatus {
        let begun = Instant::now();
        loop {
            meanwhile(self);
            if let Some(status) = self.child.try_wait().expect("it can be waited for") {
                return status;
            }
            assert!(
                begun.elapsed() < PATIENCE,
                "it does not end: {}",
                self.shown()
            );
            thread::sleep(Duration::from_millis(20));
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
