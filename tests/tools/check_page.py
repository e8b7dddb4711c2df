#!/usr/bin/env python3
"""check_page.py PROGRAM PAGE: a manual page has the options of --help, with the same names of values, and no others."""

import re
import shutil
import subprocess
import sys

program, page = sys.argv[1:]


def options_of_help(text):
    return re.findall(r"^ +(--[\w-]+(?:=\S+)?)(?= |$)", text, re.MULTILINE)


def options_of_page(text):
    rows = re.findall(r"^\.TP\n\.BR? (\\-\\-\S.*)$", text, re.MULTILINE)
    return [re.sub(r"\\f[BIR]", "", row.replace("\\-", "-")).replace("= ", "=") for row in rows]


help_text = subprocess.run([program, "--help"], capture_output=True, text=True, check=True).stdout
page_text = open(page).read()
of_help, of_page = options_of_help(help_text), options_of_page(page_text)
assert of_help and set(of_help) == set(of_page), set(of_help) ^ set(of_page)
assert len(of_page) == len(set(of_page)), "the page has an option twice"
version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
assert re.fullmatch(r"hostcl[\w-]* \d+\.\d+\.\d+(, LLVM \d+\.\d+\.\d+)?\n", version), version
if shutil.which("groff"):
    said = subprocess.run(["groff", "-man", "-ww", "-z", page], capture_output=True, text=True)
    assert said.returncode == 0 and not said.stderr, said.stderr
print(*of_page)
