//! Properties of reading and writing that hold for any input. The seeds are fixed, so that a failure can be
//! reproduced.

use core::convert::Infallible;
use core::ops::ControlFlow;
use core::time::Duration;

use tabiya_game::pgn::{
    self, Flow, Format, PgnGame, Reader, RecordReader, Source, TextPosition, Visitor,
};
use tabiya_game::{
    Annotation, Arrow, Comment, Evaluation, GameResult, Glyph, MarkColor, NodeId, Record,
    SquareMark,
};
use tabiya_rules::{Position, Score, SplitMix64, Square};

/// A source that returns its bytes in chunks of these sizes, over and over.
#[derive(Debug)]
pub(crate) struct Pieces<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) sizes: &'a [usize],
    pub(crate) next: usize,
}

impl Source for Pieces<'_> {
    type Error = Infallible;

    fn fill(&mut self, buffer: &mut [u8]) -> Result<usize, Infallible> {
        let size = self.sizes[self.next % self.sizes.len()].min(buffer.len());
        self.next += 1;
        self.bytes.fill(&mut buffer[..size])
    }
}

fn in_pieces(bytes: &[u8], sizes: &[usize]) -> Vec<PgnGame> {
    let mut reader = RecordReader::new(Pieces {
        bytes,
        sizes,
        next: 0,
    });
    let mut games = Vec::new();
    while let Ok(Some(game)) = reader.read() {
        games.push(game);
    }
    games
}

fn below(random: &mut SplitMix64, bound: usize) -> usize {
    random.below(bound)
}

fn one_in(random: &mut SplitMix64, chance: usize) -> bool {
    below(random, chance) == 0
}

fn pick<T: Copy>(random: &mut SplitMix64, from: &[T]) -> T {
    from[below(random, from.len())]
}

/// Words for comments and values: what is special in PGN, and what is not ASCII.
const WORDS: [&str; 24] = [
    "a",
    "move",
    "{",
    "}",
    ";",
    "%",
    "[",
    "]",
    "(",
    ")",
    "\"",
    "\\",
    "[%clk",
    "[%x y]",
    "[Event \"x\"]",
    "\n",
    "\n\n",
    "\r",
    "é",
    "∞",
    "𝔛",
    "\u{FEFF}",
    "1-0",
    "  ",
];

fn text(random: &mut SplitMix64) -> String {
    let mut text = String::new();
    for _ in 0..below(random, 12) {
        text.push_str(pick(random, &WORDS));
        if one_in(random, 2) {
            text.push(' ');
        }
    }
    text
}

fn square(random: &mut SplitMix64) -> Square {
    pick(random, &Square::ALL)
}

fn color(random: &mut SplitMix64) -> MarkColor {
    pick(
        random,
        &[
            MarkColor::Green,
            MarkColor::Red,
            MarkColor::Yellow,
            MarkColor::Blue,
        ],
    )
}

fn evaluation(random: &mut SplitMix64) -> Evaluation {
    let value = below(random, 2_000) as i32 - 1_000;
    Evaluation {
        score: if one_in(random, 3) {
            Score::mate(value / 20)
        } else {
            Score::Centipawns(value)
        },
        depth: one_in(random, 2).then(|| below(random, 40) as u32),
    }
}

fn annotate(random: &mut SplitMix64, annotation: &mut Annotation) {
    for _ in 0..below(random, 3) {
        annotation.comments.extend(Comment::new(&text(random)));
    }
    for _ in 0..below(random, 3) {
        annotation.glyphs.push(Glyph(below(random, 256) as u8));
    }
    if one_in(random, 3) {
        annotation.clock = Some(Duration::from_millis(random.next_u64() % 100_000_000));
    }
    if one_in(random, 5) {
        annotation.elapsed = Some(Duration::from_nanos(random.next_u64() % 10_000_000_000));
    }
    if one_in(random, 3) {
        annotation.evaluation = Some(evaluation(random));
    }
    if one_in(random, 5) {
        annotation.squares.push(SquareMark {
            color: color(random),
            square: square(random),
        });
        annotation.arrows.push(Arrow {
            color: color(random),
            from: square(random),
            to: square(random),
        });
    }
    if one_in(random, 5) {
        // Some arguments are not valid; then there is no command.
        let _ = annotation.add_command("note", &text(random));
    }
}

fn start(random: &mut SplitMix64) -> Position {
    match below(random, 4) {
        0 => Position::chess960(below(random, 960) as u16).expect("a number below 960"),
        1 => {
            let mut position = Position::start();
            for _ in 0..below(random, 60) {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position = position.play_unchecked(pick(random, &moves));
            }
            position
        }
        _ => Position::start(),
    }
}

