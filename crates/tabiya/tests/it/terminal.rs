//! The program in a real terminal: a pseudo-terminal with a parser behind it that knows what a screen would show.

#![cfg(unix)]

use std::io::{Read, Write};
use std::num::NonZero;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, PtySize, native_pty_system};

const SIZE: PtySize = PtySize {
    rows: 40,
    cols: 100,
    pixel_width: 0,
    pixel_height: 0,
};

/// How long anything may take on a machine that has other things to do.
const PATIENCE: Duration = Duration::from_secs(30);

struct Terminal {
    child: Box<dyn Child + Send + Sync>,
    keys: Box<dyn Write + Send>,
    seen: Arc<Mutex<Vec<u8>>>,
}

impl Terminal {
    fn start(arguments: &[&str]) -> Terminal {
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_tabiya"));
        command.args(arguments);
        Terminal::spawn(command)
    }

    fn spawn(mut command: CommandBuilder) -> Terminal {
        command.env("TERM", "xterm-256color");
        command.env_remove("NO_COLOR");
        for (name, value) in crate::support::no_home() {
            command.env(name, value);
        }
        let pair = native_pty_system()
            .openpty(SIZE)
            .expect("a pseudo-terminal");
        let child = pair
            .slave
            .spawn_command(command)
            .expect("the binary can be started");
        let mut output = pair.master.try_clone_reader().expect("the other end");
        let keys = pair.master.take_writer().expect("the other end");
        let seen = Arc::new(Mutex::new(Vec::new()));
        let written = Arc::clone(&seen);
        thread::spawn(move || {
            // The master stays open as long as this thread reads from it.
            let _master = pair.master;
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = output.read(&mut bytes) {
                written
                    .lock()
                    .expect("no panic")
                    .extend_from_slice(&bytes[..count]);
            }
        });
        Terminal { child, keys, seen }
    }

    fn type_keys(&mut self, keys: &str) {
        self.keys
            .write_all(keys.as_bytes())
            .expect("the terminal takes keys");
        self.keys.flush().expect("the terminal takes keys");
    }

    fn bytes(&self) -> Vec<u8> {
        self.seen.lock().expect("no panic").clone()
    }

    /// Everything a screen would have shown, also what has scrolled away.
    fn shown(&self) -> String {
        let size = |number| NonZero::new(number).expect("not zero");
        let mut parser = vt100::Parser::new(size(2000), size(SIZE.cols), 0);
        parser.process(&self.bytes());
        parser.screen().contents()
    }

    #[track_caller]
    fn wait_for(&self, what: impl Fn(&str) -> bool) -> String {
        let begun = Instant::now();
        loop {
            let shown = self.shown();
            if what(&shown) {
                return shown;
            }
            assert!(begun.elapsed() < PATIENCE, "it never came: {shown}");
            thread::sleep(Duration::from_millis(20));
        }
    }

    #[track_caller]
    fn wait_for_end_of(&self, text: &str) -> String {
        self.wait_for(|shown| shown.trim_end().ends_with(text))
    }

    #[track_caller]
    fn leaves(mut self) -> String {
        let shown = self.wait_for_end_of("Game over. Goodbye!");
        assert!(self.child.wait().expect("the child ends").success());
        shown
    }
}

#[test]
fn a_game_with_completion_history_and_a_prompt_on_one_line() {
    let mut terminal = Terminal::start(&["--line"]);
    terminal.wait_for_end_of("White's turn. Enter move:");
    terminal.type_keys("e2e4\r");
    terminal.wait_for_end_of("Black's turn. Enter move:");
    terminal.type_keys("Nf\t");
    terminal.wait_for_end_of("Black's turn. Enter move: Nf6");
    terminal.type_keys("\r");
    terminal.wait_for_end_of("White's turn. Enter move:");
    terminal.type_keys("\u{1b}[A\u{1b}[A");
    terminal.wait_for_end_of("White's turn. Enter move: e2e4");
    terminal.type_keys("\r");
    let shown = terminal.wait_for(|shown| shown.contains("No piece on e2."));
    assert!(shown.contains("Enter move: Nf6\n"), "{shown}");
    terminal.wait_for_end_of("White's turn. Enter move:");
    terminal.type_keys("quit\r");
    terminal.leaves();
}

