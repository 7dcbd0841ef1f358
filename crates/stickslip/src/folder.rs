//! Where a run writes: all of it or nothing.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A folder that appears only when everything in it has been written.
///
/// Files go to a folder beside the wanted one; [`OutputFolder::publish`] moves them in place. What is
/// dropped before that leaves no trace.
#[derive(Debug)]
pub struct OutputFolder {
    wanted: PathBuf,
    partial: PathBuf,
    /// Folders above that had to be made, deepest first; they go again if nothing is published.
    parents: Vec<PathBuf>,
    published: bool,
}

/// Why a folder cannot be written to.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// Something is there already.
    #[error("{} holds files already; nothing was written", .0.display())]
    Exists(PathBuf),
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
            FolderError::NotAFolder(_) => "name a folder with --out",
            FolderError::NotWritable { .. } => "name a folder that you may write to with --out",
        }
    }
}

impl OutputFolder {
    /// Prepares to write into `wanted`, which must not hold anything unless `force` is given.
    pub fn create(wanted: &Path, force: bool) -> Result<OutputFolder, FolderError> {
        if wanted.exists() {
            if !wanted.is_dir() {
                return Err(FolderError::NotAFolder(wanted.to_path_buf()));
            }
            let mut entries = fs::read_dir(wanted).map_err(|e| not_writable(wanted, e))?;
            if entries.next().is_some() && !force {
                return Err(FolderError::Exists(wanted.to_path_buf()));
            }
        }
        let mut name = wanted.file_name().unwrap_or("run".as_ref()).to_os_string();
        name.push(format!(".partial-{}", std::process::id()));
        let partial = wanted.with_file_name(name);
        let above = partial.ancestors().skip(1);
        let missing = |path: &&Path| !path.as_os_str().is_empty() && !path.exists();
        let parents = above.take_while(missing).map(Path::to_path_buf).collect();
        let folder = OutputFolder { wanted: wanted.to_path_buf(), partial, parents, published: false };
        fs::create_dir_all(folder.partial.join("figures")).map_err(|e| not_writable(wanted, e))?;
        Ok(folder)
    }

    /// Prepares `base/name`, or `base/name-2`, `base/name-3` and so on: the first that does not exist.
    pub fn fresh(base: &Path, name: &str) -> Result<OutputFolder, FolderError> {
        let numbered = |k: u32| if k == 1 { base.join(name) } else { base.join(format!("{name}-{k}")) };
        let free = (1..10_000).map(numbered).find(|path| !path.exists());
        OutputFolder::create(&free.unwrap_or_else(|| numbered(10_000)), false)
    }

    /// Where to write files to now.
    pub fn path(&self) -> &Path {
        &self.partial
    }

    /// Moves everything in place and tells where that is.
    pub fn publish(mut self) -> Result<PathBuf, FolderError> {
        let wanted = self.wanted.clone();
        let failed = |e| not_writable(&wanted, e);
        if wanted.exists() {
            move_into(&self.partial, &wanted).map_err(failed)?;
            fs::remove_dir_all(&self.partial).map_err(failed)?;
        } else {
            fs::rename(&self.partial, &wanted).map_err(failed)?;
        }
        self.published = true;
        Ok(wanted)
    }
}

impl Drop for OutputFolder {
    fn drop(&mut self) {
        if !self.published {
            // Nothing can be done about a failure here, and nothing depends on it.
            let _ = fs::remove_dir_all(&self.partial);
            for parent in &self.parents {
                let _ = fs::remove_dir(parent);
            }
        }
    }
}

fn not_writable(path: &Path, source: io::Error) -> FolderError {
    FolderError::NotWritable { path: path.to_path_buf(), source }
}

/// Moves every file below `from` to the same place below `to`, over files of the same name.
fn move_into(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            move_into(&entry.path(), &target)?;
        } else {
            fs::rename(entry.path(), target)?;
        }
    }
    Ok(())
}
