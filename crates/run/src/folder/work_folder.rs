//! The folder that a run works in until it is done, and what killed runs left of theirs.
//!
//! ```text
//! out/NAME.partial-PID-RANDOM/lock      held by the run for as long as it lives
//!                             result/   what will become out/NAME
//! ```
//!
//! The system lets go of the lock when the process ends, however it ends: a work folder whose lock can be had belongs to
//! nobody any more. A process number alone would not tell, since numbers are used again.

use std::fs::{self, File, TryLockError};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// First line of a lock. A folder without it is none of ours and is left alone.
const MARK: &str = "stickslip works here; this folder goes when it is done";

/// Second line of the lock of a run that wants exactly its folder, not the next free one.
const CLAIM: &str = "and claims the folder's name";

/// What stands between the name of the wanted folder and the number of the run.
const INFIX: &str = ".partial-";

/// Folders that are tried before giving up: each can only fail by someone clearing it in the very instant it appears.
const TRIES: usize = 100;

/// A folder to work in.
#[derive(Debug)]
pub(super) struct WorkFolder {
    place: PathBuf,
    /// Held while this lives; none where the file system knows no locks.
    lock: Option<File>,
}

impl WorkFolder {
    /// Opens one beside the folder called `name` in `above`, which must exist.
    pub fn open(above: &Path, name: &str, claims: bool) -> io::Result<WorkFolder> {
        for _ in 0..TRIES {
            let random = RandomState::new().hash_one(std::process::id());
            let place = above.join(format!("{name}{INFIX}{}-{random:016x}", std::process::id()));
            match fs::create_dir(&place) {
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists => continue,
                other => other?,
            }
            let mut work_folder = WorkFolder { place, lock: None };
            match work_folder.furnish(claims) {
                Ok(true) => return Ok(work_folder),
                // Someone took it for a leftover before the lock was held.
                Ok(false) => {}
                Err(e) if e.kind() == io::ErrorKind::NotFound => {}
                Err(e) => return Err(e),
            }
        }
        Err(io::Error::other("no folder to work in could be made"))
    }

    /// Takes the lock and makes the folder for the result. False if someone else has the lock.
    fn furnish(&mut self, claims: bool) -> io::Result<bool> {
        let mut lock = File::create_new(self.place.join("lock"))?;
        let held = match lock.try_lock() {
            Ok(()) => true,
            Err(TryLockError::WouldBlock) => return Ok(false),
            // Without locks nobody can take this for a leftover either.
            Err(TryLockError::Error(_)) => false,
        };
        writeln!(lock, "{MARK}")?;
        if claims {
            writeln!(lock, "{CLAIM}")?;
        }
        fs::create_dir_all(self.result().join("figures"))?;
        self.lock = held.then_some(lock);
        Ok(true)
    }

    /// Where the result grows.
    pub fn result(&self) -> PathBuf {
        self.place.join("result")
    }

    /// Takes everything away.
    pub fn clear(&mut self) {
        clear(&self.place);
        self.lock = None;
    }
}

impl Drop for WorkFolder {
    fn drop(&mut self) {
        self.clear();
    }
}

/// Takes a work folder away, its lock last: what is interrupted in this can be told and cleared later. Failures are left
/// to the next run.
fn clear(place: &Path) {
    let _ = fs::remove_dir_all(place.join("result"));
    let _ = fs::remove_file(place.join("lock"));
    let _ = fs::remove_dir(place);
}

/// What other work folders there are.
#[derive(Debug, Default)]
pub(super) struct Others {
    /// Leftovers of killed runs, which are gone now.
    pub cleared: Vec<PathBuf>,
    /// Whether a run that lives claims the name asked for.
    pub claimed: bool,
}

/// Looks at all work folders in a folder: clears those of runs that are gone, and tells whether one that lives claims
/// `name`.
pub(super) fn look_around(above: &Path, name: &str) -> Others {
    let mut others = Others::default();
    let Ok(entries) = fs::read_dir(above) else { return others };
    for entry in entries.flatten() {
        let file_name = entry.file_name();
        let Some((stem, number)) = file_name.to_str().and_then(|n| n.rsplit_once(INFIX)) else { continue };
        if !is_number(number) || !entry.file_type().is_ok_and(|t| t.is_dir()) {
            continue;
        }
        let place = entry.path();
        let lock = match File::open(place.join("lock")) {
            Ok(lock) => lock,
            Err(_) => {
                // Of a run that was killed in its first instant; only what is empty goes.
                let _ = fs::remove_dir(&place);
                continue;
            }
        };
        match lock.try_lock() {
            Ok(()) if marked(&place) => {
                clear(&place);
                others.cleared.push(place);
            }
            Err(TryLockError::WouldBlock) => {
                let text = fs::read_to_string(place.join("lock")).unwrap_or_default();
                others.claimed |= stem == name && text.lines().any(|line| line == CLAIM);
            }
            _ => {}
        }
    }
    others.cleared.sort();
    others
}

/// Whether a lock is one of ours. One that is empty is, too, if there is nothing else: of a run killed before its
/// first word.
fn marked(place: &Path) -> bool {
    match fs::read_to_string(place.join("lock")) {
        Ok(text) => text.starts_with(MARK) || (text.is_empty() && !place.join("result").exists()),
        Err(_) => false,
    }
}

/// `PID-RANDOM`, as [`WorkFolder::open`] writes it.
fn is_number(text: &str) -> bool {
    text.split_once('-').is_some_and(|(pid, random)| {
        !pid.is_empty()
            && pid.bytes().all(|b| b.is_ascii_digit())
            && random.len() == 16
            && random.bytes().all(|b| b.is_ascii_hexdigit())
    })
}
