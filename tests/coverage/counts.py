"""Counts in reports, and the counts that the comments of sources want: each line of a source that ends with a comment
`// N` runs N times."""

import os
import re
import subprocess

# Ways to run kernels: all widths, both tiers, no optimisations, the reverse order, a compile server, and the usual way.
WAYS = [{"HOSTCL_WIDTH": width, "HOSTCL_CODE": code} for width, code in
        (("1", "tier1"), ("2", "tier0"), ("4", "tier1"), ("8", "tier0"), ("16", "tier0"), ("16", "tier1"),
         ("64", "tier1"))]
WAYS += [{"HOSTCL_STOP_AFTER": "0", "HOSTCL_THREADS": "1"}, {"HOSTCL_REVERSE": "1"}, {"HOSTCL_COMPILER": "process"}, {}]


def check(good, message):
    if not good:
        raise SystemExit(f"failed: {message}")


class Runs:
    """Runs a program with coverage, each run in a folder of its own in `folder`."""

    def __init__(self, program, folder):
        self.program, self.folder = program, folder

    def run(self, name, arguments, settings=None, output="out.info", status=0):
        """The folder, and standard error."""
        place = os.path.join(self.folder, name)
        os.makedirs(place, exist_ok=True)
        environment = dict(os.environ, HOSTCL_COVERAGE=output, HOSTCL_TEST_STEPS="strict", **(settings or {}))
        process = subprocess.run([self.program, *arguments], cwd=place, env=environment, capture_output=True, text=True)
        check(process.returncode == status, f"{name} ended with {process.returncode}: {process.stderr}")
        return place, process.stderr


def lines_of(file):
    """The counts of lines in LCOV by the content of the source file."""
    counts, source = {}, None
    with open(file, encoding="utf-8") as stream:
        for line in stream:
            if line.startswith("SF:"):
                with open(line[3:].rstrip("\n"), encoding="utf-8") as text:
                    source = counts.setdefault(text.read(), {})
            elif line.startswith("DA:"):
                number, count = line[3:].split(",")[:2]
                source[int(number)] = source.get(int(number), 0) + int(count)
    return counts


def wanted_of(text):
    """The counts that the comments of a source want."""
    found = {number: re.search(r"// (\d+)$", line) for number, line in enumerate(text.splitlines(), 1)}
    return {number: int(match.group(1)) for number, match in found.items() if match}


def check_counts(name, place, times=1, sources=1, may_lack=None):
    """@param may_lack a pattern of lines that need not have a count"""
    found = lines_of(os.path.join(place, "out.info"))
    check(len(found) == sources, f"{name}: the report has {len(found)} sources, not {sources}")
    for text, counts in found.items():
        wanted = wanted_of(text)
        check(wanted, f"{name}: a source without counts")
        for line, count in wanted.items():
            content = text.splitlines()[line - 1]
            if line not in counts and may_lack and re.match(may_lack, content): continue
            check(counts.get(line) == times * count,
                  f"{name}, line {line}: {counts.get(line)}, not {times * count}: {content}")
