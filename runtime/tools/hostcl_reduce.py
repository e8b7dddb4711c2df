#!/usr/bin/env python3
"""Makes a captured launch smaller as long as it is wrong in the same way: hostcl-check --reduce=FOLDER [-- TEST].

A launch is wrong if it crashes, or if its results differ from those of code without optimisations for one work-item at
a time, or from those of another platform (--against). With a TEST, a launch is wrong if `TEST FOLDER` ends with status
0; $REPLAY is the program that repeats launches. No smaller launch may have mistakes of kinds that HOSTCL_CHECK does not
find in the whole launch: the results of a kernel with such a mistake may differ although the driver is right.

Exit status: 0 if FOLDER.reduced has the smallest launch that was found, 1 if the launch is not wrong, 2 after an error.
"""

import argparse
import copy
import json
import math
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

# Memory that no work-item has written is zero, so that results do not differ for this reason. No run adds to reports of
# the application, and no call fails on purpose.
SETTINGS = {"HOSTCL_CACHE": "0", "HOSTCL_LOG": "off", "HOSTCL_CAPTURE": "", "HOSTCL_CLEAR": "1", "HOSTCL_COVERAGE": "",
            "HOSTCL_PROFILE": "", "HOSTCL_TRACE": "", "HOSTCL_PERF": "none", "HOSTCL_CHECK_REPORT": "",
            "HOSTCL_FAIL": "", "HOSTCL_FAIL_REPORT": ""}
PLAIN = {"HOSTCL_CODE": "tier1", "HOSTCL_WIDTH": "1", "HOSTCL_STOP_AFTER": "0"}
# Code that is compiled for a launch, and tier 0 code as it is for a first launch.
WAYS = {"optimised code": {"HOSTCL_CODE": "tier1"},
        "tier 0 code": {"HOSTCL_CODE": "tier0", "HOSTCL_TEST_STEPS": "first"}}
SECONDS = 600  # for the whole launch
EQUAL, DIFFERS, FAILS = 0, 1, 2  # exit statuses of replay.c


def say(sentence):
    print(f"hostcl-check: {sentence}", file=sys.stderr, flush=True)


def stop(status, sentence):
    say(sentence)
    sys.exit(status)


