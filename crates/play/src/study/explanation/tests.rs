//! What a mistake costs, in words, and whether the words are borne out.

use tabiya_game::{Node, pgn};
use tabiya_uci::Go;

use super::*;
use crate::analysis::{GameAnalysis, GameAnalyzer, Verdict, analyse};
use crate::engines::KnownEngines;
use crate::players::{BlockingPlayer, PlayerConfig, PlayerSpec, StopHandle};

/// The moves of a line from a position.
fn line(position: &Position, texts: &[&str]) -> Vec<Move> {
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

#[test]
fn what_is_lost_is_said_in_chess_words() {
    // The queen takes an unprotected knight.
    let fen = "rnbqkb1r/pppppppp/8/8/4n3/3P4/PPP1QPPP/RNB1KBNR b KQkq - 0 1";
    let best: (_, &[_]) = (points(0), &["Nf6", "Nf3"]);
    let said =
        |played: &str, refutation: &[&str]| explained(fen, played, best, (points(300), refutation));
    let loses = Some("a6 loses the knight: 2.Qxe4.");
    assert_eq!(said("a6", &["Qxe4", "d5"]).as_deref(), loses);
    let said_d5 = said("d5", &["dxe4", "dxe4", "Qxe4"]);
    assert_eq!(said_d5.as_deref(), Some("d5 loses the knight: 2.dxe4."));
    assert_eq!(said("a6", &["h3", "Nf6"]), None);
    // A capture beyond the end of the line does not count as a reason.
    assert_eq!(said("a6", &[]), None);
    // In the last position the pawn can still be taken back, so it is not lost.
    assert_eq!(said("d5", &["Qxe4"]), None);
}

#[test]
fn what_the_best_line_loses_too_is_not_said() {
    let fen = "rnbqkb1r/pppppppp/8/8/4n3/3P4/PPP1QPPP/RNB1KBNR b KQkq - 0 1";
    let loses: (_, &[_]) = (points(300), &["Qxe4", "d5"]);
    let also: (_, &[_]) = (points(-300), &["h6", "Qxe4", "d6"]);
    assert_eq!(explained(fen, "a6", also, loses), None);
    let unknown: (_, &[_]) = (points(0), &["Nxf2"]);
    assert_eq!(explained(fen, "a6", unknown, loses), None);
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
fn several_pieces_and_the_exchange_have_their_words() {
    let said = |lost: &[(Role, i32)]| {
        let net = |role| lost.iter().filter(|it| it.0 == role).map(|it| it.1).sum();
        Exchanged::of(ByRole::from_fn(net)).to_string()
    };
    use Role::{Bishop, Knight, Pawn, Queen, Rook};
    assert_eq!(said(&[(Rook, 1), (Knight, -1)]), "the exchange");
    assert_eq!(
        said(&[(Rook, 1), (Bishop, -1), (Pawn, 1)]),
        "the rook and a pawn for a bishop"
    );
    assert_eq!(
        said(&[(Queen, 1), (Rook, -1), (Knight, -1)]),
        "the queen for a rook and a knight"
    );
    assert_eq!(said(&[(Pawn, 2)]), "two pawns");
    assert_eq!(said(&[(Rook, 1), (Knight, -1), (Bishop, 1)]), "the rook");
    assert_eq!(
        said(&[(Knight, 2), (Bishop, -1), (Pawn, -2)]),
        "the knight for two pawns"
    );
}

#[test]
fn mates_are_told_if_the_line_shows_them() {
    let fen = "rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2";
    let best: (_, &[_]) = (points(0), &["e4", "Nf6"]);
    let said = explained(fen, "g4", best, (Score::MateIn(1), &["Qh4#"]));
    assert_eq!(said.as_deref(), Some("g4 allows mate in 1: 2...Qh4#."));
    let not_shown = explained(fen, "g4", best, (Score::MateIn(1), &["Nc6"]));
    assert_eq!(not_shown, None);
    let fen = "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2";
    let mate: (_, &[_]) = (Score::MateIn(1), &["Qh4#"]);
    let said = |played: &str, after: (Score, &[&str])| explained(fen, played, mate, after);
    let missed = said("d6", (points(0), &["e4"]));
    assert_eq!(missed.as_deref(), Some("d6 misses mate in 1: 2...Qh4#."));
    // It mates a move later, or at once.
    assert_eq!(said("d6", (Score::MatedIn(2), &["e4"])), None);
    let shown: (_, &[_]) = (Score::MateIn(1), &["d6"]);
    assert_eq!(explained(fen, "a6", shown, (points(0), &["e4"])), None);
}

/// Sentences about real games: an engine judges them, and each sentence is taken at its word.
#[test]
fn every_sentence_about_judged_games_is_borne_out() {
    let config = PlayerConfig::of(&PlayerSpec::Bot(None), &KnownEngines::default());
    let config = config.expect("it is built in").expect("no person");
    let player = BlockingPlayer::start(&config).expect("a thread");
    let go = Go::new().with_nodes(4_000);
    let mut analyzer = GameAnalyzer::new(player, go, StopHandle::default());
    let (mut losses, mut mates) = (0, 0);
    for game in pgn::games(include_bytes!("games.pgn")) {
        assert!(game.errors.is_empty(), "{:?}", game.errors);
        let analysis = analyse(&game.record, &mut analyzer, || ()).expect("it answers");
        let root = std::iter::once(game.record.root());
        let nodes: Vec<Node<'_>> = root.chain(game.record.main_line()).collect();
        for (node, judged) in nodes.iter().zip(analysis.moves()) {
            let position = node.position();
            if let Some(moves) = judged.missed_mate().filter(|&moves| moves <= 4) {
                assert!(judged.mark.is_some(), "mate in {moves}: {position:?}");
            }
            // Every sentence counts, also those about moves without a mark.
            let Some(why) = of(position, &judged) else {
                continue;
            };
            let sentence = why.to_string();
            match why.cost {
                Cost::Material(_) => losses += 1,
                Cost::AllowsMate(_) | Cost::MissesMate(_) => mates += 1,
            }
            let played = judged.played.expect("a move");
            if let Err(why) = check(position, played, &sentence) {
                panic!("{}: {sentence} {why}", position.fen());
            }
        }
    }
    assert!(losses >= 20 && mates >= 5, "{losses} {mates}");
}

/// Plays the moves of a sentence, and compares the boards: no code is shared with what wrote it.
fn check(before: &Position, played: Move, sentence: &str) -> Result<(), String> {
    let (claim, moves) = sentence
        .strip_suffix('.')
        .ok_or("no end")?
        .split_once(": ")
        .ok_or("no line")?;
    let (san, claim) = claim.split_once(' ').ok_or("no claim")?;
    if san != before.san(played).to_string() {
        return Err("another move".into());
    }
    let missed = claim.starts_with("misses");
    let start = if missed {
        *before
    } else {
        before.play_unchecked(played)
    };
    let mut here = start;
    let mut plies = 0;
    for (at, text) in moves.split(' ').enumerate() {
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
    if let Some((_, count)) = claim.split_once("mate in ") {
        let count: usize = count.parse().map_err(|_| "no number")?;
        let is_mate = here.is_check() && here.legal_moves().is_empty();
        return match is_mate && plies == 2 * count - 1 {
            true => Ok(()),
            false => Err("no mate".into()),
        };
    }
    let by = before.turn();
    let lost = claim.strip_prefix("loses ").ok_or("another claim")?;
    let (lost, won) = lost.split_once(" for ").unwrap_or((lost, ""));
    let claimed = if lost == "the exchange" {
        (5, 3)
    } else {
        (counted(lost)?, counted(won)?)
    };
    let balance = |position: &Position| {
        let side = |color| {
            let men = Role::ALL.map(|role| position.board().pieces(color, role).count() as i32);
            men.iter()
                .zip([1, 3, 3, 5, 9, 0])
                .map(|(count, value)| count * value)
                .sum::<i32>()
        };
        side(by) - side(!by)
    };
    let gone = balance(before) - balance(&here);
    if gone != claimed.0 - claimed.1 || gone < 1 {
        return Err(format!("claims {claimed:?}, and {gone} is gone"));
    }
    // Whoever moves next wins nothing by captures.
    match here.is_check() || wins(&here, 1, 8) {
        true => Err("not quiet".into()),
        false => Ok(()),
    }
}

/// What pieces in words are worth.
fn counted(text: &str) -> Result<i32, String> {
    let words = text
        .split([' ', ','])
        .filter(|word| !word.is_empty() && *word != "and");
    let (mut sum, mut count) = (0, 0);
    for word in words {
        let value = match word.trim_end_matches('s') {
            "a" | "the" => 0,
            "two" => -2,
            "three" => -3,
            "pawn" => 1,
            "knight" | "bishop" => 3,
            "rook" => 5,
            "queen" => 9,
            other => return Err(format!("what is {other}?")),
        };
        match value {
            0 => count = 1,
            many if many < 0 => count = -many,
            value => sum += count * value,
        }
    }
    Ok(sum)
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
