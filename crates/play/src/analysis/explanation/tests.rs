//! Why a move was a mistake, in words, and whether the words are borne out.

use std::thread;
use std::time::Instant;

use tabiya_game::{Node, Record, pgn};
use tabiya_uci::Go;

use super::*;
use crate::analysis::{GameAnalysis, GameAnalyzer, analyse, look};
use crate::engines::KnownEngines;
use crate::players::{BlockingPlayer, PlayerConfig, PlayerSpec, StopHandle};

/// The moves of a line from a position.
pub(super) fn line(position: &Position, texts: &[&str]) -> Vec<Move> {
    let mut here = *position;
    let read = |text: &&str| {
        let next = here.parse_san(text).expect("a move");
        here = here.play_unchecked(next);
        next
    };
    texts.iter().map(read).collect()
}

/// The sentence about a move, given the best line, the score after the move for the opponent, and the refutation.
fn explained(
    fen: &str,
    played: &str,
    best: (Score, &[&str]),
    refutation: (Score, &[&str]),
) -> Option<String> {
    let position = Position::from_fen(fen).expect("a position");
    let played = position.parse_san(played).expect("a move");
    let next = position.play_unchecked(played);
    let verdict = |at: &Position, (score, texts): (Score, &[&str])| {
        Verdict::found(score, at, None, line(at, texts))
    };
    let mut analysis = GameAnalysis::new(verdict(&position, best));
    analysis.push(position.turn(), Some(played), verdict(&next, refutation));
    let judged = analysis.moves().next().expect("a move");
    of(&position, &judged).map(|why| why.to_string())
}

fn points(score: i32) -> Score {
    Score::Centipawns(score)
}

/// The queen attacks an unprotected knight.
const ATTACKED: &str = "rnbqkb1r/pppppppp/8/8/4n3/3P4/PPP1QPPP/RNB1KBNR b KQkq - 0 1";

#[test]
fn what_is_lost_is_said_in_chess_words() {
    let best: (_, &[_]) = (points(0), &["Nf6", "Nf3"]);
    let said = |played: &str, refutation: &[&str]| {
        explained(ATTACKED, played, best, (points(300), refutation)).expect("a price")
    };
    let loses = "1...a6 loses the knight: 2.Qxe4. Best was Nf6.";
    assert_eq!(said("a6", &["Qxe4", "d5", "Qe2"]), loses);
    let loses = "1...d5 loses the knight: 2.dxe4. Best was Nf6.";
    assert_eq!(said("d5", &["dxe4", "dxe4", "Qxe4"]), loses);
    // A capture beyond the end of the line is no reason.
    let price = "1...a6 costs 39 % of the chances; best was 1...Nf6 2.Nf3.";
    for line in [&["h3", "Nf6"][..], &[]] {
        assert_eq!(said("a6", line), price, "{line:?}");
    }
}

#[test]
fn what_the_best_line_loses_too_is_not_said() {
    let loses: (_, &[_]) = (points(300), &["Qxe4", "d6"]);
    let also: (_, &[_]) = (points(-300), &["h6", "Qxe4", "d6"]);
    assert_eq!(explained(ATTACKED, "a6", also, loses), None);
    let unknown: (_, &[_]) = (points(0), &["Nxf2"]);
    let said = explained(ATTACKED, "a6", unknown, loses).expect("a price");
    assert!(said.starts_with("1...a6 costs "), "{said}");
}

#[test]
fn a_loss_that_comes_back_in_the_line_is_not_said() {
    // Black takes the bishop, and White the queen's knight: an even trade, whatever was dearer.
    let fen = "4k3/8/2n5/8/8/2B5/8/4K2R w K - 0 1";
    let best: (_, &[_]) = (points(0), &["Ke2", "Ke7"]);
    let traded: (_, &[_]) = (points(0), &["Nd4", "Bxd4", "Ke7"]);
    assert_eq!(explained(fen, "Rh2", best, traded), None);
}

