#!/usr/bin/env python3
"""guard.py CHECK [--tree FOLDER]: holds the shape of the source tree.

Checks: pictures, circles, layers, sizes, headers, folders, heuristics, spaces, metadata, pass_tests, passes_state, links, paths,
comments, settings, synonyms. Each lists its offences as `key number`. An offence that stands in debts.txt with at least
its number was there before the check was, and may only shrink: a debt that is larger than its offence is to be lowered,
one without an offence to be deleted.
Exit status 1 if there is anything to do.

  guard.py all --debts   prints what debts.txt has to hold
"""

import argparse
import pathlib
import subprocess
import sys

import documents
import includes
import synonyms
import text

CHECKS = {
    "pictures": (includes.pictures, "folders in the picture of docs/architecture.md: those of runtime/ in layers.txt, in order"),
    "circles": (includes.circles, "units (a source with its header) that include each other in a circle: at most 4"),
    "layers": (includes.arrows_up, "includes from a lower layer of layers.txt to a higher one: none"),
    "sizes": (text.sizes, "lines of a unit (a source with its header): at most 600; of a function: at most 60; methods of a class: at most 40"),
    "headers": (text.headers, "a source has a header of its name, or its first comment names the header that it implements"),
    "folders": (text.folders, "files of one folder: at most 24"),
    "heuristics": (text.heuristics, "a heuristic's header names the kernel, the CPU and the gain (1.7 ×, 20 %, 3 ms → 2)"),
    "spaces": (text.spaces, "numbers of address spaces outside of one header"),
    "metadata": (text.metadata, "names hostcl.* are in metadata.hpp and in docs/kernel-metadata.md, and nowhere else"),
    "pass_tests": (text.pass_tests, "each pass of passes.def is run by name in tests/passes: hostclc --passes=, without environment variables"),
    "passes_state": (text.passes_state, "passes depend on their parameters: no variable of the process, no settings as a whole"),
    "links": (documents.links, "links of documents to files and headings that exist"),
    "paths": (documents.paths, "names of files in documents that exist"),
    "comments": (documents.comments, "names of files in comments that exist"),
    "settings": (documents.settings, "names HOSTCL_* in documents and texts that options.inc has"),
    "synonyms": (synonyms.synonyms, "private synonyms of the field's terms, in names, comments and documents: none"),
}


def tracked(tree):
    """Source files of the tree, as paths relative to it: those that git tracks, or all where there is no repository."""
    if (tree / ".git").exists():
        names = subprocess.run(["git", "-C", tree, "ls-files"], capture_output=True, text=True, check=True).stdout
        paths = map(pathlib.PurePath, names.splitlines())
    else:
        paths = (path.relative_to(tree) for path in sorted(tree.rglob("*")))
    return [path for path in paths if (tree / path).is_file()]


def debts(path, check):
    """The check's debts: a number for each key."""
    rows = (line.split() for line in path.read_text().splitlines() if line and not line.startswith("#"))
    return {" ".join(key): int(number) for name, *key, number in rows if name == check}


def judge(offences, owed):
    """Sentences about offences that are no debts, and about debts that have shrunk."""
    for key, number in sorted(offences.items()):
        if number > owed.get(key, 0):
            yield f"{key}: {number}" + (f", {owed[key]} before" if key in owed else "")
    for key, number in sorted(owed.items()):
        if offences.get(key, 0) < number:
            yield f"{key}: {offences.get(key, 0)}, so debts.txt says too much with {number}"


def main(words):
    """The exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("check", choices=[*CHECKS, "all"])
    parser.add_argument("--tree", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parents[2])
    parser.add_argument("--debts", action="store_true")
    arguments = parser.parse_args(words)
    shape = arguments.tree / "tests" / "shape"
    files = tracked(arguments.tree)
    fails = False
    for check in CHECKS if arguments.check == "all" else [arguments.check]:
        measure, rule = CHECKS[check]
        offences = measure(arguments.tree, files)
        if arguments.debts:
            print(*(f"{check} {key} {number}" for key, number in sorted(offences.items())), sep="\n")
            continue
        sentences = list(judge(offences, debts(shape / "debts.txt", check)))
        print(f"{check}: {rule}", *sentences, sep="\n  ")
        fails |= bool(sentences)
    return int(fails)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
