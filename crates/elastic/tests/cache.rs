//! Condensations on disk: bit for bit, or refused in words.
#![allow(clippy::unwrap_used)]

mod common;

use std::fs;
use std::path::{Path, PathBuf};

use common::block;
use stickslip_elastic::cache::{Key, Loaded, load, store};
use stickslip_elastic::dissection::Dissection;
use stickslip_elastic::mesh::Elements;
use stickslip_elastic::{Body, Condensed, condense};

struct Case {
    body: Body,
    dissection: Dissection,
    condensed: Condensed,
    folder: tempfile::TempDir,
}

impl Case {
    fn new(plane: bool) -> Case {
        let body = block(plane, Elements::Layer);
        let dissection = Dissection::new(&body);
        let condensed = condense(&body, &dissection, &|_| ()).unwrap();
        Case { body, dissection, condensed, folder: tempfile::tempdir().unwrap() }
    }

    fn store(&self) {
        store(self.folder.path(), &self.body, &self.dissection, &self.condensed, u64::MAX).unwrap();
    }

    fn load(&self) -> Loaded {
        load(self.folder.path(), &self.body, Some(&self.dissection))
    }

    fn file(&self, extension: &str) -> PathBuf {
        self.folder.path().join(format!("{}.{extension}", Key::of(&self.body)))
    }
}

fn files(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn bits(condensed: &Condensed) -> (Vec<u64>, Vec<Vec<u32>>) {
    let factors = condensed.inside.iter().flat_map(|inside| &inside.factors);
    (
        condensed.compliance.data().iter().map(|v| v.to_bits()).collect(),
        factors.map(|factor| factor.data.iter().map(|v| v.to_bits()).collect()).collect(),
    )
}

#[test]
fn what_is_kept_comes_back_bit_for_bit() {
    for plane in [true, false] {
        let case = Case::new(plane);
        assert_eq!(case.load(), Loaded::Absent);
        case.store();
        assert_eq!(files(case.folder.path()).len(), 2, "no file is left over");
        let Loaded::Found { condensed, inside_unusable: None } = case.load() else { panic!("not found") };
        assert_eq!(bits(&condensed), bits(&case.condensed));
        assert_eq!(condensed, case.condensed);
        let Loaded::Found { condensed, .. } = load(case.folder.path(), &case.body, None) else { panic!("not found") };
        assert!(condensed.inside.is_none(), "it was not asked for");
    }
}

#[test]
fn the_inside_is_kept_only_if_it_is_small() {
    let case = Case::new(true);
    store(case.folder.path(), &case.body, &case.dissection, &case.condensed, 1000).unwrap();
    assert_eq!(files(case.folder.path()).len(), 1);
    let Loaded::Found { condensed, inside_unusable: None } = case.load() else { panic!("not found") };
    assert_eq!(condensed.inside, None);
}

#[test]
fn every_change_of_a_body_changes_its_key() {
    let body = block(false, Elements::Layer);
    let key = Key::of(&body);
    assert_eq!(key.to_string().len(), 64);
    let mut other = body.clone();
    other.mesh.nodes[7][1] += 1e-16;
    assert_ne!(Key::of(&other), key);
    assert_ne!(Key::of(&Body { young: body.young * (1.0 + 1e-15), ..body.clone() }), key);
    assert_ne!(Key::of(&Body { poisson: 0.29, ..body.clone() }), key);
    assert_ne!(Key::of(&Body { clamped: body.clamped[1..].to_vec(), ..body.clone() }), key);
    let mut contact = body.contact.clone();
    contact.swap(0, 1);
    assert_ne!(Key::of(&Body { contact, ..body.clone() }), key, "W counts them in their order");
    assert_ne!(Key::of(&block(false, Elements::Bricks)), key);
    // Upside down twice is the same body, although its zeros have changed their sign.
    let mut twice = body.mirrored().mirrored();
    twice.mesh.nodes.iter_mut().flatten().filter(|v| **v == 0.0).for_each(|v| *v = -0.0);
    assert_eq!(Key::of(&twice), key);
}

#[test]
fn files_that_were_cut_off_are_refused() {
    let case = Case::new(true);
    for extension in ["compliance", "inside"] {
        case.store();
        let whole = fs::read(case.file(extension)).unwrap();
        for length in [0, 7, 103, 104, 105, whole.len() / 2, whole.len() - 8, whole.len() - 1] {
            fs::write(case.file(extension), &whole[..length]).unwrap();
            let reason = match case.load() {
                Loaded::Unusable(reason) if extension == "compliance" => reason,
                Loaded::Found { inside_unusable: Some(reason), condensed } if extension == "inside" => {
                    assert_eq!(condensed.inside, None);
                    reason
                }
                other => panic!("{extension}, {length} bytes: {other:?}"),
            };
            assert!(reason.contains("cut off") && reason.contains(extension), "{reason}");
        }
        let mut longer = whole.clone();
        longer.extend([0; 8]);
        fs::write(case.file(extension), longer).unwrap();
        assert!(!matches!(case.load(), Loaded::Found { inside_unusable: None, .. }));
    }
}

#[test]
fn a_flipped_bit_anywhere_is_found() {
    let case = Case::new(true);
    for extension in ["compliance", "inside"] {
        case.store();
        let whole = fs::read(case.file(extension)).unwrap();
        let step = (whole.len() / 100).max(1);
        for (count, at) in (0..104).chain((104..whole.len()).step_by(step)).chain([whole.len() - 1]).enumerate() {
            let mut damaged = whole.clone();
            damaged[at] ^= 1 << (count % 8);
            fs::write(case.file(extension), &damaged).unwrap();
            match case.load() {
                Loaded::Unusable(reason) if extension == "compliance" => assert!(!reason.is_empty()),
                Loaded::Found { inside_unusable: Some(_), condensed } if extension == "inside" => {
                    assert_eq!(condensed.inside, None);
                }
                other => panic!("{extension}, byte {at}: {other:?}"),
            }
        }
    }
}

#[test]
fn files_of_other_bodies_versions_and_programs_are_refused() {
    let (case, other) = (Case::new(true), Case::new(false));
    case.store();
    other.store();
    fs::copy(other.file("compliance"), case.file("compliance")).unwrap();
    assert!(matches!(case.load(), Loaded::Unusable(reason) if reason.contains("another body")));
    case.store();
    fs::copy(other.file("inside"), case.file("inside")).unwrap();
    let Loaded::Found { inside_unusable: Some(reason), .. } = case.load() else { panic!("used") };
    assert!(reason.contains("another body"), "{reason}");
    case.store();
    let mut bytes = fs::read(case.file("compliance")).unwrap();
    bytes[8] = 99;
    fs::write(case.file("compliance"), &bytes).unwrap();
    assert!(matches!(case.load(), Loaded::Unusable(reason) if reason.contains("version 99")));
    fs::write(case.file("compliance"), vec![b'x'; 500]).unwrap();
    assert!(matches!(case.load(), Loaded::Unusable(reason) if reason.contains("not a condensed body")));
    // Another order of elimination: the factors mean something else.
    case.store();
    let mut order = case.dissection.clone();
    order.parts[0].own.swap(0, 1);
    let Loaded::Found { inside_unusable: Some(reason), .. } = load(case.folder.path(), &case.body, Some(&order)) else {
        panic!("used")
    };
    assert!(reason.contains("order of elimination"), "{reason}");
    // A folder in the place of the file.
    fs::remove_file(case.file("compliance")).unwrap();
    fs::create_dir(case.file("compliance")).unwrap();
    assert!(matches!(case.load(), Loaded::Unusable(_)));
}

#[test]
fn threads_that_write_and_read_the_same_do_not_disturb_one_another() {
    let case = Case::new(true);
    case.store();
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| (0..40).for_each(|_| case.store()));
        }
        for _ in 0..60 {
            let Loaded::Found { condensed, inside_unusable: None } = case.load() else { panic!("disturbed") };
            assert_eq!(condensed, case.condensed);
        }
    });
    assert_eq!(files(case.folder.path()).len(), 2, "no file is left over");
}

