"""The border between Python and Rust: no panic comes through, and the interpreter is let go in one place only."""

import re

import pytest
import stickslip
from conftest import ROOT
from stickslip import _native


@pytest.mark.parametrize("apart", [False, True])
def test_a_panic_is_an_exception(apart):
    for _ in range(3):
        with pytest.raises(stickslip.RunError, match=r"a fault of this program.*\(on purpose\).*report it"):
            _native.break_down(apart)
    assert stickslip.run("wheel-sport-braking").success


def test_the_net_lies_in_one_place():
    source = ROOT / "crates" / "python" / "src"
    found = {path.name for path in source.rglob("*.rs") if re.search(r"\bdetach\(|allow_threads|without_gil", path.read_text("utf-8"))}
    assert found == {"border.rs"}
