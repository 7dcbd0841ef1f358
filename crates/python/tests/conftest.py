"""What the tests share."""

import os
import shutil
import signal
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]

# A shell has jobs in its background take no notice of Ctrl-C, and Python leaves it so: the tests that give one would wait for ever.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def command():
    """The command of the same checkout: STICKSLIP, or what cargo has built."""
    asked = os.environ.get("STICKSLIP")
    built = [ROOT / "target" / profile / "stickslip" for profile in ("debug", "release")]
    for path in [asked] if asked else built:
        if shutil.which(path):
            return lambda *words: subprocess.run([path, *map(str, words)], capture_output=True, text=True, check=False)
    pytest.skip("the command is not built: cargo build -p stickslip-cli")
