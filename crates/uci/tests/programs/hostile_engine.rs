//! An engine that misbehaves in the way its first argument names. The tests start it to check that it does no harm.
//!
//! In every other respect it is a good engine: it plays the first legal move.

#[cfg(unix)]
fn main() {
    let way = std::env::args().nth(1).unwrap_or_default();
    hostile::run(&way);
}

#[cfg(not(unix))]
fn main() {
    eprintln!("this engine misbehaves on Unix only");
}

#[cfg(unix)]
mod hostile {
    use std::fs::File;
    use std::io::{self, BufRead, Write};
    use std::process::{Command as Program, exit};
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;
    use std::thread::{self, sleep};
    use std::time::Duration;

    use rustix::process::{Signal, getpid, kill_process};
    use tabiya_rules::{CastlingMode, MoveHistory, Position};
    use tabiya_uci::UciCommand;

    fn say(text: &str) {
        say_bytes(format!("{text}\n").as_bytes());
    }

    fn say_bytes(bytes: &[u8]) {
        let mut stdout = io::stdout().lock();
        if stdout
            .write_all(bytes)
            .and_then(|()| stdout.flush())
            .is_err()
        {
            exit(0);
        }
    }

    fn sleep_for_ever() -> ! {
        loop {
            sleep(Duration::from_secs(3600));
        }
    }

    /// Catches the signal and ignores it.
    fn ignore_terminate() {
        let flag = Arc::new(AtomicBool::new(false));
        signal_hook::flag::register(signal_hook::consts::SIGTERM, flag).expect("a signal");
    }

    pub(crate) fn run(way: &str) {
        before_anything(way);
        let mut engine = Engine {
            way,
            played: MoveHistory::default(),
            last_best: None,
        };
        for line in io::stdin().lock().lines() {
            let Ok(line) = line else { break };
            if let Ok(command) = UciCommand::parse(line.as_bytes()) {
                engine.obey(&command);
            }
        }
        if matches!(way, "ignores_quit" | "ignores_sigterm") {
            sleep_for_ever();
        }
    }

    /// What it does before it receives anything.
    fn before_anything(way: &str) {
        match way {
            "exits_at_once" => exit(0),
            "sleeper" => sleep_for_ever(),
            "ignores_sigterm" => ignore_terminate(),
            "no_newline_flood" => loop {
                say_bytes(&[b'x'; 65536]);
            },
            "nul_and_binary" => {
                let mut random = tabiya_rules::SplitMix64::new(7);
                loop {
                    say_bytes(&random.next_u64().to_le_bytes());
                }
            }
            "slow_drip" => loop {
                for byte in b"id name Slow\nuciok\n" {
                    say_bytes(&[*byte]);
                    sleep(Duration::from_millis(100));
                }
            },
            "bestmove_unasked" => say("bestmove e2e4"),
            "utf16" => {
                for byte in b"id name Wide\nuciok\n" {
                    say_bytes(&[*byte, 0]);
                }
            }
            way => {
                if let Some(blocks) = way.strip_prefix("stderr_flood:") {
                    flood_stderr(blocks.parse().expect("a number"));
                }
            }
        }
    }

    /// Writes this many blocks of 64 KiB.
    fn flood_stderr(blocks: u32) {
        for _ in 0..blocks {
            io::stderr()
                .write_all(&[b'e'; 65536])
                .expect("somebody reads");
        }
    }

    /// Returns a line instead of `bestmove` that names no legal move, chosen by a seed.
    fn false_move(seed: u64, position: &Position) -> Vec<u8> {
        let mut random = tabiya_rules::SplitMix64::new(seed);
        let mut word = Vec::new();
        match random.below(8) {
            0 => word.extend(b"e7e5"),
            1 => word.extend(b"e2e4q"),
            2 => word.extend(b"E2E4"),
            3 => word.extend(b"e2e4 ".repeat(10_000).split_off(1)),
            4 => word.extend((0..1 + random.below(12)).map(|_| random.next_u64() as u8)),
            5 => {
                for _ in 0..2 {
                    word.push(b'a' + random.below(9) as u8);
                    word.push(b'0' + random.below(10) as u8);
                }
            }
            6 => word.extend("é♞𝟛\u{202e}".bytes()),
            _ => {}
        }
        let text = String::from_utf8_lossy(&word).into_owned();
        let first = text.split_whitespace().next().unwrap_or_default();
        if position.parse_uci(first).is_ok() {
            word = b"e2e5".to_vec();
        }
        [b"bestmove ", &word[..], b"\n"].concat()
    }

