//! Symmetric, positive definite systems of equations, by Cholesky's decomposition.
//!
//! This file must not know what they are about.

/// A square matrix, row by row.
#[derive(Clone, Debug)]
pub(super) struct Square {
    pub(super) size: usize,
    cells: Vec<f64>,
}

impl Square {
    pub(super) fn zero(size: usize) -> Self {
        let cells = vec![0.0; size * size];
        Self { size, cells }
    }

    pub(super) fn at(&self, row: usize, column: usize) -> f64 {
        self.cells[row * self.size + column]
    }

    pub(super) fn add(&mut self, row: usize, column: usize, value: f64) {
        self.cells[row * self.size + column] += value;
    }

    /// Adds to both cells of two indices.
    pub(super) fn add_both(&mut self, row: usize, column: usize, value: f64) {
        self.add(row, column, value);
        self.add(column, row, value);
    }

    /// Multiplies every cell.
    pub(super) fn scale(&mut self, factor: f64) {
        for cell in &mut self.cells {
            *cell *= factor;
        }
    }

    /// Its lower triangle L with L·Lᵀ = self; none unless it is positive definite.
    pub(super) fn cholesky(mut self) -> Option<Cholesky> {
        let size = self.size;
        for row in 0..size {
            for column in 0..=row {
                let (above, below) = self.cells.split_at(row * size);
                let own = &below[..column];
                let other = if row == column {
                    own
                } else {
                    &above[column * size..column * size + column]
                };
                let dot: f64 = own.iter().zip(other).map(|(a, b)| a * b).sum();
                let rest = self.cells[row * size + column] - dot;
                self.cells[row * size + column] = if row == column {
                    if !(rest > 0.0 && rest.is_finite()) {
                        return None;
                    }
                    rest.sqrt()
                } else {
                    rest / self.cells[column * size + column]
                };
            }
        }
        Some(Cholesky(self))
    }
}

/// The lower triangle of a matrix.
pub(super) struct Cholesky(Square);

impl Cholesky {
    /// The x with matrix·x = `right`.
    pub(super) fn solve(&self, mut right: Vec<f64>) -> Vec<f64> {
        let lower = &self.0;
        for row in 0..lower.size {
            let known: f64 = (0..row)
                .map(|column| lower.at(row, column) * right[column])
                .sum();
            right[row] = (right[row] - known) / lower.at(row, row);
        }
        for row in (0..lower.size).rev() {
            let known: f64 = (row + 1..lower.size)
                .map(|below| lower.at(below, row) * right[below])
                .sum();
            right[row] = (right[row] - known) / lower.at(row, row);
        }
        right
    }

    pub(super) fn inverse(&self) -> Square {
        let size = self.0.size;
        let mut inverse = Square::zero(size);
        for column in 0..size {
            let mut unit = vec![0.0; size];
            unit[column] = 1.0;
            for (row, value) in self.solve(unit).into_iter().enumerate() {
                inverse.add(row, column, value);
            }
        }
        inverse
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_inverse_undoes_its_matrix() {
        let mut matrix = Square::zero(3);
        for (row, column, value) in [(0, 0, 4.0), (1, 1, 5.0), (2, 2, 6.0)] {
            matrix.add(row, column, value);
        }
        matrix.add_both(0, 1, 1.0);
        matrix.add_both(1, 2, -2.0);
        let inverse = matrix.clone().cholesky().unwrap().inverse();
        for row in 0..3 {
            for column in 0..3 {
                let cell: f64 = (0..3)
                    .map(|at| matrix.at(row, at) * inverse.at(at, column))
                    .sum();
                assert!((cell - f64::from(u8::from(row == column))).abs() < 1e-14);
            }
        }
        let mut singular = Square::zero(2);
        singular.add(0, 0, 1.0);
        assert!(singular.cholesky().is_none());
    }
}
