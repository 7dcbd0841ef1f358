"""Scenarios: sources, changes, errors that know their place."""

import os
import pickle
from dataclasses import dataclass, field

import numpy as np
import pytest
import stickslip
from stickslip import Scenario, ScenarioError

WHEEL = {
    "model": "wheel",
    "wheel": {"mass": "400 kg", "inertia": 1.2, "radius": "0.3 m"},
    "ground": {"friction": 0.8},
    "brake": {"torque": {"trapezoid": ["0.5 s", "0.7 s", "2 s", "2.4 s"], "max": "1.9 kN m"}},
    "initial": {"speed": "72 km/h"},
    "run": {"duration": "3 s", "step": "1 ms", "scheme": "implicit-euler"},
}


def test_all_are_listed():
    names = stickslip.scenarios()
    assert len(names) > 55 and names["wheel-sport-braking"].startswith("Hard braking")


def test_sources_agree(tmp_path):
    builtin = Scenario.builtin("wheel-sport-braking")
    path = tmp_path / "wheel-sport-braking.toml"
    path.write_text(builtin.show())
    file, text = Scenario.from_file(path), Scenario.from_toml(builtin.show())
    assert builtin.hash == file.hash == text.hash == Scenario(path).hash == Scenario(str(path)).hash
    assert (builtin.model, builtin.title) == ("wheel", "Hard braking from 20 m/s")
    assert (builtin.duration, builtin.step, builtin.scheme) == (6.0, 1e-3, "implicit-euler")
    assert "wheel-sport-braking" in builtin.explain() and builtin.description
    assert file.name == str(path) and repr(builtin).startswith("<stickslip.Scenario wheel-sport-braking")


def test_from_dict():
    scenario = Scenario.from_dict(WHEEL)
    assert Scenario.from_toml(scenario.show()).hash == scenario.hash
    assert stickslip.run(WHEEL)["x1"][-1] == stickslip.run(scenario)["x1"][-1]
    assert scenario.to_dict()["brake"] == WHEEL["brake"]


def test_every_builtin_survives_as_a_dictionary():
    for name in stickslip.scenarios():
        data = Scenario.builtin(name).to_dict()
        try:
            again = Scenario.from_dict(data)
        except ScenarioError as error:
            assert "csv" in str(error) or "file" in str(error), (name, str(error))
            continue
        assert again.to_dict() == data, name


def test_from_dataclass():
    @dataclass
    class Body:
        mass: str = "400 kg"
        inertia: float = 1.2
        radius: float = 0.3

    @dataclass
    class Braked:
        model: str = "wheel"
        title: str | None = None
        wheel: Body = field(default_factory=Body)
        ground: dict = field(default_factory=lambda: {"friction": np.float64(0.8)})
        brake: dict = field(default_factory=lambda: WHEEL["brake"])
        initial: dict = field(default_factory=lambda: WHEEL["initial"])
        run: dict = field(default_factory=lambda: WHEEL["run"])

    assert stickslip.run(Braked()).t[-1] == 3
    assert Scenario.from_dict(Braked(wheel=Body(mass="350 kg"))).to_dict()["wheel"]["mass"] == "350 kg"


def test_set():
    base = Scenario.builtin("wheel-sport-braking")
    heavy = base.set({"wheel.mass": "500 kg"})
    assert heavy.to_dict()["wheel"]["mass"] == "500 kg" and base.to_dict()["wheel"]["mass"] != "500 kg"
    assert heavy.set({"brake.torque": WHEEL["brake"]["torque"]}).to_dict()["brake"] == WHEEL["brake"]
    assert heavy.set(title="other").title == "other"
    assert heavy.set() == heavy and hash(heavy) != hash(base)
    assert heavy.set({"run.step": 5e-4}).step == 5e-4
    assert base.set(["wheel.mass=500 kg"]).hash == heavy.hash


def test_pint():
    pint = pytest.importorskip("pint")
    unit = pint.UnitRegistry()
    data = dict(WHEEL, wheel={"mass": 400 * unit.kg, "inertia": 1.2 * unit.kg * unit.m**2, "radius": 30 * unit.cm})
    data["initial"] = {"speed": 72 * unit.km / unit.hour}
    data["brake"] = {"torque": 1.9 * unit.kN * unit.m}
    given, plain = Scenario.from_dict(data), Scenario.from_dict(dict(WHEEL, brake={"torque": "1.9 kN m"}))
    assert stickslip.run(given)["x1"].tobytes() == stickslip.run(plain)["x1"].tobytes()
    with pytest.raises(ScenarioError, match="mass"):
        Scenario.from_dict(dict(data, wheel=dict(data["wheel"], mass=3 * unit.m)))
    with pytest.raises(TypeError, match="load has the unit kilonewton: numbers are in SI units"):
        stickslip.contact.hertz(stickslip.contact.Body(0.46, 0.3), load=42 * unit.kN)
    masses = {"wheel.mass": [300 * unit.kg, 0.4 * unit.metric_ton]}
    swept = stickslip.sweep(plain, vary=masses, outputs="end.x")
    assert list(swept["wheel.mass"]) == [300, 400]
    s = stickslip.Simulation(given)
    s.inputs["brake.torque"] = 0.5 * unit.kN * unit.m
    assert s.inputs["brake.torque"] == 500


