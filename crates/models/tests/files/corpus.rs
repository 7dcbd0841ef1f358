//! Replays inputs that once found a fault in the reader, and others made to.

use std::fs;
use std::path::Path;

use stickslip_models::MODELS;
use stickslip_run::Scenario;
use stickslip_scenario::{Error, Override};

fn check(name: &str, folder: &Path, answer: Result<Scenario, Error>) {
    match answer {
        Ok(scenario) => {
            let again = MODELS.parse(name, &scenario.text, folder, &[]);
            let again = again.unwrap_or_else(|e| panic!("{name}: effective text: {e}"));
            assert_eq!(format!("{:?}", again.model), format!("{:?}", scenario.model), "{name}");
        }
        Err(error) => {
            let text = error.source_text().expect("a text");
            assert!(text.get(error.span()).is_some(), "{name}: {error}");
            assert!(error.help().is_some(), "{name}: {error}");
            assert!(!error.message().contains('\n'), "{name}: {error}");
        }
    }
}

#[test]
fn the_corpus_is_answered() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files/corpus_files");
    let mut replayed = 0;
    for entry in fs::read_dir(&folder).expect("the corpus") {
        let path = entry.expect("an entry").path();
        let bytes = fs::read(&path).expect("a file");
        let text = String::from_utf8_lossy(&bytes);
        let name = path.display().to_string();
        let last = Override::new(text.lines().last().unwrap_or(""));
        check(&name, &folder, MODELS.parse(&name, &text, &folder, &[]));
        check(&name, &folder, MODELS.from_file(&path, &[]));
        check(&name, &folder, MODELS.parse("good", builtin(0).text, &folder, &[last]));
        replayed += 1;
    }
    assert!(replayed >= 8, "{replayed} inputs: is the corpus there?");
}

/// A built-in scenario by its number.
fn builtin(k: usize) -> &'static stickslip_scenario::Builtin {
    MODELS.builtins().nth(k).expect("as many")
}
