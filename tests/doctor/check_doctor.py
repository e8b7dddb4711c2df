#!/usr/bin/env python3
"""check_doctor.py BUILD FAULT: plants a fault and reads what hostcl-doctor says about it.

Each fault is a function of this file. It says which problems the tool has to name, all of them and no others. Exit status 77:
the fault cannot be planted here.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from place import (DOCTOR, DRIVER, FILTER, LIBRARIES, OTHER_USER, Place, Skipped, another_user, name_of, own_mounts,
                   with_hostcl)


# --- nothing is wrong

def healthy(place):
    with_hostcl(place)
    findings = place.expect({})
    [kernel] = name_of(findings, "kernel")
    assert "results are right" in kernel["text"]
    text = place.run()
    assert text.returncode == 0 and text.stdout.decode().endswith("\nAll is well\n")
    # The folder of the cache was made, and the kernel that has been run is in it.
    [cache] = name_of(place.diagnose(), "cache")
    assert cache["facts"]["entries"] > 0 and cache["facts"]["bytes"] > 0


def clinfo(place):
    """clinfo -l lists the same platforms and devices in the same order."""
    if not shutil.which("clinfo"):
        raise Skipped("clinfo is not installed")
    with_hostcl(place)
    for link in pathlib.Path("/etc/OpenCL/vendors").glob("pocl.icd"):
        place.icd("pocl.icd", link.read_bytes())
    findings = place.diagnose()
    ours = []
    for platform in name_of(findings, "platform"):
        ours.append(platform["facts"]["name"])
        ours += [device["name"] for device in platform["facts"]["devices"]]
    output = subprocess.run(["clinfo", "-l"], env=place.environment, capture_output=True, text=True, check=True).stdout
    theirs = [line.split(": ", 1)[1].strip() for line in output.splitlines() if ": " in line]
    assert ours == theirs and "hostcl" in ours, (ours, theirs)


# --- descriptions of devices

def report(place):
    """A description of hostcl's device, which HOSTCL_DEVICE reads back: the device is the same, and there is no warning."""
    with_hostcl(place)
    first, second = place.folder / "first.json", place.folder / "second.json"
    for file, variables in ((first, {}), (second, {"HOSTCL_DEVICE": str(first)})):
        done = place.run(f"--report={file}", **variables)
        assert done.returncode == 0 and not done.stderr, done
    description = json.loads(first.read_text())
    assert json.loads(second.read_text()) == description
    assert description["device"]["CL_DEVICE_MAX_WORK_GROUP_SIZE"] > 0 and description["image_formats"]
    # The device is named by numbers as well, and the description is printed without a file.
    assert json.loads(place.run("--report", "--device=0:0").stdout) == description
    schema = pathlib.Path(__file__).parents[2] / "devices" / "device.schema.json"
    try:
        import jsonschema
        jsonschema.validate(description, json.loads(schema.read_text()))
    except ImportError:
        print("jsonschema is not installed: the description is not compared with the schema")
    if not shutil.which("clinfo"):
        print("clinfo is not installed: its output is not compared")
        return
    listed = []
    for variables in ({}, {"HOSTCL_DEVICE": str(first)}):
        done = subprocess.run(["clinfo"], env=place.environment | variables, capture_output=True, text=True, check=True)
        assert "warning" not in done.stdout + done.stderr, done.stderr
        # Of the platform's own extensions, platforms of described devices list cl_khr_icd alone.
        listed.append(done.stdout[done.stdout.index("  Device Name"):].splitlines())
    assert listed[0] == listed[1], [pair for pair in zip(*listed) if pair[0] != pair[1]]


def report_wrong(place):
    """Devices that do not exist, and files that cannot be written."""
    with_hostcl(place)
    for arguments, status, words in ((["--device=1:0"], 1, "there is no platform 1"),
                                     (["--device=0:1"], 1, "platform 0 has no device 1"),
                                     (["--device=gpu"], 2, "--device=gpu: it must be two numbers"),
                                     ([f"--report={place.folder}/none/file.json"], 1, "No such file or directory"),
                                     (["--loader=libOpenCL_none.so.1"], 1, "there is no ICD loader")):
        done = place.run("--report", *arguments)
        assert done.returncode == status and words in done.stderr.decode(), done
    (place.vendors / "hostcl.icd").unlink()
    done = place.run("--report")
    assert done.returncode == 1 and "no platform named hostcl" in done.stderr.decode(), done


