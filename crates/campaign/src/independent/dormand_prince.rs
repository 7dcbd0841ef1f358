//! One step of Dormand and Prince's pair of orders 5 and 4 (J. Comput. Appl. Math. 6, 1980).

const C: [f64; 7] = [0.0, 0.2, 0.3, 0.8, 8.0 / 9.0, 1.0, 1.0];
const A: [&[f64]; 7] = [
    &[],
    &[0.2],
    &[3.0 / 40.0, 9.0 / 40.0],
    &[44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0],
    &[19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0],
    &[9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0],
    &[35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0],
];
/// Weights of order 4, less those of order 5.
const E: [f64; 7] = [
    5179.0 / 57600.0 - 35.0 / 384.0,
    0.0,
    7571.0 / 16695.0 - 500.0 / 1113.0,
    393.0 / 640.0 - 125.0 / 192.0,
    -92097.0 / 339200.0 + 2187.0 / 6784.0,
    187.0 / 2100.0 - 11.0 / 84.0,
    1.0 / 40.0,
];

/// The state after a step of size h and the estimate of its error.
pub(super) fn step(f: &dyn Fn(f64, &[f64]) -> Vec<f64>, t: f64, y: &[f64], h: f64) -> (Vec<f64>, Vec<f64>) {
    let mut rates: Vec<Vec<f64>> = Vec::with_capacity(7);
    let mut at = y.to_vec();
    for (c, row) in C.iter().zip(A) {
        for (i, value) in at.iter_mut().enumerate() {
            *value = y[i] + h * row.iter().zip(&rates).map(|(a, k)| a * k[i]).sum::<f64>();
        }
        rates.push(f(t + c * h, &at));
    }
    // The last stage is the end of the step.
    let error = (0..y.len()).map(|i| h * E.iter().zip(&rates).map(|(e, k)| e * k[i]).sum::<f64>()).collect();
    (at, error)
}
