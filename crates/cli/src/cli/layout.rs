//! Lines of text for a terminal of any width.
//!
//! Where the width is unknown (a file, a pipe) nothing is broken, so that every statement stays on one line for other
//! programs. Widths count characters; the program prints none that are wider than one column.

/// Columns that a label takes, blanks included.
const LABEL: usize = 10;

/// Blanks between entries of a line.
const GAP: usize = 3;

/// No line is broken to less than this, whatever the terminal says.
const NARROWEST: usize = 40;

/// What a label is about, and so how it looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tone {
    /// Nothing special.
    Plain,
    /// The first line.
    Title,
    /// As it should be.
    Good,
    /// To be read with care.
    Doubtful,
    /// Not to be used.
    Bad,
}

/// A statement: a label and entries behind it, or a sentence with an indentation of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line {
    label: String,
    entries: Vec<String>,
    tone: Tone,
    /// How many bytes of its end are a verdict, and which.
    verdict: (usize, Tone),
    /// Indentation from the second line on; none for that of the first.
    hanging: Option<usize>,
}

impl Line {
    /// A sentence, or nothing; blanks before it are kept when it is broken.
    pub(super) fn text(text: impl Into<String>) -> Line {
        let (label, entries) = (String::new(), vec![text.into()]);
        Line { label, entries, tone: Tone::Plain, verdict: (0, Tone::Plain), hanging: None }
    }

    /// The first line of what is told.
    pub(super) fn title(text: impl Into<String>) -> Line {
        Line { tone: Tone::Title, ..Line::text(text) }
    }

    /// `  label   entry   entry   entry`.
    pub(super) fn labelled(label: &str, entries: Vec<String>) -> Line {
        Line { label: format!("  {label:<width$}", width = LABEL - 2), entries, ..Line::text("") }
    }

    /// One entry behind a label.
    pub(super) fn about(label: &str, entry: impl Into<String>) -> Line {
        Line::labelled(label, vec![entry.into()])
    }

    /// A sentence with another indentation from the second line on.
    pub(super) fn hanging(text: impl Into<String>, indentation: usize) -> Line {
        Line { hanging: Some(indentation), ..Line::text(text) }
    }

    /// A sentence with a verdict at its end.
    pub(super) fn judged(text: &str, verdict: &str, tone: Tone) -> Line {
        Line { verdict: (verdict.len(), tone), ..Line::text(format!("{text}{verdict}")) }
    }

    /// `  ok   text`.
    pub(super) fn marked(mark: &str, text: impl Into<String>, tone: Tone) -> Line {
        Line { label: format!("  {mark:<4} "), ..Line::text(text) }.toned(tone)
    }

    /// The same in another tone.
    pub(super) fn toned(self, tone: Tone) -> Line {
        Line { tone, ..self }
    }

    /// On as many lines as a width asks for, each with its painted start: the label of the first.
    pub(super) fn lay(&self, width: Option<usize>) -> Vec<Laid> {
        let whole = self.label.clone() + &self.entries.join(&" ".repeat(GAP));
        let width = width.map(|width| width.max(NARROWEST));
        let lines = match width {
            Some(width) if length(&whole) > width && self.label.is_empty() => match self.hanging {
                Some(indentation) => hanging(&whole, width, indentation),
                None => wrapped(&whole, width),
            },
            Some(width) if length(&whole) > width => self.broken(width),
            _ => vec![whole],
        };
        let last = lines.len() - 1;
        let laid = |(k, text): (usize, String)| {
            let head = if self.tone == Tone::Title { text.len() } else { self.label.len() };
            // A verdict that was broken is not painted.
            let verdict = if k == last && self.verdict.0 <= text.len() { self.verdict } else { (0, Tone::Plain) };
            Laid { head: if k == 0 { head } else { 0 }, text, tone: self.tone, verdict }
        };
        lines.into_iter().enumerate().map(laid).collect()
    }

