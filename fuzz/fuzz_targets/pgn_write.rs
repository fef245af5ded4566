//! Any record is read as it was written. The bytes decide about every step, comment and tag.

#![no_main]

use core::time::Duration;

use libfuzzer_sys::fuzz_target;
use tabiya_game::pgn::{self, Format};
use tabiya_game::{Comment, Evaluation, GameResult, Glyph, NodeId, Record, Score};
use tabiya_rules::Position;

/// Bytes as choices; zeros once they are used up.
struct Choices<'a>(&'a [u8]);

impl<'a> Choices<'a> {
    fn byte(&mut self) -> u8 {
        match self.0 {
            [first, rest @ ..] => {
                self.0 = rest;
                *first
            }
            [] => 0,
        }
    }

    fn below(&mut self, bound: usize) -> usize {
        (usize::from(self.byte()) << 8 | usize::from(self.byte())) % bound
    }

    fn text(&mut self) -> String {
        let length = usize::from(self.byte() & 31).min(self.0.len());
        let (text, rest) = self.0.split_at(length);
        self.0 = rest;
        String::from_utf8_lossy(text).into_owned()
    }
}

fn annotate(choices: &mut Choices<'_>, record: &mut Record, id: NodeId) {
    let is_variation = record
        .node(id)
        .and_then(|node| node.parent())
        .and_then(|parent| parent.next())
        .is_some_and(|first| first.id() != id);
    let Some(annotation) = record.annotation_mut(id) else {
        return;
    };
    match choices.byte() % 8 {
        0 => annotation.comments.extend(Comment::new(&choices.text())),
        1 => annotation.glyphs.push(Glyph(choices.byte())),
        2 => annotation.clock = Some(Duration::from_millis(choices.below(1 << 16) as u64)),
        3 => {
            let score = Score::Centipawns(choices.below(1 << 16) as i32 - (1 << 15));
            annotation.evaluation = Some(Evaluation { score, depth: None });
        }
        4 => {
            let (name, argument) = (choices.text(), choices.text());
            // What cannot be written is no command.
            let _ = annotation.add_command(&name, &argument);
        }
        5 if is_variation => annotation.before.extend(Comment::new(&choices.text())),
        _ => {}
    }
}

fuzz_target!(|data: &[u8]| {
    let mut choices = Choices(data);
    let start = match choices.byte() {
        number @ 0..128 => {
            Position::chess960(u16::from(number) * 7).unwrap_or_else(Position::start)
        }
        _ => Position::start(),
    };
    let mut record = Record::new(start);
    for _ in 0..choices.byte() % 4 {
        let (name, value) = (choices.text(), choices.text());
        // What cannot be written is no tag.
        let _ = record.tags_mut().set(&name, &value);
    }
    let results = [
        GameResult::WhiteWins,
        GameResult::BlackWins,
        GameResult::Draw,
        GameResult::Unknown,
    ];
    record.set_result(results[choices.below(4)]);
    let mut nodes = vec![NodeId::ROOT];
    while !choices.0.is_empty() {
        let parent = match choices.byte() {
            0..64 => nodes[choices.below(nodes.len())],
            _ => nodes[nodes.len() - 1],
        };
        let Some(node) = record.node(parent) else {
            return;
        };
        let moves = node.position().legal_moves();
        let added = match choices.below(moves.len() + 1) {
            0 => record.add_null(parent),
            index => record.add(parent, moves[index - 1]),
        };
        if let Ok(id) = added {
            nodes.push(id);
            annotate(&mut choices, &mut record, id);
        }
    }
    for format in [Format::Export, Format::Compact] {
        let text = pgn::to_string(&record, format);
        let games: Vec<_> = pgn::games(text.as_bytes()).collect();
        assert_eq!(games.len(), 1);
        assert_eq!(games[0].errors, []);
        assert_eq!(games[0].record, record);
    }
});