# --- ICD loaders and files

def no_loader(place):
    with_hostcl(place)
    place.expect({"loader.none": "there is no ICD loader"}, "--loader=libOpenCL_none.so.1")


def bare_root(place):
    """A root folder with the tool and its libraries alone: no loader, no driver, no /proc, no /sys."""
    if os.geteuid() != 0:
        raise Skipped("only root can change the root folder")
    root = place.folder / "root"
    for path in {word for line in subprocess.run(["ldd", DOCTOR], capture_output=True, text=True, check=True).stdout.splitlines()
                 for word in line.split() if word.startswith("/")}:
        target = root / path[1:]
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
    shutil.copy(DOCTOR, root / "doctor")
    done = subprocess.run(["/usr/sbin/chroot", root, "/doctor", "--json"], env={"HOME": "/"}, capture_output=True, timeout=100)
    problems = {each["name"]: each for each in json.loads(done.stdout)["findings"] if each["level"] == "problem"}
    assert set(problems) == {"loader.none", "icd.no-folder", "icd.hostcl-missing", "process.no-sys", "process.no-proc"}, problems


def wrong_path(place):
    place.icd("hostcl.icd", "/nowhere/libhostcl.so")
    place.expect({"icd.no-library": "there is no such library", "icd.hostcl-missing": str(DRIVER),
                  "platform.no-hostcl": "no platform at all"})


def vendors_is_file(place):
    """ocl-icd takes a file, Khronos' loader does not."""
    icd = place.icd("hostcl.icd", DRIVER)
    place.expect({}, OCL_ICD_VENDORS=str(icd))
    place.expect({}, OCL_ICD_VENDORS=str(DRIVER))
    loader = os.environ.get("HOSTCL_TEST_KHRONOS_LOADER", LIBRARIES / "libstub_loader.so")
    place.expect({"icd.vendors-not-folder": "Khronos' loader", "icd.hostcl-missing": "OCL_ICD_FILENAMES=",
                  "platform.no-hostcl": "no platform"}, f"--loader={loader}", OCL_ICD_VENDORS=str(icd))


def vendors_is_empty(place):
    place.expect({"icd.empty-folder": "ends with .icd", "icd.hostcl-missing": "OCL_ICD_VENDORS=",
                  "platform.no-hostcl": "no platform"})
    place.expect({"icd.vendors-not-folder": "Khronos' loader", "icd.hostcl-missing": "OCL_ICD_FILENAMES=",
                  "platform.no-hostcl": "no platform"}, f"--loader={LIBRARIES}/libstub_loader.so", OCL_ICD_VENDORS="")


def file_names_unread(place):
    with_hostcl(place)
    place.expect({"icd.file-names-unread": "ocl-icd"}, OCL_ICD_FILENAMES=str(DRIVER))


def loader_loses_it(place):
    """The library works, and the loader lists nothing."""
    with_hostcl(place)
    place.expect({"platform.lost": "use another loader"}, f"--loader={LIBRARIES}/libstub_loader.so")


def another_first(place):
    """Loaders read ICD files in the order of their names, and ocl-icd sorts platforms afterwards."""
    with_hostcl(place)
    for name in "first.icd", "last.icd":
        file = place.icd(name, LIBRARIES / "libfirst_driver.so")
        findings = place.expect({"platform.not-first": "take the first platform get first"})
        assert [each["facts"]["name"] for each in name_of(findings, "platform")] == ["first", "hostcl"]
        file.unlink()


def old_glibc(place):
    place.icd("hostcl.icd", LIBRARIES / "libnewer_driver.so")
    place.expect({"icd.old-glibc": "it needs glibc 2.999, this system has 2.", "icd.hostcl-missing": "names hostcl's library",
                  "platform.no-hostcl": "no platform"})


def missing_dependency(place):
    shutil.copy(DRIVER, place.folder / "libhostcl.so")
    place.icd("hostcl.icd", place.folder / "libhostcl.so")
    place.expect({"icd.missing-dependency": "hcltbb.so.12", "icd.hostcl-missing": "names hostcl's library",
                  "platform.no-hostcl": "no platform"})


def broken_own(place):
    """hostcl.icd leads to the library beside the tool, which cannot be loaded: that is said once."""
    for file in (DOCTOR, DRIVER):
        shutil.copy(file, place.folder)
    place.icd("hostcl.icd", place.folder / "libhostcl.so")
    done = subprocess.run([place.folder / "hostcl-doctor", "--json"], env=place.environment, capture_output=True, timeout=100)
    problems = [each["name"] for each in json.loads(done.stdout)["findings"] if each["level"] == "problem"]
    assert problems == ["icd.missing-dependency", "platform.no-hostcl"], problems


