//! The text of `.msh` files: sections, lines, numbers.

use std::collections::HashMap;
use std::str::FromStr;

use super::{GmshError, Group, Node, Parsed, Raw};

/// What an element of Gmsh is: its dimension (none if it is not known here), its nodes if they are fixed, its name.
fn shape(kind: u32) -> (Option<u8>, Option<usize>, &'static str) {
    match kind {
        15 => (Some(0), Some(1), "a point"),
        1 => (Some(1), Some(2), "a line"),
        2 => (Some(2), Some(3), "a triangle"),
        3 => (Some(2), Some(4), "a quadrilateral"),
        4 => (Some(3), Some(4), "a tetrahedron"),
        5 => (Some(3), Some(8), "a hexahedron"),
        6 => (Some(3), Some(6), "a prism"),
        7 => (Some(3), Some(5), "a pyramid"),
        8 | 26..=28 => (Some(1), None, "a line of higher order"),
        9 | 20..=25 => (Some(2), None, "a triangle of higher order"),
        10 | 16 => (Some(2), None, "a quadrilateral of second order"),
        11 | 29..=31 => (Some(3), None, "a tetrahedron of higher order"),
        12 | 17 | 92 | 93 => (Some(3), None, "a hexahedron of higher order"),
        13 | 18 => (Some(3), None, "a prism of second order"),
        14 | 19 => (Some(3), None, "a pyramid of second order"),
        _ => (None, None, "of a kind that is not known here"),
    }
}

/// An element in words.
pub(super) fn name_of(kind: u32) -> String {
    format!("{} (type {kind})", shape(kind).2)
}

/// The lines of one section.
struct Section<'a> {
    name: String,
    /// Line of its name.
    first: usize,
    lines: Vec<&'a [u8]>,
    at: usize,
}

/// One line.
#[derive(Clone, Copy)]
struct Line<'a> {
    number: usize,
    text: &'a str,
}

impl<'a> Section<'a> {
    /// The next line that is not blank.
    fn next(&mut self) -> Result<Line<'a>, GmshError> {
        while let Some(bytes) = self.lines.get(self.at) {
            self.at += 1;
            let number = self.first + self.at;
            let Ok(text) = std::str::from_utf8(bytes) else {
                return Err(GmshError::Line { line: number, reason: "it is no text".into() });
            };
            if !text.trim().is_empty() {
                return Ok(Line { number, text: text.trim() });
            }
        }
        let line = self.first + self.lines.len() + 1;
        let reason = format!("section ${} ends here, but it announced more", self.name);
        Err(GmshError::Line { line, reason })
    }

    /// Nothing may follow.
    fn end(self) -> Result<(), GmshError> {
        match self.lines[self.at..].iter().position(|line| !line.is_empty()) {
            Some(blank) => {
                let (line, reason) = (self.first + self.at + blank + 1, "this is more than the section announced");
                Err(GmshError::Line { line, reason: format!("{reason} (${})", self.name) })
            }
            None => Ok(()),
        }
    }
}

impl<'a> Line<'a> {
    fn wrong(self, reason: String) -> GmshError {
        GmshError::Line { line: self.number, reason }
    }

    /// All its numbers.
    fn numbers<T: FromStr>(self, what: &str) -> Result<Vec<T>, GmshError> {
        let number = |word: &str| {
            word.parse().map_err(|_| self.wrong(format!("'{word}' is not a number as it stands in {what}")))
        };
        self.text.split_whitespace().map(number).collect()
    }

    /// Exactly so many numbers.
    fn exactly<T: FromStr + Copy, const N: usize>(self, what: &str) -> Result<[T; N], GmshError> {
        let numbers = self.numbers::<T>(what)?;
        let found = numbers.len();
        numbers.try_into().map_err(|_| self.wrong(format!("{found} numbers; {what} has {N}")))
    }

