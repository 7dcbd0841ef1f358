//! Every file of the corpus is replayed by every scheme that accepts it.

use std::fs;
use std::path::Path;

use stickslip_campaign::{Budget, replay};

#[test]
fn what_was_wrong_once_is_right() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let mut files: Vec<_> =
        fs::read_dir(&folder).expect("the corpus is there").map(|e| e.expect("an entry").path()).collect();
    files.retain(|path| path.extension().is_some_and(|end| end == "toml"));
    files.sort();
    assert!(files.len() >= 12, "the corpus has lost files");
    let mut wrong = Vec::new();
    for path in &files {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let text = fs::read_to_string(path).expect("it can be read");
        match replay(&text, Budget::default()) {
            Ok(list) => wrong.extend(list.into_iter().map(|words| format!("{name}: {words}"))),
            Err(words) => wrong.push(format!("{name}: {words}")),
        }
    }
    assert!(wrong.is_empty(), "{} of {} files:\n{}", wrong.len(), files.len(), wrong.join("\n"));
}
