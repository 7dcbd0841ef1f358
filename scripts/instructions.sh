#!/usr/bin/env bash
# Instructions per implicit step of the wheel through the public call, counted by callgrind: the difference
# between a run of 200 000 and one of 100 000 steps. Needs valgrind.
set -euo pipefail
cd "$(dirname "$0")/.."
bench=$(cargo bench --quiet -p stickslip-models --bench wheel --no-run --message-format=json |
  python3 -c 'import json,sys; print([m["executable"] for m in map(json.loads, sys.stdin) if m.get("executable")][-1])')
count() {
  valgrind --tool=callgrind --callgrind-out-file=/dev/null "$bench" count "$1" 2>&1 |
    sed -n 's/.*Collected : //p'
}
few=$(count 100000)
many=$(count 200000)
echo "instructions per step: $(((many - few) / 100000))"
