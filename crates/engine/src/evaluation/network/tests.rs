//! A network is read as it was written, computed as its file format says, the same from either side, on every CPU and
//! along every line; what is not a network is refused.

use tabiya_rules::cpu::Kernel;
use tabiya_rules::{File, Move, Role, SplitMix64};

use super::file::{FILE_SIZE, HEADER_SIZE, checksum};
use super::*;

/// The numbers of a file, in its order.
struct Numbers {
    features: Vec<[i16; HIDDEN]>,
    biases: [i16; HIDDEN],
    outputs: Vec<[i16; 2 * HIDDEN]>,
    output_biases: Vec<i32>,
    qb: u32,
    scale: u32,
}

impl Numbers {
    /// Like those of a trained network in size: neurons that are idle, active and in between.
    fn random(seed: u64) -> Numbers {
        let mut random = SplitMix64::new(seed);
        let mut number = |most: i16| {
            let sum: i32 = (0..4)
                .map(|_| random.below(1 << 12) as i32 - (1 << 11))
                .sum();
            ((sum * i32::from(most)) >> 13) as i16
        };
        Numbers {
            features: (0..FEATURES)
                .map(|_| [(); HIDDEN].map(|()| number(300)))
                .collect(),
            biases: [(); HIDDEN].map(|()| number(500)),
            outputs: (0..OUTPUT_BUCKETS)
                .map(|_| [(); 2 * HIDDEN].map(|()| number(127)))
                .collect(),
            output_biases: (0..OUTPUT_BUCKETS)
                .map(|_| i32::from(number(i16::MAX)))
                .collect(),
            qb: if seed.is_multiple_of(2) { 64 } else { 150 },
            scale: 400,
        }
    }

    /// Rows as large as a file may have them, so that sums reach the limits.
    fn extreme() -> Numbers {
        let (weight, bias) = (i16::MAX / 33, i16::MAX / 33);
        let sign = |i: usize| if i.is_multiple_of(3) { -1 } else { 1 };
        // The most that each output weight can be if all are the same.
        let output = (i64::from(i32::MAX) / (255 * 255 * 2 * HIDDEN as i64)).min(128) as i16;
        Numbers {
            features: (0..FEATURES)
                .map(|feature| std::array::from_fn(|neuron| weight * sign(neuron + feature / 96)))
                .collect(),
            biases: std::array::from_fn(|neuron| bias * sign(neuron)),
            outputs: (0..OUTPUT_BUCKETS)
                .map(|bucket| {
                    [if bucket.is_multiple_of(2) {
                        output
                    } else {
                        -output
                    }; 2 * HIDDEN]
                })
                .collect(),
            output_biases: vec![0; OUTPUT_BUCKETS],
            qb: 64,
            scale: 400,
        }
    }

    fn bytes(&self) -> Vec<u8> {
        let mut body = Vec::new();
        let rows = self.features.iter().chain([&self.biases]).flatten();
        for number in rows.chain(self.outputs.iter().flatten()) {
            body.extend(number.to_le_bytes());
        }
        for number in &self.output_biases {
            body.extend(number.to_le_bytes());
        }
        let mut bytes = b"TABIYANN".to_vec();
        for number in [1, HIDDEN as u32, 8, 255, self.qb, self.scale] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(checksum(&body).to_le_bytes());
        bytes.resize(64, 0);
        bytes.extend(body);
        bytes
    }

    fn network(&self) -> Arc<Network> {
        Arc::new(Network::from_bytes(&self.bytes()).expect("a network"))
    }

