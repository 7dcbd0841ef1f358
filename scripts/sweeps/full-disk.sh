#!/usr/bin/env bash
# A sweep on a disk that becomes full, and in a folder that may not be written to: both end with an error in words and with exit code 1 or 2;
# what was finished is readable, and the sweep goes on when there is room. Needs the right to mount (root).
#
#   scripts/sweeps/full-disk.sh
set -euo pipefail
cd "$(dirname "$0")/../.."
[[ -n ${STICKSLIP:-} ]] || cargo build --release --quiet --bin stickslip
program=${STICKSLIP:-${CARGO_TARGET_DIR:-$PWD/target}/release/stickslip}
place=$(mktemp -d)
export program place
trap 'rm -rf "$place"' EXIT
unshare -m bash -euo pipefail <<'INSIDE'
sweep=(sweep wheel-sport-braking --set run.scheme=events --vary brake.torque.max=0:1400:1001 --vary ground.friction=0.2:1:501
  --output end.x --output end.x1 --quiet)
mkdir "$place/disk" "$place/free"
mount -t tmpfs -o size=3m tmpfs "$place/disk"
cd "$place"
# Words as they are told, without the line breaks of a narrow terminal.
told() { tr -s ' \n│' ' ' <told; }
code=0
"$program" "${sweep[@]}" --out disk/sweep 2>told || code=$?
cat told
blocks=$(ls disk/sweep/sweep.parquet/block-*.parquet | wc -l)
echo "exit code $code; $blocks of 8 blocks are there; checksums:"
(cd disk/sweep && sha256sum --check --ignore-missing --quiet SHA256SUMS && echo "all right")
[[ $code == 1 && $blocks -ge 1 && $blocks -lt 8 ]]
told | grep -q "No space left on device"
mount -o remount,size=256m "$place/disk"
"$program" "${sweep[@]}" --out disk/sweep
"$program" "${sweep[@]}" --out free/sweep
diff -r disk/sweep/sweep.parquet free/sweep/sweep.parquet && diff disk/sweep/SHA256SUMS free/sweep/SHA256SUMS
echo "gone on with more room: the same bits"
mkdir "$place/closed"
mount -t tmpfs -o ro,size=1m tmpfs "$place/closed"
code=0
"$program" "${sweep[@]}" --out closed/sweep 2>told || code=$?
cat told
[[ $code == 2 ]]
told | grep -q "cannot write to closed/sweep"
echo "a folder that may not be written to: exit code $code"
umount "$place/closed" "$place/disk"
INSIDE
