"""A run as an object: advanced, fed, saved, restored, forked."""

from __future__ import annotations

import copy
import math
import numbers
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from typing import Any

import numpy as np

from . import _native, _toml
from .errors import Error, ScenarioError, SimulationError
from .result import as_events
from .scenario import Scenario

__all__ = ["Inputs", "Simulation", "View"]


class View(Mapping[str, float]):
    """What a controller sees: the columns of the run at the instant of its sample, by name, ``view["x1"]`` or ``view.x1``."""

    __slots__ = ("_simulation", "_places", "_row", "time")

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation
        self._places = simulation._places
        self._row = simulation.row
        #: When the sample is taken [s].
        self.time: float = simulation.time

    @property
    def t(self) -> float:
        """When the sample is taken [s]."""
        return self.time

    @property
    def row(self) -> np.ndarray:
        """All columns."""
        return self._row

    @property
    def contact_states(self) -> dict[str, str]:
        """What the contacts do: ``stick``, ``slip+``, ``slip-``, ``slip``, ``open``."""
        return self._simulation.contact_states

    def __getitem__(self, name: str) -> float:
        try:
            return float(self._row[self._places[name]])
        except KeyError:
            raise KeyError(f"there is no column {name!r}; there are: {', '.join(self._places)}") from None

    def __getattr__(self, name: str) -> float:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self[name]
        except KeyError as error:
            raise AttributeError(str(error.args[0])) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def __dir__(self) -> list[str]:
        return sorted({"t", "time", "row", "contact_states", *(name for name in self._places if name.isidentifier())})

    def _ipython_key_completions_(self) -> list[str]:
        return list(self._places)


#: A function of what it sees, which gives inputs by name, or None.
Controller = Callable[[View], Mapping[str, Any] | None]


class Inputs(MutableMapping[str, Any]):
    """What drives a simulation from outside, by name: ``inputs["brake.torque"] = 900`` or ``inputs.brake.torque = 900``.

    A value is a number in SI units, a string with a unit, or a signal as in a scenario file, ``{"trapezoid": …}``; it holds from the
    present instant on. Reading gives what the input is now, in SI units.
    """

    __slots__ = ("_before", "_simulation", "_units")

    def __init__(self, simulation: Simulation, before: str = "", units: dict[str, str] | None = None) -> None:
        object.__setattr__(self, "_simulation", simulation)
        object.__setattr__(self, "_before", before)
        object.__setattr__(self, "_units", dict(simulation.input_units()) if units is None else units)

    @property
    def units(self) -> dict[str, str]:
        """Names and SI units of all inputs."""
        return dict(self._units)

    def __getitem__(self, name: str) -> float:
        return self._simulation.input_value(self._known(name))

    def __setitem__(self, name: str, value: Any) -> None:
        feed(self._simulation, self._before + name if isinstance(name, str) else name, value)

    def __delitem__(self, name: str) -> None:
        raise SimulationError("an input cannot be taken away; set it to 0")

    def __iter__(self) -> Iterator[str]:
        return (name[len(self._before) :] for name in self._units if name.startswith(self._before))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def _known(self, name: Any) -> str:
        if isinstance(name, str) and self._before + name in self._units:
            return self._before + name
        raise KeyError(f"there is no input {name!r}; there are: {', '.join(self) or 'none'}")

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        whole = self._before + name
        if whole in self._units:
            return self[name]
        if any(known.startswith(whole + ".") for known in self._units):
            return Inputs(self._simulation, whole + ".", self._units)
        raise AttributeError(f"there is no input {whole!r}; there are: {', '.join(self._units) or 'none'}")

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value

    def __dir__(self) -> list[str]:
        return sorted({name.split(".")[0] for name in self} | {"units"})

    def __repr__(self) -> str:
        return "{" + ", ".join(f"{name!r}: {self[name]}" for name in self) + "}"


def keys(scenario: Scenario, name: str) -> list[str]:
    """Keys of a scenario at which an input may stand, its own first: a force is named by its body, wheels of one table are numbered, and friction of a
    wheel is that of the road unless it has its own."""
    parts = name.split(".")
    if parts[0] == "force" and len(parts) == 3:
        forces = scenario.to_dict().get("force", [])
        here = (k for k, force in enumerate(forces, 1) if force.get("on") == parts[1] and parts[2] in force)
        parts[1] = str(next(here, parts[1]))
    found = [parts]
    if parts[0] == "wheel" and len(parts) > 2:
        table, _, number = parts[1].rpartition(" ")
        found += [[parts[0], table, *parts[2:]]] if table and number.isdigit() else []
        found += [["road", "friction"]] if parts[-1] == "friction" else []
    return [".".join(map(_toml.key, path)) for path in found]