    /// Entries in columns where two or more fit, and else one after the other.
    fn broken(&self, width: usize) -> Vec<String> {
        let label = length(&self.label);
        let room = width - label;
        let widest = self.entries.iter().map(|entry| length(entry)).max().unwrap_or(0);
        let columns = (room + GAP) / (widest + GAP);
        let rows = if columns > 1 && self.entries.len() > columns {
            grid(&self.entries, columns)
        } else {
            flow(&self.entries, room)
        };
        let start = |k: usize| if k == 0 { self.label.clone() } else { " ".repeat(label) };
        rows.into_iter().enumerate().map(|(k, row)| start(k) + &row).collect()
    }
}

/// A line as it is printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Laid {
    /// How many bytes of the text are painted.
    pub head: usize,
    /// All of it.
    pub text: String,
    /// How the head looks.
    pub tone: Tone,
    /// How many bytes of its end are a verdict, and how that looks.
    pub verdict: (usize, Tone),
}

/// Entries below each other, each column as wide as its widest entry.
fn grid(entries: &[String], columns: usize) -> Vec<String> {
    let widths: Vec<usize> =
        (0..columns).map(|c| entries.iter().skip(c).step_by(columns).map(|e| length(e)).max().unwrap_or(0)).collect();
    let row = |row: &[String]| {
        let cells = row.iter().zip(&widths).map(|(entry, width)| format!("{entry:<width$}"));
        cells.collect::<Vec<_>>().join(&" ".repeat(GAP)).trim_end().to_string()
    };
    entries.chunks(columns).map(row).collect()
}

/// Entries one after the other; a line begins with an entry, or goes on with one that is longer than a line.
fn flow(entries: &[String], room: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for entry in entries {
        match lines.last_mut() {
            Some(last) if length(last) + GAP + length(entry) <= room => {
                last.push_str(&" ".repeat(GAP));
                last.push_str(entry);
            }
            _ => lines.extend(wrapped(entry, room)),
        }
    }
    lines
}

/// A sentence broken at blanks, with the indentation of its beginning. A word that is longer than a line stays whole.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let indentation: String = text.chars().take_while(|c| *c == ' ').collect();
    hanging(text, width, length(&indentation))
}

/// The same with another indentation from the second line on.
fn hanging(text: &str, width: usize, indentation: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    let mut words = false;
    // Pieces that end with a blank: what is between words is kept as it is within a line.
    for piece in text.split_inclusive(' ') {
        if words && length(&line) + length(piece.trim_end()) > width {
            lines.push(line.trim_end().to_string());
            line = " ".repeat(indentation);
            words = false;
        }
        if words || piece.trim_end() != "" || lines.is_empty() {
            line.push_str(piece);
        }
        words |= piece.trim_end() != "";
    }
    lines.push(line.trim_end().to_string());
    lines
}

/// Text in at most so many columns, cut at its end.
pub(super) fn cut(text: &str, width: usize) -> String {
    match text.char_indices().nth(width) {
        None => text.to_string(),
        Some(_) => text.chars().take(width.saturating_sub(1)).collect::<String>() + "…",
    }
}

/// A table: names to the left, values to the right below the heads of their columns. Where it is wider than `width`, its
/// columns come in several tables one below the other, and names that take more than a third of it are cut.
pub(super) fn table(head: &[String], rows: &[Vec<String>], width: Option<usize>) -> Vec<String> {
    let all = || std::iter::once(head).chain(rows.iter().map(Vec::as_slice));
    let widest = |c: usize| all().filter_map(|row| row.get(c)).map(|cell| length(cell)).max().unwrap_or(0);
    let (indent, gap) = (2, 2);
    let names = width.map_or(usize::MAX, |width| (width / 3).max(NARROWEST / 2)).min(widest(0));
    let mut blocks: Vec<Vec<usize>> = Vec::new();
    let mut used = usize::MAX;
    for column in 1..head.len() {
        let needs = gap + widest(column);
        match blocks.last_mut() {
            Some(block) if width.is_none_or(|width| used.saturating_add(needs) <= width) => {
                block.push(column);
                used += needs;
            }
            _ => {
                blocks.push(vec![column]);
                used = indent + names + needs;
            }
        }
    }
    let line = |row: &[String], block: &[usize]| {
        let name = cut(row.first().map_or("", String::as_str), names);
        let cell = |c: &usize| {
            let width = widest(*c);
            format!("{}{:>width$}", " ".repeat(gap), row.get(*c).map_or("", String::as_str))
        };
        let cells: String = block.iter().map(cell).collect();
        format!("{}{name:<names$}{cells}", " ".repeat(indent)).trim_end().to_string()
    };
    let lines = blocks.iter().map(|block| all().map(|row| line(row, block)).collect::<Vec<_>>());
    lines.collect::<Vec<_>>().join(&String::new())
}

