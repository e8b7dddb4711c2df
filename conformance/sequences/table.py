"""The instructions of AArch64 that an atomic operation of a memory order has to become.

With LSE (Armv8.1), an update is one instruction; without, it is a loop around a load-exclusive and a store-exclusive.
The order is part of the instructions: `a` is an acquire, `l` a release. There is no barrier, except for a fence.

  order      load          store   update        with LSE   fence
  relaxed    ldr           str     ldxr, stxr    ldadd      -
  acquire    ldar (ldapr)          ldaxr, stxr   ldadda     dmb ishld
  release                  stlr    ldxr, stlxr   ldaddl     dmb ish
  acq_rel                          ldaxr, stlxr  ldaddal    dmb ish
  seq_cst    ldar          stlr    ldaxr, stlxr  ldaddal    dmb ish

An acquire may be `ldapr` on CPUs with RCpc loads (Armv8.3). A seq_cst load may not: `ldapr` may be reordered with an
earlier `stlr`.
"""

import re

from cases import COMPARE_EXCHANGES, SIZES

# CPU models for llc, and what they have: loads with RCpc order imply LSE.
CPUS = {"cortex-a53": "", "thunderx2t99": "lse", "neoverse-n1": "lse rcpc", "neoverse-v2": "lse rcpc"}

ACQUIRES = ("acquire", "acq_rel", "seq_cst")
RELEASES = ("release", "acq_rel", "seq_cst")
LSE = {"exchange": "swp", "flag_test_and_set": "swp", "fetch_add": "ldadd", "fetch_sub": "ldadd", "fetch_and": "ldclr",
       "fetch_or": "ldset", "fetch_xor": "ldeor", "inc": "ldadd", "dec": "ldadd", "loop_add": "ldadd",
       "updates_in_loop": "ldadd"}
FENCES = {"mem_fence": "acq_rel", "read_mem_fence": "acquire", "write_mem_fence": "release"}
REACHES_THREADS = ("device", "all_svm_devices")

INSTRUCTION = re.compile(r"\t((?:ld|st)(?:a|l)?x[rp][bh]?|ldap?u?r\w*|stlu?r\w*|swp\w*|casp?[al]*[bh]?|dmb|dsb|bl|b|"
                         r"(?:ld|st)(?:add|clr|eor|set|[su]min|[su]max)[al]*[bh]?)\t(.*)")
LIBRARY = re.compile(r"__(?:aarch64|atomic|sync)_")


def token(line):
    """What the line of assembly says of atomicity and order: `ldaddal x`, `dmb ish`, `call __aarch64_cas4_relax`; or
    None. Registers are reduced to their kind, `w` or `x`. The kind is `zr` if an LSE instruction with acquire drops its
    result, because the instruction is no acquire then."""
    match = INSTRUCTION.match(line)
    if not match or re.match(r"ldu?r", match[1]):
        return None
    name, operands = match[1], [operand.strip() for operand in match[2].split("//")[0].split(",")]
    if name in ("bl", "b"):
        return f"call {operands[0]}" if LIBRARY.match(operands[0]) else None
    if name in ("dmb", "dsb"):
        return f"{name} {operands[0]}"
    if re.match("swp.?a|ld(add|clr|eor|set|[su]m..)a", name) and operands[1].endswith("zr"):
        return f"{name} zr"
    if re.match("lda?x|stl?x", name): # the first register of a store-exclusive is its status
        return f"{name} {'x' if operands[-2][0] == 'x' else 'w'}"
    return f"{name} {operands[0][0]}"


def update(operation, type_, order, has_lse):
    """The tokens of one update, as a regular expression."""
    half = "h" if SIZES[type_] == 2 else ""
    register = "x" if SIZES[type_] == 8 else "w"
    acquire, release = "a" * (order in ACQUIRES), "l" * (order in RELEASES)
    if not has_lse:
        return f"ld{acquire}xr{half} {register} st{release}xr{half} {register}"
    name = LSE.get(operation)
    if operation in ("fetch_min", "fetch_max"):
        name = f"ld{'u' if type_.startswith('u') else 's'}{operation[-3:]}"
    if not name or type_ in ("half", "float", "double") and name != "swp":
        name = "cas"  # compare-exchanges, and loops around them for operations that the CPU does not have
    dropped = f"|st{name[2:]}{release}{half}" if name.startswith("ld") and not acquire else ""
    return f"(?:{name}{acquire}{release}{half}{dropped}) {register}"


def load(type_, order, has_rcpc):
    """The token of a load, empty if it is an ordinary instruction."""
    if order not in ACQUIRES:
        return ""
    name = "ldapu?r" if has_rcpc and order == "acquire" else "ldar"
    return f"{name}{'h' if SIZES[type_] == 2 else ''} {'x' if SIZES[type_] == 8 else 'w'} "


def store(type_, order):
    if order not in RELEASES:
        return ""
    return f"stlu?r{'h' if SIZES[type_] == 2 else ''} {'x' if SIZES[type_] == 8 else 'w'} "


def fence(order):
    return {"relaxed": "", "acquire": "dmb ishld "}.get(order, "dmb ish ")


def repeated(tokens):
    return f"(?:{tokens})+" if tokens else ""


def sequence(case, features, has_vectors):
    """The tokens that the case's kernel may have, each followed by a space, as a regular expression. A kernel has its
    operation several times if it runs several work-items at a time, or has variants of a loop."""
    order = case.effective_order
    if case.place == "local":
        return ""  # one thread runs all work-items that can access the object
    if case.operation in FENCES:
        return repeated(fence(FENCES[case.operation]))
    if case.operation in ("fence", "barrier"):
        if case.scope not in REACHES_THREADS:
            return ""
        return repeated(fence(case.order) if case.operation == "fence" else 2 * fence("acq_rel"))
    if case.operation in ("update_and_fence", "update_and_store"):
        updates = repeated(update("fetch_add", case.type, "relaxed", "lse" in features) + " ")
        release = fence("release") if case.operation.endswith("fence") else store(case.type, "release")
        return repeated(updates + repeated(release))
    if case.operation == "load":
        return repeated(load(case.type, order, "rcpc" in features))
    if case.operation in ("store", "flag_clear"):
        return repeated(store(case.type, order))
    tokens = update(case.operation, case.type, order, "lse" in features) + " "
    if not case.is_used and order == "relaxed":  # may be deferred and combined, in loops around compare-exchanges
        return repeated(f"{tokens}|{update('compare_exchange', case.type, order, 'lse' in features)} ")
    if case.operation in COMPARE_EXCHANGES and case.place == "shared" and has_vectors:
        # Work-items of a vector take turns; a load stands for their exchanges if no exchange is successful.
        return load(case.type, case.failure or "seq_cst", "rcpc" in features) + repeated(tokens)
    return repeated(tokens)
