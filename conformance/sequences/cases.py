"""The kernels of check_sequences. Each kernel has one atomic operation, fence or barrier."""

import dataclasses

ORDERS = ("relaxed", "acquire", "release", "acq_rel", "seq_cst")
LOAD_ORDERS = ("relaxed", "acquire", "seq_cst")
STORE_ORDERS = ("relaxed", "release", "seq_cst")
SCOPES = ("work_item", "sub_group", "work_group", "device", "all_svm_devices")
SIZES = {"int": 4, "uint": 4, "long": 8, "ulong": 8, "half": 2, "float": 4, "double": 8}
FLOATS = ("half", "float", "double")

# The operations that a type has, besides load, store and compare-exchange.
FLOAT_UPDATES = ("exchange", "fetch_add", "fetch_sub", "fetch_min", "fetch_max")
# Functions of OpenCL 1.x, whose order is relaxed: their names without the prefix atomic_ or atom_.
LEGACY = {"fetch_add": "add", "fetch_sub": "sub", "inc": "inc", "dec": "dec", "fetch_min": "min", "fetch_max": "max",
          "fetch_and": "and", "fetch_or": "or", "fetch_xor": "xor", "exchange": "xchg",
          "compare_exchange_strong": "cmpxchg"}
UPDATES = FLOAT_UPDATES + ("fetch_and", "fetch_or", "fetch_xor")
COMPARE_EXCHANGES = ("compare_exchange_strong", "compare_exchange_weak")

# Where the atomic object of work-item i is. For each place, the vectoriser writes different code.
PLACES = {
    "own": "global A* object = p + i;",
    "shared": "global A* object = p;",
    "near": "global A* object = p + i / 32;",
    "listed": "global A* object = p + list[i];",
    "generic": "local A cell; __generic A* object = pick ? (__generic A*)(p + i) : (__generic A*)&cell;",
    "local": "local A cell; local A* object = &cell;",
}

HEADER = """\
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
#pragma OPENCL EXTENSION cl_ext_atomic_counters_32 : enable
#pragma OPENCL EXTENSION cl_ext_atomic_counters_64 : enable
"""


@dataclasses.dataclass(frozen=True)
class Case:
    """One kernel. `operation` is a function without `atomic_`, a loop around one, or what a row of OTHERS names."""

    operation: str
    type: str
    order: str
    failure: str = ""  # of a compare-exchange
    scope: str = "device"  # empty: the form of the function without scope; without order if `order` is empty as well
    place: str = "own"
    is_used: bool = True  # whether the kernel uses the result
    family: str = "c11"  # of functions; or legacy (OpenCL 1.x), counter (cl_ext_atomic_counters_*)

    @property
    def name(self):
        words = (self.family, self.operation, self.type, self.order, self.failure, self.scope, self.place)
        return "__".join(word for word in words if word) + ("" if self.is_used else "__unused")

    @property
    def effective_order(self):
        """The order of the host's operation. A compare-exchange has one instruction for success and failure."""
        if self.scope == "work_item":
            return "relaxed"
        return merged(self.order or "seq_cst", self.failure)

    @property
    def is_compare_exchange(self):
        return self.operation in COMPARE_EXCHANGES

    def call(self, *arguments):
        orders = [f"memory_order_{order}" for order in (self.order, self.failure) if order]
        scope = [f"memory_scope_{self.scope}"] if self.scope else []
        suffix = "_explicit" if orders else ""
        return f"atomic_{self.operation}{suffix}({', '.join([*arguments, *orders, *scope])})"

    def legacy_call(self):
        prefix = "atom" if SIZES[self.type] == 8 else "atomic"
        operands = {"inc": "", "dec": "", "compare_exchange_strong": ", x, x + 1"}.get(self.operation, ", x")
        return f"{prefix}_{LEGACY[self.operation]}((volatile global T*)object{operands})"

    def statement(self):
        if self.family == "legacy":
            return f"out[i] = {self.legacy_call()};"
        if self.family == "counter":
            return f"out[i] = atomic_{self.operation}(counter);"
        if self.operation == "load":
            return f"out[i] = {self.call('object')};"
        if self.operation in ("store", "flag_clear"):
            return self.call("object", *(["x"] if self.operation == "store" else [])) + ";"
        result = "out[i] = " if self.is_used else ""
        if self.is_compare_exchange:
            exchange = self.call("object", "&expected", "(T)(x + 1)")
            return f"T expected = x; bool done = {exchange};" + (" out[i] = done ? (T)7 : expected;" if result else "")
        arguments = ["object"] if self.operation == "flag_test_and_set" else ["object", "x"]
        return f"{result}{self.call(*arguments)};"

    def source(self):
        atomic = "atomic_flag" if self.operation.startswith("flag") else f"atomic_{self.type}"
        place = "" if self.family == "counter" else PLACES[self.place]
        object_ = f"counter{8 * SIZES[self.type]}_t counter" if self.family == "counter" else "global A* restrict p"
        text = OTHERS.get(self.operation) or f"{place} {self.statement()}"
        return (f"#define T {self.type}\n#define A {atomic}\n"
                f"kernel void {self.name}({object_}, global T* restrict out, global const uint* restrict list, "
                f"int pick) {{\n  size_t i = get_global_id(0); T x = out[i];\n  "
                f"{text.replace('$ORDER', self.order).replace('$SCOPE', self.scope)}\n}}\n#undef A\n#undef T\n")


def merged(success, failure):
    """The weakest order that is at least as strong as both."""
    if "seq_cst" in (success, failure):
        return "seq_cst"
    if failure == "acquire" and success in ("release", "acq_rel"):
        return "acq_rel"
    return "acquire" if failure == "acquire" else success


