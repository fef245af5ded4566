//! Least squares on hinge terms, which are chosen one after another.

use std::io;

use tabiya_rules::Role;
use tabiya_train::puzzle::Puzzle;
use tabiya_train::rating::Features;
use training::linear::solve;

use super::hash;

/// The columns that the model may use, those of [`columns`] and then those of [`others`].
const NAMES: [&str; 22] = [
    "a",
    "l",
    "c",
    "ln(1+K)",
    "ln(1+C)",
    "g",
    "q",
    "n",
    "w",
    "d",
    "king",
    "pawn",
    "legal",
    "men",
    "mate",
    "captures first",
    "takes back",
    "backwards",
    "far",
    "knight",
    "queen",
    "sacrifice",
];

/// How many columns the program itself knows.
const KNOWN: usize = 11;

/// Knots for each column, at quantiles.
const KNOTS: usize = 16;

/// The most terms.
const MOST: usize = 30;

/// A model must be better by this share of the squared error for another term.
const WORTH: f64 = 0.001;

/// What the program knows about a puzzle, as the model takes it.
pub(crate) fn columns(features: &Features) -> Vec<f64> {
    let Features {
        a,
        l,
        c,
        checks,
        captures,
        g,
        q,
        n,
        w,
        d,
        king,
        ..
    } = *features;
    let (checks, captures) = (checks.ln_1p(), captures.ln_1p());
    vec![a, l, c, checks, captures, g, q, n, w, d, king]
}

/// What the program could also know.
pub(crate) fn others(puzzle: &Puzzle) -> Vec<f64> {
    let Puzzle {
        before,
        last,
        position,
        solution,
    } = puzzle;
    let first = solution[0];
    let yes = |it: bool| f64::from(u8::from(it));
    let last_position = solution
        .iter()
        .fold(*position, |here, &m| here.play_unchecked(m));
    let up = first.to().rank() as i32 - first.from().rank() as i32;
    let side = first.to().file() as i32 - first.from().file() as i32;
    let forwards = match position.turn() {
        tabiya_rules::Color::White => up,
        tabiya_rules::Color::Black => -up,
    };
    let is_capture = position.is_capture(first);
    vec![
        yes(first.role() == Role::Pawn),
        position.legal_moves().len() as f64,
        f64::from(position.board().occupied().count()),
        yes(last_position.is_checkmate()),
        yes(is_capture),
        yes(is_capture && before.is_capture(*last) && first.to() == last.to()),
        yes(forwards < 0),
        f64::from(up.abs().max(side.abs())),
        yes(first.role() == Role::Knight),
        yes(first.role() == Role::Queen),
        f64::from(position.see(first).min(0)) / -100.0,
    ]
}

/// A puzzle with its features.
struct Row {
    rating: f64,
    values: Vec<f64>,
    part: Part,
}

/// What a puzzle is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Fit,
    /// It decides which terms are taken.
    Choice,
    /// It is only measured.
    Aside,
}

/// A term of the model: a column, or how far it is above a knot.
#[derive(Clone, Copy, PartialEq)]
struct Term {
    column: usize,
    knot: Option<f64>,
}

impl Term {
    fn of(self, values: &[f64]) -> f64 {
        let value = values[self.column];
        self.knot.map_or(value, |knot| (value - knot).max(0.0))
    }

    fn name(self) -> String {
        let column = NAMES[self.column];
        self.knot
            .map_or(column.to_owned(), |knot| format!("above({column}, {knot})"))
    }
}

/// Sums of products over a part of the puzzles: all that least squares needs to know about it.
struct Sums {
    products: Vec<Vec<f64>>,
    with_rating: Vec<f64>,
    of_ratings: f64,
}

