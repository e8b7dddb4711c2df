"""Nodes of a cluster within this machine: network namespaces that a bridge joins. Needs root."""

import contextlib
import os
import pathlib
import signal
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("BUILD", ROOT / "build"))
BRIDGE, NETWORK = "hostcl-nodes", "10.213.0"
PATIENCE = 120  # seconds for what takes a few


def sh(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: {done.stderr.strip()}")
    return done.stdout


def on_hostcl(environment):
    """With hostcl as OpenCL driver, and one thread for kernels: all nodes share this machine's cores."""
    return dict(environment, OCL_ICD_VENDORS=str(BUILD / "hostcl.icd"), HOSTCL_THREADS="1")


class Node:
    def __init__(self, number):
        self.name, self.address, self.outside = f"{BRIDGE}-{number}", f"{NETWORK}.{number}", f"hcl{number}o"
        sh("ip", "netns", "add", self.name)

    def connect(self):
        sh("ip", "link", "add", self.outside, "type", "veth", "peer", "name", "eth0", "netns", self.name)
        sh("ip", "link", "set", self.outside, "master", BRIDGE, "up")
        for command in (("addr", "add", f"{self.address}/24", "dev", "eth0"), ("link", "set", "eth0", "up"), ("link", "set", "lo", "up")):
            sh("ip", "-n", self.name, *command)

    def inside(self, *command):
        """The command that runs a command in the node."""
        return ["ip", "netns", "exec", self.name, *map(str, command)]

    def kill(self):
        for process in sh("ip", "netns", "pids", self.name).split():
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(process), signal.SIGKILL)

    def remove(self):
        self.kill()
        subprocess.run(["ip", "link", "del", self.outside], capture_output=True, check=False)
        sh("ip", "netns", "del", self.name)


@contextlib.contextmanager
def nodes(count):
    """Nodes that reach each other, and are reached from outside."""
    if os.geteuid() != 0:
        sys.exit("network namespaces need root")
    made = []
    sh("ip", "link", "add", BRIDGE, "type", "bridge")
    try:
        sh("ip", "addr", "add", f"{NETWORK}.254/24", "dev", BRIDGE)
        sh("ip", "link", "set", BRIDGE, "up")
        for number in range(1, count + 1):
            made.append(Node(number))
            made[-1].connect()
        yield made
    finally:
        for node in made:
            node.remove()
        sh("ip", "link", "del", BRIDGE)


def example(name):
    file = BUILD / "examples/cluster" / name
    if not file.exists():
        sys.exit(f"there is no {file}")
    return str(file)
