"""Names that were meant."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class Named(dict[str, float]):
    """Numbers by name, of which a missing one is told in words."""

    def __missing__(self, name: object) -> float:
        there = ", ".join(self) or "none"
        raise KeyError(f"there is no {name!r}{meant(name, self)}; there are: {there}")


def meant(name: object, known: Iterable[str]) -> str:
    """The name that is nearest, as a piece of a sentence; nothing where none is near."""
    near = difflib.get_close_matches(name, list(known), n=1) if isinstance(name, str) else []
    return f" (did you mean {near[0]!r}?)" if near else ""
