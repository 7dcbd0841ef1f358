//! The pictures of the driven and braked wheel.

use super::explorer::RegionExplorer;
use super::picture::picture;
use super::regions::{self, Bounds};
use crate::wheel::Wheel;
use stickslip_report::figure::{Axis, Figure, Panel, Series};
use stickslip_report::html::{Content, Section};
use stickslip_report::palette::Role;

use stickslip_run::text::number_to;
use stickslip_run::view::{Curve, Group, Thinned, View, found, order_figure, order_section, spread};
use stickslip_run::{Summary, Trace};

/// Points that a curve on a screen has at the most.
const CURVE_POINTS: usize = 1500;

/// Figures and sections of a wheel's run.
pub(crate) fn wheel(wheel: &Wheel, trace: &Trace, summary: &Summary) -> View {
    let data = Data::new(wheel, trace, summary.step);
    let mut figures = vec![("time", time_figure(&data, trace)), ("regions", regions_figure(&data))];
    figures.extend(law_figure(&data).map(|figure| ("brake-law", figure)));
    figures.extend(order_figure(summary));
    let mut folded: Vec<Section> = Vec::new();
    let sections = vec![Section {
        heading: "Speeds and torques".into(),
        text: "The wheel rolls where the two speeds lie on each other, and is locked where the rim speed is zero."
            .into(),
        content: charts(&data, trace),
    }];
    folded.extend([
        Section {
            heading: "The brake on the graph of its law".into(),
            text:
                "G = g/a_B against the rim speed: on the graph of the sign, −1 or 1 while the brake slips and anywhere \
                   between at exactly zero speed. Moments without brake (a_B = 0) are left out."
                    .into(),
            content: found(&figures, "brake-law"),
        },
        Section {
            heading: "The nine regions".into(),
            text: "Where the velocity z that a step would reach without friction falls decides what both contacts do. \
                   Move the time: the regions grow and shrink with the brake."
                .into(),
            content: std::iter::once(Content::Interactive(data.explorer().interactive()))
                .chain(found(&figures, "regions"))
                .collect(),
        },
    ]);
    folded.extend(order_section(summary, ""));
    // Without a brake there is nothing to show of its law.
    folded.retain(|section| !section.content.is_empty());
    let assumptions = vec!["The load on the wheel is m g all the time: nothing moves it.".to_string()];
    let motion = picture(wheel.parameters().radius, trace, &data.thinned.rows);
    View { folded, assumptions, ..View::new(figures, sections) }.moving(motion)
}

/// The thinned columns of a run, and what follows from them.
struct Data<'a> {
    thinned: Thinned<'a>,
    t: Vec<f64>,
    /// −x2: the speed of the rim backwards at the ground; equal to x1 while rolling.
    rim: Vec<f64>,
    speeds: Group,
    torques: Group,
    g_normalised: Vec<f64>,
    region: Vec<u8>,
    z: Vec<[f64; 2]>,
    a_g: Vec<f64>,
    a_b: Vec<f64>,
    d1: f64,
    d2: f64,
}

