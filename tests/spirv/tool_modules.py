#!/usr/bin/env python3
"""tool_modules.py TWINS ROOT [--every N]: makes SPIR-V of every source of the tree with each tool that is installed,
and compares what its kernels do with what those of the source do (twins.cpp). With --every N, of each Nth source, with
one tool after the other. What a tool itself refuses is counted, and no failure."""

import collections
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

FOLDERS = ("bench/kernels", "bench/survey", "examples", "tests/differential/cases", "tests/passes",
           "tests/fuzz/corpus/source")
COMMON = ["-x", "cl", "-cl-std=CL3.0", "-w", "-Xclang", "-cl-ext=+all", "-Xclang", "-finclude-default-header"]
BACK_END = ["-mllvm", "--spirv-ext=+SPV_EXT_relaxed_printf_string_address_space,+SPV_EXT_shader_atomic_float_add,"
            "+SPV_EXT_shader_atomic_float_min_max,+SPV_INTEL_subgroups,+SPV_KHR_bit_instructions,"
            "+SPV_KHR_integer_dot_product,+SPV_KHR_no_integer_wrap_decoration,+SPV_KHR_subgroup_rotate,"
            "+SPV_KHR_uniform_group_instructions"]


def translate(source, module, level):
    """clang-15 and llvm-spirv-15, as Debian 12 has them."""
    bitcode = module.with_suffix(".bc")
    subprocess.run(["clang-15", "--target=spir64", *COMMON, level, "-emit-llvm", "-c", source, "-o", bitcode],
                   check=True, capture_output=True, timeout=60)
    subprocess.run(["llvm-spirv-15", "--spirv-ext=+all", "--spirv-max-version=1.4", bitcode, "-o", module], check=True,
                   capture_output=True, timeout=60)


def compile_directly(source, module, level):
    """The back end for SPIR-V of LLVM 22."""
    subprocess.run(["clang-22", "--target=spirv64", *COMMON, level, *BACK_END, "-c", source, "-o", module],
                   check=True, capture_output=True, timeout=60)


TOOLS = [(make, level, name + level) for name, make, needed in (
             ("llvm-spirv-15", translate, ("clang-15", "llvm-spirv-15")), ("clang-22", compile_directly, ("clang-22",)))
         if all(map(shutil.which, needed)) for level in ("-O0", "-O2")]


def modules_of(source, folder, tools, counts):
    """The modules that the tools make of a source, by path."""
    made = {}
    for make, level, name in tools:
        module = folder / (name + ".spv")
        try:
            make(source, module, level)
            made[str(module)] = name
        except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
            counts[name, "refused by the tool"] += 1
    return made


def results(twins, arguments, settings=None):
    """The kernels and results of the lines that twins prints. Kernels may print as well, and a line may be cut off. What
    races, or reads local memory that nothing was written to, is the same for one thread and cleared memory."""
    environment = os.environ | {"HOSTCL_THREADS": "1", "HOSTCL_CLEAR": "1"} | (settings or {})
    try:
        output = subprocess.run([twins, *arguments], capture_output=True, timeout=120, env=environment).stdout
    except subprocess.TimeoutExpired as expired:
        output = expired.stdout or b""
    lines = output.decode(errors="replace").splitlines()
    return [line.split(" ", 3)[2:] for line in lines if line.startswith("twins: ") and line.count(" ") >= 3]


def undefined_kernels(twins, source, folder):
    """The kernels that break a rule with inputs that their authors have not thought of, as checked kernels report it."""
    report = folder / "report.json"
    results(twins, [source], {"HOSTCL_CHECK": "all", "HOSTCL_CHECK_REPORT": str(report)})
    findings = [json.loads(line) for line in report.read_text().splitlines()] if report.exists() else []
    return {finding["kernel"] for finding in findings if "kernel" in finding}


def check(twins, source, tools, counts):
    """Lines about what is wrong with the modules of a source."""
    with tempfile.TemporaryDirectory() as name_of_folder:
        folder, undefined = pathlib.Path(name_of_folder), None
        # One at a time, so that a kernel which crashes on such arguments takes no other along.
        for module, name in modules_of(source, folder, tools, counts).items():
            lines = results(twins, [source, module])
            if not lines:
                counts[name, "not run to the end"] += 1
            for kernel, result in lines:
                kind = result.split(":")[0]
                if kind == "differs":
                    undefined = undefined_kernels(twins, source, folder) if undefined is None else undefined
                    kind = "undefined" if kernel in undefined else kind
                counts[name, kind] += 1
                if kind in ("differs", "refused"):
                    yield f"{source}, {name}, kernel {kernel}: {result}"


def main(twins, root, every=1):
    if not TOOLS:
        print("neither llvm-spirv-15 with clang-15 nor clang-22 is installed")
        return 77
    sources = sorted(p for folder in FOLDERS for p in (pathlib.Path(root) / folder).rglob("*.cl"))
    counts, wrong = collections.Counter(), []
    for i, source in enumerate(sources[::every]):
        wrong += check(twins, source, TOOLS if every == 1 else [TOOLS[i % len(TOOLS)]], counts)
    for (tool, kind), count in sorted(counts.items()):
        print(f"{tool}: {count} {kind}")
    print("\n".join(wrong))
    compared = sum(count for (_, kind), count in counts.items() if kind == "same")
    if compared < len(sources) // every // 2:
        wrong.append(f"only {compared} kernels were compared")
        print(wrong[-1])
    return 1 if wrong else 0


if __name__ == "__main__":
    words = sys.argv[1:]
    step = int(words[words.index("--every") + 1]) if "--every" in words else 1
    sys.exit(main(words[0], words[1], step))
