//! How the errors of a run fall with its step: the measured order, beside that of the scheme, in words.

use serde::Serialize;
use stickslip_core::analysis::Convergence;
use stickslip_scenario::{Scheme, Theta};

use crate::text::number_to;

/// How far below the order of the scheme a measured one may lie and still count as reached, besides its own uncertainty:
/// coarse steps are not asymptotic yet, and the reference has a step of its own.
pub(crate) const ORDER_ALLOWED: f64 = 0.1;

/// Share of the scheme's order above which the uncertainty of a measured order decides nothing: 1.2 ± 0.8 may be 0.5.
pub(crate) const ORDER_VAGUE: f64 = 0.5;

/// The share outside the measured steps from which on an error counts as extrapolated.
const BEYOND: f64 = 0.01;

/// What the measured errors say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum OrderVerdict {
    /// They fall with the order of the scheme, or faster.
    Reached,
    /// They fall with the step, but more slowly than the scheme can.
    Lower,
    /// They fall with the step, but the order is known too badly to say whether it is that of the scheme.
    NotDecided,
    /// They do not fall with the step, as far as their scatter lets one say: there is no order.
    None,
}

/// A study of convergence.
#[derive(Debug, Clone, Serialize)]
pub struct Order {
    /// Fitted order: slope of log error over log step. It means something only where `verdict` is not `none`.
    pub order: f64,
    /// Half the width of the 95 % confidence interval of the fitted order; absent where it is not finite.
    pub order_error: Option<f64>,
    /// Order that the scheme has: 1 for implicit Euler, 2 for Moreau–Jean, and 1 for that where contacts change their
    /// state within a step.
    pub scheme_order: f64,
    /// Whether the errors fall with the order of the scheme.
    pub verdict: OrderVerdict,
    /// (step size \[s\], greatest error of any velocity [m/s]), coarse first.
    pub errors: Vec<(f64, f64)>,
    /// Steps of the run taken for exact.
    pub reference_steps: u64,
    /// Greatest speed of the run taken for exact [m/s].
    pub greatest_speed: f64,
    /// Error of this run by the fitted line [m/s]; absent where there is no order.
    pub error_at_step: Option<f64>,
    /// Size of the nearest measured step over that of this run, where the error of this run is extrapolated: above 1 from
    /// coarser steps, below 1 from finer ones. Absent where the step lies among the measured ones.
    pub extrapolated_from: Option<f64>,
}

impl Order {
    /// From a study of errors, for a run of a scheme with the step h in which contacts changed their state, or did not.
    pub(crate) fn new(study: &Convergence, scheme: Scheme, h: f64, changes: bool) -> Order {
        let scheme_order = match (scheme, changes) {
            (Scheme::SecondOrder, _) | (Scheme::MoreauJean | Scheme::Theta(Theta { value: 0.5, .. }), false) => 2.0,
            _ => 1.0,
        };
        let slack = ORDER_ALLOWED + study.order_error;
        let vague = study.order_error.is_nan() || study.order_error > ORDER_VAGUE * scheme_order;
        let verdict = match (study.falls(), study.order >= scheme_order - slack) {
            (false, _) => OrderVerdict::None,
            (true, _) if vague => OrderVerdict::NotDecided,
            (true, true) => OrderVerdict::Reached,
            (true, false) => OrderVerdict::Lower,
        };
        let steps = study.errors.iter().map(|e| e.0);
        let (finest, coarsest) = (steps.clone().fold(f64::INFINITY, f64::min), steps.fold(0.0, f64::max));
        let ratio = if h < finest { finest / h } else { (coarsest / h).min(1.0) };
        Order {
            order: study.order,
            order_error: Some(study.order_error).filter(|error| error.is_finite()),
            scheme_order,
            verdict,
            errors: study.errors.clone(),
            reference_steps: study.reference_steps,
            greatest_speed: study.speed,
            error_at_step: (verdict != OrderVerdict::None).then(|| study.error_at(h)),
            extrapolated_from: ((ratio - 1.0).abs() > BEYOND).then_some(ratio),
        }
    }

    /// Least and greatest measured error [m/s].
    pub(crate) fn range(&self) -> (f64, f64) {
        let errors = self.errors.iter().map(|e| e.1);
        (errors.clone().fold(f64::INFINITY, f64::min), errors.fold(0.0, f64::max))
    }

    /// Whether this run has a coarser step than any that was measured.
    pub(crate) fn coarser(&self) -> bool {
        self.extrapolated_from.is_some_and(|ratio| ratio < 1.0)
    }

    /// Whether the error of this run is known: not where its step is so much coarser than those measured that the fitted
    /// line foretells more than the greatest speed.
    pub(crate) fn is_foretold(&self) -> bool {
        !(self.coarser() && self.error_at_step.is_some_and(|error| error > self.greatest_speed))
    }

    /// Where the error of this run comes from if its step was not among those measured: `extrapolated from steps 18 times
    /// coarser`.
    pub(crate) fn extrapolated(&self) -> Option<String> {
        self.extrapolated_from.map(|ratio| format!("extrapolated from steps {}", away(ratio)))
    }

    /// Where an order comes from that says nothing of the error of this run.
    pub(crate) fn far_finer(&self) -> String {
        format!("at steps {}, which says nothing of the error at this one", away(self.extrapolated_from.unwrap_or(1.0)))
    }

