#!/usr/bin/env python3
"""Checks that every built-in function that clang declares is defined by the library.

Takes the declarations of clang's opencl-c.h in several language versions, writes a function that calls each of them,
compiles these with -fdeclare-opencl-builtins and hostcl's headers as programs are, and compares the undefined symbols
with what the bitcode units define. A call that does not compile is a fault, unless no specification has the function.
Declarations that an earlier version has had are left out, unless they have pointers, which mean other address spaces
in other versions.

usage: completeness.py CLANG LLVM_NM OPENCL_C_H HEADERS_FOLDER UNITS_FOLDER [--list FILE]
"""

import pathlib
import re
import subprocess
import sys
import tempfile

VERSIONS = ["CL1.2", "CL2.0", "CL3.0", "CLC++2021"]

# Not functions of this library: images of several samples, vendors' media functions.
EXCLUDED = re.compile(
    r"msaa|avc_|intel_sub_group_avc|"
    r"__khr_|amd_|arm_|splitmatrix|intel_media_block"
)

# Declarations of opencl-c.h that the specifications do not have, as `name(types)`, and parameters that are arrays
# without names, which callers() cannot declare.
UNSPECIFIED = re.compile(
    r"(read|write)_image\w+\(read_write|ndrange_[23]D\(const size_t\[|_ime_ref_window_size|"
    r"block_(read|write)_ul16|block_write_ui\d?\(read_only|atomic_xchg\(volatile float"
)

DECLARATION = re.compile(r"([\w\s]+?[\s*]+)(\w+)\s*\(([^()]*)\)\s*(?:__attribute__.*)?$")


def run(command, **options):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)


def language(version):
    flags = ["-target", "spir64", f"-cl-std={version}", "-cl-no-stdinc", "-Xclang", "-cl-ext=+all"]
    return ["-x", "clcpp" if "++" in version else "cl", *flags]


def preprocess(clang, header, version):
    result = run([clang, *language(version), "-E", "-P", header])
    return re.sub(r"__attribute__\(\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)\)", " ", result.stdout)


def declarations(text):
    """(return type, name, [parameter types]) of each function declaration that is ours to define."""
    for statement in re.sub(r"\{[^{}]*\}", " ", text).replace("\n", " ").split(";"):
        if "typedef" in statement or "..." in statement or "template" in statement or EXCLUDED.search(statement):
            continue
        match = DECLARATION.match(statement.strip())
        if not match:
            continue
        result, name, parameters = match.groups()
        types = [] if parameters.strip() in ("", "void") else [split_name(p) for p in parameters.split(",")]
        yield " ".join(result.replace("extern", "").split()), name, types


TYPE_WORDS = {"const", "volatile", "restrict", "unsigned", "signed", "global", "local", "private", "constant",
              "generic", "read_only", "write_only", "read_write",
              "__global", "__local", "__private", "__constant", "__generic"}


def split_name(parameter):
    """The type of a parameter, without its name and without array brackets."""
    parameter = " ".join(parameter.split())
    match = re.match(r"(.*[\s*])(\w+)$", parameter)
    if match and match.group(2) not in TYPE_WORDS:
        kind = match.group(1).strip()
        if set(re.findall(r"\w+", kind)) - TYPE_WORDS:
            return kind
    return parameter


def callers(functions):
    lines = []
    for number, (result, name, types) in enumerate(functions):
        parameters = ", ".join(f"{kind} p{i}" for i, kind in enumerate(types))
        arguments = ", ".join(f"p{i}" for i in range(len(types)))
        back = "" if result == "void" else "return "
        lines.append(f"{result} call_{number}({parameters}) {{ {back}{name}({arguments}); }}")
    return lines


def compile_callers(clang, version, headers, functions, folder):
    """Returns an object file that calls the functions, and the indices of the functions whose calls clang rejects."""
    source, object_file = folder / "calls.cl", folder / "calls.bc"
    flags = ["-Xclang", "-finclude-default-header", "-Xclang", "-fdeclare-opencl-builtins", "-ferror-limit=0", "-w",
             "-I", headers, "-include", "hostcl.h"]
    for header in sorted(pathlib.Path(headers, "hostcl").glob("*.h")):
        flags += ["-include", header]
    lines, rejected = callers(functions), set()
    for _ in range(5):
        source.write_text("#pragma OPENCL EXTENSION all : enable\n" + "\n".join(lines) + "\n")
        result = run([clang, *language(version), *flags, "-O0", "-emit-llvm", "-c", source, "-o", object_file])
        if result.returncode == 0:
            return object_file, rejected
        bad = {int(n) - 2 for n in re.findall(r"calls\.cl:(\d+):\d+: error", result.stderr)}
        if not bad:
            sys.exit(result.stderr)
        rejected |= bad
        lines = ["" if i in bad else line for i, line in enumerate(lines)]
    sys.exit("the calls do not compile")


def symbols(nm, option, files):
    # Old-style listing with one symbol per line: [address] kind name.
    result = run([nm, option, "--extern-only", *files])
    return {line.split()[-1] for line in result.stdout.splitlines() if len(line.split()) >= 2}


def main():
    clang, nm, header, headers, units = sys.argv[1:6]
    defined = symbols(nm, "--defined-only", sorted(pathlib.Path(units).rglob("*.bc")))
    missing, checked, called = {}, 0, set()
    with tempfile.TemporaryDirectory() as folder:
        for version in VERSIONS:
            declared = set((r, n, tuple(t)) for r, n, t in declarations(preprocess(clang, header, version))
                           if not UNSPECIFIED.search(f"{n}({', '.join(t)})"))
            functions = sorted(declared - called)
            module, rejected = compile_callers(clang, version, headers, functions, pathlib.Path(folder))
            wanted = {s for s in symbols(nm, "--undefined-only", [module]) if s.startswith("_Z")}
            checked += len(wanted)
            called |= {function for function in functions if not any("*" in kind for kind in function[2])}
            for index in rejected:
                result, name, types = functions[index]
                missing.setdefault(f"{result} {name}({', '.join(types)})", version)
            for symbol in wanted - defined:
                missing.setdefault(symbol, version)
    if "--list" in sys.argv:
        pathlib.Path(sys.argv[sys.argv.index("--list") + 1]).write_text("\n".join(sorted(missing)) + "\n")
    for symbol in sorted(missing)[:40]:
        print(f"not declared or not defined: {symbol} ({missing[symbol]})")
    print(f"{checked} declarations checked, {len(missing)} missing")
    sys.exit(1 if missing else 0)


main()
