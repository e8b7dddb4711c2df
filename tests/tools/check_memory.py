#!/usr/bin/env python3
"""check_memory.py SCRIPT BUILD: lets bench/memory compare the driver with itself. Checks that each row has sizes
of both drivers, that the peak is at least the resident pages of files, and that the table has a line for each row. No
size is compared with a bound."""

import json
import pathlib
import subprocess
import sys
import tempfile

script, build = sys.argv[1:]


def check(good, message):
    if not good:
        sys.exit(f"failed: {message}")


with tempfile.TemporaryDirectory() as folder:
    command = [sys.executable, script, "--build", build, "--no-installed", "--driver", f"again={build}/hostcl.icd"]
    ended = subprocess.run([*command, "--count", "3", "--output", folder], capture_output=True, text=True)
    check(ended.returncode == 0, ended.stdout + ended.stderr)
    rows = json.loads((pathlib.Path(folder) / "results.json").read_text())
    check(len(rows) == 10, f"{len(rows)} rows")
    for row in rows:
        check(list(row["sizes"]) == ["hostcl", "again"], f"sizes are of {list(row['sizes'])}")
        for sizes in row["sizes"].values():
            check(0 < sizes["own"] and 0 < sizes["files"] <= sizes["peak"], f"{row['title']}: {sizes}")
    lines = (pathlib.Path(folder) / "table.md").read_text().splitlines()
    check([line.split(" | ")[0] for line in lines[2:]] == [f"| {row['title']}" for row in rows], f"lines of the table are {lines}")
    ended = subprocess.run([*command, "--output", folder, "lively"], capture_output=True, text=True)
    check(ended.returncode != 0 and "there is no group lively" in ended.stderr, ended.stderr)
print("the memory of processes is measured")
