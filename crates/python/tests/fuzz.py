"""Throws nonsense at the package: whatever it is given, it answers with a result or with an exception in words.

    python crates/python/tests/fuzz.py --seconds 300 --seed 1

Stops at the first fault (a panic, a foreign exception, a number that is none, a case without an end, a process that dies) with what led there;
the same seed leads there again, with ``--first CASE``.
"""

import argparse
import faulthandler
import math
import pickle
import random
import subprocess
import sys
import time

import numpy as np
import stickslip
from stickslip import _native

#: What may be raised, and by what: wrong types are for Python to refuse.
REFUSED = (stickslip.Error, TypeError, KeyError, AttributeError, ValueError, OverflowError)

#: Contacts that are solved once take long, and so do modes of a body: with some hundreds of them, as a number by chance may ask for, without an end to be waited for.
NAMES = [name for model, name, _ in _native.scenarios() if model != "rolling-contact" and name != "squeal-fe-wheel"]


def number(random):
    kinds = [
        lambda: random.uniform(-2, 2),
        lambda: random.choice([0.0, -0.0, 1.0, -1.0, 1e-300, 1e300, -1e300, 5e-324, math.nan, math.inf, -math.inf]),
        lambda: 10.0 ** random.uniform(-12, 12),
        lambda: random.randint(-3, 5),
        lambda: np.float32(random.random()),
        lambda: random.randint(-(10**30), 10**30),
    ]
    return random.choice(kinds)()


def text(random):
    known = ["3 kg", "72 km/h", "1e-3", "", "true", "[", "{", "'", '"', "\n", "\0", "é", "wheel", "nan", "inf", "1 N m", "]]", "=", "a=b", "💥"]
    return random.choice(known) if random.random() < 0.8 else "".join(random.choices("abc019. =[]{}\"'\n\\#é", k=random.randint(0, 12)))


def value(random, depth=2):
    kinds = [number, number, text, lambda r: None, lambda r: True, lambda r: 1j, lambda r: b"x", lambda r: object()]
    if depth:
        kinds += [
            lambda r: {text(r): value(r, depth - 1) for _ in range(r.randint(0, 3))},
            lambda r: [value(r, depth - 1) for _ in range(r.randint(0, 3))],
            lambda r: {"points": [[number(r), number(r)] for _ in range(r.randint(0, 3))]},
            lambda r: {"expression": r.choice(["sin(t)", "1/t", "t^", "max(t,1)", "exp(1e9*t)", ""])},
            lambda r: np.array([number(r) for _ in range(3)], dtype=object),
            lambda r: np.arange(6.0)[::2],
            lambda r: np.zeros((2, 2)),
        ]
    return random.choice(kinds)(random)


def keys(random, scenario):
    """A key of the file, or something else."""
    tables = scenario.to_dict()
    pairs = [f"{a}.{b}" for a, inner in tables.items() if isinstance(inner, dict) for b in inner]
    return random.choice([*pairs, *pairs, text(random), "run.step", "run.duration"])


def short(random):
    """A scenario that runs for a moment."""
    name = random.choice(NAMES)
    return stickslip.Scenario(name, {"run.duration": 0.05, "run.step": 1e-3})


def quick(scenario):
    """Whether a run is over in some seconds: one of a model that is made stiff, a car of a gram on tyres, takes as long as it takes."""
    if scenario.duration == 0:
        return False
    s, begin = stickslip.Simulation(scenario), time.perf_counter()
    s.advance_to(1e-3 * scenario.duration)
    return time.perf_counter() - begin < 0.01


def scenarios(random):
    base = short(random)
    kind = random.randrange(5)
    if kind == 0:
        changed = base.set({keys(random, base): value(random)})
    elif kind == 1:
        tables = base.to_dict()
        table = random.choice(list(tables))
        if isinstance(tables[table], dict) and tables[table] and random.random() < 0.8:
            tables[table][random.choice(list(tables[table]))] = value(random)
        else:
            tables[table] = value(random)
        changed = stickslip.Scenario.from_dict(tables)
    elif kind == 2:
        shown = list(base.show())
        for _ in range(random.randint(1, 4)):
            shown[random.randrange(len(shown))] = random.choice("0-.[]={}\"'\n#é")
        changed = stickslip.Scenario.from_toml("".join(shown))
    elif kind == 3:
        changed = stickslip.Scenario(value(random), value(random))
    else:
        changed = base.set(value(random))
    if not 0 < changed.duration / changed.step < 5_000:
        return
    pickle.loads(pickle.dumps(changed))
    changed.explain()
    if not quick(changed):
        return
    result = stickslip.run(changed)
    for name in result:
        assert np.isfinite(result[name]).all(), f"{name} is not finite"
    assert result.message and isinstance(result.success, bool) and result.events.dtype.names
    repr(result), result.measures, result.warnings, result.strips


