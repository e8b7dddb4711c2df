#!/usr/bin/env python3
"""Repeats a kernel launch that hostcl captured (HOSTCL_CAPTURE) with PyOpenCL, and compares the memory after the launch
with the memory that was captured. replay.c beside this file does the same in C, and also repeats launches with shared
virtual memory, with queues on the device, and with programs from several parts.

Exit status: 0 if the memory of all arguments is equal, 1 if some differs, 2 after an error."""

import argparse
import json
import pathlib
import subprocess
import sys

import numpy
import pyopencl as cl

ELEMENTS = {"float": "f4", "double": "f8", "half": "f2", "uint": "u4", "int": "i4", "ulong": "u8", "long": "i8",
            "ushort": "u2", "short": "i2"}
MOST_SHOWN = 5


class Unsupported(Exception):
    pass


def decompressed(file):
    try:
        import zstandard
        return zstandard.ZstdDecompressor().decompressobj().decompress(file.read_bytes())
    except ImportError:
        return subprocess.run(["zstd", "-dcq", file], check=True, stdout=subprocess.PIPE).stdout


def chosen_device(wanted):
    for platform in cl.get_platforms():
        for device in platform.get_devices():
            if wanted in platform.name or wanted in device.name:
                print(f"platform '{platform.name}', device '{device.name}'")
                return device
    raise Unsupported(f"no platform and no device has '{wanted}' in its name")


def built_program(context, folder, program):
    kind = program.get("kind")
    if kind not in ("source", "il") or program["headers"] or program["constants"]:
        raise Unsupported("the program is not made of one source or one SPIR-V module; replay.c may repeat the launch")
    contents = (folder / program["file"]).read_bytes()
    # PyOpenCL takes quotation marks out of options in one string, and its cache fails where a build does.
    return cl.Program(context, contents if kind == "il" else contents.decode(errors="replace")).build(
        [program["options"]], cache_dir=False)


class Launch:
    def __init__(self, folder, wanted):
        self.folder = folder
        self.described = json.loads((folder / "launch.json").read_text())
        for sentence in self.described["unsupported"]:
            print(f"unsupported: {sentence}")
        if self.described["enqueues"] or any(m["svm"] for m in self.described["memory"]):
            raise Unsupported("the launch uses SVM or a queue on the device; replay.c may repeat the launch")
        self.context = cl.Context([chosen_device(wanted)])
        self.queue = cl.CommandQueue(self.context, properties=cl.command_queue_properties.PROFILING_ENABLE)
        program = built_program(self.context, folder, self.described["program"])
        self.kernel = cl.Kernel(program, self.described["kernel"])
        self.before = [decompressed(folder / m["before"]) for m in self.described["memory"]]
        self.objects = [None if m["image"] else cl.Buffer(self.context, cl.mem_flags.READ_WRITE, m["bytes"])
                        for m in self.described["memory"]]
        self.regions = {}  # of images with storage of their own
        self.values = [self.value(argument) for argument in self.described["arguments"]]  # keeps the objects alive
        for index, value in enumerate(self.values):
            self.kernel.set_arg(index, value)

    def buffer(self, argument):
        whole = self.objects[argument["memory"]]
        first, size = argument["offset"], argument["bytes"]
        return whole if (first, size) == (0, whole.size) else whole.get_sub_region(first, size)

    def image(self, argument):
        memory = argument["memory"]
        if memory in self.regions:
            return self.objects[memory]
        image_format = cl.ImageFormat(argument["order"], argument["data_type"])
        description = cl.ImageDescriptor()
        description.image_type = argument["object"]
        description.shape = (argument["width"], argument["height"], argument["depth"])
        description.array_size = argument["layers"]
        if self.objects[memory] is not None:
            description.buffer = self.buffer(argument)
            description.pitches = (argument["row_pitch"], 0)
        access = argument["flags"] & (cl.mem_flags.READ_WRITE | cl.mem_flags.READ_ONLY | cl.mem_flags.WRITE_ONLY)
        image = cl.Image(self.context, access, image_format, desc=description)
        if self.objects[memory] is None:
            rows = argument["object"] == cl.mem_object_type.IMAGE1D_ARRAY
            self.regions[memory] = ((argument["width"], argument["layers"], 1) if rows else
                                    (argument["width"], argument["height"], argument["depth"] * argument["layers"]))
            self.objects[memory] = image
        return image

    def value(self, argument):
        kind = argument["kind"]
        if kind == "value":
            return bytes.fromhex(argument["value"])
        if kind == "local":
            return cl.LocalMemory(argument["bytes"])
        if kind == "sampler":
            return cl.Sampler(self.context, bool(argument["normalized"]), argument["addressing"], argument["filter"])
        if kind in ("buffer", "image"):
            if "memory" not in argument:
                return None
            return self.image(argument) if kind == "image" else self.buffer(argument)
        raise Unsupported(f"argument '{argument['name']}' is a {kind}; replay.c may repeat the launch")

    def run(self):
        """Runs the launch on the memory as it was before. Returns nanoseconds."""
        for index, contents in enumerate(self.before):
            where = {"origin": (0, 0, 0), "region": self.regions[index]} if index in self.regions else {}
            cl.enqueue_copy(self.queue, self.objects[index], contents, **where)
        event = cl.enqueue_nd_range_kernel(self.queue, self.kernel, self.described["global_size"],
                                           self.described["local_size"], self.described["global_offset"])
        event.wait()
        return event.profile.end - event.profile.start

    def contents(self, index):
        now = numpy.empty(self.described["memory"][index]["bytes"], numpy.uint8)
        where = {"origin": (0, 0, 0), "region": self.regions[index]} if index in self.regions else {}
        cl.enqueue_copy(self.queue, now, self.objects[index], **where)
        return now


