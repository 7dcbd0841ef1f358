"""Scenarios: from names, files, texts, dictionaries."""

from __future__ import annotations

import os
import tempfile
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from . import _native, _toml
from .errors import ScenarioError

__all__ = ["Scenario", "scenarios"]


class Scenario:
    """What is simulated: read, checked, and never changed; `set` gives another one.

    >>> car = Scenario.builtin("car-brake-ramp").set({"vehicle.height": "0.9 m"})
    """

    __slots__ = ("_native",)

    def __init__(self, source: Any, overrides: Any = None) -> None:
        """By the name of a built-in scenario, the path of a file, a dictionary or dataclass, or another scenario."""
        words = _toml.overrides(overrides)
        try:
            self._native = _read(source, words)
        except ScenarioError as error:
            raise _helped(error, overrides) from None

    @classmethod
    def _of(cls, native: _native.Scenario) -> Scenario:
        scenario = cls.__new__(cls)
        scenario._native = native
        return scenario

    @classmethod
    def builtin(cls, name: str, overrides: Any = None) -> Scenario:
        """One that comes with the program; `stickslip.scenarios()` lists them."""
        return cls._of(_native.Scenario.builtin(name, _toml.overrides(overrides)))

    @classmethod
    def from_file(cls, path: str | os.PathLike[str], overrides: Any = None) -> Scenario:
        """A TOML file."""
        return cls._of(_native.Scenario.file(os.fspath(path), _toml.overrides(overrides)))

    @classmethod
    def from_toml(
        cls, text: str, overrides: Any = None, *, name: str = "scenario", base: str | os.PathLike[str] = ""
    ) -> Scenario:
        """A TOML text; `name` goes into messages, relative paths in it start from `base`."""
        return cls._of(_native.Scenario.toml(name, text, os.fspath(base), _toml.overrides(overrides)))

    @classmethod
    def from_dict(
        cls, data: Any, overrides: Any = None, *, name: str = "scenario", base: str | os.PathLike[str] = ""
    ) -> Scenario:
        """The tables of a file as a dictionary or dataclass. Values are SI numbers, strings with units or pint quantities;
        None is left out. Errors point into the text that `show()` prints."""
        return cls.from_toml(_toml.document(data), overrides, name=name, base=base)

    def set(self, overrides: Any = None, /, **values: Any) -> Scenario:
        """The same with other values: ``set({"wheel.mass": "350 kg"})``, ``set(title="heavier")``."""
        words = _toml.overrides(overrides) + _toml.overrides(values)
        try:
            return self._of(self._native.set(words))
        except ScenarioError as error:
            raise _helped(_helped(error, overrides), values) from None

    def show(self) -> str:
        """The TOML text after all overrides."""
        return self._native.text

    def explain(self) -> str:
        """The equations, with the numbers in them."""
        return self._native.explain()

    def to_dict(self) -> dict[str, Any]:
        """The tables of the text."""
        return tomllib.loads(self._native.text)

    @property
    def name(self) -> str:
        """Name of the built-in scenario, path of the file, or what the text was called."""
        return self._native.name

    @property
    def model(self) -> str:
        """The model's name: ``wheel``, ``vehicle``, …"""
        return self._native.model

    @property
    def title(self) -> str | None:
        """One line."""
        return self._native.title

    @property
    def description(self) -> str | None:
        """What happens and what to look at."""
        return self._native.description

    @property
    def hash(self) -> str:
        """SHA-256 of the text and of all files that it names."""
        return self._native.hash

    @property
    def duration(self) -> float:
        """Simulated time [s]; 0 for what is solved once."""
        return self._native.run[0]

    @property
    def step(self) -> float:
        """Step asked for [s]; 0 for what is solved once."""
        return self._native.run[1]

    @property
    def scheme(self) -> str:
        """How it is advanced in time: ``implicit-euler``, ``events``, …"""
        return self._native.run[2]

    def __repr__(self) -> str:
        title = f": {self.title}" if self.title else ""
        return f"<stickslip.Scenario {self.name}{title}>"

    def __str__(self) -> str:
        return self.show()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Scenario):
            return NotImplemented
        return (self.name, self.hash) == (other.name, other.hash)

    def __hash__(self) -> int:
        return hash((self.name, self.hash))

    def __reduce__(self) -> tuple[Any, ...]:
        source = self._native.source()
        if source is not None:
            return _again, (*source, [])
        # With the files that it names: it can be read where they are not.
        return _again, (self.name, self._native.text, [], self._native.files())


def _again(name: str, text: str, overrides: list[str], files: list[tuple[str, bytes]]) -> Scenario:
    """A scenario that was pickled."""
    if not files:
        return Scenario._of(_native.Scenario.toml(name, text, "", overrides))
    with tempfile.TemporaryDirectory(prefix="stickslip-") as folder:
        for place, content in files:
            path = Path(folder, place)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        return Scenario._of(_native.Scenario.toml(name, text, folder, overrides))


def _helped(error: ScenarioError, overrides: Any) -> ScenarioError:
    """The same; where a number is wanted and an array of one was given, as those of SciPy are, with what to write."""
    if isinstance(overrides, Mapping) and "found a list" in str(error):
        for key, value in overrides.items():
            if getattr(value, "ndim", 0) > 0 and getattr(value, "size", 0) == 1:
                error.args = (f"{error.args[0]}\n  help: {key} is an array of one number: write float(x[0])",)
    return error


def _read(source: Any, overrides: list[str]) -> _native.Scenario:
    if isinstance(source, Scenario):
        return source._native.set(overrides) if overrides else source._native
    if isinstance(source, (str, os.PathLike)):
        return _native.Scenario.named(os.fspath(source), overrides)
    return _native.Scenario.toml("scenario", _toml.document(source), "", overrides)


def scenarios() -> dict[str, str]:
    """The scenarios that come with the program: name → title."""
    return {name: tomllib.loads(text).get("title", "") for _, name, text in _native.scenarios()}