    /// The score of a position, straight from the definition and with numbers that cannot overflow.
    fn score(&self, position: &Position) -> i32 {
        let side = |side: Color| -> Vec<i64> {
            let mut sums: Vec<i64> = self.biases.iter().map(|&bias| i64::from(bias)).collect();
            let king = position.board().king(side);
            let mirrored = king.is_some_and(|king| king.file() as usize >= File::E as usize);
            for (square, piece) in position.board().iter() {
                let own = piece.color == side;
                let mut seen = if side.is_white() {
                    square
                } else {
                    square.flip_vertical()
                };
                if mirrored {
                    seen = seen.flip_horizontal();
                }
                let role = match piece.role {
                    Role::Pawn => 0,
                    Role::Knight => 1,
                    Role::Bishop => 2,
                    Role::Rook => 3,
                    Role::Queen => 4,
                    Role::King => 5,
                };
                let feature = if own { 0 } else { 384 } + role * 64 + seen.index();
                for (sum, &weight) in sums.iter_mut().zip(&self.features[feature]) {
                    *sum += i64::from(weight);
                }
            }
            sums
        };
        let turn = position.turn();
        let neurons = [side(turn), side(!turn)].concat();
        let pieces = position.board().occupied().count() as usize;
        let bucket = (pieces - 2) / 4;
        let each = neurons
            .iter()
            .zip(self.outputs[bucket])
            .map(|(&neuron, weight)| {
                let active = neuron.clamp(0, 255);
                active * active * i64::from(weight)
            });
        let sum = each.sum::<i64>() / 255 + i64::from(self.output_biases[bucket]);
        let score = sum * i64::from(self.scale) / (255 * i64::from(self.qb));
        score.clamp(-3499, 3499) as i32
    }
}

/// A file with random numbers.
pub(crate) fn random_file(seed: u64) -> Vec<u8> {
    Numbers::random(seed).bytes()
}

/// What a network says about a position by itself.
fn evaluate(network: &Arc<Network>, position: &Position) -> i32 {
    let mut evaluator = NetworkEvaluator::new(Arc::clone(network), 0);
    evaluator.set_root(position);
    evaluator.evaluate(position, 0)
}

/// A move, or `None` for a null move.
type Step = Option<Move>;

/// A random line of Chess960 from its start on: its positions, and the moves between them.
fn random_line(random: &mut SplitMix64, plies: usize) -> (Vec<Position>, Vec<Step>) {
    let start = Position::chess960(random.below(960) as u16).expect("below 960");
    let (mut positions, mut steps) = (vec![start], Vec::new());
    let mut position = start;
    for _ in 0..plies {
        let Some((next, step)) = random_step(random, &position) else {
            break;
        };
        position = next;
        positions.push(position);
        steps.push(step);
    }
    (positions, steps)
}

fn random_step(random: &mut SplitMix64, position: &Position) -> Option<(Position, Step)> {
    if random.below(10) == 0
        && let Some(passed) = position.pass()
    {
        return Some((passed, None));
    }
    let moves = position.legal_moves();
    // Such moves are rare among random ones.
    let special: Vec<Move> = moves
        .iter()
        .copied()
        .filter(|m| m.is_castle() || m.is_en_passant() || m.promotion().is_some())
        .collect();
    let from: &[Move] = if special.is_empty() { &moves } else { &special };
    let m = *from.get(random.below(from.len().max(1)))?;
    Some((position.play_unchecked(m), Some(m)))
}

fn make(
    evaluator: &mut NetworkEvaluator,
    seen: &mut Seen,
    before: &Position,
    ply: usize,
    step: Step,
) {
    seen.add(before, step);
    match step {
        Some(m) => evaluator.make_move(ply, &before.delta(m)),
        None => evaluator.make_null_move(ply),
    }
}

/// What kinds of moves a test has seen.
#[derive(Debug, Default)]
struct Seen {
    castles_over_the_middle: usize,
    other_castles: usize,
    king_moves_over_the_middle: usize,
    en_passant: usize,
    promotions: usize,
    null_moves: usize,
}

impl Seen {
    fn add(&mut self, position: &Position, step: Step) {
        let Some(m) = step else {
            self.null_moves += 1;
            return;
        };
        let delta = position.delta(m);
        let (from, piece) = delta.removed()[0];
        let (to, placed) = delta.added()[0];
        let right = |square: tabiya_rules::Square| square.file() >= File::E;
        let crossed = piece.role == Role::King && right(from) != right(to);
        match (m.is_castle(), crossed) {
            (true, true) => self.castles_over_the_middle += 1,
            (true, false) => self.other_castles += 1,
            (false, true) => self.king_moves_over_the_middle += 1,
            (false, false) => {}
        }
        let captured = delta.removed().get(1).map(|&(square, _)| square);
        self.en_passant += usize::from(!m.is_castle() && captured.is_some_and(|at| at != to));
        self.promotions += usize::from(piece != placed);
    }
}

