"""The source distribution: files that the crates are compiled with, and that lie outside of them, are in it."""

import re
import tomllib

from conftest import ROOT


def test_what_is_compiled_in_is_distributed():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["maturin"]
    given = {path.resolve() for entry in settings["include"] for path in ROOT.glob(entry["path"])}
    needed = set()
    for source in (ROOT / "crates").glob("*/src/**/*.rs"):
        for name in re.findall(r'include_(?:str|bytes)!\(\s*"([^"]+)"', source.read_text("utf-8")):
            path = (source.parent / name).resolve()
            if not path.is_relative_to(ROOT / "crates"):
                needed.add(path)
    assert len(needed) > 5 and needed <= given, needed - given
    # These are named piece by piece.
    assert all(path.resolve() in given for path in (ROOT / "scenarios").glob("*.toml"))
