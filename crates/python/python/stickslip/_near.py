"""Names that were meant."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def meant(name: object, known: Iterable[str]) -> str:
    """The name that is nearest, as a piece of a sentence; nothing where none is near."""
    near = difflib.get_close_matches(name, list(known), n=1) if isinstance(name, str) else []
    return f" (did you mean {near[0]!r}?)" if near else ""