impl<'a> Data<'a> {
    fn new(wheel: &Wheel, trace: &'a Trace, h: f64) -> Data<'a> {
        let columns = ["x1", "x2", "M", "brake_bound", "g"];
        let thinned = Thinned::new(trace, &columns, &["eps_G", "eps_B"], CURVE_POINTS);
        let take = |name: &str| thinned.column(name);
        let radius = wheel.parameters().radius;
        let (d1, d2) = (h / wheel.parameters().mass, h / wheel.j());
        let (t, x1, x2, f, g) = (take("t"), take("x1"), take("x2"), take("f"), take("g"));
        let rim: Vec<f64> = x2.iter().map(|v| 0.0 - v).collect();
        let used = g.iter().map(|g| (radius * g).abs()).collect();
        let curve = |name: &str, role: Role, values: Vec<f64>| Curve { name: name.to_string(), role, values };
        Data {
            speeds: Group::new(
                "speed",
                "m/s",
                vec![
                    curve("wheel centre (x_1)", Role::First, x1.clone()),
                    curve("rim (−x_2)", Role::Second, rim.clone()),
                ],
            ),
            torques: Group::new(
                "torque",
                "N m",
                vec![
                    curve("brake, at most (α_B)", Role::First, take("brake_bound")),
                    curve("brake, used (|R g|)", Role::Second, used),
                    curve("motor (M)", Role::Third, take("M")),
                ],
            ),
            // What the step started from, from what it ended with: z = y + d · forces. At t = 0 no step has ended: there
            // it is what the first step starts from.
            z: (0..t.len())
                .map(|i| match t[i] {
                    0.0 => [x1[i], x2[i] + d2 * wheel.drive(0.0)],
                    _ => [x1[i] + d1 * f[i], x2[i] + d2 * (f[i] + g[i])],
                })
                .collect(),
            a_g: t.iter().map(|&t| wheel.ground_bound(t)).collect(),
            a_b: t.iter().map(|&t| wheel.brake_bound(t)).collect(),
            rim,
            g_normalised: take("G"),
            region: take("region").iter().map(|v| *v as u8).collect(),
            t,
            d1,
            d2,
            thinned,
        }
    }

    fn explorer(&self) -> RegionExplorer {
        RegionExplorer {
            t: self.t.clone(),
            z1: self.z.iter().map(|z| z[0]).collect(),
            z2: self.z.iter().map(|z| z[1]).collect(),
            a_g: self.a_g.clone(),
            a_b: self.a_b.clone(),
            region: self.region.clone(),
            d1: self.d1,
            d2: self.d2,
        }
    }
}

fn time_figure(data: &Data<'_>, trace: &Trace) -> Figure {
    let [mut upper, mut lower] = [&data.torques, &data.speeds].map(|group| data.thinned.panel(group));
    upper.height = 130.0;
    upper.strips = trace.strips();
    lower.bands = upper.strips.first().map_or_else(Vec::new, |ground| ground.bands.to_vec());
    Figure::stacked(vec![upper, lower]).titled("Torques and speeds")
}

fn charts(data: &Data<'_>, trace: &Trace) -> Vec<Content> {
    let [mut upper, lower] = [&data.speeds, &data.torques].map(|group| data.thinned.chart(group));
    upper.strips = trace.strips();
    vec![Content::Chart(upper), Content::Chart(lower)]
}

/// G against x2 on the graph of the sign; none where the brake is never applied.
fn law_figure(data: &Data<'_>) -> Option<Figure> {
    let braked: Vec<[f64; 2]> =
        (0..data.t.len()).filter(|&i| data.a_b[i] > 0.0).map(|i| [0.0 - data.rim[i], data.g_normalised[i]]).collect();
    if braked.is_empty() {
        return None;
    }
    let reach = braked.iter().fold(1.0_f64, |m, p| m.max(p[0].abs()));
    let (least, greatest) = braked.iter().fold((0.0_f64, 0.0_f64), |(a, b), p| (a.min(p[0]), b.max(p[0])));
    let (left, right) = (least - 0.15 * reach, greatest + 0.15 * reach);
    let graph = vec![[left, -1.0], [0.0, -1.0], [0.0, 1.0], [right, 1.0]];
    let mut panel = Panel::new(
        Axis::linear("rim speed x_2", "m/s").from_to(left, right),
        Axis::linear("G = g/a_B", "").from_to(-1.25, 1.25),
    )
    .with(Series::line("graph of σ", Role::Reference, graph).wide(5.0))
    .with(Series::markers("simulated", Role::Second, spread(&braked, [right - left, 2.5])));
    panel.height = 240.0;
    Some(Figure::stacked(vec![panel]).titled("The brake obeys its law"))
}

/// The nine regions at the moment of the greatest brake bound, with the whole trajectory of z.
fn regions_figure(data: &Data<'_>) -> Figure {
    let greatest = (0..data.t.len()).fold(0, |best, i| if data.a_b[i] > data.a_b[best] { i } else { best });
    let (t, a_g, a_b) = data.t.get(greatest).map_or((0.0, 0.0, 0.0), |&t| (t, data.a_g[greatest], data.a_b[greatest]));
    let bounds = Bounds { d1: data.d1, d2: data.d2, a_g, a_b };
    regions::figure(&bounds, &data.z, &format!("t = {} s", number_to(t, 3)))
        .titled("The nine regions, with the trajectory of z")
}
