"""What a run gives."""

import copy
import multiprocessing
import os
import pickle
import subprocess
import sys
import threading
import time
import tracemalloc

import numpy as np
import pytest
import stickslip
from stickslip.result import as_events


@pytest.fixture(scope="module")
def r():
    return stickslip.run("wheel-sport-braking")


def test_columns(r):
    assert r.columns[0] == "t" and r.t is r["t"]
    assert len(r.t) == 6001 and r.t[0] == 0 and r.t[-1] == 6
    assert r.units["x1"] == "m/s" and r.meanings["x1"]
    assert "x1" in r and "nonsense" not in r and len(r) == len(r.columns)
    with pytest.raises(KeyError, match="there is no column 'y'; there are: t, x1"):
        r["y"]


def test_arrays_are_the_memory_of_the_run(r):
    assert r["x1"] is r["x1"]
    assert not r["x1"].flags.owndata and not r["x1"].flags.writeable and r["x1"].flags.c_contiguous
    with pytest.raises(ValueError, match="read-only"):
        r["x1"][0] = 1


def test_events(r):
    assert r.events.dtype.names == ("t", "contact", "from", "to", "words")
    # The type hangs on no content; a name that is longer than usual is whole.
    assert stickslip.run("block-on-belt").events.dtype == r.events.dtype == as_events([]).dtype
    long = [(0.5, "x" * 100, "stick", "slip+", "y" * 65)]
    assert as_events(long)[0].tolist() == long[0]
    assert [str(words) for words in r.events["words"] if words][:2] == ["wheel slides", "wheel locks"]
    assert set(r.t_events) == {"ground", "brake"}
    assert sum(map(len, r.t_events.values())) == len(r.events)
    frame = r.events_frame()
    assert list(frame.columns) == list(r.events.dtype.names) and len(frame) == len(r.events)


def test_ends(r):
    assert (r.status, r.success) == (0, True) and "t = 6 s" in r.message


def test_measures_and_summary(r):
    assert r.measures["distance"] == pytest.approx(56.4778, abs=1e-4)
    with pytest.raises(KeyError, match="no 'distanse' .did you mean 'distance'.*there are: "):
        r.measures["distanse"]
    assert r.measure_units["distance"] == "m"
    assert r.summary["measures"] == r.measures and r.summary["convergence"] is not None


def test_frames(r):
    frame = r.to_pandas()
    assert list(frame.columns) == r.columns and frame["x1"].to_numpy().tobytes() == r["x1"].tobytes()
    frame.loc[0, "x1"] = 7.0
    frame["x1"] *= 2.0
    assert frame["x1"][0] == 14.0 and r["x1"][0] == 20.0, "a frame of its own"
    other = r.to_polars()
    assert other.columns == r.columns and other["x1"].to_numpy().tobytes() == r["x1"].tobytes()


def test_page(r):
    page = r._repr_html_()
    assert page.startswith("<iframe srcdoc=") and 'sandbox="allow-scripts"' in page
    inside = page.split('srcdoc="', 1)[1].split('"', 1)[0]
    assert "uPlot" in inside and "<" not in inside
    assert "https://" not in inside.replace("https://www.w3.org", "") or "src=&quot;http" not in inside


