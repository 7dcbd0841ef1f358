//! Quantities over a plane: a map in colours, with the value at each place and cuts through it.

use serde::Serialize;

use super::embed::data_element;
use super::theme::themed;
use crate::figure::{Axis, Figure, Map, Panel, Shade};
use crate::label;
use crate::palette::State;

/// Quantities on the elements of a regular grid.
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    /// What is shown.
    pub name: String,
    /// What is to be seen, in words, for those who do not see it.
    pub text: String,
    /// Along x and along y.
    pub axes: [FieldAxis; 2],
    /// Elements along x and along y.
    pub count: [usize; 2],
    /// The quantities, of which one is shown at a time.
    pub quantities: Vec<Quantity>,
    /// Whether lengths along both axes are to the same scale.
    pub equal: bool,
}

/// An axis of a field.
#[derive(Debug, Clone, PartialEq)]
pub struct FieldAxis {
    /// What is measured.
    pub label: String,
    /// Its unit.
    pub unit: String,
    /// The outer edges of the first and of the last element.
    pub ends: [f64; 2],
}

/// A quantity with one value per element, x running first.
#[derive(Debug, Clone, PartialEq)]
pub struct Quantity {
    /// Its name.
    pub name: String,
    /// Its values.
    pub shown: Shown,
}

/// What is shown of a quantity.
#[derive(Debug, Clone, PartialEq)]
pub enum Shown {
    /// Numbers ≥ 0; what is not finite is left empty.
    Values {
        /// Their unit.
        unit: String,
        /// One per element.
        values: Vec<f64>,
    },
    /// States; what has none is left empty.
    States(Vec<Option<State>>),
}

/// Steps of a number between zero and its greatest: as many as can be told apart, in few digits.
const STEPS: f64 = 9999.0;

/// Elements along a side that a page holds at the most; of finer grids every n-th is shown.
const MOST: usize = 128;

#[derive(Serialize)]
struct FieldData<'a> {
    axes: [AxisData<'a>; 2],
    count: [usize; 2],
    equal: bool,
    quantities: Vec<QuantityData<'a>>,
}

#[derive(Serialize)]
struct AxisData<'a> {
    label: &'a str,
    unit: &'a str,
    ends: [f64; 2],
}

#[derive(Serialize)]
struct QuantityData<'a> {
    name: &'a str,
    unit: &'a str,
    /// The value of [`STEPS`]; none for states.
    #[serde(skip_serializing_if = "Option::is_none")]
    greatest: Option<f64>,
    /// Values in [`STEPS`], or numbers of states; −1 for nothing.
    values: Vec<i32>,
    /// Words of states.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    words: Vec<&'static str>,
}

impl Field {
    /// The places of the elements that are shown along x and along y.
    fn shown(&self) -> [Vec<usize>; 2] {
        self.count.map(|n| (0..n).step_by(n.div_ceil(MOST).max(1)).collect())
    }

    /// The field as a page element; the page's script fills it. Without scripts a still figure stands there.
    pub(super) fn to_html(&self) -> String {
        let [columns, rows] = self.shown();
        let quantities = self.quantities.iter().map(|quantity| self.data(quantity, &columns, &rows)).collect();
        let axes = self.axes.each_ref().map(|axis| AxisData { label: &axis.label, unit: &axis.unit, ends: axis.ends });
        let data = FieldData { axes, count: [columns.len(), rows.len()], equal: self.equal, quantities };
        format!(
            "<figure class=\"field\" data-text=\"{}\"><figcaption>{}</figcaption>{}<noscript>{}</noscript></figure>\n",
            label::escape(&self.text),
            label::html(&self.name),
            data_element(&data),
            themed(&self.still().to_svg())
        )
    }

    fn data<'a>(&self, quantity: &'a Quantity, columns: &[usize], rows: &[usize]) -> QuantityData<'a> {
        let places = || rows.iter().flat_map(|j| columns.iter().map(move |i| i + j * self.count[0]));
        let name = quantity.name.as_str();
        match &quantity.shown {
            Shown::Values { unit, values } => {
                let greatest = values.iter().copied().filter(|v| v.is_finite()).fold(0.0, f64::max);
                let step = |v: f64| {
                    if v.is_finite() { (v / greatest.max(f64::MIN_POSITIVE) * STEPS).round() as i32 } else { -1 }
                };
                let values = places().map(|k| values.get(k).map_or(-1, |v| step(*v))).collect();
                QuantityData { name, unit, greatest: Some(greatest), values, words: Vec::new() }
            }
            Shown::States(states) => {
                let mut kinds: Vec<State> = Vec::new();
                for state in states.iter().flatten() {
                    if !kinds.contains(state) {
                        kinds.push(*state);
                    }
                }
                kinds.sort_by_key(|state| state.word());
                let number = |state: &State| kinds.iter().position(|kind| kind == state).map_or(-1, |k| k as i32);
                let values = places().map(|k| states.get(k).and_then(|s| s.as_ref()).map_or(-1, number)).collect();
                QuantityData { name, unit: "", greatest: None, values, words: kinds.iter().map(|k| k.word()).collect() }
            }
        }
    }

    /// The first quantity and the last as a still figure.
    fn still(&self) -> Figure {
        let mut shown: Vec<&Quantity> = self.quantities.first().into_iter().collect();
        shown.extend(self.quantities.last().filter(|_| self.quantities.len() > 1));
        Figure { title: String::new(), ..Figure::side_by_side(shown.into_iter().map(|q| self.panel(q)).collect()) }
    }

    fn panel(&self, quantity: &Quantity) -> Panel {
        let [x, y] = &self.axes;
        let axis = |axis: &FieldAxis| Axis::linear(&axis.label, &axis.unit).from_to(axis.ends[0], axis.ends[1]);
        let mut panel = Panel::new(axis(x), axis(y));
        panel.title = quantity.name.clone();
        let [lx, ly] = [x, y].map(|axis| axis.ends[1] - axis.ends[0]);
        panel.height = if self.equal { (296.0 * ly / lx).clamp(90.0, 520.0) } else { 300.0 };
        let shades = match &quantity.shown {
            Shown::Values { values, .. } => {
                let greatest = values.iter().copied().filter(|v| v.is_finite()).fold(0.0, f64::max);
                let level =
                    |v: &f64| if v.is_finite() && greatest > 0.0 { Shade::Level(v / greatest) } else { Shade::Empty };
                values.iter().map(level).collect()
            }
            Shown::States(states) => states.iter().map(|state| state.map_or(Shade::Empty, Shade::State)).collect(),
        };
        let size = [lx / self.count[0].max(1) as f64, ly / self.count[1].max(1) as f64];
        panel.map = Some(Map { columns: self.count[0], origin: [x.ends[0], y.ends[0]], size, shades });
        panel
    }
}
