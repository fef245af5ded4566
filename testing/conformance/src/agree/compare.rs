//! The comparison of one position in three libraries.

use std::fmt::{Display, Write as _};

use cozy_chess::GameStatus;
use shakmaty::{EnPassantMode as PeerEnPassant, Position as _, fen::Fen, san::SanPlus};
use tabiya_rules::{CastlingMode, CastlingNotation, Color, EnPassantMode, Position, Status};

use super::{
    decisions::Decision,
    history::Occurrences,
    report::{Failure, Report},
    trio::{Code, Coded, Moves, Trio, code_text, peer_mode},
};

/// Compares one position and writes down what is found.
#[derive(Debug)]
pub struct Comparison<'a> {
    /// The position.
    pub trio: &'a Trio,
    /// Its legal moves.
    pub moves: &'a Moves,
    /// The game's number, for failures.
    pub game: u64,
    /// Where it is written down.
    pub report: &'a mut Report,
}

impl Comparison<'_> {
    /// Compares everything; false if something differs that should not.
    pub fn run(mut self, occurrences: Occurrences) -> bool {
        let before = self.report.failures.len();
        // Without the same moves nothing else can be lined up.
        if self.legal_moves() {
            self.fen();
            self.check_and_status();
            self.material();
            self.repetition(occurrences);
            self.texts();
        }
        self.report.failures.len() == before
    }

    fn fail(&mut self, what: &'static str, detail: String) {
        self.report.failures.push(Failure {
            what,
            fen: self.trio.tabiya.fen(),
            detail,
            game: self.game,
        });
    }

    fn expect<T: PartialEq + Display + Copy>(
        &mut self,
        what: &'static str,
        peer: &str,
        own: T,
        other: T,
    ) {
        if own != other {
            self.fail(what, format!("Tabiya: {own}, {peer}: {other}"));
        }
    }

    fn legal_moves(&mut self) -> bool {
        let before = self.report.failures.len();
        let own = &self.moves.tabiya;
        let against = [
            ("shakmaty", difference(own, &self.moves.shakmaty)),
            ("cozy-chess", difference(own, &self.moves.cozy)),
        ];
        for (peer, (extra, missing)) in against {
            if !extra.is_empty() || !missing.is_empty() {
                let detail = format!("against {peer}: too many: {extra:?}, missing: {missing:?}");
                self.fail("legal moves", detail);
            }
        }
        let position = &self.trio.tabiya;
        let (length, counted) = (self.moves.tabiya.len(), position.count_legal_moves());
        self.expect("count of legal moves", "its own list", counted, length);
        let any = position.has_legal_move();
        self.expect("any legal move", "its own list", any, length > 0);
        self.report.failures.len() == before
    }

    fn fen(&mut self) {
        let position = &self.trio.tabiya;
        let shakmaty = Fen::from_position(&self.trio.shakmaty, PeerEnPassant::Legal).to_string();
        let own = position.fen_with(EnPassantMode::Legal, CastlingNotation::XFen);
        self.expect("X-FEN", "shakmaty", &own, &shakmaty);

        let chess960 = position.castling_mode() == CastlingMode::Chess960;
        let cozy = if chess960 {
            format!("{:#}", self.trio.cozy)
        } else {
            self.trio.cozy.to_string()
        };
        let mut own = position.fen_with(EnPassantMode::Always, CastlingNotation::ByMode);
        if position.halfmove_clock() > 100 {
            self.report.decided(Decision::ClockCountsOn);
            let clock = format!(
                " {} {}",
                position.halfmove_clock(),
                position.fullmove_number()
            );
            let capped = format!(" 100 {}", position.fullmove_number());
            own = own.replace(&clock, &capped);
        }
        self.expect("FEN", "cozy-chess", &own, &cozy);

        self.fen_read_back();
    }

    /// The text of a position, read again, must give the position with all
    /// that `play` has kept up to date on the way to it.
    fn fen_read_back(&mut self) {
        let position = &self.trio.tabiya;
        let read = match Position::from_fen(&position.fen()) {
            Ok(read) => read.with_castling_mode(position.castling_mode()),
            Err(error) => return self.fail("FEN read back", error.to_string()),
        };
        let facts = |position: &Position| {
            format!(
                "key {:#018x}, clock {}, move {}, FEN {position}",
                position.key(),
                position.halfmove_clock(),
                position.fullmove_number()
            )
        };
        let (played, read_again) = (facts(position), facts(&read));
        self.expect("FEN read back", "the text read again", &played, &read_again);
        let equal = read == *position;
        self.expect("equality after reading back", "expected", equal, true);
    }

    fn check_and_status(&mut self) {
        let Trio {
            tabiya,
            shakmaty,
            cozy,
        } = self.trio;
        let own = format!("{:#018x}", tabiya.checkers().0);
        let theirs = format!("{:#018x}", shakmaty.checkers().0);
        self.expect("checkers", "shakmaty", &own, &theirs);
        let theirs = format!("{:#018x}", cozy.checkers().0);
        self.expect("checkers", "cozy-chess", &own, &theirs);
        let check = tabiya.is_check();
        self.expect("check", "shakmaty", check, shakmaty.is_check());

        let status = tabiya.status();
        let mate = matches!(status, Status::Checkmate { .. });
        let stalemate = status == Status::Stalemate;
        self.expect("checkmate", "shakmaty", mate, shakmaty.is_checkmate());
        self.expect("stalemate", "shakmaty", stalemate, shakmaty.is_stalemate());
        let cozy_status = cozy.status();
        let cozy_mate = cozy_status == GameStatus::Won;
        self.expect("checkmate", "cozy-chess", mate, cozy_mate);
        if tabiya.halfmove_clock() >= 100 && !stalemate && cozy_status == GameStatus::Drawn {
            self.report.decided(Decision::FiftyMovesAreAClaim);
        } else {
            let drawn = cozy_status == GameStatus::Drawn;
            self.expect("stalemate", "cozy-chess", stalemate, drawn);
        }
        if let Status::Checkmate { winner } = status {
            self.expect("winner", "the side to move", winner, !tabiya.turn());
        }
        if check {
            self.report.met("positions in check");
        }
        if mate {
            self.report.met("checkmates");
        }
        if stalemate {
            self.report.met("stalemates");
        }
    }

    fn material(&mut self) {
        let Trio {
            tabiya, shakmaty, ..
        } = self.trio;
        let own = tabiya.is_insufficient_material();
        let theirs = shakmaty.is_insufficient_material();
        self.expect("insufficient material", "shakmaty", own, theirs);
        let sides = [
            (Color::White, shakmaty::Color::White),
            (Color::Black, shakmaty::Color::Black),
        ];
        for (color, peer_color) in sides {
            let own = tabiya.has_mating_material(color);
            let theirs = !shakmaty.has_insufficient_material(peer_color);
            self.expect("mating material of a side", "shakmaty", own, theirs);
        }
        if own {
            self.report.met("positions of insufficient material");
        }
    }

    fn repetition(&mut self, occurrences: Occurrences) {
        if !occurrences.agree() {
            self.fail("repetition", format!("{occurrences:?}"));
        } else if occurrences.cozy != occurrences.cozy_pawns {
            self.report.decided(Decision::EnPassantIsForPawns);
        }
        match occurrences.by_key {
            3 => self.report.met("third occurrences"),
            5 => self.report.met("fifth occurrences"),
            _ => {}
        }
    }

    /// Every legal move written in SAN and UCI, compared and read back.
    fn texts(&mut self) {
        let Trio {
            tabiya,
            shakmaty,
            cozy,
        } = self.trio;
        let mode = tabiya.castling_mode();
        let mut own = String::new();
        let mut theirs = String::new();
        for index in 0..self.moves.tabiya.len() {
            let mv = self.moves.tabiya[index].1;
            let peer = self.moves.shakmaty[index].1;
            let cozy_mv = self.moves.cozy[index].1;

            rewrite(&mut own, tabiya.san(mv));
            rewrite(&mut theirs, SanPlus::from_move(shakmaty.clone(), peer));
            self.expect("SAN", "shakmaty", &own, &theirs);
            rewrite(
                &mut theirs,
                cozy_chess::util::display_san_move(cozy, cozy_mv),
            );
            self.expect("SAN", "cozy-chess", &own, &theirs);
            if tabiya.parse_san(&own) != Ok(mv) || tabiya.parse_san_strict(&own) != Ok(mv) {
                self.fail("SAN read back", own.clone());
            }

            rewrite(&mut own, tabiya.uci(mv));
            rewrite(&mut theirs, peer.to_uci(peer_mode(mode)));
            self.expect("UCI", "shakmaty", &own, &theirs);
            match mode {
                CastlingMode::Standard => {
                    rewrite(
                        &mut theirs,
                        cozy_chess::util::display_uci_move(cozy, cozy_mv),
                    );
                }
                CastlingMode::Chess960 => rewrite(&mut theirs, cozy_mv),
            }
            self.expect("UCI", "cozy-chess", &own, &theirs);
            if tabiya.parse_uci(&own) != Ok(mv) {
                self.fail("UCI read back", own.clone());
            }

            if !tabiya.is_legal(mv) {
                self.fail("is_legal of a generated move", own.clone());
            }
            let checks = tabiya.gives_check(mv);
            if checks != tabiya.play_unchecked(mv).is_check() {
                self.fail("gives_check", format!("{own}: {checks}"));
            }
        }
        self.report.texts += self.moves.tabiya.len() as u64;
    }
}

fn rewrite(text: &mut String, value: impl Display) {
    text.clear();
    // Writing to a String cannot fail.
    let _ = write!(text, "{value}");
}

/// What is only in the first list, and what is only in the second.
fn difference<A, B>(own: &Coded<A>, theirs: &Coded<B>) -> (Vec<String>, Vec<String>) {
    let same = own.len() == theirs.len() && own.iter().zip(theirs).all(|(a, b)| a.0 == b.0);
    if same {
        return (Vec::new(), Vec::new());
    }
    let own: Vec<Code> = own.iter().map(|(code, _)| *code).collect();
    let theirs: Vec<Code> = theirs.iter().map(|(code, _)| *code).collect();
    let only = |these: &[Code], those: &[Code]| {
        let mut those = those.to_vec();
        let mut only = Vec::new();
        // Each code is matched once, so that a move listed twice is seen too.
        for &code in these {
            match those.iter().position(|&other| other == code) {
                Some(place) => {
                    those.swap_remove(place);
                }
                None => only.push(code_text(code)),
            }
        }
        only
    };
    (only(&own, &theirs), only(&theirs, &own))
}
