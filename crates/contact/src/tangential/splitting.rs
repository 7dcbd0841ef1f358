//! Douglas–Rachford splitting in Fourier space, accelerated.
//!
//! With q = Proj_C(w − ρb) and y = (I + ρK)⁻¹(2q − w), one iteration is w ← T(w) = w + λ(y − q); at its fixed
//! point w = q − ρKq, so that q = Proj_C(q − ρs). Compared with the textbook's z = w − ρb, the rigid slip b is met in
//! the projection only. K being monotone, the plain iteration always converges (0 < λ < 2). Outside the contact the
//! disks have radius 0 and hold r at zero there, which is why the periodic K may be inverted mode by mode. What the
//! leading edge adds to K is diagonal and goes with the projection ([`super::leading`]).
//!
//! Anderson's acceleration replaces w by the combination Σ α_j T(w_j), Σ α_j = 1, of the last few iterates that makes
//! Σ α_j (T(w_j) − w_j) least on the box. w stays in Fourier space, as that combination; it is formed column by
//! column inside the transform.

use pulp::Arch;

use super::loops::{Add, Advance, Dot, Mix};
use super::operator::Operator;
use super::totals::{Limits, Pair, Project, Totals};
use crate::fourier::C;

/// Most iterates combined.
pub(super) const MEMORY: usize = 5;

/// Iterations in which |T(w) − w| must halve, else the acceleration pauses.
const PATIENCE: usize = 80;

/// Plain iterations of a pause, which always converge.
const PAUSE: usize = 40;

/// What the least squares of iterates that are nearly equal are kept definite by, as a share of the trace.
const RIDGE: f64 = 1e-12;

/// Sum of weights from which a combination would magnify rounding more than it gains.
const HEAVIEST: f64 = 1e4;

/// One iterate T(w) with what it came from.
struct Slot {
    /// T(w) in Fourier space.
    modes: Vec<C>,
    /// T(w) on the box.
    x: Vec<f64>,
    y: Vec<f64>,
    /// T(w) − w on the box.
    fx: Vec<f64>,
    fy: Vec<f64>,
}

/// Working space of the iteration.
pub(super) struct Splitting {
    rho: f64,
    relaxation: f64,
    resolvent: Vec<[C; 3]>,
    slots: Vec<Slot>,
    /// w on the box.
    wx: Vec<f64>,
    wy: Vec<f64>,
    mix: Vec<C>,
    /// Inner products of the slots' f.
    gram: [[f64; MEMORY]; MEMORY],
    /// Slots in use, newest last, with their α.
    live: [usize; MEMORY],
    alpha: [f64; MEMORY],
    count: usize,
    /// Most slots to combine: fewer than the box has elements, or the least squares would say nothing.
    most: usize,
    /// Least |T(w) − w|² that counted as progress, iterations since, plain iterations to come.
    best: f64,
    since: usize,
    plain: usize,
    arch: Arch,
}

/// What one iteration saw.
pub(super) struct IterationSize {
    /// max|y − q| on the box.
    pub miss: f64,
    /// max|q|.
    pub greatest: f64,
}

impl Splitting {
    /// With the step ρ, the relaxation λ, and at most `memory` iterates combined.
    pub(super) fn new(operator: &Operator, rho: f64, relaxation: f64, memory: usize) -> Splitting {
        let n = operator.plane.nx * operator.plane.ny;
        let modes = 2 * operator.plane.modes();
        let zeros = || vec![0.0; n];
        let most = (n / 2).clamp(1, memory.min(MEMORY));
        let slot = || Slot { modes: vec![C::default(); modes], x: zeros(), y: zeros(), fx: zeros(), fy: zeros() };
        Splitting {
            rho,
            relaxation,
            resolvent: operator.resolvent(rho),
            slots: (0..most).map(|_| slot()).collect(),
            wx: zeros(),
            wy: zeros(),
            mix: vec![C::default(); 2 * operator.plane.py],
            gram: [[0.0; MEMORY]; MEMORY],
            live: [0; MEMORY],
            alpha: [0.0; MEMORY],
            count: 0,
            most,
            best: f64::INFINITY,
            since: 0,
            plain: 0,
            arch: operator.plane.arch,
        }
    }