def simulations(random):
    s = stickslip.Simulation(short(random))
    names = list(s.inputs)
    for _ in range(random.randint(1, 12)):
        try:
            action(random, s, names)
        except REFUSED as error:
            told(error)
        assert math.isfinite(s.time), s.time
        assert np.isfinite(s.row).all() or s.doubts, s.row


def action(random, s, names):
    ahead = s.time + random.choice([0.0, 1e-3, 0.01, random.uniform(-0.01, 0.05)])
    t = random.choice([ahead, ahead, ahead, value(random) if random.random() < 0.3 else ahead])
    if isinstance(t, (int, float, np.floating)) and math.isfinite(t) and t > s.time + 0.1:
        t = ahead
    kind = random.randrange(9)
    if kind == 0:
        s.advance_to(t)
    elif kind == 1:
        s.advance_to_event(t)
    elif kind == 2:
        h = random.choice([1e-3, 1e-4, value(random)])
        # A step of ages takes ages.
        s.step(1e-3 if isinstance(h, (int, float, np.floating)) and 0.1 < h < math.inf else h)
    elif kind == 3:
        s.inputs[random.choice([*names, text(random)]) if names else "none"] = value(random)
    elif kind == 4:
        s.restore(random.choice([s.save(), b"", bytes(random.randbytes(30)), s.save()[:-3], stickslip.Simulation(short(random)).save()]))
    elif kind == 5:
        other = pickle.loads(pickle.dumps(s))
        assert other.row.tobytes() == s.row.tobytes()
    elif kind == 6:
        given = value(random)
        period = random.choice([2e-3, 2e-3, number(random)])
        period = period if not isinstance(period, (int, float)) or not 0 < period < 1e-4 else 1e-3
        s.advance_to(ahead, controller=lambda view: random.choice([given, {n: value(random) for n in names[:1]}]), period=period)
    elif kind == 7:
        # Each input is read where it stands in the file; a road train has hundreds.
        inputs = {name: s.inputs[name] for name in names[:12]}
        repr(s), s.state, s.contact_states, s.ledger, s.residual, s.events(), inputs, s.stuck
    else:
        s[random.choice([*s.columns, text(random)])]


def shape(random, *sides):
    """An array of this shape, more or less: of any numbers, or of something else."""
    if random.random() < 0.1:
        return value(random)
    sides = tuple(max(0, side + random.choice([0] * 12 + [-1, 1])) for side in sides)
    size = random.choice([1.0, 1.0, 1e-150, 1e150])
    array = np.array([random.uniform(-2, 2) * size for _ in range(math.prod(sides))]).reshape(sides)
    if array.size and random.random() < 0.3:
        array.flat[random.randrange(array.size)] = random.choice([0.0, 1e300, -1e-300, math.nan, math.inf])
    return random.choice([lambda: array, lambda: array, lambda: array.astype(np.float32), lambda: array[::-1], array.tolist])()


def mostly(random, good):
    """A good number, or any."""
    return good if random.random() < 0.85 else number(random)


def below(random):
    """What lies below the scenarios."""
    kind = random.randrange(5)
    if kind == 0:
        sets = [
            random.choice([(-1, 1), ("disk", 1.0), "half-line", ("cone", 0.3), ("interval", number(random), number(random)), ("disk", number(random)), value(random)])
            for _ in range(random.randint(0, 4))
        ]
        n = sum({"disk": 2, "cone": 3}.get(c[0], 1) if isinstance(c, tuple) else 1 for c in sets)
        w = shape(random, n, n)
        if isinstance(w, np.ndarray) and w.ndim == 2 and random.random() < 0.6:
            w = w @ w.T
        more = {"solver": random.choice(["dense", "monotone", "star", text(random)])} if random.random() < 0.3 else {}
        more |= {"tolerance": mostly(random, 1e-10)} if random.random() < 0.3 else {}
        found = stickslip.solve(w, shape(random, n), sets, **more)
        assert np.isfinite(found.r).all() and np.isfinite(found.s).all() and found.residual.relative < 1, found
    elif kind == 1:
        law = random.choice([stickslip.law.Coulomb, stickslip.law.Stribeck, stickslip.law.Sech, stickslip.law.StaticKinetic, stickslip.law.Table])
        count = {"Coulomb": 1, "StaticKinetic": 2, "Stribeck": 4, "Sech": 3}.get(law.__name__)
        made = law(*(mostly(random, random.uniform(0, 1)) for _ in range(count))) if count else law(shape(random, 3, 2))
        slips = shape(random, 3, 2)
        assert np.isfinite(made(slips)).all()
        made.slope(slips)
    elif kind == 2:
        sets = [stickslip.Interval, stickslip.Disk, stickslip.Cone]
        made = random.choice(sets)(*(number(random) for _ in range(2 if random.random() < 0.4 else 1)))
        made.project(shape(random, 3, made.dim)), made.support(shape(random, made.dim)), made.contains(shape(random, made.dim))
    else:
        contact = stickslip.contact
        body = contact.Body(mostly(random, 0.46), mostly(random, 0.3), mostly(random, 2.1e11), mostly(random, 0.3))
        load, friction = mostly(random, 42e3), mostly(random, 0.3)
        if kind == 3:
            creepages = [shape(random, 3) if random.random() < 0.5 else 1e-3 * random.random() for _ in range(3)]
            patch = contact.Patch.hertz(body, load=load, friction=friction)
            theory = random.choice([*contact.THEORIES, text(random)])
            found = contact.creep_force(theory, *creepages, patch=patch, elements=random.choice([None, 5, number(random)]) if theory == "fastsim" else 6)
            assert np.isfinite(found.fx).all() and np.isfinite(found.fy).all(), found
        else:
            found = contact.steady(body, load=load, friction=friction, xi=mostly(random, 1e-3), eta=mostly(random, 0.0), elements=random.choice([6, (4, 8)]))
            assert np.isfinite(found.traction_x).all() and math.isfinite(found.fx)


