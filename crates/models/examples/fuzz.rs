//! Feeds spoilt scenarios to the reader and reports panics, hangs and misplaced errors.
//!
//! ```sh
//! cargo run --release -p stickslip-scenario --example fuzz -- --seconds 60 --seed 1
//! ```
//!
//! The same seed tries the same inputs in the same order. What it finds is saved into `tests/corpus`, which
//! the tests replay. A stack overflow ends the program at once; the input is then in the file named at
//! the start.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use stickslip_models::MODELS;
use stickslip_scenario::Override;

/// Every form of signal in one file.
const FORMS: &str = r#"model = "wheel"
title = "Every form"
wheel = { mass = "0.4 t", inertia = "1.2 kg m^2", radius = "300 mm" }
[ground]
friction = { sine = { amplitude = 0.1, frequency = "2 Hz", phase = "90 deg", offset = "80 %" } }
gravity = "9.81 m s⁻²"
[motor]
torque = { expression = "-100*sin(2*pi*t)^2/(1+abs(t-3))+max(1,t)-min(2,exp(-t))" }
[brake.torque]
points = [[0, 0], ["0.5 s", "10 N·m"], [1e0, 1.5e2], [1, 3]]
[initial]
speed = "35 km/h"
wheel_speed = "-9.7 m/s"
angle = "1 rev"
[run]
duration = "1 min"
step = 0.5e-3
scheme = "implicit-euler"
[output]
every = 10
"#;

/// Pieces that readers stumble over.
#[rustfmt::skip]
const WORDS: &[&str] = &[
    "nan", "-inf", "1e400", "-1e-400", "1e99999999999", "0x7fffffffffffffff", "99999999999999999999999999999999999999999",
    "-0.0", "1_0", "\"\"", "\"\"\"", "'''", "[[", "]]", "[", "]", "{", "}", "=", ",", ".", "\n", "\r", "\t", "\0", "#", "\u{feff}",
    "\\u0000", "\\UFFFFFFFF", "true", "2026-01-01T00:00:00Z", "\"1 m^-9 kg^9\"", "\"1 µm·km/(h (s))\"", "\" 5 ⁻¹\"",
    "\"1e5e5 kg\"", "\"-. kg\"", "\"°\"", "(", ")", "((((((((", "^", "^-2", "/", "*", "+", "-", "--", "sin", "exp", "ln", "atan2", "signum", "sqrt ", "floor(", "max(", "{t}", "if", "fact", "t", "pi", "PI", "%", "1/0",
    "wheel", "ground", "motor", "brake", "run", "model", "step", "every", "max", "torque", "trapezoid", "points", "sine", "expression",
    "csv", "time", "column", "unit", "period", "{ points = [] }", "{ csv = \"/dev/zero\", column = \"x\" }", "[motor.torque]", "[[wheel]]", "a.b.c=1\n",
    "é", "𝛼", "\u{200b}", "\u{200b}°", "…", "%%", "e", "1e", "E+", "0.", ".5",
];

/// xorshift64*: small, and the same everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// A number below `n`, or 0.
    fn below(&mut self, n: usize) -> usize {
        ((self.next() >> 11) % n.max(1) as u64) as usize
    }

    fn word(&mut self) -> &'static [u8] {
        WORDS[self.below(WORDS.len())].as_bytes()
    }
}

fn mutate(input: &mut Vec<u8>, seeds: &[Vec<u8>], random: &mut Random) {
    let at = random.below(input.len() + 1);
    let end = (at + random.below(12)).min(input.len());
    match random.below(10) {
        0 if at < input.len() => input[at] ^= 1 << random.below(8),
        1 if at < input.len() => input[at] = random.next() as u8,
        2 => drop(input.drain(at..end)),
        3 | 4 => drop(input.splice(at..at, random.word().iter().copied())),
        5 | 6 => drop(input.splice(at..end, random.word().iter().copied())),
        7 => {
            // A piece of another seed.
            let other = &seeds[random.below(seeds.len())];
            let from = random.below(other.len());
            let to = (from + random.below(80)).min(other.len());
            input.splice(at..end, other[from..to].iter().copied());
        }
        8 => {
            // The same piece over and over: nesting, long words, long numbers.
            let piece = if random.below(2) == 0 { random.word().to_vec() } else { input[at..end].to_vec() };
            let times = 1 << random.below(13);
            let many = piece.repeat(times);
            input.splice(at..at, many);
        }
        _ => {
            // Inside a value: after a `=` or a quote.
            let marks: Vec<usize> = (0..input.len()).filter(|&i| matches!(input[i], b'=' | b'"')).collect();
            if let Some(&mark) = marks.get(random.below(marks.len())) {
                input.splice(mark + 1..mark + 1, random.word().iter().copied());
            }
        }
    }
    input.truncate(1 << 17);
}

/// A good scenario but for one formula or quantity, made of words that belong there.
fn composed(random: &mut Random) -> Vec<u8> {
    #[rustfmt::skip]
    const FORMULA: &[&str] = &[
        "t", "pi", "1", "2.5", "1e3", "1e400", ".", "+", "-", "*", "/", "^", "%", "(", ")", "{", "}", ",", " ", "sin", "cos", "tan", "exp", "ln",
        "log10", "sqrt", "abs", "signum", "floor", "round", "max", "min", "atan2", "cbrt", "PI", "E", "e", "x", "τ", "==", "<", "&&", "||", "|",
    ];
    #[rustfmt::skip]
    const QUANTITY: &[&str] = &[
        "1", "-2.5", "e5", "e-400", "+", ".", " ", "N", "m", "kg", "s", "Nm", "kN", "µ", "°", "deg", "rpm", "%", "h", "min", "Q", "da", "J", "W",
        "^", "2", "-1", "^9", "²", "⁻", "¹", "*", "·", "/", "(", ")", "1/", "\t", "\u{a0}",
    ];
    let (words, open, close) = match random.below(2) {
        0 => (FORMULA, "{ expression = '", "' }"),
        _ => (QUANTITY, "\"1 ", "\""),
    };
    let text: String = (0..random.below(24)).map(|_| words[random.below(words.len())]).collect();
    let value = format!("torque = {open}{text}{close}\n");
    let lines = builtin(1).text.lines().filter(|l| !l.starts_with('#') && !l.starts_with("torque"));
    let file: String = lines.map(|l| format!("{l}\n")).collect();
    file.replace("[brake]\n", &format!("[motor]\n{value}[brake]\n")).into_bytes()
}

