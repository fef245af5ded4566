//! A library made ready to be measured, behind one object-safe trait, and the
//! jobs that it can be given.

use std::hint::black_box;

use crate::{
    corpus::{Game, START},
    library::Library,
    peers::{
        chess::JordanChess, cozy::Cozy, esca::Esca, owlchess::Owlchess, shakmaty::Shakmaty,
        tabiya::Tabiya,
    },
};

/// What is measured; the number is the position's place in [`PERFT`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Job {
    /// Perft whose last ply is counted.
    Counted(usize, u32),
    /// Perft whose every leaf is played.
    Played(usize, u32),
    /// Texts to positions.
    ReadFen,
    /// Positions to texts.
    WriteFen,
    /// Whole games in SAN, read and played.
    ReplaySan,
    /// Whole games played, and each move written in SAN.
    WriteSan,
    /// The full list of legal moves.
    ListMoves,
    /// Every legal move played.
    PlayMoves,
    /// Every legal move listed and played, with the key of where it leads.
    ListPlayKey,
}

impl Job {
    /// Whether it shows how fast moves are generated and played, and nothing else.
    #[must_use]
    pub fn is_generation(self) -> bool {
        matches!(
            self,
            Job::Counted(..) | Job::Played(..) | Job::ListMoves | Job::PlayMoves
        )
    }
}

/// The usual perft positions: name, FEN, depth for the benchmark.
pub const PERFT: [(&str, &str, u32); 5] = [
    ("start", START, 5),
    (
        "Kiwipete",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        4,
    ),
    ("position 3", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 6),
    (
        "position 4",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        5,
    ),
    (
        "position 5",
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        4,
    ),
];

/// What all libraries work on.
#[derive(Clone, Copy, Debug)]
pub struct Material<'a> {
    /// FENs of positions from games.
    pub fens: &'a [String],
    /// Games in SAN.
    pub games: &'a [Game<'a>],
}

/// A library with the material read into its own types.
pub trait Entrant {
    /// The library's name.
    fn name(&self) -> &'static str;
    /// Whether its positions carry a key that `play` keeps up to date.
    fn keeps_key(&self) -> bool;
    /// Whether a job is the library's own work: not if it writes no SAN, or if its generator is that of another one.
    fn does(&self, job: Job) -> bool;
    /// Bytes of a position and of a move.
    fn sizes(&self) -> (usize, usize);
    /// Does the job once and returns the units of work done: nodes, positions
    /// or plies.
    fn run(&self, job: Job, material: &Material<'_>) -> u64;
    /// Games not read to the same end as in shakmaty.
    fn wrong_games(&self, material: &Material<'_>) -> usize;
    /// All moves of the games as the library writes them.
    fn written(&self) -> String;
}

/// All libraries, Tabiya first, with the material's positions read.
///
/// # Errors
/// The name of a library that refuses one of the positions, and its FEN.
pub fn entrants(material: &Material<'_>) -> Result<Vec<Box<dyn Entrant>>, String> {
    Ok(vec![
        prepare::<Tabiya>(material)?,
        prepare::<Shakmaty>(material)?,
        prepare::<Cozy>(material)?,
        prepare::<JordanChess>(material)?,
        prepare::<Owlchess>(material)?,
        prepare::<Esca>(material)?,
    ])
}

fn prepare<L: Library + 'static>(material: &Material<'_>) -> Result<Box<dyn Entrant>, String> {
    let read = |fen: &str| {
        L::read_fen(fen).ok_or_else(|| format!("{} refuses the position {fen}", L::NAME))
    };
    Ok(Box::new(Prepared::<L> {
        start: read(START)?,
        perft: PERFT
            .iter()
            .map(|(_, fen, _)| read(fen))
            .collect::<Result<_, _>>()?,
        positions: material
            .fens
            .iter()
            .map(|fen| read(fen))
            .collect::<Result<_, _>>()?,
        games: match L::WRITES_SAN {
            true => material.games.iter().map(moves::<L>).collect(),
            false => Vec::new(),
        },
    }))
}

/// The moves of a game, as far as the library reads them.
fn moves<L: Library>(game: &Game<'_>) -> Vec<L::Move> {
    let mut position = prepared_start::<L>().start;
    let read = |san: &&str| {
        let mv = L::read_san(&position, san)?;
        L::play(&mut position, mv);
        Some(mv)
    };
    game.iter().map_while(read).collect()
}

struct Prepared<L: Library> {
    start: L::Position,
    perft: Vec<L::Position>,
    positions: Vec<L::Position>,
    games: Vec<Vec<L::Move>>,
}

impl<L: Library> Prepared<L> {
    fn replay(&self, game: &Game<'_>) -> (L::Position, u64) {
        let mut position = self.start.clone();
        let mut plies = 0;
        for san in game {
            if !L::play_san(&mut position, san) {
                break;
            }
            plies += 1;
        }
        (position, plies)
    }

