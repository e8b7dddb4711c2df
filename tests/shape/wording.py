"""Words that the style does without: in comments, in texts that users see, in documents and in scripts."""

import collections
import re

from text import read

COMMENT = re.compile(r"(?:^|\s)//+[/!]?<?\s?(.*)$")
STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')
CODE_SPAN = re.compile(r"`[^`]*`|\]\([^)]*\)")

ANYWHERE = {
    "is no": re.compile(r"(?<!here )\b(?:is|are|was|were) no (?!longer\b|more\b|other\b|t\b)[a-z]"),
    "behind": re.compile(r"\bbehind\b"),
    "nobody": re.compile(r"\b(?:[Nn]o|[Aa]ny|[Ss]ome)body\b"),
    "whoever": re.compile(r"\b[Ww]hoever\b"),
    "someone": re.compile(r"\b(?:[Ss]ome|[Aa]ny)one\b"),
    "of which": re.compile(r"\bof which (?:each|the other|there (?:is|are|can|may))\b"),
}
IN_COMMENTS = ANYWHERE | {"a comment that begins with Of": re.compile(r"^Of ")}
IN_TEXTS = ANYWHERE | {
    "is no": re.compile(r"(?<!here )\b(?:is|are) no (?!longer|more|other|t\b)\w|, no (?:multiple|power)\b|, no CL_"),
    "is none": re.compile(r"\b(?:is|are) none\b"),
    "have not": re.compile(r"\bha(?:s|ve) not$"),
    "findings at places": re.compile(r"%\w+ findings at|findings at \"|findings at %"),
}
IN_DOCUMENTS = ANYWHERE | {
    "American spelling": re.compile(
        r"\b(?:behavior|favor|color|center|neighbor|gray|analyz|recogniz|"
        r"(?:optim|initial|vector|serial|util|special|normal|synchron|final|minim|maxim)iz)\w*", re.IGNORECASE),
}
IN_SCRIPTS = ANYWHERE | {"findings at places": re.compile(r"findings at \$\w+ places")}


def comments_of(text):
    """Each comment's first line as (True, line), further lines as (False, line)."""
    in_comment = False
    for line in text.splitlines():
        match = COMMENT.search(line)
        if match:
            yield not in_comment, match[1]
        in_comment = bool(match)


def texts_of(text):
    """Literal strings of the code, by line."""
    for line in text.splitlines():
        yield from STRING.findall(line.split("//")[0] if line.lstrip().startswith("//") else line)


def is_script(path, content):
    return content.startswith("#!") or path.suffix in {".py", ".cmake"} or path.name == "CMakeLists.txt"


def kinds(path, content):
    """Kinds of text in a file: the kind's name, its lines, and the words that it does without."""
    if path.suffix in {".cpp", ".hpp", ".h", ".inc", ".clcpp", ".td"}:
        comments = list(comments_of(content))
        yield "comments", [line for is_first, line in comments if is_first], IN_COMMENTS
        yield "comments", [line for is_first, line in comments if not is_first], ANYWHERE
        if path.parts[0] in {"runtime", "icd", "compiler"} and "tests" not in path.parts:
            yield "texts", texts_of(content), IN_TEXTS
    elif path.suffix == ".md":
        yield "documents", CODE_SPAN.sub("", content).splitlines(), IN_DOCUMENTS
    elif is_script(path, content) and path.parts[:2] != ("tests", "shape"):
        yield "scripts", content.splitlines(), IN_SCRIPTS


def words(tree, files):
    """How often words stand that the style does without, by top folder and kind of text."""
    found = collections.Counter()
    for path in files:
        for kind, lines, unwanted in kinds(path, read(tree, path)):
            for line in lines:
                for word, pattern in unwanted.items():
                    if pattern.search(line):
                        found[f"{path.parts[0]} {kind}: {word}"] += 1
    return found
