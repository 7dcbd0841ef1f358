//! Where a run writes: all of it or nothing, and never over what is there unless asked to.

mod work_folder;

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::Scenario;

use self::work_folder::{WorkFolder, look_around};

/// A folder that appears only when everything in it has been written.
///
/// Files go to a folder beside the wanted one; [`OutputFolder::publish`] moves them in place. What is
/// dropped before that leaves no trace, and what is killed before that is cleared by the next run.
#[derive(Debug)]
pub struct OutputFolder {
    wanted: Wanted,
    work_folder: WorkFolder,
    result: PathBuf,
    /// Folders above that had to be made, deepest first; they go again if nothing is published.
    parents: Vec<PathBuf>,
    /// Files that must not be overwritten by something else: the run reads them.
    inputs: Vec<PathBuf>,
    cleared: Vec<PathBuf>,
    published: bool,
}

/// Which folder a result goes to.
#[derive(Debug)]
enum Wanted {
    /// `base/name`, or the first free of `base/name-2`, `base/name-3` and so on.
    Free { base: PathBuf, name: String },
    /// This one, which must hold nothing.
    Exactly(PathBuf),
    /// This one, over files of the same names.
    Over(PathBuf),
}

/// Why a folder cannot be written to.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// Something is there already.
    #[error("{} holds files already; nothing was written", .0.display())]
    Exists(PathBuf),
    /// Another run is on its way there.
    #[error("another run that is still at work writes to {}; nothing was written", .0.display())]
    Claimed(PathBuf),
    /// Something has come there meanwhile; the result went elsewhere.
    #[error(
        "{} appeared during the run and holds files: they were left alone, and the result is in {}",
        .wanted.display(),
        .instead.display()
    )]
    Appeared {
        /// The folder asked for.
        wanted: PathBuf,
        /// Where the result is.
        instead: PathBuf,
    },
    /// The run would overwrite what it reads.
    #[error("{} is read by this run, which would overwrite it; nothing was written", .0.display())]
    OwnInput(PathBuf),
    /// The path names a file.
    #[error("{} is a file, not a folder; nothing was written", .0.display())]
    NotAFolder(PathBuf),
    /// The folder cannot be made or written to.
    #[error("cannot write to {}: {source}", .path.display())]
    NotWritable {
        /// Which folder.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
}

impl FolderError {
    /// What to do about it.
    pub fn help(&self) -> &'static str {
        match self {
            FolderError::Exists(_) => "name another folder with --out, or say --force to overwrite a run's files in it",
            FolderError::Claimed(_) => "wait for it, or name another folder with --out",
            FolderError::Appeared { .. } => "move the result where you want it",
            FolderError::OwnInput(_) => "name another folder with --out, or keep the file elsewhere",
            FolderError::NotAFolder(_) => "name a folder with --out",
            FolderError::NotWritable { .. } => "name a folder that you may write to with --out",
        }
    }
}

/// Files that results of any kind hold, in the top folder; what is in their folders bears names of its own.
const WRITTEN: [&str; 28] = [
    "trajectory.csv",
    "trajectory.parquet",
    "events.csv",
    "summary.json",
    "report.html",
    "check.json",
    "exponents.csv",
    "section.csv",
    "limit-directions.csv",
    "periods.csv",
    "stops.csv",
    "loads-at-events.csv",
    "measures.csv",
    "elements.csv",
    "elements.parquet",
    "elements.vtk",
    "history.csv",
    "history.parquet",
    "nodes.csv",
    "nodes.parquet",
    "curve.csv",
    "body-1.vtu",
    "body-2.vtu",
    "creep.csv",
    "compare.csv",
    "compare.json",
    "eigenvalues.csv",
    "stability.json",
];

/// The folder of the figures.
const FIGURES: &str = "figures";

/// The file that says that a result is complete: it comes last and goes first.
const LAST: &str = "summary.json";

impl OutputFolder {
    /// Prepares to write into `wanted`, which must not hold anything unless `force` is given.
    pub fn create(wanted: &Path, force: bool) -> Result<OutputFolder, FolderError> {
        if wanted.exists() {
            if !wanted.is_dir() {
                return Err(FolderError::NotAFolder(wanted.to_path_buf()));
            }
            if !force && !is_empty(wanted).map_err(|e| not_writable(wanted, e))? {
                return Err(FolderError::Exists(wanted.to_path_buf()));
            }
        }
        let path = wanted.to_path_buf();
        OutputFolder::open(wanted, if force { Wanted::Over(path) } else { Wanted::Exactly(path) })
    }

    /// Prepares `base/name`, or `base/name-2`, `base/name-3` and so on: the first that is free when all is done. Runs
    /// at the same time get folders of their own.
    pub fn fresh(base: &Path, name: &str) -> Result<OutputFolder, FolderError> {
        let wanted = Wanted::Free { base: base.to_path_buf(), name: name.to_string() };
        OutputFolder::open(&base.join(name), wanted)
    }

