//! Unit and meaning of every column where readers look for them: the Arrow schema in a Parquet file's metadata.
//!
//! Parquet itself has no place for the metadata of a field. Arrow, and with it pandas and polars, takes them from the key
//! `ARROW:schema`: a message of its format for streams, which is a flatbuffer, in base64. Numbers of slots and types below are
//! those of Arrow's `Message.fbs` and `Schema.fbs`.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::Column;

/// What a field holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Holds {
    Floats,
    Wholes,
    Texts,
}

/// A field of a schema.
#[derive(Debug, Clone, Copy)]
pub(super) struct Field<'a> {
    pub name: &'a str,
    pub unit: &'a str,
    pub meaning: &'a str,
    pub holds: Holds,
    /// Whether a value may be missing.
    pub optional: bool,
}

impl<'a> From<&'a Column> for Field<'a> {
    fn from(column: &'a Column) -> Field<'a> {
        let holds = if column.integer { Holds::Wholes } else { Holds::Floats };
        Field { name: &column.name, unit: column.unit, meaning: &column.meaning, holds, optional: false }
    }
}

/// The key in the file's metadata.
pub(super) const KEY: &str = "ARROW:schema";

/// The schema of a table: one field per column, with `unit` and `meaning`.
pub(super) fn encoded(fields: &[Field<'_>]) -> String {
    let flat = message(fields);
    let mut bytes = 0xffff_ffff_u32.to_le_bytes().to_vec();
    bytes.extend((flat.len() as u32).to_le_bytes());
    bytes.extend(flat);
    STANDARD.encode(bytes)
}

/// `Message { version: V5, header: Schema }`.
fn message(columns: &[Field<'_>]) -> Vec<u8> {
    let mut flat = Flat(vec![0; 4]);
    let root = flat.table(&[(0, Cell::Short(4)), (1, Cell::Byte(1)), (2, Cell::Reference)]);
    flat.refer(0, root.start);
    // `Schema { fields }`; little-endian is the default.
    let schema = flat.table(&[(1, Cell::Reference)]);
    flat.refer(root.references[0], schema.start);
    let (fields, entries) = flat.vector(columns.len());
    flat.refer(schema.references[0], fields);
    for (column, entry) in columns.iter().zip(entries) {
        let field = field(&mut flat, column);
        flat.refer(entry, field);
    }
    flat.align(8);
    flat.0
}

/// `Field { name, nullable, type, children, custom_metadata }`.
fn field(flat: &mut Flat, column: &Field<'_>) -> usize {
    // Numbers of the union `Type`, and what its tables hold: `Int { bitWidth: 64, is_signed }`,
    // `FloatingPoint { precision: DOUBLE }`, `Utf8 {}`.
    let (kind, type_cells): (u8, &[(usize, Cell)]) = match column.holds {
        Holds::Wholes => (2, &[(0, Cell::Int(64)), (1, Cell::Byte(1))]),
        Holds::Floats => (3, &[(0, Cell::Short(2))]),
        Holds::Texts => (5, &[]),
    };
    let mut cells = vec![(0, Cell::Reference)];
    // False is the default, and left out.
    cells.extend(column.optional.then_some((1, Cell::Byte(1))));
    cells.extend([(2, Cell::Byte(kind)), (3, Cell::Reference), (5, Cell::Reference), (6, Cell::Reference)]);
    let field = flat.table(&cells);
    let [name, own_type, children, metadata] = field.references[..] else { return field.start };
    let text = flat.text(column.name);
    flat.refer(name, text);
    let type_table = flat.table(type_cells);
    flat.refer(own_type, type_table.start);
    let (none, _) = flat.vector(0);
    flat.refer(children, none);
    let pairs = [("unit", column.unit), ("meaning", column.meaning)];
    let (list, entries) = flat.vector(pairs.len());
    flat.refer(metadata, list);
    for ((key, value), entry) in pairs.into_iter().zip(entries) {
        let pair = flat.table(&[(0, Cell::Reference), (1, Cell::Reference)]);
        flat.refer(entry, pair.start);
        for (text, place) in [key, value].into_iter().zip(pair.references) {
            let text = flat.text(text);
            flat.refer(place, text);
        }
    }
    field.start
}

/// What stands in a slot of a table.
#[derive(Clone, Copy)]
enum Cell {
    Byte(u8),
    Short(i16),
    Int(i32),
    /// Something that comes later.
    Reference,
}

impl Cell {
    fn size(self) -> usize {
        match self {
            Cell::Byte(_) => 1,
            Cell::Short(_) => 2,
            Cell::Int(_) | Cell::Reference => 4,
        }
    }
}

/// A table that was written, and where its references stand, in order.
struct Written {
    start: usize,
    references: Vec<usize>,
}

/// A flatbuffer that grows: references point forwards, so what is referred to is written afterwards.
struct Flat(Vec<u8>);

impl Flat {
    fn align(&mut self, to: usize) {
        while !self.0.len().is_multiple_of(to) {
            self.0.push(0);
        }
    }

    /// A table with its list of slots before it.
    fn table(&mut self, cells: &[(usize, Cell)]) -> Written {
        let slots = cells.iter().map(|(slot, _)| slot + 1).max().unwrap_or(0);
        let head = 4 + 2 * slots;
        // The table begins at a multiple of four, right behind its head.
        while !(self.0.len() + head).is_multiple_of(4) {
            self.0.push(0);
        }
        // Behind the four bytes that lead back to the head, each cell at a multiple of its size.
        let mut offsets = vec![0_u16; slots];
        let mut size = 4_usize;
        for (slot, cell) in cells {
            size = size.next_multiple_of(cell.size());
            offsets[*slot] = size as u16;
            size += cell.size();
        }
        for number in [head as u16, size as u16].into_iter().chain(offsets.iter().copied()) {
            self.0.extend(number.to_le_bytes());
        }
        let start = self.0.len();
        self.0.extend((head as i32).to_le_bytes());
        self.0.resize(start + size, 0);
        let mut references = Vec::new();
        for (slot, cell) in cells {
            let at = start + usize::from(offsets[*slot]);
            match cell {
                Cell::Byte(value) => self.0[at] = *value,
                Cell::Short(value) => self.put(at, &value.to_le_bytes()),
                Cell::Int(value) => self.put(at, &value.to_le_bytes()),
                Cell::Reference => references.push(at),
            }
        }
        Written { start, references }
    }

    /// A list of references: where it begins, and where they stand.
    fn vector(&mut self, count: usize) -> (usize, Vec<usize>) {
        self.align(4);
        let start = self.0.len();
        self.0.extend((count as u32).to_le_bytes());
        self.0.resize(start + 4 + 4 * count, 0);
        (start, (0..count).map(|k| start + 4 + 4 * k).collect())
    }

    fn text(&mut self, text: &str) -> usize {
        self.align(4);
        let start = self.0.len();
        self.0.extend((text.len() as u32).to_le_bytes());
        self.0.extend(text.as_bytes());
        self.0.push(0);
        start
    }

    fn refer(&mut self, at: usize, to: usize) {
        self.put(at, &((to - at) as u32).to_le_bytes());
    }

    fn put(&mut self, at: usize, bytes: &[u8]) {
        self.0[at..at + bytes.len()].copy_from_slice(bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A table of a flatbuffer, read independently of how it is written.
    struct Table<'a>(&'a [u8], usize);

    impl<'a> Table<'a> {
        fn number(&self, at: usize) -> usize {
            u32::from_le_bytes(self.0[at..at + 4].try_into().expect("four bytes")) as usize
        }

        fn cell(&self, slot: usize) -> usize {
            let head = self.1 - self.number(self.1);
            let at = head + 4 + 2 * slot;
            self.1 + usize::from(u16::from_le_bytes([self.0[at], self.0[at + 1]]))
        }

        fn behind(&self, slot: usize) -> usize {
            self.cell(slot) + self.number(self.cell(slot))
        }

        fn table(&self, slot: usize) -> Table<'a> {
            Table(self.0, self.behind(slot))
        }

        fn text(&self, slot: usize) -> String {
            let at = self.behind(slot);
            String::from_utf8(self.0[at + 4..at + 4 + self.number(at)].to_vec()).expect("UTF-8")
        }

        fn entries(&self, slot: usize) -> Vec<Table<'a>> {
            let list = self.behind(slot);
            let entry = |k: usize| list + 4 + 4 * k;
            (0..self.number(list)).map(|k| Table(self.0, entry(k) + self.number(entry(k)))).collect()
        }
    }

    #[test]
    fn fields_have_units_and_meanings() {
        let columns = [Column::real("x1", "m/s", "speed of the centre"), Column::whole("region", "1 to 9")];
        let bytes = message(&columns.each_ref().map(Field::from));
        assert!(bytes.len().is_multiple_of(8));
        let root = Table(&bytes, 0);
        let root = Table(&bytes, root.number(0));
        assert_eq!((bytes[root.cell(0)], bytes[root.cell(1)]), (4, 1));
        let fields = root.table(2).entries(1);
        assert_eq!(fields.len(), 2);
        for (field, column) in fields.iter().zip(&columns) {
            assert_eq!(field.text(0), column.name);
            assert_eq!(bytes[field.cell(2)], if column.integer { 2 } else { 3 });
            assert!(field.entries(5).is_empty());
            let pairs: Vec<(String, String)> =
                field.entries(6).iter().map(|pair| (pair.text(0), pair.text(1))).collect();
            let expected = [("unit", column.unit), ("meaning", &column.meaning)].map(|(k, v)| (k.into(), v.into()));
            assert_eq!(pairs, expected);
        }
        assert_eq!(bytes[fields[0].table(3).cell(0)], 2);
        assert_eq!((bytes[fields[1].table(3).cell(0)], bytes[fields[1].table(3).cell(1)]), (64, 1));
    }
}