    /// Coordinates; `parameters` more may follow.
    fn place(self, words: &[&str], parameters: usize) -> Result<[f64; 3], GmshError> {
        if words.len() != 3 + parameters {
            let found = words.len();
            return Err(self.wrong(format!("{found} coordinates; a node has {}", 3 + parameters)));
        }
        let mut place = [0.0; 3];
        for (value, word) in place.iter_mut().zip(words) {
            *value = match word.parse::<f64>() {
                Ok(value) if value.is_finite() => value,
                _ => return Err(self.wrong(format!("'{word}' is no coordinate: it must be a finite number"))),
            };
        }
        Ok(place)
    }
}

/// Reads a file.
pub(super) fn parse(file: &[u8]) -> Result<Parsed, GmshError> {
    let mut sections = split(file)?;
    let mut take = |name: &'static str| sections.remove(name);
    let missing = |section| move || GmshError::Missing { section };
    let four = match take("MeshFormat") {
        Some(mut section) => is_four(section.next()?)?,
        None => return Err(GmshError::Missing { section: "MeshFormat" }),
    };
    let mut parsed = Parsed::default();
    if let Some(section) = take("PhysicalNames") {
        parsed.names(section)?;
    }
    let entities = take("Entities");
    let nodes = take("Nodes").ok_or_else(missing("Nodes"))?;
    let elements = take("Elements").ok_or_else(missing("Elements"))?;
    if four {
        let sets = parsed.entities(entities.ok_or_else(missing("Entities"))?)?;
        parsed.nodes_four(nodes)?;
        parsed.elements_four(elements, &sets)?;
    } else {
        parsed.nodes_two(nodes)?;
        parsed.elements_two(elements)?;
    }
    Ok(parsed)
}

/// Whether the format is 4.1; if not, it is 2.2.
fn is_four(line: Line<'_>) -> Result<bool, GmshError> {
    let words: Vec<&str> = line.text.split_whitespace().collect();
    let [version, binary, ..] = words[..] else {
        return Err(line.wrong("format and type are wanted here, for instance 4.1 0 8".into()));
    };
    if binary != "0" {
        return Err(GmshError::Binary);
    }
    match version {
        "4.1" => Ok(true),
        "2.2" => Ok(false),
        _ => Err(GmshError::Version { line: line.number, found: version.to_owned() }),
    }
}

/// All sections by their names.
fn split(file: &[u8]) -> Result<HashMap<String, Section<'_>>, GmshError> {
    let mut sections = HashMap::new();
    let mut open: Option<Section<'_>> = None;
    let mut last = 0;
    for (index, bytes) in file.split(|byte| *byte == b'\n').enumerate() {
        last = index + 1;
        let bytes = bytes.trim_ascii();
        let marker = bytes.strip_prefix(b"$").map(String::from_utf8_lossy);
        match (&mut open, marker) {
            (None, Some(name)) => {
                open = Some(Section { name: name.into_owned(), first: last, lines: Vec::new(), at: 0 })
            }
            (None, None) => {}
            (Some(section), None) => {
                // Binary files need not have lines; what follows is not looked at.
                if section.name == "MeshFormat" && section.lines.is_empty() {
                    let text = String::from_utf8_lossy(bytes);
                    is_four(Line { number: last, text: &text })?;
                }
                section.lines.push(bytes);
            }
            (Some(section), Some(name)) => {
                if name.strip_prefix("End") != Some(&section.name) {
                    let (section, first) = (section.name.clone(), section.first);
                    return Err(GmshError::CutOff { section, first, line: last });
                }
                let Some(section) = open.take() else { continue };
                let (first, name) = (section.first, section.name.clone());
                if sections.insert(name.clone(), section).is_some() {
                    return Err(GmshError::Line { line: first, reason: format!("a second section ${name}") });
                }
            }
        }
    }
    match open {
        Some(Section { name: section, first, .. }) => Err(GmshError::CutOff { section, first, line: last }),
        None => Ok(sections),
    }
}

