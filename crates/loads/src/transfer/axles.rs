//! Axles under a rigid chassis: their loads over Q.

use serde::{Deserialize, Serialize};

use stickslip_core::range::{OutOfRange, finite, positive};

/// Static loads may miss the balance by this share of the weight.
const STATIC_BALANCE: f64 = 1e-6;

/// One axle.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Axle {
    /// Place x_i ahead of the centre of mass, negative behind it \[m\].
    pub place: f64,
    /// Vertical stiffness k_i, > 0 [N/m]; with one or two axles it does not matter.
    pub stiffness: f64,
    /// Radius R_i of the wheels, > 0 \[m\].
    pub radius: f64,
}

/// How axle loads answer to Q: N_i = N_i⁰ + c_i Q.
#[derive(Debug, Clone, PartialEq)]
pub struct Axles {
    height: f64,
    radii: Vec<f64>,
    places: Vec<f64>,
    at_rest: Vec<f64>,
    shares: Vec<f64>,
}

/// Why axles carry no vehicle.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum AxlesError {
    /// A number is out of its range. Axles count from 1.
    #[error("axle {axle}: {fault}")]
    Axle {
        /// Which axle.
        axle: usize,
        /// What is wrong.
        fault: OutOfRange,
    },
    /// A number of the vehicle is out of its range.
    #[error("vehicle: {0}")]
    Vehicle(#[from] OutOfRange),
    /// Fewer than two axles, or all at one place.
    #[error("loads cannot move between {axles} axle(s) at one place: at least two places are needed")]
    OnePlace {
        /// How many axles there are.
        axles: usize,
    },
    /// An axle that does not stand on the ground. Axles count from 1.
    #[error("axle {axle} carries {load} N at rest: the centre of mass is not between the axles")]
    NotStanding {
        /// Which axle.
        axle: usize,
        /// Its load \[N\].
        load: f64,
    },
    /// Given loads that do not carry the weight.
    #[error(
        "the loads at rest sum to {sum} N with the moment {moment} N·m about the centre of mass; {weight} N and 0 are needed"
    )]
    Unbalanced {
        /// Σ N_i \[N\].
        sum: f64,
        /// Σ x_i N_i \[N·m\].
        moment: f64,
        /// Weight \[N\].
        weight: f64,
    },
    /// Not as many loads as axles.
    #[error("{loads} loads at rest for {axles} axles")]
    Count {
        /// Loads given.
        loads: usize,
        /// Axles.
        axles: usize,
    },
}

impl Axles {
    /// Axles under a chassis with its centre of mass at `height` > 0 \[m\] and the `weight` m g cos θ > 0 \[N\].
    pub fn new(height: f64, weight: f64, axles: &[Axle]) -> Result<Axles, AxlesError> {
        let axles = Axles::on_springs(height, weight, axles)?;
        axles.standing()?;
        Ok(axles)
    }

    /// The same, whether or not all carry a load at rest.
    fn on_springs(height: f64, weight: f64, axles: &[Axle]) -> Result<Axles, AxlesError> {
        positive("height of the centre of mass", height, "m")?;
        positive("weight", weight, "N")?;
        for (i, axle) in axles.iter().enumerate() {
            let checked = finite("place", axle.place, "m")
                .and(positive("stiffness", axle.stiffness, "N/m"))
                .and(positive("radius", axle.radius, "m"));
            checked.map_err(|fault| AxlesError::Axle { axle: i + 1, fault })?;
        }
        let places: Vec<f64> = axles.iter().map(|axle| axle.place).collect();
        let stiffness: Vec<f64> = axles.iter().map(|axle| axle.stiffness).collect();
        let springs = Springs::new(&places, &stiffness);
        if axles.len() < 2 || springs.spread <= 0.0 {
            return Err(AxlesError::OnePlace { axles: axles.len() });
        }
        Ok(Axles {
            height,
            radii: axles.iter().map(|axle| axle.radius).collect(),
            at_rest: springs.at_rest(&places, &stiffness).map(|share| weight * share).collect(),
            shares: springs.shares(&places, &stiffness).collect(),
            places,
        })
    }

    /// Axles with loads at rest that were measured; they must carry the weight and balance about the centre of mass.
    pub fn carrying(height: f64, weight: f64, axles: &[Axle], loads: &[f64]) -> Result<Axles, AxlesError> {
        Axles::on_springs(height, weight, axles)?.with_loads(loads)
    }

    /// The same with loads at rest that were measured.
    pub fn with_loads(mut self, loads: &[f64]) -> Result<Axles, AxlesError> {
        if loads.len() != self.at_rest.len() {
            return Err(AxlesError::Count { loads: loads.len(), axles: self.at_rest.len() });
        }
        let weight: f64 = self.at_rest.iter().sum();
        let sum: f64 = loads.iter().sum();
        let moment: f64 = loads.iter().zip(&self.places).map(|(load, place)| load * place).sum();
        let arm = self.places.iter().fold(0.0_f64, |m, place| m.max(place.abs()));
        let balanced = (sum - weight).abs() <= STATIC_BALANCE * weight && moment.abs() <= STATIC_BALANCE * weight * arm;
        if !balanced {
            return Err(AxlesError::Unbalanced { sum, moment, weight });
        }
        self.at_rest.copy_from_slice(loads);
        self.standing()?;
        Ok(self)
    }

