//! The numbers of the search that only play can find, in one place, so that `training`'s `tune` can find them together.

/// Declares the margins, each with its value and the range in which it may be tuned.
macro_rules! margins {
    ($($(#[$doc:meta])* $name:ident = $value:literal in $min:literal..=$max:literal;)*) => {
        /// The tunable numbers of the search.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct Margins {
            $($(#[$doc])* pub(crate) $name: i32,)*
        }

        impl Default for Margins {
            fn default() -> Margins {
                Margins { $($name: $value,)* }
            }
        }

        impl Margins {
            /// The name of each number, its least and its greatest value.
            pub const RANGES: &[(&str, i32, i32)] = &[$((stringify!($name), $min, $max),)*];

            /// The numbers in the order of [`Margins::RANGES`].
            #[must_use]
            pub fn values(&self) -> Vec<i32> {
                vec![$(self.$name,)*]
            }

            /// Takes numbers in the order of [`Margins::RANGES`], each within its range; those that are missing stay as
            /// they are built in.
            #[must_use]
            pub fn from_values(values: &[i32]) -> Margins {
                let mut margins = Margins::default();
                let mut values = values.iter();
                $(if let Some(&value) = values.next() {
                    margins.$name = value.clamp($min, $max);
                })*
                margins
            }
        }
    };
}

// Scores and thresholds are in centipawns, reductions in parts of `ONE_PLY`.
margins! {
    /// Reverse futility pruning: the margin above beta for each ply, and in addition.
    rfp_ply = 59 in 25..=120;
    rfp_base = 17 in 0..=80;
    /// Null-move pruning: the margin above beta for which one more ply is reduced, up to three, and how far the static
    /// evaluation must be above beta, less for each ply.
    nmp_eval = 188 in 80..=400;
    nmp_static_ply = 20 in 0..=50;
    nmp_static_base = 112 in 0..=300;
    /// SEE pruning of captures: the loss that is accepted for each ply, and the divisor of the history score that adds to
    /// it.
    see_capture = 84 in 40..=200;
    see_capture_history = 60 in 24..=160;
    /// SEE pruning of quiet moves: the loss that is accepted for the square of the LMR depth (for checks, for the LMR
    /// depth itself), and a constant.
    see_quiet = 21 in 8..=60;
    see_check = 65 in 20..=140;
    see_base = 19 in 0..=80;
    /// The divisor of the history score in the LMR depth of a move.
    lmr_depth_history = 15 in 6..=40;
    /// Futility pruning: the margin for each ply of the LMR depth and in addition, and the divisor of the history score.
    futility_ply = 60 in 30..=150;
    futility_base = 55 in 0..=180;
    futility_history = 107 in 48..=320;
    /// Late move reductions: a constant, thousandths of the product of the logarithms of depth and move number, and what
    /// changes them.
    lmr_base = 842 in 300..=1300;
    lmr_factor = 215 in 130..=320;
    lmr_pv = 988 in 300..=1800;
    lmr_cut_node = 938 in 300..=2200;
    lmr_not_improving = 481 in 100..=1200;
    lmr_check = 1039 in 300..=1800;
    lmr_cutoffs = 939 in 300..=1800;
    lmr_correction = 8 in 0..=24;
    lmr_history = 10 in 5..=20;
    /// A reduced search that beats the best score so far by this much, and one more for each ply, is followed by a deeper
    /// search; one that beats it by less than the second margin, by a shallower one.
    deeper = 38 in 10..=90;
    shallower = 9 in 2..=24;
    /// Singular extensions: how far below the TT score all other moves must be, in sixteenths for each ply of depth, and
    /// how much further for an extension of two and of three plies.
    singular = 31 in 12..=64;
    double_extension = 20 in 5..=50;
    triple_extension = 80 in 30..=180;
    /// Hindsight: the sum of the evaluations of a node and its parent above which the search is shallower.
    hindsight = 174 in 60..=350;
    /// Quiescence: if the evaluation is so far below alpha, only captures that win something are searched.
    quiescence_futility = 141 in 60..=280;
    /// The half-width of the first aspiration window.
    aspiration = 14 in 6..=30;
    /// The history bonus of a beta cutoff: for each ply, and at most.
    history_ply = 170 in 80..=300;
    history_max = 1495 in 800..=3000;
}

impl Margins {
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
        let values = Margins::default().values();
        assert_eq!(values.len(), Margins::RANGES.len());
        for (value, (name, min, max)) in values.iter().zip(Margins::RANGES) {
            assert!(min < value && value < max, "{name}");
        }
    }

    #[test]
    fn values_come_back_as_they_were_set() {
        let values: Vec<i32> = Margins::RANGES.iter().map(|&(_, min, _)| min).collect();
        assert_eq!(Margins::from_values(&values).values(), values);
        let beyond: Vec<i32> = Margins::RANGES.iter().map(|_| i32::MAX).collect();
        let most: Vec<i32> = Margins::RANGES.iter().map(|&(_, _, max)| max).collect();
        assert_eq!(Margins::from_values(&beyond).values(), most);
        assert_eq!(Margins::from_values(&[]), Margins::default());
    }
}
