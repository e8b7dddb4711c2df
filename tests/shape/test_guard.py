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

METADATA = {"compiler/ir/metadata.hpp": 'constexpr Name width = "hostcl.width";\n', "docs/kernel-metadata.md": "`hostcl.width`\n"}

PASSES = {"compiler/passes/passes.def": '// FUNCTION_PASS(name, f)\nFUNCTION_PASS("unroll", f)\nFUNCTION_PASS("print<shapes>", g)\n',
          "tests/passes/print.ll": "; RUN: hostclc --passes='function(print<shapes>)' %s\n"}

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
     {"compiler/ir/spaces.hpp": "constexpr unsigned local_space = 3;\n"}),
    ("metadata", {"compiler/a.cpp": 'f("hostcl.width");\n'}, "literals in compiler/a.cpp: 1",
     {"compiler/a.cpp": 'f("hostcl.h"); // "hostcl.width"\n', "compiler/tests/a.cpp": 'f("hostcl.width");\n'} | METADATA),
    ("metadata", {"compiler/ir/metadata.hpp": METADATA["compiler/ir/metadata.hpp"]},
     "hostcl.width in compiler/ir/metadata.hpp only: 1", METADATA),
    ("metadata", {"docs/kernel-metadata.md": '`!{!"hostcl.items"}`\n'}, "hostcl.items in docs/kernel-metadata.md only: 1", {}),
    ("pass_tests", PASSES | {"tests/passes/a.ll": "; RUN: hostclc --passes='function(unroll-loops,no-unroll)' %s\n"}, "unroll: 1",
     PASSES | {"tests/passes/a.ll": "; RUN: hostclc --passes='function(a,unroll<4>)' %s\n"}),
    ("pass_tests", PASSES | {"tests/passes/a.ll": "; RUN: HOSTCL_WIDTH=4 hostclc --passes=unroll %s\n"}, "unroll: 1", {}),
    ("pass_tests", PASSES | {"tests/passes/print.ll": "; RUN: hostclc --passes='unroll,shapes' %s\n"}, "print<shapes>: 1", {}),
    ("passes_state", {"compiler/passes/a.cpp": "std::atomic<bool> is_fast = true;\n"}, "compiler/passes/a.cpp: 1",
     {"compiler/passes/a.cpp": "constexpr bool is_fast = true;\n", "compiler/code/a.cpp": "std::atomic<bool> is_fast = true;\n"}),
    ("passes_state", {"compiler/settings/a.cpp": "void f() {\n  static bool is_fast = true;\n}\n"}, "compiler/settings/a.cpp: 1",
     {"compiler/settings/a.hpp": "struct A {\n  static bool is_fast();\n  static constexpr bool is_slow = true;\n};\n"}),
    ("passes_state", {"compiler/passes/a.hpp": '#include "compiler/settings/settings.hpp"\n'}, "compiler/passes/a.hpp: 1",
     {"compiler/passes/a.hpp": '#include "compiler/settings/switches.hpp"\n'}),
    ("links", {"docs/a.md": "[b](b.md)\n"}, "docs/a.md -> b.md: 1", {"docs/a.md": "[b](b.md) [c](https://c)\n", "docs/b.md": ""}),
    ("links", {"docs/a.md": "[b](b.md#two-words)\n", "docs/b.md": "# Two\n"}, "docs/a.md -> b.md#two-words (no such heading): 1",
     {"docs/b.md": "## `Two` words\n"}),
    ("links", {"a.md": '<img src="docs/picture.svg">\n'}, "a.md -> docs/picture.svg: 1", {"docs/picture.svg": ""}),
    ("paths", {"docs/a.md": "See `room/file.cpp`.\n"}, "docs/a.md: room/file.cpp: 1",
     {"docs/a.md": "See `room/file.cpp`, `room/NAME.cpp`, `room/fi*.cpp`, `a.cpp`.\n<!-- file: a.cpp -->\n", "runtime/room/file.cpp": ""}),
    ("settings", {"docs/a.md": "`HOSTCL_WITDH=1`\n"} | OPTION, "docs/a.md: HOSTCL_WITDH: 1", {"docs/a.md": "`HOSTCL_WIDTH=1`\n"} | OPTION),
    ("settings", {"icd/a.cpp": 'say("see HOSTCL_LOGS");\n'} | OPTION, "icd/a.cpp: HOSTCL_LOGS: 1", {"icd/a.cpp": "int HOSTCL_LOGS;\n"}),
    ("comments", {"icd/a.cpp": "// See room/b.hpp.\n"}, "icd/a.cpp: room/b.hpp: 1",
     {"icd/a.cpp": "// See room/b.hpp, room/*.hpp, FILE.cl, b_NAME.cpp, a.cl, program.cl, LLVM's C.def.\n", "icd/room/b.hpp": ""}),
    ("synonyms", {"runtime/a.cpp": "int g(Spending&);\n"}, "runtime/a.cpp: Spending (resource budget): 1",
     {"runtime/a.cpp": 'say("spending"); // Spending\n', "tests/a.cpp": "int spending;\n"}),
    ("synonyms", {"compiler/passes/a.cpp": "struct LocalTree {};\n"}, "compiler/passes/a.cpp: LocalTree (tree reduction): 1",
     {"compiler/passes/a.cpp": "struct DominatorTree {};\n"}),
    ("synonyms", {"compiler/a.cpp": "// Runs universal code.\n"}, "compiler/a.cpp: universal code (tier 0, tier 1): 1",
     {"compiler/a.cpp": "// A universal limit.\n"}),
    ("synonyms", {"docs/a.md": "The total divisions.\n"}, "docs/a.md: total divisions (guarded division): 1", {"docs/a.md": "The `total divisions`.\n"}),
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
