#!/usr/bin/env python3
"""test_pictures.py TREE: the charts are whole SVG for light and dark pages and say what they are given, and so are the
pictures of the documents."""

import importlib.machinery
import pathlib
import re
import sys
import xml.etree.ElementTree

tree = pathlib.Path(sys.argv[1])
sys.path.insert(0, str(tree / "bench"))
sys.dont_write_bytecode = True
native = importlib.machinery.SourceFileLoader("native", str(tree / "bench" / "native" / "compare")).load_module()
launches = importlib.machinery.SourceFileLoader("launches", str(tree / "bench" / "first_launches")).load_module()
import ratio_chart
import ratio_themes
import timeline_chart

WIDEST = 620  # still readable where a page is 360 wide


def check(good, message):
    if not good:
        sys.exit(f"failed: {message}")


def words_of(svg, name):
    """The picture's words, after a look at its form."""
    root = xml.etree.ElementTree.fromstring(svg)
    check(float(root.attrib["width"]) <= WIDEST, f"{name} is wider than {WIDEST}")
    check("prefers-color-scheme: dark" in svg, f"{name} has no colours for dark pages")
    title = root.find("{http://www.w3.org/2000/svg}title")
    check(title is not None and len(title.text) > 20, f"{name} does not say what it shows")
    return [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")]


def answer(value, better="higher"):
    return {"title": "triad & more", "unit": "GB/s", "value": value, "better": better}


RESULTS = {"triad": {"plain C++": answer(1), "hostcl": answer(8), "pocl": answer(4), "intel": {"error": "it failed"}},
           "stencil": {"plain C++": answer(1), "hostcl": answer(3, "lower"), "pocl": answer(6, "lower"), "intel": answer(1, "lower")}}
EVENTS = [{"ph": "M", "name": "thread_name", "pid": 1, "tid": 7, "args": {"name": "hostcl worker"}},
          {"ph": "X", "cat": "api", "name": "clFinish", "ts": 1000.0, "dur": 9000.0, "pid": 1, "tid": 7, "args": {}},
          {"ph": "X", "cat": "groups", "name": "k", "ts": 2000.0, "dur": 1.0, "pid": 1, "tid": 7, "args": {}}]

words = words_of(ratio_chart.ratio_chart(ratio_chart.rows_of(RESULTS, "hostcl", ["pocl", "intel"]), "hostcl"), "ratios")
for word in ["triad & more", "2.0×", "0.33×", "–", "pocl", "intel"]:
    check(word in words, f"'{word}' is not in the chart: {words}")
rows = list(ratio_themes.table(RESULTS))
check(rows[0] == "| hostcl is faster | than pocl | than intel |", rows[0])
check("| moving memory | 2.0× (2.0× to 2.0×, 2) | 0.33× (0.33× to 0.33×, 1) |" in rows, rows)
for theme in ratio_themes.THEMES:
    check(len(ratio_themes.cases_of(theme)) > 1, f"no cases of {theme} are found")

NATIVE = {"dot": {count: {"hostcl": {"title": "scalar product", "opencl": 0.002, "Clang 22": 0.004, "GNU 12": 0.001 * count},
                          "pocl": {"title": "scalar product", "opencl": 0.004, "Clang 22": 0.002, "GNU 12": 0.003},
                          "intel": {"error": "it failed"}} for count in (1, 2)}}
table = native.markdown(NATIVE, ["hostcl", "pocl", "intel"]).splitlines()
check(table[2] == "| dot | scalar product | 2 | GNU | 2 | 0.50 | 1.00 | 0.50 | – |", table)
check(table[3] == "| | geometric mean | | | | 0.50 | 1.00 | 0.50 | – |", table)
words = words_of(native.chart(NATIVE, ["hostcl", "pocl", "intel"]), "ratios to C++")
for word in ["scalar product", "C++, 1", "0.50×", "1.0×", "2.0×", "–"]:
    check(word in words, f"'{word}' is not in the chart: {words}")

def ends(first, each, number=100):
    return {"launches": [first + each * later for later in range(number)]}


LAUNCHES = {"triad": {"quiet": {"hostcl": ends(1, 1), "pocl": ends(4, 1), "intel": ends(0.5, 1)},
                      "busy": {"hostcl": ends(1, 0.1, 30), "pocl": ends(2, 2.4, 2), "intel": {"error": "it failed"}}}}
LAUNCHES["loops/row_sum"] = LAUNCHES["triad"]
table = launches.markdown(LAUNCHES).splitlines()
for row in ["| than pocl | quiet | all (2) | 4.0× (0 %, 4.0×) | 2.5× (0 %, 2.5×) | 2.0× (0 %, 2.0×) | 1.6× (0 %, 1.6×) | 1.3× (0 %, 1.3×) | "
            "1.1× (0 %, 1.1×) | 1.0× (0 %, 1.0×) |",
            # pocl was stopped after two launches and 4.4 seconds.
            "| than pocl | busy | moving memory (1) | 2.0× (0 %, 2.0×) | 4.0× (0 %, 4.0×) | 3.7× (0 %, 3.7×) | 3.1× (0 %, 3.1×) | "
            "2.3× (0 %, 2.3×) | 1.1× (0 %, 1.1×) | – |",
            "| than intel | busy | survey, loops (1) | – | – | – | – | – | – | – |",
            "| than intel | quiet | triad | 0.50× | 0.75× | 0.83× | 0.90× | 0.95× | 0.98× | 1.0× |"]:
    check(row in table, f"'{row}' is not in the table of first launches: {table}")
check(not any("| than pocl | quiet | triad" in row for row in table), "a row in which hostcl is sooner is among those in which it is later")
words = words_of(launches.chart(LAUNCHES), "first launches")
for word in ["pocl, quiet", "intel, busy", "100", "2×"]:
    check(word in words, f"'{word}' is not in the chart: {words}")

threads, names = timeline_chart.threads_of(EVENTS)
words = words_of(timeline_chart.timeline(threads, names, 1000.0, 10000.0), "a timeline")
for word in ["hostcl worker", "clFinish", "0 ms", "work-groups"]:
    check(word in words, f"'{word}' is not in the timeline: {words}")
check([span["depth"] for span in threads[7]] == [0, 1], "work-groups do not lie below the call around them")

for picture in sorted((tree / "docs" / "pictures").glob("*.svg")):
    check(len(words_of(picture.read_text(), picture.name)) > 5, f"{picture.name} has no words")
print("the pictures are right")