#[test]
fn a_fork_loses_what_it_takes_in_the_end() {
    // The knight gives check, and takes the rook only then.
    let fen = "r3k3/8/8/3N4/8/8/8/4K3 b q - 0 1";
    let best: (_, &[_]) = (points(0), &["Rc8", "Ke2"]);
    let said = explained(fen, "Kd7", best, (points(500), &["Nb6+", "Kc6", "Nxa8"]));
    let loses = "1...Kd7 loses the rook: 2.Nb6+ Kc6 3.Nxa8. Best was Rc8.";
    assert_eq!(said.as_deref(), Some(loses));
}

#[test]
fn what_could_have_been_won_is_said() {
    let fen = ATTACKED.replace(" b ", " w ");
    let missed: (_, &[_]) = (points(300), &["Qxe4", "d5", "Qe2"]);
    let quiet: (_, &[_]) = (points(0), &["Nf6", "d4"]);
    let said = explained(&fen, "Nf3", missed, quiet);
    assert_eq!(
        said.as_deref(),
        Some("1.Nf3 misses winning the knight: 1.Qxe4.")
    );
    // What is won anyway is not missed.
    let anyway: (_, &[_]) = (points(-50), &["d6", "Nf3"]);
    let said = explained(&fen, "dxe4", missed, anyway).expect("a price");
    assert!(said.starts_with("1.dxe4 costs "), "{said}");
}

#[test]
fn what_costs_less_than_it_is_worth_is_no_reason() {
    // A pawn and a little more could be given up for something; a knight for so little is.
    let best: (_, &[_]) = (points(0), &["Nf6", "Nf3"]);
    let said = |score| {
        explained(
            ATTACKED,
            "a6",
            best,
            (points(score), &["Qxe4", "d5", "Qe2"]),
        )
    };
    assert!(said(180).expect("a reason").contains("loses the knight"));
    assert!(said(170).expect("a price").contains("costs"));
    // Black threatens nothing when White gives up a pawn.
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let gambit: (_, &[_]) = (points(150), &["d5", "e4", "dxe4", "Nc3"]);
    let said = explained(fen, "a3", (points(0), &["e4", "e5"]), gambit);
    assert!(said.expect("a price").contains("costs"));
    // Both moves take the same pawn.
    let fen = "4k3/8/2r5/3p4/8/2N2B2/8/4K3 w - - 0 1";
    let bishop: (_, &[_]) = (points(300), &["Bxd5", "Re6+", "Kf2"]);
    let knight = explained(fen, "Nxd5", bishop, (points(-50), &["Rc1+", "Kf2", "Rc5"]));
    assert!(knight.expect("a price").contains("costs"));
}

#[test]
fn a_promotion_is_a_new_piece() {
    let fen = "8/1K6/8/8/8/6k1/p7/1B6 w - - 0 1";
    let best: (_, &[_]) = (points(0), &["Bxa2", "Kf4"]);
    let queens: (_, &[_]) = (points(900), &["a1=Q", "Bc2", "Qf6"]);
    let said = explained(fen, "Be4", best, queens);
    let allows = "1.Be4 allows a new queen: 1...a1=Q. Best was Bxa2.";
    assert_eq!(said.as_deref(), Some(allows));
    // The pawn takes the bishop as it promotes.
    let takes: (_, &[_]) = (points(900), &["axb1=Q+", "Ka7", "Qb4"]);
    let said = explained(fen, "Kb6", best, takes).expect("a loss");
    let loses = "1.Kb6 loses the bishop and allows a new queen: 1...axb1=Q+ 2.Ka7";
    assert!(said.starts_with(loses), "{said}");
}

#[test]
fn several_pieces_and_the_exchange_have_their_words() {
    let said = |lost: &[(Role, i32)]| {
        let net = |role| lost.iter().filter(|it| it.0 == role).map(|it| it.1).sum();
        Exchanged::of(ByRole::from_fn(net)).phrase("loses", "allows")
    };
    use Role::{Bishop, Knight, Pawn, Queen, Rook};
    assert_eq!(said(&[(Rook, 1), (Knight, -1)]), "loses the exchange");
    assert_eq!(
        said(&[(Rook, 1), (Bishop, -1), (Pawn, 1)]),
        "loses the rook and a pawn for a bishop"
    );
    assert_eq!(
        said(&[(Queen, 1), (Rook, -1), (Knight, -1)]),
        "loses the queen for a rook and a knight"
    );
    assert_eq!(said(&[(Pawn, 2)]), "loses two pawns");
    let rook = said(&[(Rook, 1), (Knight, -1), (Bishop, 1)]);
    assert_eq!(rook, "loses the rook");
    assert_eq!(
        said(&[(Knight, 2), (Bishop, -1), (Pawn, -2)]),
        "loses the knight for two pawns"
    );
}