    struct Engine<'a> {
        way: &'a str,
        played: MoveHistory,
        last_best: Option<String>,
    }

    impl Engine<'_> {
        fn obey(&mut self, command: &UciCommand) {
            match command {
                UciCommand::Uci => self.introduce(),
                UciCommand::IsReady => self.get_ready(),
                UciCommand::Position(position) => {
                    if let Ok(played) = position.play(CastlingMode::Standard) {
                        self.played = played;
                    }
                    if self.way == "late_bestmove"
                        && let Some(best) = &self.last_best
                    {
                        say(&format!("bestmove {best}"));
                    }
                }
                UciCommand::Go(go) => self.think(go.ponder || go.infinite),
                UciCommand::Stop | UciCommand::PonderHit => self.answer(),
                UciCommand::Quit if !matches!(self.way, "ignores_quit" | "ignores_sigterm") => {
                    exit(0)
                }
                _ => {}
            }
        }

        fn introduce(&self) {
            match self.way {
                "silent" => return,
                "exit_code_1_on_uci" => {
                    eprintln!("cannot find the network file");
                    exit(1);
                }
                "no_uciok" => loop {
                    say("id name Endless");
                    sleep(Duration::from_millis(1));
                },
                "cr_only" => return say_bytes(b"id name Return\ruciok\rreadyok\r"),
                "crlf" => return say_bytes(b"id name Crlf\r\nid author A\r\nuciok\r\n"),
                "option_flood" => {
                    for i in 0..1_000_000 {
                        say(&format!("option name O{i} type check default false"));
                    }
                }
                "option_weird" => say_bytes(
                    b"option name type type spin default min max\noption name  type combo var\n\
                      option name \"q\" 't'\ta\xff\xfe type string default \x1b[2J\noption\noption name\n",
                ),
                _ => {}
            }
            if self.way == "esc_name" {
                say_bytes(b"id name \x1b]0;pwn\x07\x1b[2JEvil\n");
            } else {
                say(&format!("id name Hostile {}", self.way));
            }
            say("id author The tests");
            say("option name UCI_Chess960 type check default false");
            say("uciok");
            if self.way == "banner_after_uciok" {
                say("Thank you for using this engine\n\ninfo string visit us");
            }
        }

        fn get_ready(&self) {
            match self.way {
                "no_readyok" => {}
                "crlf" => say_bytes(b"readyok\r\n"),
                "closes_stdin" => {
                    say("readyok");
                    let null = File::open("/dev/null").expect("there is one");
                    rustix::stdio::dup2_stdin(&null).expect("a descriptor");
                    sleep_for_ever();
                }
                "closes_stdout" => {
                    say("readyok");
                    let null = File::options()
                        .write(true)
                        .open("/dev/null")
                        .expect("there is one");
                    rustix::stdio::dup2_stdout(&null).expect("a descriptor");
                    sleep_for_ever();
                }
                "never_reads" => {
                    say("readyok");
                    sleep_for_ever();
                }
                _ => say("readyok"),
            }
        }

        fn think(&mut self, until_told: bool) {
            match self.way {
                // The first signal only removes the handler that Rust has for stack overflows.
                "segv_on_go" => loop {
                    kill_process(getpid(), Signal::SEGV).expect("a signal");
                    sleep(Duration::from_millis(1));
                },
                "abort_mid_line" => {
                    say_bytes(b"bestm");
                    std::process::abort();
                }
                "ignores_stop" | "clock_cheat" => return,
                "ignores_limits" => {
                    for depth in 1..=40 {
                        say(&format!("info depth {depth} nodes {}", 1000 * depth));
                    }
                    return;
                }
                "chatters" => {
                    thread::spawn(|| {
                        loop {
                            say("info string still here");
                            sleep(Duration::from_millis(10));
                        }
                    });
                    return;
                }
                "forks_child" => {
                    let program = std::env::current_exe().expect("a path");
                    let child = Program::new(program)
                        .arg("sleeper")
                        .spawn()
                        .expect("a child");
                    say(&format!("info string child {}", child.id()));
                    exit(0);
                }
                "spam_info" => {
                    thread::spawn(|| {
                        let lines = "info string x\n".repeat(1000);
                        loop {
                            say_bytes(lines.as_bytes());
                        }
                    });
                    return;
                }
                _ => {}
            }
            if !until_told {
                self.answer();
            }
        }

        /// Ends a search.
        fn answer(&mut self) {
            let position = *self.played.current();
            match self.way {
                "ignores_stop" | "clock_cheat" => return,
                "esc_info" => say_bytes(b"info string \x1b[?1049l\x1bc\n"),
                "huge_numbers" => say(
                    "info depth 99999999999999999999 score cp 9e999 nodes -1 nps 18446744073709551616 time x",
                ),
                "illegal_pv" => say(&format!("info depth 1 pv{}", " e2e5 a1h8".repeat(5000))),
                "score_words" => {
                    say("info score mate\ninfo score cp\ninfo score cp x\ninfo score lowerbound");
                }
                "multipv_huge" => say("info multipv 1000000 depth 1"),
                "wdl_bad" => say("info depth 1 wdl 1 2"),
                _ => say("info depth 1 score cp 0"),
            }
            if let Some(seed) = self.way.strip_prefix("false_moves:") {
                return say_bytes(&false_move(seed.parse().expect("a number"), &position));
            }
            let best = self.chosen(&position);
            say_bytes(format!("bestmove {best}{}", self.line_end()).as_bytes());
            if self.way == "restart_loop" {
                exit(3);
            }
            self.last_best = Some(best);
        }

        fn line_end(&self) -> &'static str {
            match self.way {
                "crlf" => "\r\n",
                "bestmove_nul" => "\0\n",
                "bestmove_twice" => "\nbestmove d2d4\n",
                "double_space" => "  ponder e7e5 \n",
                _ => "\n",
            }
        }

        fn chosen(&self, position: &Position) -> String {
            let first = || {
                let moves = position.legal_moves();
                moves.first().map(|&m| position.uci(m).to_string())
            };
            match self.way {
                "illegal_bestmove" => "e2e5".into(),
                "bestmove_uppercase" => "E2E4".into(),
                "promotion_missing" => "a7a8".into(),
                "bestmove_castle_960" => "e1h1".into(),
                "double_space" => " e2e4".into(),
                "bestmove_nul" => "e2e4".into(),
                way => match way.strip_prefix("garbage_bestmove:") {
                    Some(text) => text.into(),
                    None => first().unwrap_or_else(|| "(none)".into()),
                },
            }
        }
    }
}