#[test]
fn live_lines_never_go_back_further_than_the_screen() {
    let many = "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1";
    let lines = ["--multipv", "60", "--movetime", "1500"];
    let mut terminal = Terminal::start(&[&["analyse", many], &lines[..]].concat());
    assert!(terminal.child.wait().expect("the child ends").success());
    // What stays is shown whole: two lines about the search, and all that were asked for.
    terminal.wait_for(|shown| shown.trim_end().lines().count() == 62);
    let bytes = terminal.bytes();
    let text = String::from_utf8_lossy(&bytes);
    let upwards: Vec<u16> = text
        .split("\u{1b}[")
        .filter_map(|rest| rest.split_once('A')?.0.parse().ok())
        .collect();
    assert!(!upwards.is_empty(), "nothing was shown live");
    assert!(upwards.iter().all(|&rows| rows < SIZE.rows), "{upwards:?}");
}

#[test]
fn control_c_gives_up_the_line_and_twice_leaves() {
    let mut terminal = Terminal::start(&["play", "--black", "human", "--line"]);
    terminal.wait_for_end_of("White's turn. Enter move:");
    terminal.type_keys("e2e");
    terminal.wait_for_end_of("Enter move: e2e");
    terminal.type_keys("\u{3}");
    terminal.wait_for(|shown| shown.matches("White's turn. Enter move:").count() == 2);
    terminal.type_keys("\u{3}");
    terminal.leaves();
}

#[test]
fn control_d_leaves() {
    let mut terminal = Terminal::start(&["play", "--black", "human", "--line"]);
    terminal.wait_for_end_of("White's turn. Enter move:");
    terminal.type_keys("\u{4}");
    terminal.leaves();
}

#[test]
fn a_flag_that_falls_is_announced_above_the_line() {
    let mut terminal = Terminal::start(&["play", "--black", "human", "--line", "--clock", "1s"]);
    terminal.wait_for_end_of("White's turn. Enter move:");
    terminal.type_keys("e2e4\r");
    terminal.wait_for_end_of("Black's turn. Enter move:");
    terminal.type_keys("e7e");
    let shown = terminal.wait_for(|shown| shown.contains("A new game begins with the first move"));
    // The last board of the game stands between.
    let end = shown
        .find("Black ran out of time. White wins.")
        .expect("it is told");
    assert!(shown[end..].contains("4 . . . . P . . ."), "{shown}");
    // What was being typed was meant for the last game, which is still there.
    terminal.type_keys("5\r");
    terminal.wait_for(|shown| shown.contains("That move came after the flag fell"));
    terminal.type_keys("pgn\r");
    terminal.wait_for(|shown| shown.contains("1. e4") && shown.contains(" 1-0"));
    // It is saved with its end.
    terminal.type_keys("saves\r");
    terminal.wait_for(|shown| shown.contains(", 1-0, 1 move"));
    // The clock of the next game waits for a move.
    terminal.type_keys("clock\r");
    terminal.wait_for(|shown| shown.contains("The clocks are stopped."));
    terminal.type_keys("d4\r");
    terminal.wait_for_end_of("Black's turn. Enter move:");
    terminal.type_keys("quit\r");
    terminal.wait_for(|shown| shown.contains("Game over. Goodbye!"));
}

/// An engine that begins the next game does not hide the last one.
#[test]
fn the_last_game_is_there_until_the_person_moves() {
    let arguments = ["play", "--white", "bot:1", "--line"];
    let mut terminal = Terminal::start(&arguments);
    terminal.wait_for(|shown| {
        shown.contains("You play Black against Bot 1 «Newcomer», without a clock.")
    });
    terminal.wait_for_end_of("Black's turn. Enter move:");
    terminal.type_keys("resign\r");
    terminal.wait_for(|shown| shown.contains("A new game begins. Until your first move"));
    terminal.wait_for(|shown| shown.matches("White plays ").count() == 2);
    terminal.type_keys("pgn\r");
    terminal.wait_for(|shown| shown.contains(" 1-0"));
    terminal.type_keys("quit\r");
    let shown = terminal.leaves();
    let kept = shown
        .lines()
        .find(|line| line.starts_with("The game is saved as"));
    assert!(
        kept.is_some_and(|line| !line.contains("continues it")),
        "{shown}"
    );
}

