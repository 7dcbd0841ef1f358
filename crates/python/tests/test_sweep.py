"""Sweeps on this machine: the command's dataset byte for byte, arrays, bad input, Ctrl-C."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import stickslip
from stickslip import SweepError

BRAKES = {"brake.torque.max": "600 N m:1400 N m:9", "ground.friction": [0.4, 0.7, 1.0]}


def files(folder):
    """All files of a folder, and their bytes."""
    found = (path for path in sorted(Path(folder).rglob("*")) if path.is_file() and path.name != ".lock")
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


def same(one, other):
    one, other = files(one), files(other)
    assert sorted(one) == sorted(other)
    assert [name for name in one if one[name] != other[name]] == []
    return sorted(one)


def ok(done):
    assert done.returncode == 0, done.stderr


def test_the_files_are_those_of_the_command(tmp_path, command):
    r = stickslip.sweep(
        "wheel-sport-braking",
        vary=BRAKES,
        set={"run.duration": "2 s"},
        outputs=["distance", "slip=first_slip.ground"],
        classes={"locks": "known(first_lock)", "rolls": "1"},
        out=tmp_path / "python",
    )
    words = ["--vary", "brake.torque.max=600 N m:1400 N m:9", "--vary", "ground.friction=[0.4, 0.7, 1.0]"]
    words += ["--set", "run.duration=2 s", "--output", "distance", "--output", "slip=first_slip.ground"]
    words += ["--class", "locks=known(first_lock)", "--class", "rolls=1", "--out", tmp_path / "command", "--quiet"]
    ok(command("sweep", "wheel-sport-braking", *words))
    names = same(tmp_path / "python", tmp_path / "command")
    assert {"sweep.parquet/block-000000000.parquet", "sweep.csv", "report.html", "summary.json"} <= set(names)
    assert len(r) == 27 and r.names[:3] == ["brake.torque.max", "ground.friction", "distance"]
    # By one thread or three: the same.
    stickslip.sweep(
        "wheel-sport-braking", vary=BRAKES, set={"run.duration": "2 s"}, out=tmp_path / "one", threads=1,
        outputs=["distance", "slip=first_slip.ground"], classes={"locks": "known(first_lock)", "rolls": "1"},
    )  # fmt: skip
    same(tmp_path / "python", tmp_path / "one")


def test_what_the_file_says_is_swept(tmp_path, command):
    stickslip.sweep("block-on-belt", set={"run.scheme": "events"}, out=tmp_path / "python")
    ok(command("sweep", "block-on-belt", "--set", "run.scheme=events", "--out", tmp_path / "command", "--quiet"))
    same(tmp_path / "python", tmp_path / "command")


def test_diagrams_and_basins_are_those_of_the_command(tmp_path, command):
    """What a file asks for, byte for byte; what Python asks for in its place, the same numbers."""
    short = ["sweep.let={}", "run.duration=1 s"]
    vary = {"support.belt.speed": "0.2 m/s:0.4 m/s:3"}
    words = ["--set", "sweep.let={}", "--set", "run.duration=1 s", "--vary", "support.belt.speed=0.2 m/s:0.4 m/s:3"]
    r = stickslip.sweep("belt-falling-friction", vary=vary, set=short, out=tmp_path / "own")
    ok(command("sweep", "belt-falling-friction", *words, "--out", tmp_path / "c1", "--quiet"))
    same(tmp_path / "own", tmp_path / "c1")
    assert set(r["direction"]) == {"up", "down"} and np.isfinite(r["value"]).all()
    asked = {"bifurcation": {"column": "psi", "at": "sticks.ground", "transient": "1 s"}, "vary": {"towing.speed": "4:6:3"}}
    r = stickslip.sweep("towed-wheel-p1", set={"run.duration": "2 s"}, **asked)
    words = ["--set", "run.duration=2 s", "--vary", "towing.speed=4:6:3", "--bifurcation", "psi", "--at", "sticks.ground"]
    ok(command("sweep", "towed-wheel-p1", *words, "--transient", "1 s", "--out", tmp_path / "c2", "--quiet"))
    theirs = stickslip.SweepResult(tmp_path / "c2")
    assert r.names == theirs.names and len(r["value"]) > 10
    assert all(r[name].tobytes() == theirs[name].tobytes() for name in ("towing.speed", "t", "value"))
    with pytest.raises(SweepError, match="diagram along paths"):
        r.settings(0)
    lines = stickslip.sweep("belt-falling-friction", vary=vary, set=short, spectrum={"column": "vx_block", "most": 40})
    assert set(lines["section"]) == {"line"} and len(lines) == 3 * 2 * 40
    with pytest.raises(SweepError, match="either a bifurcation"):
        stickslip.sweep("belt-falling-friction", bifurcation={"column": "v"}, spectrum={"column": "v"})
    pytest.importorskip("matplotlib").use("Agg")
    assert len(r.plot().axes[0].collections) == 2 and len(lines.plot().axes) == 2
    small = {"body.block.speed": "-0.3 m/s:0.3 m/s:3", "body.block.x": "-2 mm:5 mm:3"}
    vary = [f"{key}={text}" for key, text in small.items()]
    stickslip.sweep("belt-basins", vary=small, orbits=["vx_block"], out=tmp_path / "basins")
    words = [word for text in vary for word in ("--vary", text)]
    ok(command("sweep", "belt-basins", *words, "--orbits", "vx_block", "--out", tmp_path / "c3", "--quiet"))
    assert "groups.csv" in same(tmp_path / "basins", tmp_path / "c3")


def test_points_in_all_forms_are_the_same_points(tmp_path, command):
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    torque = np.linspace(600, 1400, 7)
    friction = 0.4 + 0.1 * np.arange(7) / 3
    columns = {"brake.torque.max": torque, "ground.friction": friction}
    rows = [{"brake.torque.max": a, "ground.friction": b} for a, b in zip(torque, friction)]
    all = {"dict": columns, "rows": rows, "pandas": pandas.DataFrame(columns), "polars": polars.DataFrame(columns)}
    file = stickslip.write_points(columns, tmp_path / "points.csv")
    for name, points in {**all, "file": file}.items():
        r = stickslip.sweep("wheel-sport-braking", points, outputs="distance", out=tmp_path / name)
        assert r["ground.friction"].tobytes() == friction.tobytes()
    ok(command("sweep", "wheel-sport-braking", "--points", file, "--output", "distance", "--out", tmp_path / "c", "-q"))
    for name in [*all, "file"]:
        same(tmp_path / name, tmp_path / "c")


def test_masks_are_not_dropped():
    """What NumPy has masked is no value, and no 0 either."""
    torque = np.ma.array([600.0, 900.0], mask=[False, True])
    run = lambda points=None, **how: stickslip.sweep("wheel-sport-braking", points, outputs="distance", **how)  # noqa: E731
    for call in (
        lambda: run({"brake.torque.max": torque}),
        lambda: run({"brake.torque.max": np.ma.array([600.0, 900.0])}),
        lambda: run([{"brake.torque.max": value} for value in torque]),
        lambda: run({"brake.torque.max": list(torque)}),
        lambda: run(vary={"brake.torque.max": torque}),
        lambda: run(vary={"brake.torque.max": list(torque)}),
        lambda: stickslip.find("park-on-slope", {"road.friction": (np.ma.masked, 1)}, until="end.x == 0"),
    ):
        with pytest.raises(SweepError, match="masked"):
            call()


def test_numbers_that_ask_are_refused_in_words():
    pandas = pytest.importorskip("pandas")
    for words, how in [
        ("seed = -1: it must be a whole number from 0", {"seed": -1}),
        ("samples = 0: it must be a whole number from 1", {"samples": 0}),
        ("samples = 2.5: it must be a whole number", {"samples": 2.5}),
        ("seed = 1.8446744073709552e\\+19|seed = 18446744073709551616", {"seed": 1 << 64}),
    ]:
        with pytest.raises(ValueError, match=words):
            stickslip.sweep("wheel-sport-braking", vary={"wheel.mass": "normal(400 kg, 5 kg)"}, **{"samples": 2, **how})
    with pytest.raises(ValueError, match="scan = -1"):
        stickslip.find("park-on-slope", "road.friction=0:1", until="end.x == 0", scan=-1)
    twice = pandas.DataFrame([[1.0, 2.0]], columns=["wheel.mass", "wheel.mass"])
    with pytest.raises(SweepError, match="columns of points have one name: wheel.mass"):
        stickslip.sweep("wheel-sport-braking", twice, outputs="distance")


def test_arrays_and_frames(tmp_path):
    r = stickslip.sweep("wheel-sport-braking", vary=BRAKES, outputs=["distance", "first_lock"], classes={"locks": "known(first_lock)"})
    assert r["distance"].shape == (27,) and r["distance"].dtype == float
    assert r.units["distance"] == "m" and r.units["brake.torque.max"] == "N m"
    locks = np.isfinite(r["first_lock"])
    assert 0 < locks.sum() < 27
    assert [name == "locks" for name in r["class"]] == list(locks)
    frame = r.to_pandas()
    assert list(frame) == r.names and frame["distance"].to_numpy().tobytes() == r["distance"].tobytes()
    assert frame.attrs["units"]["distance"] == "m"
    assert r.to_polars()["first_lock"].null_count() == 27 - locks.sum()
    pandas, _ = pytest.importorskip("pandas"), pytest.importorskip("pyarrow")
    read = pandas.read_parquet(r.path / "sweep.parquet")
    assert list(read) == list(frame)
    for name in read:
        known = read[name].notna()
        assert (known == frame[name].notna()).all() and (read[name][known] == frame[name][known]).all()
    assert r.errors == {} and "27 points" in repr(r) and "<table>" in r._repr_html_()
    with pytest.raises(KeyError, match="there are brake.torque.max"):
        r["distanse"]


def test_columns_as_grids():
    r = stickslip.sweep("wheel-sport-braking", vary=BRAKES, outputs="distance")
    assert r["distance"].shape == (27,) and r.grid("distance").shape == (9, 3)
    assert (r.grid("ground.friction") == [0.4, 0.7, 1.0]).all() and (np.diff(r.grid("brake.torque.max"), axis=0) > 0).all()
    both = stickslip.sweep("wheel-sport-braking", vary={"ground.friction": [0.4, 0.7], "wheel.mass": "uniform(300, 400)"}, samples=5, outputs="distance")
    assert both.grid("ground.friction").tolist() == [[0.4] * 5, [0.7] * 5]
    table = stickslip.sweep("wheel-sport-braking", {"ground.friction": [0.4, 0.7]}, outputs="distance")
    with pytest.raises(SweepError, match="lie on no grid"):
        table.grid("distance")


def test_nothing_varied():
    with pytest.raises(SweepError, match="vary is empty"):
        stickslip.sweep("park-on-slope", vary={}, outputs="end.x")
    with pytest.raises(SweepError, match="a set, which has no order"):
        stickslip.sweep("park-on-slope", vary={"road.friction": {0.4, 0.7}}, outputs="end.x")


def test_missing_blocks_and_forked_children(tmp_path):
    r = stickslip.sweep("wheel-sport-braking", vary={"ground.friction": [0.4, 0.7]}, outputs="distance", out=tmp_path / "s")
    (block,) = r.files
    block.unlink()
    with pytest.raises(stickslip.DatasetError, match="0 rows of 2: blocks are missing"):
        _ = stickslip.SweepResult(tmp_path / "s")["distance"]
    child = subprocess.run([sys.executable, "-c", FORKED], capture_output=True, text=True, check=False)
    assert child.returncode == 0, child.stderr
    with pytest.raises(ValueError, match="threads = 1000000000"):
        stickslip.sweep("wheel-sport-braking", vary={"ground.friction": [0.4, 0.7]}, outputs="distance", threads=10**9)


FORKED = """
import os, sys, stickslip
r = stickslip.sweep("wheel-sport-braking", vary={"ground.friction": [0.4, 0.7]}, outputs="distance")
child = os.fork()
if child == 0:
    sys.exit(0)
