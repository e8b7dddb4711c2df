#!/usr/bin/env python3
"""Draws how many times faster one driver is than others: bars on a logarithmic scale, as SVG.

  bench/ratio_chart.py RESULTS.json [CASE...] > picture.svg     all cases of bench/compare's results, or those named
"""

import json
import math
import sys

import svg_page
from svg_page import SERIES, box, line, text

LABELS, COLUMN, ROW, TOP, WIDEST = 282, 68, 22, 66, 620


def shown(ratio):
    """A ratio in few digits."""
    if ratio is None:
        return "–"
    if ratio >= 1000:
        return ">1000×"
    return f"{ratio:.0f}×" if ratio >= 9.95 else f"{ratio:.1f}×" if ratio >= 0.995 else f"{ratio:.2f}×"


def shortened(label, most=36):
    """A label with its first words and its last two, if it is longer than that."""
    if len(label) <= most:
        return label
    *first, last_but_one, last = label.split()
    while first and len(" ".join([*first, "…", last_but_one, last])) > most:
        first.pop()
    return " ".join([*first, "…", last_but_one, last])


def scale(rows):
    """Powers of ten that the axis begins and ends with, between which bars are cut off."""
    logs = [math.log10(ratio) for _, ratios in rows for ratio in ratios.values() if ratio]
    return max(-1, min([math.floor(low) for low in logs] + [0])), min(3, max([math.ceil(high) for high in logs] + [1]))


def bars_width(columns):
    """What labels and columns leave of a page."""
    return min(184, WIDEST - LABELS - COLUMN * columns - 12)


def head(others, subject, low, high, height, x_of):
    """The title, the axis and the columns' names."""
    bars = bars_width(len(others))
    yield text(8, 22, f"{subject}: how many times faster than", "title")
    for index, name in enumerate(others):
        x = LABELS + bars + COLUMN * (index + 1)
        yield box(x - 50, 31, 50, 5, SERIES[index % len(SERIES)])
        yield text(x, 54, name if len(name) < 9 else name[:8] + "…", "small end")
    for power in range(low, high + 1):
        yield line(x_of(10.0 ** power), TOP - 6, x_of(10.0 ** power), height - 10, "axis" if power == 0 else "grid")
        yield text(x_of(10.0 ** power), TOP - 12, f"{10.0 ** power:g}×", "small faint middle")


def ratio_chart(rows, subject):
    """`rows` are (label, {other driver: ratio above 0, or None}); returns the SVG's text."""
    others = list(rows[0][1]) if rows else []
    low, high = scale(rows)
    bars = bars_width(len(others))
    width, height = LABELS + bars + COLUMN * len(others) + 12, TOP + ROW * len(rows) + 14

    def x_of(ratio):
        at = min(max(math.log10(ratio), low), high)
        return LABELS + bars * (at - low) / (high - low)

    parts = list(head(others, subject, low, high, height, x_of))
    thickness = min(9.0, (ROW - 6) / max(len(others), 1))
    for row, (label, ratios) in enumerate(rows):
        y = TOP + ROW * row
        parts.append(text(LABELS - 10, y + 16, shortened(label), "end"))
        for index, name in enumerate(others):
            ratio = ratios[name]
            parts.append(text(LABELS + bars + COLUMN * (index + 1), y + 16, shown(ratio), "small end"))
            if ratio:
                left, right = sorted((x_of(1), x_of(ratio)))
                top = y + 3 + index * thickness + (ROW - 6 - thickness * len(others)) / 2
                parts.append(box(left, top, right - left, thickness - 1, SERIES[index % len(SERIES)]))
    return svg_page.page(width, height, parts, f"{subject} against {', '.join(others)}: how many times faster, by work")


def ratio(answer, other):
    """How many times better the first answer is, or None."""
    if "value" not in answer or "value" not in other:
        return None
    times = answer["value"] / other["value"]
    return 1 / times if answer["better"] == "lower" else times


def rows_of(results, subject, others):
    """What ratio_chart() draws, of bench/compare's results."""
    rows = []
    for case, row in results.items():
        label = next((answer["title"] for answer in row.values() if "title" in answer), case)
        ratios = {other: ratio(row[subject], row[other]) for other in others}
        if any(ratios.values()):
            rows.append((label, ratios))
    return rows


def main(file, *cases):
    with open(file, encoding="utf-8") as stream:
        results = json.load(stream)
    names = list(next(iter(results.values())))
    chosen = {case: results[case] for case in cases or results}
    sys.stdout.write(ratio_chart(rows_of(chosen, names[1], names[2:]), names[1]))


if __name__ == "__main__":
    main(*sys.argv[1:])