/// The save of a game that was lost on time says so, although the next game begins only when Enter is pressed.
#[test]
fn a_flag_that_falls_is_saved() {
    let home = crate::saves::Home::new("flag");
    let variables = home.variables();
    let variables = variables
        .each_ref()
        .map(|(name, value)| (*name, value.as_str()));
    let arguments = ["play", "--black", "human", "--line", "--clock", "2s"];
    let mut screen = crate::screen::Screen::start_with(&arguments, &variables);
    screen.wait_for("White's turn. Enter move:");
    screen.send("e2e4\r");
    screen.wait_for("Black ran out of time. White wins.");
    screen.send("\r");
    screen.wait(|screen| {
        screen
            .contents()
            .trim_end()
            .ends_with("White's turn. Enter move:")
    });
    screen.send("quit\r");
    assert!(screen.ends().success());
    let saves = home.path().join("data/tabiya/saves");
    let saves = std::fs::read_dir(saves).expect("a folder");
    let texts: Vec<String> = saves
        .map(|entry| std::fs::read_to_string(entry.expect("a file").path()).expect("a save"))
        .collect();
    let is_won = |text: &String| text.contains("[Result \"1-0\"]") && text.contains("time forfeit");
    assert!(texts.iter().any(is_won), "{texts:?}");
}

#[test]
fn the_claim_menu_has_its_own_prompt() {
    let fen = "4k3/8/8/8/8/8/8/R3K3 w - - 100 90";
    let mut terminal = Terminal::start(&["play", "--black", "human", "--line", "--fen", fen]);
    terminal.wait_for_end_of("1. Claim draw\n2. Continue\n1, 2 or a move:");
    terminal.type_keys("2\r");
    terminal.wait_for_end_of("White's turn. Enter move:");
    terminal.type_keys("draw\r");
    terminal.wait_for(|shown| shown.contains("Draw claimed by 50-move rule."));
    terminal.type_keys("q\r");
    terminal.leaves();
}

#[test]
fn a_progress_bar_leaves_nothing_behind() {
    let terminal = Terminal::start(&["perft", "6"]);
    let shown = terminal.wait_for(|shown| shown.contains("million a second"));
    assert!(shown.starts_with("Nodes searched: 119060324\n"), "{shown}");
    assert!(!shown.contains("elapsed"), "{shown}");
}

#[test]
fn what_comes_through_a_pipe_sends_no_sequences_to_the_terminal() {
    let mut command = CommandBuilder::new("sh");
    command.args([
        "-c",
        "printf '\\033[35mx\\n\\2332J\\nfen \\033]0;x\\007\\n' | \"$0\" play",
    ]);
    command.arg(env!("CARGO_BIN_EXE_tabiya"));
    let terminal = Terminal::spawn(command);
    terminal.wait_for(|shown| shown.contains("Game over. Goodbye!"));
    let bytes = terminal.bytes();
    let sequences = bytes.split(|&byte| byte == 0x1b).skip(1);
    for sequence in sequences {
        let ours = [&b"[33m"[..], b"[1m", b"[0m"]
            .iter()
            .any(|own| sequence.starts_with(own));
        assert!(ours, "{:?}", String::from_utf8_lossy(sequence));
    }
    assert!(!bytes.contains(&7) && !bytes.windows(2).any(|pair| pair == [0xc2, 0x9b]));
}

#[test]
fn the_bot_moves_while_a_line_is_open() {
    let mut terminal = Terminal::start(&["play", "--line", "--black", "bot:1"]);
    terminal.wait_for_end_of("White's turn. Enter move:");
    terminal.type_keys("e4\r");
    // The bot's move and the board come above the line, which stays open for the next one.
    let turns = |shown: &str| shown.matches("White's turn. Enter move:").count();
    terminal.wait_for(|shown| shown.contains("Black plays ") && turns(shown) == 2);
    terminal.type_keys("a3\r");
    terminal.wait_for(|shown| shown.matches("Black plays ").count() == 2 && turns(shown) == 3);
    terminal.type_keys("quit\r");
    terminal.leaves();
}