def test_errors_know_their_place(tmp_path, command):
    path = tmp_path / "my.toml"
    path.write_text(Scenario.builtin("wheel-sport-braking").show().replace("[ground]", "[grund]"))
    with pytest.raises(ScenarioError) as caught:
        Scenario.from_file(path)
    error = caught.value
    line = path.read_text().splitlines().index("[grund]") + 1
    assert (error.file, error.line, error.column) == (str(path), line, 2)
    assert error.hint and error.hint in " ".join(str(error).split()) and f"my.toml:{line}:2" in str(error)
    # What the command prints, without colours; lines are broken elsewhere where the terminal is.
    printed = command("lint", path).stderr or command("run", path).stderr
    printed = command("run", path, "--color", "never").stderr
    assert " ".join(printed.split()).lstrip("× ") == " ".join(str(error).split())


def test_negative_masses():
    with pytest.raises(ScenarioError, match="greater than 0") as caught:
        stickslip.run("wheel-sport-braking", {"wheel.mass": -3})
    assert (caught.value.file, caught.value.line, caught.value.column) == ("--set", 1, 12)
    with pytest.raises(ScenarioError, match="did you mean the built-in `wheel-sport-braking`") as caught:
        stickslip.run("wheel-sport-brakin")
    assert caught.value.line is None


def test_pickle(tmp_path):
    for scenario in [
        Scenario.builtin("wheel-sport-braking").set({"wheel.mass": "350 kg"}),
        Scenario.from_dict(WHEEL),
        Scenario.builtin("creep-42kn"),
    ]:
        again = pickle.loads(pickle.dumps(scenario))
        assert again == scenario and again.description == scenario.description
    (tmp_path / "M.csv").write_text("t,M\n0,0\n1,900\n2,0\n")
    path = tmp_path / "own.toml"
    data = dict(WHEEL, brake={"torque": {"csv": "M.csv", "time": "t", "column": "M"}})
    path.write_text(Scenario.from_dict(data, base=tmp_path).show().replace("inputs/", ""))
    scenario = Scenario.from_file(path)
    kept = pickle.dumps(scenario)
    (tmp_path / "M.csv").unlink()
    again = pickle.loads(kept)
    assert again.hash == scenario.hash
    assert stickslip.run(again)["x1"].tobytes() == stickslip.run(scenario)["x1"].tobytes()


def test_files_may_have_any_names(tmp_path):
    for name in ["mit Blank.toml", "größe.toml", os.fsdecode(b"no-unicode-\xff.toml")]:
        path = tmp_path / name
        try:
            path.write_text(Scenario.builtin("block-on-belt").show())
        except OSError:
            pytest.skip("this disk has names in Unicode only")
        for given in (path, str(path)):
            assert Scenario(given, {"run.duration": "1 s"}).duration == Scenario.from_file(given).set({"run.duration": "1 s"}).duration == 1
        assert stickslip.run(path, {"run.duration": "1 s"}, out=tmp_path / f"{name}.out").success
        r = stickslip.sweep(path, vary={"run.duration": [0.5, 1.0]}, outputs="heat", out=tmp_path / f"{name}.sweep")
        assert list(r["run.duration"]) == [0.5, 1.0] and r.command(1)
    (tmp_path / "file").write_text("")
    for wrong in ["\0", "a\0b.toml", tmp_path, tmp_path / "none.toml", b"\xff", ""]:
        with pytest.raises((stickslip.Error, ValueError)) as caught:
            Scenario(wrong)
        assert str(caught.value).strip()
    for folder in ["\0", tmp_path / "file" / "below", tmp_path / "file"]:
        with pytest.raises((stickslip.Error, ValueError)) as caught:
            stickslip.run("block-on-belt", {"run.duration": "1 s"}, out=folder)
        assert str(caught.value).strip()


def test_what_holds_itself_or_is_too_deep_is_refused_in_words():
    ring, chain = dict(WHEEL), {}
    ring["wheel"] = {"mass": ring}
    rope = []
    rope.append(rope)
    for _ in range(5000):
        chain = {"a": chain}
    for data in (ring, {**WHEEL, "more": rope}, chain):
        with pytest.raises(stickslip.Error, match="deep, or one of them holds itself"):
            Scenario.from_dict(data)
    with pytest.raises(stickslip.Error, match="holds itself"):
        Scenario.builtin("block-on-belt").set({"run.step": rope})
    for opening, closing in ["[]", ("{a=", "}"), ("((", "))")]:
        for deep in (100, 100_000):
            text = f"{opening * deep}1{closing * deep}"
            for written in (text, f'{{expression="{text}"}}'):
                with pytest.raises(stickslip.Error):
                    Scenario.builtin("wheel-sport-braking").set([f"brake.torque={written}"])
            with pytest.raises(stickslip.Error):
                Scenario.from_toml(f"model = {text}")


def test_arrays_of_one_number():
    with pytest.raises(stickslip.ScenarioError, match=r"road.friction is an array of one number: write float\(x\[0\]\)"):
        stickslip.Scenario("car-two-wheels-braking", {"road.friction": np.array([0.5])})
    with pytest.raises(stickslip.ScenarioError, match=r"write float\(x\[0\]\)"):
        stickslip.Scenario("car-two-wheels-braking").set({"road.friction": np.array([0.5])})
    assert stickslip.Scenario("car-two-wheels-braking", {"road.friction": np.array(0.5)}).to_dict()["road"]["friction"] == 0.5
