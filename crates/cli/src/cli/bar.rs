//! A sign of life for whatever takes more than a second.

use std::io::{IsTerminal, Write};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use stickslip::run::Step;
use stickslip::run::text::number_to;

/// What lasts no longer is not worth a bar.
const PATIENCE: Duration = Duration::from_secs(1);

/// How often the bar is looked after.
const TICK: Duration = Duration::from_millis(100);

/// What is shown of work whose share done is known.
const SHARE: &str = "{spinner} {bar:30} {percent:>3} %  {msg}  {elapsed}";

/// What is shown of other work: a full bar would say that it is done.
const OTHER: &str = "{spinner} {msg}  {elapsed}";

/// Parts that a bar has.
const PARTS: u64 = 1000;

/// How long nothing is said where standard error is not a terminal; then after twice that time, and so on.
const SILENCE: Duration = Duration::from_secs(10);

/// A progress bar on standard error, if that is a terminal. It appears after a second and keeps moving by itself, so
/// that work that has nothing to tell is seen to go on as well. Where there is no terminal, a line now and then says how
/// far the work is.
pub(super) struct Bar {
    bar: ProgressBar,
    last: Option<Instant>,
    /// Which of several runs this is about, in words; empty for a single one.
    about: String,
    /// Closed when all is done.
    done: Option<Sender<()>>,
    waiting: Option<JoinHandle<()>>,
}

impl Bar {
    /// One that is shown, unless nothing is to be.
    pub(super) fn new(quiet: bool) -> Bar {
        let bar = ProgressBar::with_draw_target(Some(PARTS), ProgressDrawTarget::hidden()).with_style(style(OTHER));
        let (done, told) = mpsc::channel::<()>();
        let shown = bar.clone();
        // Where the system grants no thread there is no bar: that is no reason to stop.
        let waiting = std::thread::Builder::new().spawn(move || {
            if quiet {
                return;
            }
            if told.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                shown.set_draw_target(ProgressDrawTarget::stderr());
                shown.enable_steady_tick(TICK);
            }
            let mut silence = SILENCE;
            while !std::io::stderr().is_terminal() && told.recv_timeout(silence) == Err(RecvTimeoutError::Timeout) {
                // A closed standard error is no reason to stop.
                let _ = writeln!(
                    std::io::stderr(),
                    "still at work after {:.0} s: {}",
                    shown.elapsed().as_secs_f64(),
                    shown.message()
                );
                silence *= 2;
            }
        });
        Bar { bar, last: None, about: String::new(), done: Some(done), waiting: waiting.ok() }
    }

    pub(super) fn show(&mut self, step: Step) {
        let now = Instant::now();
        if is_often(&step) && self.last.is_some_and(|last| now - last < TICK) {
            return;
        }
        self.last = Some(now);
        if let Step::Run(number, of, name) = &step {
            self.about = format!("{number} of {of}, {name}: ");
        }
        let put = |share: f64, message: String| {
            self.bar.set_style(style(SHARE));
            self.bar.set_position((PARTS as f64 * share) as u64);
            self.bar.set_message(format!("{}{message}", self.about));
        };
        let put_other = |message: &str| {
            self.bar.set_style(style(OTHER));
            self.bar.set_message(format!("{}{message}", self.about));
        };
        match step {
            Step::Run(..) => put_other("beginning"),
            Step::Steps(n, total) => put(n as f64 / total.max(1) as f64, format!("solving, {n} of {total}")),
            Step::Time(t, end) => put(t / end, format!("running, t = {} of {} s", number_to(t, 4), number_to(end, 4))),
            Step::Share(share, words) => put(share, words),
            Step::Convergence => put_other("measuring the order of convergence"),
            Step::Check => put_other("telling physics from numerics"),
            Step::Recurrence => put_other("measuring section and Lyapunov exponents"),
            Step::Report => put_other("drawing the report"),
        }
    }

    pub(super) fn clear(&mut self) {
        self.done = None;
        if let Some(waiting) = self.waiting.take() {
            // It only waits; had it panicked, there would be no bar and nothing to clear.
            let _ = waiting.join();
        }
        self.bar.finish_and_clear();
    }
}

/// Whether so much is told of this that most of it may go unseen.
fn is_often(step: &Step) -> bool {
    matches!(step, Step::Steps(..) | Step::Time(..))
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}
