"""Folders that go with who made them."""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref


class OwnFolder:
    """A folder for files; it goes when this goes, and at the end of the program that made it at the latest."""

    def __init__(self, prefix: str) -> None:
        #: Its path.
        self.name = tempfile.mkdtemp(prefix=prefix)
        weakref.finalize(self, _remove, self.name, os.getpid())


def _remove(name: str, maker: int) -> None:
    """Removes a folder, if this is the process that made it and not a fork of it."""
    if os.getpid() == maker:
        shutil.rmtree(name, ignore_errors=True)
