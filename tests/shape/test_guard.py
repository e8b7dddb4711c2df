#!/usr/bin/env python3
"""Each check of guard.py fails on a planted offence that it names, passes without it, and asks for smaller debts."""

import contextlib
import io
import pathlib
import tempfile
import unittest

import guard

HEURISTIC = 'HEURISTIC(fast, "passes/fast.cpp", "is fast")\n'
RING = {f"runtime/{a}.hpp": f'#include "runtime/{b}.hpp"\n' for a, b in zip("abcde", "bcdea")}

MARK = {"compiler/passes/marks.hpp": 'constexpr Name width = "hostcl.width";\n', "docs/kernel-marks.md": "`hostcl.width`\n"}

OPTION = {"runtime/support/options.inc": 'OPTION(VectorWidth, width, VectorWidth{}, "HOSTCL_WIDTH", "")\n'}

# Check, files that offend, what is named, and files that do not offend.
PICTURE = '<!-- picture: layers -->\n  a["runtime/high · above"] --> b["runtime/{}"]\n```\n'
PLANTED = [
    ("pictures", {"docs/architecture.md": PICTURE.format("high")}, "runtime/low in the picture or the list only: 1",
     {"docs/architecture.md": PICTURE.format("low")}),
    ("circles", RING, "runtime/a: 5", RING | {"runtime/e.hpp": ""}),
    ("layers", {"runtime/low/a.cpp": '#include "runtime/high/b.hpp"\n', "runtime/high/b.hpp": ""},
     "runtime/low -> runtime/high: 1", {"runtime/high/a.cpp": '#include "runtime/low/b.hpp"\n', "runtime/low/b.hpp": ""}),
    ("layers", {"other/a.cpp": '#include "runtime/low/b.hpp"\n', "runtime/low/b.hpp": ""}, "other/a.cpp (in no layer): 1", {}),
    ("sizes", {"icd/long.cpp": "\n" * 501, "icd/long.hpp": "\n" * 100}, "icd/long: 601", {"icd/long.hpp": "\n" * 99}),
    ("sizes", {"bench/long.py": "\n" * 601}, "bench/long.py: 601", {"bench/long.py": "\n" * 600}),
    ("sizes", {"icd/a.hpp": "class A {\n" + "".join(f"  void f{i}();\n" for i in range(41)) + "};\n"}, "icd/a.hpp class A: 41",
     {"icd/a.hpp": "class A {\n" + "".join(f"  void f{i}();\n" for i in range(40)) + "};\n"}),
    ("sizes", {"tests/a.cpp": "void f() {\n" + "  g();\n" * 60 + "}\n"}, "tests/a.cpp f: 62",
     {"tests/a.cpp": "void f() {\n" + "  g();\n" * 58 + "}\n"}),
    ("headers", {"icd/a.cpp": "// The rest of a.\n", "icd/b.hpp": ""}, "icd/a.cpp: 1",
     {"icd/a.cpp": "// The rest of\n// icd/b.hpp.\n", "icd/b.hpp": ""}),
    ("headers", {"icd/a_x86_64.cpp": "// The rest of c.hpp.\n"}, "icd/a_x86_64.cpp: 1", {"icd/a.hpp": ""}),
    ("folders", {f"icd/{i}.cpp": "" for i in range(25)}, "icd: 25", {f"icd/{i}.cpp": "" for i in range(24)}),
    ("heuristics", {"compiler/settings/heuristics.inc": HEURISTIC, "compiler/passes/fast.cpp": "// Is fast on Zen 4.\n"}, "fast: 1",
     {"compiler/settings/heuristics.inc": HEURISTIC, "compiler/passes/fast.hpp": "// A copy gains 1.3 on Zen 4.\n"}),
    ("spaces", {"compiler/passes/a.cpp": "constexpr unsigned local_space = 3;\n"}, "compiler/passes/a.cpp: 1",
     {"compiler/passes/spaces.hpp": "constexpr unsigned local_space = 3;\n"}),
    ("marks", {"compiler/a.cpp": 'f("hostcl.width");\n'}, "literals in compiler/a.cpp: 1",
     {"compiler/a.cpp": 'f("hostcl.h"); // "hostcl.width"\n', "compiler/tests/a.cpp": 'f("hostcl.width");\n'} | MARK),
    ("marks", {"compiler/passes/marks.hpp": MARK["compiler/passes/marks.hpp"]},
     "hostcl.width in compiler/passes/marks.hpp only: 1", MARK),
    ("marks", {"docs/kernel-marks.md": '`!{!"hostcl.items"}`\n'}, "hostcl.items in docs/kernel-marks.md only: 1", {}),
    ("links", {"docs/a.md": "[b](b.md)\n"}, "docs/a.md -> b.md: 1", {"docs/a.md": "[b](b.md) [c](https://c)\n", "docs/b.md": ""}),
    ("links", {"docs/a.md": "[b](b.md#two-words)\n", "docs/b.md": "# Two\n"}, "docs/a.md -> b.md#two-words (no such heading): 1",
     {"docs/b.md": "## `Two` words\n"}),
    ("links", {"a.md": '<img src="docs/picture.svg">\n'}, "a.md -> docs/picture.svg: 1", {"docs/picture.svg": ""}),
    ("paths", {"docs/a.md": "See `room/file.cpp`.\n"}, "docs/a.md: room/file.cpp: 1",
     {"docs/a.md": "See `room/file.cpp`, `room/NAME.cpp`, `room/fi*.cpp`, `a.cpp`.\n<!-- file: a.cpp -->\n", "runtime/room/file.cpp": ""}),
    ("settings", {"docs/a.md": "`HOSTCL_WITDH=1`\n"} | OPTION, "docs/a.md: HOSTCL_WITDH: 1", {"docs/a.md": "`HOSTCL_WIDTH=1`\n"} | OPTION),
    ("settings", {"icd/a.cpp": 'say("see HOSTCL_LOGS");\n'} | OPTION, "icd/a.cpp: HOSTCL_LOGS: 1", {"icd/a.cpp": "int HOSTCL_LOGS;\n"}),
    ("words", {"icd/a.cpp": "// Of the last call.\n"}, "icd comments: a comment that begins with Of: 1",
     {"icd/a.cpp": "// The status is that\n// Of the last call.\n"}),
    ("words", {"icd/a.cpp": "// It comes behind the first.\n"}, "icd comments: behind: 1", {"icd/a.cpp": "int behind;\n"}),
    ("words", {"icd/a.cpp": "int i; // which nobody reads\n"}, "icd comments: nobody: 1", {}),
    ("words", {"icd/a.cpp": 'fail("the operand is no image");\n'}, "icd texts: is no: 1",
     {"icd/a.cpp": 'fail("the operand is not an image, and is no longer one");\n'}),
    ("words", {"icd/a.cpp": 'fail("size is ", size, ", no multiple of 4");\n'}, "icd texts: is no: 1",
     {"icd/a.cpp": 'fail("size is ", size, "; it must be a multiple of 4, and there is no default");\n'}),
    ("words", {"icd/a.cpp": "// What is no file is refused.\n"}, "icd comments: is no: 1",
     {"icd/a.cpp": "// There is no file, and it is no longer one.\n"}),
    ("words", {"docs/a.md": "It lies behind the first.\n"}, "docs documents: behind: 1", {"docs/a.md": "It is `behind`.\n"}),
    ("words", {"README.md": "The behavior is right.\n"}, "README.md documents: American spelling: 1",
     {"README.md": "The behaviour is right: `-cl-unsafe-math-optimizations`.\n"}),
    ("words", {"script/a": "#!/bin/sh\n# Somebody reads it.\n"}, "script scripts: nobody: 1", {"script/a": "#!/bin/sh\n"}),
    ("words", {"script/a": '#!/bin/sh\necho "findings at $n places"\n'}, "script scripts: findings at places: 1", {}),
    ("words", {"icd/a.cpp": 'say("%zu findings at %zu places");\n'}, "icd texts: findings at places: 1", {}),
]