/// Returns a random record: each new step goes below a random node.
fn record(random: &mut SplitMix64) -> Record {
    let mut record = Record::new(start(random));
    for _ in 0..below(random, 6) {
        let name = pick(random, &["Event", "White", "Date", "ECO", "Why?", "a"]);
        record
            .tags_mut()
            .set(name, &text(random))
            .expect("a name that can be written");
    }
    let results = [
        GameResult::WhiteWins,
        GameResult::BlackWins,
        GameResult::Draw,
        GameResult::Unknown,
    ];
    record.set_result(pick(random, &results));
    let mut nodes = vec![NodeId::ROOT];
    let wild = below(random, 6);
    for _ in 0..below(random, 120) {
        let last = nodes[nodes.len() - 1];
        let parent = if below(random, 8) < wild {
            pick(random, &nodes)
        } else {
            last
        };
        let node = record.node(parent).expect("a node of this record");
        let is_variation = node.next().is_some();
        let moves = node.position().legal_moves();
        let added = if moves.is_empty() || one_in(random, 20) {
            record.add_null(parent)
        } else {
            record.add(parent, pick(random, &moves))
        };
        let Ok(id) = added else { continue };
        nodes.push(id);
        let annotation = record.annotation_mut(id).expect("just added");
        if one_in(random, 3) {
            annotate(random, annotation);
        }
        if is_variation && one_in(random, 4) {
            annotation.before.extend(Comment::new(&text(random)));
        }
        if is_variation && one_in(random, 4) {
            annotation.after.extend(Comment::new(&text(random)));
        }
    }
    if one_in(random, 2) {
        annotate(
            random,
            record.annotation_mut(NodeId::ROOT).expect("the root"),
        );
    }
    record
}

#[test]
fn any_record_is_read_as_it_was_written() {
    let mut random = SplitMix64::new(1);
    for round in 0..600 {
        let record = record(&mut random);
        for format in [Format::Export, Format::Compact] {
            let text = pgn::to_string(&record, format);
            let games: Vec<_> = pgn::games(text.as_bytes()).collect();
            assert_eq!(games.len(), 1, "{round}:\n{text}");
            assert_eq!(games[0].errors, [], "{round}:\n{text}");
            assert_eq!(games[0].record, record, "{round}:\n{text}");
            assert_eq!(pgn::to_string(&games[0].record, format), text, "{round}");
        }
    }
}

#[test]
fn lines_of_any_record_have_fewer_than_eighty_columns() {
    let mut random = SplitMix64::new(2);
    for _ in 0..200 {
        let text = pgn::to_string(&record(&mut random), Format::Export);
        let moves = text.split_once("\n\n").expect("tags and moves").1;
        for line in moves.lines() {
            let longest = line
                .split(' ')
                .map(|word| word.chars().count())
                .max()
                .unwrap_or(0);
            // Lines are not broken inside commands, or before words that must stay with the previous one.
            assert!(
                line.chars().count() < 80 || longest > 20 || line.contains('['),
                "{line}"
            );
        }
    }
}

/// Records where games begin, and skips what it is told to.
struct Beginnings {
    offsets: Vec<u64>,
    game: Flow,
    moves: Flow,
    variation: Flow,
}

impl Visitor for Beginnings {
    type Output = ();
    type Stop = Infallible;

    fn begin_game(&mut self, offset: u64) -> ControlFlow<Infallible, Flow> {
        self.offsets.push(offset);
        ControlFlow::Continue(self.game)
    }

    fn end_tags(&mut self) -> ControlFlow<Infallible, Flow> {
        ControlFlow::Continue(self.moves)
    }

    fn begin_variation(&mut self) -> ControlFlow<Infallible, Flow> {
        ControlFlow::Continue(self.variation)
    }

    fn end_game(&mut self) {}
}

#[test]
fn games_begin_at_the_same_places_for_every_visitor() {
    let mut random = SplitMix64::new(9);
    for round in 0..1_500 {
        let text = soup(&mut random);
        let expected: Vec<_> = pgn::games(&text).map(|game| game.offset).collect();
        for (game, moves, variation) in [
            (Flow::Read, Flow::Read, Flow::Read),
            (Flow::Skip, Flow::Read, Flow::Read),
            (Flow::Read, Flow::Skip, Flow::Read),
            (Flow::Read, Flow::Read, Flow::Skip),
        ] {
            let mut visitor = Beginnings {
                offsets: Vec::new(),
                game,
                moves,
                variation,
            };
            let count = Reader::new(&text[..]).read_all(&mut visitor);
            assert_eq!(
                visitor.offsets,
                expected,
                "{round}: {}",
                text.escape_ascii()
            );
            assert_eq!(count, Ok(expected.len() as u64));
        }
    }
}

