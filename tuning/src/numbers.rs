//! The numbers of the evaluation in a row.

use tabiya_engine::tuning::{TaperedScore, Weights, pair};

/// One number, or the two of a pair.
enum Place<'a> {
    TaperedScore(&'a mut TaperedScore),
    Units(&'a mut i32),
}

fn places(weights: &mut Weights) -> Vec<Place<'_>> {
    let Weights {
        material,
        places,
        mobility,
        tempo,
        pawns,
        pieces,
        king,
    } = weights;
    let mut pairs: Vec<&mut TaperedScore> = Vec::new();
    pairs.extend(material);
    pairs.extend(places.as_flattened_mut());
    pairs.extend(&mut mobility.knight);
    pairs.extend(&mut mobility.bishop);
    pairs.extend(&mut mobility.rook);
    pairs.extend(&mut mobility.queen);
    pairs.extend([
        tempo,
        &mut pawns.isolated,
        &mut pawns.doubled,
        &mut pawns.backward,
        &mut pawns.passed_supported,
        &mut pieces.bishop_pair,
        &mut pieces.bishop_pawns,
        &mut pieces.knight_outpost,
        &mut pieces.bishop_outpost,
        &mut pieces.rook_open_file,
        &mut pieces.rook_half_open_file,
        &mut pieces.behind_pawn,
        &mut pieces.pawn_threat,
        &mut pieces.minor_threat,
        &mut pieces.rook_threat,
        &mut pieces.hanging,
        &mut pieces.push_threat,
        &mut pieces.space,
        &mut king.open_file,
        &mut king.half_open_file,
    ]);
    for by_rank in [
        &mut pawns.connected,
        &mut pawns.passed,
        &mut pawns.passed_free,
        &mut pawns.passed_enemy_king,
        &mut pawns.passed_own_king,
        &mut king.shield,
        &mut king.storm,
    ] {
        pairs.extend(by_rank);
    }
    let mut units: Vec<&mut i32> = Vec::new();
    units.extend(&mut king.attacker);
    units.extend(&mut king.check);
    units.extend([&mut king.attacked, &mut king.weak, &mut king.no_queen]);
    let pairs = pairs.into_iter().map(Place::TaperedScore);
    pairs.chain(units.into_iter().map(Place::Units)).collect()
}

/// Each pair's numbers for middle game and ending, then those that are alone.
pub(crate) fn get(weights: &Weights) -> Vec<i32> {
    let mut weights = weights.clone();
    let mut numbers = Vec::new();
    for place in places(&mut weights) {
        match place {
            Place::TaperedScore(pair) => numbers.extend([pair.middle(), pair.ending()]),
            Place::Units(units) => numbers.push(*units),
        }
    }
    numbers
}

/// Weights of these numbers.
pub(crate) fn set(numbers: &[i32]) -> Weights {
    let mut weights = Weights::STANDARD;
    let mut numbers = numbers.iter().copied();
    let mut next = || numbers.next().expect("a number for each place");
    for place in places(&mut weights) {
        match place {
            Place::TaperedScore(place) => *place = pair(next(), next()),
            Place::Units(place) => *place = next(),
        }
    }
    weights
}

/// How many of the numbers, the last ones, count danger, which grows with its square.
pub(crate) const UNITS: usize = 11;

#[cfg(test)]
mod tests {
    //! Every number has its place.

    use super::*;

    #[test]
    fn numbers_come_back_as_they_were_set() {
        let numbers = get(&Weights::STANDARD);
        let others: Vec<i32> = (0..numbers.len() as i32).map(|i| i % 200 - 100).collect();
        assert_eq!(get(&set(&others)), others);
        assert_eq!(
            format!("{:?}", set(&numbers)),
            format!("{:?}", Weights::STANDARD)
        );
    }

    #[test]
    fn the_last_ones_count_danger() {
        let mut numbers = get(&Weights::STANDARD);
        let first = numbers.len() - UNITS;
        numbers[first] += 1;
        let [knight, ..] = Weights::STANDARD.king.attacker;
        assert_eq!(set(&numbers).king.attacker[0], knight + 1);
    }
}