def feed(simulation: Simulation, name: Any, value: Any) -> None:
    """From now on an input is this number, or this signal of a scenario file."""
    if not isinstance(name, str):
        raise SimulationError(f"names of inputs are strings, not {name!r}")
    if _toml.is_masked(value):
        raise SimulationError(f"input {name!r}: the array {_toml.UNMASK}")
    if isinstance(value, numbers.Real) and not isinstance(value, bool):
        try:
            simulation.set_number(name, float(value))
        except OverflowError:
            raise SimulationError(f"input {name!r}: the number at t = {simulation.time} s is too large; a finite number is needed") from None
    elif isinstance(value, np.ndarray) and value.size == 1 and value.dtype.kind in "fiu":
        simulation.set_number(name, float(value.reshape(())))
    elif isinstance(value, (str, Mapping)) or _toml.is_quantity(value):
        written = _toml.plain(value)
        signal = written if isinstance(written, str) else _toml.inline(written)
        refused = None
        for key in keys(simulation.scenario, name):
            try:
                return simulation.set_signal(name, key, signal)
            except ScenarioError as error:
                refused = refused or error
        raise refused or SimulationError(f"there is no input {name!r}")
    else:
        raise SimulationError(
            f"input {name!r}: a number, a string with a unit or a signal such as {{\"points\": …}} is needed, "
            f"not {value!r} of type {type(value).__name__}"
        )


#: What the native half has for this one, which says the same in simpler words.
NATIVE = {
    *("advance", "advance_until_event", "rows_until", "set_number", "set_signal", "stand_as", "take_events", "values", "energy"),
    *("contact_notes", "column_notes", "input_units", "input_value", "native_scenario"),
}

#: Instants that differ by this share of a sampling period, and of the way to go, are one.
SAME = 1e-9