#[test]
fn a_network_is_computed_as_its_format_says() {
    let numbers = [Numbers::random(1), Numbers::random(2), Numbers::extreme()];
    for (seed, numbers) in numbers.iter().enumerate() {
        let network = numbers.network();
        let mut random = SplitMix64::new(seed as u64);
        let mut buckets = [0; OUTPUT_BUCKETS];
        for _ in 0..10 {
            for position in random_line(&mut random, 300).0 {
                if endings::known_score(position.board()).is_none() {
                    let score = evaluate(&network, &position);
                    assert_eq!(score, numbers.score(&position), "{position}");
                    buckets[bucket(position.board().occupied().count())] += 1;
                }
            }
        }
        assert!(buckets.iter().all(|&count| count > 0), "{buckets:?}");
    }
}

#[test]
fn every_line_is_the_same_as_beginning_anew() {
    let network = Numbers::random(3).network();
    let mut evaluator = NetworkEvaluator::new(Arc::clone(&network), 400);
    let mut random = SplitMix64::new(4);
    let mut seen = Seen::default();
    for _ in 0..60 {
        let (mut positions, steps) = random_line(&mut random, 200);
        evaluator.set_root(&positions[0]);
        for ply in 1..positions.len() {
            make(
                &mut evaluator,
                &mut seen,
                &positions[ply - 1],
                ply,
                steps[ply - 1],
            );
        }
        for _ in 0..60 {
            // Any ply is asked, in any order.
            let ply = random.below(positions.len());
            let position = &positions[ply];
            let score = evaluator.evaluate(position, ply);
            assert_eq!(score, evaluate(&network, position), "{position} {ply}");
            // Now and then another line is followed from there.
            if random.below(6) == 0 {
                positions.truncate(ply + 1);
                for next in ply + 1..ply + 1 + random.below(20) {
                    let before = positions[next - 1];
                    let Some((position, step)) = random_step(&mut random, &before) else {
                        break;
                    };
                    make(&mut evaluator, &mut seen, &before, next, step);
                    positions.push(position);
                }
            }
        }
    }
    let Seen {
        castles_over_the_middle,
        other_castles,
        king_moves_over_the_middle,
        en_passant,
        promotions,
        null_moves,
    } = seen;
    for count in [
        castles_over_the_middle,
        other_castles,
        king_moves_over_the_middle,
        en_passant,
        promotions,
        null_moves,
    ] {
        assert!(count > 3, "{seen:?}");
    }
}

#[test]
fn both_sides_and_both_wings_are_seen_alike() {
    let network = Numbers::random(5).network();
    let mut random = SplitMix64::new(6);
    let mut flipped = 0;
    for _ in 0..20 {
        for position in random_line(&mut random, 200).0 {
            let score = evaluate(&network, &position);
            assert_eq!(score, evaluate(&network, &position.mirror()), "{position}");
            if let Some(other) = position.flip_horizontal() {
                assert_eq!(score, evaluate(&network, &other), "{position}");
                flipped += 1;
            }
        }
    }
    assert!(flipped > 1000, "{flipped}");
}

#[test]
fn every_cpu_computes_the_same() {
    let networks = [Numbers::random(7).network(), Numbers::extreme().network()];
    let mut random = SplitMix64::new(8);
    for network in &networks {
        for _ in 0..10 {
            let (positions, steps) = random_line(&mut random, 150);
            let mut sides = [(); 2].map(|()| Accumulators::new(positions.len()));
            for (ply, position) in positions.iter().enumerate() {
                for accumulators in &mut sides {
                    match ply.checked_sub(1) {
                        None => accumulators.set_root(network, position.board()),
                        Some(before) => match steps[before] {
                            Some(m) => accumulators.make_move(ply, &positions[before].delta(m)),
                            None => accumulators.make_null_move(ply),
                        },
                    }
                }
                let [wide, plain] = &mut sides;
                let kernel = |accumulators| Evaluate {
                    network,
                    accumulators,
                    board: position.board(),
                    turn: position.turn(),
                    ply,
                };
                assert_eq!(
                    cpu::run_wide(kernel(wide)),
                    kernel(plain).run(),
                    "{position}"
                );
                assert_eq!(wide.rows(ply), plain.rows(ply), "{position}");
            }
        }
    }
}

/// What one output makes of one accumulator.
struct ScreluDot<'a> {
    sums: &'a Row,
    weights: &'a Row,
}