    /// Begins at the tractions r, w = r − ρKr.
    pub(super) fn begin(&mut self, operator: &mut Operator, r: Pair) {
        operator.reflect(self.rho, r, [&mut self.wx, &mut self.wy], &mut self.slots[0].modes);
        self.live[0] = 0;
        self.alpha[0] = 1.0;
        // The first "iterate" has no f: it is dropped as soon as there is another.
        self.gram[0][0] = f64::INFINITY;
        self.count = 1;
        (self.best, self.since, self.plain) = (f64::INFINITY, 0, 0);
    }

    /// The projection r of the present w, after adjusting the creepage.
    pub(super) fn project(&self, b: Pair, limits: Limits, totals: &mut Totals, r: [&mut [f64]; 2]) -> f64 {
        let w = [&self.wx[..], &self.wy[..]];
        if totals.forced() {
            totals.find(w, b, limits, self.rho);
        }
        self.arch.dispatch(Project { w, b, c: totals.creepage, limits, rho: self.rho, r })
    }

    /// One iteration; r becomes the projection that it began with.
    pub(super) fn advance(
        &mut self,
        operator: &mut Operator,
        b: Pair,
        limits: Limits,
        totals: &mut Totals,
        r: [&mut [f64]; 2],
    ) -> IterationSize {
        let [rx, ry] = r;
        let greatest = self.project(b, limits, totals, [&mut *rx, &mut *ry]).sqrt();
        operator.plane.load(rx, ry);
        let into = self.free_slot();
        self.transform(operator, into);
        let slot = &mut self.slots[into];
        operator.unload(0, &mut slot.x, &mut slot.y);
        let mut miss = 0.0_f64;
        for k in 0..rx.len() {
            let (x, y) = (slot.x[k] - self.wx[k], slot.y[k] - self.wy[k]);
            (slot.fx[k], slot.fy[k]) = (x, y);
            miss = miss.max(x * x + y * y);
        }
        self.combine(into);
        IterationSize { miss: miss.sqrt() / self.relaxation, greatest }
    }

    /// A slot not in use, or the oldest.
    fn free_slot(&self) -> usize {
        if self.count == self.most {
            return self.live[0];
        }
        (0..self.most).find(|s| !self.live[..self.count].contains(s)).unwrap_or(self.live[0])
    }

    /// T(w) into a slot, from r in the rows of the plane and w as the combination of slots.
    fn transform(&mut self, operator: &mut Operator, into: usize) {
        let py = operator.plane.py;
        let (slots, mix, resolvent, relaxation) = (&mut self.slots, &mut self.mix, &self.resolvent, self.relaxation);
        let live = &self.live[..self.count];
        let alpha = &self.alpha[..self.count];
        let arch = operator.plane.arch;
        operator.plane.vector(|k, a, b| {
            let at = 2 * k * py..2 * (k + 1) * py;
            for (n, (slot, alpha)) in live.iter().zip(alpha).enumerate() {
                let from = &slots[*slot].modes[at.clone()];
                arch.dispatch(Mix { to: &mut mix[..], from, alpha: *alpha, first: n == 0 });
            }
            let table = &resolvent[k * py..(k + 1) * py];
            arch.dispatch(Advance { table, w: &mix[..], q: [a, b], t: &mut slots[into].modes[at], relaxation });
        });
    }