/// The line is begun while the bot thinks, and yet it is completed with the moves of whoever types it.
#[test]
fn tab_completes_ones_own_moves_after_the_bots() {
    let mut terminal = Terminal::start(&["play", "--line", "--black", "bot:2"]);
    let shown = terminal.wait_for_end_of("White's turn. Enter move:");
    assert!(shown.contains("help lists everything else"), "{shown}");
    terminal.type_keys("e4\r");
    terminal.wait_for(|shown| {
        shown.contains("Black plays ") && shown.trim_end().ends_with("White's turn. Enter move:")
    });
    terminal.type_keys("Nf\t");
    terminal.wait_for_end_of("White's turn. Enter move: Nf3");
    terminal.type_keys("\r");
    terminal.wait_for(|shown| shown.matches("Black plays ").count() == 2);
    terminal.type_keys("quit\r");
    let shown = terminal.leaves();
    let kept = shown.lines().rev().nth(1).expect("a line");
    assert!(kept.starts_with("The game is saved as game-"), "{shown}");
}

/// Whoever goes back and types a move is asked before the game is taken back.
#[test]
fn a_move_from_an_earlier_place_is_asked_about() {
    let mut terminal = Terminal::start(&["play", "--black", "human", "--line", "--clock", "90"]);
    terminal.wait_for_end_of("White's turn. Enter move:");
    terminal.type_keys("e4\r");
    terminal.wait_for_end_of("Black's turn. Enter move:");
    terminal.type_keys("e5\r");
    terminal.wait_for_end_of("White's turn. Enter move:");
    terminal.type_keys("goto start\r");
    terminal.wait_for(|shown| {
        shown.contains("At the start.") && shown.trim_end().ends_with("Enter move:")
    });
    terminal.type_keys("d4\r");
    terminal.wait_for(|shown| shown.contains("d4 takes your game back to this place"));
    terminal.type_keys("no\r");
    terminal.wait_for(|shown| {
        shown.contains("Your game stays as it is.") && shown.trim_end().ends_with("Enter move:")
    });
    terminal.type_keys("d4\r");
    terminal.wait_for(|shown| shown.matches("d4 takes your game back").count() == 2);
    terminal.type_keys("yes\r");
    terminal.wait_for_end_of("Black's turn. Enter move:");
    terminal.type_keys("fen\r");
    terminal.wait_for(|shown| shown.contains("/3P4/8/PPP1PPPP/RNBQKBNR b KQkq"));
    terminal.type_keys("quit\r");
    let shown = terminal.leaves();
    let went_on =
        "The game goes on from here. The moves that had followed are kept as a variation.";
    assert!(shown.contains(went_on), "{shown}");
}

