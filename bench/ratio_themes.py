#!/usr/bin/env python3
"""Sums up the results of bench/compare by theme, as Markdown: how many times faster the first driver is than each other,
as the median over the cases that both drivers ran, with the least, the most, and their number.

  bench/ratio_themes.py RESULTS.json
"""

import json
import pathlib
import re
import statistics
import sys

from ratio_chart import ratio, shown

CASES = pathlib.Path(__file__).resolve().parent / "cases"
THEMES = {"host": "builds and launches", "memory": "moving memory", "arithmetic": "arithmetic", "atomics": "atomics",
          "groups": "barriers, local memory", "pipes": "pipes", "images": "images"}


def cases_of(theme):
    return re.findall(r'^    \{"(\w+)", +"', (CASES / f"{theme}.cpp").read_text(), re.MULTILINE)


def cell(ratios):
    if not ratios:
        return "–"
    return f"{shown(statistics.median(ratios))} ({shown(min(ratios))} to {shown(max(ratios))}, {len(ratios)})"


def table(results):
    subject, *others = list(next(iter(results.values())))[1:]
    yield f"| {subject} is faster | " + " | ".join(f"than {other}" for other in others) + " |"
    yield "|---|" + "---:|" * len(others)
    for theme, name in THEMES.items():
        rows = [results[case] for case in cases_of(theme) if case in results]
        ratios = [[times for row in rows if (times := ratio(row[subject], row[other]))] for other in others]
        yield f"| {name} | " + " | ".join(map(cell, ratios)) + " |"


def main(file):
    with open(file, encoding="utf-8") as stream:
        print(*table(json.load(stream)), sep="\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
