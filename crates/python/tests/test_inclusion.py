"""The inclusion, its sets, and laws of friction: by an independent projection in NumPy, closed forms, and bad input."""

import copy
import pickle
import signal
import threading
import time

import numpy as np
import pytest

import stickslip
from stickslip import Cone, Disk, HalfLine, Interval, NotSolved, law, residual, solve


def project(c, x):
    """Nearest points, written down once more and by other formulas than the library's."""
    if isinstance(c, Interval):
        return np.clip(x, c.lo, c.hi)
    if isinstance(c, HalfLine):
        return np.where(x > 0, x, 0.0)
    if isinstance(c, Disk):
        return x * min(1.0, c.radius / max(np.linalg.norm(x), 1e-300))
    # A cone: of the candidates x, 0 and the foot on the mantle's ray, the nearest that belongs to it.
    t = np.linalg.norm(x[1:])
    if t <= c.mu * x[0]:
        return x
    ray = np.array([1.0, *(c.mu * x[1:] / max(t, 1e-300))]) / np.hypot(1.0, c.mu)
    return max(x @ ray, 0.0) * ray


def left(w, b, sets, r):
    """max w_i |r_i − Proj(r_i − s_i/w_i)| over max|b| + max w_i |r_i|: the definition, in NumPy."""
    s, at, worst, force = w @ r + b, 0, 0.0, 0.0
    for c in sets:
        k = slice(at, at + c.dim)
        at += c.dim
        weight = max(np.diag(w)[k].max(), 0.0) or max(np.diag(w).max(), 0.0) or 1.0
        slip = s[k].copy()
        if isinstance(c, Cone):
            slip[0] += c.mu * np.linalg.norm(slip[1:])
        worst = max(worst, weight * np.linalg.norm(r[k] - project(c, r[k] - slip / weight)))
        force = max(force, weight * np.abs(r[k]).max())
    return worst, worst / (np.abs(b).max() + force) if worst else 0.0


def any_set(rng, cones=False):
    kind = rng.integers(4 if cones else 3)
    if kind == 0:
        return Interval(-rng.uniform(0, 3), rng.uniform(0, 3))
    if kind == 1:
        return Disk(rng.uniform(0, 3))
    return HalfLine() if kind == 2 else Cone(rng.uniform(0, 1))


def problem(seed, rank_share=1.0):
    rng = np.random.default_rng(seed)
    sets = [any_set(rng) for _ in range(rng.integers(1, 6))]
    n = sum(c.dim for c in sets)
    h = rng.normal(size=(n, max(1, round(rank_share * n))))
    return h @ h.T + (1e-2 * np.eye(n) if rank_share == 1.0 else 0), rng.normal(scale=3, size=n), sets


@pytest.mark.parametrize("seed", range(60))
def test_solutions_obey_the_law(seed):
    w, b, sets = problem(seed)
    found = solve(w, b, sets)
    absolute, relative = left(w, b, sets, found.r)
    # Rounding of W r in another order.
    assert relative <= 2e-12
    assert abs(found.residual.absolute - absolute) <= 1e-12 * (np.abs(b).max() + np.abs(w).max() * np.abs(found.r).max())
    assert residual(w, b, sets, found.r) == found.residual
    assert found.unique is True and found.undetermined == [] and found.solver.startswith("dense")
    at = 0
    for c, state in zip(sets, found.states, strict=True):
        r, s = found.r[at : at + c.dim], found.s[at : at + c.dim]
        assert c.contains(r if c.dim > 1 else r[0])
        assert r @ s <= 1e-10, "a contact must not give energy"
        assert (state == "stick") <= (s == 0.0).all()
        assert np.allclose(s, (w @ found.r + b)[at : at + c.dim], atol=1e-10, rtol=0)
        at += c.dim


