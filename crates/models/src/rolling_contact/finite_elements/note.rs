//! What finite elements add to the numbers of a rolling contact.

use serde::Serialize;
use stickslip_contact::finite_elements::case::FiniteElements;
use stickslip_contact::finite_elements::{Rolled, Transport};
use stickslip_run::text::{number, number_to};
use stickslip_run::{Check, Finding, Spent};

use super::Ready;
use super::steps::StepsNote;

/// What is told of finite elements besides what any rolling contact tells.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FiniteElementsNote {
    /// The ellipse of Hertz fitted to the nodal forces; left out where it is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fitted: Option<FittedNote>,
    /// Radius of the hub over that of the wheel, where the file gives it.
    #[serde(skip)]
    pub hub: Option<f64>,
    /// Unknowns of body 1 and, unless it is a mirror image, body 2: with the clamped ones.
    pub dofs: Vec<usize>,
    /// Nodes that may touch.
    pub contact_nodes: usize,
    /// `first`, `second` or `edge`.
    pub order: &'static str,
    /// Iterations of the splitting, and steps of Newton.
    pub splitting: usize,
    /// Newton steps.
    pub newton: usize,
    /// Turns of pressure and tractions; 1 for mirror images.
    pub turns: usize,
    /// By how much the last turn changed less than the one before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contraction: Option<f64>,
    /// Of rolling step by step.
    #[serde(rename = "transient", skip_serializing_if = "Option::is_none")]
    pub steps: Option<StepsNote>,
    /// Rolling step by step held against other steps and a finer contact.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub check: Option<Check>,
    /// Creepage at which unlike bodies roll without force.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub free_rolling: Option<f64>,
    /// What else there is to say: a cache that was made anew, for instance.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Seconds per phase: never the same twice.
    pub seconds: std::collections::BTreeMap<&'static str, f64>,
}

/// The fitted ellipse.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct FittedNote {
    /// Half-axis along x \[m\].
    pub a: f64,
    /// Half-axis across \[m\].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub b: Option<f64>,
    /// Greatest pressure \[Pa\].
    pub p0: f64,
    /// Middle along x \[m\].
    pub centre: f64,
}

/// A check as lines of a terminal.
fn checked(check: &Check) -> Vec<String> {
    let value = |value: Option<f64>| value.map_or_else(|| "–".into(), number);
    let head = format!("{:<42} {:>12} {:>12} {:>12}", "physics or numerics?", "h", "h/2", check.reference);
    let row = |finding: &Finding| {
        let [a, b, c] = [finding.coarse, finding.fine, finding.exact].map(value);
        format!("{:<42} {a:>12} {b:>12} {c:>12}  {}", finding.feature, finding.verdict.word())
    };
    let rows = check.findings.iter().map(row);
    [String::new(), check.words.clone(), head].into_iter().chain(rows).chain([String::new()]).collect()
}

/// A check as sentences of a report.
pub(super) fn in_words(check: &Check) -> String {
    let value = |value: Option<f64>| value.map_or_else(|| "none".into(), |value| number_to(value, 5));
    let row = |finding: &Finding| {
        let [a, b, c] = [finding.coarse, finding.fine, finding.exact].map(value);
        format!("{}: {a}, {b}, {c}, {}", finding.feature, finding.verdict.word())
    };
    let rows: Vec<String> = check.findings.iter().map(row).collect();
    format!(" Is it physics? {} {}.", check.words, rows.join("; "))
}

impl FiniteElementsNote {
    /// What the terminal tells besides.
    pub(in super::super) fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        if let Some(fitted) = self.fitted {
            let across = fitted.b.map_or_else(String::new, |b| format!(", b = {} mm", number(1e3 * b)));
            lines.push(format!(
                "fitted  a = {} mm{across}, p0 = {} MPa",
                number(1e3 * fitted.a),
                number(1e-6 * fitted.p0)
            ));
        }
        if self.turns > 1 {
            let contraction = self
                .contraction
                .filter(|c| *c > 0.0)
                .map_or_else(String::new, |c| format!(", each {} of the one before", number_to(c, 2)));
            lines.push(format!("turns   {} of pressure and tractions{contraction}", self.turns));
        }
        lines.extend(self.steps.iter().flat_map(StepsNote::lines));
        lines.extend(self.check.iter().flat_map(checked));
        if let Some(free) = self.free_rolling {
            lines.push(format!("free    the bodies roll without force at the creepage {}", number_to(free, 3)));
        }
        lines.extend(self.notes.iter().map(|note| format!("NOTE    {note}")));
        lines
    }

    pub(super) fn new(
        contact: &FiniteElements,
        ready: &Ready,
        rolled: &Rolled,
        free: Option<&Rolled>,
        spent: &Spent,
    ) -> FiniteElementsNote {
        let mut notes = ready.notes.clone();
        if free.is_some_and(|free| free.creepage.xi.abs() > 0.05 * rolled.creepage.xi.abs()) {
            notes.push(
                "the bodies are strained differently: a part of the creepage is free rolling, which makes no heat, so that wear_number \
                 exceeds power_over_speed"
                    .into(),
            );
        }
        let mut seconds = std::collections::BTreeMap::new();
        for (what, time) in &spent.parts {
            *seconds.entry(*what).or_insert(0.0) += time;
        }
        FiniteElementsNote {
            fitted: rolled.fitted.map(|f| FittedNote { a: f.a, b: f.b, p0: f.p0, centre: f.centre[0] }),
            hub: contact.meshing.hub,
            dofs: ready.ordered.iter().map(|o| o.body.mesh.nodes.len() * o.body.mesh.directions()).collect(),
            contact_nodes: ready.pair.surface.len(),
            order: match contact.meshing.transport {
                Transport::First => "first",
                Transport::Second => "second",
                Transport::Edge => "edge",
            },
            splitting: rolled.found.iterations,
            newton: rolled.found.steps,
            turns: rolled.turns,
            steps: None,
            check: None,
            contraction: rolled.contraction,
            free_rolling: free.map(|free| free.creepage.xi),
            notes,
            seconds,
        }
    }
}
