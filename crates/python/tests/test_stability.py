"""Small motions: what the command writes, closed forms, and what is refused."""

import math
import pickle

import numpy as np
import pytest
import stickslip
from stickslip import RunError, stability


def test_a_block_on_a_belt_is_its_closed_form():
    # m λ² + (c + N μ'(v)) λ + k = 0; the belt's critical speed is v_0 ln(N Δμ/(c v_0)) = 0.1 ln 10.
    s = stability("belt-falling-friction", find={"support.belt.speed": "0.05:1"})
    assert s.critical["support.belt.speed"] == pytest.approx([0.1 * math.log(10)], rel=1e-12)
    assert s.unstable and s.eigenvalues[0].real > 0 and len(s.modes) == len(s.table["real"])
    assert s.eigenvalues.real.tobytes() == s.table["real"].tobytes()
    assert s.eigenvalues.imag.tobytes() == s.table["angular_frequency"].tobytes()
    (crossing,) = s.crossings["support.belt.speed"]
    assert crossing["value"] == s.critical["support.belt.speed"][0] and "0.230258509" in repr(s)


def test_the_files_are_those_of_the_command(tmp_path, command):
    vary, find = "pad.pad.friction=0:0.5:21", "pad.pad.friction=0.1:0.5"
    done = command("stability", "mode-coupling", "--vary", vary, "--find", find, "--out", tmp_path / "command", "--quiet")
    assert done.returncode == 0, done.stderr
    s = stability("mode-coupling", vary=[vary], find=[find], out=tmp_path / "python")
    assert s.folder == tmp_path / "python" and s.varied == ["pad.pad.friction"]
    for ours in (path for path in s.folder.rglob("*") if path.is_file()):
        theirs = tmp_path / "command" / ours.relative_to(s.folder)
        assert ours.read_bytes() == theirs.read_bytes(), ours.name
    assert len(s.points) == 21 and len(s.to_pandas()) == len(s.table["real"])
    # Flutter begins between two of the points, where the files say.
    border = s.critical["pad.pad.friction"][0]
    for point in s.points:
        assert (point["unstable"] > 0) == (point["values"][0] > border), point
    with pytest.raises(RunError, match="holds files already"):
        stability("mode-coupling", out=tmp_path / "python")


def test_overrides_and_threads_change_what_they_should():
    slow = stability("belt-falling-friction", {"support.belt.speed": 0.1})
    fast = stability("belt-falling-friction", {"support.belt.speed": 0.5})
    assert slow.unstable and not fast.unstable
    asked = {"vary": {"support.belt.speed": "0.05:0.5:40"}}
    one, two = (stability("belt-falling-friction", threads=n, **asked) for n in (1, 2))
    assert one.table["real"].tobytes() == two.table["real"].tobytes()


@pytest.mark.parametrize(
    ("name", "asked", "words"),
    [
        ("wheel-sport-braking", {}, "(?s)steady|small motions|linear"),
        ("mode-coupling", {"vary": {"pad.pad.friction": "0:1"}}, "is not a range"),
        ("mode-coupling", {"vary": {"pad.pad.nothing": "0:1:5"}}, "nothing"),
        ("mode-coupling", {"vary": {f"k{n}": "0:1:5" for n in range(3)}}, "at most 2"),
    ],
)
def test_what_makes_no_sense_is_told_in_words(name, asked, words):
    with pytest.raises(RunError, match=words) as caught:
        stability(name, **asked)
    assert "--" not in str(caught.value), "words of Python, not of the command"


def test_a_range_without_a_critical_value_is_an_answer():
    s = stability("mode-coupling", find={"pad.pad.friction": "0.01:0.1"})
    assert s.critical == {"pad.pad.friction": []} and not s.unanswered
    assert not s.everywhere["pad.pad.friction"]["unstable"] and "no critical value" in s.everywhere["pad.pad.friction"]["words"]


def test_it_travels_between_processes():
    s = stability("mode-coupling")
    again = pickle.loads(pickle.dumps(s))
    assert again.summary == s.summary and again.report == s.report and again.folder != s.folder
    assert again.table["real"].tobytes() == s.table["real"].tobytes() and repr(again) == repr(s)


def test_pictures():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    s = stability("mode-coupling", vary={"pad.pad.friction": "0:0.5:21"})
    locus = s.plot()
    assert len(locus) == 2 and locus[1].get_xlabel() == "pad.pad.friction"
    (plane,) = stability("mode-coupling").plot()
    (found,) = stability("belt-falling-friction", find={"support.belt.speed": "0.05:1"}).plot()
    assert "support.belt.speed = 0.23025" in found.get_title(loc="left"), "what was asked for is in the picture"
    assert len(plane.collections[0].get_offsets()) == len(stability("mode-coupling").modes)
    two = {"pad.pad.load": "20:100:12", "support.belt.speed": "0.05:0.5:14"}
    (surface,) = stability("belt-falling-friction", vary=two).plot()
    (text,) = found.texts
    assert text.get_text().startswith("σ = 6.15") and [t.get_text() for t in found.get_legend().get_texts()] == ["grows"], "one dot and its numbers"
    assert found.get_xlim()[0] < 0 < found.get_xlim()[1] and found.get_ylim()[0] == 0.0
    assert surface.get_legend().get_texts()[0].get_text().startswith("σ = 0")
    assert surface.get_xlabel() == "support.belt.speed [m/s]" and surface.collections[0].get_array().size == 12 * 14
    assert s._repr_html_().startswith("<iframe srcdoc=")
    assert np.isfinite(s.table["real"]).all()
