//! Standard output: as wide as the terminal, in colour on terminals only, and it may close early
//! (`stickslip self-test | head`).

use std::io::{self, IsTerminal, Write};

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};

use super::failure::Failure;
use super::layout::{Laid, Line, Tone};

/// How a tone looks.
const fn style(tone: Tone) -> Style {
    match tone {
        Tone::Plain => AnsiColor::Cyan.on_default(),
        Tone::Title => Style::new().bold(),
        Tone::Good => AnsiColor::Green.on_default(),
        Tone::Doubtful => AnsiColor::Yellow.on_default().bold(),
        Tone::Bad => AnsiColor::Red.on_default().bold(),
    }
}

/// Writes to standard output; a reader that has gone away ends the program quietly.
pub(super) struct Console {
    out: AutoStream<io::Stdout>,
    width: Option<usize>,
}

impl Console {
    /// With colours as asked for: `auto` means on terminals that know them, and not where NO_COLOR is set.
    pub(super) fn new(colour: clap::ColorChoice) -> Console {
        let choice = match colour {
            clap::ColorChoice::Auto => ColorChoice::Auto,
            clap::ColorChoice::Always => ColorChoice::Always,
            clap::ColorChoice::Never => ColorChoice::Never,
        };
        Console { out: AutoStream::new(io::stdout(), choice), width: width() }
    }

    /// Columns of the terminal; none where there is no terminal, and nothing is to be broken.
    pub(super) fn width(&self) -> Option<usize> {
        self.width
    }

    pub(super) fn line(&mut self, text: &str) -> Result<(), Failure> {
        self.text(&format!("{text}\n"))
    }

    /// Statements, broken to the width of the terminal.
    pub(super) fn lines(&mut self, lines: &[Line]) -> Result<(), Failure> {
        let laid = lines.iter().flat_map(|line| line.lay(self.width));
        let text: String = laid.map(|line| shown(&line) + "\n").collect();
        self.text(&text)
    }

    pub(super) fn text(&mut self, text: &str) -> Result<(), Failure> {
        match self.out.write_all(text.as_bytes()).and_then(|()| self.out.flush()) {
            Ok(()) => Ok(()),
            Err(e) if e.kind() == io::ErrorKind::BrokenPipe => Err(Failure::Closed),
            Err(e) => Err(Failure::broken(format!("cannot write to standard output: {e}"))),
        }
    }
}

/// Text in a tone; the codes for it are taken out again where there is no terminal.
fn painted(tone: Tone, text: &str) -> String {
    let style = style(tone);
    // The words and not the blanks around them.
    let words = text.trim();
    match text.find(words) {
        Some(at) if !words.is_empty() => {
            format!("{}{style}{words}{style:#}{}", &text[..at], &text[at + words.len()..])
        }
        _ => text.to_string(),
    }
}

fn shown(line: &Laid) -> String {
    let (head, rest) = line.text.split_at(line.head);
    let (verdict, tone) = line.verdict;
    match rest.len().checked_sub(verdict).filter(|_| verdict > 0).and_then(|at| rest.split_at_checked(at)) {
        Some((rest, verdict)) => format!("{}{rest}{}", painted(line.tone, head), painted(tone, verdict)),
        None => format!("{}{rest}", painted(line.tone, head)),
    }
}

/// Columns that lines may have: what COLUMNS says, or the terminal.
fn width() -> Option<usize> {
    let asked = std::env::var("COLUMNS").ok().and_then(|text| text.trim().parse().ok()).filter(|columns| *columns > 0);
    let found = || terminal_size::terminal_size_of(io::stdout()).map(|(width, _)| usize::from(width.0));
    asked.or_else(|| if io::stdout().is_terminal() { found() } else { None })
}
