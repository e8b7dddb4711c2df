#!/usr/bin/env python3
"""check_files.py: each file of the driver that names a memory order stronger than relaxed has a model in this folder, or a
reason in other_files.txt. Exit status 1, and a sentence for each file, if not."""

import pathlib
import re
import subprocess
import sys

folder = pathlib.Path(__file__).resolve().parent
tree = folder.parent.parent
ORDER = re.compile(r"memory_order(_|::)(acquire|release|acq_rel|seq_cst)|atomic_(thread|signal)_fence")


def main():
    names = subprocess.run(["git", "-C", tree, "ls-files", "*.cpp", "*.hpp"], capture_output=True, text=True, check=True)
    files = [name for name in names.stdout.splitlines()
             if name.startswith(("compiler/", "icd/", "opencl/", "runtime/")) and "/tests/" not in name
             and (tree / name).is_file() and ORDER.search((tree / name).read_text())]
    models = "".join(path.read_text() for path in folder.glob("*.cpp"))
    rows = [line.split(None, 1) for line in (folder / "other_files.txt").read_text().splitlines()]
    reasons = {row[0]: row[1] for row in rows if len(row) == 2 and row[0] != "#"}
    faults = [f"{name} names memory orders: write a model, or add a reason to tests/order/other_files.txt"
              for name in files if f'"{name}"' not in models and name not in reasons]
    faults += [f"tests/order/other_files.txt: {name} names no memory order, or has a model"
               for name in reasons if name not in files or f'"{name}"' in models]
    print(*faults, sep="\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
