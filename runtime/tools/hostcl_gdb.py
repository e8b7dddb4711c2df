"""Commands of gdb for kernels that hostcl runs: `help hostcl` lists them, docs/debugging.md has an example.

Kernels that are built for debuggers (-g -cl-opt-disable, or HOSTCL_DEBUG=1) run one work-item at a time on each thread.
Variables of the kernel's scope say which: __hostcl_global_id, __hostcl_local_id and __hostcl_group_id.
"""

import gdb

GLOBAL, LOCAL, GROUP = "__hostcl_global_id", "__hostcl_local_id", "__hostcl_group_id"
MOST_FRAMES = 64  # between a function of a kernel and the kernel


def variable(frame, name):
    """The three numbers that a variable has in a frame, or None."""
    try:
        value = frame.read_var(name)
        return None if value.is_optimized_out else tuple(int(value[i]) for i in range(3))
    except (ValueError, gdb.error):
        return None


class Place:
    """A work-item, and the frame of its kernel."""

    def __init__(self, frame):
        self.frame = frame
        self.item, self.local, self.group = (variable(frame, name) for name in (GLOBAL, LOCAL, GROUP))

    def __str__(self):
        return f"work-item {text(self.item)}"


def text(numbers):
    return "(" + ",".join(map(str, numbers)) + ")"


def place_of(frame):
    """The work-item that a frame belongs to, or None outside of kernels."""
    for _ in range(MOST_FRAMES):
        if frame is None or not frame.is_valid():
            return None
        if variable(frame, GLOBAL) is not None:
            return Place(frame)
        frame = frame.older()
    return None


def current_place():
    try:
        place = place_of(gdb.selected_frame())
    except gdb.error:
        place = None
    if place is None:
        raise gdb.GdbError("no work-item runs here; kernels tell theirs if they are built with -g -cl-opt-disable, "
                           "or with HOSTCL_DEBUG=1")
    return place


class Filter:
    """The one work-item that breakpoints stop in."""

    item = None
    before = {}  # conditions that breakpoints had, by number

    @classmethod
    def set(cls, item):
        cls.clear()
        cls.item = item
        for breakpoint in gdb.breakpoints() or ():
            cls.narrow(breakpoint)

    @classmethod
    def narrow(cls, breakpoint):
        """Narrows a breakpoint once its place is known: gdb would give up one that waits with a condition set later."""
        if cls.item is None or breakpoint.type != gdb.BP_BREAKPOINT or breakpoint.number <= 0:
            return
        if breakpoint.pending or breakpoint.number in cls.before:
            return
        condition = breakpoint.condition
        cls.before[breakpoint.number] = condition
        breakpoint.condition = "$hostcl_is_chosen()" + (f" && ({condition})" if condition else "")

    @classmethod
    def clear(cls):
        for breakpoint in gdb.breakpoints() or ():
            if breakpoint.number in cls.before:
                breakpoint.condition = cls.before[breakpoint.number]
        cls.before.clear()
        cls.item = None


class IsChosen(gdb.Function):
    """$hostcl_is_chosen(): whether `hostcl work-item` lets breakpoints stop here; it does outside of kernels."""

    def __init__(self):
        super().__init__("hostcl_is_chosen")

    def invoke(self):
        place = place_of(gdb.newest_frame())
        return Filter.item is None or place is None or place.item == Filter.item


class InItem(gdb.Function):
    """$hostcl_item(X, Y, Z): whether this is the work-item with that global id. For conditions of breakpoints, also in
functions that kernels call."""

    def __init__(self):
        super().__init__("hostcl_item")

    def invoke(self, x, y=0, z=0):
        place = place_of(gdb.newest_frame())
        return place is not None and place.item == (int(x), int(y), int(z))


class Command(gdb.Command):
    """Commands for kernels that hostcl runs."""

    def __init__(self):
        super().__init__("hostcl", gdb.COMMAND_RUNNING, gdb.COMPLETE_NONE, prefix=True)


class WorkItem(gdb.Command):
    """hostcl work-item X [Y [Z]]: breakpoints stop in the work-item with this global id alone.
hostcl work-item all: they stop in all of them again. Without an argument: says which work-item this is."""

    def __init__(self):
        super().__init__("hostcl work-item", gdb.COMMAND_BREAKPOINTS)

    def invoke(self, argument, from_tty):
        words = gdb.string_to_argv(argument)
        if not words:
            place = current_place()
            print(f"{place}, local id {text(place.local)}, work-group {text(place.group)}")
        elif words == ["all"]:
            Filter.clear()
            print("Breakpoints stop in all work-items.")
        elif len(words) <= 3 and all(word.isdigit() for word in words):
            Filter.set(tuple(map(int, words)) + (0,) * (3 - len(words)))
            print(f"Breakpoints in kernels stop in work-item {text(Filter.item)}.")
        else:
            raise gdb.GdbError(f"hostcl work-item: '{argument}' is not a global id; that is one to three numbers")