impl Kernel for ScreluDot<'_> {
    type Output = i32;

    #[inline(always)]
    fn run(self) -> i32 {
        self.sums.screlu_dot(self.weights)
    }
}

#[test]
fn every_cpu_computes_the_same_dot_product() {
    let network = Numbers::extreme().network();
    let mut random = SplitMix64::new(9);
    for shift in 0..16 {
        let sums = Row([(); HIDDEN].map(|()| random.next_u64() as i16 >> shift));
        for weights in network.outputs.iter().flatten() {
            let kernel = || ScreluDot {
                sums: &sums,
                weights,
            };
            let exact: i64 = sums
                .0
                .into_iter()
                .zip(weights.0)
                .map(|(sum, weight)| i64::from(sum.clamp(0, 255)).pow(2) * i64::from(weight))
                .sum();
            assert_eq!(i64::from(kernel().run()), exact);
            assert_eq!(i64::from(cpu::run_wide(kernel())), exact);
        }
    }
}

#[test]
fn boards_without_kings_or_with_too_many_pieces_are_judged_too() {
    use tabiya_rules::{Setup, Square, Waivers};
    let network = Numbers::extreme().network();
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1";
    let mut setup: Setup = Position::from_fen(fen).expect("valid").setup();
    for square in [Square::E1, Square::E8] {
        setup.board.remove(square);
    }
    let position = setup
        .position_waiving(Waivers::MISSING_KING)
        .expect("waived");
    assert!(evaluate(&network, &position).abs() < KNOWN_WIN);
    assert_eq!(bucket(0), 0);
    assert_eq!((bucket(2), bucket(5), bucket(6), bucket(32)), (0, 0, 1, 7));
    assert_eq!(bucket(64), 7);
}

#[test]
fn known_endings_are_worth_more_than_any_output() {
    let mut numbers = Numbers::random(10);
    numbers.output_biases = vec![i32::MAX, i32::MIN, i32::MAX, i32::MIN, 0, 0, 0, 0];
    numbers.scale = 10_000;
    let network = numbers.network();
    let of = |fen: &str| evaluate(&network, &Position::from_fen(fen).expect("valid"));
    assert_eq!(of("4k3/p7/8/8/8/8/P7/4K3 w - - 0 1"), KNOWN_WIN - 1);
    assert_eq!(of("4k3/pppp4/8/8/8/8/8/4K3 w - - 0 1"), 1 - KNOWN_WIN);
    assert!(of("4k3/8/8/8/8/8/8/3QK3 w - - 0 1") > KNOWN_WIN);
    assert_eq!(of("4k3/8/8/8/8/8/8/2NNK3 w - - 0 1"), 0);
}

#[test]
fn files_are_read_as_they_were_written() {
    let numbers = Numbers::random(11);
    let bytes = random_file(11);
    assert_eq!(bytes.len(), FILE_SIZE);
    let network = Network::from_bytes(&bytes).expect("a network");
    assert_eq!(network.checksum(), checksum(&bytes[HEADER_SIZE..]));
    assert_eq!(network.features[895].0, numbers.features[767]);
    assert_eq!(network.biases.0, numbers.biases);
    assert_eq!(network.outputs[7][1].0[..], numbers.outputs[7][HIDDEN..]);
    assert_eq!(network.output_biases[..], numbers.output_biases);
    let path = std::env::temp_dir().join(format!("tabiya-network-{}.bin", std::process::id()));
    std::fs::write(&path, &bytes).expect("written");
    let opened = Network::open(&path);
    std::fs::remove_file(&path).expect("removed");
    assert_eq!(opened, Ok(network));
}