    /// Plays all games, and shows each move in SAN.
    fn write(&self, mut show: impl FnMut(&str)) -> u64 {
        let mut text = String::with_capacity(16);
        let mut plies = 0;
        for game in &self.games {
            let mut position = self.start.clone();
            for &mv in game {
                text.clear();
                L::write_san(black_box(&mut position), mv, &mut text);
                show(&text);
            }
            plies += game.len() as u64;
        }
        plies
    }
}

impl<L: Library> Entrant for Prepared<L> {
    fn name(&self) -> &'static str {
        L::NAME
    }

    fn keeps_key(&self) -> bool {
        L::KEEPS_KEY
    }

    fn does(&self, job: Job) -> bool {
        match job {
            Job::WriteSan => L::WRITES_SAN,
            job => L::GENERATES || !job.is_generation(),
        }
    }

    fn sizes(&self) -> (usize, usize) {
        (size_of::<L::Position>(), size_of::<L::Move>())
    }

    fn run(&self, job: Job, material: &Material<'_>) -> u64 {
        match job {
            Job::Counted(which, depth) => L::perft_counted(black_box(&self.perft[which]), depth),
            Job::Played(which, depth) => {
                let mut digest = 0;
                let nodes = L::perft_played(black_box(&self.perft[which]), depth, &mut digest);
                black_box(digest);
                nodes
            }
            Job::ReadFen => {
                for fen in material.fens {
                    black_box(L::read_fen(black_box(fen)));
                }
                material.fens.len() as u64
            }
            Job::WriteFen => {
                let mut text = String::with_capacity(128);
                for position in &self.positions {
                    text.clear();
                    L::write_fen(black_box(position), &mut text);
                    black_box(text.as_bytes());
                }
                self.positions.len() as u64
            }
            Job::ReplaySan => {
                let mut plies = 0;
                for game in material.games {
                    let (end, played) = self.replay(game);
                    black_box(&end);
                    plies += played;
                }
                plies
            }
            Job::WriteSan => self.write(|san| {
                black_box(san.as_bytes());
            }),
            Job::PlayMoves => {
                let (mut moves, mut digest) = (0, 0);
                for position in &self.positions {
                    moves += L::perft_played(black_box(position), 1, &mut digest);
                }
                black_box(digest);
                moves
            }
            Job::ListMoves => {
                for position in &self.positions {
                    black_box(L::list_moves(black_box(position)));
                }
                self.positions.len() as u64
            }
            Job::ListPlayKey => {
                let (mut moves, mut digest) = (0, 0);
                for position in &self.positions {
                    moves += L::list_play_key(black_box(position), &mut digest);
                }
                black_box(digest);
                moves
            }
        }
    }

    fn wrong_games(&self, material: &Material<'_>) -> usize {
        let base = prepared_start::<Shakmaty>();
        let end = |text: &str| text.split(' ').take(2).collect::<Vec<_>>().join(" ");
        material
            .games
            .iter()
            .filter(|game| {
                let (mut mine, mut theirs) = (String::new(), String::new());
                L::write_fen(&self.replay(game).0, &mut mine);
                Shakmaty::write_fen(&base.replay(game).0, &mut theirs);
                end(&mine) != end(&theirs)
            })
            .count()
    }

    fn written(&self) -> String {
        let mut all = String::new();
        self.write(|san| {
            all.push_str(san);
            all.push(' ');
        });
        all
    }
}

fn prepared_start<L: Library>() -> Prepared<L> {
    Prepared {
        start: L::read_fen(START).expect("every library reads the start position"),
        perft: Vec::new(),
        positions: Vec::new(),
        games: Vec::new(),
    }
}