    /// Takes a new slot into the combination and forms the next w on the box.
    fn combine(&mut self, new: usize) {
        if self.count >= self.most || self.gram[self.live[0]][self.live[0]].is_infinite() {
            self.live.copy_within(1.., 0);
            self.count -= 1;
        }
        let size = self.inner(new, new);
        self.watch(size);
        // A worse point than all that are remembered: what is remembered misleads, begin anew.
        let least = self.live[..self.count].iter().map(|s| self.gram[*s][*s]).fold(f64::INFINITY, f64::min);
        if size > 4.0 * least || self.plain > 0 {
            self.count = 0;
        }
        for n in 0..self.count {
            let other = self.live[n];
            let product = self.inner(new, other);
            self.gram[new][other] = product;
            self.gram[other][new] = product;
        }
        self.gram[new][new] = size;
        self.live[self.count] = new;
        self.count += 1;
        self.choose_alpha(new);
        self.wx.fill(0.0);
        self.wy.fill(0.0);
        let (slots, wx, wy) = (&self.slots, &mut self.wx, &mut self.wy);
        for (slot, alpha) in self.live[..self.count].iter().zip(&self.alpha) {
            let slot = &slots[*slot];
            self.arch.dispatch(Add { to: wx, from: &slot.x, alpha: *alpha });
            self.arch.dispatch(Add { to: wy, from: &slot.y, alpha: *alpha });
        }
    }

    /// Notices when there is no progress.
    fn watch(&mut self, size: f64) {
        self.plain = self.plain.saturating_sub(1);
        self.since += 1;
        if size < 0.25 * self.best {
            (self.best, self.since) = (size, 0);
        } else if self.since > PATIENCE {
            (self.best, self.since, self.plain) = (size, 0, PAUSE);
        }
    }

    fn inner(&self, a: usize, b: usize) -> f64 {
        let (a, b) = (&self.slots[a], &self.slots[b]);
        self.arch.dispatch(Dot(&a.fx, &b.fx)) + self.arch.dispatch(Dot(&a.fy, &b.fy))
    }

    /// α of least |Σ α_j f_j|, Σ α_j = 1, by the normal equations for the differences to the newest.
    #[allow(clippy::needless_range_loop, reason = "rows and columns of small matrices")]
    fn choose_alpha(&mut self, new: usize) {
        let others = self.count - 1;
        let g = &self.gram;
        let own = g[new][new];
        let mut a = [[0.0; MEMORY]; MEMORY];
        let mut beta = [0.0; MEMORY];
        let mut trace = 0.0;
        for m in 0..others {
            let i = self.live[m];
            for n in 0..others {
                let j = self.live[n];
                a[m][n] = g[i][j] - g[i][new] - g[j][new] + own;
            }
            beta[m] = own - g[i][new];
            trace += a[m][m];
        }
        for (m, row) in a.iter_mut().enumerate().take(others) {
            row[m] += RIDGE * trace;
        }
        let solved = solve_positive(&mut a, &mut beta, others);
        let weight: f64 = beta[..others].iter().map(|b| b.abs()).sum();
        if !solved || weight >= HEAVIEST || weight.is_nan() {
            self.live[0] = new;
            self.count = 1;
            self.alpha[0] = 1.0;
            return;
        }
        self.alpha[..others].copy_from_slice(&beta[..others]);
        self.alpha[others] = 1.0 - beta[..others].iter().sum::<f64>();
    }
}

/// Cholesky on the leading n × n; whether it was positive definite.
#[allow(clippy::needless_range_loop, reason = "rows and columns of small matrices")]
fn solve_positive(a: &mut [[f64; MEMORY]; MEMORY], x: &mut [f64; MEMORY], n: usize) -> bool {
    for i in 0..n {
        for j in 0..=i {
            let mut v = a[i][j];
            for k in 0..j {
                v -= a[i][k] * a[j][k];
            }
            if i == j {
                if v <= 0.0 || v.is_nan() {
                    return false;
                }
                a[i][i] = v.sqrt();
            } else {
                a[i][j] = v / a[j][j];
            }
        }
        let mut v = x[i];
        for k in 0..i {
            v -= a[i][k] * x[k];
        }
        x[i] = v / a[i][i];
    }
    for i in (0..n).rev() {
        for k in i + 1..n {
            x[i] -= a[k][i] * x[k];
        }
        x[i] /= a[i][i];
    }
    true
}