def test_a_wrong_force_has_a_residual():
    w, b, sets = problem(3)
    found = solve(w, b, sets)
    wrong = found.r + 1e-3
    measured, relative = left(w, b, sets, wrong)
    assert residual(w, b, sets, wrong) == pytest.approx((measured, relative), rel=1e-9)
    assert measured > 1e-5


@pytest.mark.parametrize("seed", range(10))
def test_rows_of_w_are_slips(seed):
    # Monotone and far from symmetric: W and its transpose have other solutions.
    w, b, sets = problem(seed)
    rng = np.random.default_rng(seed)
    skew = rng.normal(scale=5, size=w.shape)
    w = w + skew - skew.T
    found = solve(w, b, sets)
    assert left(w, b, sets, found.r)[1] <= 2e-12 and found.unique is True
    assert found.residual.relative == pytest.approx(left(w, b, sets, found.r)[1], abs=1e-14)
    if not np.allclose(w, np.diag(np.diag(w))) and np.abs(found.r).max() > 0:
        assert residual(w.T, b, sets, found.r).relative == pytest.approx(left(w.T, b, sets, found.r)[1], rel=1e-9, abs=1e-14)


def test_mirrored():
    # A set and its mirror image: −C has the solution −r for −b.
    rng = np.random.default_rng(5)
    h = rng.normal(size=(6, 6))
    w, b, sets = h @ h.T, rng.normal(size=6), [Disk(1.0), Interval(-2.0, 2.0), Disk(0.3), Interval(-0.1, 0.1)]
    assert np.allclose(solve(w, -b, sets).r, -solve(w, b, sets).r, atol=1e-10)


def test_closed_forms():
    # A mass of 2 kg over one step: s = r/2 + b, |r| ≤ 3.
    assert solve([[0.5]], [1.0], [(-3, 3)]).r == pytest.approx([-2.0], abs=1e-14)
    slides = solve([[0.5]], [2.0], [(-3, 3)])
    assert (slides.r[0], slides.s[0], slides.states) == (-3.0, 0.5, ["slip+"])
    # One disk with a round W: u = b (1 − w a/|b|).
    found = solve(np.diag([0.5, 0.5]), [3.0, 4.0], [Disk(1.0)])
    assert found.s == pytest.approx([2.7, 3.6], abs=1e-14) and found.states == ["slip"]
    # Signorini: open, or held.
    assert solve([[1.0]], [2.0], ["half-line"]).states == ["open"]
    assert solve([[1.0]], [-2.0], ["half-line"]).r == pytest.approx([2.0])
    # Coulomb's cone: pressed by 1 and pushed by 1 across, μ = 0.3: slides with 1 − μ.
    cone = solve(np.eye(3), [-1.0, 1.0, 0.0], [Cone(0.3)])
    assert cone.r == pytest.approx([1.0, -0.3, 0.0], abs=1e-11) and cone.s == pytest.approx([0, 0.7, 0], abs=1e-11)
    assert cone.unique is None


def test_a_problem_without_a_solution_is_told():
    """b outside of the range of a singular W: forces that grow for ever make the relative residual as small as one likes."""
    free = (-np.inf, np.inf)
    for scale in (1e-9, 1.0, 1e9):
        for w, b, c, which in [
            ([[9, -3], [-3, 1]], [0, -1], [free, free], "0, 1"),
            ([[9, -3], [-3, 1]], [0, -1], ["half-line", "half-line"], "0, 1"),
            ([[9, -3, 0], [-3, 1, 0], [0, 0, 2]], [0, -1, 5], [free, free, (-1, 1)], "0, 1"),
            ([[0.0]], [-1.0], ["half-line"], "0"),
            ([[1, 0, 0], [0, 1, 1], [0, 1, 1]], [3, 2, -2.5], [(-1, 1), free, free], "1, 2"),
        ]:
            with pytest.raises(NotSolved, match=f"no solution: the forces of contacts {which} have no bound") as info:
                solve(np.array(w, float), scale * np.array(b, float), c)
            assert info.value.residual is None
    # In the range, or bounded, or pushed the other way, there is one.
    w = np.array([[9.0, -3.0], [-3.0, 1.0]])
    assert solve(w, [3, -1], [free, free]).s.tolist() == [0.0, 0.0]
    assert solve(w, [0, -1], [free, (-1, 1)]).states == ["stick", "slip-"]
    assert solve(w, [0, 1], ["half-line", "half-line"]).states == ["stick", "open"]