def crash_on_load(place):
    place.icd("bad.icd", LIBRARIES / "libcrashing.so")
    with_hostcl(place)
    place.expect({"icd.crash": "signal 11", "platform.crash": "signal 11"})


def exit_on_load(place):
    place.icd("bad.icd", LIBRARIES / "libexiting.so")
    findings = place.expect({"icd.crash": "ended the process with status 3", "platform.crash": "status 3",
                             "icd.hostcl-missing": str(DRIVER)})
    text = place.run().stdout.decode()
    assert max(map(len, text.splitlines())) < 2000 and "\\xff" in text, "what others say is bounded and escaped"
    assert findings


def hang_on_load(place):
    place.icd("bad.icd", LIBRARIES / "libhanging.so")
    with_hostcl(place)
    place.expect({"icd.crash": "did not end within 2 s", "platform.crash": "did not end within 2 s"}, "--patience=2")


def odd_files(place):
    """Files that hold something else than a line with a path, each beside one that is right."""
    with_hostcl(place)
    path = str(DRIVER).encode()
    for content, name, word in ((path + b"\r\n", "icd.text", "Windows"), (b"", "icd.text", "is empty"),
                                (b"\n\n", "icd.text", "is empty"), (b"\n" + path + b"\n", "icd.text", "empty line"),
                                (path + b" \n", "icd.text", "blanks"), (b"/no/\xff\xfe\x01.so\n", "icd.no-library", "no such library"),
                                (b"x" * 3_000_000, "icd.no-library", "xxx"),
                                (str(__file__).encode() + b"\n", "icd.not-library", "ELF"),
                                (b"libc.so.6\n", "icd.not-driver", "clIcdGetPlatformIDsKHR"),
                                (path + b"\0ignored\n", None, "")):
        place.icd("odd.icd", content)
        findings = place.diagnose()
        problems = [each for each in findings if each["level"] == "problem"]
        assert [each["name"] for each in problems] == ([name] if name else []), (content[:40], problems)
        assert all(word in each["text"] for each in problems), problems


def odd_entries(place):
    """Folders, FIFOs and links that are called x.icd."""
    with_hostcl(place)
    (place.vendors / "folder.icd").mkdir()
    place.expect({"icd.unreadable": "it is a folder"})
    (place.vendors / "folder.icd").rmdir()
    (place.vendors / "nowhere.icd").symlink_to("/nowhere/x.icd")
    place.expect({"icd.unreadable": "No such file"})
    (place.vendors / "nowhere.icd").unlink()
    os.mkfifo(place.vendors / "fifo.icd")
    done = place.run("--json", "--patience=2")  # loaders wait for a writer, and so do the children of the tool
    problems = {each["name"] for each in json.loads(done.stdout)["findings"] if each["level"] == "problem"}
    assert problems == {"icd.unreadable", "platform.crash"}, problems


def unreadable(place):
    before = another_user(place)
    icd = place.icd("hostcl.icd", DRIVER)
    icd.chmod(0)
    expected = {"icd.hostcl-missing": "names hostcl's library", "platform.no-hostcl": "no platform"}
    place.expect(expected | {"icd.unreadable": "Permission denied"}, before=before)
    place.vendors.chmod(0)
    place.expect(expected | {"icd.no-folder": "Permission denied"}, before=before)
    place.vendors.chmod(0o755)


# --- the process

def cache_not_writable(place):
    with_hostcl(place)
    (place.folder / "file").touch()
    place.expect({"cache.refused": "not a folder"}, HOSTCL_CACHE_DIR=str(place.folder / "file"))
    place.expect({"cache.not-made": "cannot be made"}, HOSTCL_CACHE_DIR="/proc/none")
    before = another_user(place)
    place.expect({"cache.refused": "another user"}, before=before, HOSTCL_CACHE_DIR=str(place.folder))
    cache = place.folder / "cache"
    cache.mkdir()
    os.chown(cache, OTHER_USER, OTHER_USER)
    cache.chmod(0o500)
    place.expect({"cache.not-writable": "Permission denied"}, before=before, HOSTCL_CACHE_DIR=str(cache))