/// Columns that a text takes.
pub(super) fn length(text: &str) -> usize {
    text.chars().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn laid(line: &Line, width: usize) -> Vec<String> {
        line.lay(Some(width)).into_iter().map(|laid| laid.text).collect()
    }

    fn entries(count: usize) -> Vec<String> {
        (0..count).map(|k| format!("x{k} = {}", k * k)).collect()
    }

    #[test]
    fn nothing_is_broken_where_there_is_no_terminal() {
        let line = Line::labelled("end", entries(200));
        let laid = line.lay(None);
        assert_eq!(laid.len(), 1);
        assert!(laid[0].text.starts_with("  end     x0 = 0   x1 = 1   x2 = 4"));
        assert_eq!(&laid[0].text[..laid[0].head], "  end     ");
    }

    #[test]
    fn many_entries_become_columns_below_each_other() {
        let lines = laid(&Line::labelled("end", entries(9)), 44);
        assert_eq!(
            lines,
            [
                "  end     x0 = 0    x1 = 1    x2 = 4",
                "          x3 = 9    x4 = 16   x5 = 25",
                "          x6 = 36   x7 = 49   x8 = 64"
            ]
        );
    }

    #[test]
    fn no_line_is_wider_than_the_terminal() {
        let long = "a sentence that goes on for much longer than any terminal would show in one line of its own";
        for width in [40, 57, 80, 200] {
            for line in [
                Line::labelled("end", entries(120)),
                Line::about("WARNING", long),
                Line::text(format!("    {long}")),
                Line::labelled("trust", vec!["residual 0".into(), long.into(), "end".into()]),
            ] {
                for text in laid(&line, width) {
                    assert!(length(&text) <= width, "{width}: {text}");
                }
            }
        }
        assert!(laid(&Line::text(format!("    {long}")), 40).iter().all(|line| line.starts_with("    ")));
        // A path cannot be broken and stay a path.
        let path = "out/a-folder-with-a-very-long-name-that-somebody-gave-it/report.html";
        assert_eq!(laid(&Line::about("report", path), 40), [format!("  report  {path}")]);
    }

    #[test]
    fn words_are_kept_in_order_when_a_line_is_broken() {
        let text = "  t = 0.5        wheel slides";
        assert_eq!(wrapped(text, 80), [text]);
        let lines = hanging("name      one two three four five six seven", 24, 10);
        assert_eq!(lines, ["name      one two three", "          four five six", "          seven"]);
    }

    #[test]
    fn wide_tables_are_stacked() {
        let row = |name: &str, value: &str| {
            let mut row = vec![name.to_string()];
            row.extend((0..4).map(|k| format!("{value}{k}")));
            row
        };
        let (head, rows) = (row("", "run "), [row("distance (m)", "12.345678"), row("time (s)", "2")]);
        assert_eq!(table(&head, &rows, None).len(), 3);
        let narrow = table(&head, &rows, Some(44));
        // Two tables, and an empty line between them.
        assert_eq!(narrow.len(), 7, "{narrow:#?}");
        assert!(narrow.iter().all(|line| length(line) <= 44), "{narrow:#?}");
        assert_eq!(narrow[5], "  distance (m)  12.3456782  12.3456783");
    }

    #[test]
    fn what_is_cut_says_so() {
        assert_eq!(cut("stopping", 8), "stopping");
        assert_eq!(cut("stopping distance", 8), "stoppin…");
    }
}
