//! Every value survives being written and read, in both directions.

use std::time::Duration;

use tabiya_rules::{ByColor, Score, SplitMix64, Square, UciMove};
use tabiya_uci::{
    BestMove, Bound, BoundedScore, CheckState, CurrentLine, DebugMode, Go, Info, OptionDeclaration,
    OptionKind, PositionCommand, Registration, Reply, SetOption, Start, UciCommand, Wdl,
};

struct Any(SplitMix64);

impl Any {
    fn below(&mut self, bound: usize) -> usize {
        self.0.below(bound)
    }

    fn maybe<T>(&mut self, make: impl FnOnce(&mut Any) -> T) -> Option<T> {
        (self.below(3) == 0).then(|| make(self))
    }

    fn number(&mut self) -> u32 {
        (self.0.next_u64() >> 32 >> self.below(32)) as u32
    }

    fn count(&mut self) -> Option<u32> {
        self.maybe(|any| any.number().max(1))
    }

    fn big(&mut self) -> Option<u64> {
        self.maybe(|any| any.0.next_u64() >> 1)
    }

    fn a_move(&mut self) -> UciMove {
        let squares = Square::ALL;
        UciMove::Normal {
            from: squares[self.below(64)],
            to: squares[self.below(64)],
            promotion: self.maybe(|any| tabiya_rules::Role::PROMOTIONS[any.below(4)]),
        }
    }

    fn moves(&mut self, most: usize) -> Vec<UciMove> {
        (0..self.below(most)).map(|_| self.a_move()).collect()
    }

    /// Returns words that the protocol does not use, so that a text means itself.
    fn text(&mut self) -> String {
        const WORDS: [&str; 8] = ["Ann", "ü", "1.5", "\"q\"", "x=y", "/tmp/a", "Élo", "—"];
        let words: Vec<_> = (0..=self.below(4)).map(|_| WORDS[self.below(8)]).collect();
        words.join(" ")
    }

    fn millis(&mut self) -> Duration {
        Duration::from_millis(u64::from(self.number()))
    }

    fn go(&mut self) -> Go {
        let mut search_moves = self.moves(5);
        search_moves.sort_by_key(ToString::to_string);
        search_moves.dedup();
        let mut go = Go::new()
            .with_search_moves(search_moves)
            .with_time(ByColor::from_fn(|_| self.maybe(Any::millis)))
            .with_increment(ByColor::from_fn(|_| {
                self.maybe(Any::millis).unwrap_or_default()
            }))
            .with_moves_to_go(self.count())
            .with_depth(self.count())
            .with_nodes(self.big())
            .with_mate(self.count())
            .with_move_time(self.maybe(Any::millis))
            .with_perft(self.count());
        go.ponder = self.below(2) == 0;
        go.infinite = self.below(2) == 0;
        go
    }

    fn command(&mut self) -> UciCommand {
        match self.below(14) {
            0 => UciCommand::Uci,
            1 => UciCommand::Debug([DebugMode::On, DebugMode::Off][self.below(2)]),
            2 => UciCommand::IsReady,
            3 => UciCommand::SetOption(SetOption {
                name: self.text(),
                value: self.maybe(Any::text),
            }),
            4 => UciCommand::Register(Registration::Later),
            5 => UciCommand::Register(Registration::As {
                name: self.text(),
                code: self.text(),
            }),
            6 => UciCommand::NewGame,
            7 => UciCommand::Position(PositionCommand {
                start: match self.below(2) {
                    0 => Start::Standard,
                    _ => Start::Fen(self.text()),
                },
                moves: self.moves(300),
            }),
            8 => UciCommand::Stop,
            9 => UciCommand::PonderHit,
            10 => UciCommand::Quit,
            11 => [UciCommand::Display, UciCommand::Bench][self.below(2)].clone(),
            12 => UciCommand::Unknown(self.text()),
            _ => UciCommand::Go(Box::new(self.go())),
        }
    }

    fn score(&mut self) -> BoundedScore {
        let value = self.below(20_001) as i32 - 10_000;
        BoundedScore {
            value: [Score::Centipawns(value), Score::mate(value)][self.below(2)],
            bound: [Bound::Exact, Bound::Lower, Bound::Upper][self.below(3)],
        }
    }

    fn info(&mut self) -> Info {
        Info::new()
            .with_depth(self.count())
            .with_selective_depth(self.count())
            .with_multi_pv(self.maybe(|any| 1 + any.below(256) as u32))
            .with_score(self.maybe(Any::score))
            .with_wdl(self.maybe(|any| {
                let win = any.below(501) as u16;
                let loss = any.below(500) as u16;
                Wdl {
                    win,
                    draw: 1000 - win - loss,
                    loss,
                }
            }))
            .with_nodes(self.big())
            .with_nodes_per_second(self.big())
            .with_hash_full(self.maybe(|any| any.below(1001) as u32))
            .with_table_hits(self.big())
            .with_cpu_load(self.count())
            .with_time(self.maybe(Any::millis))
            .with_pv(self.moves(100))
            .with_current_move(self.maybe(Any::a_move))
            .with_current_move_number(self.count())
            .with_refutation(self.moves(4))
            .with_current_line(self.maybe(|any| CurrentLine {
                cpu: any.count(),
                moves: any.moves(10),
            }))
            .with_string(self.maybe(Any::text))
    }

    fn option(&mut self) -> OptionDeclaration {
        let number = |any: &mut Any| any.0.next_u64().cast_signed();
        OptionDeclaration::new(
            self.text(),
            match self.below(5) {
                0 => OptionKind::Check {
                    default: self.below(2) == 0,
                },
                1 => {
                    let (default, one, other) = (number(self), number(self), number(self));
                    // The bounds always leave a value.
                    let (min, max) = (one.min(other), one.max(other));
                    OptionKind::Spin { default, min, max }
                }
                2 => OptionKind::Combo {
                    default: self.text(),
                    choices: (0..self.below(5)).map(|_| self.text()).collect(),
                },
                3 => OptionKind::Button,
                _ => OptionKind::Text {
                    default: self.maybe(Any::text).unwrap_or_default(),
                },
            },
        )
    }

    fn reply(&mut self) -> Reply {
        let state = [CheckState::Checking, CheckState::Ok, CheckState::Error][self.below(3)];
        match self.below(10) {
            0 => Reply::Name(self.text()),
            1 => Reply::Author(self.text()),
            2 => Reply::UciOk,
            3 => Reply::ReadyOk,
            4 => Reply::BestMove(BestMove {
                best: self.maybe(Any::a_move),
                ponder: self.maybe(Any::a_move),
            }),
            5 => Reply::CopyProtection(state),
            6 => Reply::Registration(state),
            7 => Reply::Option(self.option()),
            8 => Reply::Unknown(self.text()),
            _ => Reply::Info(Box::new(self.info())),
        }
    }
}

#[test]
fn any_command() {
    let mut any = Any(SplitMix64::new(1));
    for _ in 0..20_000 {
        let command = any.command();
        let text = command.to_string();
        assert_eq!(UciCommand::parse(text.as_bytes()), Ok(command), "{text}");
    }
}

#[test]
fn any_reply() {
    let mut any = Any(SplitMix64::new(2));
    for _ in 0..20_000 {
        let reply = any.reply();
        let text = reply.to_string();
        assert_eq!(Reply::parse(text.as_bytes()), reply, "{text}");
    }
}