def no_home(place):
    with_hostcl(place)
    place.expect({"cache.none": "HOME"}, HOME=None)
    place.expect({"cache.none": "HOME"}, HOME="relative")
    place.expect({}, HOME=None, HOSTCL_CACHE="0")


def no_threads(place):
    with_hostcl(place)
    limit = "RLIMIT_NPROC (ulimit -u) is 1"
    place.expect({"process.fork": limit, "process.threads": limit},  # the kernel is compiled and run by the only thread
                 before=another_user(place, "--nproc=1"), HOSTCL_THREADS="4")


def little_memory(place):
    with_hostcl(place)
    findings = place.diagnose(before=["prlimit", f"--as={400 << 20}", "--"])
    [limit] = name_of(findings, "process.memory")
    assert "RLIMIT_AS (ulimit -v) is 400 MB" in limit["text"], limit


def no_sys(place):
    with_hostcl(place)
    place.expect({"process.no-sys": "/sys is not there"}, before=own_mounts("mount -t tmpfs none /sys"))


def no_proc(place):
    with_hostcl(place)
    findings = place.diagnose(before=own_mounts("mount -t tmpfs none /proc"))
    assert "process.no-proc" in {each["name"] for each in findings}


def misspelt(place):
    with_hostcl(place)
    findings = place.expect({"settings.unknown": "HOSTCL_THREADS"}, HOSTCL_THREDS="2")
    assert name_of(findings, "settings.unknown")[0]["facts"]["nearest"] == "HOSTCL_THREADS"
    place.expect({"settings.value": "the value is not valid"}, HOSTCL_WIDTH="3")
    place.expect({"kernel.warning": "is not a CPU that LLVM knows"}, HOSTCL_CPU="pentium9")
    place.expect({"settings.selector": "add opencl:*"}, ONEAPI_DEVICE_SELECTOR="level_zero:gpu")


def odd_variables(place):
    with_hostcl(place)
    place.expect({"settings.unknown": "no such variable"}, HOSTCL_="\udcff\x01")
    place.expect({"settings.value": "the value is not valid"}, HOSTCL_THREADS="9" * 100_000)
    place.expect({}, HOSTCL_PLATFORM_NAME="Other")
    place.expect({}, HOSTCL_THREADS="1", LD_LIBRARY_PATH="::/nowhere:\udcff")


def filtered_code(place):
    with_hostcl(place)
    place.expect({"process.no-executable-memory": "a seccomp filter is active", "kernel.failed": "returned"},
                 before=[FILTER, "exec"])


def filtered_threads(place):
    with_hostcl(place)
    findings = place.diagnose(before=[FILTER, "threads"])
    [threads] = name_of(findings, "process.threads")
    assert "Operation not permitted; a seccomp filter is active" in threads["text"], threads
    print(threads["text"])


def closed_files(place):
    """Standard input and error are closed, and descriptors and sizes of files are limited."""
    with_hostcl(place)
    closed = ["sh", "-c", 'exec "$@" <&- 2>&-', "sh"]
    place.icd("bad.icd", LIBRARIES / "libfirst_driver.so")
    place.expect({"platform.not-first": "first"}, before=closed)
    place.icd("bad.icd", DRIVER)  # the same library again
    place.expect({"cache.not-writable": "File too large"}, before=["prlimit", "--fsize=0", "--"])


def own_needs(place):
    """The tool starts wherever the driver does: it asks for no newer C library, and for none of the driver's."""
    def versions(path):
        output = subprocess.run(["objdump", "-p", path], capture_output=True, text=True, check=True).stdout
        return {tuple(map(int, word[6:].split("."))) for word in output.split() if word.startswith("GLIBC_2")}, output
    of_tool, output = versions(DOCTOR)
    of_driver, _ = versions(DRIVER)
    assert max(of_tool) <= max(of_driver), (max(of_tool), max(of_driver))
    assert "libstdc++" not in output and "OpenCL" not in output and "hcltbb" not in output, output


def wrong_arguments(place):
    for argument in ("--jsn", "--patience=long", "--device=0:0", "more"):
        done = place.run(argument)
        assert done.returncode == 2 and argument in done.stderr.decode()
    assert place.run("--version").stdout.decode().startswith("hostcl-doctor ")


def main():
    with tempfile.TemporaryDirectory() as folder:
        try:
            globals()[sys.argv[2]](Place(folder))
        except Skipped as reason:
            print("skipped:", reason)
            return 77
    return 0


if __name__ == "__main__":
    sys.exit(main())
