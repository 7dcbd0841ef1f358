//! The nine regions of a wheel as they move with the brake, and the point z among them.

use serde::Serialize;

use super::embed::{data_element, rounded};

/// What the explorer shows; all lists have one entry per time.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RegionExplorer {
    /// Times, increasing, s.
    #[serde(serialize_with = "rounded_list")]
    pub t: Vec<f64>,
    /// First coordinate of z, m/s.
    #[serde(serialize_with = "rounded_list")]
    pub z1: Vec<f64>,
    /// Second coordinate of z, m/s.
    #[serde(serialize_with = "rounded_list")]
    pub z2: Vec<f64>,
    /// Largest force of the ground, N.
    #[serde(rename = "aG", serialize_with = "rounded_list")]
    pub a_g: Vec<f64>,
    /// Largest force of the brake at the rim, N.
    #[serde(rename = "aB", serialize_with = "rounded_list")]
    pub a_b: Vec<f64>,
    /// The region (0 to 8) of z.
    pub region: Vec<u8>,
    /// h/m, s/kg.
    pub d1: f64,
    /// h/J, s/kg.
    pub d2: f64,
}

fn rounded_list<S: serde::Serializer>(values: &[f64], serializer: S) -> Result<S::Ok, S::Error> {
    rounded(values, serializer)
}

impl RegionExplorer {
    /// The explorer as a page element; the page's script fills it.
    pub(super) fn to_html(&self) -> String {
        format!("<figure class=\"explorer\">{}</figure>\n", data_element(self))
    }
}
