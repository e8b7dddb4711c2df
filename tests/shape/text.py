"""What stands in files: sizes, headers, numbers that belong to one header."""

import collections
import json
import pathlib
import re
import subprocess

PRODUCT = {"compiler", "doctor", "icd", "runtime"}
UNIT = {".cpp", ".hpp"}
CODE = {".cpp", ".hpp", ".h", ".inc", ".clcpp", ".cl", ".py"}
MOST_LINES, MOST_FUNCTION_LINES, MOST_METHODS, MOST_FILES = 600, 60, 40, 24
SPACES_HEADER = "compiler/ir/spaces.hpp"
METADATA_HEADER, METADATA_PAGE = "compiler/ir/metadata.hpp", "docs/kernel-metadata.md"


def read(tree, path):
    return (tree / path).read_text(errors="replace")


COMMENT = re.compile(r"(?:^|\s)//+[/!]?<?\s?(.*)$")
STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')


def comments_of(text):
    """The text of each line's comment."""
    for line in text.splitlines():
        if match := COMMENT.search(line):
            yield match[1]


def texts_of(text):
    """Literal strings of the code, by line."""
    for line in text.splitlines():
        yield from STRING.findall(line.split("//")[0] if line.lstrip().startswith("//") else line)


def sizes(tree, files):
    """Units (a source with its header, or a file), functions and classes that are too long."""
    code = [path for path in files if path.suffix in CODE]
    units = collections.Counter()
    for path in code:
        units[str(path.with_suffix("")) if path.suffix in UNIT else str(path)] += read(tree, path).count("\n")
    found = {unit: lines for unit, lines in units.items() if lines > MOST_LINES}
    methods = collections.defaultdict(set)
    for tag in tags(tree, code):
        # Names of lambdas and of functions in anonymous namespaces have a part that is new in each run.
        name, path = re.sub(r"__anon\w+", "lambda", tag["name"]), tag["path"]
        lines = tag.get("end", tag["line"]) - tag["line"] + 1
        if tag["kind"] == "function" and lines > MOST_FUNCTION_LINES:
            found[f"{path} {name}"] = lines
        if tag.get("scopeKind") in {"class", "struct"} and path.endswith((".hpp", ".h")):
            methods[f"{path} class {tag['scope'].split('::')[-1]}"].add(name)
    return found | {name: len(all) for name, all in methods.items() if len(all) > MOST_METHODS}


def tags(tree, files):
    """Functions and declarations of functions in C++, as ctags sees them."""
    cpp = [str(path) for path in files if path.suffix in {".cpp", ".hpp", ".h", ".inc", ".clcpp"}]
    command = ["ctags", "--languages=C++", "--langmap=C++:.cpp.hpp.h.inc.clcpp", "--fields=+neKsZ", "--kinds-C++=fp",
               "--output-format=json", "-L", "-", "-f", "-"]
    output = subprocess.run(command, cwd=tree, input="\n".join(cpp), capture_output=True, text=True, check=True).stdout
    return map(json.loads, output.splitlines())


FIRST_COMMENT = re.compile(r"\A(?:\s*//[^\n]*\n)+")
PASS_HEADER = '#include "compiler/passes/passes.hpp"\n\n'  # declares passes
HEADER_NAME = re.compile(r"[\w/.]+\.hpp|<[\w/]+(?:\.h)?>")  # <stdlib.h>: of a library


def headers(tree, files):
    """Sources of the product without a header of their name that do not say in their first comment which one they implement."""
    names = {path.name for path in files}
    found = {}
    for path in files:
        is_source = path.suffix == ".cpp" and path.parts[0] in PRODUCT and not {"tests", "tools"} & set(path.parts)
        stem = re.sub(r"_(x86_64|aarch64)$", "", path.stem)
        if not is_source or path.name == "main.cpp" or path.with_name(stem + ".hpp") in files:
            continue
        text = read(tree, path)
        if PASS_HEADER in text:
            continue
        comment = FIRST_COMMENT.match(text)
        found_names = HEADER_NAME.findall(comment[0] if comment else "")
        if not any(pathlib.PurePath(name).name in names or name.startswith("<") for name in found_names):
            found[str(path)] = 1
    return found


def folders(tree, files):
    """Folders of the product with too many files. Folders of tests hold many small inputs."""
    product = (path for path in files if path.parts[0] in PRODUCT and "tests" not in path.parts)
    found = collections.Counter(str(path.parent) for path in product)
    return {folder: number for folder, number in found.items() if number > MOST_FILES}


GAIN = re.compile(r"\d[\d.,]*\s*(×|times|%|ms|µs|ns|GB/s|GFLOP/s|M/s|s\b)|times as fast|times faster|factor of \d|[Gg]ain[^.]*\d", re.DOTALL)
CPU = re.compile(r"Zen|EPYC|Xeon|Sapphire|Emerald|Ice Lake|Skylake|Haswell|AVX|SSE|x86-64|all CPUs|every CPU")