impl Sums {
    fn of(rows: &[Row], part: Part, terms: &[Term]) -> Sums {
        // The first term is the constant.
        let size = terms.len() + 1;
        let mut sums = Sums {
            products: vec![vec![0.0; size]; size],
            with_rating: vec![0.0; size],
            of_ratings: 0.0,
        };
        for row in rows.iter().filter(|row| row.part == part) {
            let values = inputs(terms, &row.values);
            for (i, &x) in values.iter().enumerate().filter(|&(_, &x)| x != 0.0) {
                sums.with_rating[i] += x * row.rating;
                for (j, &y) in values.iter().enumerate() {
                    sums.products[i][j] += x * y;
                }
            }
            sums.of_ratings += row.rating * row.rating;
        }
        sums
    }

    /// The weights of some of the terms.
    fn fit(&self, chosen: &[usize]) -> Option<Vec<f64>> {
        let matrix = chosen.iter().map(|&i| {
            let row = chosen.iter().map(|&j| self.products[i][j]);
            row.collect()
        });
        let right = chosen.iter().map(|&i| self.with_rating[i]).collect();
        solve(matrix.collect(), right)
    }

    /// The squared error of some of the terms with these weights.
    fn error(&self, chosen: &[usize], weights: &[f64]) -> f64 {
        let mut error = self.of_ratings;
        for (&i, &a) in chosen.iter().zip(weights) {
            error -= 2.0 * a * self.with_rating[i];
            for (&j, &b) in chosen.iter().zip(weights) {
                error += a * b * self.products[i][j];
            }
        }
        error
    }
}

fn inputs(terms: &[Term], values: &[f64]) -> Vec<f64> {
    let terms = terms.iter().map(|term| term.of(values));
    std::iter::once(1.0).chain(terms).collect()
}

/// Fits the model, first with what the program knows and then with all there is, and prints it.
pub(crate) fn run(path: &str) -> io::Result<()> {
    let rows: Vec<Row> = std::fs::read_to_string(path)?
        .lines()
        .filter_map(row)
        .collect();
    let in_model = |row: &Row| {
        let v = &row.values;
        let mut features = Features::default();
        (features.a, features.l, features.c) = (v[0], v[1], v[2]);
        (features.checks, features.captures) = (v[3].exp_m1(), v[4].exp_m1());
        (features.g, features.q, features.n) = (v[5], v[6], v[7]);
        (features.w, features.d, features.king) = (v[8], v[9], v[10]);
        f64::from(features.rating())
    };
    println!("{} puzzles", rows.len());
    report("as it is", &rows, in_model);
    for columns in [KNOWN, NAMES.len()] {
        let (terms, weights) = chosen_terms(&rows, columns);
        println!("\n{:+9.1}", weights[0]);
        for (term, weight) in terms.iter().zip(&weights[1..]) {
            println!("{weight:+9.1} * {}", term.name());
        }
        report(&format!("{columns} columns"), &rows, |row| {
            let values = inputs(&terms, &row.values);
            let rating: f64 = values.iter().zip(&weights).map(|(x, w)| x * w).sum();
            rating.clamp(400.0, 2900.0)
        });
    }
    Ok(())
}

/// A line of the file of features; `None` if it is torn.
fn row(line: &str) -> Option<Row> {
    let mut fields = line.split('\t');
    let hash = hash(fields.next()?);
    let rating = fields.next()?.parse().ok()?;
    let values: Result<Vec<f64>, _> = fields.map(str::parse).collect();
    let values = values.ok().filter(|values| values.len() == NAMES.len())?;
    let part = match (hash % 5, hash / 5 % 5) {
        (0, _) => Part::Aside,
        (_, 0) => Part::Choice,
        (_, _) => Part::Fit,
    };
    Some(Row {
        rating,
        values,
        part,
    })
}

