#!/usr/bin/env python3
"""Draws a timeline that HOSTCL_TRACE has written: a row for each thread, as SVG.

  HOSTCL_TRACE=trace.json application && bench/timeline_chart.py trace.json > picture.svg

  bench/timeline_chart.py TRACE.json [FROM TO]     the time between FROM and TO milliseconds (default: all of it)
"""

import collections
import json
import sys

import svg_page
from svg_page import box, line, text

LABELS, SPAN, LANE, GAP, TOP = 112, 420, 22, 12, 54
CATEGORIES = {"api": ("four", "calls"), "build": ("three", "compiler"), "command": ("two", "commands"),
              "groups": ("one", "work-groups")}


def threads_of(events):
    """Spans by thread, each with its depth in others, and the threads' names."""
    names = {event["tid"]: event["args"]["name"] for event in events if event["name"] == "thread_name"}
    threads = collections.defaultdict(list)
    for event in sorted((event for event in events if event["ph"] == "X"), key=lambda e: (e["ts"], -e["dur"])):
        threads[event["tid"]].append(event)
    for spans in threads.values():
        open_ends = []
        for span in spans:
            while open_ends and open_ends[-1] <= span["ts"]:
                open_ends.pop()
            span["depth"] = len(open_ends)
            open_ends.append(span["ts"] + span["dur"])
    return dict(threads), names


def clipped(threads, first, last):
    """The spans that lie in the time between two, in microseconds, by thread; threads without any are left out."""
    inside = {tid: [span for span in spans if span["ts"] < last and span["ts"] + span["dur"] > first]
              for tid, spans in threads.items()}
    return {tid: spans for tid, spans in inside.items() if spans}


def step_of(length):
    """A round number of which about six make the length."""
    power = 1.0
    while power * 10 < length / 6:
        power *= 10
    while power > length / 6:
        power /= 10
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor * 8 >= length)


def legend():
    x = 10.0
    for kind, name in CATEGORIES.values():
        yield box(x, 8, 12, 12, kind)
        yield text(x + 17, 19, name)
        x += 34 + 8.2 * len(name)


def bars(spans, y, first, last):
    """The spans of one thread. Those that would lie on the one before of their kind are part of it."""
    drawn = {}
    for span in spans:
        left = LABELS + SPAN * max(span["ts"] - first, 0) / (last - first)
        right = LABELS + SPAN * min(span["ts"] + span["dur"] - first, last - first) / (last - first)
        key = span["depth"], span["cat"]
        if drawn.get(key, -1) >= right - 0.8:
            continue
        drawn[key] = max(right, left + 0.5)
        top = y + LANE * span["depth"]
        yield box(left, top, right - left, LANE - 3, CATEGORIES[span["cat"]][0])
        if right - left > 8.2 * len(span["name"]) + 6:
            yield text(left + 4, top + 14, span["name"], "inside")


def timeline(threads, names, first, last):
    """The SVG's text for a time in microseconds."""
    threads = clipped(threads, first, last)
    parts, y = list(legend()), TOP
    for tid, spans in threads.items():
        parts.append(text(LABELS - 10, y + 14, names.get(tid, str(tid)), "end"))
        parts += bars(spans, y, first, last)
        y += LANE * (1 + max(span["depth"] for span in spans)) + GAP
    step, axis = step_of((last - first) / 1000), []
    at = 0.0
    while at * 1000 <= last - first:
        x = LABELS + SPAN * at * 1000 / (last - first)
        axis += [line(x, TOP - 6, x, y - GAP), text(x, TOP - 11, f"{at:g} ms", "faint middle")]
        at += step
    description = f"{(last - first) / 1000:.3g} ms of an application on {len(threads)} threads: calls, commands and work-groups"
    return svg_page.page(LABELS + SPAN + 24, y, axis + parts, description)


def main(file, *limits):
    with open(file, encoding="utf-8") as stream:
        threads, names = threads_of(json.load(stream)["traceEvents"])
    spans = [span for thread in threads.values() for span in thread]
    first, last = min(span["ts"] for span in spans), max(span["ts"] + span["dur"] for span in spans)
    if limits:
        first, last = first + 1000 * float(limits[0]), first + 1000 * float(limits[1])
    sys.stdout.write(timeline(threads, names, first, last))


if __name__ == "__main__":
    main(*sys.argv[1:])
