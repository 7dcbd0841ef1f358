//! Reads formulas by recursive descent, one function for each rule of the grammar.

use std::ops::Range;

use super::error::ExpressionError;
use super::formula::Resolve;
use super::function::{Function, constant, corner, function};
use super::hint;
use super::program::{Corner, Operator, Program};

/// Longest text that is read, in bytes.
const LONGEST: usize = 4096;

/// Most brackets and powers inside each other: the reader descends once for each.
const DEEPEST: usize = 64;

/// Reads a formula of time.
pub(super) fn read(text: &str) -> Result<Program, ExpressionError> {
    read_by(Reader { text, at: 0, depth: 0, program: Program::default(), names: None })
}

/// Reads a formula of named variables, which may compare: `stuck.pad > 0.5`.
pub(super) fn read_named(text: &str, names: Resolve<'_>) -> Result<Program, ExpressionError> {
    read_by(Reader { text, at: 0, depth: 0, program: Program::default(), names: Some(names) })
}

fn read_by(mut reader: Reader<'_, '_>) -> Result<Program, ExpressionError> {
    let text = reader.text;
    if text.len() > LONGEST {
        let help = "shorten it, or give the signal by points or by a CSV file";
        return Err(reader.fault(0..0, format!("it is longer than {LONGEST} characters"), help));
    }
    if text.trim().is_empty() {
        return Err(reader.fault(0..0, "it is empty".into(), reader.example()));
    }
    reader.whole()?;
    if let Some(c) = reader.next() {
        return Err(reader.no_operator(c));
    }
    if reader.program.fits() { Ok(reader.program) } else { Err(reader.too_deep(0)) }
}

struct Reader<'a, 'r> {
    text: &'a str,
    /// Bytes read so far.
    at: usize,
    depth: usize,
    program: Program,
    /// What variables there are; none in formulas of time.
    names: Option<Resolve<'r>>,
}

type Read = Result<(), ExpressionError>;

