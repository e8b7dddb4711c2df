#!/usr/bin/env python3
"""coverage_table.py ROOT: a line for each room of what `llvm-cov export -summary-only` says, with its worst file."""

import collections
import json
import os
import sys

COUNTS = ("functions", "lines", "branches")


def percent(covered, count):
    return f"{100 * covered / count:5.1f}" if count else "    -"


def main(root):
    rooms = collections.defaultdict(list)
    for entry in json.load(sys.stdin)["data"][0]["files"]:
        name = os.path.relpath(entry["filename"], root)
        if not name.startswith("..") and name.endswith(".cpp"):
            rooms[os.path.dirname(name)].append((os.path.basename(name), entry["summary"]))
    print(f"{'room':34} {'lines':>6}  functions  lines  branches   fewest branches")
    for room, files in sorted(rooms.items()):
        totals = {kind: [sum(summary[kind][part] for _, summary in files) for part in ("covered", "count")] for kind in COUNTS}
        name, worst = min(files, key=lambda file: file[1]["branches"]["percent"] if file[1]["branches"]["count"] else 101)
        print(f"{room:34} {totals['lines'][1]:6}      {percent(*totals['functions'])}  {percent(*totals['lines'])}     "
              f"{percent(*totals['branches'])}   {name} {worst['branches']['percent']:.0f} %")


main(*sys.argv[1:])
