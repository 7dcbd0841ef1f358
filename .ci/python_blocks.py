"""Runs every block of Python in a page, each as a program of its own."""

import re
import subprocess
import sys

blocks = re.findall(r"^```python\n(.*?)^```", open(sys.argv[1], encoding="utf-8").read(), re.DOTALL | re.MULTILINE)
if not blocks:
    sys.exit(f"{sys.argv[1]} has no Python in it")
for block in blocks:
    subprocess.run([sys.executable, "-c", block], check=True, cwd="/")
print(f"{len(blocks)} blocks of {sys.argv[1]} run")