@pytest.mark.parametrize("seed", range(40))
def test_scaled_problems_with_a_solution_are_solved(seed):
    """W singular or not, without bounds, in units that differ by many powers of ten: b in the range of W has a solution, and b beyond it none."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 7))
    rank = int(rng.integers(1, n + 1))
    h = rng.integers(-3, 4, (n, rank)).astype(float)
    unit = 10.0 ** rng.integers(-6, 7, n)
    w = (h * unit[:, None]) @ (h * unit[:, None]).T
    kinds = [(-np.inf, np.inf), "half-line", (-1e6, 1e6)]
    # Solved by r, which no half-line refuses: then nothing slips.
    sets = [kinds[rng.integers(3)] for _ in range(n)]
    r = np.abs(rng.normal(size=n)) / unit
    r = np.minimum(r, [1e6 if c == (-1e6, 1e6) else np.inf for c in sets])
    found = solve(w, -w @ r, sets)
    assert (found.s == 0.0).all() and found.states == ["stick"] * n
    off = np.abs(w @ (found.r - r)) / (np.abs(w) @ np.abs(r) + 1e-300)
    assert off.max() < 1e-8
    _, values, vectors = np.linalg.svd(h.T)
    beyond = vectors[np.count_nonzero(values > 1e-9) :]
    if len(beyond):
        b = -w @ r - unit * beyond[0]
        with pytest.raises(NotSolved, match="no solution"):
            solve(w, b, [(-np.inf, np.inf)] * n)


@pytest.mark.parametrize("seed", range(30))
def test_large_bounds_do_not_hide_small_forces(seed):
    """Beside bounds of 1e12 and more each contact still obeys the law by its own rows, or the problem is refused."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 6))
    h = rng.normal(size=(n, n))
    w = h @ h.T + 1e-2 * np.eye(n)
    if seed % 2:
        w = np.diag(np.diag(w))
    sets = [Interval(-(10.0 ** rng.uniform(12, 16)), 10.0 ** rng.uniform(12, 16)) for _ in range(n)]
    sets[0] = Interval(-1.0, 1.0)
    b = rng.normal(size=n) * 10.0 ** rng.uniform(0, 15, n)
    try:
        found = solve(w, b, sets)
    except NotSolved as error:
        assert "Scale them" in str(error) or "residual" in str(error)
        return
    s = w @ found.r + b
    size = np.abs(w) @ np.abs(found.r) + np.abs(b)
    weight = np.diag(w)
    for k, c in enumerate(sets):
        off = weight[k] * abs(found.r[k] - np.clip(found.r[k] - s[k] / weight[k], c.lo, c.hi))
        assert off <= 2e-6 * size[k], (k, off, size[k])
        if abs(s[k]) > 1e-5 * size[k]:
            assert found.r[k] == (c.lo if s[k] > 0 else c.hi), "friction is against the slip"


def test_contacts_in_the_plane_have_no_sign():
    found = solve(np.eye(2), [2.0, 0.0], [Disk(1.0)])
    assert found.states == ["slip"] and found.s.tolist() == [1.0, 0.0]
    assert solve(np.eye(3), [-1.0, 1.0, 0.0], [Cone(0.3)]).states == ["slip"]
    assert solve([[1.0]], [2.0], [(-1, 1)]).states == ["slip+"]


