#!/usr/bin/env python3
"""check_first_launches.py SCRIPT BUILD: bench/first_launches compares the driver with itself, quiet and beside busy processes:
100 launches end one after the other, what is more than launches of one kernel is left out, and no busy process remains."""

import contextlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile

script, build = sys.argv[1:]


def check(good, message):
    if not good:
        sys.exit(f"failed: {message}")


def marked_processes(mark):
    """Processes that have the mark in their environment."""
    found = []
    for path in pathlib.Path("/proc").glob("[0-9]*/environ"):
        with contextlib.suppress(OSError):
            found += [path] * (f"MARK={mark}\0".encode() in path.read_bytes())
    return found


with tempfile.TemporaryDirectory() as folder:
    command = [sys.executable, script, "--build", build, "--no-installed", "--driver", f"again={build}/hostcl.icd", "--busy",
               "--seconds", "1000", "--output", folder, "histogram_local", "launch_batched", "atomics/weighted_histogram"]
    ended = subprocess.run(command, env=os.environ | {"MARK": folder}, capture_output=True, text=True)
    check(ended.returncode == 0, ended.stdout + ended.stderr)
    check(not marked_processes(folder), "a busy process remains")
    results = json.loads((pathlib.Path(folder) / "results.json").read_text())
    check(list(results) == ["histogram_local", "atomics/weighted_histogram"], f"rows are {list(results)}")
    for row, situations in results.items():
        check(list(situations) == ["quiet", "busy"], f"{row}: situations are {list(situations)}")
        for answer in (situations[situation][name] for situation in situations for name in ("hostcl", "again")):
            check(len(answer["launches"]) == 100, f"{row}: {answer}")
            check(answer["launches"] == sorted(answer["launches"]), f"{row}: a launch ends before the one that precedes it: {answer}")
    check(all(answers[situation]["hostcl"]["verified"] for answers in results.values() for situation in answers), results)
    check("than again | busy | all (2)" in (pathlib.Path(folder) / "table.md").read_text(), "the table lacks a line")
print("the first launches are measured")
