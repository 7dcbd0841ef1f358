//! Checksums of the dataset, so that a bit that has flipped on a disk is told and not believed.
//!
//! `SHA256SUMS` has a line for each block, as `sha256sum` writes them; `sha256sum -c SHA256SUMS` in the folder checks without this program.
//! The line of a block is on the disk before the block has its name, so that a kill leaves none without; of several lines the last counts.

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use sha2::{Digest, Sha256};
use stickslip_report::table::dataset::{Cells, DataColumn, read_block as decoded};

use crate::SweepError;

/// The file of a folder.
const SUMS: &str = "SHA256SUMS";

/// The checksums of a folder, by the names of its files.
#[derive(Debug)]
pub(crate) struct Sums {
    folder: PathBuf,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    known: BTreeMap<String, String>,
    /// Whether a kill or a full disk may have left the last line without its end.
    torn: bool,
}

impl Sums {
    /// Those that a folder has; none where there is no file of them.
    pub fn of(folder: &Path) -> Result<Sums, SweepError> {
        let path = folder.join(SUMS);
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(SweepError::files(format!("cannot read {}: {error}", path.display()))),
        };
        // A line that a kill has cut, or that is damaged, is none: its block is told as one without.
        let text = String::from_utf8_lossy(&bytes);
        let line = |line: &str| line.split_once("  ").map(|(sum, name)| (name.to_string(), sum.to_string()));
        let torn = bytes.last().is_some_and(|last| *last != b'\n');
        let state = State { known: text.lines().filter_map(line).collect(), torn };
        Ok(Sums { folder: folder.to_path_buf(), state: Mutex::new(state) })
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // A thread that panicked has left a whole list.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes the checksum of a file that is about to be written; `path` lies in the folder.
    pub fn note(&self, path: &Path, bytes: &[u8]) -> Result<(), SweepError> {
        let (name, sum) = (self.name(path), hex(bytes));
        let mut state = self.lock();
        if state.known.get(&name) == Some(&sum) {
            return Ok(());
        }
        let sums = self.folder.join(SUMS);
        let line = format!("{}{sum}  {name}\n", if state.torn { "\n" } else { "" });
        state.torn = true;
        let written = OpenOptions::new()
            .append(true)
            .create(true)
            .open(&sums)
            .and_then(|mut file| file.write_all(line.as_bytes()).and_then(|()| file.sync_all()));
        written.map_err(|error| SweepError::files(format!("cannot write {}: {error}", sums.display())))?;
        state.torn = false;
        state.known.insert(name, sum);
        Ok(())
    }

    /// Refuses a file that is not what was written.
    pub fn check(&self, path: &Path) -> Result<(), SweepError> {
        let damaged = |why: &str| Err(SweepError::damaged(path, why));
        let bytes = match fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) => return damaged(&format!("cannot be read: {error}")),
        };
        match self.lock().known.get(&self.name(path)) {
            Some(sum) if *sum == hex(&bytes) => Ok(()),
            Some(_) => damaged("is damaged: it does not have the checksum that SHA256SUMS says"),
            None => damaged("has no checksum in SHA256SUMS, so that nobody knows whether it is what was written"),
        }
    }

    /// All lines once, by name: the same file however the dataset was made.
    pub fn sorted(&self) -> String {
        self.lock().known.iter().map(|(name, sum)| format!("{sum}  {name}\n")).collect()
    }

    /// A path as the file has it.
    fn name(&self, path: &Path) -> String {
        let own = path.strip_prefix(&self.folder).unwrap_or(path);
        let parts: Vec<_> = own.components().map(|part| part.as_os_str().to_string_lossy()).collect();
        parts.join("/")
    }
}

/// The name of the file, for those who write it as a whole.
pub(crate) const fn name() -> &'static str {
    SUMS
}

fn hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Reads a block of a dataset, wherever it lies; where the folder above has checksums, it must have its own.
pub fn read_block(path: &Path, columns: &[DataColumn]) -> Result<Vec<Cells>, SweepError> {
    if let Some(folder) = path.parent().and_then(Path::parent).filter(|folder| folder.join(SUMS).is_file()) {
        Sums::of(folder)?.check(path)?;
    }
    Ok(decoded(path, columns)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bit_counts_and_cut_lines_do_no_harm() {
        let folder = tempfile::tempdir().expect("a folder");
        let (one, two) = (folder.path().join("data-1"), folder.path().join("data-2"));
        let sums = Sums::of(folder.path()).expect("none");
        for (path, bytes) in [(&one, b"abc"), (&two, b"xyz")] {
            sums.note(path, bytes).expect("noted");
            fs::write(path, bytes).expect("written");
        }
        assert!(sums.check(&one).is_ok() && sums.check(&two).is_ok());
        // NIST's example.
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  data-1\n";
        assert!(sums.sorted().starts_with(abc));
        for bit in 0..24 {
            let mut bytes = *b"abc";
            bytes[bit / 8] ^= 1 << (bit % 8);
            fs::write(&one, bytes).expect("written");
            let told = sums.check(&one).expect_err("damaged").to_string();
            assert!(told.contains("data-1 is damaged"), "{told}");
        }
        fs::write(&one, b"abc").expect("written");
        let whole = fs::read(folder.path().join(SUMS)).expect("there");
        // Without its end alone a line is whole.
        for cut in 0..whole.len() - 1 {
            fs::write(folder.path().join(SUMS), &whole[..cut]).expect("written");
            let again = Sums::of(folder.path()).expect("readable");
            let told = again.check(&two).expect_err("no whole line").to_string();
            assert!(told.contains("data-2 "), "{told}");
            again.note(&two, b"xyz").expect("noted");
            assert!(Sums::of(folder.path()).expect("readable").check(&two).is_ok(), "{cut}");
        }
    }
}
