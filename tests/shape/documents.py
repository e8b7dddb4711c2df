"""Links, names of files and names of settings in documents: each leads somewhere."""

import posixpath
import re

from text import comments_of, read, texts_of

LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)|(?:src|srcset|href)=\"([^\"]+)\"")
HEADING = re.compile(r"^#{1,6} +(.+?) *#*$", re.MULTILINE)
FENCE = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)
SPAN = re.compile(r"`([^`\n]+)`")
FILE_NAME = re.compile(r"[\w./*-]+\.(?:cpp|hpp|h|inc|def|td|md|py|txt|cmake|cl|clcpp|ll|spvasm)|"
                       r"(?:\.ci|script|bench|docs|tests|conformance|examples)/[\w./*-]+")
NOT_OF_THE_TREE = re.compile(r"build[\w-]*/.*|program\.cl")  # built, and what sources are called in messages
MADE = re.compile(r"<!-- file: (\S+) -->")
SETTING = re.compile(r"(?<!-D)HOSTCL_[A-Z_]*[A-Z]")  # -D: of a build
OPTIONS = "runtime/support/options.inc"


def pages(tree, files):
    return {str(path): read(tree, path) for path in files if path.suffix == ".md"}


def anchors(page):
    """Anchors of a page's headings, as GitHub makes them: the second of a name gets -1."""
    seen = {}
    for heading in HEADING.findall(FENCE.sub("", page)):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").lower()
        anchor = re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")
        number = seen.get(anchor, 0)
        seen[anchor] = number + 1
        yield f"{anchor}-{number}" if number else anchor


def links(tree, files):
    """Links to files, folders and headings that are not in the tree."""
    names = {str(path) for path in files}
    folders = {str(parent) for path in files for parent in path.parents}
    texts, found = pages(tree, files), {}
    for name, page in texts.items():
        for match in LINK.finditer(FENCE.sub("", page)):
            target = match[1] or match[2]
            if re.match(r"[a-z]+:", target):
                continue
            file, _, anchor = target.partition("#")
            where = posixpath.normpath(posixpath.join(posixpath.dirname(name), file)) if file else name
            if where not in names and where not in folders:
                found[f"{name} -> {target}"] = 1
            elif anchor and anchor not in anchors(texts.get(where, "")):
                found[f"{name} -> {target} (no such heading)"] = 1
    return found


def paths(tree, files):
    """Names of files in code spans that no file of the tree ends with, and that no block of the page makes
    (tests/documents/check_commands). Words in capitals stand for any name."""
    names = ["/" + str(path) for path in files]
    found = {}
    for name, page in pages(tree, files).items():
        made = set(MADE.findall(page))
        for span in SPAN.findall(FENCE.sub("", page)):
            in_tree = FILE_NAME.fullmatch(span) and not NOT_OF_THE_TREE.fullmatch(span)
            if not in_tree or span in made or re.search(r"\b[A-Z]{2,}\b", span.split(".")[0]):
                continue
            pattern = re.compile("/" + re.escape(span.rstrip("/")).replace(r"\*", "[^/]*") + "(?:$|/)")
            if not any(pattern.search(path) for path in names):
                found[f"{name}: {span}"] = 1
    return found


# Not `FILE.ll` or `machine_code_NAME.cpp`, which stand for several, `a.cl`, `%t.cl`, `program.cl` or a file of LLVM.
FILE_IN_COMMENT = re.compile(r"(?<![\w./<%-])(?<!LLVM's )(?![\w./*-]*[A-Z]{2})(?!\w\.)(?!program\.cl\b)"
                             r"([\w./*-]*\w\.(?:cpp|hpp|inc|def|td|md|py|cmake|clcpp|cl|ll|spvasm))\b(?![\w(])")


def comments(tree, files):
    """Names of files in comments of code that no file of the tree ends with."""
    names = ["/" + str(path) for path in files]
    found = {}
    for path in files:
        if path.suffix not in {".cpp", ".hpp", ".h", ".inc", ".clcpp", ".def", ".cl"}:
            continue
        for name in {name for line in comments_of(read(tree, path)) for name in FILE_IN_COMMENT.findall(line)}:
            pattern = re.compile("/" + re.escape(name).replace(r"\*", "[^/]*") + "$")
            if not any(pattern.search(known) for known in names):
                found[f"{path}: {name}"] = 1
    return found


def settings(tree, files):
    """Names HOSTCL_* in documents and in texts of the product that options.inc has not, but for those of the tests."""
    if not (tree / OPTIONS).exists():
        return {}
    known = set(SETTING.findall((tree / OPTIONS).read_text()))
    found = {}
    for path in files:
        if path.suffix == ".md":
            lines = [read(tree, path)]
        elif path.parts[0] in {"runtime", "icd", "compiler"} and path.suffix in {".cpp", ".hpp", ".td"} and "tests" not in path.parts:
            lines = texts_of(read(tree, path))
        else:
            continue
        for name in {name for line in lines for name in SETTING.findall(line)} - known:
            if not name.startswith("HOSTCL_TEST"):  # the tests' own
                found[f"{path}: {name}"] = 1
    return found