def places():
    """Each thread that runs a work-item, with its place."""
    selected, frame = gdb.selected_thread(), gdb.selected_frame()
    found = []
    for thread in sorted(gdb.selected_inferior().threads(), key=lambda thread: thread.num):
        thread.switch()
        place = place_of(gdb.newest_frame())
        if place is not None:
            newest = gdb.newest_frame()
            found.append((thread, place, f"{newest.name()} at line {newest.find_sal().line}"))
    selected.switch()
    frame.select()
    return found


class Groups(gdb.Command):
    """hostcl groups: the work-groups that run, each with its thread, its work-item and where that is."""

    def __init__(self):
        super().__init__("hostcl groups", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        running = places()
        for thread, place, where in running:
            print(f"thread {thread.num}: {place.frame.name()}, work-group {text(place.group)}, {place}, {where}")
        if not running:
            print("No work-group runs.")


class Lanes(gdb.Command):
    """hostcl lanes EXPRESSION: its value in each work-item that runs."""

    def __init__(self):
        super().__init__("hostcl lanes", gdb.COMMAND_DATA, gdb.COMPLETE_EXPRESSION)

    def invoke(self, argument, from_tty):
        if not argument:
            raise gdb.GdbError("hostcl lanes: there is no expression")
        current_place()
        selected, frame = gdb.selected_thread(), gdb.selected_frame()
        try:
            for thread, place, _ in places():
                thread.switch()
                try:
                    value = gdb.parse_and_eval(argument).format_string()
                except gdb.error as error:
                    value = f"<{error}>"
                print(f"{place}: {value}")
        finally:
            selected.switch()
            frame.select()


class Return(gdb.Breakpoint):
    """Stops a thread where its work-item goes on, or has ended."""

    def __init__(self, address, thread, place, is_end=False):
        super().__init__(f"*{address:#x}", internal=True)
        self.silent = True
        self.thread_number, self.item, self.group, self.is_end = thread, place.item, place.group, is_end
        self.has_ended = False

    def stop(self):
        if gdb.selected_thread().num != self.thread_number:
            return False
        place = None if self.is_end else place_of(gdb.newest_frame())
        self.has_ended = self.is_end or (place is not None and place.group != self.group)
        return self.has_ended or (place is not None and place.item == self.item)


def statements(pc):
    """The addresses at which statements begin in the function around an address."""
    block = gdb.block_for_pc(pc)
    function = None
    while block is not None and not block.is_static and not block.is_global:
        function = block if block.function is not None else function
        block = block.superblock
    if function is None:
        return []
    table = gdb.find_pc_line(pc).symtab.linetable()
    return sorted({entry.pc for entry in table if entry.line > 0 and function.start <= entry.pc < function.end})


class Step(gdb.Command):
    """hostcl step: steps in this work-item alone. Where it waits at a barrier, others run until it goes on."""

    def __init__(self):
        super().__init__("hostcl step", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        place, thread = current_place(), gdb.selected_thread().num
        caller = place.frame
        while caller.type() == gdb.INLINE_FRAME:
            caller = caller.older()
        end, addresses = caller.older().pc(), statements(place.frame.pc())
        gdb.execute("step", to_string=True)
        if not gdb.selected_inferior().threads():
            print("The program has ended.")
            return
        now = place_of(gdb.newest_frame())
        has_ended = gdb.newest_frame().pc() == end  # of the last one
        if not has_ended and (now is None or now.item != place.item):
            has_ended = self.wait_for(place, thread, addresses, end)
        if has_ended:
            print(f"{place} has ended.")
        else:
            gdb.execute("frame")

    @staticmethod
    def wait_for(place, thread, addresses, end):
        """Has others run until the work-item goes on. Returns whether it has ended instead."""
        stops = [Return(address, thread, place) for address in addresses] + [Return(end, thread, place, True)]
        try:
            gdb.execute("continue", to_string=True)
            return any(stop.has_ended for stop in stops)
        finally:
            for stop in stops:
                stop.delete()


for command in (Command, WorkItem, Groups, Lanes, Step, IsChosen, InItem):
    command()
gdb.events.breakpoint_created.connect(Filter.narrow)
gdb.events.breakpoint_modified.connect(Filter.narrow)