    /// What was measured, for a line: `order 1.01, greatest speed error at this step about 0.043 m/s`.
    pub fn words(&self) -> String {
        let Some(error) = self.error_at_step else {
            let (least, most) = self.range();
            return format!(
                "no order: errors do not fall with the step (unstable or chaotic motion, or events that such steps misplace); \
                 they are {} to {} m/s",
                number_to(least, 2),
                number_to(most, 2)
            );
        };
        let uncertain = self.order_error.filter(|error| *error >= 0.005);
        let order = match uncertain {
            Some(by) => format!("order {:.2} ± {}", self.order, number_to(by, 1)),
            None => format!("order {:.2}", self.order),
        };
        let lower = match self.verdict {
            OrderVerdict::Lower => format!(" (below {}, that of the scheme)", number_to(self.scheme_order, 2)),
            OrderVerdict::NotDecided => {
                format!(" (not decided whether that is {}, the scheme's)", number_to(self.scheme_order, 2))
            }
            _ => String::new(),
        };
        if !self.is_foretold() {
            return format!("{order}{lower}, measured {}", self.far_finer());
        }
        let how = self.extrapolated().map_or_else(String::new, |words| format!(", {words}"));
        format!("{order}{lower}, greatest speed error at this step about {} m/s{how}", number_to(error, 2))
    }
}

/// How far steps are from that of this run, by their ratio: `18 times coarser`, `slightly finer`.
fn away(ratio: f64) -> String {
    let side = if ratio > 1.0 { "coarser" } else { "finer" };
    match number_to(ratio.max(1.0 / ratio), 2).as_str() {
        "1" => format!("slightly {side}"),
        times => format!("{times} times {side}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn study(order: f64, order_error: f64) -> Convergence {
        let errors = [8e-3_f64, 4e-3, 2e-3].iter().map(|h| (*h, h.powf(order))).collect();
        Convergence { errors, reference_steps: 1 << 17, pairwise: vec![order; 2], order, order_error, speed: 1.0 }
    }

    #[test]
    fn an_order_is_graded_by_that_of_the_scheme() {
        let verdict = |scheme, order, changes| Order::new(&study(order, 0.01), scheme, 4e-3, changes).verdict;
        use OrderVerdict::{Lower, Reached};
        assert_eq!(verdict(Scheme::ImplicitEuler, 1.0, true), Reached);
        assert_eq!(verdict(Scheme::ImplicitEuler, 0.7, true), Lower);
        // Second order is right for Moreau–Jean; the first order is all it can do where contacts change.
        assert_eq!(verdict(Scheme::MoreauJean, 1.99, true), Reached);
        assert_eq!(verdict(Scheme::MoreauJean, 1.99, false), Reached);
        assert_eq!(verdict(Scheme::MoreauJean, 1.02, true), Reached);
        assert_eq!(verdict(Scheme::MoreauJean, 1.02, false), Lower);
    }

    #[test]
    fn an_order_with_a_wide_error_bar_is_not_decided() {
        let order = |order, error| Order::new(&study(order, error), Scheme::ImplicitEuler, 4e-3, true);
        assert_eq!(order(1.22, 0.8).verdict, OrderVerdict::NotDecided);
        assert!(order(1.22, 0.8).words().starts_with("order 1.22 ± 0.8 (not decided"), "{}", order(1.22, 0.8).words());
        assert_eq!(order(1.22, 0.3).verdict, OrderVerdict::Reached);
        assert_eq!(order(1.22, f64::INFINITY).error_at_step, None);
    }

    #[test]
    fn what_is_not_measured_says_so() {
        let among = Order::new(&study(1.0, 0.0), Scheme::ImplicitEuler, 3e-3, true);
        assert_eq!(among.words(), "order 1.00, greatest speed error at this step about 0.003 m/s");
        let finer = Order::new(&study(1.0, 0.0), Scheme::ImplicitEuler, 1e-4, true);
        assert!(
            finer.words().ends_with("about 1e-4 m/s, extrapolated from steps 20 times coarser"),
            "{}",
            finer.words()
        );
        let coarser = Order::new(&study(1.0, 0.0), Scheme::ImplicitEuler, 0.8, true);
        assert!(coarser.words().ends_with("extrapolated from steps 100 times finer"), "{}", coarser.words());
        assert_eq!(coarser.extrapolated_from, Some(0.01));
        // 8.16 ms beside 8 ms, and 2 ms beside 1.96 ms: not "1 times".
        let beside = |h| Order::new(&study(1.0, 0.0), Scheme::ImplicitEuler, h, true).words();
        assert!(beside(8.16e-3).ends_with("extrapolated from steps slightly finer"), "{}", beside(8.16e-3));
        assert!(beside(1.96e-3).ends_with("extrapolated from steps slightly coarser"), "{}", beside(1.96e-3));
        // A fitted line that foretells more than the greatest speed foretells nothing.
        let far = Order::new(&study(1.0, 0.0), Scheme::ImplicitEuler, 8.0, true);
        assert!(far.coarser() && !far.is_foretold() && coarser.is_foretold() && among.is_foretold());
        assert!(far.words().contains("at steps 1000 times finer") && !far.words().contains("8 m/s"), "{}", far.words());
        let none = Order::new(&study(0.03, 0.3), Scheme::ImplicitEuler, 1e-3, true);
        assert_eq!((none.verdict, none.error_at_step), (OrderVerdict::None, None));
        assert!(none.words().starts_with("no order: errors do not fall with the step"), "{}", none.words());
    }
}