class Launch:
    """A folder with a captured launch."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.described = json.loads((self.folder / "launch.json").read_text())

    def write(self):
        (self.folder / "launch.json").write_text(json.dumps(self.described, indent=1) + "\n")

    def copy_to(self, folder):
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self.folder, folder)
        return Launch(folder)

    def source(self):
        """The file with the source; None if the program has several parts or no source."""
        program = self.described["program"]
        return self.folder / program["file"] if program.get("kind") == "source" else None

    def size(self):
        items = 1
        for size in self.described["global_size"]:
            items *= size
        source = self.source()
        lines = len([line for line in source.read_text(errors="replace").splitlines() if line.strip()]) if source else 0
        return items, sum(memory["bytes"] for memory in self.described["memory"]), lines


class Oracle:
    """Says whether a launch is wrong in the way in which the whole launch is. Kept as JSON for the runs of cvise."""

    def __init__(self, replay, against="", tolerance=0, test=()):
        self.replay, self.against, self.tolerance, self.test = str(replay), against, tolerance, list(test)
        self.way = None  # settings with which the launch is wrong
        self.crash = None  # the status with which the launch ends then; None if its results differ
        self.working_folder = os.getcwd()  # build options may name folders relative to it
        self.known = []  # the checks that find a mistake in the whole launch
        self.options = ""  # of builds in addition to the captured ones
        self.seconds = SECONDS  # a launch that takes longer is not kept: its loop may have lost the increment

    def run(self, launch, settings, platform, *options):
        """Exit status of replay.c; None if it took too long."""
        captured = {name: value for name, value in launch.described["settings"].items()
                    if not name.startswith(("HOSTCL_CAPTURE", "HOSTCL_CACHE", "HOSTCL_LOG"))}
        environment = os.environ | captured | SETTINGS | settings
        command = [self.replay, f"--platform={platform}", f"--tolerance={self.tolerance}", *options, str(launch.folder)]
        if platform == "hostcl":
            command.append(f"--options={self.options}")
        try:
            return subprocess.run(command, env=environment, cwd=self.working_folder, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=self.seconds).returncode
        except subprocess.TimeoutExpired:
            return None

    def note_reference(self, launch):
        """Makes the results of the reference those that the launch is compared with. Returns whether it has any."""
        launch.described.pop("after", None)
        launch.write()
        settings = {} if self.against else PLAIN
        if self.run(launch, settings, self.against or "hostcl", f"--output={launch.folder}") != EQUAL:
            return False
        launch.described["after"] = [f"memory-{i}.after" for i in range(len(launch.described["memory"]))]
        launch.write()
        return True

    def findings(self, launch):
        """The checks that find a mistake."""
        with tempfile.NamedTemporaryFile("r") as report:
            self.run(launch, {"HOSTCL_CHECK": "all", "HOSTCL_CHECK_REPORT": report.name}, "hostcl")
            return sorted(set(re.findall(r'^\{"check":"(\w+)"', report.read(), re.MULTILINE)))

    def learn(self, launch):
        """Finds out in which way the launch is wrong. Returns a sentence; None if the launch is not wrong."""
        if self.test:
            return "the test says so" if self.passes_test(launch) else None
        # If the whole launch has no warnings, no smaller launch may have any: for example, a function that has lost its
        # return statement has an undefined result.
        self.options = "-Werror"
        status = self.run(launch, PLAIN, "hostcl")
        if status is None:
            stop(2, f"the launch takes longer than {SECONDS} seconds")
        if status == FAILS:
            self.options = ""
        began = time.monotonic()
        self.known = self.findings(launch)
        self.seconds = min(5 + 10 * (time.monotonic() - began), SECONDS)
        has_reference = self.note_reference(launch)
        for name, settings in WAYS.items():
            status = self.run(launch, settings, "hostcl")
            if status is None:
                say(f"{name} does not end within {self.seconds:.0f} seconds; a TEST can reduce such a launch")
                continue
            if status < 0:
                self.way, self.crash = settings, status
                return f"{name} ends the process with signal {-status}"
            if has_reference and status == DIFFERS:
                self.way = settings
                return f"results of {name} differ from those of {self.against or 'code without optimisations'}"
        return None

    def passes_test(self, launch):
        return subprocess.run([*self.test, str(launch.folder)], env=os.environ | {"REPLAY": self.replay},
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL).returncode == 0

    def is_wrong(self, launch):
        if self.test:
            return self.passes_test(launch)
        if self.crash is not None:
            return (self.run(launch, self.way, "hostcl") == self.crash and
                    not set(self.findings(launch)) - set(self.known))
        return (self.note_reference(launch) and self.run(launch, self.way, "hostcl") == DIFFERS and
                not set(self.findings(launch)) - set(self.known))


class Reduction:
    def __init__(self, oracle, launch, folder):
        self.oracle, self.best, self.folder = oracle, launch, folder

    def attempt(self, change):
        """Changes a copy of the launch, and keeps the copy if it is still wrong. Returns whether it is."""
        candidate = self.best.copy_to(self.folder / "candidate")
        change(candidate)
        candidate.write()
        if not self.oracle.is_wrong(candidate):
            return False
        # Not to the folder of the launch that is the best until then: Ctrl-C may end the copy.
        self.best = candidate.copy_to(self.folder / ("better" if self.best.folder.name == "best" else "best"))
        return True

    def attempt_number(self, numbers, change):
        """Keeps the first of the numbers with which the launch is still wrong."""
        any(self.attempt(lambda candidate, number=number: change(candidate, number)) for number in numbers)

    def reduce_sizes(self):
        dimensions = len(self.best.described["global_size"])
        for dimension in range(dimensions):
            def set_offset(candidate, number):
                candidate.described["global_offset"][dimension] = number

            def set_groups(candidate, number):
                candidate.described["global_size"][dimension] = number * candidate.described["local_size"][dimension]

            def set_local(candidate, number):
                described = candidate.described
                groups = described["global_size"][dimension] // described["local_size"][dimension]
                described["local_size"][dimension] = number
                described["global_size"][dimension] = max(groups, 1) * number

            if self.best.described["global_offset"][dimension]:
                self.attempt_number([0], set_offset)
            local, size = (self.best.described[key][dimension] for key in ("local_size", "global_size"))
            self.attempt_number(powers_below(size // local), set_groups)
            self.attempt_number(powers_below(local), set_local)

    def reduce_values(self):
        """Makes integers that are arguments smaller, such as the number of elements."""
        for index, argument in enumerate(self.best.described["arguments"]):
            if argument["kind"] != "value" or argument["type"] not in ("int", "uint", "long", "ulong"):
                continue

            def set_value(candidate, number):
                changed = candidate.described["arguments"][index]
                changed["value"] = number.to_bytes(len(changed["value"]) // 2, "little").hex()

            value = int.from_bytes(bytes.fromhex(argument["value"]), "little")
            self.attempt_number([0, *powers_below(value)] if value else [], set_value)

    def reduce_memory(self):
        """Makes buffers shorter, and fills them with zeros."""
        for index in range(len(self.best.described["memory"])):
            users = [argument for argument in self.best.described["arguments"] if argument.get("memory") == index]
            if len(users) != 1 or users[0]["kind"] != "buffer" or users[0]["offset"]:
                continue

            def set_bytes(candidate, number):
                described = candidate.described["memory"][index]
                path = candidate.folder / described["before"]
                path.write_bytes(path.read_bytes()[:number])
                described["bytes"] = number
                for argument in candidate.described["arguments"]:
                    if argument.get("memory") == index:
                        argument["bytes"] = number

            def clear(candidate):
                described = candidate.described["memory"][index]
                (candidate.folder / described["before"]).write_bytes(bytes(described["bytes"]))

            self.attempt_number([16 * power for power in powers_below(users[0]["bytes"] // 16)], set_bytes)
            path = self.best.folder / self.best.described["memory"][index]["before"]
            if any(path.read_bytes()):
                self.attempt(clear)

    def reduce_source(self):
        source = self.best.source()
        if source is None:
            return say("the program is not made of one source: its source is not made smaller")
        lines = None
        while lines != (lines := self.lines()):
            self.remove_lines()
        cvise = os.environ.get("CVISE", "cvise")
        if not shutil.which(cvise):
            return say("cvise is not installed: only whole lines of the source are removed")
        self.run_cvise(cvise)
        return self.remove_lines()

    def lines(self):
        text = self.best.source().read_text(errors="surrogateescape")
        return [line for line in text.splitlines() if line.strip()]

    def remove(self, first, end):
        """Removes lines. Returns whether the launch is still wrong."""
        lines = self.lines()
        rest = "\n".join(lines[:first] + lines[end:]) + "\n"
        return self.attempt(lambda candidate: candidate.source().write_text(rest, errors="surrogateescape"))

    def remove_lines(self):
        """Removes whole blocks and groups of lines, of half of the source at first (delta debugging)."""
        count = len(self.lines())
        while count > 1:
            count //= 2
            self.remove_blocks()
            first = 0
            while first < len(self.lines()):
                if not self.remove(first, first + count):
                    first += count
        self.remove_blocks()

    def remove_blocks(self):
        """Removes functions, loops and the like: lines from one that opens a brace to the one that closes it."""
        first = 0
        while first < len(lines := self.lines()):
            depth, end = 0, first
            while end < len(lines):
                depth += lines[end].count("{") - lines[end].count("}")
                end += 1
                if depth <= 0:
                    break
            if end - first < 2 or not self.remove(first, end):
                first += 1

    def run_cvise(self, cvise):
        work = self.folder / "cvise"
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir()
        name = self.best.source().name
        shutil.copy(self.best.source(), work / name)
        (self.folder / "oracle.json").write_text(json.dumps(vars(self.oracle)))
        test = work / "test.sh"
        test.write_text(f"#!/bin/sh\nexec '{sys.executable}' '{pathlib.Path(__file__).resolve()}' --is-wrong "
                        f"'{self.folder}' '{self.best.folder.name}' '{name}'\n")
        test.chmod(0o755)
        with open(self.folder / "cvise.log", "w") as log:
            command = [cvise, "--timeout", str(math.ceil(4 * self.oracle.seconds)), test, name]
            # In a session of its own, so that the processes that it starts end with it.
            process = subprocess.Popen(command, cwd=work, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                       start_new_session=True)
            try:
                if process.wait():
                    say("cvise failed: " + (self.folder / "cvise.log").read_text().strip().rpartition("\n")[2])
            except KeyboardInterrupt:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
                say("cvise was interrupted")
        self.attempt(lambda candidate: shutil.copy(work / name, candidate.source()))


def powers_below(number):
    """1, 2, 4 and so on, below the number."""
    return [1 << bit for bit in range(max(number - 1, 0).bit_length()) if 1 << bit < number]


def is_wrong_with(folder, best, name):
    """Whether the launch in FOLDER/BEST is wrong with the source in the file `name` of the current folder."""
    oracle = Oracle("")
    vars(oracle).update(json.loads((folder / "oracle.json").read_text()))
    with tempfile.TemporaryDirectory() as work:
        candidate = Launch(folder / best).copy_to(pathlib.Path(work) / "launch")
        shutil.copy(name, candidate.source())
        return oracle.is_wrong(candidate)


def compiled_replay(folder, work):
    command = [os.environ.get("CC", "cc"), folder / "replay.c", "-o", work / "replay", "-lOpenCL", "-lzstd"]
    process = subprocess.run(command, capture_output=True, text=True)
    if process.returncode:
        stop(2, f"{folder}/replay.c cannot be compiled; this needs a C compiler and the headers of OpenCL and of "
             f"Zstandard:\n{process.stderr}")
    return work / "replay"


def sentence_of(size):
    items, memory, lines = size
    return f"{items} work-items, {memory} bytes of memory, {lines} lines"


def reduce(arguments, work):
    folder = arguments.folder
    if not (folder / "launch.json").is_file():
        stop(2, f"{folder} has no launch.json; HOSTCL_CAPTURE=FOLDER captures launches")
    oracle = Oracle(compiled_replay(folder, work), arguments.against, arguments.tolerance, arguments.test)
    launch = Launch(folder).copy_to(work / "best")
    unpack = [oracle.replay, f"--unpack={launch.folder}", str(launch.folder)]
    if subprocess.run(unpack, stdout=subprocess.DEVNULL).returncode:
        stop(2, f"the memory of {folder} cannot be read")
    for index, memory in enumerate(launch.described["memory"]):
        memory["before"] = f"memory-{index}.before"
    launch.described.pop("after", None)  # the results of the whole launch
    launch.write()
    for compressed in launch.folder.glob("memory-*.zst"):
        compressed.unlink()
    whole = copy.deepcopy(launch.size())
    reason = oracle.learn(launch)
    if reason is None:
        if arguments.test:
            stop(1, f"the launch in {folder} is not wrong: the test does not end with status 0")
        stop(1, f"the launch in {folder} is not wrong: its results are those of "
             f"{arguments.against or 'code without optimisations'}; --against=PLATFORM compares with another driver")
    say(f"the launch is wrong: {reason}")
    say(sentence_of(whole))

    reduction = Reduction(oracle, launch, work)
    data = [reduction.reduce_sizes, reduction.reduce_values, reduction.reduce_memory]
    last = []
    if oracle.crash is not None:
        # With a smaller value, an access may crash by luck, and only as long as other memory lies where it does.
        last.append(data.pop(1))
    try:
        for part in [*data, reduction.reduce_source, *data, *last]:
            before = reduction.best.size()
            part()
            if reduction.best.size() != before:
                say(sentence_of(reduction.best.size()))
    except KeyboardInterrupt:
        say("interrupted")
    result = pathlib.Path(f"{folder}.reduced")
    reduction.best.copy_to(result)
    say(f"the smallest launch that was found is in {result}")


def main():
    if sys.argv[1:2] == ["--is-wrong"]:
        sys.exit(not is_wrong_with(pathlib.Path(sys.argv[2]), *sys.argv[3:]))
    parser = argparse.ArgumentParser(prog="hostcl-check --reduce")
    parser.add_argument("--against", default="")
    parser.add_argument("--tolerance", type=int, default=0)
    parser.add_argument("folder", type=lambda text: pathlib.Path(text.rstrip("/")))
    parser.add_argument("test", nargs="*")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="hostcl-reduce-") as work:
        reduce(arguments, pathlib.Path(work))


if __name__ == "__main__":
    main()
