"""The same bits from Python, from the command and from Rust, for every built-in scenario."""

import csv
import json

import numpy as np
import pytest
import stickslip
from stickslip import _native

IN_TIME = [name for model, name, _ in _native.scenarios() if model != "rolling-contact"]
ONCE = [name for model, name, _ in _native.scenarios() if model == "rolling-contact"]
#: Solved in seconds also where nothing is optimised; finite elements take minutes there.
ONCE_QUICK = [name for name in ONCE if not name.endswith("-fe") and "-fe-" not in name]


def numbers(path):
    with open(path, newline="") as file:
        head, *rows = csv.reader(file)
    return head, np.array(rows, dtype=float).T


@pytest.mark.parametrize("name", IN_TIME)
def test_trajectory(name, command, tmp_path):
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


@pytest.mark.parametrize("name", ["wheel-sport-braking", "block-on-belt", *ONCE_QUICK])
def test_saved_files(name, command, tmp_path):
    """`save` writes what the command writes, byte for byte."""
    done = command("run", name, "--quiet", "--out", tmp_path / "command")
    assert done.returncode == 0, done.stderr
    r = stickslip.run(name)
    assert r.summary == json.loads((tmp_path / "command" / "summary.json").read_text())
    r.save(tmp_path / "python")
    theirs, ours = files(tmp_path / "command"), files(tmp_path / "python")
    assert sorted(theirs) == sorted(ours)
    assert [path for path in theirs if theirs[path] != ours[path]] == []


@pytest.mark.parametrize("name", ONCE_QUICK)
def test_solved_once(name, command, tmp_path):
    command("run", name, "--no-study", "--quiet", "--out", tmp_path / "out")
    r = stickslip.run(name)
    head, columns = numbers(tmp_path / "out" / "elements.csv")
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
