#!/usr/bin/env python3
"""check_grammar.py TABLES GRAMMARS: compares the reader's tables of instructions (folder compiler/front/spirv) with
the grammars of SPIR-V and OpenCL.std, as Debian's spirv-headers has them."""

import json
import pathlib
import re
import sys

LETTERS = {
    "IdResultType": "T", "IdResult": "R", "IdRef": "i", "IdScope": "i", "IdMemorySemantics": "i",
    "LiteralInteger": "n", "LiteralContextDependentNumber": "n", "LiteralString": "s",
    "PairLiteralIntegerIdRef": "ni", "PairIdRefIdRef": "ii", "PairIdRefLiteralInteger": "in",
}


def pattern(operands):
    """Operands as instructions.inc writes them; every kind that is not in LETTERS is an enumerant or a mask."""
    text, is_optional = "", False
    for operand in operands:
        letter = LETTERS.get(operand["kind"], "e")
        quantifier = operand.get("quantifier", "")
        if quantifier == "?" and not is_optional:
            text, is_optional = text + "?", True
        text += "*" + letter if quantifier == "*" else letter
    return text


def table(path, row):
    return re.findall(row, path.read_text(), re.MULTILINE)


def different_capabilities(rows, grammar):
    """Names change with the grammar's version, so a number that one side lacks, or an alias, does not differ: a name of
    another number is."""
    kinds = next(kind for kind in grammar["operand_kinds"] if kind["kind"] == "Capability")
    known = {name: int(e["value"]) for e in kinds["enumerants"] for name in (e["enumerant"], *e.get("aliases", ()))}
    for number, name in rows:
        if known.get(name, int(number)) != int(number):
            yield f"the capability {name} is {number} in the table, {known[name]} in the grammar"
    if len(rows) < 150:
        yield f"only {len(rows)} capabilities were found in the table"


def differences(tables, grammars):
    grammar = json.loads((grammars / "spirv.core.grammar.json").read_text())
    known = {name: i for i in grammar["instructions"] for name in (i["opname"], *i.get("aliases", ()))}
    rows = table(tables / "instructions" / "instructions.inc", r'^\w*INSTRUCTION\((Op\w+), "([^"]*)"')
    for name, operands in rows:
        # Those that are newer than the installed grammar cannot be compared.
        if name in known and (wanted := pattern(known[name].get("operands", ()))) != operands:
            yield f'{name} has the operands "{operands}" in the table, "{wanted}" in the grammar'
    if len(rows) < 200:
        yield f"only {len(rows)} instructions were found in the table"
    yield from different_capabilities(table(tables / "capabilities.inc", r"SUPPORTED\((\d+), (\w+)\)"), grammar)

    grammar = json.loads((grammars / "extinst.opencl.std.100.grammar.json").read_text())
    wanted = {int(i["opcode"]): i["opname"] for i in grammar["instructions"]}
    found = {int(number): name for number, name in table(tables / "instructions" / "open_cl_std.inc", r"FUNCTION\((\d+), (\w+)")}
    for number in sorted(wanted.keys() | found.keys()):
        if wanted.get(number) != found.get(number):
            yield f"OpenCL.std {number} is {found.get(number)} in the table, {wanted.get(number)} in the grammar"


if __name__ == "__main__":
    lines = list(differences(*map(pathlib.Path, sys.argv[1:3])))
    print("\n".join(lines) or "the tables agree with the grammars")
    sys.exit(1 if lines else 0)
