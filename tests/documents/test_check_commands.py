#!/usr/bin/env python3
"""test_check_commands.py CHECK_COMMANDS: it passes pages whose commands do what they say, and names each one that does not."""

import pathlib
import subprocess
import sys
import tempfile

check_commands = sys.argv.pop(1)

# Pages, and what is said of them; nothing of those that are right.
PAGES = [
    ("```sh\ntrue\n```\n", ""),
    ("```sh\nfalse   # a remark\n```\n", "'false   # a remark' ended with 1"),
    ("```console\n$ echo one; echo two\none\ntwo\n```\n", ""),
    ("```console\n$ echo one; echo two\none\n```\n", "'echo one; echo two' printed"),
    ("```console\n$ seq 9\n1\n…\n9\n```\n", ""),
    ("```console\n$ echo 27 ms >&2\n… ms\n```\n", ""),
    ("<!-- file: a.txt -->\n```\nwords\n```\n\n```console\n$ cat a.txt\nwords\n```\n", ""),
    ("```sh\nexport A=1\n```\n\n```console\n$ echo $A\n1\n```\n", ""),
    ("<!-- not run: it fails -->\n```sh\nfalse\n```\n", ""),
    ("```sh\nexit 3\n```\n", "'exit 3' ended the shell"),
    ("Do this:\n\n    make all\n", "'make all' is indented"),
]

with tempfile.TemporaryDirectory() as name:
    tree = pathlib.Path(name)
    (tree / "build").mkdir()
    page = tree / "page.md"
    for content, said in PAGES:
        page.write_text(content)
        ended = subprocess.run([check_commands, tree, tree / "build", page], capture_output=True, text=True, check=False)
        right = ended.returncode == (1 if said else 0) and said in ended.stdout
        if not right:
            sys.exit(f"failed: {content!r} ended with {ended.returncode}: {ended.stdout}{ended.stderr}")
print(f"{len(PAGES)} pages are judged rightly")
