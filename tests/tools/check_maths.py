#!/usr/bin/env python3
"""check_maths.py SCRIPT BUILD: bench/maths compares the driver with itself. All selected rows have times, their errors are
within the bounds, and the table has a line for each of them. No time is checked."""

import importlib.util
import json
import pathlib
import platform
import subprocess
import sys
import tempfile

script, build = sys.argv[1:]
ROWS = ["float.native_exp", "float.half_powr", "float.sincos", "float.sin_huge", "float.n_body", "double.exp", "double.fma",
        "double.log_subnormal", "half.pown", "half.pown_3"]
PATTERNS = ["float.sin(cos|_huge)", "float.n_body", "float.(native_exp|half_powr)", "double.(exp|fma|log_subnormal)",
            "half.pown(_3)?"]


def check(good, message):
    if not good:
        sys.exit(f"failed: {message}")


def run(*options):
    return subprocess.run([sys.executable, script, "--build", build, "--no-installed", "--seconds", "0.001", *options],
                          capture_output=True, text=True)


def results_of(folder, *options):
    ended = run("--output", folder, *options)
    check(ended.returncode == 0, ended.stdout + ended.stderr)
    written = json.loads((pathlib.Path(folder) / "results.json").read_text())
    return written["versions"], written["rows"]


def check_answer(row, answer):
    if answer.get("skipped", "").startswith("no cl_khr_"):
        return
    check("failed" not in answer, f"{row}: {answer}")
    for key in ("ns", "clocks", "latency_ns", "latency_clocks"):
        check(answer[key] > 0, f"{row}: {key} is {answer[key]}")
    check(float(answer["error"]) <= float(answer["bound"]), f"{row}: an error above the bound: {answer}")


with tempfile.TemporaryDirectory() as folder:
    versions, rows = results_of(folder, "--repeat", "2", "--driver", f"again={build}/hostcl.icd", *PATTERNS)
    numpy = ["NumPy"] if importlib.util.find_spec("numpy") else []
    check(list(versions) == ["hostcl", "again", *numpy], f"the columns are {list(versions)}")
    check(list(rows) == ROWS, f"the rows are {list(rows)}")
    for row, answers in rows.items():
        for driver in ("hostcl", "again"):
            check_answer(row, answers[driver])
    if numpy:
        check("ns" in rows["double.exp"]["NumPy"] and "skipped" in rows["double.fma"]["NumPy"], "NumPy has other functions")
    table = (pathlib.Path(folder) / "table.md").read_text()
    for part in ("### float", "### double", "### half and native", "| `native_exp` |", "| `pown(x, 3)` of half |", "(3) |",
                 "- again: geometric mean "):
        check(part in table, f"the table lacks {part!r}")
    if platform.machine() == "x86_64":
        versions, rows = results_of(folder, "--cpu", "x86-64-v3", "float.exp")
        check(list(versions) == ["hostcl"] and list(rows) == ["float.exp"], f"for another CPU: {versions}, {rows}")
        check_answer("float.exp", rows["float.exp"]["hostcl"])

check(run("--list", "float.sin").stdout == "float.sin\n", "the list of one row has others")
unknown = run("float.sine")
check(unknown.returncode != 0 and "--list shows all" in unknown.stderr, f"an unknown row: {unknown}")
print("the functions are measured")
