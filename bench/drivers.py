"""The OpenCL drivers of this machine, for the scripts that compare them: each runs in a process that sees no other one."""

import glob
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def fail(words):
    sys.exit(f"{pathlib.Path(sys.argv[0]).name}: {words}")


def add_arguments(parser):
    parser.add_argument("--driver", action="append", default=[], metavar="[NAME=]FILE",
                        help="a driver's .so or .icd file, besides the installed ones")
    parser.add_argument("--no-installed", action="store_true", help="leave out the drivers in /etc/OpenCL/vendors")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build", help="build folder (default: build)")


def find_drivers(arguments):
    """Names of drivers and the text of their .icd files, hostcl first."""
    files = [f"hostcl={arguments.build / 'hostcl.icd'}"] if (arguments.build / "hostcl.icd").exists() else []
    if not arguments.no_installed:
        files += sorted(glob.glob("/etc/OpenCL/vendors/*.icd"))
    drivers = {}
    for word in files + arguments.driver:
        name, _, file = word.rpartition("=")
        path = pathlib.Path(file).resolve()
        if not path.exists():
            fail(f"there is no {path}")
        drivers.setdefault(name or path.stem, path.read_text() if path.suffix == ".icd" else f"{path}\n")
    if not drivers:
        fail("no OpenCL driver is installed, and none is built")
    return drivers


def vendor_folders(folder, drivers):
    """A folder with one .icd file for each driver, by name."""
    vendors = {}
    for name, text in drivers.items():
        vendors[name] = pathlib.Path(folder) / name
        vendors[name].mkdir()
        (vendors[name] / "driver.icd").write_text(text)
    return vendors


def environment(vendors, settings=None):
    """The environment of a process that sees the driver of a folder of vendor_folders(), or None for the installed ones;
    `settings` are more variables."""
    variables = {key: value for key, value in os.environ.items() if key != "OCL_ICD_FILENAMES"}
    variables |= {"POCL_KERNEL_CACHE": "0"} | (settings or {})
    return variables | ({"OCL_ICD_VENDORS": str(vendors)} if vendors else {})


def run(command, vendors, limit, processors=None, settings=None):
    """The first JSON object that a benchmark prints, None where it prints nothing, or {"error": why}.

    `vendors` and `settings` are as in environment(); `processors` are those that the process may use, or all."""
    confine = (lambda: os.sched_setaffinity(0, processors)) if processors else None
    try:
        ended = subprocess.run(command, env=environment(vendors, settings), capture_output=True, text=True, timeout=limit, preexec_fn=confine)
    except subprocess.TimeoutExpired:
        return {"error": f"took more than {limit} seconds"}
    if ended.stdout.startswith("{"):
        return json.loads(ended.stdout.splitlines()[0])
    if ended.returncode == 0:
        return None
    return {"error": ended.stderr.strip().splitlines()[-1] if ended.stderr.strip() else f"ended with {ended.returncode}"}


def list_cases(program, words):
    """The names that a benchmark's --list shows for `words`, or for all."""
    listed = subprocess.run([program, "--list", *words], capture_output=True, text=True)
    if listed.returncode:
        sys.exit(listed.stderr.strip())
    return [line.split()[0] for line in listed.stdout.splitlines()]
