"""Folders that go with who made them."""

from __future__ import annotations

import shutil
import tempfile
import weakref


class OwnFolder:
    """A folder for files; it goes when this goes, and at the end of the program at the latest."""

    def __init__(self, prefix: str) -> None:
        #: Its path.
        self.name = tempfile.mkdtemp(prefix=prefix)
        weakref.finalize(self, shutil.rmtree, self.name, ignore_errors=True)
