"""The same bits from Python, from the command and from Rust, for every built-in scenario."""

import csv
import json
import os
import subprocess

import numpy as np
import pytest
import stickslip
from conftest import ROOT
from stickslip import _native

IN_TIME = [name for model, name, _ in _native.scenarios() if model != "rolling-contact"]
ONCE = [name for model, name, _ in _native.scenarios() if model == "rolling-contact"]
#: Finite elements take minutes where nothing is optimised: coarser meshes and fewer steps of the same scenarios.
COARSE = {
    "carter-fe": ["mesh.across=11"],
    "creepage-step-fe": ["mesh.across=11", "motion.steps=30"],
    "cylinders-fe-42kn": ["mesh.across=11"],
    "wheel-on-block-fe": ["mesh.across=11"],
}


def settings(name):
    """What the command is told of it."""
    return [word for one in COARSE.get(name, []) for word in ("--set", one)]


@pytest.fixture(scope="session")
def rows():
    """The rows of a scenario by the library alone: crates/stickslip/examples/rows.rs."""
    asked = os.environ.get("STICKSLIP_ROWS")
    built = [asked] if asked else [ROOT / "target" / profile / "examples" / "rows" for profile in ("debug", "release")]
    for path in built:
        if os.path.exists(path):
            return lambda *words: subprocess.run([path, *map(str, words)], capture_output=True, check=False)
    pytest.skip("the program is not built: cargo build -p stickslip --example rows")


def numbers(path):
    with open(path, newline="") as file:
        head, *rows = csv.reader(file)
    return head, np.array(rows, dtype=float).T


def test_nothing_is_left_out():
    assert sorted(IN_TIME + ONCE) == sorted(stickslip.scenarios()) and set(COARSE) <= set(ONCE)
    assert all("-fe" not in name or name in COARSE for name in ONCE)


@pytest.mark.parametrize("name", IN_TIME)
def test_trajectory(name, command, rows, tmp_path):
    done = command("run", name, "--no-study", "--quiet", "--out", tmp_path / "out")
    assert (tmp_path / "out" / "summary.json").exists(), done.stderr
    r = stickslip.run(name)
    head, columns = numbers(tmp_path / "out" / "trajectory.csv")
    assert r.columns == head
    for column, values in zip(head, columns, strict=True):
        assert r[column].tobytes() == values.tobytes(), column
    with open(tmp_path / "out" / "events.csv", newline="") as file:
        _, *events = csv.reader(file)
    ours = [(float(e["t"]), *map(str, (e["contact"], e["from"], e["to"], e["words"]))) for e in r.events]
    assert ours == [(float(t), *rest) for t, *rest in events]
    told = json.loads((tmp_path / "out" / "summary.json").read_text())
    assert told["measures"] == r.measures
    assert [w["text"] for w in told["warnings"]] == r.warnings
    # A run that the command ends with status 1 means nothing, here as well.
    assert (done.returncode == 0) == (r.status >= 0)
    # And by the library, without what the command and this package share. A model that ends early has a last row of its own.
    every = round((r.t[1] - r.t[0]) / r.scenario.step)
    written = np.frombuffer(rows(name, every).stdout).reshape(-1, len(head))
    early = r.status == 1
    assert len(written) == len(r.t) - early
    ours = np.column_stack([r[column] for column in r])
    assert ours[: len(written)].tobytes() == written.tobytes()


@pytest.mark.parametrize("name", ["wheel-sport-braking", "towed-wheel-p1"])
def test_parquet(name, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    r = stickslip.run(name, {"run.duration": "1 s"}, out=tmp_path / "out")
    table = parquet.read_table(tmp_path / "out" / "trajectory.parquet")
    assert table.column_names == r.columns
    for column in r:
        assert table[column].to_numpy().astype(float).tobytes() == r[column].tobytes()


def files(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("name", ["wheel-sport-braking", "block-on-belt", *ONCE])
def test_saved_files(name, command, tmp_path):
    """`save` writes what the command writes, byte for byte, but for the seconds that finite elements took."""
    done = command("run", name, *settings(name), "--quiet", "--out", tmp_path / "command")
    assert done.returncode == 0, done.stderr
    r = stickslip.run(name, COARSE.get(name))
    summary = json.loads((tmp_path / "command" / "summary.json").read_text())
    timed = {"summary.json", "report.html"} if name in COARSE else set()
    assert ("seconds" in summary) == bool(timed)
    untimed = [{key: value for key, value in one.items() if key != "seconds"} for one in (r.summary, summary)]
    assert untimed[0] == untimed[1]
    r.save(tmp_path / "python")
    theirs, ours = files(tmp_path / "command"), files(tmp_path / "python")
    assert sorted(theirs) == sorted(ours)
    assert {path for path in theirs if theirs[path] != ours[path]} <= timed


@pytest.mark.parametrize("name", ONCE)
def test_solved_once(name, command, tmp_path):
    command("run", name, *settings(name), "--no-study", "--quiet", "--out", tmp_path / "out")
    r = stickslip.run(name, COARSE.get(name))
    written = [path for path in (tmp_path / "out" / "elements.csv", tmp_path / "out" / "nodes.csv") if path.exists()]
    head, columns = numbers(written[0])
    assert r.columns == head and r.t is None and r.success
    for column, values in zip(head, columns, strict=True):
        assert r[column].tobytes() == values.tobytes(), column
    assert r.measures


def test_overrides_as_on_the_command_line(command, tmp_path):
    name, key, value = "wheel-sport-braking", "wheel.mass", "350 kg"
    command("run", name, "--set", f"{key}={value}", "--quiet", "--out", tmp_path / "out")
    r = stickslip.run(name, {key: value})
    assert r.summary == json.loads((tmp_path / "out" / "summary.json").read_text())
    assert not np.array_equal(r["x1"], stickslip.run(name)["x1"])


def test_the_object_leads_where_the_run_leads():
    for name in ["wheel-sport-braking", "car-two-wheels-braking", "bogie-case-1", "anti-lock-tyre", "towed-wheel-p1"]:
        r = stickslip.run(name)
        s = stickslip.Simulation(name)
        for t in np.linspace(0, 0.5 * r.t[-1], 7)[1:]:
            s.advance_to(t)
        s.advance_to(r.t[-1])
        row = np.array(s.row) + 0.0
        assert row.tobytes() == np.array([r[column][-1] for column in r]).tobytes(), name
