#!/usr/bin/env python3
"""check_grammar.py TABLES GRAMMARS [--complete]: compares the reader's tables of capabilities and instructions (folder
compiler/front/spirv) with the grammars of SPIR-V and OpenCL.std, as Debian's spirv-headers has them. Numbers that
newer grammars add are told, and with --complete a difference."""

import json
import pathlib
import re
import sys

LETTERS = {
    "IdResultType": "T", "IdResult": "R", "IdRef": "i", "IdScope": "i", "IdMemorySemantics": "i",
    "LiteralInteger": "n", "LiteralContextDependentNumber": "n", "LiteralString": "s",
    "PairLiteralIntegerIdRef": "ni", "PairIdRefIdRef": "ii", "PairIdRefLiteralInteger": "in",
}

# Of no kernel, though no capability that kernels lack enables them.
NOT_FOR_KERNELS = {
    "OpImageTexelPointer",  # results are of the storage class Image, of graphics
    "OpImageFetch",         # kernels read images with OpImageRead
    "OpImageQuerySamples",  # the device has no images with several samples
    "OpUntypedArrayLengthKHR",  # of arrays whose length the application chooses, which are of graphics
}
# What old grammars have wrong.
MISTAKES = {("OpFPGARegINTEL", "TRii"), ("OpAsmTargetINTEL", "TRs"), ("OpCompositeConstructContinuedINTEL", "TR*i")}


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


def names_of(entry):
    return {entry.get("opname", entry.get("enumerant")), *entry.get("aliases", ())}


class New(str):
    """What the grammar has and the table has not."""


class Capabilities:
    def __init__(self, path, grammar):
        rows = table(path, r"^(SUPPORTED|HINT|UNSUPPORTED)\((\d+), (\w+)\)")
        self.support = {int(number): support for support, number, _ in rows}
        self.names = {name: int(number) for _, number, name in rows}
        kinds = next(kind for kind in grammar["operand_kinds"] if kind["kind"] == "Capability")
        self.grammar = {name: int(entry["value"]) for entry in kinds["enumerants"] for name in names_of(entry)}

    def differences(self):
        """Names change with the grammar's version: only a name of another number is a difference."""
        for name, number in self.names.items():
            if self.grammar.get(name, number) != number:
                yield f"the capability {name} is {number} in the table, {self.grammar[name]} in the grammar"
        for name, number in self.grammar.items():
            if number not in self.support:
                yield New(f"the table has no row for the capability {name}, {number}")
        if len(self.names) < 308:
            yield f"only {len(self.names)} capabilities were found in the table"

    def of(self, instruction):
        """What the table says of the capabilities that enable an instruction."""
        return {self.support.get(self.grammar[name]) for name in instruction.get("capabilities", ())}


def is_enabled(instruction, capabilities, extensions):
    if instruction.get("capabilities") and "SUPPORTED" not in capabilities.of(instruction):
        return False
    needed = instruction.get("extensions", ())
    return not needed or instruction.get("version", "None") != "None" or not extensions.isdisjoint(needed)


def instruction_differences(folder, grammar, capabilities, extensions):
    rows = dict(row for name in ("instructions.inc", "types_and_constants.inc")
                for row in table(folder / "instructions" / name, r'^\w*INSTRUCTION\((Op\w+), "([^"]*)"'))
    rowless = {int(number) for number, _ in
               table(folder / "instructions" / "newer_names.inc", r"OTHER\((\d+), (Op\w+)\)")}
    # Aliases are instructions of their own in older grammars.
    read = {instruction["opcode"] for instruction in grammar["instructions"] if names_of(instruction) & rows.keys()}
    for instruction in grammar["instructions"]:
        number, name = instruction["opcode"], instruction["opname"]
        wanted = pattern(instruction.get("operands", ()))
        known = names_of(instruction) & rows.keys()
        for row in known:
            # What later versions add to an instruction may be left out.
            agrees = rows[row] == wanted or rows[row].startswith(wanted + "?")
            if not agrees and (row, wanted) not in MISTAKES:
                yield f'{row} has the operands "{rows[row]}" in the table, "{wanted}" in the grammar'
        if number in rowless and known:
            yield f"{name} is in both tables of instructions"
        if number in read:
            continue
        if is_enabled(instruction, capabilities, extensions) and name not in NOT_FOR_KERNELS:
            yield f"{name} has no row, and {instruction.get('capabilities', 'every module')} enables it"
        if "HINT" in capabilities.of(instruction):
            yield f"{name} has no row, so {instruction['capabilities']} is more than a hint"
    if len(rows) < 370:
        yield f"only {len(rows)} instructions were found in the tables"


def differences(folder, grammars):
    grammar = json.loads((grammars / "spirv.core.grammar.json").read_text())
    capabilities = Capabilities(folder / "capabilities.inc", grammar)
    extensions = set(table(folder / "extensions.inc", r'^(?:EXTENSION|HINT)\("(\w+)"\)'))
    yield from capabilities.differences()
    yield from instruction_differences(folder, grammar, capabilities, extensions)

    grammar = json.loads((grammars / "extinst.opencl.std.100.grammar.json").read_text())
    wanted = {int(i["opcode"]): i["opname"] for i in grammar["instructions"]}
    functions = table(folder / "instructions" / "open_cl_std.inc", r"FUNCTION\((\d+), (\w+)")
    found = {int(number): name for number, name in functions}
    for number in sorted(wanted.keys() | found.keys()):
        if wanted.get(number) != found.get(number):
            yield f"OpenCL.std {number} is {found.get(number)} in the table, {wanted.get(number)} in the grammar"


if __name__ == "__main__":
    lines = list(differences(*map(pathlib.Path, sys.argv[1:3])))
    print("\n".join(lines) or "the tables agree with the grammars")
    wrong = [line for line in lines if "--complete" in sys.argv or not isinstance(line, New)]
    sys.exit(1 if wrong else 0)