/// Returns text with everything that PGN has, and everything that can be wrong with it.
fn soup(random: &mut SplitMix64) -> Vec<u8> {
    const PARTS: [&[u8]; 72] = [
        b"e4",
        b"e5",
        b"Nf3",
        b"Nc6",
        b"Bb5",
        b"O-O",
        b"0-0",
        b"exd5",
        b"Qh4#",
        b"e8=Q",
        b"--",
        b"1.",
        b"1...",
        b"12.",
        b"1-0",
        b"0-1",
        b"1/2-1/2",
        b"*",
        b"(",
        b")",
        b"{",
        b"}",
        b"{c}",
        b"{[%clk 0:01:00]}",
        b"; c\n",
        b"$1",
        b"$999",
        b"!",
        b"?!",
        b"+-",
        b"\n",
        b"\n\n",
        b"\r\n",
        b"\r",
        b"[",
        b"]",
        b"[Event \"a\"]",
        b"[White \"b\\\"\"]\n",
        b"[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]",
        b"[FEN \"x\"]",
        b"%",
        b"\n%x\n",
        b"\"",
        b"\\",
        b"\0",
        b"\xEF\xBB\xBF",
        b"\xE9",
        b"\xFF",
        b"x",
        b".",
        b"[Event \"",
        b"ep",
        b"* * *",
        b"\n[diagram]\n",
        b"\n[1] Notes",
        "½-½".as_bytes(),
        "1–0".as_bytes(),
        b"1/2\x961/2",
        "♘f3".as_bytes(),
        "O‑O".as_bytes(),
        "‼".as_bytes(),
        "±".as_bytes(),
        b"---",
        b"====",
        b"**",
        b"A heading",
        b"\x1A",
        b"1 - 0",
        b"1:0",
        b"\n\n1. ",
        b"\n\n2. ",
        b"(1. d4) {behind}",
    ];
    let mut text = Vec::new();
    for _ in 0..below(random, 120) {
        text.extend_from_slice(pick(random, &PARTS));
        if one_in(random, 2) {
            text.push(b' ');
        }
        if one_in(random, 50) {
            text.push(random.next_u64() as u8);
        }
        // Longer than the reader's look-ahead, so that nothing depends on it.
        if one_in(random, 60) {
            let filler = pick(
                random,
                &["x", " ", "\\", "a\n", "1", "\"", "]", "e4 ", "{c} "],
            );
            text.extend(filler.repeat(below(random, 400)).into_bytes());
        }
    }
    text
}

#[test]
fn any_text_is_read_the_same_in_any_pieces() {
    let mut random = SplitMix64::new(3);
    for round in 0..1_500 {
        let text = soup(&mut random);
        let whole: Vec<_> = pgn::games(&text).collect();
        let sizes = [1 + below(&mut random, 64), 1 + below(&mut random, 300)];
        for sizes in [&sizes[..1], &sizes[..]] {
            assert_eq!(
                in_pieces(&text, sizes),
                whole,
                "{round}: {sizes:?} {}",
                text.escape_ascii()
            );
        }
    }
}

#[test]
fn pieces_of_every_size_up_to_sixty_four() {
    let mut random = SplitMix64::new(4);
    let mut text = Vec::new();
    for _ in 0..40 {
        text.extend(pgn::to_string(&record(&mut random), Format::Export).into_bytes());
        text.extend(soup(&mut random));
        text.extend(b"\n\n");
    }
    let whole: Vec<_> = pgn::games(&text).collect();
    for size in 1..=64 {
        assert_eq!(in_pieces(&text, &[size]), whole, "{size}");
    }
}

#[test]
fn any_text_becomes_records_that_can_be_written() {
    let mut random = SplitMix64::new(5);
    for round in 0..1_500 {
        let text = soup(&mut random);
        for game in pgn::games(&text) {
            let written = pgn::to_string(&game.record, Format::Export);
            let again: Vec<_> = pgn::games(written.as_bytes()).collect();
            assert_eq!(again.len(), 1, "{round}: {}", text.escape_ascii());
            assert_eq!(
                again[0].errors,
                [],
                "{round}: {}\n{written}",
                text.escape_ascii()
            );
            assert_eq!(
                again[0].record,
                game.record,
                "{round}: {}\n{written}",
                text.escape_ascii()
            );
        }
    }
}

