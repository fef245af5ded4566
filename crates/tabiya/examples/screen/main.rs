//! The real program in a pseudo-terminal, measured and pictured.
//!
//! `screen bench PATH` prints how long the program at the path takes to its first frame, from a key to its frame, how
//! much CPU a frame costs at 132×43, and how much an idle game costs. `screen spam PATH SECONDS` prints how long keys take
//! while an engine prints without end. `screen picture PATH FILE [80x24 [THEME]]` plays some moves and
//! writes what the screen shows as SVG.

#[cfg(unix)]
mod picture;

#[cfg(unix)]
fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["bench", program] => terminal::bench(program),
        ["spam", program, seconds] => {
            terminal::spam(program, seconds.parse().expect("a number of seconds"));
        }
        ["picture", program, file, ref rest @ ..] => {
            let size = rest.first().map_or((132, 43), |text| size(text));
            let theme = rest.get(1).copied().unwrap_or("wood");
            let svg = picture::svg(&terminal::played(program, size, theme));
            std::fs::write(file, svg).expect("the file can be written");
        }
        _ => eprintln!(
            "screen bench PROGRAM | screen spam PROGRAM SECONDS | screen picture PROGRAM FILE [80x24 [THEME]]"
        ),
    }
}

/// Reads `80x24`.
#[cfg(unix)]
fn size(text: &str) -> (u16, u16) {
    let (columns, rows) = text.split_once('x').expect("a size such as 80x24");
    let number = |text: &str| text.parse().expect("a number");
    (number(columns), number(rows))
}

#[cfg(not(unix))]
fn main() {
    eprintln!("There are no pseudo-terminals here.");
}

#[cfg(unix)]
mod terminal {
    use std::io::{Read, Write};
    use std::num::NonZero;
    use std::sync::{Arc, Condvar, Mutex};
    use std::thread;
    use std::time::{Duration, Instant};

    use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

    /// The size that is measured: the largest of the five.
    const SIZE: (u16, u16) = (132, 43);

    /// The end of a frame: the terminal may show what was written.
    const FRAME_END: &[u8] = b"\x1b[?2026l";

    /// What has come from the program, as far as it is counted.
    #[derive(Default)]
    struct Seen {
        frames: usize,
        bytes: usize,
        last: Vec<u8>,
    }

    pub(super) struct Screen {
        child: Box<dyn Child + Send + Sync>,
        keys: Box<dyn Write + Send>,
        seen: Arc<(Mutex<Seen>, Condvar)>,
        /// What the terminal shows. It is worked out after the frame was counted, so that this costs the program no time.
        parser: Arc<Mutex<vt100::Parser>>,
        _master: Box<dyn MasterPty + Send>,
        /// The folder of its settings and saves, removed at the end.
        _home: tempfile::TempDir,
    }

    /// Creates a folder in which the player has settled to have no name, which is otherwise asked before the first game
    /// against an engine.
    fn nameless_home() -> tempfile::TempDir {
        let home = tempfile::tempdir().expect("a temporary folder");
        let folder = home.path().join("tabiya");
        std::fs::create_dir(&folder).expect("a folder");
        std::fs::write(folder.join("config.toml"), "name = \"none\"\n").expect("a file");
        home
    }

    /// The pixels of a cell, where there are pictures: with squares of 8×4 cells, a board of 640×640 pixels.
    const CELL: (u16, u16) = (10, 20);

    impl Screen {
        fn start(program: &str, arguments: &[&str], size: (u16, u16)) -> Screen {
            Screen::start_with_cells(program, arguments, size, (0, 0))
        }