def sweeps(random):
    """A few points, and searches."""
    base = short(random)
    ranges = [lambda r: f"{number(r)}:{number(r)}:{r.randint(0, 4)}", lambda r: "uniform(0, 1)", lambda r: [number(r), number(r)], value]
    vary = {keys(random, base): random.choice(ranges)(random) for _ in range(random.randint(0, 2))}
    outputs = random.choice([None, "end.x", "sqrt(end.x)", text(random), ["late.mean.x", "end.x"], value(random)])
    more = {"samples": random.choice([3, 3, text(random), 2.5, -1])}
    more |= {"points": value(random)} if random.random() < 0.2 else {}
    key = keys(random, base)
    # What takes many steps, or makes a model stiff, is not asked for.
    if any(word in one for one in (*vary, key) for word in ("run.", "output.", "mass", "inertia")):
        return
    if random.random() < 0.3:
        found = stickslip.find(base, f"{key}={number(random)}:{number(random)}", **{random.choice(["until", "minimise"]): text(random)})
        assert math.isfinite(found.value)
        return
    r = stickslip.sweep(base, vary=vary or None, outputs=outputs, threads=1, **more)
    assert len(r) == len(r[r.names[0]]) and len(repr(r)) and r.errors is not None and r.settings(0) is not None
    r.to_pandas()


def told(error):
    words = str(error)
    assert words.strip(), f"{type(error).__name__} without words"
    assert "a fault of this program" not in words, words
    assert "panicked" not in words, words


def one(seed, case):
    """Runs a case; whether it was refused as a whole."""
    own = random.Random(f"{seed} {case}")
    np.seterr(all="ignore")
    try:
        own.choice([scenarios, scenarios, simulations, simulations, below, sweeps])(own)
    except REFUSED as error:
        told(error)
        return True
    return False


def cases(asked):
    """Case after case, each told before and after; whoever takes too long ends here, with what Python was doing."""
    end = time.monotonic() + asked.seconds
    case = asked.first
    while time.monotonic() < end and case != asked.cases:
        print(f"begin {case}", flush=True)
        faulthandler.dump_traceback_later(asked.limit, exit=True)
        refused = one(asked.seed, case)
        faulthandler.cancel_dump_traceback_later()
        print(f"end {case} {int(refused)}", flush=True)
        case += 1
    return 0


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--seconds", type=float, default=60)
    arguments.add_argument("--cases", type=int, default=None, help="no more than so many")
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--first", type=int, default=0, help="begin with this case")
    arguments.add_argument("--limit", type=float, default=30, help="seconds that a case may take")
    arguments.add_argument("--inside", action="store_true", help="in this process, which a fault may end")
    asked = arguments.parse_args()
    if asked.inside:
        return cases(asked)
    words = [sys.executable, "-X", "faulthandler", __file__, "--inside", *sys.argv[1:]]
    done, refused, begun, slowest = 0, 0, asked.first, (0.0, asked.first)
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as child:
        for line in child.stdout:
            word, case, *more = line.split()
            if word == "begin":
                begun, since = int(case), time.monotonic()
            else:
                slowest = max(slowest, (time.monotonic() - since, begun))
                done, refused = done + 1, refused + int(more[0])
    if child.returncode:
        print(f"case {begun} of seed {asked.seed} ended the process with {child.returncode}: a fault, or more than {asked.limit:g} s", file=sys.stderr)
        return 1
    print(f"{done} cases, {refused} of them refused as a whole, no fault; the longest took {slowest[0]:.1f} s, case {slowest[1]}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