#[test]
fn mates_are_told_if_the_line_shows_them() {
    let fen = "rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2";
    let best: (_, &[_]) = (points(0), &["e4", "Nf6"]);
    let said = explained(fen, "g4", best, (Score::MateIn(1), &["Qh4#"]));
    let allows = "2.g4 allows mate in 1: 2...Qh4#. Best was e4.";
    assert_eq!(said.as_deref(), Some(allows));
    let not_shown = explained(fen, "g4", best, (Score::MateIn(1), &["Nc6"]));
    let price = "2.g4 costs 50 % of the chances; best was 2.e4 Nf6.";
    assert_eq!(not_shown.as_deref(), Some(price));
    let fen = "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2";
    let mate: (_, &[_]) = (Score::MateIn(1), &["Qh4#"]);
    let said = |played: &str, after: (Score, &[&str])| explained(fen, played, mate, after);
    let missed = said("d6", (points(0), &["e4"]));
    assert_eq!(
        missed.as_deref(),
        Some("2...d6 misses mate in 1: 2...Qh4#.")
    );
    // It mates a move later, or at once.
    assert_eq!(said("d6", (Score::MatedIn(2), &["e4"])), None);
    // A mate that the line does not show is only named.
    let far: (_, &[_]) = (Score::MateIn(9), &["d6", "e4"]);
    let thrown = explained(fen, "a6", far, (points(0), &["e4"]));
    let gone = "2...a6 throws away mate in 9; best was 2...d6 3.e4.";
    assert_eq!(thrown.as_deref(), Some(gone));
}

/// How many sentences of each kind there are.
#[derive(Debug, Default)]
struct Shares {
    mistakes: usize,
    losses: usize,
    missed_gains: usize,
    mates: usize,
    lost_anyway: usize,
    without_material: usize,
    /// Claims about material, and those that a longer search finds true.
    checked: (usize, usize),
}

/// The games of levels of this program against each other: SAN, one game a line.
fn games() -> Vec<Record> {
    let lines = include_str!("games.pgn").lines();
    let games = lines.map(|line| {
        let game = pgn::games(line.as_bytes()).next().expect("a game");
        assert!(game.errors.is_empty(), "{line}: {:?}", game.errors);
        game.record
    });
    games.collect()
}

/// Judges games with a limit for each search, and takes each sentence at its word. `deep` is the limit of a search that
/// has a second look at what a sentence says about material.
fn check_games(games: &[Record], nodes: u64, deep: Option<u64>) -> Shares {
    let config = PlayerConfig::of(&PlayerSpec::Bot(None), &KnownEngines::default());
    let config = config.expect("it is built in").expect("no person");
    let player = BlockingPlayer::start(&config).expect("a thread");
    let mut analyzer =
        GameAnalyzer::new(player, Go::new().with_nodes(nodes), StopHandle::default());
    let mut shares = Shares::default();
    for record in games {
        let analysis = analyse(record, &mut analyzer, || ()).expect("it answers");
        let root = std::iter::once(record.root());
        let nodes: Vec<Node<'_>> = root.chain(record.main_line()).collect();
        for (node, judged) in nodes.iter().zip(analysis.moves()) {
            let position = node.position();
            if let Some(moves) = judged.missed_mate() {
                let thrown_away = judged.loss >= Some(0.05);
                let is_marked = judged.mark.is_some();
                assert!(is_marked || moves > 4 && !thrown_away, "{}", position.fen());
            }
            let Some(said) = judged.comment(position) else {
                continue;
            };
            shares.mistakes += 1;
            let done = check(position, judged.played.expect("a move"), &said);
            let end = done.unwrap_or_else(|why| panic!("{}: {said} {why}", position.fen()));
            let by = judged.by;
            match end {
                Checked::Mate => shares.mates += 1,
                Checked::Price if loses_too(position, &judged) => shares.lost_anyway += 1,
                Checked::Price => shares.without_material += 1,
                Checked::Material { is_loss, .. } if is_loss => shares.losses += 1,
                Checked::Material { .. } => shares.missed_gains += 1,
            }
            if deep.is_some() {
                println!("{} {said}", position.fen());
            }
            let Some((deep, Checked::Material { end, loser, .. })) = deep.map(|deep| (deep, end))
            else {
                continue;
            };
            let own = std::mem::replace(&mut analyzer.go, Go::new().with_nodes(deep));
            let found = look(&tabiya_rules::MoveHistory::new(end), &mut analyzer);
            analyzer.go = own;
            let line = Line::new(end, &end, &found.expect("it answers").best);
            let sign = if line.by == loser { 1 } else { -1 };
            let back = line.won_at_last().map_or(0, |won| won * sign);
            shares.checked.0 += 1;
            shares.checked.1 += usize::from(back < 1);
            if back >= 1 {
                println!("{back} back, {by}: {} {said}", position.fen());
            }
        }
    }
    shares
}