        fn start_with_cells(
            program: &str,
            arguments: &[&str],
            (columns, rows): (u16, u16),
            (width, height): (u16, u16),
        ) -> Screen {
            let size = PtySize {
                rows,
                cols: columns,
                pixel_width: columns * width,
                pixel_height: rows * height,
            };
            let pair = native_pty_system()
                .openpty(size)
                .expect("a pseudo-terminal");
            let mut command = CommandBuilder::new(program);
            command.args(arguments);
            command.env("TERM", "xterm-256color");
            command.env("COLORTERM", "truecolor");
            command.env("LC_ALL", "C.UTF-8");
            command.env_remove("NO_COLOR");
            let home = nameless_home();
            command.env("XDG_CONFIG_HOME", home.path());
            command.env("XDG_DATA_HOME", home.path());
            let child = pair
                .slave
                .spawn_command(command)
                .expect("the program can be started");
            let mut output = pair.master.try_clone_reader().expect("the other end");
            let keys = pair.master.take_writer().expect("the other end");
            let some = |number| NonZero::new(number).expect("not zero");
            let parser = vt100::Parser::new(some(rows), some(columns), 0);
            let parser = Arc::new(Mutex::new(parser));
            let seen = Arc::new((Mutex::new(Seen::default()), Condvar::new()));
            let (fed, shown) = (Arc::clone(&seen), Arc::clone(&parser));
            thread::spawn(move || {
                let mut bytes = [0; 1 << 16];
                while let Ok(count @ 1..) = output.read(&mut bytes) {
                    fed.0.lock().expect("no panic").take(&bytes[..count]);
                    fed.1.notify_all();
                    let mut shown = shown.lock().expect("no panic");
                    shown.process(&bytes[..count]);
                    drop(shown);
                    fed.1.notify_all();
                }
            });
            Screen {
                child,
                keys,
                seen,
                parser,
                _master: pair.master,
                _home: home,
            }
        }

        fn send(&mut self, keys: &str) {
            self.keys
                .write_all(keys.as_bytes())
                .expect("the terminal takes keys");
            self.keys.flush().expect("the terminal takes keys");
        }

        fn bytes(&self) -> usize {
            self.seen.0.lock().expect("no panic").bytes
        }

        fn frames(&self) -> usize {
            self.seen.0.lock().expect("no panic").frames
        }

        /// Waits until so many frames have been shown.
        fn wait_for_frame(&self, number: usize) {
            let seen = self.seen.0.lock().expect("no panic");
            let wait = self
                .seen
                .1
                .wait_timeout_while(seen, Duration::from_secs(10), |seen| seen.frames < number);
            assert!(!wait.expect("no panic").1.timed_out(), "no frame came");
        }

        /// Waits until the label of a file stands first under the board.
        fn wait_for_files(&self, first: &str) {
            let seen = self.seen.0.lock().expect("no panic");
            let wait = self
                .seen
                .1
                .wait_timeout_while(seen, Duration::from_secs(10), |_| {
                    let parser = self.parser.lock().expect("no panic");
                    let shown = parser.screen().contents();
                    let labels = |line: &&str| line.trim_start().starts_with(first);
                    !shown.lines().skip(30).take(6).any(|line| labels(&line))
                });
            assert!(!wait.expect("no panic").1.timed_out(), "the board stays");
        }

        fn end(mut self) {
            // Dropping the master hangs the terminal up, and the program ends; a kill makes sure of it.
            let _ = self.child.kill();
            let _ = self.child.wait();
        }

        /// The CPU time of the program so far.
        fn cpu(&self) -> Duration {
            let id = self.child.process_id().expect("it runs");
            let stat = std::fs::read_to_string(format!("/proc/{id}/schedstat")).unwrap_or_default();
            let main: u64 = stat
                .split(' ')
                .next()
                .and_then(|text| text.parse().ok())
                .unwrap_or(0);
            Duration::from_nanos(main)
        }
    }

    impl Seen {
        fn take(&mut self, bytes: &[u8]) {
            self.bytes += bytes.len();
            self.last.extend_from_slice(bytes);
            self.frames += self
                .last
                .windows(FRAME_END.len())
                .filter(|window| *window == FRAME_END)
                .count();
            let keep = self.last.len().saturating_sub(FRAME_END.len() - 1);
            // What could be the beginning of the next end is kept, and nothing that was counted.
            let tail = self.last.split_off(keep);
            self.last = if bytes.ends_with(FRAME_END) {
                Vec::new()
            } else {
                tail
            };
        }
    }

