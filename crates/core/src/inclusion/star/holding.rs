//! The forces that hold given contacts of a star, whatever they have to be.

use super::Star;

impl Star {
    /// Forces of least norm that take the slips of the contacts `held` out of the motion (y1, v_1 … v_n), which is
    /// changed accordingly: exactly 0.0 where contacts hold the chassis or a wheel, exactly −y1 where one rolls.
    ///
    /// The contacts are ground and brake of each wheel, then, where there is one, the resistance of the chassis. Forces
    /// of the others are zero.
    pub fn holding_forces(&self, held: &[bool], motion: &mut [f64], forces: &mut [f64]) {
        let n = self.d.len();
        assert!(
            motion.len() == n + 1 && held.len() == forces.len() && (held.len() == 2 * n || held.len() == 2 * n + 1)
        );
        let resists = held.len() > 2 * n && held[2 * n];
        let rests = resists || held.chunks_exact(2).any(|pair| pair[0] && pair[1]);
        let (y1, wheels) = motion.split_at_mut(1);
        let y1 = &mut y1[0];
        // Momentum and mass of the chassis and of the wheels that roll; and the share of the wheels that are locked.
        let (mut momentum, mut mass) = (*y1 * self.per_d0, self.per_d0);
        let (mut half, mut locked) = (0.0, if resists { 1.0 } else { 0.0 });
        for ((pair, v), per_d) in held.chunks_exact(2).zip(wheels.iter()).zip(&self.per_d) {
            match (pair[0], pair[1]) {
                (true, false) => {
                    momentum -= v * per_d;
                    mass += per_d;
                }
                (true, true) => {
                    half -= 0.5 * v * per_d;
                    locked += 0.5;
                }
                (false, _) => {}
            }
        }
        *y1 = if rests { 0.0 } else { momentum / mass };
        // r_Gi = (p_i + λ)/2 and r_0 = λ: with those of rolling wheels they make up for the momentum.
        let lambda = if rests { -(momentum + half) / locked } else { 0.0 };
        if let Some(force) = forces.get_mut(2 * n) {
            *force = if resists { lambda } else { 0.0 };
        }
        let pairs = held.chunks_exact(2).zip(forces.chunks_exact_mut(2));
        for (((pair, force), v), per_d) in pairs.zip(wheels).zip(&self.per_d) {
            let p = -*v * per_d;
            let roll = -(*v + *y1) * per_d;
            (force[0], force[1], *v) = match (pair[0], pair[1]) {
                (true, false) => (roll, 0.0, if rests { 0.0 } else { -*y1 }),
                (true, true) => (0.5 * (p + lambda), 0.5 * (p - lambda), 0.0),
                (false, true) => (0.0, p, 0.0),
                (false, false) => (0.0, 0.0, *v),
            };
        }
    }
}
