#!/usr/bin/env python3
"""check_grammar.py TABLES GRAMMARS [OLDER]: compares the reader's tables of capabilities and instructions (folder
compiler/front/spirv) with the grammars of SPIR-V and OpenCL.std, as Debian's spirv-headers has them. With OLDER, the
grammars of the headers that the build takes names from, a capability that has its name nowhere is a difference."""

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


def capabilities_of(grammar):
    kinds = next(kind for kind in grammar["operand_kinds"] if kind["kind"] == "Capability")
    return {name: int(entry["value"]) for entry in kinds["enumerants"] for name in names_of(entry)}


class Capabilities:
    def __init__(self, folder, grammar):
        rows = table(folder / "capabilities.inc", r"^(SUPPORTED|HINT)\((\d+), (\w+)\)")
        self.support = {int(number): support for support, number, _ in rows}
        newer = table(folder / "newer_names.inc", r"CAPABILITY\((\d+), (\w+)\)")
        self.names = {name: int(number) for _, number, name in rows} | {name: int(number) for number, name in newer}
        self.grammar = capabilities_of(grammar)

    def differences(self):
        """Names change with the grammar's version: only a name of another number is a difference."""
        for name, number in self.names.items():
            if self.grammar.get(name, number) != number:
                yield f"the capability {name} is {number} in the table, {self.grammar[name]} in the grammar"
        if len(self.support) < 107 or len(self.names) < 184:
            yield f"only {len(self.support)} and {len(self.names)} capabilities were found in the tables"

    def without_name(self, older):
        known = {*self.names.values(), *capabilities_of(older).values()}
        for name, number in self.grammar.items():
            if number not in known:
                yield f"newer_names.inc has no row for the capability {name}, {number}"

    def of(self, instruction):
        """What the table says of the capabilities that enable an instruction."""
        return {self.support.get(self.grammar[name], "UNSUPPORTED") for name in instruction.get("capabilities", ())}


def is_enabled(instruction, capabilities, extensions):
    if instruction.get("capabilities") and "SUPPORTED" not in capabilities.of(instruction):
        return False
    needed = instruction.get("extensions", ())
    return not needed or instruction.get("version", "None") != "None" or not extensions.isdisjoint(needed)


def instruction_differences(folder, grammar, capabilities, extensions):
    rows = dict(row for name in ("instructions.inc", "types_and_constants.inc")
                for row in table(folder / "instructions" / name, r'^\w*(?:INSTRUCTION|OPERATION)\((Op\w+), "([^"]*)"'))
    newer = {name: int(number) for number, name in table(folder / "newer_names.inc", r"OPCODE\((\d+), (Op\w+)\)")}
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
        for newer_name in names_of(instruction) & newer.keys():
            if newer[newer_name] != number:
                yield f"{newer_name} is {newer[newer_name]} in the table, {number} in the grammar"
        if number in read:
            continue
        if is_enabled(instruction, capabilities, extensions) and name not in NOT_FOR_KERNELS:
            yield f"{name} has no row, and {instruction.get('capabilities', 'every module')} enables it"
        if "HINT" in capabilities.of(instruction):
            yield f"{name} has no row, so {instruction['capabilities']} is more than a hint"
    if len(rows) < 370:
        yield f"only {len(rows)} instructions were found in the tables"


def differences(folder, grammars, older=None):
    grammar = json.loads((grammars / "spirv.core.grammar.json").read_text())
    capabilities = Capabilities(folder, grammar)
    extensions = set(table(folder / "extensions.inc", r'^(?:EXTENSION|HINT)\("(\w+)"\)'))
    yield from capabilities.differences()
    if older:
        yield from capabilities.without_name(json.loads((older / "spirv.core.grammar.json").read_text()))
    yield from instruction_differences(folder, grammar, capabilities, extensions)

    grammar = json.loads((grammars / "extinst.opencl.std.100.grammar.json").read_text())
    instructions = {i["opname"]: len(i.get("operands", ())) for i in grammar["instructions"]}
    functions = table(folder / "instructions" / "open_cl_std.inc", r'^\w*FUNCTION\((\w+), (?:"\w+", "(\w*)"|\w+)\)$')
    if len(functions) != 26:
        yield f"{len(functions)} instead of 26 functions were found in the table of OpenCL.std"
    for name, parameters in functions:
        if name not in instructions:
            yield f"OpenCL.std has no {name}"
        elif parameters and len(parameters) != instructions[name]:
            yield f"{name} has {len(parameters)} parameters in the table, {instructions[name]} in the grammar"


if __name__ == "__main__":
    lines = list(differences(*map(pathlib.Path, sys.argv[1:])))
    print("\n".join(lines) or "the tables agree with the grammars")
    sys.exit(1 if lines else 0)