def test_what_is_unique_is_told():
    turn = np.array([[0.0, 1.0], [-1.0, 0.0]])
    bound = [(-1, 1), (-1, 1)]
    # A rotation has full rank: where both stick inside their sets there is one solution.
    assert solve(turn, [0.3, 0.2], bound).unique is True
    assert solve(turn, [0.3, 0.2], [Disk(1.0)]).unique is True
    # Two supports of one body: without a load neither presses; under one they share it as they like.
    assert solve(np.ones((2, 2)), [0.0, 0.0], ["half-line"] * 2).unique is True
    assert solve(np.ones((2, 2)), [-1.0, -1.0], ["half-line"] * 2).unique is False
    # Both at their bounds: none can take from the other. One is a given force: the other takes the rest.
    assert solve(np.ones((2, 2)), [-2.0, -2.0], bound).unique is True
    assert solve(np.ones((2, 2)), [-1.0, -1.0], [(0.25, 0.25), (-2, 2)]).unique is True
    # Solvers that are made for some problems know as much.
    assert solve(np.ones((2, 2)), [-1.0, -1.0], bound, solver="coupled").unique is False


def test_shared_loads_are_told():
    both = solve(np.ones((2, 2)), [-1.0, -1.0], [(-1, 1), (-1, 1)])
    assert both.r == pytest.approx([0.5, 0.5]) and both.unique is False and both.undetermined == [0, 1]
    assert solve(np.ones((2, 2)), [-3.0, -3.0], [(-1, 1), (-1, 1)]).unique is True


@pytest.mark.parametrize(
    ("solver", "w", "b", "c"),
    [
        ("nine-regions", [[3, 1], [1, 1]], [1, -4], [(-1, 1), (-2, 2)]),
        ("two-intervals", [[3, 1], [1, 1]], [1, -4], [(-1, 0.5), (-2, 2)]),
        ("star", [[3, 1], [1, 1]], [1, -4], [(-1, 1), (-2, 2)]),
        ("star-any-intervals", [[3, 1], [1, 1]], [1, -4], [(-1, 0.5), (-2, 2)]),
        ("one-disk", [[3, 1], [1, 2]], [1, -4], [Disk(0.5)]),
        ("coupled", [[3, 1], [1, 2]], [1, -4], [Disk(0.5)]),
        ("monotone", [[3, 1], [-1, 2]], [1, -4], [Disk(0.5)]),
    ],
)
def test_solvers_agree(solver, w, b, c):
    special, general = solve(w, b, c, solver=solver), solve(w, b, c, solver="dense")
    assert np.allclose(special.s, general.s, atol=1e-11) and special.states == general.states
    assert special.solver != general.solver and special.residual.relative <= 1e-12