class Simulation(_native.Simulation):
    """A run that goes on as far as it is told.

    >>> car = Simulation("car-two-wheels-braking")
    >>> car.advance_to(0.5)
    >>> car.inputs["wheel.front.brake"] = 900.0
    >>> car.step(1e-3)

    What happens before t does not depend on what is asked after t, nor on when one looks. Several of them can run at the same time in
    threads: the interpreter is free while they compute. Ctrl-C stops a long one where it stands.
    """

    _scenario: Scenario
    _places: dict[str, int]

    def __new__(cls, scenario: Any, overrides: Any = None) -> Simulation:
        own = scenario if isinstance(scenario, Scenario) and not overrides else Scenario(scenario, overrides)
        return cls._of(own)

    @classmethod
    def _of(cls, scenario: Scenario) -> Simulation:
        simulation = super().__new__(cls, scenario._native)
        simulation._scenario = scenario
        simulation._places = {note[0]: k for k, note in enumerate(simulation.column_notes)}
        return simulation

    def __init__(self, scenario: Any, overrides: Any = None) -> None:
        pass

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__()} - NATIVE)

    def _ipython_key_completions_(self) -> list[str]:
        return self.columns

    @property
    def scenario(self) -> Scenario:
        """What it began with."""
        return self._scenario

    @property
    def t(self) -> float:
        """Where it stands [s]."""
        return self.time

    def advance_to(
        self, t: float, controller: Controller | None = None, period: float | None = None
    ) -> None:
        """Goes on to t [s], with steps of the usual size or from event to event.

        A `controller` is called at every multiple of `period` from the present instant up to, but not at, t, with a `View` of the run; what it returns, a
        dictionary of inputs or None, holds from there on. What it raises ends the run there.
        """
        self._lead(self.advance, t, controller, period)

    def record(
        self,
        t: float,
        every: float | None = None,
        controller: Controller | None = None,
        period: float | None = None,
    ) -> dict[str, np.ndarray]:
        """Goes on to t as `advance_to` does, and gives the columns on the way, by name: rows at the multiples of `every` [s] after the present
        instant (by default the step of the scenario), and at t = 0 that of the start. Recording in pieces that end at such multiples gives the same
        rows as at once.

        >>> s = Simulation("wheel-sport-braking")
        >>> rows = s.record(3.0, every=0.01)
        >>> rows["t"], rows["x1"]
        """
        distance = self._scenario.step if every is None else every
        pieces: list[np.ndarray] = []
        self._lead(lambda end: pieces.append(self.rows_until(end, distance)), t, controller, period)
        table = np.ascontiguousarray(np.concatenate(pieces).T)
        return dict(zip(self._places, table, strict=True))

    def _lead(
        self, go: Callable[[float], None], t: float, controller: Controller | None, period: float | None
    ) -> None:
        """Goes on to t, and asks the controller on the way."""
        if controller is None and period is None:
            return go(t)
        if controller is None or period is None:
            raise SimulationError("a controller and its sampling period belong together")
        if not callable(controller):
            raise SimulationError(f"a controller is called with a View; {controller!r} cannot be called")
        if not (isinstance(period, numbers.Real) and math.isfinite(period) and period > 0):
            raise SimulationError(f"a sampling period greater than 0 is needed, not {period!r}")
        if not math.isfinite(t):
            return go(t)
        # The next sample: this instant if it is one, but for the rounding of large numbers.
        same = SAME * min(period, max(t - self.time, 0.0))
        k = round(self.time / period)
        if k * period < self.time - max(same, 4 * math.ulp(self.time)):
            k += 1
        while k * period < t - max(same, 4 * math.ulp(t)):
            if k * period > self.time:
                go(k * period)
            self._sample(controller)
            k += 1
        return go(t)

    def _sample(self, controller: Controller) -> None:
        now = self.time
        commands = controller(View(self))
        if self.time != now:
            raise SimulationError(
                f"the controller moved the simulation that it controls from t = {now} s to t = {self.time} s; it may look at it, save it and fork it"
            )
        if commands is None:
            return
        if not isinstance(commands, Mapping):
            raise SimulationError(
                f"at t = {self.time} s the controller returned {commands!r}; a dictionary of inputs or None is needed"
            )
        # All or nothing: what a simulation like this one refuses is not begun here.
        several = len(commands) > 1
        try:
            for one in (self.fork(), self) if several else (self,):
                for name, value in commands.items():
                    feed(one, name, value)
        except Error as error:
            raise SimulationError(f"at t = {self.time} s the controller's command was refused: {error}") from error

    def advance_to_event(self, t: float) -> bool:
        """Goes on to t, but no further than the first change of a contact; says whether there was one."""
        return self.advance_until_event(t)

    @property
    def inputs(self) -> Inputs:
        """What drives it from outside."""
        return Inputs(self)

    @property
    def columns(self) -> list[str]:
        """Names of the columns of `row`; the first is the time."""
        return list(self._places)

    @property
    def units(self) -> dict[str, str]:
        """SI units of the columns."""
        return {name: unit for name, unit, _, _ in self.column_notes}

    @property
    def state(self) -> dict[str, float]:
        """Positions, speeds and forces by name, as at the end of a run."""
        return dict(self.values())

    def __getitem__(self, name: str) -> float:
        """One column of the present row."""
        try:
            return float(self.row[self._places[name]])
        except KeyError:
            raise KeyError(f"there is no column {name!r}; there are: {', '.join(self._places)}") from None

    def __contains__(self, name: object) -> bool:
        return name in self._places

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    @property
    def contact_states(self) -> dict[str, str]:
        """What the contacts do: ``stick``, ``slip+``, ``slip-``, ``slip``, ``open``; open before the first step."""
        return {name: state for name, state, _ in self.contact_notes()}

    @property
    def stuck(self) -> dict[str, float]:
        """Time that each contact stuck so far [s]."""
        return {name: stuck for name, _, stuck in self.contact_notes()}

    def events(self) -> np.ndarray:
        """What the contacts have done since this was last asked, as a structured array: ``t``, ``contact``, ``from``, ``to``."""
        return as_events(self.take_events(), words=False)

    @property
    def ledger(self) -> dict[str, Any]:
        """Where the energy went so far [J]: ``start + work = dissipated + stored + lost``."""
        start, work, stored, lost, dissipated = self.energy()
        return {"start": start, "work": work, "dissipated": dissipated, "stored": stored, "lost": lost}

    def fork(self) -> Simulation:
        """Another one that stands where this one does."""
        other = type(self)._of(self._scenario)
        other.stand_as(self)
        vars(other).update(vars(self))
        return other

    __copy__ = fork

    def __deepcopy__(self, memo: dict[int, Any]) -> Simulation:
        other = self.fork()
        vars(other).update(copy.deepcopy(self._noted(), memo))
        return other

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (type(self), self._scenario, self.save()), self._noted() or None

    def _noted(self) -> dict[str, Any]:
        """What somebody else has written on it."""
        return {name: value for name, value in vars(self).items() if name not in ("_scenario", "_places")}

    def __repr__(self) -> str:
        return f"<stickslip.Simulation of {self._scenario.name} at t = {self.time:g} s>"


def _restored(kind: type[Simulation], scenario: Scenario, saved: bytes) -> Simulation:
    """A simulation that was pickled."""
    simulation = kind._of(scenario)
    simulation.restore(saved)
    return simulation
