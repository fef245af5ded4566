//! The example `loop` as a process behind a pipe: the texts of the program's line mode, to the letter.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

const START: &str = "\n8 r n b q k b n r\n7 p p p p p p p p\n6 . . . . . . . .\n5 . . . . . . . .\n4 . . . . . . . .\n\
    3 . . . . . . . .\n2 P P P P P P P P\n1 R N B Q K B N R\n  a b c d e f g h\n";
const GOODBYE: &str = "Game over. Goodbye!\n";
/// The lines of a board, with the blank one before it.
const BOARD: usize = 10;

/// The example, which Cargo builds before it runs the tests.
fn program() -> PathBuf {
    let test = std::env::current_exe().expect("a path");
    let profile = test.ancestors().nth(2).expect("the folder of the profile");
    let built = profile.join(format!("examples/loop{}", std::env::consts::EXE_SUFFIX));
    assert!(
        built.exists(),
        "{} is missing: cargo build -p tabiya-game --examples",
        built.display()
    );
    built
}

struct Game {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Game {
    fn begin() -> Game {
        let mut child = Command::new(program())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the example can be started");
        let input = child.stdin.take().expect("stdin is a pipe");
        let output = BufReader::new(child.stdout.take().expect("stdout is a pipe"));
        Game {
            child,
            input,
            output,
        }
    }

    fn lines(&mut self, count: usize) -> String {
        let mut text = String::new();
        for _ in 0..count {
            let read = self.output.read_line(&mut text).expect("UTF-8");
            assert!(read > 0, "it ended after:\n{text}");
        }
        text
    }

    /// What it says to a line of input, after a board and the prompt, or the menu, that stood before it.
    #[track_caller]
    fn says(&mut self, prompt: &str, typed: &str, said: &str) {
        self.lines(BOARD);
        assert_eq!(self.lines(prompt.lines().count()), format!("{prompt}\n"));
        writeln!(self.input, "{typed}").expect("it reads");
        assert_eq!(self.lines(said.lines().count()), said, "{typed}");
    }

    fn white(&mut self, typed: &str, said: &str) {
        self.says("White's turn. Enter move: ", typed, said);
    }

    fn black(&mut self, typed: &str, said: &str) {
        self.says("Black's turn. Enter move: ", typed, said);
    }

    /// Everything until it ends.
    fn rest(mut self) -> String {
        drop(self.input);
        let mut text = String::new();
        self.output.read_to_string(&mut text).expect("UTF-8");
        assert!(self.child.wait().expect("it ends").success());
        text
    }
}

#[test]
fn moves_and_refusals_have_the_fixed_texts() {
    let mut game = Game::begin();
    let format = |typed: &str| {
        format!(
            "Invalid move format '{typed}'. Use coordinate notation, e.g. e2e4.\n\
             Algebraic notation is read too, e.g. Nf3.\n"
        )
    };
    game.white("castle", &format("castle"));
    game.white("1", &format("1"));
    game.white("e4e5", "No piece on e4.\n");
    game.white("e7e5", "That is not your piece.\n");
    let illegal = "Illegal move. A Pawn cannot move from e2 to e5.\n";
    game.white("e2e5", illegal);
    let refused = "Draw cannot be claimed: the 50-move rule has not been triggered.\n\
                   Draw cannot be claimed: the position has not occurred three times.\n";
    game.white("Draw", refused);
    game.white("draw Nf3", refused);
    game.white("e2e4", "");
    game.black("d5", "");
    game.white("exd5", "White captures Black Pawn on d5\n");
    game.black("d8d5", "Black captures White Pawn on d5\n");
    game.white("Nc3", "");
    game.black("d5e5", "White is in check!\n");
    assert!(
        game.rest()
            .ends_with(&format!("White's turn. Enter move: \n{GOODBYE}"))
    );
}

#[test]
fn a_draw_is_offered_claimed_and_declined_and_a_new_game_follows() {
    let mut game = Game::begin();
    let menu = "[Threefold repetition] White may claim a draw, or continue playing.\n1. Claim draw\n2. Continue";
    for _ in 0..2 {
        game.white("Nf3", "");
        game.black("Nf6", "");
        game.white("Ng1", "");
        game.black("Ng8", "");
    }
    game.says(
        menu,
        "e2e5",
        "Illegal move. A Pawn cannot move from e2 to e5.\n",
    );
    game.says(menu, "2", "");
    // It is not offered again before the position changes, but can still be claimed.
    game.white("e2e5", "Illegal move. A Pawn cannot move from e2 to e5.\n");
    game.white("draw", "Draw claimed by threefold repetition.\n");
    assert_eq!(game.lines(BOARD), START, "the last board");
    game.white("f3", "");
    game.black("e5", "");
    game.white("g4", "");
    game.black("Qh4", "Checkmate! Black wins.\n");
    game.lines(BOARD);
    let out = game.rest();
    assert_eq!(out, format!("{START}White's turn. Enter move: \n{GOODBYE}"));
}

#[test]
fn quit_is_read_in_any_case() {
    for typed in ["quit", "Q", "QUIT", "  quit \r"] {
        let mut game = Game::begin();
        game.white(typed, GOODBYE);
        assert_eq!(game.rest(), "");
    }
}
