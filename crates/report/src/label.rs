//! Text for pictures and pages: escaping, subscripts, numbers, and how wide a text will be.
//!
//! Labels know two marks: `a_G` and `a_{max}` set a subscript, `10^3` and `10^{-3}` a superscript.
//! The short form takes one letter or digit, and only where no further one follows, so a plain name
//! such as `brake_bound` stays as it is.

/// Where a piece of a label stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Level {
    Base,
    Sub,
    Sup,
}

/// Size of sub- and superscripts against the text around them.
const SCRIPT: f64 = 0.74;

/// Escapes text for XML and HTML, in elements and in attributes; characters that XML forbids become �.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\t' | '\n' | '\r' => out.push(c),
            c if (c as u32) < 0x20 || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// Splits a label into pieces on and off the line.
fn pieces(text: &str) -> Vec<(Level, String)> {
    let chars: Vec<char> = text.chars().collect();
    let mut out: Vec<(Level, String)> = Vec::new();
    let mut base = String::new();
    let mut i = 0;
    while i < chars.len() {
        let level = match chars[i] {
            '_' => Level::Sub,
            '^' => Level::Sup,
            _ => Level::Base,
        };
        let script = (level != Level::Base && i > 0).then(|| script_after(&chars, i + 1)).flatten();
        if let Some((piece, next)) = script {
            if !base.is_empty() {
                out.push((Level::Base, std::mem::take(&mut base)));
            }
            out.push((level, piece));
            i = next;
        } else {
            base.push(chars[i]);
            i += 1;
        }
    }
    if !base.is_empty() {
        out.push((Level::Base, base));
    }
    out
}

/// The script that begins at `start`, and where the text goes on.
fn script_after(chars: &[char], start: usize) -> Option<(String, usize)> {
    if chars.get(start) == Some(&'{') {
        let end = start + chars[start..].iter().position(|&c| c == '}')?;
        let piece: String = chars[start + 1..end].iter().collect();
        return (!piece.is_empty()).then_some((piece, end + 1));
    }
    let word = |i: usize| chars.get(i).is_some_and(|c| c.is_alphanumeric() || *c == '_');
    (word(start) && chars[start] != '_' && !word(start + 1)).then(|| (chars[start].to_string(), start + 1))
}

/// A label as the content of an SVG text element whose font has `size` pixels.
pub fn svg(text: &str, size: f64) -> String {
    let mut out = String::new();
    let mut shift = 0.0;
    for (level, piece) in pieces(text) {
        let target = match level {
            Level::Base => 0.0,
            Level::Sub => 0.24 * size,
            Level::Sup => -0.36 * size,
        };
        if level == Level::Base && shift == 0.0 {
            out.push_str(&escape(&piece));
            continue;
        }
        let font = if level == Level::Base { size } else { SCRIPT * size };
        // Viewers drop a space that begins a piece; a shift they keep.
        let trimmed = piece.trim_start();
        let space = (piece.len() - trimmed.len()) as f64 * 0.28 * size;
        let dx = if space > 0.0 { format!(" dx=\"{space:.2}\"") } else { String::new() };
        out.push_str(&format!(
            "<tspan{dx} dy=\"{:.2}\" font-size=\"{font:.2}\">{}</tspan>",
            target - shift,
            escape(trimmed)
        ));
        shift = target;
    }
    out
}

/// A label as HTML.
pub fn html(text: &str) -> String {
    pieces(text)
        .iter()
        .map(|(level, piece)| match level {
            Level::Base => escape(piece),
            Level::Sub => format!("<sub>{}</sub>", escape(piece)),
            Level::Sup => format!("<sup>{}</sup>", escape(piece)),
        })
        .collect()
}

/// Numbers in a text with the typographic minus: `-3.5e-4` becomes `−3.5e−4`. Hyphens, as in names and dates, stay.
pub fn typographic(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let before = |i: usize, back: usize| i.checked_sub(back).map(|k| chars[k]);
    let is_minus = |i: usize| {
        let exponent = matches!(before(i, 1), Some('e')) && before(i, 2).is_some_and(|c| c.is_ascii_digit());
        let first = before(i, 1).is_none_or(|c| matches!(c, ' ' | '(' | '['));
        chars[i] == '-' && (first || exponent) && chars.get(i + 1).is_some_and(char::is_ascii_digit)
    };
    chars.iter().enumerate().map(|(i, c)| if is_minus(i) { '−' } else { *c }).collect()
}