    pub(super) fn bench(program: &str) {
        let begin = || {
            let begun = Instant::now();
            let screen = Screen::start(program, &["play", "--black", "human"], SIZE);
            screen.wait_for_frame(1);
            let time = begun.elapsed();
            screen.end();
            time
        };
        println!("start to first frame: {}", middle(21, begin));
        // What is opened first, and the key that changes as much as can be changed there.
        for (name, keys, key) in [
            ("a game", "", "v"),
            ("lines and curve", "e4\re5\rl", "v"),
            ("a move typed", "N", "\t"),
            ("the palette", ":", "\u{1b}[B"),
            ("the help", "?", "\u{1b}[B"),
            ("the form", "xn", "\u{1b}[A"),
            ("the settings", ":settings\r", "\u{1b}[B"),
            ("the saves", ":saves\r", "\u{1b}[B"),
            ("a review", "e4\re5\rNf3\r:review\r", "v"),
        ] {
            keys_to_frames(program, name, keys, key);
        }
        keys_to_pictures(program);
        for arguments in [
            &["play", "--black", "human"][..],
            &["play", "--black", "human", "--clock", "10+5"],
        ] {
            idle(program, arguments);
        }
    }

    /// How long a key takes to its frame, and what a frame costs.
    fn keys_to_frames(program: &str, name: &str, keys: &str, key: &str) {
        let mut screen = Screen::start(program, &["play", "--black", "human"], SIZE);
        screen.wait_for_frame(1);
        screen.send(keys);
        thread::sleep(Duration::from_millis(700));
        let cpu = screen.cpu();
        let frames = screen.frames();
        let times = middle(201, || {
            let frames = screen.frames();
            let begun = Instant::now();
            screen.send(key);
            screen.wait_for_frame(frames + 1);
            begun.elapsed()
        });
        let drawn = u32::try_from(screen.frames() - frames).unwrap_or(u32::MAX);
        let cost = (screen.cpu() - cpu) / drawn.max(1);
        println!(
            "key to frame, {name:<16} {times}, CPU for a frame {:.2} ms at {}×{}",
            cost.as_secs_f64() * 1e3,
            SIZE.0,
            SIZE.1
        );
        screen.end();
    }

    /// How long a key takes to the last byte of its frame where the board is a picture and all of it changes.
    fn keys_to_pictures(program: &str) {
        // What terminals of each kind answer to what they are asked.
        for (name, answers) in [
            ("kitty", "\x1b[?62c\x1b_Gi=31;OK\x1b\\\x1b[?62c"),
            ("iTerm2", "\x1b[?62c\x1bP>|iTerm2 3.5\x1b\\\x1b[?62c"),
            ("sixel", "\x1b[?62;4c\x1b[?1;0;256S\x1b[?62;4c"),
        ] {
            let arguments = ["play", "--black", "human"];
            let mut screen = Screen::start_with_cells(program, &arguments, SIZE, CELL);
            screen.wait_for_frame(1);
            screen.send(answers);
            screen.wait_for_frame(2);
            thread::sleep(Duration::from_millis(300));
            let (bytes, frames, cpu) = (screen.bytes(), screen.frames(), screen.cpu());
            let times = middle(51, || {
                let frames = screen.frames();
                let begun = Instant::now();
                screen.send("v");
                screen.wait_for_frame(frames + 1);
                begun.elapsed()
            });
            let drawn = (screen.frames() - frames).max(1);
            let each = (screen.bytes() - bytes) / drawn;
            let cost = (screen.cpu() - cpu).as_secs_f64() * 1e3 / drawn as f64;
            println!(
                "key to last byte, 640×640 pixels, {name:<7} {times}, CPU for a frame {cost:.2} ms, {each} bytes a frame"
            );
            screen.end();
        }
    }

