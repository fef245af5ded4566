//! A game for two people at one board, with the texts of the program's line mode: moves, `draw`, `draw MOVE` and `quit`.

use tabiya_game::MoveRefusal::{Illegal, Unreadable};
use tabiya_game::{Claim, ClaimRule, Command, Event, Refusal, Refusal::Move, Session, Timestamp};
use tabiya_rules::IllegalMove::{NoPiece, OpponentsPiece};

const MENU: &str = "may claim a draw, or continue playing.\n1. Claim draw\n2. Continue";

fn main() {
    let (mut game, mut menu, mut lines) = (Session::default(), None, std::io::stdin().lines());
    loop {
        print!("\n{}", game.position().board().diagram());
        match (menu, game.turn()) {
            (None, turn) => println!("{turn}'s turn. Enter move: "),
            (Some(ClaimRule::FiftyMoves), turn) => println!("[50-move rule] {turn} {MENU}"),
            (Some(ClaimRule::Threefold), turn) => println!("[Threefold repetition] {turn} {MENU}"),
        }
        let line = lines.next().and_then(Result::ok).unwrap_or("quit".into());
        let (word, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
        let command = match (&*word.to_lowercase(), rest.trim()) {
            ("quit" | "q", "") => return println!("Game over. Goodbye!"),
            ("2", "") if menu.take().is_some() => continue,
            ("1", "") if menu.is_some() => Command::claim(),
            ("draw", "") => Command::claim(),
            ("draw", intended) => Command::claim_with(intended),
            _ => Command::play(line.trim()),
        };
        let events = game.apply(command, Timestamp::ORIGIN).inspect_err(refuse);
        for event in events.unwrap_or_default() {
            match event {
                Event::Moved(m) => {
                    let (by, at) = (m.by, m.played.destination());
                    if let Some((_, piece)) = m.captured {
                        println!("{by} captures {} {} on {at}", piece.color, piece.role);
                    }
                    if m.check && game.outcome().is_none() {
                        println!("{} is in check!", !by);
                    }
                    menu = None;
                }
                Event::ClaimAvailable(claims) => menu = claims.first().map(Claim::rule),
                Event::Ended(outcome) => {
                    print!("{outcome}\n\n{}", game.position().board().diagram());
                    (game, menu) = (Session::default(), None);
                }
                _ => {}
            }
        }
    }
}

fn refuse(why: &Refusal) {
    match why {
        Move(Illegal(OpponentsPiece { .. })) => println!("That is not your piece."),
        Move(Unreadable { .. }) => println!("{why}\nAlgebraic notation is read too, e.g. Nf3."),
        Move(Illegal(NoPiece { .. })) | Refusal::Claim(_) => println!("{why}"),
        _ => println!("Illegal move. {why}"),
    }
}