def heuristics(tree, files):
    """Heuristics without a gain and a CPU in the comments of their file or its header."""
    found = {}
    table = tree / "compiler" / "settings" / "heuristics.inc"
    rows = re.findall(r'^HEURISTIC\((\w+), "([^"]+)"', table.read_text(), re.MULTILINE) if table.exists() else []
    for name, file in rows:
        path = tree / "compiler" / file
        both = (path, path.with_suffix(".hpp"))
        comments = "\n".join(line for file in both if file.exists() for line in file.read_text().splitlines()
                             if line.lstrip().startswith("//"))
        if not (GAIN.search(comments) and CPU.search(comments)):
            found[name] = 1
    return found


SPACE = re.compile(r"\b\w*[sS]pace(?:\(\))? (?:[=!<>]=|[=<>:]) [0-9]\b|AddressSpacesPass\([0-9]\)|addrspace\([1-5]\)\"|"
                   r"PointerType::get\([\w.()]+, [0-9]\)|getPtrTy\([1-9]\)")


def spaces(tree, files):
    """Numbers of address spaces in the compiler's code, by file."""
    found = {}
    for path in files:
        is_code = path.parts[0] == "compiler" and path.suffix in {".cpp", ".hpp"} and "tests" not in path.parts
        if is_code and str(path) != SPACES_HEADER:
            code = "\n".join(line.split("//")[0] for line in read(tree, path).splitlines())
            if number := len(SPACE.findall(code)):
                found[str(path)] = number
    return found


METADATA_CONSTANT = re.compile(r'\bName \w+ =\s*\"(hostcl\.\w+\.?)"')
KERNEL_ATTRIBUTES, KERNEL_ATTRIBUTE = "compiler/ir/kernel_attributes.def", re.compile(r"^KERNEL_\w+\((\w+)", re.MULTILINE)
METADATA_LITERAL = re.compile(r'"hostcl\.(?!h")[^"]*"')
METADATA_IN_PAGE = re.compile(r"`[^`]*?\b(hostcl\.(?!h\b)\w+\.?)[^`]*`")


def metadata(tree, files):
    """Names `hostcl.*` that stand outside of one header, and those that the header or the page does without."""
    found = {}
    for path in files:
        is_code = path.parts[0] == "compiler" and path.suffix in CODE and "tests" not in path.parts
        if is_code and str(path) != METADATA_HEADER:
            code = "\n".join(line.split("//")[0] for line in read(tree, path).splitlines())
            if number := len(METADATA_LITERAL.findall(code)):
                found[f"literals in {path}"] = number
    header, page, attributes = ((tree / file).read_text() if (tree / file).exists() else ""
                                for file in (METADATA_HEADER, METADATA_PAGE, KERNEL_ATTRIBUTES))
    constants, described = set(METADATA_CONSTANT.findall(header)), set(METADATA_IN_PAGE.findall(page))
    constants |= {f"hostcl.{name}" for name in KERNEL_ATTRIBUTE.findall(attributes)}
    found |= {f"{name} in {METADATA_HEADER} only": 1 for name in constants - described}
    found |= {f"{name} in {METADATA_PAGE} only": 1 for name in described - constants}
    return found


PASS_ROW = re.compile(r'^(\w+_PASS(?:_OBJECT)?)\("([^"]+)"', re.MULTILINE)
PASSES_RUN = re.compile(r"RUN:(?!.*HOSTCL_).*--passes=(\S+)")


STATE = re.compile(
    r"^(?:static |inline |constinit |extern )*(?:thread_local|std::(?:atomic|mutex|once_flag))\b(?!.* changes_here;)"
    r"|\bgetenv\(|^ +static (?!const\b|constexpr\b)[\w:<>*& ]+?[ *&]\w+(?: =|;|\{)"
    r"|^#include \"compiler/settings/settings.hpp\"", re.MULTILINE)


def passes_state(tree, files):
    """Variables of the process or of a thread, and settings as a whole, in passes and settings: a pass depends on its
    parameters alone. The census's record of changes, which no pass reads, is allowed."""
    found = {}
    for path in files:
        if path.parts[:2] not in (("compiler", "passes"), ("compiler", "settings")) or path.suffix not in (".cpp", ".hpp"):
            continue
        if count := len(STATE.findall(read(tree, path))):
            found[str(path)] = count
    return found


def pass_tests(tree, files):
    """Passes that no RUN line of tests/passes runs by name."""
    table = tree / "compiler" / "passes" / "passes.def"
    rows = PASS_ROW.findall(table.read_text()) if table.exists() else []
    tests = (path for path in files if path.parts[:2] == ("tests", "passes"))
    lists = "\n".join(passes for path in tests for passes in PASSES_RUN.findall(read(tree, path)))
    names = {name for _, name in rows}
    return {name: 1 for name in names if not re.search(rf"(?<![\w<-]){re.escape(name).removesuffix('>')}(?![\w-])", lists)}
