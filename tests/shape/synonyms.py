"""Private synonyms for terms of the field, which docs/glossary.md and the code have in their place."""

import collections
import re

from text import comments_of, read

# Each term of the field, what stood for it in names, and where that means the term. Names are compared in snake case. CL's,
# SPIR-V's and LLVM's own names stay theirs.
NAMES = [
    ("iteration", r"(?:.*_)?rounds(?:_.*)?", r"compiler/|runtime/"),
    ("induction variable", r"(?:.*_)?(?:moving_pointers?|growing|up_counters?|down_counters?)(?:_.*)?", r"compiler/"),
    ("disjoint", r"apart_.*|(?!take_|far_|is_far_).*_apart", r"compiler/|runtime/"),
    ("uniform, divergent", r"(?:.*_)?alike(?:_.*)?|(?:call_)?may_differ|differing(?:_.*)?", r"compiler/"),
    ("tree reduction", r"(?:.*_)?local_trees?(?:_.*)?", r"compiler/"),
    ("barrier-synchronised loop", r"(?:.*_)?lockstep_loops?(?:_.*)?", r"compiler/"),
    ("group-size-agnostic", r"(?:.*_)?free_groups(?:_.*)?", r"compiler/|runtime/"),
    ("linearised or partial sub-groups", r"(?:.*_)?(?:joined|split|far)_rows?(?:_.*)?", r"compiler/"),
    ("transposed loads", r"(?:.*_)?transposed_rows(?:_.*)?", r"compiler/"),
    ("cache tiling", r"(?:.*_)?cache_blocks?(?:_.*)?", r"compiler/"),
    ("guarded division", r"(?:.*_)?total_divis(?:ion|or)s?(?:_.*)?", r"compiler/"),
    ("provenance", r"places?|print_places", r"compiler/passes/checks/(?:provenance|bounds)"),
    ("rectangle", r"(?:.*_)?box(?:es)?(?:_.*)?", r"runtime/"),
    ("metadata, attribute", r"(?:.*_)?marks(?:_.*)?", r"compiler/passes/|compiler/code/|compiler/front/"),
    ("step", r"stations?", r"compiler/|runtime/"),
    ("tier 0, tier 1", r"universal|compact|(?:.*_)?(?:first|second|best|better)_code(?:_.*)?|is_best", r"compiler/|runtime/"),
    ("fallback level", r"(?:.*_)?(?:efforts?|failed_forms?|kernel_form|first_form|time_of_form)(?:_.*)?", r"compiler/|runtime/"),
    ("properties", r"(?:.*_)?facts?(?:_.*)?|(?!type_|char_)(?:.*_)?traits(?:_.*)?", r"compiler/"),
    ("kernel statistics", r"(?:.*_)?insights?(?:_.*)?", r"compiler/|runtime/"),
    ("resource budget", r"(?:.*_)?spending(?:_.*)?", r"compiler/|runtime/"),
    ("cancellation request", r"(?:.*_)?wish(?:es|ed)?(?:_.*)?", r"compiler/|runtime/"),
    ("host callback", r"(?:.*_)?services?(?:_.*)?", r"compiler/|runtime/|builtins/"),
    ("control class, outer dominator", r"leaders?|anchors?|uniform_merge", r"compiler/passes/"),
    ("convergence check", r"(?!cl_khr_|spv_|subgroup_|group_non_)(?:.*_)?votes?(?:_.*)?|(?:.*_)?agreement(?:_.*)?", r"compiler/(?!front/)|runtime/"),
    ("chunk, share", r"(?:.*_)?(?:piece|portion)s?(?:_.*)?", r"runtime/threads/"),
]
# The same in comments and documents.
PHRASES = [
    ("iteration", r"\brounds of (?:a|an|the|its|their|this) loops?\b|\bin each round\b|\bloop's rounds\b"),
    ("induction variable", r"\bmoving pointers?\b|\bgrowing numbers?\b|\b(?:up|down) counters?\b"),
    ("disjoint", r"\bbuffers (?:that )?(?:are|lie) apart\b"),
    ("tree reduction", r"\blocal trees?\b"),
    ("barrier-synchronised loop", r"\blockstep[ -]loops?\b"),
    ("group-size-agnostic", r"\bfree groups\b"),
    ("linearised or partial sub-groups", r"\b(?:joined|split) rows\b"),
    ("strided prefetch", r"\bfar rows\b"),
    ("guarded division", r"\btotal divisions?\b"),
    ("tier 0, tier 1", r"\b(?:universal|compact|better|best|first) code\b"),
    ("fallback level", r"\bform without (?:optimisations|heuristics)\b"),
    ("kernel properties", r"\bkernel'?s? (?:traits?|facts?)\b"),
    ("kernel statistics", r"\binsights?\b"),
    ("cancellation request", r"\bwish(?:es)? to stop\b"),
    ("step", r"\bstations? of (?:a|the) (?:kernel|pipeline)\b"),
]
NAMES = [(term, re.compile(names), re.compile(where)) for term, names, where in NAMES]
PHRASES = [(term, re.compile(phrase)) for term, phrase in PHRASES]
IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
LITERAL = re.compile(r'R"\(.*?\)"|"(?:[^"\\\n]|\\.)*"', re.DOTALL)
CODE = {".cpp", ".hpp", ".inc", ".clcpp", ".def"}
CODE_IN_PAGE = re.compile(r"^(```|~~~).*?^\1|`[^`\n]*`|\]\([^)]*\)", re.MULTILINE | re.DOTALL)


def snake_case(name):
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower().strip("_")


def names_in(content):
    """The identifiers of code, without its texts and comments."""
    code = LITERAL.sub('""', content)
    return {name for line in code.splitlines() for name in IDENTIFIER.findall(line.split("//")[0])}


def prose_of(path, content):
    """Comments of code, and documents without code."""
    if path.suffix in CODE | {".cl", ".h"}:
        return "\n".join(comments_of(content))
    if path.suffix == ".md" and path.name not in {"CHANGELOG.md", "glossary.md"}:
        return CODE_IN_PAGE.sub("", content)
    return ""


def synonyms(tree, files):
    """How often files have synonyms, by the term of the field that is meant."""
    found = collections.Counter()
    for path in files:
        if path.suffix not in CODE | {".md", ".cl", ".h"}:
            continue
        content, rules = read(tree, path), [rule for rule in NAMES if rule[2].match(str(path))]
        if rules and path.suffix in CODE and "tests" not in path.parts:
            for name in names_in(content):
                for term, names, _ in rules:
                    if names.fullmatch(snake_case(name)):
                        found[f"{path}: {name} ({term})"] += 1
        prose = prose_of(path, content)
        for term, phrase in PHRASES:
            for match in phrase.finditer(prose):
                found[f"{path}: {match[0]} ({term})"] += 1
    return found
