"""Sweeps on a local Dask cluster of two processes: the dataset of one machine, also when a worker is killed."""

import os
import pickle
import signal

import numpy as np
import pytest

import stickslip
from stickslip import SweepError, _dask, _native
from test_sweep import files, ok, same

distributed = pytest.importorskip("distributed")

MAP = {"brake.torque.max": "600 N m:1400 N m:100", "ground.friction": "0.4:1:100"}
ASKED = {"vary": MAP, "set": {"run.duration": "1.5 s"}, "outputs": ["distance", "end.x1", "first_slip.ground"]}


@pytest.fixture(scope="module")
def client():
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, memory_limit=0
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """The map by threads of this machine."""
    folder = tmp_path_factory.mktemp("alone") / "map"
    stickslip.sweep("wheel-sport-braking", out=folder, **ASKED)
    return folder


def test_ten_thousand_points_are_those_of_one_machine_and_of_the_command(client, alone, tmp_path, command):
    r = stickslip.sweep("wheel-sport-braking", client=client, out=tmp_path / "dask", **ASKED)
    assert len(r) == 10_000
    same(tmp_path / "dask", alone)
    words = [word for key, text in MAP.items() for word in ("--vary", f"{key}={text}")]
    words += [word for name in ASKED["outputs"] for word in ("--output", name)]
    ok(command("sweep", "wheel-sport-braking", "--set", "run.duration=1.5 s", *words, "--out", tmp_path / "c", "-q"))
    same(tmp_path / "dask", tmp_path / "c")


def test_a_worker_that_is_killed_half_way_changes_nothing(client, alone, tmp_path):
    before = client.run(os.getpid)
    killed = []

    def progress(done, of, left):
        if done >= of // 2 and not killed:
            at_work = [worker for worker, tasks in client.processing().items() if tasks]
            assert at_work and done < of
            killed.append(before[at_work[0]])
            os.kill(killed[0], signal.SIGKILL)

    stickslip.sweep("wheel-sport-braking", client=client, out=tmp_path / "dask", progress=progress, **ASKED)
    assert killed and not os.path.exists(f"/proc/{killed[0]}") or open(f"/proc/{killed[0]}/stat").read().split()[2] == "Z"
    client.wait_for_workers(2)
    assert killed[0] not in client.run(os.getpid).values()
    same(tmp_path / "dask", alone)


