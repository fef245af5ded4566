//! What a Polyglot book has for a position: `book FILE [MOVE…]`. Without a file, a small book is made first.

use std::error::Error;
use std::fs::File;
use std::io::{Cursor, Read, Seek};

use tabiya_openings::{Book, BookEntry, Openings, PolyglotBook, write};
use tabiya_rules::Position;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let Some(file) = arguments.next() else {
        let start = Position::start();
        let mut bytes = Vec::new();
        let entries = [("e4", 3), ("d4", 2)]
            .map(|(text, weight)| Ok(BookEntry::new(&start, start.parse_san(text)?, weight)));
        let entries: Result<Vec<_>, Box<dyn Error>> = entries.into_iter().collect();
        write(entries?, &mut bytes)?;
        return show(PolyglotBook::new(Cursor::new(bytes))?, &start);
    };
    let mut position = Position::start();
    for text in arguments {
        position = position.play(position.parse_san(&text)?)?;
    }
    show(PolyglotBook::new(File::open(file)?)?, &position)
}

fn show<R: Read + Seek>(
    mut book: PolyglotBook<R>,
    position: &Position,
) -> Result<(), Box<dyn Error>> {
    for found in book.moves(position)? {
        let next = position.play(found.m)?;
        let name = Openings::standard().lookup(&next);
        let name = name.map_or(String::new(), |opening| {
            format!("{} {opening}", opening.eco)
        });
        println!(
            "{:<7} {:>6}  {name}",
            position.san(found.m).to_string(),
            found.weight
        );
    }
    match book.best(position)? {
        Some(best) => println!("best: {}", position.san(best.m)),
        None => println!("the book has no move here"),
    }
    Ok(())
}