#[test]
fn every_sentence_about_judged_games_is_borne_out() {
    let begun = Instant::now();
    let games = games();
    let (one, other) = games.split_at(games.len() / 2);
    // Two at once, because this takes the longest of all tests here.
    let (one, other) = thread::scope(|scope| {
        let beside = scope.spawn(|| check_games(other, 600, None));
        (
            check_games(one, 600, None),
            beside.join().expect("no failure"),
        )
    });
    println!("{one:?} {other:?} {:?}", begun.elapsed());
    let sum = |of: fn(&Shares) -> usize| of(&one) + of(&other);
    assert!(sum(|it| it.losses) >= 300 && sum(|it| it.missed_gains) >= 100);
    assert!(sum(|it| it.mates) >= 10 && sum(|it| it.lost_anyway) >= 20);
    assert!(sum(|it| it.without_material) >= 500);
}

/// The same at full strength, with a second look at what is claimed. It takes half an hour; the shares are printed.
#[test]
#[ignore = "half an hour in release"]
fn every_sentence_about_games_judged_at_full_strength_is_borne_out() {
    let games = games();
    let (one, other) = games.split_at(games.len() / 2);
    let deep = Some(1_000_000);
    thread::scope(|scope| {
        let beside = scope.spawn(|| check_games(other, crate::analysis::NODES, deep));
        println!("{:?}", check_games(one, crate::analysis::NODES, deep));
        println!("{:?}", beside.join().expect("no failure"));
    });
}

/// What a sentence was found to say.
enum Checked {
    Mate,
    Price,
    Material {
        end: Position,
        loser: Color,
        is_loss: bool,
    },
}

/// Whether the answer to a mistake wins material that the best line loses too.
fn loses_too(position: &Position, judged: &Judged<'_>) -> bool {
    let lines = Lines::new(position, judged).expect("a move");
    lines.refutation.settled(1).is_some()
}