def test_plot(r):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib.colors import to_hex

    axes = r.plot()
    assert len(axes) == 1 and [line.get_label() for line in axes[0].lines] == ["x1", "−x2, rim"]
    assert to_hex(axes[0].lines[0].get_color()) == "#1f2a37"
    washes = {to_hex(patch.get_facecolor()) for patch in axes[0].patches}
    assert washes == {"#e9f1f8", "#fef4ea"}, "blue where all sticks, orange where something slips"
    from matplotlib.legend import Legend

    (key,) = (artist for artist in axes[0].artists if isinstance(artist, Legend))
    assert [text.get_text() for text in key.get_texts()] == ["all: rolls", "some: slides, locked"]
    assert [text.get_text() for text in axes[0].get_legend().get_texts()] == ["x1", "−x2, rim"]
    assert axes[0].get_ylabel() == "speed [m/s]"
    x1, rim = (line.get_ydata() for line in axes[0].lines)
    assert x1[0] == rim[0] and (x1 == rim)[r.t < 0.5].all(), "what rolls lies on the chassis"
    axes = r.plot("x1", "f")
    assert len(axes) == 2 and axes[1].get_ylabel() == "f [N]"
    with pytest.raises(KeyError):
        r.plot("nonsense")
    with pytest.raises(KeyError, match="did you mean 'x1'"):
        _ = r["x11"]
    parked = stickslip.run("park-on-slope").plot()
    assert {to_hex(patch.get_facecolor()) for patch in parked[0].patches} == {"#e9f1f8"}, "what stands is blue"

    # Rolling resistance slips as long as a car moves, and shades nothing where its wheels roll.
    (coasts,) = stickslip.run("car-two-wheels-braking", {"road.rolling": 0.01, "run.duration": "0.3 s"}).plot()
    assert {to_hex(patch.get_facecolor()) for patch in coasts.patches} == {"#e9f1f8"}

    def told(name):
        (key,) = (artist for artist in stickslip.run(name).plot()[-1].artists if isinstance(artist, Legend))
        return [text.get_text() for text in key.get_texts()]

    assert told("block-on-belt") == ["all stick", "something slips"]
    assert told("motorcycle-stoppie")[-1].startswith("some: "), "white bands are told, too"


def test_folders(r, tmp_path):
    folder = r.save(tmp_path / "a")
    assert (folder / "report.html").exists()
    with pytest.raises(stickslip.RunError, match="holds files already"):
        r.save(folder)
    # The folder is the one that was asked for, unless it is not there any more or holds other things.
    own = stickslip.run("block-on-belt", out=tmp_path / "own")
    assert own.folder == (tmp_path / "own").resolve() and own.summary["scenario"] and own.save(tmp_path / "again").exists()
    mixed = stickslip.run("block-on-belt", out=folder, force=True)
    assert mixed.folder != folder.resolve()
    (tmp_path / "own" / "summary.json").unlink()
    assert own.folder != tmp_path / "own" and (own.folder / "report.html").exists()
    with pytest.raises(stickslip.RunError, match="holds files already"):
        stickslip.run("block-on-belt", out=folder)
    assert r.save(folder, force=True) == folder
    (tmp_path / "file").write_text("")
    with pytest.raises(stickslip.RunError, match="file, not a folder"):
        r.save(tmp_path / "file")


def test_peak_memory():
    """The arrays are the only copy: a run of a million numbers takes hardly more memory than these."""
    import resource

    wanted = {"run.duration": "60 s", "run.step": "0.05 ms", "output.every": 4}
    stickslip.run("wheel-sport-braking")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    tracemalloc.start()
    r = stickslip.run("wheel-sport-braking", wanted)
    python = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    size = sum(array.nbytes for array in (r[name] for name in r))
    grown = 1024 * (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
    assert len(r.t) == 300_001 and size > 20e6
    assert python < 1e6, "Python holds no copy"
    assert grown < 1.2 * size, f"{grown} bytes more for arrays of {size}"


def cores_used(threads):
    """Cores that so many threads with runs keep at work."""

    def busy():
        for _ in range(4):
            stickslip.run("wheel-sport-braking", {"run.step": "0.02 ms", "output.every": 1000})

    wall, cpu = time.perf_counter(), time.process_time()
    started = [threading.Thread(target=busy) for _ in range(threads)]
    [thread.start() for thread in started]
    [thread.join() for thread in started]
    return (time.process_time() - cpu) / (time.perf_counter() - wall)


def test_two_threads_run_nearly_twice_as_fast():
    """One lock of the interpreter would hold two threads at one core. They have nearly two where nobody else uses the machine, which is not known of the next second."""
    cores = len(os.sched_getaffinity(0))
    if cores < 2 or os.getloadavg()[0] > 0.75 * cores:
        pytest.skip("no two free cores")
    assert max(cores_used(2) for _ in range(5)) > 1.2


def test_results_can_be_looked_at(r):
    assert "wheel-sport-braking" in repr(r) and "distance" in repr(r)


def test_errors_can_be_pickled():
    with pytest.raises(stickslip.ScenarioError) as caught:
        stickslip.run("wheel-sport-braking", {"wheel.mass": "-1 kg"})
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.file, again.hint) == (str(caught.value), caught.value.file, caught.value.hint)
    assert isinstance(again, ValueError)


