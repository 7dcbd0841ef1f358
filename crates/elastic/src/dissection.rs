//! The order of elimination: nested dissection by planes.
//!
//! A set of nodes is cut in two halves by a plane across x, y or z at its median; nodes of the upper half that share an
//! element with the lower one form the *separator*, which is eliminated after both. Of the three cuts the one with the smallest
//! separator is taken, and the halves are cut again. Contact nodes take no part: they are left over at the end.

use crate::mesh::Body;

/// Sets of at most this many nodes are not cut any more.
const LEAF: usize = 60;

/// One step of the elimination.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Part {
    /// Nodes that are eliminated here, after those of the children.
    pub own: Vec<u32>,
    /// Nodes that are not eliminated yet and share an element with eliminated ones, in the order of their own elimination.
    pub boundary: Vec<u32>,
    /// Parts that come before.
    pub children: Vec<usize>,
    /// Elements whose first eliminated node is eliminated here.
    pub elements: Vec<u32>,
}

/// The tree of parts; children stand before their parents, the last one eliminates nothing and holds the contact nodes.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Dissection {
    /// All parts.
    pub parts: Vec<Part>,
}

/// Lists of nodes that share an element.
struct Neighbours {
    first: Vec<u32>,
    all: Vec<u32>,
}

impl Neighbours {
    fn of(body: &Body) -> Neighbours {
        let count = body.mesh.nodes.len();
        let mut pairs: Vec<Vec<u32>> = vec![Vec::new(); count];
        for (_, corners) in body.mesh.elements() {
            for &a in corners {
                pairs[a as usize].extend(corners.iter().filter(|b| **b != a));
            }
        }
        let (mut first, mut all) = (vec![0], Vec::new());
        for mut list in pairs {
            list.sort_unstable();
            list.dedup();
            all.extend(list);
            first.push(all.len() as u32);
        }
        Neighbours { first, all }
    }

    fn of_node(&self, node: u32) -> &[u32] {
        let node = node as usize;
        &self.all[self.first[node] as usize..self.first[node + 1] as usize]
    }
}

/// Where a node stands in the current cut.
const ELSEWHERE: u8 = 0;
const LOWER: u8 = 1;

impl Dissection {
    /// The order for a body.
    pub fn new(body: &Body) -> Dissection {
        let count = body.mesh.nodes.len();
        let mut taken = vec![false; count];
        body.clamped.iter().chain(&body.contact).for_each(|node| taken[*node as usize] = true);
        let inside: Vec<u32> = (0..count as u32).filter(|node| !taken[*node as usize]).collect();
        let neighbours = Neighbours::of(body);
        let mut dissection = Dissection::default();
        let mut side = vec![ELSEWHERE; count];
        let top = dissection.cut(inside, body, &neighbours, &mut side);
        dissection.parts.push(Part { children: top.into_iter().collect(), ..Part::default() });
        dissection.number(body);
        dissection
    }

    /// Cuts a set and returns the part that is eliminated last.
    fn cut(&mut self, set: Vec<u32>, body: &Body, neighbours: &Neighbours, side: &mut [u8]) -> Option<usize> {
        if set.is_empty() {
            return None;
        }
        if set.len() <= LEAF {
            self.parts.push(Part { own: set, ..Part::default() });
            return Some(self.parts.len() - 1);
        }
        let mut best: Option<[Vec<u32>; 3]> = None;
        for axis in 0..3 {
            let place = |node: u32| body.mesh.nodes[node as usize][axis];
            let mut sorted = set.clone();
            sorted.sort_by(|a, b| place(*a).total_cmp(&place(*b)));
            let middle = place(sorted[sorted.len() / 2]);
            // All nodes at the median go to one side.
            let at = sorted.partition_point(|node| place(*node) < middle);
            if at == 0 {
                continue;
            }
            let (lower, upper) = sorted.split_at(at);
            lower.iter().for_each(|node| side[*node as usize] = LOWER);
            let touches = |node: &u32| neighbours.of_node(*node).iter().any(|n| side[*n as usize] == LOWER);
            let (separator, rest): (Vec<u32>, Vec<u32>) = upper.iter().partition(|node| touches(node));
            lower.iter().for_each(|node| side[*node as usize] = ELSEWHERE);
            // A small separator beside two halves of much different size is no gain.
            let cost = |cut: &[Vec<u32>; 3]| cut[2].len() + cut[0].len().abs_diff(cut[1].len()) / 4;
            let cut = [lower.to_vec(), rest, separator];
            if best.as_ref().is_none_or(|best| cost(&cut) < cost(best)) {
                best = Some(cut);
            }
        }
        let Some([lower, rest, separator]) = best else {
            self.parts.push(Part { own: set, ..Part::default() });
            return Some(self.parts.len() - 1);
        };
        let children: Vec<usize> =
            [lower, rest].into_iter().filter_map(|half| self.cut(half, body, neighbours, side)).collect();
        self.parts.push(Part { own: separator, children, ..Part::default() });
        Some(self.parts.len() - 1)
    }

    /// Finds boundaries and elements of all parts.
    fn number(&mut self, body: &Body) {
        // Place of each node in the elimination: clamped ones have none, contact nodes come last.
        let none = u32::MAX;
        let mut rank = vec![none; body.mesh.nodes.len()];
        let mut part_of = vec![none; body.mesh.nodes.len()];
        let mut next = 0;
        let last = self.parts.len() - 1;
        for (index, part) in self.parts.iter().enumerate() {
            for &node in &part.own {
                (rank[node as usize], part_of[node as usize]) = (next, index as u32);
                next += 1;
            }
        }
        for &node in &body.contact {
            (rank[node as usize], part_of[node as usize]) = (next, last as u32);
            next += 1;
        }
        let mut reached: Vec<Vec<u32>> = vec![Vec::new(); self.parts.len()];
        for (element, (_, corners)) in body.mesh.elements().enumerate() {
            let free = corners.iter().copied().filter(|node| rank[*node as usize] != none);
            let Some(first) = free.clone().min_by_key(|node| rank[*node as usize]) else { continue };
            let part = part_of[first as usize] as usize;
            self.parts[part].elements.push(element as u32);
            reached[part].extend(free);
        }
        for (index, mut nodes) in reached.into_iter().enumerate() {
            for child in self.parts[index].children.clone() {
                nodes.extend_from_slice(&self.parts[child].boundary);
            }
            nodes.retain(|node| part_of[*node as usize] as usize != index);
            nodes.sort_unstable_by_key(|node| rank[*node as usize]);
            nodes.dedup();
            self.parts[index].boundary = nodes;
        }
        // What is left of the last part is the contact, all of it, in its own order.
        self.parts[last].boundary = body.contact.clone();
    }

    /// Work of the elimination in multiplications, and entries of its factor, with so many unknowns per node.
    pub fn work(&self, directions: usize) -> (f64, f64) {
        let (mut work, mut entries) = (0.0, 0.0);
        for part in &self.parts {
            let (p, b) = ((part.own.len() * directions) as f64, (part.boundary.len() * directions) as f64);
            work += p * p * p / 6.0 + p * p * b / 2.0 + p * b * b / 2.0;
            entries += p * (p + 1.0) / 2.0 + p * b;
        }
        (work, entries)
    }
}