def test_many_contacts():
    rng = np.random.default_rng(2)
    n = 300
    h = rng.normal(size=(n, n))
    w = h @ h.T / n + np.eye(n)
    found = solve(w, rng.normal(scale=3, size=n), [Disk(0.5)] * (n // 2))
    assert found.solver == "monotone" and found.residual.relative <= 1e-12 and found.unique is True


def test_what_is_accepted():
    w, b = [[2, 0], [0, 3]], [1, -9]
    wanted = solve(np.array(w, float), np.array(b, float), [Interval(-1, 1), Interval(-2, 2)]).r
    forms = [("interval", -1, 1), (-2.0, np.float32(2))]
    assert np.array_equal(solve(w, b, forms).r, wanted)
    assert np.array_equal(solve(np.array(w, dtype=np.int8), b, forms).r, wanted)
    wide = np.zeros((4, 4))
    wide[::2, ::2] = w
    assert np.array_equal(solve(wide[::2, ::2], np.array([1, 0, -9])[::2], forms).r, wanted)
    # Rows stay rows in a transposed array.
    skew = np.array([[2.0, 1.0], [-1.0, 2.0]])
    assert np.array_equal(solve(skew.T, b, forms).r, solve(skew.T.copy(), b, forms).r)
    assert not np.array_equal(solve(skew.T, b, forms).r, solve(skew, b, forms).r)
    assert solve(np.zeros((0, 0)), [], []).r.shape == (0,)


BAD = [
    (TypeError, "complex", ([[1j]], [1], [(-1, 1)])),
    (TypeError, "b must hold real numbers", ([[1]], ["x"], [(-1, 1)])),
    (TypeError, "masked", (np.ma.array([[1.0]], mask=[[True]]), [1], [(-1, 1)])),
    (TypeError, "W is masked", ([np.ma.array([1.0, 2.0], mask=[True, False]), [0.0, 1.0]], [1, 2], [Disk(1)])),
    (TypeError, "b is masked", ([[1]], [np.ma.masked], [(-1, 1)])),
    (TypeError, "no array|real numbers", ([[1, 2], [3]], [1], [(-1, 1)])),
    (ValueError, r"W must be 2×2", ([[1]], [1, 2], [Disk(1)])),
    (ValueError, r"W must be 1×1", ([1.0], [1], [(-1, 1)])),
    (ValueError, r"b has the shape \(2,\), and \(1,\)", ([[1]], [1, 2], [(-1, 1)])),
    (ValueError, r"W\[0, 1\] = nan", ([[1, np.nan], [0, 1]], [1, 2], [Disk(1)])),
    (ValueError, r"b\[0\] = inf", ([[1]], [np.inf], [(-1, 1)])),
    (ValueError, "must not exceed", ([[1]], [1], [(1, -1)])),
    (ValueError, "contact 0 of C.*≥ 0", ([[1]], [1], [("disk", -1)])),
    (TypeError, "contact 0 of C is 3", ([[1]], [1], [3])),
    (TypeError, "contact 0 of C is 'ball'|contact 0", ([[1]], [1], ["ball"])),
    (TypeError, "list with one set", ([[1]], [1], Disk(1))),
    (TypeError, "list with one set", ([[1]], [1], "half-line")),
]


@pytest.mark.parametrize(("error", "words", "given"), BAD)
def test_bad_input_is_refused_in_words(error, words, given):
    with pytest.raises(error, match=words):
        solve(*given)
    with pytest.raises(error, match=words):
        residual(*given, [0.0])


def test_bad_sets_and_options():
    for bad in (lambda: Disk(-1), lambda: Cone(np.nan), lambda: Disk(np.inf), lambda: Interval(np.inf, np.inf)):
        with pytest.raises(ValueError):
            bad()
    given = ([[1.0]], [1.0], [(-1, 1)])
    for options, words in [
        ({"tolerance": 0}, "tolerance"),
        ({"tolerance": np.nan}, "tolerance"),
        ({"solver": "magic"}, "no solver is called"),
        ({"solver": "one-disk"}, "not of the form"),
        ({"start": [1, 2]}, "start has the shape"),
        ({"start": [np.nan]}, "start"),
    ]:
        with pytest.raises(ValueError, match=words):
            solve(*given, **options)
    with pytest.raises(TypeError, match="name or None"):
        solve(*given, solver=3)
    with pytest.raises(ValueError, match=r"r has the shape"):
        residual(*given, [1.0, 2.0])


def test_negative_directions():
    with pytest.raises(ValueError, match="needs a monotone W"):
        solve([[1, 3], [3, 1]], [1, 1], [(-1, 1), (-1, 1)], solver="monotone")
    # W = −1 with a bound: r = ±1 and r = b solve it; what is found obeys the law and nothing more is claimed.
    found = solve([[-1.0]], [0.5], [(-1, 1)])
    assert found.unique is None and left(np.array([[-1.0]]), np.array([0.5]), [Interval(-1, 1)], found.r)[1] <= 2e-12


def test_without_a_solution_the_residual_is_told():
    # Two supports that push each other into the ground: r ≥ 0, s = −r₁ − 1 ≥ 0 cannot be.
    with pytest.raises(NotSolved, match="negative directions") as info:
        solve([[-1.0]], [-1.0], ["half-line"])
    assert info.value.residual > 1e-12 and info.value.tolerance == 1e-12 and info.value.iterations > 0
    again = pickle.loads(pickle.dumps(info.value))
    assert (again.residual, str(again)) == (info.value.residual, str(info.value))
    assert isinstance(info.value, stickslip.Error)


def test_ctrl_c_ends_a_long_search():
    # A problem without a solution keeps the general solver busy: forces of supports grow for ever.
    rng = np.random.default_rng(0)
    n = 120
    h = rng.normal(size=(n, n))
    w = -(h @ h.T) / n
    at = None

    def strike():
        nonlocal at
        at = time.process_time()
        signal.raise_signal(signal.SIGINT)

    timer = threading.Timer(0.5, strike)
    timer.start()
    with pytest.raises((KeyboardInterrupt, NotSolved)) as info:
        solve(w, -np.ones(n), [HalfLine()] * n)
    timer.cancel()
    if info.type is NotSolved:
        pytest.skip("the search ended before the signal came")
    # Of the processor, so that others on a busy machine do not count; 0.05 s of the 0.2 s are for the clock.
    assert time.process_time() - at < 0.15


@pytest.mark.parametrize("c", [Interval(-1, 2), Interval(-np.inf, 1), HalfLine(), Disk(1.5), Disk(0), Cone(0.4), Cone(0)])
def test_sets(c):
    rng = np.random.default_rng(1)
    shape = (50, 4) if c.dim == 1 else (50, 4, c.dim)
    x, y = rng.normal(scale=3, size=(2, *shape))
    p = c.project(x)
    assert p.shape == shape and c.contains(p).all() and c.contains(p).shape == (50, 4)
    mine = np.array([project(c, v) for v in x.reshape(-1, c.dim)]).reshape(shape)
    assert np.allclose(p, mine, atol=1e-13)
    # Nearest: (x − Px)·(c − Px) ≤ 0 for every point c of the set.
    dot = lambda a, b: a * b if c.dim == 1 else (a * b).sum(-1)  # noqa: E731
    assert (dot(x - p, c.project(y) - p) <= 1e-12).all()
    # The support function bounds the set, and is 0 or more where the set holds 0.
    assert (dot(p, y) <= c.support(y) + 1e-12).all() and (c.support(y) >= 0).all()
    assert pickle.loads(pickle.dumps(c)) == c == copy.copy(c) and hash(c) == hash(copy.copy(c))
    with pytest.raises(ValueError):
        c.project(np.full(c.dim, np.nan))
    if c.dim > 1:
        with pytest.raises(ValueError, match="last axis"):
            c.project([1.0])


def test_support_of_sets():
    assert Interval(-1, 2).support([3.0, -3.0, 0.0]).tolist() == [6.0, 3.0, 0.0]
    assert Disk(2).support([3.0, 4.0]) == 10.0
    assert HalfLine().support([-1.0, 1.0]).tolist() == [0.0, np.inf]
    assert Cone(0.5).support([[-1.0, 1.0, 0.0], [-0.4, 1.0, 0.0]]).tolist() == [0.0, np.inf]


def test_laws_of_friction():
    s = np.linspace(-2, 2, 81).reshape(9, 9)
    speed = np.abs(s)
    assert (law.Coulomb(0.3)(s) == 0.3).all()
    assert np.array_equal(law.StaticKinetic(0.4, 0.3)(s), np.where(s == 0, 0.4, 0.3))
    stribeck = law.Stribeck(0.4, 0.3, speed=0.15, exponent=2)
    assert np.allclose(stribeck(s), 0.3 + 0.1 * np.exp(-((speed / 0.15) ** 2)), atol=1e-15)
    sech = law.Sech(0.4, 0.3, alpha=50)
    assert np.allclose(sech(s), 0.3 + 0.1 / np.cosh(50 * speed), atol=1e-15)
    table = law.Table([(0, 0.4), (1, 0.2)])
    assert np.allclose(table(s), np.interp(speed, [0, 1], [0.4, 0.2]), atol=1e-15)
    at = np.array([0.05, -0.3])
    for one in (stribeck, sech, table, law.Coulomb(0.3)):
        h = 1e-6
        slope = (one(np.abs(at) + h) - one(np.abs(at) - h)) / (2 * h)
        assert np.allclose(one.slope(at), slope, atol=1e-6)
    assert sech(1).shape == () and pickle.loads(pickle.dumps(table)) == table


def test_bad_laws():
    for bad in (
        lambda: law.Coulomb(-0.1),
        lambda: law.StaticKinetic(0.2, 0.3),
        lambda: law.Stribeck(0.4, 0.3, speed=0),
        lambda: law.Sech(0.4, 0.3, alpha=np.inf),
        lambda: law.Table([(1, 0.2), (0, 0.4)]),
        lambda: law.Table([(0, -0.2)]),
        lambda: law.Table([(-1, 0.2), (0, 0.4), (1, 0.2)]),
        lambda: law.Table([]),
        lambda: law.Table([1, 2, 3]),
        lambda: law.Coulomb(0.3)([np.nan]),
        lambda: law.Coulomb(0.3).slope(0.0),
        lambda: law.Table([(0, 0.4), (1, 0.2)]).slope([0.5, 1.0]),
    ):
        with pytest.raises(ValueError):
            bad()
    with pytest.raises(TypeError):
        law.Coulomb("0.3")


@pytest.mark.parametrize(
    ("w", "b", "c"),
    [
        (np.eye(2), [1e13, -0.1], [(-1, 1), (-1, 1)]),
        (np.eye(2), [1e13, -5.0], [(-1, 1), (-1, 1)]),
        (np.diag([1e12, 1e-12]), [1e9, -1e-9], [(-1, 1), (-1, 1)]),
    ],
)
def test_rows_of_very_different_size_are_right_or_refused(w, b, c):
    """A residual over the largest row does not see the small ones: each row must be W r + b of its own."""
    try:
        found = stickslip.solve(w, b, c)
    except stickslip.NotSolved as error:
        assert "Scale them" in str(error)
    else:
        own = w @ found.r + np.array(b)
        assert np.all(np.abs(own - found.s) <= 1e-6 * (np.abs(w) @ np.abs(found.r) + np.abs(b)))


def test_contacts_that_do_not_act_on_each_other_do_not_hide_each_other():
    found = solve(np.eye(2), [1e13, -0.1], [(-1, 1), (-1, 1)])
    assert found.r == pytest.approx([-1.0, 0.1], rel=1e-14) and found.states == ["slip+", "stick"] and found.unique is True
    # In any order, and with others between them.
    w = np.array([[1.0, 0, 1, 0], [0, 2, 0, 1], [1, 0, 1, 0], [0, 1, 0, 2]])
    found = solve(w, [1e-9, 1e13, 1e-9, 3.0], [(-1, 1), (-1e14, 1e14), (-1, 1), Interval(-1, 1)])
    assert found.r[[0, 2]] == pytest.approx([-0.5e-9, -0.5e-9], rel=1e-12) and found.undetermined == [0, 2] and found.unique is False
    assert found.s.tolist()[:3] == [0.0, 0.0, 0.0]
    # A force that is nothing but rounding of others is no fault.
    w = [[2.0, 0, 0, -1], [0, 0, 0, 0], [0, 0, 2, -1], [-1, 0, -1, 1]]
    found = solve(w, [0, 3, -4, 0], [(-2, 2), (-1, 1), (-2, 3), (0, 0)])
    assert found.r == pytest.approx([0, -1, 2, 0], abs=1e-14)
    w = np.zeros((4, 4))
    w[0, 0], w[1, 1], w[2:, 2:] = 1.0, 2.0, 1.0
    with pytest.raises(NotSolved, match="the forces of contacts 2, 3 have no bound"):
        solve(w, [1, 1, 1e-7, -1e-7], [(-1, 1), (-1, 1), (-np.inf, np.inf), (-np.inf, np.inf)])


def test_tables_on_four_legs():
    """W of rank 3; legs that carry next to nothing have slips that are the rounding of the others', and that is no reason to refuse."""
    for seed in range(300):
        rng = np.random.default_rng(seed)
        a, c = rng.uniform(0.2, 2, 2)
        h = np.array([[1, a, c], [1, -a, c], [1, -a, -c], [1, a, -c]])
        w = h @ np.diag(10.0 ** rng.uniform(-2, 2, 3)) @ h.T
        # It turns about the edge y = −c, or not; the two legs there have forces, or none.
        tie = 10.0 ** -rng.integers(0, 17)
        speed = np.array([c, 0, 1]) * tie * rng.integers(0, 3)
        force = np.array([0, 0, tie * rng.integers(0, 2), rng.integers(0, 2)])
        found = solve(w, 10.0 ** rng.integers(-4, 5) * (h @ speed - w @ force), ["half-line"] * 4)
        assert found.residual.relative <= 1e-12 and (found.r >= 0).all()


def test_sizes_do_not_matter():
    """A problem and its multiple by a power of two have the same forces but for that factor; what is slow enough sticks, down to where numbers end."""
    w, b = np.array([[2.0, 1.0], [1.0, 3.0]]), np.array([-1.0, 0.7])
    for bounds in ([3.0, 2.0], [0.2, 0.1], [0.2, 9.0]):
        own = solve(w, b, [Interval(-a, a) for a in bounds])
        for power in range(-500, 501, 50):
            k = 2.0**power
            both = solve(w, k * b, [Interval(-k * a, k * a) for a in bounds])
            assert np.abs(both.r - k * own.r).max() <= 1e-12 * k and both.states == own.states
    stuck = np.linalg.solve(w, -b)
    for power in range(-1074, 0):
        k = 2.0**power
        slow = solve(w, k * b, [(-1, 1), (-1, 1)])
        assert slow.states == ["stick", "stick"] and np.abs(slow.r - k * stuck).max() <= 1e-12 * k + 1e-307
    assert residual(w, 1e-165 * b, [(-1, 1), (-1, 1)], [0.0, 0.0]).relative > 0.1


def test_two_blocks_come_to_rest():
    """Rounding leaves speeds that shrink with every step, until they are no numbers any more."""
    h, g, m = 1e-3, 9.81, np.array([2.0, 1.0])
    along = np.array([[1.0, 0.0], [-1.0, 1.0]])
    w = h * along @ np.diag(1 / m) @ along.T
    sets = [Interval(-0.2 * m.sum() * g, 0.2 * m.sum() * g), Interval(-0.5 * m[1] * g, 0.5 * m[1] * g)]
    v = np.array([0.0, 1.0])
    for _ in range(3000):
        found = solve(w, along @ v, sets)
        v = v + h * (along.T @ found.r) / m
    assert found.states == ["stick", "stick"] and np.abs(v).max() < 1e-15


def test_rotations():
    """A W that turns and does not brake, in any units."""
    w = np.array([[0, -377, 43, -33], [377, 0, -736, -683], [-43, 736, 0, 2317], [33, 683, -2317, 0.0]])
    sets = [(-2, 0.15), ("disk", 3.2), (0.01, 0.7)]
    for unit in (1e-9, 1e-3, 1.0, 1e6):
        assert solve(unit * w, np.zeros(4), sets).residual.relative <= 1e-12
        assert solve(unit * w, unit * np.ones(4), sets).residual.relative <= 1e-12
    inside = np.array([-0.5, 1.0, -1.0, 0.3])
    found = solve(w, -w @ inside, sets)
    assert found.states == ["stick"] * 3 and np.allclose(found.r, inside, atol=1e-11)
