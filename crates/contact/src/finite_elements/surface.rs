//! Where two bodies may touch.

/// A row of nodes along x.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Its place across \[m\].
    pub y: f64,
    /// Its width \[m\]; 1 in the plane.
    pub width: f64,
    /// First of its nodes.
    pub first: usize,
    /// How many nodes it has.
    pub len: usize,
}

impl Row {
    /// Its nodes.
    pub fn nodes(&self) -> std::ops::Range<usize> {
        self.first..self.first + self.len
    }
}

/// The nodes at which two bodies may touch, row after row, x growing in each.
#[derive(Debug, Clone, PartialEq)]
pub struct Surface {
    /// Whether it is a line: plane bodies.
    pub plane: bool,
    /// The rows, y growing.
    pub rows: Vec<Row>,
    /// x of every node \[m\].
    pub x: Vec<f64>,
    /// Gap between the undeformed bodies at every node \[m\].
    pub gap: Vec<f64>,
    /// Length (area) that belongs to every node.
    pub size: Vec<f64>,
}

/// Why the surfaces of two bodies do not fit.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SurfaceError {
    /// Different numbers of nodes.
    #[error("the contact surfaces do not match: body 1 has {first} nodes on it, body 2 has {second}")]
    Count {
        /// Nodes of body 1.
        first: usize,
        /// Nodes of body 2.
        second: usize,
    },
    /// A node without a partner.
    #[error(
        "the contact surfaces do not match: the node of body 1 at x = {:.6e} m, y = {:.6e} m has no partner on body 2; the nearest \
         is {distance:.2e} m away", place[0], place[1]
    )]
    Apart {
        /// Where it is.
        place: [f64; 2],
        /// How far the nearest node is.
        distance: f64,
    },
    /// One body is plane, the other is not.
    #[error("one body is plane and the other is solid")]
    Mixed,
    /// The nodes do not stand in rows.
    #[error(
        "contact nodes must stand in rows along x of equal y, at least 5 in each: the row at y = {y:.4e} m has {nodes}"
    )]
    Ragged {
        /// Its place.
        y: f64,
        /// Its nodes.
        nodes: usize,
    },
}

impl Surface {
    /// Sorts the contact nodes of two bodies into rows and pairs them. Returns the surface and, for each body, which of its contact
    /// nodes stands at each place.
    pub fn new(
        first: &[[f64; 3]],
        second: &[[f64; 3]],
        plane: bool,
    ) -> Result<(Surface, [Vec<usize>; 2]), SurfaceError> {
        if first.len() != second.len() {
            return Err(SurfaceError::Count { first: first.len(), second: second.len() });
        }
        // Places closer than this are one: a millionth of the size of the surface.
        let reach = |axis: usize| {
            let all = first.iter().map(|p| p[axis]);
            all.clone().fold(f64::NEG_INFINITY, f64::max) - all.fold(f64::INFINITY, f64::min)
        };
        let near = 1e-6 * reach(0).max(reach(1));
        let sorted = |nodes: &[[f64; 3]]| {
            let mut order: Vec<usize> = (0..nodes.len()).collect();
            order.sort_by(|a, b| nodes[*a][1].total_cmp(&nodes[*b][1]));
            // Nodes of one row differ in y by rounding only.
            let mut row = 0;
            for k in 1..=order.len() {
                if k == order.len() || nodes[order[k]][1] - nodes[order[k - 1]][1] > near {
                    order[row..k].sort_by(|a, b| nodes[*a][0].total_cmp(&nodes[*b][0]));
                    row = k;
                }
            }
            order
        };
        let orders = [sorted(first), sorted(second)];
        for (&a, &b) in orders[0].iter().zip(&orders[1]) {
            let distance = |q: &[f64; 3]| (first[a][0] - q[0]).hypot(first[a][1] - q[1]);
            if distance(&second[b]) > near {
                let distance = second.iter().map(distance).fold(f64::INFINITY, f64::min);
                return Err(SurfaceError::Apart { place: [first[a][0], first[a][1]], distance });
            }
        }
        let place = |k: usize| first[orders[0][k]];
        let mut rows: Vec<Row> = Vec::new();
        for k in 0..first.len() {
            let y = place(k)[1];
            match rows.last_mut() {
                Some(row) if y - row.y <= near => row.len += 1,
                _ => rows.push(Row { y, width: 1.0, first: k, len: 1 }),
            }
        }
        if let Some(row) = rows.iter().find(|row| row.len < 5) {
            return Err(SurfaceError::Ragged { y: row.y, nodes: row.len });
        }
        if !plane {
            let ys: Vec<f64> = rows.iter().map(|row| row.y).collect();
            if rows.len() < 5 {
                return Err(SurfaceError::Ragged { y: ys[0], nodes: rows[0].len });
            }
            rows.iter_mut().zip(half_distances(&ys)).for_each(|(row, width)| row.width = width);
        }
        let x: Vec<f64> = (0..first.len()).map(|k| place(k)[0]).collect();
        let gap = orders[0].iter().zip(&orders[1]).map(|(a, b)| first[*a][2] - second[*b][2]).collect();
        let mut size = Vec::with_capacity(x.len());
        for row in &rows {
            size.extend(half_distances(&x[row.nodes()]).iter().map(|length| length * row.width));
        }
        Ok((Surface { plane, rows, x, gap, size }, orders))
    }

    /// By which share the greatest spacing along x exceeds the smallest.
    pub fn unevenness(&self) -> f64 {
        let spacings = self.rows.iter().flat_map(|row| self.x[row.nodes()].windows(2).map(|pair| pair[1] - pair[0]));
        let (least, most) = spacings.fold((f64::INFINITY, 0.0_f64), |(l, m), h| (l.min(h), m.max(h)));
        most / least - 1.0
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.x.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.x.is_empty()
    }

    /// Unknowns per node.
    pub fn directions(&self) -> usize {
        if self.plane { 2 } else { 3 }
    }

    /// y of every node.
    pub fn y(&self) -> Vec<f64> {
        self.rows.iter().flat_map(|row| std::iter::repeat_n(row.y, row.len)).collect()
    }

    /// Whether a node is among the two outermost on its side of the surface.
    pub(super) fn on_margin(&self, row: usize, node: usize) -> bool {
        let Row { first, len, .. } = self.rows[row];
        let across = !self.plane && (row < 2 || row + 2 >= self.rows.len());
        across || node < first + 2 || node + 2 >= first + len
    }
}

/// For each place half the distance between its neighbours; at the ends the whole distance to the one.
fn half_distances(places: &[f64]) -> Vec<f64> {
    let n = places.len();
    (0..n)
        .map(|k| {
            let (before, after) = (places[k.saturating_sub(1)], places[(k + 1).min(n - 1)]);
            if k == 0 || k + 1 == n { after - before } else { 0.5 * (after - before) }
        })
        .collect()
}
