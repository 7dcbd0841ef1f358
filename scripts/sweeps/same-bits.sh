#!/usr/bin/env bash
# The dataset of a sweep is the same, byte for byte: by one thread and two, whole and in parts, and after it was killed (SIGKILL) at random
# moments and gone on with. Six kinds of sweeps: wheels and vehicles side by side, wheels from event to event, a bifurcation diagram up and
# down, basins by grouping, rolling contacts; and a table of creep forces.
#
#   scripts/sweeps/same-bits.sh [KILLS]     kills of each sweep while it was at work (20)
set -euo pipefail
cd "$(dirname "$0")/../.."
kills=${1:-20}
[[ -n ${STICKSLIP:-} ]] || cargo build --release --quiet --bin stickslip
program=${STICKSLIP:-${CARGO_TARGET_DIR:-$PWD/target}/release/stickslip}
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place"

# What must be the same, as one checksum. SHA256SUMS is among it.
bits() {
  (cd "$1" && find . -name 'block-*' -o -name sweep.csv -o -name summary.json -o -name groups.csv -o -name trust.csv -o -name SHA256SUMS \
    -o -name sweep.json -o -name creep-table.csv -o -name check.csv | LC_ALL=C sort | xargs sha256sum | sha256sum)
}
same() { [[ $(bits "$1") == $(bits "$2") ]] || { echo "$1 and $2 are not the same"; exit 1; }; }

# Kills a command at random moments of its run until so many have hit it at work; each goes on where the one before stopped.
killed() {
  local name=$1 hit=0 seconds=$2 round=0
  shift 2
  while ((hit < kills)); do
    round=$((round + 1))
    local out=$name-killed-$round
    while ((hit < kills)); do
      "$program" "$@" --out "$out" --quiet 2>/dev/null &
      local id=$!
      sleep "$(awk -v r=$RANDOM -v t="$seconds" 'BEGIN { print t * r / 32768 }')"
      if kill -9 $id 2>/dev/null; then
        hit=$((hit + 1))
      fi
      if wait $id 2>/dev/null; then
        hit=$((hit - 1)) # It had come to its end.
        break
      fi
    done
    "$program" "$@" --out "$out" --quiet
    same "$name" "$out"
  done
}

check() {
  local name=$1
  shift
  local begin end
  begin=$(date +%s.%N)
  "$program" "$@" --out "$name" --threads 1 --quiet
  end=$(date +%s.%N)
  "$program" "$@" --out "$name-two" --threads 2 --quiet
  same "$name" "$name-two"
  local how="1 and 2 threads"
  if [[ $1 == sweep ]]; then
    for part in 1 2 3; do "$program" "$@" --out "$name-part$part" --part "$part/3" --quiet; done
    "$program" sweep --merge "$name"-part{3,1,2} --out "$name-merged" --quiet
    # What is drawn and told of a whole is not made of parts.
    for own in groups.csv trust.csv; do [[ ! -e $name/$own ]] || cp "$name/$own" "$name-merged/"; done
    same "$name" "$name-merged"
    how+=", 3 parts joined"
  fi
  killed "$name" "$(awk -v a="$begin" -v b="$end" 'BEGIN { print b - a }')" "$@"
  echo "$name: the same bits by $how, and after $kills kills at work"
}

check wheels sweep wheel-sport-braking --vary brake.torque.max=-100:1400:151 --vary "ground.friction=uniform(0.3, 1)" --samples 600 \
  --output end.x --output end.x1 --output stuck.brake
check vehicles sweep car-two-wheels-braking --vary road.friction=0.2:1:81 --vary "vehicle.mass=normal(1200 kg, 60 kg)" --samples 200 \
  --output end.x --output events
check events sweep wheel-sport-braking --set run.scheme=events --vary brake.torque.max=0:1400:401 --vary ground.friction=0.2:1:201 \
  --output end.x --output events
check diagram sweep belt-falling-friction --set run.scheme=events --vary "pad.pad.load=[45, 50]" --vary support.belt.speed=-0.01:0.4:42
check basins sweep belt-basins
check rolling sweep creep-42kn --set grid.along=22 --set grid.across=22 --vary motion.longitudinal=-0.001:0.003:61 \
  --vary "contact.friction=[0.25, 0.3, -1]"
check table table creep-table --set table.magnitudes=8 --set table.spins=4 --set table.directions=3 --set table.check=20 \
  --set "table.ratios=[0.7, 1, 1.3, 1.7, 2.2]"
