//! What README shows and lists is true.

use std::fs;

use crate::{stdout, stickslip, summary};

const README: &str = include_str!("../../../../README.md");
const SCENARIOS: &str = include_str!("../../../../docs/scenarios.md");

/// All complete scenario files of README and of the page on scenarios, by model.
fn examples() -> Vec<(&'static str, &'static str)> {
    let blocks = |text: &'static str| text.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next());
    let blocks = blocks(README).chain(blocks(SCENARIOS));
    let model = |text: &'static str| {
        let line = text.lines().next().unwrap_or_default();
        line.strip_prefix("model = \"").and_then(|rest| rest.strip_suffix('"')).map(|model| (model, text))
    };
    blocks.filter_map(model).collect()
}

fn example(model: &str) -> &'static str {
    examples().into_iter().find(|(name, _)| *name == model).expect("an example of the model").1
}

#[test]
fn every_example_runs() {
    let folder = tempfile::tempdir().expect("a folder");
    let models: Vec<&str> = examples().iter().map(|(model, _)| *model).collect();
    assert_eq!(models, ["wheel", "wheel", "vehicle", "assembly", "rolling-contact", "rail-wheel"]);
    for (model, text) in examples() {
        fs::write(folder.path().join("example.toml"), text).expect("written");
        stdout(stickslip(folder.path()).args(["run", "example.toml", "--no-study", "--force", "--out", model]));
    }
    let s = summary(&folder.path().join("vehicle"));
    assert!(s["end"]["x1"].as_f64().is_some_and(|speed| speed > 0.0 && speed < 10.0), "{}", s["end"]);
    // The brake of an axle is shared, 2 kN m for both wheels; that of a wheel is its own, 800 N m. Wheels that turn against
    // their brakes feel all of them, over the radius of 0.3 m.
    for (brake, torque) in [("g_front_left", 1000.0), ("g_front_right", 1000.0), ("g_rear", 800.0)] {
        let [least, most] = ["min", "max"].map(|end| s["extremes"][brake][end].as_f64().expect(brake));
        let force = least.abs().max(most.abs());
        assert!((force - torque / 0.3).abs() < 1e-6, "{brake}: {force}");
    }
}

/// The table of what the scheme `events` does not know.
#[test]
fn what_events_does_not_know_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let block = example("assembly");
    let belt = "speed = \"0.2 m/s\"";
    assert!(block.contains(belt));
    let wall = "[[stop]]\nname = \"wall\"\nof = \"block\"\nclearance = \"1 m\"\nrestitution = 0.5\n[run]";
    let cases = [
        (block.replace("[run]", wall), "stops that are walls"),
        (block.replace(belt, "speed = { expression = \"0.2 + 0.1*sin(t)\" }"), "move by an expression"),
        (block.replace(belt, "position = { points = [[0, 0], [1, 0], [1, 0.1]] }"), "position jumps"),
        (example("rail-wheel").to_string(), "events"),
    ];
    for (text, refusal) in cases {
        fs::write(folder.path().join("case.toml"), text).expect("written");
        let refused = ["run", "case.toml", "--set", "run.scheme=events", "--out", "x"];
        let output = stickslip(folder.path()).args(refused).assert().code(2).get_output().clone();
        // Messages are wrapped; the words are what counts.
        let words = String::from_utf8(output.stderr).expect("UTF-8").replace(['\n', '│'], " ");
        let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains(refusal), "{refusal}: {words}");
        // By steps the same file runs.
        stdout(stickslip(folder.path()).args(["check", "case.toml"]));
    }
    let element = ["run", "two-mass-vampire", "--set", "run.scheme=events", "--out", "x"];
    stickslip(folder.path()).args(element).assert().code(2);
}

/// The reference of all keys is what the reader itself has.
#[test]
fn the_reference_of_keys_is_not_stale() {
    let folder = tempfile::tempdir().expect("a folder");
    let page = stdout(stickslip(folder.path()).args(["schema", "--markdown"]));
    let written = include_str!("../../../../docs/keys.md");
    assert!(page == written, "write it again: cargo run --release -- schema --markdown > docs/keys.md");
    for key in ["**`mass`**", "`[[road.patch]]`", "[signal](#signals)", "[law](#friction-laws)", "`[[wheel]]`"] {
        assert!(page.contains(key), "{key}");
    }
    for model in ["wheel", "vehicle", "assembly", "towed-wheel", "rolling-contact", "rail-wheel"] {
        assert!(page.contains(&format!("## `model = \"{model}\"`")), "{model}");
    }
}

/// Words of a command line, with what stands in quotation marks as one.
fn words(line: &str) -> Vec<String> {
    let parts = line.split('"').enumerate();
    let mut words: Vec<String> = Vec::new();
    for (k, part) in parts {
        match k % 2 {
            0 => words.extend(part.split_whitespace().map(String::from)),
            _ => words.push(part.to_string()),
        }
    }
    words
}

#[test]
fn every_command_of_the_table_does_what_it_says() {
    let table = README.split("## I want to").nth(1).and_then(|rest| rest.split("\n## ").next()).expect("the table");
    let commands =
        table.lines().filter(|line| line.starts_with('|')).flat_map(|line| line.split('`').skip(1).step_by(2));
    let commands: Vec<&str> = commands.filter(|command| command.starts_with("stickslip ")).collect();
    assert!(commands.len() >= 12, "{commands:?}");
    let folder = tempfile::tempdir().expect("a folder");
    // The book of claims has a test of its own.
    for command in commands.into_iter().filter(|command| *command != "stickslip self-test") {
        let words = words(command);
        let redirect = words.iter().position(|word| word == ">");
        let (words, file) = words.split_at(redirect.unwrap_or(words.len()));
        let said = stdout(stickslip(folder.path()).args(&words[1..]));
        assert!(!said.is_empty(), "{command}");
        if let [_, file] = file {
            fs::write(folder.path().join(file), said).expect("written");
        }
    }
}
