//! Builds a game with a variation and a comment, and prints it as PGN.

use std::error::Error;

use tabiya_game::{Comment, GameResult, NodeId, Record};
use tabiya_rules::Position;

fn main() -> Result<(), Box<dyn Error>> {
    let mut record = Record::new(Position::start());
    record.tags_mut().set("White", "Anna")?;
    record.tags_mut().set("Black", "Ben")?;
    let f3 = record.add_line(NodeId::ROOT, ["f3"])?;
    record.add_line(f3, ["e5", "g4", "Qh4#"])?;
    let better = record.add_san(NodeId::ROOT, "e4")?;
    if let Some(annotation) = record.annotation_mut(better) {
        annotation.comments.extend(Comment::new("the usual move"));
    }
    record.set_result(GameResult::BlackWins);
    print!("{record}");
    Ok(())
}