    fn open(path: &Path, wanted: Wanted) -> Result<OutputFolder, FolderError> {
        let failed = |e| not_writable(path, e);
        let name = path.file_name().unwrap_or("run".as_ref()).to_string_lossy().into_owned();
        // Beside the folder; of `.` and the like, whose name is not to be had, within it.
        let above = path.with_file_name("");
        let missing = |path: &&Path| !path.as_os_str().is_empty() && !path.exists();
        let parents: Vec<PathBuf> = above.ancestors().take_while(missing).map(Path::to_path_buf).collect();
        let in_here = if above.as_os_str().is_empty() { Path::new(".") } else { &above };
        fs::create_dir_all(in_here).map_err(failed)?;
        let others = look_around(in_here, &name);
        let claims = !matches!(wanted, Wanted::Free { .. });
        if others.claimed && matches!(wanted, Wanted::Exactly(_)) {
            return Err(FolderError::Claimed(path.to_path_buf()));
        }
        let work_folder = WorkFolder::open(in_here, &name, claims).map_err(|e| {
            parents.iter().for_each(|parent| drop(fs::remove_dir(parent)));
            failed(e)
        })?;
        let result = work_folder.result();
        // As the user writes them, without the `.` that stands for an empty path.
        let cleared = others.cleared.iter().map(|place| place.strip_prefix(".").unwrap_or(place).to_path_buf());
        let (inputs, cleared) = (Vec::new(), cleared.collect());
        Ok(OutputFolder { wanted, work_folder, result, parents, inputs, cleared, published: false })
    }

    /// Keeps what a run of this scenario reads from being overwritten by what it writes. Refuses at once what could not
    /// be published later.
    pub fn protect(&mut self, scenario: &Scenario) -> Result<(), FolderError> {
        let files = scenario.file.iter().chain(scenario.inputs.iter().map(|input| &input.path));
        let files: Vec<PathBuf> = files.filter_map(|file| file.canonicalize().ok()).collect();
        if let Wanted::Over(wanted) = &self.wanted {
            let clash = |name: &&&str| wanted.join(name).canonicalize().is_ok_and(|path| files.contains(&path));
            if let Some(name) = WRITTEN.iter().find(clash) {
                return Err(FolderError::OwnInput(wanted.join(name)));
            }
            let own = wanted.join("scenario.toml");
            let changed = || fs::read_to_string(&own).is_ok_and(|text| text != scenario.text);
            if own.canonicalize().is_ok_and(|path| files.contains(&path)) && changed() {
                return Err(FolderError::OwnInput(own));
            }
        }
        self.inputs.extend(files);
        Ok(())
    }

    /// Where to write files to now.
    pub fn path(&self) -> &Path {
        &self.result
    }

    /// Leftovers of killed runs that were cleared on this occasion.
    pub fn cleared(&self) -> &[PathBuf] {
        &self.cleared
    }

    /// Moves everything in place and tells where that is.
    pub fn publish(mut self) -> Result<PathBuf, FolderError> {
        let place = match &self.wanted {
            Wanted::Free { base, name } => self.take_free(base, name, 1)?,
            Wanted::Over(wanted) if wanted.exists() => {
                self.move_over(wanted)?;
                wanted.clone()
            }
            Wanted::Over(wanted) | Wanted::Exactly(wanted) => match self.take(wanted) {
                Ok(()) => wanted.clone(),
                Err(e) if is_taken(wanted, &e) => {
                    let name = self.name_beside(wanted);
                    let instead = self.take_free(wanted.parent().unwrap_or(Path::new("")), &name, 2)?;
                    self.published = true;
                    return Err(FolderError::Appeared { wanted: wanted.clone(), instead });
                }
                Err(e) => return Err(not_writable(wanted, e)),
            },
        };
        self.published = true;
        Ok(place)
    }

    fn name_beside(&self, wanted: &Path) -> String {
        wanted.file_name().unwrap_or("run".as_ref()).to_string_lossy().into_owned()
    }

    /// Takes the first free of `base/name` (`first` = 1), `base/name-2`, `base/name-3` and so on.
    fn take_free(&self, base: &Path, name: &str, first: u32) -> Result<PathBuf, FolderError> {
        let numbered = |k: u32| if k == 1 { base.join(name) } else { base.join(format!("{name}-{k}")) };
        for k in first..=u32::MAX {
            let place = numbered(k);
            // A folder that is there is not ours even if it is empty, and a rename would put itself in its place.
            if place.symlink_metadata().is_ok() {
                continue;
            }
            match fs::rename(&self.result, &place) {
                Ok(()) => return Ok(place),
                Err(_) if place.symlink_metadata().is_ok() => {}
                Err(e) => return Err(not_writable(&place, e)),
            }
        }
        Err(FolderError::Exists(numbered(first)))
    }

