//! What is told of a finished job, and where: `--quiet`, `--json`, `--open`.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::console::Console;
use super::failure::Failure;
use super::layout::Line;

/// How to tell what came out.
#[derive(Debug, Clone, Copy, Default, clap::Args)]
pub(super) struct Output {
    /// Print nothing but warnings and errors, and show no progress
    #[arg(long, short)]
    quiet: bool,
    /// Print the summary as JSON to standard output, and nothing else there
    #[arg(long)]
    json: bool,
    /// Open the report in the browser
    #[arg(long)]
    open: bool,
}

impl Output {
    /// Whether progress and words about it are left out.
    pub(super) fn is_quiet(self) -> bool {
        self.quiet
    }

    /// Tells it: in lines, or as JSON, or not at all; `doubts` are told in any case, to standard error where standard
    /// output has no room for them. Then opens the report, if asked to.
    pub(super) fn tell(
        self,
        console: &mut Console,
        lines: &[Line],
        doubts: &[String],
        json: impl FnOnce() -> Result<String, Failure>,
        report: &Path,
    ) -> Result<(), Failure> {
        if self.json {
            console.text(&json()?)?;
        } else if !self.quiet {
            console.lines(lines)?;
        }
        if self.quiet || self.json {
            doubts.iter().for_each(|doubt| say(doubt));
        }
        if self.open
            && let Err(reason) = open(report)
        {
            say(&format!("cannot open the report ({reason}); open it yourself: {}", report.display()));
        }
        Ok(())
    }
}

/// Says something to whoever waits, beside the output.
pub(super) fn say(words: &str) {
    use std::io::Write;
    // A closed standard error is no reason to stop.
    let _ = writeln!(std::io::stderr(), "{words}");
}

/// How long the program that opens a page is watched: what lasts longer shows it.
const WATCHED: Duration = Duration::from_secs(2);

/// How often it is looked at meanwhile.
const LOOK: Duration = Duration::from_millis(20);

/// Opens a page by the system's program for that; what went wrong in words.
fn open(page: &Path) -> Result<(), String> {
    let (program, arguments): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        // The empty word is the title of a window, which `start` takes first.
        ("cmd", &["/C", "start", ""])
    } else {
        ("xdg-open", &[])
    };
    let mut command = Command::new(program);
    command.args(arguments).arg(page).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().map_err(|e| match e.kind() {
        std::io::ErrorKind::NotFound => format!("there is no program `{program}`"),
        _ => format!("`{program}`: {e}"),
    })?;
    let begin = Instant::now();
    while begin.elapsed() < WATCHED {
        match child.try_wait() {
            Ok(Some(status)) if status.success() => return Ok(()),
            Ok(Some(status)) => return Err(format!("`{program}` ended with {status}")),
            Ok(None) => std::thread::sleep(LOOK),
            Err(e) => return Err(format!("`{program}`: {e}")),
        }
    }
    Ok(())
}
