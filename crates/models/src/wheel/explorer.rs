//! The nine regions of a wheel as they move with the brake, and the point z among them.

use serde::Serialize;

use stickslip_report::html::{Interactive, data_element, rounded};

/// What the explorer shows; all lists have one entry per time.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct RegionExplorer {
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
    /// As an element of a page, with the script that fills it.
    pub(super) fn interactive(&self) -> Interactive {
        Interactive { class: "explorer", data: data_element(self), script: include_str!("explorer.js") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_script_gets_its_arrays() {
        let one = |x: f64| vec![x];
        let (t, z1, z2, a_g, a_b) = (one(0.0), one(1.0), one(-1.0), one(3.0), one(4.0));
        let explorer = RegionExplorer { t, z1, z2, a_g, a_b, region: vec![7], d1: 1e-3, d2: 1e-2 };
        let wanted = "{\"t\":[0],\"z1\":[1],\"z2\":[-1],\"aG\":[3],\"aB\":[4],\"region\":[7],\"d1\":0.001,\"d2\":0.01}";
        assert!(explorer.interactive().data.contains(wanted));
    }
}