/// What compares two values: 1 where it holds, 0 where it does not, and nothing where one of them is nothing.
type Compares = (&'static str, fn(f64, f64) -> f64);

/// Longer signs first: `<` begins `<=`.
const COMPARISONS: [Compares; 8] = [
    ("<=", |a, b| truth(a, b, a <= b)),
    ("≤", |a, b| truth(a, b, a <= b)),
    (">=", |a, b| truth(a, b, a >= b)),
    ("≥", |a, b| truth(a, b, a >= b)),
    ("==", |a, b| truth(a, b, a == b)),
    ("!=", |a, b| truth(a, b, a != b)),
    ("<", |a, b| truth(a, b, a < b)),
    (">", |a, b| truth(a, b, a > b)),
];

fn truth(a: f64, b: f64, holds: bool) -> f64 {
    if a.is_nan() || b.is_nan() { f64::NAN } else { f64::from(u8::from(holds)) }
}

/// 1 for a value, 0 for what is none.
fn known(x: f64) -> f64 {
    f64::from(u8::from(!x.is_nan()))
}

/// Length of a name with dots in it, such as `stuck.1l` or `stuck."front left"`.
fn dotted_length(text: &str) -> usize {
    let word = |text: &str| match text.strip_prefix('"') {
        Some(inner) => inner.find('"').map(|end| end + 2),
        None => Some(text.find(|c: char| !hint::continues_name(c)).unwrap_or(text.len())).filter(|length| *length > 0),
    };
    let mut length = word(text).unwrap_or(0);
    while let Some(more) = text[length..].strip_prefix('.').and_then(word) {
        length += 1 + more;
    }
    length
}

impl<'a> Reader<'a, '_> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// The next character that is no blank, which is not taken yet.
    fn next(&mut self) -> Option<char> {
        self.at = self.text.len() - self.rest().trim_start().len();
        self.rest().chars().next()
    }

    /// Takes an operator or bracket, if it comes next.
    fn take(&mut self, symbol: &str) -> bool {
        self.next();
        let found = self.rest().starts_with(symbol);
        if found {
            self.at += symbol.len();
        }
        found
    }

    /// `sum [ compares sum ]` where there are variables, and else a sum.
    fn whole(&mut self) -> Read {
        self.sum()?;
        if self.names.is_none() {
            return Ok(());
        }
        self.next();
        let rest = self.rest();
        let Some((sign, function)) = COMPARISONS.iter().find(|(sign, _)| rest.starts_with(sign)) else {
            return Ok(());
        };
        self.at += sign.len();
        self.sum()?;
        self.program.combine(*function, Corner::None);
        Ok(())
    }

    fn example(&self) -> &'static str {
        if self.names.is_some() { hint::NAMED_EXAMPLE } else { hint::EXAMPLE }
    }

    fn sum(&mut self) -> Read {
        self.product()?;
        loop {
            let operator = match self.next() {
                Some('+') => Operator::Add,
                Some('-') => Operator::Subtract,
                _ => return Ok(()),
            };
            self.at += 1;
            self.product()?;
            self.program.operate(operator);
        }
    }

    fn product(&mut self) -> Read {
        self.signed()?;
        loop {
            let operator = match self.next() {
                Some('*') => Operator::Multiply,
                Some('/') => Operator::Divide,
                _ => return Ok(()),
            };
            self.at += 1;
            self.signed()?;
            self.program.operate(operator);
        }
    }

    fn signed(&mut self) -> Read {
        let mut negative = false;
        while let Some(sign @ ('+' | '-')) = self.next() {
            negative ^= sign == '-';
            self.at += 1;
        }
        self.power()?;
        if negative {
            self.program.negate();
        }
        Ok(())
    }

    fn power(&mut self) -> Read {
        self.value()?;
        let at = self.at;
        if self.take("**") || self.take("^") {
            self.deeper(at, Self::signed)?;
            self.program.operate(Operator::Power);
        }
        Ok(())
    }

    fn value(&mut self) -> Read {
        let start = self.at;
        match self.next() {
            Some('(') => self.bracket(),
            Some('0'..='9' | '.') => self.number(),
            Some(c) if hint::begins_name(c) => self.name(),
            Some('"') if self.names.is_some() => self.name(),
            Some(c) => Err(self.no_value(start, Some(c))),
            None => Err(self.no_value(start, None)),
        }
    }

    /// `( sum )`.
    fn bracket(&mut self) -> Read {
        let open = self.at;
        self.at += 1;
        if self.next() == Some(')') {
            let help = "write a value between them, or leave the brackets out";
            return Err(self.fault(open..self.at + 1, "there is nothing between these brackets".into(), help));
        }
        self.deeper(open, Self::whole)?;
        self.close(open)
    }

    fn close(&mut self, open: usize) -> Read {
        if self.take(")") {
            return Ok(());
        }
        match self.next() {
            None => Err(self.fault(open..open + 1, "this `(` is never closed".into(), "add the missing `)`")),
            Some(c) => Err(self.no_operator(c)),
        }
    }

    /// Digits with a point and an exponent: `2`, `.5`, `1.5e-3`.
    fn number(&mut self) -> Read {
        let start = self.at;
        let bytes = self.text.as_bytes();
        let digits =
            |from: usize| from + bytes[from.min(bytes.len())..].iter().take_while(|b| b.is_ascii_digit()).count();
        let mut end = digits(start);
        if bytes.get(end) == Some(&b'.') {
            end = digits(end + 1);
        }
        if let Some(b'e' | b'E') = bytes.get(end) {
            let from = end + 1 + usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
            let stop = digits(from);
            if stop > from {
                end = stop;
            }
        }
        self.at = end;
        // What goes on as a number would (1.2.3, 1e5.5) must not be read as two.
        let goes_on = self.rest().starts_with('.');
        match self.text[start..end].parse::<f64>() {
            Ok(value) if value.is_finite() && !goes_on => {
                self.program.number(value);
                Ok(())
            }
            Ok(value) if !value.is_finite() => {
                Err(self.fault(start..end, "this number is too large".into(), "numbers reach to about 1.8e308"))
            }
            _ => Err(self.fault(start..end, "this is no number".into(), "write numbers as in 2, 0.5 or 1.5e-3")),
        }
    }

    /// `t`, a constant, or a function with its arguments.
    fn name(&mut self) -> Read {
        let start = self.at;
        let length = match self.names {
            Some(_) => dotted_length(self.rest()),
            None => self.rest().find(|c: char| !hint::continues_name(c)).unwrap_or(self.rest().len()),
        };
        let place = start..start + length;
        let name = &self.text[place.clone()];
        self.at = place.end;
        let called = self.next() == Some('(');
        if self.names.is_some() {
            return self.variable(name, place, called);
        }
        let value = if name == "t" { None } else { constant(name) };
        if name == "t" || value.is_some() {
            if called {
                let message = format!("`{name}` is no function");
                return Err(self.fault(place, message, format!("write {name}*(…) for a product")));
            }
            match value {
                Some(value) => self.program.number(value),
                None => self.program.time(),
            }
            return Ok(());
        }
        match function(name) {
            Some(function) if called => self.call(name, &place, function),
            Some(_) => {
                let message = format!("the function {name} needs its argument in brackets");
                Err(self.fault(place, message, format!("write {}", hint::usage(name))))
            }
            None => {
                let (message, help) = hint::unknown(name);
                Err(self.fault(place, message, help))
            }
        }
    }

    /// A variable, a constant, or a function with its arguments.
    fn variable(&mut self, name: &str, place: Range<usize>, called: bool) -> Read {
        match (called, function(name)) {
            (true, Some(function)) => return self.call(name, &place, function),
            (true, None) if name == "known" => return self.call(name, &place, Function::One(known)),
            (true, None) => {
                let message = format!("`{name}` is no function");
                return Err(self.fault(place, message, "a product is written with *"));
            }
            (false, _) => {}
        }
        let Some(names) = self.names.as_mut() else { return Ok(()) };
        match (names(name), constant(name)) {
            (Ok(number), _) => self.program.variable(number),
            (Err(_), Some(value)) => self.program.number(value),
            (Err((message, help)), None) => return Err(self.fault(place, message, help)),
        }
        Ok(())
    }

    /// `( sum, sum, … )` after the name of a function.
    fn call(&mut self, name: &str, place: &Range<usize>, function: Function) -> Read {
        let open = self.at;
        self.at += 1;
        let mut count = 0;
        loop {
            if let Some(',' | ')') = self.next() {
                let message = if count == 0 && self.rest().starts_with(')') {
                    format!("the function {name} has no argument")
                } else {
                    format!("an argument of {name} is empty")
                };
                return Err(self.fault(self.at..self.at + 1, message, format!("write {}", hint::usage(name))));
            }
            self.deeper(open, Self::whole)?;
            count += 1;
            if let (Function::Many(apply), true) = (function, count > 1) {
                self.program.combine(apply, corner(name));
            }
            if !self.take(",") {
                break;
            }
        }
        self.close(open)?;
        match function {
            Function::One(apply) if count == 1 => self.program.call(apply, corner(name)),
            Function::Two(apply) if count == 2 => self.program.combine(apply, corner(name)),
            Function::Many(_) if count >= 2 => {}
            _ => {
                let wanted = match function {
                    Function::One(_) => "one argument",
                    Function::Two(_) => "two arguments",
                    Function::Many(_) => "at least two arguments",
                };
                let message = format!("the function {name} has {wanted}, found {count}");
                return Err(self.fault(place.clone(), message, format!("write {}", hint::usage(name))));
            }
        }
        Ok(())
    }

    /// One level further down.
    fn deeper(&mut self, at: usize, rule: fn(&mut Self) -> Read) -> Read {
        if self.depth == DEEPEST {
            return Err(self.too_deep(at));
        }
        self.depth += 1;
        let read = rule(self);
        self.depth -= 1;
        read
    }

    fn too_deep(&self, at: usize) -> ExpressionError {
        let message = format!("more than {DEEPEST} brackets or powers stand inside each other");
        self.fault(at..at, message, "write it in a simpler way, or give the signal by points or by a CSV file")
    }

    /// The fault of something that stands where a value should begin.
    fn no_value(&self, start: usize, found: Option<char>) -> ExpressionError {
        let before = self.text[..start].trim_end();
        let after = before.chars().next_back().map_or(String::new(), |c| format!(" after `{c}`"));
        let (end, symbol) = found.map_or((self.at, String::new()), |c| (self.at + c.len_utf8(), hint::shown(c)));
        match found {
            None => {
                let message = format!("it breaks off: a value is missing{after}");
                self.fault(self.at..end, message, self.example())
            }
            Some(c) => match hint::symbol(c) {
                Some(help) => self.fault(self.at..end, format!("unexpected {symbol}"), help),
                None => {
                    let message = format!("a value is missing before {symbol}");
                    self.fault(self.at..end, message, "write a number, t, pi or a function such as sin(t) there")
                }
            },
        }
    }

    /// The fault of something that stands where an operator should.
    fn no_operator(&self, found: char) -> ExpressionError {
        let place = self.at..self.at + found.len_utf8();
        if found == ')' {
            return self.fault(place, "this `)` closes nothing".into(), "leave it out, or open a bracket before it");
        }
        if found == ',' {
            let help = "decimals are written with a point: 1.5, not 1,5; arguments stand in the brackets of a function";
            return self.fault(place, "unexpected `,`".into(), help);
        }
        if found == '(' || found.is_ascii_digit() || found == '.' || hint::begins_name(found) {
            let message = format!("an operator is missing before {}", hint::shown(found));
            return self.fault(place, message, "a product is written with *, as in 2*t or 3*(t + 1)");
        }
        let help = hint::symbol(found).unwrap_or("known are + - * / ^ and brackets");
        self.fault(place, format!("unexpected {}", hint::shown(found)), help)
    }

    fn fault(&self, span: Range<usize>, message: String, help: impl Into<String>) -> ExpressionError {
        ExpressionError::new(self.text, span, message, help.into())
    }
}