def failure_orders(success):
    """The failure orders that clang accepts: neither a release nor stronger than the order of success."""
    return {"seq_cst": LOAD_ORDERS, "acquire": LOAD_ORDERS[:2], "acq_rel": LOAD_ORDERS[:2]}.get(success, ("relaxed",))


# Operations that are not atomic functions of one object.
LOOPS = ("loop_add", "loop_product", "updates_in_loop")
LOOP = ("{object} T old = atomic_load_explicit(object, memory_order_relaxed, memory_scope_$SCOPE); while (!"
        "atomic_compare_exchange_weak_explicit(object, &old, (T)(old {operator} x), memory_order_$ORDER, "
        "memory_order_relaxed, memory_scope_$SCOPE));")
UPDATE = "atomic_fetch_add_explicit(p, x, memory_order_relaxed, memory_scope_device); "
STORE = "atomic_store_explicit((global A*)out + i, x, memory_order_{}, memory_scope_device);"
OTHERS = {
    # Only relaxed updates may become one update after the loop.
    "updates_in_loop": "for (int k = 0; k < pick; ++k) atomic_fetch_add_explicit(p, x + k, memory_order_$ORDER, "
                       "memory_scope_$SCOPE);",
    "loop_add": LOOP.format(object=PLACES["own"], operator="+"),
    "loop_product": LOOP.format(object=PLACES["own"], operator="*"),
    "fence": "global T* q = (global T*)p; q[i] = x; atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_$ORDER, "
             "memory_scope_$SCOPE); out[i] = q[i + 1];",
    "mem_fence": "global T* q = (global T*)p; q[i] = x; mem_fence(CLK_GLOBAL_MEM_FENCE); out[i] = q[i + 1];",
    "read_mem_fence": "global T* q = (global T*)p; T y = q[i]; read_mem_fence(CLK_GLOBAL_MEM_FENCE); "
                      "out[i] = y + q[i + 1];",
    "write_mem_fence": "global T* q = (global T*)p; q[i] = x; write_mem_fence(CLK_GLOBAL_MEM_FENCE); out[i] = x;",
    # A message: relaxed updates must not be deferred until after the release.
    "update_and_fence": UPDATE + "atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release, "
                        "memory_scope_device); " + STORE.format("relaxed"),
    "update_and_store": UPDATE + STORE.format("release"),
    "barrier": "global T* q = (global T*)p; q[i] = x; work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_$SCOPE); "
               "out[i] = q[i + 1];",
}


def operations_of(type_, places, scopes, is_used=True):
    """All operations and orders of a type, for each place and scope."""
    for place in places:
        for scope in scopes:
            rest = {"scope": scope, "place": place}
            if is_used:
                yield from (Case("load", type_, order, **rest) for order in LOAD_ORDERS)
                yield from (Case("store", type_, order, **rest) for order in STORE_ORDERS)
            for order in ORDERS:
                for operation in FLOAT_UPDATES if type_ in FLOATS else UPDATES:
                    yield Case(operation, type_, order, is_used=is_used, **rest)
                if type_ == "half":
                    continue  # OpenCL has no compare-exchange of half
                for operation in COMPARE_EXCHANGES:
                    for failure in failure_orders(order):
                        yield Case(operation, type_, order, failure, is_used=is_used, **rest)


def flags(places, scopes):
    for place in places:
        for scope in scopes:
            yield from (Case("flag_test_and_set", "int", order, scope=scope, place=place) for order in ORDERS)
            yield from (Case("flag_clear", "int", order, scope=scope, place=place) for order in STORE_ORDERS)


def short_forms(type_):
    """Functions without scope, and without order and scope."""
    for order in ("", *STORE_ORDERS):
        yield Case("store", type_, order, scope="")
    for order in ("", *LOAD_ORDERS):
        yield Case("load", type_, order, scope="")
    for order in ("", *ORDERS):
        yield from (Case(operation, type_, order, scope="") for operation in ("exchange", "fetch_add"))
    if type_ != "half":
        yield from (Case(operation, type_, "", scope="") for operation in COMPARE_EXCHANGES)


def older_functions():
    for type_ in ("int", "uint", "long", "ulong"):
        for place in ("own", "shared"):
            yield from (Case(operation, type_, "relaxed", scope="", place=place, family="legacy")
                        for operation in LEGACY)
    for type_ in ("uint", "ulong"):
        yield from (Case(operation, type_, "relaxed", scope="", place="shared", family="counter")
                    for operation in ("inc", "dec"))


def others():
    for order in ORDERS:
        yield from (Case("fence", "int", order, scope=scope) for scope in SCOPES)
        yield from (Case(loop, type_, order) for loop in LOOPS for type_ in ("int", "ulong"))
    yield from (Case(fence, "int", "", scope="") for fence in ("mem_fence", "read_mem_fence", "write_mem_fence"))
    for type_ in ("int", "ulong"):
        yield from (Case(message, type_, "") for message in ("update_and_fence", "update_and_store"))
    yield from (Case("barrier", "int", "", scope=scope) for scope in SCOPES[1:])


def all_cases(types=tuple(SIZES), scopes=SCOPES):
    """Each place with the scope `device`, and each scope with the work-item's own object."""
    for type_ in types:
        yield from operations_of(type_, PLACES, ("device",))
        yield from operations_of(type_, ("own",), [scope for scope in scopes if scope != "device"])
        yield from operations_of(type_, ("own", "shared", "near"), ("device",), is_used=False)
        yield from short_forms(type_)
    yield from flags(PLACES, ("device",))
    yield from flags(("own",), [scope for scope in scopes if scope != "device"])
    yield from older_functions()
    yield from others()
