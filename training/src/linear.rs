//! Linear equations.

/// Solves linear equations by elimination; `None` if they have no single solution.
#[must_use]
pub fn solve(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Option<Vec<f64>> {
    let size = right.len();
    for i in 0..size {
        let largest = |&a: &usize, &b: &usize| matrix[a][i].abs().total_cmp(&matrix[b][i].abs());
        let pivot = (i..size).max_by(largest)?;
        matrix.swap(i, pivot);
        right.swap(i, pivot);
        let row = matrix[i].clone();
        if row[i].abs() < 1e-12 {
            return None;
        }
        for other in (0..size).filter(|&other| other != i) {
            let factor = matrix[other][i] / row[i];
            for (value, &above) in matrix[other].iter_mut().zip(&row) {
                *value -= factor * above;
            }
            right[other] -= factor * right[i];
        }
    }
    Some((0..size).map(|i| right[i] / matrix[i][i]).collect())
}
