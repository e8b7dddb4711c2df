"""Many mutants in one build: text in which each of them is a choice at run time. script/mutants uses this."""

import re

HEADER = """#pragma once
#include <cstdlib>
#pragma clang diagnostic ignored "-Wc++11-narrowing"
inline bool hostcl_is_mutant(int number) {
  static const int chosen = [] {
    const char* text = std::getenv("MUTANT_OF_HOSTCL");
    return text ? std::atoi(text) : 0;
  }();
  return number == chosen;
}
"""
OPEN, CLOSED = "([{", ")]}"
ASSIGNS = re.compile(r"(?<![=!<>])=(?!=)|[-+*/%&|^]=|<<=|>>=")
WORDS = re.compile(r"\s*(?:(?:return|co_return|else|throw)\b\s*)+")


def blank(text):
    """The text with blanks in place of comments and of what strings say, as long as before."""
    pattern = re.compile(r'//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'')
    return pattern.sub(lambda match: " " * len(match.group()), text)


def expression_around(code, begin, end):
    """From where to where the largest expression goes that has the characters of the blanked code."""
    depth, first = 0, begin
    while first > 0:
        c = code[first - 1]
        if depth == 0 and (c in OPEN + ";,}?" or c == ":" and code[first - 2] != ":" and code[first] != ":"
                           or c == "=" and any(m.end() == first for m in ASSIGNS.finditer(code, max(first - 4, 0), first + 1))):
            break
        depth += (c in CLOSED) - (c in OPEN)
        first -= 1
    depth, last = 0, end
    while last < len(code):
        c = code[last]
        if depth == 0 and (c in CLOSED + ";,?" or c == ":" and code[last - 1] != ":" and code[last + 1] != ":"
                           or ASSIGNS.match(code, last)):
            break
        depth += (c in OPEN) - (c in CLOSED)
        last += 1
    first += len(WORDS.match(code, first).group()) if WORDS.match(code, first) else 0
    return first, last


def changed_span(before, after):
    """The first and the last character of a line that are others after the change."""
    first = next(i for i in range(len(before) + 1) if before[:i + 1] != after[:i + 1])
    last = 0
    while last < min(len(before), len(after)) - first and before[len(before) - 1 - last] == after[len(after) - 1 - last]:
        last += 1
    return first, len(before) - last, after[first:len(after) - last]


class File:
    """A file and its mutants, whose places are apart."""

    def __init__(self, text):
        self.text, self.code, self.edits = text, blank(text), []
        self.starts = [0] + [match.end() for match in re.finditer("\n", text)]

    def add(self, number, line, kind, changed):
        """Whether the mutant of a line, which begins at 0, has found a place."""
        start = self.starts[line]
        before = self.text[start:self.text.index("\n", start)]
        if kind == "call":
            indent = len(before) - len(before.lstrip())
            return self.put(number, start + indent, start + len(before),
                            f"if (!hostcl_is_mutant({number})) {{ {before.strip()} }}")
        begin, end, by = changed_span(before, changed)
        first, last = expression_around(self.code, start + begin, start + max(end, begin + 1))
        original = self.text[first:last]
        mutated = self.text[first:start + begin] + by + self.text[start + end:last]
        cast = "static_cast<bool>" if kind == "negation" else ""
        # The second of the two has no line of its own.
        mutated = re.sub(r"//[^\n]*", "", mutated).replace("\n", " ")
        return self.put(number, first, last, f"(hostcl_is_mutant({number}) ? {cast}({mutated}) : {cast}({original}))")

    def put(self, number, first, last, text):
        if any(first < other[2] and other[1] < last for other in self.edits):
            return False
        self.edits.append((number, first, last, text))
        self.make_variable(number, first)
        return True

    def make_variable(self, number, at):
        """A constant expression is a constant, whose value is known when it is used first."""
        begin = max(self.code.rfind(c, 0, at) for c in ";}")
        for match in re.finditer(r"\bconstexpr\b", self.code[begin + 1:at]):
            place = begin + 1 + match.start()
            if not any(place == other[1] for other in self.edits):
                self.edits.append((number, place, place + len("constexpr"), "const"))

    def drop(self, numbers):
        self.edits = [edit for edit in self.edits if edit[0] not in numbers]

    def numbers(self):
        return {edit[0] for edit in self.edits}

    def result(self, header):
        text = self.text
        for _, first, last, by in sorted(self.edits, key=lambda edit: -edit[1]):
            text = text[:first] + by + text[last:]
        return f'#include "{header}"\n#line 1\n{text}' if self.edits else text
