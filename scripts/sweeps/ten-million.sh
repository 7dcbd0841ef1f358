#!/usr/bin/env bash
# Ten million points from event to event: how much memory they take, and whether pandas, polars and DuckDB read what was written. Needs
# python3 with pandas, pyarrow, polars and duckdb (PYTHON names another one).
#
#   scripts/sweeps/ten-million.sh [POINTS ALONG EACH KEY]     3163, which is 10 004 569 points
set -euo pipefail
cd "$(dirname "$0")/../.."
count=${1:-3163}
[[ -n ${STICKSLIP:-} ]] || cargo build --release --quiet --bin stickslip
program=${STICKSLIP:-${CARGO_TARGET_DIR:-$PWD/target}/release/stickslip}
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
"${PYTHON:-python3}" - "$program" "$place/sweep" "$count" <<'PYTHON'
import json, resource, subprocess, sys

program, out, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
command = [program, "sweep", "wheel-sport-braking", "--set", "run.scheme=events", "--vary", f"brake.torque.max=0:1400:{count}",
           "--vary", f"ground.friction=0.2:1:{count}", "--output", "end.x", "--output", "end.x1", "--out", out, "--quiet", "--yes"]
subprocess.run(command, check=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(f"{count**2} points: {used.ru_utime + used.ru_stime:.0f} s of processor time, at most {used.ru_maxrss / 1024:.0f} MB of memory")

import duckdb, pandas, polars
import pyarrow.parquet as parquet
from pathlib import Path

names = ["brake.torque.max", "ground.friction", "end.x", "end.x1", "error"]
told = json.loads(Path(out, "summary.json").read_text())
frame = pandas.read_parquet(f"{out}/sweep.parquet")
assert list(frame.columns) == names and len(frame) == count**2, frame.shape
lazy = polars.scan_parquet(f"{out}/sweep.parquet/*.parquet")
length, mean = lazy.select(polars.len(), polars.col("end.x").mean().alias("mean")).collect().row(0)
assert lazy.collect_schema().names() == names and length == count**2
rows, sql = duckdb.sql(f"select count(*), avg(\"end.x\") from '{out}/sweep.parquet/*.parquet'").fetchall()[0]
assert rows == count**2
means = [column["mean"] for column in told["columns"] if column["name"] == "end.x"] + [frame["end.x"].mean(), mean, sql]
assert max(means) - min(means) < 1e-9 * abs(means[0]), means
schema = parquet.read_schema(next(Path(out, "sweep.parquet").glob("*.parquet")))
units = {field.name: field.metadata[b"unit"].decode() for field in schema if field.metadata and field.metadata.get(b"unit")}
assert units["brake.torque.max"] == "N m" and units["end.x"] == "m" and units["end.x1"] == "m/s", units
assert polars.read_parquet_schema(next(Path(out, "sweep.parquet").glob("*.parquet"))).names() == names
print(f"pandas {pandas.__version__}, polars {polars.__version__}, DuckDB {duckdb.__version__}: all rows, mean of end.x {mean:.6f} m, units {units}")
PYTHON
