#!/usr/bin/env bash
# Instructions per call of the fast theories of rolling contact, counted by callgrind: the difference between 640 and 320
# calls. Needs valgrind.
set -euo pipefail
cd "$(dirname "$0")/.."
bench=$(cargo bench --quiet -p stickslip-contact --bench theories --no-run --message-format=json |
  python3 -c 'import json,sys; print([m["executable"] for m in map(json.loads, sys.stdin) if m.get("executable")][-1])')
count() {
  valgrind --tool=callgrind --callgrind-out-file=/dev/null "$bench" count "$1" "$2" 2>&1 |
    sed -n 's/.*Collected : //p'
}
for theory in fastsim plain polach shen; do
  echo "$theory: $((($(count "$theory" 640) - $(count "$theory" 320)) / 320)) instructions per call"
done
