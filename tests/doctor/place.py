"""Where check_doctor.py plants its faults: a folder, an environment, and what the tool finds there."""

import json
import os
import pathlib
import subprocess
import sys

BUILD = pathlib.Path(sys.argv[1]).resolve()
DOCTOR = BUILD / "hostcl-doctor"
LIBRARIES = BUILD / "tests" / "doctor"
FILTER = LIBRARIES / "doctor_filter"
DRIVER = BUILD / "libhostcl.so"
OTHER_USER = 65534
PATH = "/usr/sbin:/usr/bin:/sbin:/bin"


class Skipped(Exception):
    pass


class Place:
    """A folder with vendors/, home/ and the environment of the tool."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.folder.chmod(0o755)  # other users come here as well
        self.vendors = self.folder / "vendors"
        self.vendors.mkdir()
        (self.folder / "home").mkdir()
        # What sanitizers need is kept.
        kept = {name: value for name, value in os.environ.items() if name.endswith("SAN_OPTIONS")}
        self.environment = kept | {"PATH": PATH, "HOME": str(self.folder / "home"), "OCL_ICD_VENDORS": str(self.vendors)}

    def icd(self, name, content):
        path = self.vendors / name
        path.write_bytes(content if isinstance(content, bytes) else f"{content}\n".encode())
        return path

    def run(self, *arguments, before=(), **variables):
        environment = self.environment | {name: value for name, value in variables.items() if value is not None}
        for name in (name for name, value in variables.items() if value is None):
            environment.pop(name, None)
        return subprocess.run([*map(str, before), str(DOCTOR), *arguments], env=environment, capture_output=True, timeout=280)

    def diagnose(self, *arguments, before=(), **variables):
        """The findings by their names. The text has a line for each, with the remedy of each problem."""
        done = self.run("--json", *arguments, before=before, **variables)
        if done.returncode == 77:
            raise Skipped(done.stdout.decode())
        report = json.loads(done.stdout)
        problems = [each for each in report["findings"] if each["level"] == "problem"]
        assert done.returncode == (1 if problems else 0), (done.returncode, done.stderr)
        assert report["well"] == (not problems)
        assert all(each["remedy"] for each in problems), problems
        return report["findings"]

    def expect(self, expected, *arguments, before=(), **variables):
        """@param expected names of problems with words that their texts have"""
        findings = self.diagnose(*arguments, before=before, **variables)
        found = {each["name"]: each for each in findings if each["level"] == "problem"}
        assert set(found) == set(expected), json.dumps(list(found.values()), indent=1)
        for name, word in expected.items():
            text = found[name]["text"] + " -> " + found[name]["remedy"]
            assert word in text, f"'{word}' is not in '{text}'"
            print(f"{name}: {text}")
        return findings


def name_of(findings, name):
    return [each for each in findings if each["name"] == name]


def with_hostcl(place):
    place.icd("hostcl.icd", DRIVER)


def another_user(place, *limits):
    """What runs a command as another user, with limits as prlimit takes them."""
    if os.geteuid() != 0:
        raise Skipped("only root can run the tool as another user")
    before = ["setpriv", f"--reuid={OTHER_USER}", f"--regid={OTHER_USER}", "--clear-groups"]
    # Started by a program that setpriv starts: setpriv itself may still read what the user may not.
    if subprocess.run([*before, "sh", "-c", '"$0" --version', DOCTOR], capture_output=True).returncode != 0:
        raise Skipped("another user cannot read the build folder")
    os.chown(place.folder / "home", OTHER_USER, OTHER_USER)
    # The limit is set by the user itself: root's processes do not count.
    return [*before, "prlimit", *limits, "--"]


def own_mounts(command):
    """What runs the tool after the command, in a mount namespace of its own."""
    if subprocess.run(["unshare", "-m", "sh", "-c", command], capture_output=True).returncode != 0:
        raise Skipped("the system allows no mounts")
    return ["unshare", "-m", "sh", "-c", command + ' && exec "$@"', "sh"]