#[test]
fn what_is_not_a_network_is_refused_with_a_sentence() {
    let bytes = random_file(12);
    let refused = |bytes: &[u8]| {
        let error = Network::from_bytes(bytes).expect_err("refused");
        error.to_string()
    };
    let changed = |at: usize, byte: u8| {
        let mut changed = bytes.clone();
        changed[at] = byte;
        refused(&changed)
    };
    assert_eq!(refused(b""), "the file is not a network of this engine");
    assert_eq!(
        refused(&bytes[..63]),
        "the file is not a network of this engine"
    );
    assert_eq!(changed(0, b't'), "the file is not a network of this engine");
    assert_eq!(changed(8, 2), "the version of the format must be 1, not 2");
    assert!(changed(13, 9).starts_with("the number of neurons for each side must be "));
    assert_eq!(changed(16, 1), "the number of outputs must be 8, not 1");
    assert_eq!(
        changed(20, 254),
        "the unit of the neurons must be 255, not 254"
    );
    assert_eq!(
        changed(27, 1),
        "the unit of the output weights must be a number from 1 to 10000, not 16777280"
    );
    assert_eq!(
        changed(31, 255),
        "the scale must be a number from 1 to 10000, not 4278190480"
    );
    assert!(changed(40, 1).starts_with("the end of the header must be 0"));
    let length = format!("the file must have {FILE_SIZE} bytes");
    assert_eq!(refused(&bytes[..FILE_SIZE - 1]), length);
    assert_eq!(refused(&[&bytes[..], &[0]].concat()), length);
    let damaged = "the file is damaged: its checksum does not match its numbers";
    for at in [32, HEADER_SIZE, FILE_SIZE / 2, FILE_SIZE - 1] {
        assert_eq!(changed(at, !bytes[at]), damaged, "{at}");
    }
    let folder = Network::open(&std::env::temp_dir());
    assert_eq!(folder, Err(NetworkError::NotANetwork));
    let missing = Network::open(Path::new("no such network")).expect_err("missing");
    assert_eq!(
        missing.to_string(),
        "the file cannot be read: entity not found"
    );
}

#[test]
fn numbers_that_could_overflow_are_refused() {
    let of = |change: &dyn Fn(&mut Numbers)| {
        let mut numbers = Numbers::extreme();
        change(&mut numbers);
        Network::from_bytes(&numbers.bytes()).err()
    };
    assert_eq!(of(&|_| {}), None);
    // 32 weights and the bias fit exactly; one more does not.
    let rest = i16::MAX - 33 * (i16::MAX / 33);
    assert_eq!(of(&|numbers| numbers.biases[0] -= rest), None);
    let neuron = |neuron| Some(NetworkError::NeuronOverflow { neuron });
    assert_eq!(of(&|numbers| numbers.biases[0] -= rest + 1), neuron(0));
    assert_eq!(of(&|numbers| numbers.biases[1] = i16::MIN), neuron(1));
    assert_eq!(
        of(&|numbers| numbers.features[5][HIDDEN - 1] = i16::MIN),
        neuron(HIDDEN - 1)
    );
    let output = |bucket| Some(NetworkError::OutputOverflow { bucket });
    // With few neurons no weights that are small enough by themselves are too large together.
    let too_large = 255 * 255 * 128 * 2 * HIDDEN as i64 > i64::from(i32::MAX);
    let expected = output(3).filter(|_| too_large);
    assert_eq!(of(&|numbers| numbers.outputs[3].fill(128)), expected);
    let single = |weight| {
        move |numbers: &mut Numbers| {
            numbers.outputs[7].fill(0);
            numbers.outputs[7][0] = weight;
        }
    };
    assert_eq!(of(&single(-128)), None);
    assert_eq!(of(&single(129)), output(7));
}

/// Whole numbers in place of the trainer's floating-point ones change no judgment that matters: four centipawns in the
/// mean, and nowhere more than 20, or 4 % of what is decided anyway.
#[test]
fn the_built_in_network_agrees_with_its_trainer() {
    let network = Network::built_in();
    let lines = include_str!("../../../tests/data/network_positions.txt");
    let (mut compared, mut squares) = (0, 0.0);
    for line in lines.lines() {
        let (fen, expected) = line.split_once('\t').expect("a position and a number");
        let expected: f64 = expected.parse().expect("centipawns");
        let position = Position::from_fen(fen).expect("valid");
        if endings::known_score(position.board()).is_some() {
            continue;
        }
        let error = f64::from(evaluate(network, &position)) - expected;
        let tolerance = f64::max(20.0, expected.abs() * 0.04);
        assert!(
            error.abs() <= tolerance,
            "{fen}: {error} beside {expected} of the trainer"
        );
        compared += 1;
        squares += error * error;
    }
    assert!(compared >= 900, "only {compared} positions were compared");
    let mean = f64::sqrt(squares / f64::from(compared));
    assert!(mean <= 4.0, "the errors are {mean} in the mean");
}