def plant(tree, files, debts=""):
    for name, content in files.items():
        path = tree / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    shape = tree / "tests" / "shape"
    shape.mkdir(parents=True, exist_ok=True)
    (shape / "layers.txt").write_text("# from high to low\nruntime/high\nruntime/low\nruntime\n")
    (shape / "debts.txt").write_text(debts)


def run(check, files, debts=""):
    """Status and output of the check in a tree of these files."""
    with tempfile.TemporaryDirectory() as folder:
        plant(pathlib.Path(folder), files, debts)
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            status = guard.main([check, "--tree", folder])
        return status, output.getvalue()


class Guard(unittest.TestCase):
    def test_planted_offences_are_named(self):
        for check, offending, named, harmless in PLANTED:
            with self.subTest(named):
                status, output = run(check, offending)
                self.assertEqual(status, 1, output)
                self.assertIn(named, output)
                status, output = run(check, harmless)
                self.assertEqual(status, 0, output)

    def test_debts_may_not_grow(self):
        for check, offending, named, _ in PLANTED:
            with self.subTest(named):
                key, number = named.rsplit(": ", 1)
                self.assertEqual(run(check, offending, f"{check} {key} {number}\n")[0], 0)
                status, output = run(check, offending, f"{check} {key} {int(number) - 1}\n")
                self.assertEqual(status, 1, output)

    def test_debts_that_have_shrunk_are_to_be_lowered(self):
        status, output = run("sizes", {"icd/long.cpp": "\n" * 601}, "sizes icd/long 602\n")
        self.assertEqual(status, 1)
        self.assertIn("says too much with 602", output)
        status, output = run("sizes", {}, "sizes icd/gone 602\n")
        self.assertEqual(status, 1)


if __name__ == "__main__":
    unittest.main()