def test_nothing_is_a_run_of_nothing():
    for wrong in [None, 3, 3.5, [], object(), b"wheel"]:
        with pytest.raises(stickslip.Error):
            stickslip.run(wrong)
    for wrong in [3, ["a", 1], {1: 2}, {"wheel.mass": object()}, {"wheel.mass": 1j}]:
        with pytest.raises(stickslip.Error):
            stickslip.run("wheel-sport-braking", wrong)
    assert np.isfinite(stickslip.run("wheel-sport-braking", ["wheel.mass=350 kg"])["x1"]).all()


def test_a_run_that_ends_early_is_no_success():
    for scheme in ["events", "implicit-euler"]:
        brake = {"front.brake": {"points": [[0.1, 0], [0.3, 1000]]}, "run.scheme": scheme}
        r = stickslip.run("motorcycle-stoppie", brake)
        assert (r.status, r.success) == (1, False)
        assert "fell over its front wheel" in r.message and "the run ends before its time" in r.message
        assert 0.3 < r.t[-1] < 2 and len(r.t) == len(r[r.columns[-1]]) and r.message in r.warnings


@pytest.mark.parametrize("name", ["wheel-sport-braking", "motorcycle-stoppie", "creep-42kn"])
def test_results_travel_between_processes(name):
    """Plain data: nothing is run again but what the command's files need."""
    r = stickslip.run(name)
    for again in (pickle.loads(pickle.dumps(r)), copy.deepcopy(r), copy.copy(r)):
        assert again.columns == r.columns and all(again[c].tobytes() == r[c].tobytes() for c in r)
        assert not any(again[c].flags.writeable for c in again)
        assert (again.status, again.message, again.warnings) == (r.status, r.message, r.warnings)
        assert again.measures == r.measures and again.strips == r.strips and again.units == r.units
        assert again.events.tobytes() == r.events.tobytes() and repr(again) == repr(r)
        assert (again.t is None) == (r.t is None) or again.t is again["t"]


def test_processes_share_the_work():
    """As users do, with workers that begin from nothing."""
    names = ["wheel-sport-braking", "block-on-belt", "two-mass"]
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        there = pool.map(stickslip.run, names)
    for name, r in zip(names, there, strict=True):
        here = stickslip.run(name)
        assert all(r[c].tobytes() == here[c].tobytes() for c in here)


def test_results_are_read_as_dictionaries_are(r):
    assert dict(r.items()).keys() == r.keys() and [*r] == list(r.keys()) == r.columns
    assert np.shares_memory(np.asarray(r["x1"]), r["x1"]) and np.asarray(r["x1"]) is r["x1"]


def test_folders_go_with_their_results():
    program = """
import gc, os, stickslip
found = stickslip.sweep("wheel-sport-braking", vary={"wheel.mass": [300, 400]}, outputs="distance")
r, s = stickslip.run("block-on-belt"), stickslip.stability("mode-coupling")
folders = [found.path, r.folder, s.folder]
assert all(map(os.path.exists, folders))
del found, r, s
gc.collect()
assert not any(map(os.path.exists, folders))
last = stickslip.run("block-on-belt")
print(last.folder)
"""
    done = subprocess.run([sys.executable, "-W", "error", "-c", program], capture_output=True, text=True)
    assert done.returncode == 0 and not done.stderr, done.stderr
    assert not os.path.exists(done.stdout.strip())