/// Which set of physical groups belongs to a point, curve, surface or volume.
type Sets = HashMap<(u8, i64), usize>;

impl Parsed {
    /// `dimension tag "name"`, after their number.
    fn names(&mut self, mut section: Section<'_>) -> Result<(), GmshError> {
        let [count] = section.next()?.exactly::<u64, 1>("the number of names")?;
        for _ in 0..count {
            let line = section.next()?;
            let wanted = || line.wrong("a physical group is: dimension, tag, name in quotes".into());
            let (front, rest) = line.text.split_once('"').ok_or_else(wanted)?;
            let name = rest.strip_suffix('"').ok_or_else(wanted)?.to_owned();
            let [dimension, tag] = Line { text: front, ..line }.exactly::<i64, 2>("a physical group")?;
            let dimension = u8::try_from(dimension).ok().filter(|d| *d <= 3).ok_or_else(wanted)?;
            self.groups.push(Group { dimension, tag: tag.abs(), name });
        }
        section.end()
    }

    fn set(&mut self, tags: Vec<i64>) -> usize {
        self.sets.push(tags);
        self.sets.len() - 1
    }

    fn add_node(&mut self, line: Line<'_>, tag: u64, place: [f64; 3]) -> Result<(), GmshError> {
        match self.nodes.insert(tag, Node { place, line: line.number }) {
            Some(before) => Err(line.wrong(format!("node {tag} was given before, in line {}", before.line))),
            None => Ok(()),
        }
    }

    /// `number x y z`, after their number.
    fn nodes_two(&mut self, mut section: Section<'_>) -> Result<(), GmshError> {
        let [count] = section.next()?.exactly::<u64, 1>("the number of nodes")?;
        for _ in 0..count {
            let line = section.next()?;
            let words: Vec<&str> = line.text.split_whitespace().collect();
            let (tag, place) = words.split_at(1);
            let [tag] = Line { text: tag[0], ..line }.exactly("the number of a node")?;
            self.add_node(line, tag, line.place(place, 0)?)?;
        }
        section.end()
    }

    /// `number type tags… nodes…`, after their number; of the tags their number comes first, then physical group and entity.
    fn elements_two(&mut self, mut section: Section<'_>) -> Result<(), GmshError> {
        let [count] = section.next()?.exactly::<u64, 1>("the number of elements")?;
        let mut sets: HashMap<i64, usize> = HashMap::new();
        for _ in 0..count {
            let line = section.next()?;
            let numbers = line.numbers::<i64>("an element")?;
            let wanted = || line.wrong("an element is: number, type, number of tags, tags, nodes".into());
            let [number, kind, tags, rest @ ..] = numbers.as_slice() else { return Err(wanted()) };
            let tags = usize::try_from(*tags).ok().filter(|tags| *tags <= rest.len()).ok_or_else(wanted)?;
            let (tags, nodes) = rest.split_at(tags);
            let group = tags.first().map_or(0, |tag| tag.abs());
            let set = match sets.get(&group) {
                Some(set) => *set,
                None => *sets.entry(group).or_insert(self.set(vec![group])),
            };
            let kind = u32::try_from(*kind).map_err(|_| wanted())?;
            let number = u64::try_from(*number).map_err(|_| wanted())?;
            // Of an unknown kind it is not known whether it fills a body; most do.
            let dimension = shape(kind).0.unwrap_or(3);
            let entity = tags.get(1).copied().unwrap_or(0);
            self.add_element(
                line,
                Raw { line: line.number, number, kind, dimension, entity, set, nodes: 0..0 },
                nodes,
            )?;
        }
        section.end()
    }

    fn add_element(&mut self, line: Line<'_>, raw: Raw, nodes: &[i64]) -> Result<(), GmshError> {
        if let (_, Some(wanted), what) = shape(raw.kind)
            && nodes.len() != wanted
        {
            let (number, found) = (raw.number, nodes.len());
            return Err(line.wrong(format!("element {number} is {what} and has {wanted} nodes, not {found}")));
        }
        let first = self.corners.len();
        for node in nodes {
            let tag = u64::try_from(*node).map_err(|_| line.wrong(format!("'{node}' is not the number of a node")))?;
            self.corners.push(tag);
        }
        self.elements.push(Raw { nodes: first..self.corners.len(), ..raw });
        Ok(())
    }