/// Takes the term that helps most, again and again.
fn chosen_terms(rows: &[Row], columns: usize) -> (Vec<Term>, Vec<f64>) {
    let mut terms = Vec::new();
    for column in 0..columns {
        terms.push(Term { column, knot: None });
        let mut values: Vec<f64> = rows.iter().map(|row| row.values[column]).collect();
        values.sort_by(f64::total_cmp);
        for knot in 1..KNOTS {
            let knot = values[values.len() * knot / KNOTS];
            let term = Term {
                column,
                knot: Some((knot * 20.0).round() / 20.0),
            };
            if !terms.contains(&term) {
                terms.push(term);
            }
        }
    }
    let fit = Sums::of(rows, Part::Fit, &terms);
    let choice = Sums::of(rows, Part::Choice, &terms);
    let mut chosen = vec![0];
    let mut best = f64::MAX;
    while chosen.len() <= MOST {
        let tried = (1..=terms.len()).filter(|term| !chosen.contains(term));
        let tried = tried.filter_map(|term| {
            let chosen: Vec<usize> = chosen.iter().copied().chain([term]).collect();
            let weights = fit.fit(&chosen)?;
            Some((choice.error(&chosen, &weights), term))
        });
        match tried.min_by(|(a, _), (b, _)| a.total_cmp(b)) {
            Some((error, term)) if error < best * (1.0 - WORTH) => {
                best = error;
                chosen.push(term);
            }
            _ => break,
        }
    }
    let taken: Vec<Term> = chosen[1..].iter().map(|&term| terms[term - 1]).collect();
    // The weights come from all puzzles that are not kept aside.
    let parts = [Part::Fit, Part::Choice].map(|part| Sums::of(rows, part, &taken));
    let [mut all, other] = parts;
    for (i, row) in other.products.iter().enumerate() {
        all.with_rating[i] += other.with_rating[i];
        for (j, product) in row.iter().enumerate() {
            all.products[i][j] += product;
        }
    }
    let every: Vec<usize> = (0..=taken.len()).collect();
    let weights = all.fit(&every).unwrap_or_else(|| vec![0.0; every.len()]);
    (taken, weights)
}

/// Prints how far off a model is, on what it was fitted to and on what was kept aside.
fn report(name: &str, rows: &[Row], model: impl Fn(&Row) -> f64) {
    for is_aside in [false, true] {
        let part = rows
            .iter()
            .filter(|row| (row.part == Part::Aside) == is_aside);
        let pairs: Vec<(f64, f64)> = part.map(|row| (row.rating, model(row))).collect();
        let of = if is_aside { "kept aside" } else { "fitted to" };
        if let Some(error) = tabiya_train::rating::accuracy(&pairs) {
            println!(
                "{name}, {of}: {} puzzles, MAE {:.1}, Spearman {:.4}",
                pairs.len(),
                error.mae,
                error.spearman
            );
        }
    }
}

#[cfg(test)]
mod tests {
    //! A known model is found again, and puzzles that are kept aside play no part in it.

    use super::*;

    #[test]
    fn a_known_hinge_is_found_and_what_is_kept_aside_is_not_looked_at() {
        let rows = (0..2000_u32).map(|number| {
            let mut values = vec![0.0; NAMES.len()];
            values[0] = f64::from(number % 160) / 10.0;
            values[2] = f64::from(number % 7) / 7.0;
            let part = match number % 5 {
                0 => Part::Aside,
                1 => Part::Choice,
                _ => Part::Fit,
            };
            let known = 1000.0 + 60.0 * (values[0] - 4.0).max(0.0) - 300.0 * values[2];
            let rating = if part == Part::Aside { 0.0 } else { known };
            Row {
                rating,
                values,
                part,
            }
        });
        let rows: Vec<Row> = rows.collect();
        let (terms, weights) = chosen_terms(&rows, KNOWN);
        assert!(weights.len() < 10, "{} terms", terms.len());
        for row in rows.iter().filter(|row| row.part != Part::Aside) {
            let values = inputs(&terms, &row.values);
            let found: f64 = values.iter().zip(&weights).map(|(x, w)| x * w).sum();
            assert!(
                (found - row.rating).abs() < 20.0,
                "{found} for {}",
                row.rating
            );
        }
    }
}
