//! What a folder of a sweep holds: enough to refuse to go on with something else.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use stickslip_report::table::dataset::{DataColumn, ENDING};
use stickslip_run::VERSION;
use stickslip_scenario::Input;

use crate::{Plan, Share, SweepError};

/// Rows of a block. It does not depend on anything, so that datasets are the same files however they were made.
pub(crate) const BLOCK: u64 = 65_536;

/// The file `sweep.json`. Nothing in it depends on the clock.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// Program and version.
    pub version: String,
    /// Name of the scenario.
    pub scenario: String,
    /// How many points the whole sweep has.
    pub points: u64,
    /// Which part of it is here.
    pub part: Share,
    /// Rows of a block.
    pub rows_per_block: u64,
    /// Kind of the blocks: parquet or csv.
    pub blocks: String,
    /// Hash of the scenario without its table \[sweep\], and of the files that it names.
    pub scenario_hash: String,
    /// Hash of the points.
    pub points_hash: String,
    /// Files that points name, each as it is written, and its hash; empty of one that cannot be read.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub files: BTreeMap<String, String>,
    /// Hash of the outputs.
    pub outputs_hash: String,
    /// Names of the columns.
    pub columns: Vec<String>,
    /// Whether points are whole paths, of any number of rows each.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub paths: bool,
}

impl Manifest {
    /// Of a plan, or a part of it.
    pub fn new(plan: &Plan<'_>, part: Share) -> Manifest {
        let scenario = plan.scenario;
        let mut own = Sha256::new();
        own.update(without_sweep(&scenario.text));
        for input in &scenario.inputs {
            own.update((input.bytes.len() as u64).to_le_bytes());
            own.update(&input.bytes);
        }
        let columns: Vec<String> = plan.columns().iter().map(|column| column.name.clone()).collect();
        Manifest {
            version: VERSION.to_string(),
            scenario: scenario.name.clone(),
            points: plan.total(),
            part,
            rows_per_block: BLOCK,
            blocks: ENDING.to_string(),
            scenario_hash: hex(own),
            points_hash: hex(Sha256::new().chain_update(plan.points().described()).chain_update(plan.follow_written())),
            files: of_files(plan),
            outputs_hash: hex(Sha256::new()
                .chain_update(plan.outputs().written())
                .chain_update(format!("{columns:?}"))),
            columns,
            paths: false,
        }
    }

    /// Of paths, each a block of its own.
    pub(crate) fn of_paths(plan: &Plan<'_>, part: Share, paths: u64, columns: &[DataColumn], asked: &str) -> Manifest {
        let columns: Vec<String> = columns.iter().map(|column| column.name.clone()).collect();
        let outputs_hash = hex(Sha256::new().chain_update(asked).chain_update(format!("{columns:?}")));
        Manifest { points: paths, rows_per_block: 1, outputs_hash, columns, paths: true, ..Manifest::new(plan, part) }
    }

    /// One hash of all that rows depend on: the same for all parts.
    pub fn hash(&self) -> String {
        let all = [&self.version, &self.scenario_hash, &self.points_hash, &self.outputs_hash];
        hex(all
            .into_iter()
            .chain(self.files.iter().flat_map(|(name, hash)| [name, hash]))
            .fold(Sha256::new(), |hash, part| hash.chain_update(part).chain_update("\n")))
    }

    /// In what another one differs, in words; none where rows of both belong together.
    pub fn differs(&self, other: &Manifest) -> Option<String> {
        let differences = [
            (
                self.version != other.version,
                format!("the version of the program ({} and {})", other.version, self.version),
            ),
            (self.scenario_hash != other.scenario_hash, "the scenario".to_string()),
            (self.points_hash != other.points_hash, "the points".to_string()),
            (self.files != other.files, self.other_file(other)),
            (self.outputs_hash != other.outputs_hash, "the outputs".to_string()),
            (self.blocks != other.blocks, format!("the kind of files ({} and {})", other.blocks, self.blocks)),
        ];
        let words: Vec<String> =
            differences.into_iter().filter(|(differs, _)| *differs).map(|(_, words)| words).collect();
        (!words.is_empty()).then(|| words.join(" and "))
    }

    /// A file that points name and that is another one, in words.
    fn other_file(&self, other: &Manifest) -> String {
        let names = self.files.keys().chain(other.files.keys());
        let changed = names.into_iter().find(|name| self.files.get(*name) != other.files.get(*name));
        changed.map_or_else(String::new, |name| format!("the file {name}"))
    }

    pub(crate) fn read(text: &str) -> Result<Manifest, SweepError> {
        serde_json::from_str(text).map_err(|error| {
            SweepError::input(
                format!("sweep.json cannot be read: {error}"),
                "it was not written by this program: name another folder",
            )
        })
    }
}

/// The files that points name, and their hashes.
fn of_files(plan: &Plan<'_>) -> BTreeMap<String, String> {
    let hash = |bytes: &[u8]| hex(Sha256::new().chain_update(bytes));
    let of = |file: Option<&Input>| file.map_or_else(String::new, |file| hash(&file.bytes));
    plan.named_files().map(|(written, file)| (written.to_string(), of(file))).collect()
}

/// The text of a scenario without what is varied of it.
pub(crate) fn without_sweep(text: &str) -> String {
    match text.parse::<toml_edit::DocumentMut>() {
        Ok(mut document) => {
            document.remove("sweep");
            document.to_string()
        }
        Err(_) => text.to_string(),
    }
}

fn hex(hash: Sha256) -> String {
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}