#[test]
fn the_name_of_a_file_is_completed() {
    let folder = std::env::temp_dir().join(format!("tabiya-completed-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("only one.pgn");
    std::fs::write(&file, "1. e4 *").expect("a file");
    let mut terminal = Terminal::start(&["--line"]);
    terminal.wait_for_end_of("White's turn. Enter move:");
    terminal.type_keys(&format!("review {}/on\t", folder.display()));
    terminal.wait_for_end_of("only one.pgn");
    terminal.type_keys("\r");
    terminal.wait_for(|shown| shown.contains("At the start."));
    terminal.type_keys("quit\r");
    terminal.leaves();
    std::fs::remove_dir_all(folder).expect("it is ours");
}

#[test]
fn several_lines_typed_or_pasted_at_once_are_all_read() {
    let mut terminal = Terminal::start(&["--line"]);
    terminal.wait_for_end_of("White's turn. Enter move:");
    terminal.type_keys("e4\re5\rNf3\rNc6\rquit\r");
    let shown = terminal.leaves();
    assert!(shown.contains("6 . . n . . . . ."), "{shown}");
}

#[test]
fn the_prompt_has_one_shape_after_the_bots_move() {
    let mut terminal = Terminal::start(&["play", "--line", "--black", "bot:1"]);
    terminal.wait_for_end_of("White's turn. Enter move:");
    for typed in ["e4", "hint", "a3"] {
        terminal.type_keys(&format!("{typed}\r"));
        terminal.wait_for(|shown| {
            let last = shown.trim_end().lines().next_back();
            last == Some("White's turn. Enter move:")
                && shown.contains(&format!("Enter move: {typed}\n"))
        });
    }
    let shown = terminal.shown();
    assert!(!shown.contains("Enter move:\n"), "{shown}");
    terminal.type_keys("quit\r");
    terminal.leaves();
}

#[test]
fn blindfold_says_what_is_shown() {
    let mut terminal = Terminal::start(&["--line"]);
    terminal.wait_for_end_of("White's turn. Enter move:");
    terminal.type_keys("blindfold\r");
    terminal.wait_for(|shown| {
        shown.contains("Blindfold: the board is hidden. Enter blindfold to show it again.")
    });
    terminal.wait_for_end_of("White's turn. Enter move:");
    terminal.type_keys("blindfold\r");
    terminal.wait_for(|shown| shown.contains("The board is shown again."));
    terminal.wait_for_end_of("White's turn. Enter move:");
    terminal.type_keys("quit\r");
    terminal.leaves();
}

/// What happens while a line is being typed is printed above it, without the sequences for bold letters.
#[test]
fn a_check_by_the_bot_is_plain_text() {
    // After the king's move, a pawn check is the only legal move.
    let fen = "k7/7R/8/5p2/8/8/4K3/1R6 w - - 0 1";
    let mut terminal = Terminal::start(&["play", "--line", "--black", "bot:1", "--fen", fen]);
    terminal.wait_for_end_of("White's turn. Enter move:");
    terminal.type_keys("Ke3\r");
    let shown = terminal.wait_for(|shown| shown.contains("White is in check!"));
    let told = |line: &&str| line.contains("plays f4") || line.contains("in check");
    let lines: Vec<&str> = shown.lines().map(str::trim_end).filter(told).collect();
    assert_eq!(lines, ["Black plays f4+.", "White is in check!"]);
    terminal.type_keys("quit\r");
    terminal.leaves();
}

/// An engine that cannot play is told about before the board, not after the first move.
#[test]
fn an_engine_is_tried_before_the_board_opens() {
    let terminal = Terminal::start(&["play", "--line", "--black", "uci:/bin/false"]);
    let shown = terminal.wait_for(|shown| shown.contains("tabiya: "));
    assert!(!shown.contains("a b c d e f g h"), "{shown}");
    let mut child = terminal.child;
    assert_eq!(child.wait().expect("the child ends").exit_code(), 3);
}

/// Ctrl-Z and `fg` come back to the line, and its keys are edited as before.
#[test]
fn a_game_that_was_stopped_goes_on_with_its_line() {
    let mut command = CommandBuilder::new("bash");
    command.args(["--norc", "--noprofile", "-i"]);
    let mut terminal = Terminal::spawn(command);
    let program = env!("CARGO_BIN_EXE_tabiya");
    terminal.type_keys(&format!("{program} play --line --black human\r"));
    terminal.wait_for_end_of("White's turn. Enter move:");
    terminal.type_keys("\u{1a}");
    terminal.wait_for(|shown| shown.contains("Stopped"));
    terminal.type_keys("fg\r");
    terminal.wait_for(|shown| shown.contains("You are back in the game."));
    terminal.wait_for_end_of("White's turn. Enter move:");
    // Ctrl-U clears what was typed.
    terminal.type_keys("e5\u{15}e4\r");
    terminal.wait_for_end_of("Black's turn. Enter move:");
    terminal.type_keys("quit\r");
    terminal.wait_for(|shown| shown.contains("Game over. Goodbye!"));
    terminal.type_keys("exit\r");
    terminal.child.wait().expect("the shell ends");
}

/// An answer without games names the filter, which stays until it is taken away.
#[test]
fn an_empty_answer_of_the_explorer_names_its_filter() {
    let folder = std::env::temp_dir().join(format!("tabiya-filter-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let games = folder.join("games.pgn").display().to_string();
    std::fs::write(&games, "[White \"Anna\"]\n\n1. e4 e5 1-0\n").expect("a file");
    let db = folder.join("games.db").display().to_string();
    crate::support::run(&["db", "build", &db, &games]).fine();
    let arguments = ["play", "--line", "--black", "human", "--db", &db];
    let mut terminal = Terminal::start(&arguments);
    terminal.wait_for_end_of("White's turn. Enter move:");
    terminal.type_keys("explorer nobody\r");
    terminal.wait_for(|shown| {
        shown.contains("Only games that fit 'nobody' are counted; explorer all counts every game.")
    });
    terminal.wait_for_end_of("White's turn. Enter move:");
    terminal.type_keys("quit\r");
    terminal.leaves();
    let _ = std::fs::remove_dir_all(folder);
}

/// Results may come thousands of times a second; the line of the progress changes twenty times a second at most.
#[test]
fn progress_is_written_now_and_then() {
    let folder = std::env::temp_dir().join(format!("tabiya-progress-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let games = folder.join("games.pgn");
    let game = |number: u32| {
        format!("[White \"{number}\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 1-0\n\n")
    };
    let text: String = (0..40_000).map(game).collect();
    std::fs::write(&games, text).expect("a file");
    let (games, db) = (games.display().to_string(), folder.join("games.db"));
    let db = db.display().to_string();
    let begun = Instant::now();
    let mut terminal = Terminal::start(&["db", "build", &db, &games]);
    terminal.wait_for(|shown| shown.contains(" read)"));
    assert!(terminal.child.wait().expect("the child ends").success());
    let written = String::from_utf8_lossy(&terminal.bytes()).into_owned();
    let changes = written.matches("\x1b[K").count() as f64;
    let most = 2.0 * (20.0 * begun.elapsed().as_secs_f64() + 5.0);
    assert!(changes <= most, "{changes} changes, {most} at most");
    let _ = std::fs::remove_dir_all(folder);
}

/// A screen reader reads what comes: the bot's move, the board, and then the prompt, once.
#[test]
fn the_prompt_comes_once_after_the_bots_move() {
    let mut terminal = Terminal::start(&["play", "--line", "--black", "bot:1"]);
    terminal.wait_for_end_of("White's turn. Enter move:");
    terminal.type_keys("e4\r");
    terminal.wait_for(|shown| {
        shown.contains("Black plays ") && shown.trim_end().ends_with("Enter move:")
    });
    let bytes = String::from_utf8_lossy(&terminal.bytes()).into_owned();
    let told = bytes.find("Black plays ").expect("it is told");
    let prompts = bytes[told..].matches("White's turn. Enter move:").count();
    assert_eq!(prompts, 1, "{bytes:?}");
    terminal.type_keys("quit\r");
    terminal.leaves();
}

#[test]
fn enter_alone_shows_the_prompt_again() {
    let mut terminal = Terminal::start(&["play", "--line", "--black", "human"]);
    terminal.wait_for_end_of("White's turn. Enter move:");
    terminal.type_keys("\r");
    let prompts = |shown: &str| shown.matches("White's turn. Enter move:").count();
    let shown = terminal.wait_for(|shown| prompts(shown) == 2);
    assert_eq!(shown.matches("a b c d e f g h").count(), 2, "{shown}");
    assert!(!shown.contains("Invalid"), "{shown}");
    terminal.type_keys("quit\r");
    terminal.leaves();
}

/// A terminal that says what is pasted gives all lines at once; they are read one by one.
#[test]
fn pasted_lines_are_read_one_by_one() {
    let mut terminal = Terminal::start(&["play", "--line", "--black", "human"]);
    terminal.wait_for_end_of("White's turn. Enter move:");
    terminal.type_keys("\u{1b}[200~e4\ne5\n\nNf3\u{1b}[201~\r");
    terminal.wait_for_end_of("Black's turn. Enter move:");
    terminal.type_keys("last\r");
    terminal.wait_for(|shown| shown.contains("White played Nf3 (g1f3)."));
    terminal.type_keys("quit\r");
    terminal.leaves();
}

#[test]
fn a_file_of_several_games_says_so() {
    let folder = std::env::temp_dir().join(format!("tabiya-several-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("two.pgn").display().to_string();
    std::fs::write(
        &file,
        "[White \"A\"]\n\n1. e4 *\n\n[White \"B\"]\n\n1. d4 *\n",
    )
    .expect("a file");
    let mut terminal = Terminal::start(&["play", "--line", "--black", "human"]);
    terminal.wait_for_end_of("White's turn. Enter move:");
    terminal.type_keys(&format!("review {file}\r"));
    terminal.wait_for(|shown| shown.contains("The file has 2 games, and this is the first"));
    terminal.wait_for_end_of("Reviewing, White to move:");
    // Only the settings of the line mode are completed.
    terminal.type_keys("set d\t");
    terminal.wait_for_end_of("set draws");
    terminal.type_keys("\u{15}quit\r");
    terminal.leaves();
    let _ = std::fs::remove_dir_all(folder);
}