    /// Takes exactly this folder, which must not hold anything. No file system renames a folder over one that holds
    /// files, so that of two runs only one can have it.
    fn take(&self, wanted: &Path) -> io::Result<()> {
        if !wanted.exists() {
            return fs::rename(&self.result, wanted);
        }
        // An empty folder that someone has prepared stays what it is, with its rights and with whoever stands in it.
        let ours = self.work_folder_within(wanted);
        for entry in fs::read_dir(wanted)? {
            if Some(entry?.file_name()) != ours {
                return Err(io::ErrorKind::DirectoryNotEmpty.into());
            }
        }
        // The pictures first: a folder with files is not replaced, so that this takes the whole.
        fs::rename(self.result.join("figures"), wanted.join("figures"))?;
        self.move_rest(&self.result, wanted)
    }

    fn work_folder_within(&self, wanted: &Path) -> Option<OsString> {
        let place = self.result.parent()?;
        let same = place.parent()?.canonicalize().ok()? == wanted.canonicalize().ok()?;
        if same { place.file_name().map(OsString::from) } else { None }
    }

    /// Moves everything over files of the same names. The summary of what was there goes first and the new one comes
    /// last: a folder in which that is interrupted does not look like a result.
    fn move_over(&self, wanted: &Path) -> Result<(), FolderError> {
        let failed = |e| not_writable(wanted, e);
        if let Some(own) = self.own_input(&self.result, wanted).map_err(failed)? {
            return Err(FolderError::OwnInput(own));
        }
        // What an earlier run has left and this one does not write would pass for a part of the result.
        if wanted.join(LAST).exists() {
            for name in std::iter::once(LAST).chain(WRITTEN) {
                let stale = wanted.join(name);
                if stale.is_file() && !self.is_input(&stale) && (name == LAST || !self.result.join(name).exists()) {
                    fs::remove_file(&stale).map_err(failed)?;
                }
            }
            self.remove_figures(&wanted.join(FIGURES)).map_err(failed)?;
        }
        self.move_rest(&self.result, wanted).map_err(failed)
    }

    /// Removes figures of an earlier run that this one does not draw.
    fn remove_figures(&self, folder: &Path) -> io::Result<()> {
        let Ok(entries) = fs::read_dir(folder) else { return Ok(()) };
        for entry in entries {
            let path = entry?.path();
            let drawn = path.extension().is_some_and(|ending| ending == "svg") && path.is_file();
            let again = path.file_name().is_some_and(|name| self.result.join(FIGURES).join(name).exists());
            if drawn && !again && !self.is_input(&path) {
                fs::remove_file(&path)?;
            }
        }
        Ok(())
    }

    /// Moves every file below `from` to the same place below `to`, the summary last.
    fn move_rest(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::create_dir_all(to)?;
        let mut last = None;
        for entry in fs::read_dir(from)? {
            let entry = entry?;
            let target = to.join(entry.file_name());
            if entry.file_type()?.is_dir() {
                self.move_rest(&entry.path(), &target)?;
            } else if entry.file_name() == LAST {
                last = Some((entry.path(), target));
            } else if !self.is_input(&target) {
                // An input that is there already is the same to the bit.
                fs::rename(entry.path(), target)?;
            }
        }
        last.map_or(Ok(()), |(from, to)| fs::rename(from, to))
    }

    fn is_input(&self, path: &Path) -> bool {
        path.canonicalize().is_ok_and(|path| self.inputs.contains(&path))
    }

    /// A file below `to` that is read by the run and would become another.
    fn own_input(&self, from: &Path, to: &Path) -> io::Result<Option<PathBuf>> {
        for entry in fs::read_dir(from)? {
            let entry = entry?;
            let target = to.join(entry.file_name());
            let found = if entry.file_type()?.is_dir() {
                self.own_input(&entry.path(), &target)?
            } else if self.is_input(&target) && fs::read(&target)? != fs::read(entry.path())? {
                Some(target)
            } else {
                None
            };
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }
}

impl Drop for OutputFolder {
    fn drop(&mut self) {
        if !self.published {
            self.work_folder.clear();
            // Nothing can be done about a failure here, and nothing depends on it.
            for parent in &self.parents {
                let _ = fs::remove_dir(parent);
            }
        }
    }
}

fn is_empty(folder: &Path) -> io::Result<bool> {
    Ok(fs::read_dir(folder)?.next().is_none())
}

/// Whether taking a folder failed because something has come there.
fn is_taken(wanted: &Path, error: &io::Error) -> bool {
    use io::ErrorKind::{AlreadyExists, DirectoryNotEmpty, NotADirectory};
    matches!(error.kind(), AlreadyExists | DirectoryNotEmpty | NotADirectory) && wanted.symlink_metadata().is_ok()
}

fn not_writable(path: &Path, source: io::Error) -> FolderError {
    FolderError::NotWritable { path: path.to_path_buf(), source }
}