os.waitpid(child, 0)
assert r["distance"].shape == (2,)
"""


def test_random_samples_have_their_seed():
    def once(seed):
        vary = {"ground.friction": "normal(0.8, 0.05)"}
        return stickslip.sweep("wheel-sport-braking", vary=vary, samples=16, seed=seed, design="sobol", outputs="distance")

    assert once(1)["distance"].tobytes() == once(1)["distance"].tobytes() != once(2)["distance"].tobytes()


def test_points_that_fail_are_rows_with_errors():
    r = stickslip.sweep("wheel-sport-braking", vary={"wheel.mass": [400.0, -1.0, 300.0]}, outputs="distance")
    assert list(r.errors) == [1] and "wheel.mass" in r.errors[1]
    assert np.isnan(r["distance"][1]) and np.isfinite(r["distance"][[0, 2]]).all()


def test_a_point_is_run_again(command):
    r = stickslip.sweep("wheel-sport-braking", vary=BRAKES, set={"wheel.radius": "0.31 m"}, outputs="distance")
    assert r.command(4) == (
        "stickslip run wheel-sport-braking --set 'wheel.radius=0.31 m' --set brake.torque.max=700.0 --set ground.friction=0.7"
    )
    assert r.command(-1) == r.command(26)
    for i in (4, 20):
        again = r.run(i)
        assert again.measures["distance"] == r["distance"][i]
    with pytest.raises(IndexError, match="there are 27"):
        r.command(27)


def test_searches():
    found = stickslip.find("wheel-sport-braking", "brake.torque.max=600 N m:1400 N m", until="known(first_lock)")
    # R mu m g (1 + I/(m R^2)): the least torque that the ground cannot turn the wheel against, but the brake must also hold long enough.
    assert found.value > 0.3 * 0.8 * 400 * 9.81 * (1 + 1.2 / (400 * 0.09))
    assert found.unit == "N m" and found.upwards and found.beyond < found.value
    assert found.value - found.beyond <= 2e-13 * 1400
    assert list(found.to_pandas()) == ["value", "known(first_lock)"]
    best = stickslip.find(
        "car-two-wheels-braking", {"wheel.rear.brake.max": (0, 3000)}, minimise="stopping_distance", tolerance=1e-3
    )
    assert best.beyond is None and best.outputs["stopping_distance"] == np.nanmin(best.runs["stopping_distance"])
    with pytest.raises(SweepError, match="no boundary"):
        stickslip.find("wheel-sport-braking", "brake.torque.max=0:1", until="known(first_lock)")
    with pytest.raises(SweepError, match="one thing"):
        stickslip.find("wheel-sport-braking", "brake.torque.max=0:1")


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({}, "frictoin.*did you mean|frictoin"),
        ({"vary": {"ground.friction": "0.2:1:0"}}, "empty"),
        ({"vary": {"ground.friction": "0.2:1"}}, "how many"),
        ({"vary": {"ground.friction": []}}, "empty list"),
        ({"vary": {"ground.friction": 3}}, "range"),
        ({"vary": 3}, "type int"),
        ({"vary": {"ground.friction": [float("nan")]}}, "nan"),
        ({"vary": {"ground.friction": "0.2:1:3"}, "outputs": ["distanse"]}, "distance"),
        ({"vary": {"ground.friction": "0.2:1:3"}, "samples": 4}, "at random"),
        ({"vary": {"ground.friction": "uniform(0, 1)"}, "design": "sobel"}, "sobol"),
        ({"vary": {"ground.friction": "0.2 kg:1 kg:3"}}, "ground.friction"),
        ({"points": {"ground.friction": [1.0, 2.0], "wheel.mass": [1.0]}}, "differ in length"),
        ({"points": {"ground.friction": "0:1:3"}}, "vary"),
        ({"points": {"ground.friction": []}}, "no points"),
        ({"points": {"ground.friction": np.ones((2, 2))}}, "not a list"),
        ({"points": {"ground.friction": [0.5, None]}}, "point 1"),
        ({"points": [{"ground.friction": 1.0}, {"wheel.mass": 1.0}]}, "same keys"),
        ({"points": 3}, "type int"),
        ({"points": "nowhere.csv"}, "nowhere.csv"),
    ],
)
def test_bad_input_is_told_in_words(asked, words):
    asked = asked or {"vary": {"ground.frictoin": "0.2:1:3"}}
    with pytest.raises(SweepError, match=words) as raised:
        stickslip.sweep("wheel-sport-braking", **asked)
    assert raised.value.hint


def test_a_folder_of_something_else_is_refused(tmp_path):
    def once(end):
        return stickslip.sweep("wheel-sport-braking", vary={"ground.friction": f"0.2:{end}:3"}, outputs="distance", out=tmp_path / "a")

    once(1)
    once(1)
    with pytest.raises(SweepError, match="differs in the points"):
        once(2)
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "letter.txt").write_text("dear")
    with pytest.raises(SweepError, match="holds files already"):
        stickslip.sweep("wheel-sport-braking", vary={"ground.friction": "0:1:2"}, out=tmp_path / "b")


def test_ctrl_c_stops_and_what_is_finished_stays(tmp_path):
    asked = {"vary": {"ground.friction": "0.2:1:3000"}, "outputs": "distance", "report": False}
    pressed = []

    def press():
        pressed.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    def progress(done, of, left):
        if done > 20 and not pressed:
            threading.Timer(0.05, press).start()
            pressed.append(None)

    with pytest.raises(KeyboardInterrupt):
        stickslip.sweep("wheel-sport-braking", out=tmp_path / "a", progress=progress, **asked)
    took = time.perf_counter() - pressed[1]
    # 0.2 s on a quiet machine; here others may hold the processor.
    assert took < 1.0, took
    journals = list((tmp_path / "a").rglob(".journal-*"))
    assert journals and all(path.stat().st_size > 1000 for path in journals)
    told = []
    for _ in range(100):
        # The points that were at work end in the background, and hold the folder until then.
        try:
            stickslip.sweep("wheel-sport-braking", out=tmp_path / "a", progress=lambda *p: told.append(p), **asked)
            break
        except SweepError as error:
            assert "still at work" in str(error)
            time.sleep(0.05)
    assert told[0][0] > 20 and told[-1][:2] == (3000, 3000)
    stickslip.sweep("wheel-sport-braking", out=tmp_path / "b", **asked)
    same(tmp_path / "a", tmp_path / "b")


def test_what_progress_raises_comes_out(tmp_path):
    def progress(done, of, left):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        stickslip.sweep("wheel-sport-braking", vary={"ground.friction": "0.2:1:2000"}, outputs="distance", progress=progress)


def test_pictures():
    plt = pytest.importorskip("matplotlib.pyplot")
    curve = stickslip.sweep("wheel-sport-braking", vary={"ground.friction": "0.4:1:5"}, outputs="distance")
    figure = curve.plot()
    assert figure.axes[0].get_xlabel() == "ground.friction" and figure.axes[0].get_ylabel() == "distance (m)"
    (line,) = figure.axes[0].lines
    assert line.get_ydata().tobytes() == curve["distance"].tobytes()
    plane = stickslip.sweep("wheel-sport-braking", vary=BRAKES, outputs="distance", classes={"locks": "known(first_lock)", "rolls": "1"})
    figure = plane.plot()
    assert [text.get_text() for text in figure.axes[0].get_legend().texts] == ["locks", "rolls"]
    figure = plane.plot("distance")
    assert figure.axes[0].get_ylabel() == "brake.torque.max (N m)"
    mesh = figure.axes[0].collections[0].get_array()
    assert np.asarray(mesh).ravel().tobytes() == plane["distance"].tobytes()
    lines = stickslip.sweep("wheel-sport-braking", vary={"brake.torque.max": "200 N m:1400 N m:7"}, outputs="first_lock")
    assert np.isnan(lines["first_lock"]).any()
    missing = lines.plot().axes[0].lines[1]
    assert missing.get_label() == "no value" and len(missing.get_xdata()) == np.isnan(lines["first_lock"]).sum()
    some = stickslip.sweep("wheel-sport-braking", vary={**BRAKES, "brake.torque.max": "200 N m:1400 N m:7"}, outputs="first_lock").plot()
    assert [text.get_text() for text in some.axes[0].get_legend().texts] == ["no value"] and some.axes[0].patch.get_hatch()
    samples = stickslip.sweep("wheel-sport-braking", vary={"ground.friction": "uniform(0.4, 1)"}, samples=50, outputs="distance")
    samples.plot()
    both = stickslip.sweep("wheel-sport-braking", vary=BRAKES, outputs=["distance", "end.x1"]).plot()
    assert len(both.axes) == 4, "a map of each output, each with its scale of colours"
    with pytest.raises(SweepError, match="there are distance"):
        curve.plot("first_lock")
    cube = stickslip.sweep("wheel-sport-braking", vary={**BRAKES, "wheel.mass": [300, 400]}, outputs="end.x1")
    with pytest.raises(SweepError, match="no usual picture"):
        cube.plot()
    plt.close("all")


def test_a_dataset_of_the_command_opens(tmp_path, command):
    ok(command("sweep", "wheel-sport-braking", "--vary", "ground.friction=0.4:1:5", "--output", "distance", "--out", tmp_path / "c", "-q"))
    r = stickslip.SweepResult(tmp_path / "c")
    assert r["distance"].shape == (5,) and r.summary["points"] == 5
    with pytest.raises(SweepError, match="opened"):
        r.command(0)
    with pytest.raises(stickslip.DatasetError, match="no complete sweep"):
        stickslip.SweepResult(tmp_path)
