#!/usr/bin/env python3
"""Makes docs/applications.md's table, what failed and a chart from the results of conformance/run_applications.

  conformance/application_report.py RESULTS.json...     a row of a later file replaces the same row of an earlier file

The script replaces the text between "<!-- results -->" and "<!-- end of results -->", but keeps the page's rows of
applications that no file has. The chart is docs/pictures/applications.svg. conformance/applications/faults.txt has the
causes of failures.
"""

import json
import math
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "bench"))
from ratio_chart import ratio_chart

PAGE, CHART = ROOT / "docs/applications.md", ROOT / "docs/pictures/applications.svg"
FAULTS = ROOT / "conformance/applications/faults.txt"
BEGIN, END = "<!-- results -->", "<!-- end of results -->"
SUBJECT, NAMES = "hostcl", {"pocl": "PoCL", "intel": "Intel"}
RESULTS = "| application | version | hostcl | PoCL | Intel | what is run |"
WARM = "| application | hostcl | PoCL | Intel |"
WARM_SENTENCE = "CPU seconds of a second run, which finds the compiled kernels of the first run if the driver keeps them:"
FAILED = "| application | driver | failed | cause |"


def read_rows(files):
    """{application: {driver: row}}, in the applications' order."""
    found = {}
    for file in files:
        for row in json.loads(pathlib.Path(file).read_text()):
            found.setdefault(row["application"], {})[row["driver"]] = row
    return {name: found[name] for name in sorted(found) if SUBJECT in found[name]}


def comparable(row):
    """Whether a run came to its end and most of its tests passed, so that its time says something."""
    return row and not row["remark"] and row["passed"] > 9 * row["failed"]


def tests_of(row):
    return row["passed"] + row["failed"]


def ratio(drivers, other, key="seconds"):
    """How many times hostcl's seconds another driver takes, or None. A driver that can run fewer of the tests counts where
    it takes longer all the same."""
    mine, theirs = drivers[SUBJECT], drivers.get(other)
    if not comparable(mine) or not comparable(theirs) or not mine[key] or not theirs[key]:
        return None
    times, more = theirs[key] / mine[key], tests_of(theirs) - tests_of(mine)
    return times if more == 0 or (more < 0 and times > 1) else None


def cell(drivers, driver):
    row = drivers.get(driver)
    if row is None:
        return ""
    if not tests_of(row):
        return "skipped"
    text = f"{row['passed']}/{tests_of(row)}, {row['seconds']:.1f} s"
    if driver != SUBJECT and (times := ratio(drivers, driver)):
        text += f" ({'≥ ' if tests_of(row) < tests_of(drivers[SUBJECT]) else ''}{times:.1f}×)"
    return text + f", {row['wall']:.0f} s"


def lines_of_page(text):
    """{header of a table: {application: its lines in that table}}"""
    tables, lines = {}, None
    for line in text.splitlines():
        if line in (RESULTS, WARM, FAILED):
            lines = tables.setdefault(line, {})
        elif line.startswith("| "):
            lines.setdefault(application_of(line), []).append(line)
    return tables


def application_of(line):
    return line.split("|")[1].strip()


def merged(header, lines, rows, page):
    """The lines of a table: new lines, and the page's lines of applications that are not in `rows`."""
    kept = [line for name, old in page.get(header, {}).items() if name not in rows for line in old]
    return [header, rule(header), *sorted([*lines, *kept], key=application_of)]


def rule(header):
    """The line below a table's header. Columns of numbers, which have a driver's name, are aligned to the right."""
    return "|" + "".join("---:|" if cell.strip() in (SUBJECT, *NAMES.values()) and header != FAILED else "---|"
                         for cell in header.strip("|").split("|"))


def ratios_of(rows, page):
    """{driver: {application: ratio or None}}. Ratios of lines that the page keeps are read from their brackets."""
    found = {driver: {name: ratio(drivers, driver) for name, drivers in rows.items()} for driver in NAMES}
    for name, (line,) in page.get(RESULTS, {}).items():
        for driver, text in zip(NAMES, line.split(" | ")[3:]):
            number = re.search(r"\((?:≥ )?([\d.]+)×\)", text)
            found[driver].setdefault(name, float(number[1]) if number else None)
    return {driver: dict(sorted(of.items())) for driver, of in found.items()}


def table(rows):
    for name, drivers in rows.items():
        version = re.sub(r"^\d+:|[-+].*", "", drivers[SUBJECT]["version"])
        cells = [cell(drivers, driver) for driver in (SUBJECT, *NAMES)]
        yield f"| {name} | {version} | " + " | ".join(cells) + f" | {drivers[SUBJECT]['purpose']} |"


def warm_table(rows):
    """The second runs, whose kernels the first ones compiled, where there are any."""
    for name, drivers in rows.items():
        if any(row["warm_seconds"] for row in drivers.values()):
            seconds = [drivers.get(driver, {}).get("warm_seconds") for driver in (SUBJECT, *NAMES)]
            yield f"| {name} | " + " | ".join("" if value is None else f"{value:.1f}" for value in seconds) + " |"


def mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def summary(ratios):
    """A sentence for each other driver: the geometric mean, and the rows in which it is faster."""
    for driver, label in NAMES.items():
        found = {name: times for name, times in ratios[driver].items() if times}
        if found:
            faster = [f"{name} ({times:.2f}×)" for name, times in found.items() if times < 1]
            yield (f"- {label} takes {mean(found.values()):.1f} times the CPU seconds of hostcl, in the geometric mean of "
                   f"{len(found)} rows. {label} is faster in {', '.join(faster) if faster else 'none'}.")


def faults():
    """(application, driver, pattern, cause) of each line."""
    lines = [line for line in FAULTS.read_text().splitlines() if line and not line.startswith("#")]
    return [tuple(part.strip() for part in line.split(" | ")) for line in lines]


def cause_of(known, application, driver, failure):
    return next((cause for name, of, pattern, cause in known
                 if name in (application, "*") and of in (driver, "*") and re.search(pattern, failure)), "not explained yet")


def failures(rows):
    """A line for each application, driver and cause: the tests that failed, and the cause."""
    known = faults()
    for name, drivers in rows.items():
        for driver, row in drivers.items():
            causes = {}
            for failure in dict.fromkeys(row["failures"]):
                causes.setdefault(cause_of(known, name, driver, failure), []).append(failure.split(": ")[0][:60])
            for cause, tests in causes.items():
                more = f" and {len(tests) - 3} more" if len(tests) > 3 else ""
                shown = ", ".join(f"`{test}`" for test in tests[:3])
                yield f"| {name} | {NAMES.get(driver, driver)} | {shown}{more} | {cause} |"


def main(*files):
    if not files:
        sys.exit(__doc__)
    rows = read_rows(files)
    head, rest = PAGE.read_text().split(BEGIN)
    old, tail = rest.split(END)
    page = lines_of_page(old)
    ratios = ratios_of(rows, page)
    text = "\n".join([*merged(RESULTS, table(rows), rows, page), "", *summary(ratios), "", WARM_SENTENCE, "",
                      *merged(WARM, warm_table(rows), rows, page), "", *merged(FAILED, failures(rows), rows, page)])
    PAGE.write_text(head + BEGIN + "\n" + text + "\n" + END + tail)
    chart = [(name, {label: ratios[driver][name] for driver, label in NAMES.items()}) for name in ratios[next(iter(NAMES))]]
    CHART.write_text(ratio_chart([row for row in chart if any(row[1].values())], SUBJECT))


if __name__ == "__main__":
    main(*sys.argv[1:])