#[test]
fn a_folder_that_cannot_be_written_is_told_and_no_more() {
    let case = Case::new(true);
    // A file where the folder should be: nobody can write there, whatever their rights.
    let file = case.folder.path().join("file");
    fs::write(&file, "").unwrap();
    for folder in [file.clone(), file.join("below")] {
        let error = store(&folder, &case.body, &case.dissection, &case.condensed, u64::MAX).unwrap_err();
        assert!(error.to_string().contains("not kept for the next run"), "{error}");
        assert!(!matches!(load(&folder, &case.body, None), Loaded::Found { .. }));
    }
    // The name is taken by a folder: the unfinished file goes away again.
    fs::create_dir_all(case.file("compliance").join("x")).unwrap();
    assert!(store(case.folder.path(), &case.body, &case.dissection, &case.condensed, u64::MAX).is_err());
    assert!(files(case.folder.path()).iter().all(|name| !name.contains("unfinished")));
    // A folder that is not there yet is made.
    let deeper = case.folder.path().join("a").join("b");
    store(&deeper, &case.body, &case.dissection, &case.condensed, u64::MAX).unwrap();
    assert!(matches!(load(&deeper, &case.body, None), Loaded::Found { .. }));
}

/// A guide for hand use: `cargo test --release -p stickslip-elastic --test cache -- --ignored --nocapture`.
#[test]
#[ignore = "writes half a gigabyte to disk"]
fn time_to_read() {
    use stickslip_linalg::{Factor, Matrix};
    let mut case = Case::new(true);
    // Contact of 937 nodes in the plane: 28 MB. The factor is not of the body; only its size matters to the disk.
    case.body.contact = (0..937).collect();
    case.condensed.compliance = Matrix::from_fn(1874, 1874, |i, j| (i * j) as f64);
    let (own, boundary) = (4000, 8_000);
    case.dissection.parts.truncate(1);
    case.dissection.parts[0].own = (0..own).collect();
    case.dissection.parts[0].boundary = (0..boundary).collect();
    let (pivots, size) = (2 * own as usize, 2 * (own + boundary) as usize);
    let entries = Factor::entries(size, pivots);
    let data = (0..entries).map(|k| k as f32).collect();
    case.condensed.inside.as_mut().unwrap().factors = vec![Factor { size, pivots, data }];
    let clock = std::time::Instant::now();
    case.store();
    eprintln!("written in {:.3} s", clock.elapsed().as_secs_f64());
    for (what, inside) in [("W", None), ("W and inside", Some(&case.dissection))] {
        let clock = std::time::Instant::now();
        let found = load(case.folder.path(), &case.body, inside);
        eprintln!(
            "{what}: {:.3} s, {} MB",
            clock.elapsed().as_secs_f64(),
            (28 + inside.map_or(0, |_| entries * 4 / 1_000_000))
        );
        assert!(matches!(found, Loaded::Found { inside_unusable: None, .. }));
    }
}