def element_type(argument):
    channel = argument.get("data_type")
    name = {cl.channel_type.FLOAT: "float", cl.channel_type.HALF_FLOAT: "half"}.get(channel)
    return ELEMENTS.get(name or argument["type"].rstrip("*").strip().rstrip("0123456789"), "u1")


def are_equal(recorded, now, tolerance):
    """Which elements are equal: their bytes, or floating-point numbers at most `tolerance` units in the last place
    apart."""
    integers = f"i{recorded.itemsize}"
    equal = recorded.view(integers) == now.view(integers)
    if recorded.dtype.kind == "f":
        equal |= numpy.isnan(recorded) & numpy.isnan(now)
        if tolerance:
            a, b = (numpy.where(x.view(integers) < 0, -(x.view(integers) & numpy.iinfo(integers).max), x.view(integers))
                    for x in (recorded, now))
            apart = numpy.where(a > b, a - b, b - a).view(integers.replace("i", "u"))
            equal |= ~numpy.isnan(recorded) & ~numpy.isnan(now) & (apart <= tolerance)
    return equal


def compare(launch, index, argument, tolerance):
    """Prints the first elements that differ. Returns how many differ."""
    kind = numpy.dtype(element_type(argument))
    size = argument["bytes"] // kind.itemsize * kind.itemsize
    memory = argument["memory"]
    part = slice(argument["offset"], argument["offset"] + size)
    recorded = numpy.frombuffer(decompressed(launch.folder / launch.described["after"][memory]), numpy.uint8)
    recorded, now = (numpy.ascontiguousarray(x[part]).view(kind) for x in (recorded, launch.contents(memory)))
    differing = numpy.flatnonzero(~are_equal(recorded, now, tolerance))
    for at in differing[:MOST_SHOWN]:
        print(f"argument {index} '{argument['name']}', element {at}: {recorded[at]!r} captured, {now[at]!r} now")
    if len(differing):
        print(f"argument {index} '{argument['name']}': {len(differing)} of {len(now)} differ")
    return len(differing)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--platform", default="", help="a part of the name of the platform or of its device")
    parser.add_argument("--tolerance", type=int, default=0, metavar="ULPS",
                        help="floating-point numbers may be so many units in the last place apart")
    parser.add_argument("--repeat", type=int, default=0, metavar="N",
                        help="repeats the launch N more times, and prints how long they took")
    parser.add_argument("folder", nargs="?", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent)
    arguments = parser.parse_args()
    try:
        launch = Launch(arguments.folder, arguments.platform)
        launch.run()
        if "after" not in launch.described:
            print("the capture has no memory after the launch: the launch ended the process")
            return 0
        differing = sum(compare(launch, index, argument, arguments.tolerance)
                        for index, argument in enumerate(launch.described["arguments"]) if "memory" in argument)
        if not differing:
            print("equal")
        times = sorted(launch.run() / 1000 for _ in range(arguments.repeat))
        if times:
            print(f"{len(times)} launches: least {times[0]:.3f} us, median {times[len(times) // 2]:.3f} us, "
                  f"most {times[-1]:.3f} us")
        return 1 if differing else 0
    except Exception as error:  # also of a launch.json that is damaged: status 1 would say that memory differs
        print(f"run.py: {type(error).__name__}: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