/// Width of a label in pixels in a font of `size` pixels, rather too wide than too narrow: a label that is given too little
/// room is cut at the edge or runs into its neighbour.
pub fn width(text: &str, size: f64) -> f64 {
    pieces(text)
        .iter()
        .map(|(level, piece)| {
            let scale = if *level == Level::Base { 1.0 } else { SCRIPT };
            scale * size * piece.chars().map(em).sum::<f64>()
        })
        .sum()
}

/// Advance of a character in em, in the widest of the usual sans-serifs, DejaVu Sans: about a tenth more than in Helvetica.
fn em(c: char) -> f64 {
    match c {
        'i' | 'j' | 'l' | '\'' => 0.28,
        'I' | 'J' => 0.30,
        ' ' | '.' | ',' | '·' => 0.32,
        '|' | '/' | ':' | ';' => 0.34,
        '-' | 'f' => 0.37,
        '(' | ')' | '[' | ']' | 't' | '!' => 0.40,
        'r' | '"' => 0.46,
        's' | 'z' | 'c' => 0.55,
        'k' | 'v' | 'x' | 'y' => 0.60,
        'M' => 0.87,
        'm' | 'W' | '%' | '@' => 1.0,
        'w' | '−' | '+' | '=' | '×' | '≤' | '≥' | '<' | '>' => 0.84,
        'A'..='Z' => 0.79,
        '\u{2e80}'.. => 1.0,
        _ => 0.64,
    }
}

/// A number for people: `digits` decimals, the typographic minus, no minus before zero.
pub fn fixed(value: f64, digits: usize) -> String {
    let text = format!("{value:.digits$}");
    match text.strip_prefix('-') {
        Some(magnitude) if magnitude.bytes().all(|b| matches!(b, b'0' | b'.')) => magnitude.to_owned(),
        Some(magnitude) => format!("−{magnitude}"),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MEASURED: [(&str, f64); 5] = [
        ("front right ground", 890.2),
        ("computed |r|, one point per element", 1823.4),
        ("trailer left 9", 589.0),
        ("Reaches Mw 10 %", 905.5),
        ("−3.5 × 10", 517.4),
    ];

    #[test]
    fn marks_become_scripts_and_names_stay() {
        assert_eq!(html("a_G"), "a<sub>G</sub>");
        assert_eq!(html("a_{max} (N)"), "a<sub>max</sub> (N)");
        assert_eq!(html("10^{−3} s"), "10<sup>−3</sup> s");
        assert_eq!(html("x_1 and x_2"), "x<sub>1</sub> and x<sub>2</sub>");
        for plain in ["brake_bound", "_x", "a_", "a_{", "a_{}"] {
            assert_eq!(html(plain), plain);
        }
    }

    #[test]
    fn minus_signs_are_set_and_hyphens_stay() {
        assert_eq!(typographic("-3.9e-4 m (differs by -0.5)"), "−3.9e−4 m (differs by −0.5)");
        for plain in ["2-two-mass", "2026-11-19", "--set x=-1", "stick-slip", "a - b", "file-1"] {
            assert_eq!(typographic(plain), plain);
        }
    }

    #[test]
    fn scripts_return_to_the_line() {
        let text = svg("a_G/N", 10.0);
        assert_eq!(
            text,
            "a<tspan dy=\"2.40\" font-size=\"7.40\">G</tspan><tspan dy=\"-2.40\" font-size=\"10.00\">/N</tspan>"
        );
    }

    #[test]
    fn everything_is_escaped() {
        assert_eq!(escape("<a href='x'>&\"\u{0}"), "&lt;a href=&#39;x&#39;&gt;&amp;&quot;\u{fffd}");
        assert_eq!(html("<b>_G"), "&lt;b&gt;<sub>G</sub>");
        assert_eq!(svg("a_{<}", 10.0), "a<tspan dy=\"2.40\" font-size=\"7.40\">&lt;</tspan>");
    }

    /// Widths of labels of 100 px in DejaVu Sans, as Chromium measures them.
    #[test]
    fn no_label_is_wider_than_its_room() {
        for (text, measured) in MEASURED {
            let found = width(text, 100.0);
            assert!(found >= measured && found < 1.2 * measured, "{text}: {found} for {measured}");
        }
    }

    #[test]
    fn minus_is_typographic_and_zero_has_none() {
        assert_eq!(fixed(-1.5, 1), "−1.5");
        assert_eq!(fixed(-0.0, 0), "0");
        assert_eq!(fixed(-0.01, 1), "0.0");
    }
}
