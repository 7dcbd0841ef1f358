"""Sweeps on a Dask cluster: Dask schedules, retries and shows; points are run by the same code as everywhere else.

A task is plain data: the text of the scenario, the files that it names, what is varied, and a range of points. What comes back is the rows of
those points, as bytes. The caller alone writes, so that workers need no common disk.
"""

from __future__ import annotations

import time
import uuid
from collections import deque
from collections.abc import Callable
from typing import Any

from . import _native
from .errors import DatasetError, SweepError

#: How long a task should take [s]: long beside what a scheduler needs for one, short beside a coffee.
AIM = 1.0
#: Points of the first tasks, of which nobody knows how long they take, and of any task.
FIRST, MOST = 16, 16_384
#: How often a task that raised is tried again. Tasks of workers that died are not counted here: they are Dask's matter.
RETRIES = 2


def version() -> str:
    """The version of the package where this runs."""
    return _native.__version__


def run_chunk(luggage: dict[str, Any], first: int, count: int, at: int, table: bytes | None) -> tuple[bytes, float]:
    """What a task does: rows of some points, and the time that they took [s]."""
    begin = time.perf_counter()
    rows = _native.run_chunk(luggage, first, count, at, table)
    return rows, time.perf_counter() - begin


def threads_of(client: Any) -> int:
    """How many tasks the workers run at once; at least one, for workers that are still to come."""
    return max(1, sum(client.nthreads().values()))


def check(client: Any) -> None:
    """Refuses clients that cannot be used, and workers with another version."""
    if not all(hasattr(client, name) for name in ("submit", "run", "nthreads")):
        raise SweepError(
            f"client is of the type {type(client).__name__}", "hand over a dask.distributed.Client, or None for this machine"
        )
    if getattr(client, "asynchronous", False):
        raise SweepError("the client is asynchronous", "make it with asynchronous=False")
    # Workers that come later are told apart by the tasks themselves.
    for worker, found in client.run(version, on_error="return").items():
        if isinstance(found, ImportError):
            raise SweepError(
                f"the worker {worker} cannot import stickslip: {found}",
                f"install stickslip {version()} on all workers",
            )
        if isinstance(found, str) and found != version():
            raise SweepError(
                f"the worker {worker} has stickslip {found}, and this is {version()}",
                "install the same version on all workers",
            )


def run(
    sweep: _native.Sweep,
    gathering: _native.Gathering,
    client: Any,
    progress: Callable[[int, int, float | None], object] | None = None,
) -> None:
    """Runs what is missing. What was taken stays, whatever happens."""
    from distributed import as_completed

    luggage = sweep.luggage()
    name = f"stickslip-{sweep.hash[:8]}-{uuid.uuid4().hex[:8]}"
    ready = as_completed(loop=client.loop, raise_errors=False)
    flying: dict[Any, tuple[int, int]] = {}
    missing = deque(gathering.open())
    size = Size(sweep.total)
    begin, before = time.perf_counter(), gathering.done()
    try:
        while True:
            hands = size.look(client)
            while missing and len(flying) < 2 * hands + 1:
                first, count = _cut(missing, size.next(sweep.total - gathering.done(), hands))
                table, at = sweep.cut_table(first, count) or (None, first)
                future = client.submit(
                    run_chunk, luggage, first, count, at, table, key=f"{name}-{first}", pure=False, retries=RETRIES
                )
                flying[future] = (first, count)
                ready.add(future)
            if not flying:
                break
            future = next(ready)
            first, count = flying.pop(future)
            rows, seconds = _result(future)
            # The cluster need not keep what is on the disk here.
            future.release()
            gathering.take(rows, first, count)
            missing.extend(gathering.open())
            size.learn(count, seconds)
            if progress is not None:
                done = gathering.done()
                spent = time.perf_counter() - begin
                progress(done, sweep.total, spent * (sweep.total - done) / max(done - before, 1))
    finally:
        if flying:
            client.cancel(list(flying))


class Size:
    """How many points a task should have."""

    def __init__(self, total: int) -> None:
        self.points = FIRST
        self.looked = -1.0
        self.hands = 1

    def look(self, client: Any) -> int:
        """How many hands there are now: workers come and go."""
        now = time.monotonic()
        if now - self.looked > 1.0 or self.looked < 0.0:
            self.looked, self.hands = now, threads_of(client)
        return self.hands

    def learn(self, count: int, seconds: float) -> None:
        wanted = int(AIM * count / max(seconds, 1e-9))
        self.points = max(1, min(wanted, 4 * self.points, MOST))

    def next(self, left: int, hands: int) -> int:
        """Smaller towards the end, so that all have something to do until then."""
        return max(1, min(self.points, -(-left // (2 * hands))))


def _cut(missing: deque[tuple[int, int]], most: int) -> tuple[int, int]:
    """The next points, at most so many."""
    first, count = missing.popleft()
    if count > most:
        missing.appendleft((first + most, count - most))
    return first, min(count, most)


def _result(future: Any) -> tuple[bytes, float]:
    """What a task came to. What Dask gives up is told in words."""
    from concurrent.futures import CancelledError as ThreadCancelled

    from distributed import CancelledError, KilledWorker

    stays = "all points that are finished are kept: the same call with the same out= goes on"
    try:
        return future.result()
    except KilledWorker as error:
        hint = f"look at the memory of the workers, and at their logs; {stays}"
        raise DatasetError(f"workers died of the same points several times: {error}", hint) from error
    except (CancelledError, ThreadCancelled) as error:
        raise DatasetError(f"the cluster has lost a task: {error}", stays) from error
    except ModuleNotFoundError as error:
        raise SweepError(f"a worker cannot import what it needs: {error}", "install stickslip on all workers") from error