/// Plays the moves of a sentence, and compares the boards: no code is shared with what wrote it.
fn check(before: &Position, played: Move, sentence: &str) -> Result<Checked, String> {
    let (sentence, best) = sentence.split_once(" Best was ").unwrap_or((sentence, ""));
    if !best.is_empty() {
        let best = best.strip_suffix('.').ok_or("no end")?;
        before.parse_san(best).map_err(|error| error.to_string())?;
    }
    let sentence = sentence.strip_suffix('.').ok_or("no end")?;
    let (claim, moves) = ["; best was ", ": "]
        .iter()
        .find_map(|joint| sentence.split_once(joint))
        .unwrap_or((sentence, ""));
    let (san, claim) = claim.split_once(' ').ok_or("no claim")?;
    let dots = if before.turn() == Color::White {
        "."
    } else {
        "..."
    };
    if san != format!("{}{dots}{}", before.fullmove_number(), before.san(played)) {
        return Err("another move".into());
    }
    let is_loss = claim.starts_with("loses") || claim.starts_with("allows");
    let mut here = match is_loss {
        true => before.play_unchecked(played),
        false => *before,
    };
    let mut plies = 0;
    for (at, text) in moves.split(' ').filter(|text| !text.is_empty()).enumerate() {
        let number = format!("{}.", here.fullmove_number());
        let numbered = match (here.turn(), at) {
            (Color::White, _) => text.strip_prefix(&number),
            (Color::Black, 0) => text.strip_prefix(&format!("{number}..")),
            (Color::Black, _) => Some(text),
        };
        let next = here
            .parse_san(numbered.ok_or("a wrong number")?)
            .map_err(|error| error.to_string())?;
        here = here.play(next).map_err(|error| error.to_string())?;
        plies += 1;
    }
    if plies > 8 {
        return Err("too long".into());
    }
    if claim.starts_with("costs ") && claim.ends_with(" % of the chances") {
        return Ok(Checked::Price);
    }
    if let Some((verb, count)) = claim.split_once(" mate in ") {
        let count: usize = count.parse().map_err(|_| "no number")?;
        let is_mate = here.is_check() && here.legal_moves().is_empty();
        return match verb == "throws away" || is_mate && plies == 2 * count - 1 {
            true => Ok(Checked::Mate),
            false => Err("no mate".into()),
        };
    }
    let loser = if is_loss {
        before.turn()
    } else {
        !before.turn()
    };
    let claimed = counted(claim)?;
    let mut gone = Role::ALL.map(|role| {
        let gone = |color| {
            let count = |position: &Position| position.board().pieces(color, role).count() as i32;
            count(before) - count(&here)
        };
        gone(loser) - gone(!loser)
    });
    if claim.ends_with("the exchange") {
        // Which of the two is not said.
        gone[1] += gone[2];
        gone[2] = 0;
    } else if gone[1] * gone[2] < 0 {
        let even = gone[1].abs().min(gone[2].abs()) * gone[1].signum();
        (gone[1], gone[2]) = (gone[1] - even, gone[2] + even);
    }
    if gone != claimed {
        return Err(format!("claims {claimed:?}, and {gone:?} is gone"));
    }
    // Whoever moves next wins nothing by captures.
    match here.is_check() || here.legal_moves().is_empty() || wins(&here, 1, 8) {
        true => Err("not quiet".into()),
        false => Ok(Checked::Material {
            end: here,
            loser,
            is_loss,
        }),
    }
}

/// The pieces in words: how many of each role a side loses, less those it gets.
fn counted(claim: &str) -> Result<[i32; 6], String> {
    let mut net = [0; 6];
    let (mut sign, mut count, mut is_new) = (1, 0, false);
    for word in claim.split([' ', ',']).filter(|word| !word.is_empty()) {
        let role = match word.trim_end_matches('s') {
            "lose" | "misse" | "winning" | "and" => continue,
            "allow" | "getting" | "new" => {
                is_new = true;
                continue;
            }
            "a" | "the" => {
                count = 1;
                continue;
            }
            "two" | "three" => {
                count = if word == "two" { 2 } else { 3 };
                continue;
            }
            "for" => {
                sign = -1;
                continue;
            }
            "exchange" => {
                net[3] += 1;
                net[1] -= 1;
                continue;
            }
            "pawn" => 0,
            "knight" => 1,
            "bishop" => 2,
            "rook" => 3,
            "queen" => 4,
            other => return Err(format!("what is {other}?")),
        };
        net[role] += sign * count;
        if is_new {
            net[0] -= sign * count;
        }
        is_new = false;
    }
    Ok(net)
}

/// Whether the side to move wins this much by captures, each side stopping when it likes.
fn wins(position: &Position, least: i32, plies: u32) -> bool {
    let gains = |m: Move| {
        let Some((_, piece)) = position.captured(m) else {
            return false;
        };
        let value = [1, 3, 3, 5, 9, 0][piece.role as usize];
        let next = position.play_unchecked(m);
        !wins(&next, value - least + 1, plies - 1)
    };
    least <= 0 || plies > 0 && position.legal_moves().into_iter().any(gains)
}
