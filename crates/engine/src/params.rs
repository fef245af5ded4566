//! The tunable parameters of the search, with their ranges for SPSA (`training`'s `tune`).

/// Declares the parameters, each with its value and the range in which it may be tuned.
macro_rules! params {
    ($($(#[$doc:meta])* $name:ident = $value:literal in $min:literal..=$max:literal;)*) => {
        /// The tunable parameters of the search.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct SearchParams {
            $($(#[$doc])* pub(crate) $name: i32,)*
        }

        impl Default for SearchParams {
            fn default() -> SearchParams {
                SearchParams { $($name: $value,)* }
            }
        }

        impl SearchParams {
            /// The name of each parameter, its least and its greatest value.
            pub const RANGES: &[(&str, i32, i32)] = &[$((stringify!($name), $min, $max),)*];

            /// The values in the order of [`SearchParams::RANGES`].
            #[must_use]
            pub fn values(&self) -> Vec<i32> {
                vec![$(self.$name,)*]
            }

            /// Takes values in the order of [`SearchParams::RANGES`], each within its range; those that are missing have their
            /// default.
            #[must_use]
            pub fn from_values(values: &[i32]) -> SearchParams {
                let mut params = SearchParams::default();
                let mut values = values.iter();
                $(if let Some(&value) = values.next() {
                    params.$name = value.clamp($min, $max);
                })*
                params
            }
        }
    };
}

// Scores, margins and thresholds are in centipawns, reductions in parts of `ONE_PLY`.
params! {
    /// Reverse futility pruning: the margin above beta for each ply.
    rfp_ply = 59 in 25..=120;
    /// Reverse futility pruning: the constant part of the margin.
    rfp_base = 17 in 0..=80;
    /// Null-move pruning: the evaluation above beta for which one more ply is reduced, up to three.
    nmp_eval = 188 in 80..=400;
    /// Null-move pruning: how much less each ply of depth requires of the static evaluation.
    nmp_static_ply = 20 in 0..=50;
    /// Null-move pruning: how far the static evaluation must be above beta, before the plies are subtracted.
    nmp_static_base = 112 in 0..=300;
    /// SEE pruning of captures: the accepted loss for each ply.
    see_capture = 84 in 40..=200;
    /// SEE pruning of captures: the divisor of the history score that adds to the accepted loss.
    see_capture_history = 60 in 24..=160;
    /// SEE pruning of quiet moves: the accepted loss, times the square of the LMR depth.
    see_quiet = 21 in 8..=60;
    /// SEE pruning of quiet checks: the accepted loss, times the LMR depth.
    see_check = 65 in 20..=140;
    /// SEE pruning of quiet moves and checks: the constant part of the accepted loss.
    see_base = 19 in 0..=80;
    /// The divisor of the history score in the LMR depth of a move.
    lmr_depth_history = 15 in 6..=40;
    /// Futility pruning: the margin for each ply of the LMR depth.
    futility_ply = 60 in 30..=150;
    /// Futility pruning: the constant part of the margin.
    futility_base = 55 in 0..=180;
    /// Futility pruning: the divisor of the history score that adds to the margin.
    futility_history = 107 in 48..=320;
    /// LMR: the constant part of the reduction.
    lmr_base = 842 in 300..=1300;
    /// LMR: the factor of the product of the logarithms of depth and move number, in thousandths.
    lmr_factor = 215 in 130..=320;
    /// LMR: less in PV nodes, and in nodes that were PV nodes before.
    lmr_pv = 988 in 300..=1800;
    /// LMR: more in cut nodes.
    lmr_cut_node = 938 in 300..=2200;
    /// LMR: more where the static evaluation is not improving.
    lmr_not_improving = 481 in 100..=1200;
    /// LMR: less in check, and for checks.
    lmr_check = 1039 in 300..=1800;
    /// LMR: more if the child has had many beta cutoffs.
    lmr_cutoffs = 939 in 300..=1800;
    /// LMR: less for each centipawn of the correction of the static evaluation.
    lmr_correction = 8 in 0..=24;
    /// LMR: the divisor of the history score that is subtracted.
    lmr_history = 10 in 5..=20;
    /// A reduced search that beats the best score by this much, and one more for each ply, is repeated one ply deeper.
    deeper = 38 in 10..=90;
    /// A reduced search that beats alpha, but the best score by less than this, is repeated one ply shallower.
    shallower = 9 in 2..=24;
    /// Singular extensions: how far below the TT score all other moves must be, in sixteenths for each ply of depth.
    singular = 31 in 12..=64;
    /// Singular extensions: how much further below for an extension of two plies.
    double_extension = 20 in 5..=50;
    /// Singular extensions: how much further below for an extension of three plies.
    triple_extension = 80 in 30..=180;
    /// Hindsight: the sum of the evaluations of a node and its parent above which the search is shallower.
    hindsight = 174 in 60..=350;
    /// Quiescence: if the evaluation is this far below alpha, only captures that win something are searched.
    quiescence_futility = 141 in 60..=280;
    /// The half-width of the first aspiration window.
    aspiration = 14 in 6..=30;
    /// The history bonus of a beta cutoff for each ply of depth.
    history_ply = 170 in 80..=300;
    /// The largest history bonus of a beta cutoff.
    history_max = 1495 in 800..=3000;
}

impl SearchParams {
    /// The history bonus of a beta cutoff at a depth.
    pub(crate) fn history_bonus(&self, depth: i32) -> i32 {
        (depth * self.history_ply - 60).clamp(60, self.history_max)
    }
}

#[cfg(test)]
mod tests {
    //! Values go in and out in one order, and every value is within its range.

    use super::*;

    #[test]
    fn built_in_values_are_within_their_ranges() {
        let values = SearchParams::default().values();
        assert_eq!(values.len(), SearchParams::RANGES.len());
        for (value, (name, min, max)) in values.iter().zip(SearchParams::RANGES) {
            assert!(min < value && value < max, "{name}");
        }
    }

    #[test]
    fn values_come_back_as_they_were_set() {
        let values: Vec<i32> = SearchParams::RANGES
            .iter()
            .map(|&(_, min, _)| min)
            .collect();
        assert_eq!(SearchParams::from_values(&values).values(), values);
        let beyond: Vec<i32> = SearchParams::RANGES.iter().map(|_| i32::MAX).collect();
        let most: Vec<i32> = SearchParams::RANGES
            .iter()
            .map(|&(_, _, max)| max)
            .collect();
        assert_eq!(SearchParams::from_values(&beyond).values(), most);
        assert_eq!(SearchParams::from_values(&[]), SearchParams::default());
    }
}