/// Reads the input as a file and now and then as an override; says what is wrong with the reader, if anything.
fn trial(input: &str) -> Result<(), String> {
    let attempt = |name: &str, text: &str, overrides: &[Override]| -> Result<(), String> {
        match MODELS.parse(name, text, "", overrides) {
            Ok(scenario) => {
                let again = MODELS
                    .parse(name, &scenario.text, "", &[])
                    .map_err(|e| format!("the effective text is refused: {e}\n{}", scenario.text))?;
                if format!("{:?}", again.model) != format!("{:?}", scenario.model) {
                    return Err(format!("the effective text says something else:\n{}", scenario.text));
                }
            }
            Err(error) => {
                let text = error.source_text().ok_or("an error without text")?;
                if text.get(error.span()).is_none() || error.position().is_none() {
                    return Err("a span outside of the text".to_string());
                }
                if error.message().is_empty() || error.to_string().len() > 4096 + name.len() {
                    return Err(format!("an unfit message: {error}"));
                }
                if error.message().contains('\n') || error.help().is_none() {
                    return Err(format!("no help, or more than one line: {error}"));
                }
            }
        }
        Ok(())
    };
    attempt("fuzz", input, &[])?;
    if !input.len().is_multiple_of(4) {
        return Ok(());
    }
    // The last line as an override of a good scenario.
    let line = input.lines().last().unwrap_or("");
    attempt("good", builtin(0).text, &[line.into(), Override::new(format!("brake.torque={line}"))])
}

fn argument(name: &str, default: u64) -> u64 {
    let mut arguments = std::env::args().skip_while(|a| a != name);
    arguments.nth(1).and_then(|value| value.parse().ok()).unwrap_or(default)
}

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus")
}

fn seeds() -> Vec<Vec<u8>> {
    let mut seeds: Vec<Vec<u8>> = MODELS.builtins().map(|b| b.text.into()).collect();
    // Without comments there is less to hit that does not matter.
    let bare = |text: &str| -> Vec<u8> {
        let lines = text.lines().filter(|l| !l.starts_with('#'));
        lines.flat_map(|l| l.bytes().chain([b'\n'])).collect()
    };
    seeds.extend(MODELS.builtins().map(|b| bare(b.text)));
    seeds.extend([FORMS.into(), FORMS.into(), FORMS.into()]);
    let mut files: Vec<PathBuf> =
        fs::read_dir(corpus()).map(|entries| entries.flatten().map(|e| e.path()).collect()).unwrap_or_default();
    files.sort();
    seeds.extend(files.iter().filter_map(|path| fs::read(path).ok()));
    seeds
}

#[expect(clippy::print_stdout, reason = "a program that reports to its user")]
fn main() -> ExitCode {
    let (seconds, seed) = (argument("--seconds", 10), argument("--seed", 1));
    let scratch = std::env::temp_dir().join(format!("stickslip-fuzz-{}.toml", std::process::id()));
    println!("seed {seed}, {seconds} s; the input under test is in {}", scratch.display());
    panic::set_hook(Box::new(|_| {}));

    let seeds = seeds();
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let (start, mut tried, mut accepted, mut found) = (Instant::now(), 0_u64, 0_u64, 0_u64);
    let mut slowest = Duration::ZERO;
    while start.elapsed() < Duration::from_secs(seconds) {
        let mut input;
        if random.below(3) == 0 {
            input = composed(&mut random);
        } else {
            input = seeds[random.below(seeds.len())].clone();
            for _ in 0..=random.below(6) {
                mutate(&mut input, &seeds, &mut random);
            }
        }
        let text = String::from_utf8_lossy(&input);
        // Should the stack overflow, nothing else tells which input it was.
        let _ = fs::write(&scratch, text.as_bytes());
        let began = Instant::now();
        let outcome = panic::catch_unwind(AssertUnwindSafe(|| trial(&text)));
        let took = began.elapsed();
        slowest = slowest.max(took);
        tried += 1;
        accepted += u64::from(MODELS.parse("fuzz", &text, "", &[]).is_ok());
        let complaint = match outcome {
            Ok(Ok(())) if took < Duration::from_secs(2) => continue,
            Ok(Ok(())) => format!("took {took:?}"),
            Ok(Err(complaint)) => complaint,
            Err(_) => "panicked".to_string(),
        };
        found += 1;
        let mut hasher = DefaultHasher::new();
        text.hash(&mut hasher);
        let path = corpus().join(format!("found-{:016x}.toml", hasher.finish()));
        println!("{}: {complaint}", path.display());
        if let Err(e) = fs::write(&path, text.as_bytes()) {
            println!("cannot save it: {e}");
        }
        if found >= 20 {
            break;
        }
    }
    let _ = fs::remove_file(&scratch);
    println!("{tried} inputs, {accepted} of them good scenarios, {found} findings, slowest {slowest:?}");
    if found == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// A built-in scenario by its number.
fn builtin(k: usize) -> &'static stickslip_scenario::Builtin {
    MODELS.builtins().nth(k).expect("as many")
}