#[test]
fn changed_bytes_cost_only_their_own_game() {
    let mut random = SplitMix64::new(6);
    let plain =
        b"[Event \"a\"]\n[White \"b\"]\n\n1. e4 {c} e5 (1... c5 2. Nf3) 2. Nf3 $1 Nc6 1/2-1/2\n\n";
    let text: Vec<u8> = [&plain[..]; 3].concat();
    let whole: Vec<_> = pgn::games(&text).collect();
    for round in 0..20_000 {
        let mut changed = text.clone();
        let at = plain.len() + below(&mut random, plain.len() - 2);
        changed[at] = random.next_u64() as u8;
        let games: Vec<_> = pgn::games(&changed).collect();
        assert_eq!(games.first(), whole.first(), "{round}");
        assert_eq!(
            games.last(),
            whole.last(),
            "{round}: {}",
            changed.escape_ascii()
        );
    }
}

/// `TABIYA_PGN_CHANGES` says how many changes to try.
#[test]
fn changed_games_are_read_the_same_in_any_pieces() {
    let changes = std::env::var("TABIYA_PGN_CHANGES").ok();
    let changes = changes.map_or(1_500, |text| text.parse().expect("a number"));
    let mut random = SplitMix64::new(9);
    let mut games = Vec::new();
    while games.len() < 200_000 {
        games.extend(pgn::to_string(&record(&mut random), Format::Export).into_bytes());
    }
    for round in 0..changes {
        let from = below(&mut random, games.len() - 3_000);
        let mut text = games[from..from + 100 + below(&mut random, 2_900)].to_vec();
        let at = below(&mut random, text.len());
        text[at] = random.next_u64() as u8;
        let whole: Vec<_> = pgn::games(&text).collect();
        let size = 1 + below(&mut random, 64);
        assert!(
            in_pieces(&text, &[size]) == whole,
            "{round}: {size} {}",
            text.escape_ascii()
        );
    }
}

#[test]
fn random_bytes_are_read() {
    let mut random = SplitMix64::new(7);
    for _ in 0..2_000 {
        let text: Vec<u8> = (0..below(&mut random, 600))
            .map(|_| random.next_u64() as u8)
            .collect();
        let whole: Vec<_> = pgn::games(&text).collect();
        assert_eq!(in_pieces(&text, &[7]), whole);
    }
}

#[test]
fn parts_of_a_file_give_what_the_whole_gives() {
    let mut random = SplitMix64::new(8);
    for round in 0..200 {
        let mut text = Vec::new();
        for _ in 0..6 {
            text.extend(pgn::to_string(&record(&mut random), Format::Export).into_bytes());
            text.extend(pick(
                &mut random,
                &[&b"\n"[..], b"\n\n", b"{open\n\n", b"(\n\n"],
            ));
            text.extend(soup(&mut random));
            text.extend(pick(&mut random, &[&b"\n"[..], b"\n\n", b"{open\n\n"]));
        }
        let whole: Vec<_> = pgn::games(&text).collect();
        let mut parts = Vec::new();
        let mut rest = &text[..];
        let mut place = TextPosition::START;
        while !rest.is_empty() {
            let window = &rest[..rest.len().min(1 + below(&mut random, 4_000))];
            let cut = if window.len() == rest.len() {
                rest.len()
            } else {
                pgn::last_game(window).unwrap_or(0)
            };
            let cut = if cut == 0 {
                pgn::last_game(rest).unwrap_or(rest.len())
            } else {
                cut
            };
            let (part, more) = rest.split_at(cut);
            let mut reader = RecordReader::from_reader(Reader::starting_at(part, place));
            while let Ok(Some(game)) = reader.read() {
                parts.push(game);
            }
            place.advance(part);
            rest = more;
        }
        assert_eq!(parts.len(), whole.len(), "{round}: {}", text.escape_ascii());
        for (part, whole) in parts.iter().zip(&whole) {
            assert_eq!(
                part.errors,
                whole.errors,
                "{round}: {}",
                text.escape_ascii()
            );
            assert!(part == whole, "{round}: {}", text.escape_ascii());
        }
    }
}

/// Replays the seeds of fuzzing, what it found, and random bytes.
#[test]
fn the_fuzz_corpora_hold() {
    test_suites::replay("pgn", fuzz_properties::pgn);
    test_suites::replay("pgn_chunked", fuzz_properties::pgn_chunked);
    test_suites::replay("pgn_write", fuzz_properties::pgn_write);
    test_suites::replay("session", fuzz_properties::session);
    let mut random = SplitMix64::new(13);
    for _ in 0..300 {
        let bytes: Vec<u8> = (0..random.below(400))
            .map(|_| random.next_u64() as u8)
            .collect();
        fuzz_properties::pgn(&bytes);
        fuzz_properties::pgn_chunked(&bytes);
        fuzz_properties::pgn_write(&bytes);
        fuzz_properties::session(&bytes);
    }
}