def test_blocks_are_made_of_several_tasks(client, tmp_path, monkeypatch):
    """More points than a block has: two files, each the same as that of one machine."""
    tasks = []
    run = _native.Sweep.cut_table
    asked = {
        "vary": {"ground.friction": "0.4:1:70000"},
        "set": {"run.duration": "2 ms"},
        "outputs": ["end.x1"],
        "report": False,
    }
    submit = client.submit
    monkeypatch.setattr(client, "submit", lambda *a, **k: tasks.append(a[2:4]) or submit(*a, **k))
    stickslip.sweep("wheel-sport-braking", client=client, out=tmp_path / "dask", **asked)
    stickslip.sweep("wheel-sport-braking", out=tmp_path / "alone", **asked)
    names = same(tmp_path / "dask", tmp_path / "alone")
    assert [name for name in names if "block-" in name] == [f"sweep.parquet/block-{k:09}.parquet" for k in range(2)]
    assert len(tasks) > 8 and sum(count for _, count in tasks) == 70_000
    # None of them reaches over the border of two blocks.
    assert all(first // 65_536 == (first + count - 1) // 65_536 for first, count in tasks)


def test_tables_of_points_and_random_samples_travel(client, tmp_path):
    points = {"wheel.mass": np.linspace(300, 500, 40), "run.scheme": ["events", "implicit-euler"] * 20}
    asked = {"points": points, "vary": {"ground.friction": "uniform(0.3, 1)"}, "samples": 5, "outputs": "distance"}
    stickslip.sweep("wheel-sport-braking", client=client, out=tmp_path / "dask", **asked)
    r = stickslip.sweep("wheel-sport-braking", out=tmp_path / "alone", **asked)
    same(tmp_path / "dask", tmp_path / "alone")
    assert len(r) == 200 and set(r["run.scheme"]) == {"events", "implicit-euler"}


def test_files_that_a_scenario_names_travel_and_varied_ones_are_refused(client, tmp_path):
    text = (tmp_path / "car.toml", tmp_path / "torque.csv")
    text[1].write_text("t,M\n0,0\n0.5,0\n0.7,1500\n6,1500\n")
    text[0].write_text(
        'model = "wheel"\n[wheel]\nmass = "400 kg"\ninertia = "1.2 kg m^2"\nradius = "0.3 m"\n[ground]\nfriction = 0.8\n'
        'gravity = "9.81 m/s^2"\n[brake]\ntorque = { csv = "torque.csv", time = "t", column = "M" }\n'
        '[initial]\nspeed = "20 m/s"\n[run]\nduration = "3 s"\nstep = "1 ms"\n'
    )
    asked = {"vary": {"ground.friction": "0.3:1:50"}, "outputs": "distance"}
    stickslip.sweep(text[0], client=client, out=tmp_path / "dask", **asked)
    r = stickslip.sweep(text[0], out=tmp_path / "alone", **asked)
    same(tmp_path / "dask", tmp_path / "alone")
    assert r.errors == {} and len(set(r["distance"])) > 40
    with pytest.raises(SweepError, match="varied over files"):
        stickslip.sweep(text[0], vary={"brake.torque.csv": ["torque.csv"]}, outputs="distance", client=client)


def test_an_interrupted_sweep_goes_on(client, alone, tmp_path):
    def stop(done, of, left):
        if done > of // 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stickslip.sweep("wheel-sport-braking", client=client, out=tmp_path / "dask", progress=stop, **ASKED)
    told = []
    stickslip.sweep("wheel-sport-braking", client=client, out=tmp_path / "dask", progress=lambda *p: told.append(p), **ASKED)
    assert told[0][0] > 10_000 // 3
    same(tmp_path / "dask", alone)


def test_tasks_are_small_plain_data_and_other_versions_are_refused(client):
    plan = _native.Sweep(
        _native.Scenario.named("wheel-sport-braking", []),
        {key: [] for key in ("follow", "classes", "orbits")}
        | {"vary": ["ground.friction=0:1:5"], "outputs": ["distance"]}
        | dict.fromkeys(("samples", "seed", "design", "points")),
        "",
    )
    luggage = plan.luggage()
    assert len(pickle.dumps(luggage)) < 20_000
    rows, seconds = client.submit(_dask.run_chunk, luggage, 1, 3, 1, None).result()
    assert rows == _native.run_chunk(luggage, 1, 3, 1) and seconds > 0
    version, *others = luggage["hashes"]
    with pytest.raises(SweepError, match="version of the program"):
        _native.run_chunk({**luggage, "hashes": ("stickslip 0.0.1", *others)}, 1, 3, 1)
    with pytest.raises(SweepError, match="differ in the scenario"):
        _native.run_chunk({**luggage, "text": luggage["text"].replace("400 kg", "401 kg")}, 1, 3, 1)


def test_rows_that_are_not_those_that_were_asked_for_are_refused(tmp_path):
    request = {key: [] for key in ("follow", "classes", "orbits")} | dict.fromkeys(("samples", "seed", "design", "points"))
    request |= {"vary": ["ground.friction=0:1:5"], "outputs": ["distance"]}
    plan = _native.Sweep(_native.Scenario.named("wheel-sport-braking", []), request, "")
    gathering = plan.gather(tmp_path / "a", 1, False)
    assert gathering.open() == [(0, 5)]
    luggage = plan.luggage()
    rows = _native.run_chunk(luggage, 0, 2, 0)
    for bad in (rows[:-1], rows + b"0", rows[:40] + bytes([rows[40] ^ 1]) + rows[41:], b""):
        with pytest.raises(SweepError, match="not whole"):
            gathering.take(bad, 0, 2)
    with pytest.raises(SweepError, match="not whole"):
        gathering.take(rows, 0, 3)
    # Rows of other points under the number of these.
    with pytest.raises(SweepError, match="other values"):
        gathering.take(_native.run_chunk(luggage, 0, 2, 1), 0, 2)
    gathering.take(rows, 0, 2)
    assert gathering.done() == 2
    gathering.close()
    again = plan.gather(tmp_path / "a", 1, False)
    assert again.open() == [(2, 3)] and again.done() == 2


def test_clients_that_are_none_are_refused():
    with pytest.raises(SweepError, match="type str"):
        stickslip.sweep("wheel-sport-braking", vary={"ground.friction": "0:1:5"}, client="tcp://here")


def test_folders_are_compared_at_all(alone, tmp_path):
    """The comparison that all of this rests on can fail."""
    other = tmp_path / "other"
    for name, content in files(alone).items():
        (other / name).parent.mkdir(parents=True, exist_ok=True)
        (other / name).write_bytes(content if not name.endswith(".csv") else content[:-2] + b"9\n")
    with pytest.raises(AssertionError):
        same(alone, other)
