"""What goes wrong, as exceptions. All of them are `stickslip.Error`."""

from __future__ import annotations

__all__ = ["Error", "ScenarioError", "SimulationError", "RunError", "SweepError", "DatasetError", "Unwritable"]


class Error(Exception):
    """Anything that stickslip refuses or cannot do; its text says what to do instead."""


class ScenarioError(Error, ValueError):
    """A scenario that cannot be read: what is wrong, where, and what to write instead."""

    def __init__(
        self,
        message: str,
        file: str | None = None,
        line: int | None = None,
        column: int | None = None,
        hint: str | None = None,
    ) -> None:
        super().__init__(message)
        #: Path of the file, name of the built-in scenario, or ``--set`` for overrides.
        self.file = file
        #: Line, from 1; None where nothing could be read.
        self.line = line
        #: Column in characters, from 1.
        self.column = column
        #: What to write instead.
        self.hint = hint

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.args[0], self.file, self.line, self.column, self.hint)


class Unwritable(Error, TypeError):
    """A value that no scenario can hold: of a type that files do not have, or masked."""


class SimulationError(Error, RuntimeError):
    """A simulation that did not do what was asked."""


class RunError(Error, RuntimeError):
    """A run that left nothing behind."""


class _WithHint(Error):
    def __init__(self, message: str, hint: str | None = None) -> None:
        Exception.__init__(self, f"{message}\n{hint}" if hint else message)
        self.message = message
        #: What to write instead.
        self.hint = hint

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.message, self.hint)


class SweepError(_WithHint, ValueError):
    """A sweep or a search that makes no sense as it was asked for."""


class DatasetError(_WithHint, RuntimeError):
    """Files of a dataset that cannot be written or read; what was finished before stays."""