    fn standing(&self) -> Result<(), AxlesError> {
        match self.at_rest.iter().position(|load| load.is_nan() || *load <= 0.0) {
            Some(i) => Err(AxlesError::NotStanding { axle: i + 1, load: self.at_rest[i] }),
            None => Ok(()),
        }
    }

    /// The same axles on a slope with this cosine: loads at rest are `cosine` times those on the level.
    pub fn on_slope(&mut self, level: &Axles, cosine: f64) {
        self.at_rest.iter_mut().zip(&level.at_rest).for_each(|(load, level)| *load = level * cosine);
    }

    /// How many axles there are.
    #[inline]
    pub fn count(&self) -> usize {
        self.shares.len()
    }

    /// Height of the centre of mass \[m\].
    #[inline]
    pub fn height(&self) -> f64 {
        self.height
    }

    /// Radii of the wheels \[m\].
    #[inline]
    pub fn radii(&self) -> &[f64] {
        &self.radii
    }

    /// N_i⁰ \[N\].
    #[inline]
    pub fn at_rest(&self) -> &[f64] {
        &self.at_rest
    }

    /// c_i [1/m].
    #[inline]
    pub fn shares(&self) -> &[f64] {
        &self.shares
    }

    /// N_i at Q \[N\].
    #[inline]
    pub fn load(&self, axle: usize, q: f64) -> f64 {
        self.at_rest[axle] + self.shares[axle] * q
    }

    /// The least and the greatest Q at which no axle pulls \[N·m\], each with the axle that has lost its load there.
    pub fn range(&self) -> [(f64, usize); 2] {
        let mut range = [(f64::NEG_INFINITY, 0), (f64::INFINITY, 0)];
        for (i, (load, share)) in self.at_rest.iter().zip(&self.shares).enumerate() {
            let q = -load / share;
            if *share > 0.0 && q > range[0].0 {
                range[0] = (q, i);
            } else if *share < 0.0 && q < range[1].0 {
                range[1] = (q, i);
            }
        }
        range
    }

    /// κ*: below 1 there is exactly one Q, whatever the brakes and the motion, in a step and for accelerations alike.
    ///
    /// ```text
    /// κ* = max{ max_{s=±1} Σ μ_i max(0, s c_i h, |c_i| e_i),  Σ μ_i R_i |c_i| − min_j μ_j R_j |c_j| },   h ≥ R_i
    /// e_i = max(h − R_i, R_i − R_min)
    /// ```
    ///
    /// It is the greatest slope of G that any mode can have (attained for equal radii). The first number is a vehicle that
    /// slides with some wheels locked and others spinning against them; the second one held by the brakes of some wheels
    /// while others spin. For a centre of mass below an axle the cruder Σ μ_i |c_i| max(h, R_max) takes its place.
    pub fn uniqueness_bound(&self, friction: &[f64]) -> f64 {
        let least = self.radii.iter().copied().fold(f64::INFINITY, f64::min);
        let greatest = self.radii.iter().copied().fold(0.0, f64::max);
        let each = || self.shares.iter().zip(&self.radii).zip(friction);
        if self.height < greatest {
            return each().map(|((c, _), mu)| mu * c.abs()).sum::<f64>() * self.height.max(greatest);
        }
        let sliding = [1.0, -1.0].map(|side| {
            let arm = |c: f64, r: f64| {
                let spinning = c.abs() * (self.height - r).max(r - least);
                (side * c * self.height).max(spinning)
            };
            each().map(|((c, r), mu)| mu * arm(*c, *r)).sum::<f64>()
        });
        let spin = || each().map(|((c, r), mu)| mu * r * c.abs());
        let held = spin().sum::<f64>() - spin().fold(f64::INFINITY, f64::min);
        sliding[0].max(sliding[1]).max(held)
    }
}

/// A rigid chassis on springs at several places: Σk, x̄ = Σkx/Σk, S = Σk(x − x̄)².
struct Springs {
    total: f64,
    centre: f64,
    spread: f64,
}

impl Springs {
    fn new(places: &[f64], stiffness: &[f64]) -> Springs {
        let pairs = || places.iter().zip(stiffness);
        let total: f64 = stiffness.iter().sum();
        let centre = pairs().map(|(x, k)| k * x).sum::<f64>() / total;
        Springs { total, centre, spread: pairs().map(|(x, k)| k * (x - centre) * (x - centre)).sum() }
    }

    /// c_i.
    fn shares<'a>(&'a self, places: &'a [f64], stiffness: &'a [f64]) -> impl Iterator<Item = f64> + 'a {
        places.iter().zip(stiffness).map(|(x, k)| k * (x - self.centre) / self.spread)
    }

    /// Shares of the weight.
    fn at_rest<'a>(&'a self, places: &'a [f64], stiffness: &'a [f64]) -> impl Iterator<Item = f64> + 'a {
        self.shares(places, stiffness).zip(stiffness).map(|(c, k)| k / self.total - c * self.centre)
    }
}

/// Shares of the weight that springs at these places, ahead of the centre of mass, carry at rest.
pub fn shares_at_rest(places: &[f64], stiffness: &[f64]) -> Vec<f64> {
    Springs::new(places, stiffness).at_rest(places, stiffness).collect()
}