    /// Numbers of points, curves, surfaces and volumes; then each of them: its tag, a place (points) or a box (others), physical groups
    /// after their number, and what bounds it.
    fn entities(&mut self, mut section: Section<'_>) -> Result<Sets, GmshError> {
        let counts = section.next()?.exactly::<u64, 4>("the numbers of points, curves, surfaces and volumes")?;
        let mut sets = Sets::new();
        for (dimension, count) in counts.into_iter().enumerate() {
            let before = if dimension == 0 { 4 } else { 7 };
            for _ in 0..count {
                let line = section.next()?;
                let words: Vec<&str> = line.text.split_whitespace().collect();
                let wanted = || line.wrong("a part of the geometry is: tag, place or box, physical groups".into());
                let integer = |at: usize| words.get(at).and_then(|word| word.parse::<i64>().ok()).ok_or_else(wanted);
                let many = usize::try_from(integer(before)?).map_err(|_| wanted())?;
                if many > words.len() {
                    return Err(wanted());
                }
                let tags = (0..many).map(|k| Ok(integer(before + 1 + k)?.abs())).collect::<Result<_, GmshError>>()?;
                let set = self.set(tags);
                sets.insert((dimension as u8, integer(0)?), set);
            }
        }
        Ok(sets)
    }

    /// Blocks: `dimension entity parametric count`, then all numbers, then all places.
    fn nodes_four(&mut self, mut section: Section<'_>) -> Result<(), GmshError> {
        let [blocks, ..] = section.next()?.exactly::<u64, 4>("blocks, nodes, least and greatest number")?;
        for _ in 0..blocks {
            let head = section.next()?;
            let [dimension, _, parametric, count] = head.exactly::<i64, 4>("a block of nodes")?;
            let parameters = if parametric == 0 { 0 } else { usize::try_from(dimension).unwrap_or(0) };
            let mut tags = Vec::new();
            for _ in 0..count {
                let line = section.next()?;
                tags.push(line.exactly::<u64, 1>("the number of a node")?[0]);
            }
            for tag in tags {
                let line = section.next()?;
                let words: Vec<&str> = line.text.split_whitespace().collect();
                self.add_node(line, tag, line.place(&words, parameters)?)?;
            }
        }
        section.end()
    }

    /// Blocks: `dimension entity type count`, then `number nodes…` of each.
    fn elements_four(&mut self, mut section: Section<'_>, sets: &Sets) -> Result<(), GmshError> {
        let [blocks, ..] = section.next()?.exactly::<u64, 4>("blocks, elements, least and greatest number")?;
        for _ in 0..blocks {
            let head = section.next()?;
            let [dimension, entity, kind, count] = head.exactly::<i64, 4>("a block of elements")?;
            let block = u8::try_from(dimension).ok().zip(u32::try_from(kind).ok());
            let Some((dimension, kind)) = block else {
                return Err(head.wrong("a block of elements is: dimension, entity, type, number of elements".into()));
            };
            let Some(&set) = sets.get(&(dimension, entity)) else {
                return Err(head.wrong(format!("part {entity} of dimension {dimension} is not in $Entities")));
            };
            for _ in 0..count {
                let line = section.next()?;
                let numbers = line.numbers::<i64>("an element")?;
                let Some((number, nodes)) = numbers.split_first() else { continue };
                let number = u64::try_from(*number).map_err(|_| line.wrong("an element is: number, nodes".into()))?;
                let raw = Raw { line: line.number, number, kind, dimension, entity, set, nodes: 0..0 };
                self.add_element(line, raw, nodes)?;
            }
        }
        section.end()
    }
}