    fn idle(program: &str, arguments: &[&str]) {
        let screen = Screen::start(program, arguments, SIZE);
        screen.wait_for_frame(1);
        thread::sleep(Duration::from_millis(500));
        let (cpu, begun) = (screen.cpu(), Instant::now());
        thread::sleep(Duration::from_secs(5));
        let share = (screen.cpu() - cpu).as_secs_f64() / begun.elapsed().as_secs_f64();
        println!(
            "idle, {:<20} {:.2} % CPU",
            format!("{}:", arguments.join(" ")),
            share * 100.0
        );
        screen.end();
    }

    /// How keys are answered while an engine prints without end, and how many frames come.
    pub(super) fn spam(program: &str, seconds: u64) {
        let engine = std::env::temp_dir().join(format!("tabiya-spam-{}.sh", std::process::id()));
        std::fs::write(&engine, SPAMMER).expect("a file");
        let player = format!("uci:sh {}", engine.display());
        let mut screen = Screen::start(program, &["play", "--black", &player], SIZE);
        screen.wait_for_frame(1);
        screen.send("e4\r");
        thread::sleep(Duration::from_secs(1));
        let (begun, frames) = (Instant::now(), screen.frames());
        let mut times = Vec::new();
        while begun.elapsed() < Duration::from_secs(seconds) {
            let sent = Instant::now();
            screen.send("v");
            let side = if times.len() % 2 == 0 { "h" } else { "a" };
            screen.wait_for_files(side);
            times.push(sent.elapsed());
            thread::sleep(Duration::from_millis(20));
        }
        let rate = (screen.frames() - frames) as f64 / begun.elapsed().as_secs_f64();
        times.sort_unstable();
        let shown = |at: usize| times[at].as_secs_f64() * 1e3;
        println!(
            "{} keys: {:.1} ms (median), {:.1} ms (99 %), {:.1} ms (worst); {rate:.0} frames a second",
            times.len(),
            shown(times.len() / 2),
            shown(times.len() * 99 / 100),
            shown(times.len() - 1),
        );
        screen.end();
        let _ = std::fs::remove_file(engine);
    }

    /// An engine that tells about its search as fast as it can.
    const SPAMMER: &str = "while read -r word rest; do case \"$word\" in\n\
        uci) echo 'id name spam'; echo uciok;;\n\
        isready) echo readyok;;\n\
        go) yes 'info depth 9 seldepth 12 score cp 20 nodes 123456 nps 999999 pv e7e5 g1f3' & spam=$!;;\n\
        stop) kill $spam; wait $spam 2>/dev/null; echo bestmove e7e5;;\n\
        quit) kill $spam; exit 0;;\nesac; done\nkill $spam\n";

    /// The median and the worst of several times.
    fn middle(count: usize, mut measure: impl FnMut() -> Duration) -> String {
        let mut times: Vec<Duration> = (0..count).map(|_| measure()).collect();
        times.sort_unstable();
        let shown = |at: usize| times[at].as_secs_f64() * 1e3;
        format!(
            "{:.2} ms (median), {:.2} ms (worst of {count})",
            shown(count / 2),
            shown(count - 1)
        )
    }

    /// The screen in the middle of a game, with the best lines beside it and a move half typed.
    pub(super) fn played(program: &str, size: (u16, u16), theme: &str) -> vt100::Screen {
        let mut screen = Screen::start(
            program,
            &["play", "--black", "human", "--clock", "10+5"],
            size,
        );
        screen.wait_for_frame(1);
        // First, so that the moves push its message away.
        screen.send(&format!(":theme {theme}\r"));
        thread::sleep(Duration::from_millis(200));
        screen.send("l");
        let moves = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Nxe4 d4 b5 Bb3 d5 dxe5 Be6 c3 Bc5";
        for text in moves.split(' ') {
            screen.send(&format!("{text}\r"));
            // The engine has a moment for each position, so that the curve knows it.
            thread::sleep(Duration::from_millis(400));
        }
        thread::sleep(Duration::from_millis(400));
        let frames = screen.frames();
        screen.send("Nb");
        screen.wait_for_frame(frames + 1);
        thread::sleep(Duration::from_millis(300));
        let shown = screen.parser.lock().expect("no panic").screen().clone();
        screen.end();
        shown
    }
}
