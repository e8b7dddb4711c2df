#!/usr/bin/env python3
"""check_sbom.py SBOM BUILD-FOLDER: what SBOM prints names each Debian package that the driver is linked with, and the same
text comes twice; the documents are whole, as SPDX asks for."""

import json
import pathlib
import re
import subprocess
import sys


def output_of(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def linked_sources(build):
    """The Debian source packages of the archives that the driver is linked with."""
    text = (build / "build.ninja").read_text()
    statement = re.search(r"^build libhostcl\.so: .*$", text, re.MULTILINE)[0]
    archives = sorted({word for word in statement.split() if word.startswith("/usr/") and word.endswith(".a")})
    assert len(archives) > 50, archives
    archives.append(re.search(r"^HOSTCL_libhwloc\.a:\w+=(.+)$", (build / "CMakeCache.txt").read_text(), re.MULTILINE)[1])
    names = [str(pathlib.Path(archive).resolve()) for archive in archives]
    packages = {line.split(":")[0] for line in output_of("dpkg-query", "--search", *names).splitlines()}
    return {output_of("dpkg-query", "--show", "--showformat", "${source:Package}", name) for name in packages}


def check(document, kind, needed):
    assert document["spdxVersion"] == "SPDX-2.3" and document["dataLicense"] == "CC0-1.0"
    packages = {package["SPDXID"]: package for package in document["packages"]}
    assert len(packages) == len(document["packages"]), "identifiers are unique"
    for package in packages.values():
        assert package["versionInfo"] and package["licenseDeclared"], package["name"]
    related = {relation["relatedSpdxElement"] for relation in document["relationships"]}
    assert related == set(packages), "each part is related to hostcl, and nothing else is"
    named = {reference["referenceLocator"].split("/")[2].split("@")[0]
             for package in packages.values() for reference in package.get("externalRefs", [])}
    assert needed <= named, f"{kind}: {sorted(needed - named)} are linked and not named"


sbom, build = sys.argv[1], pathlib.Path(sys.argv[2])
needed = linked_sources(build) | {"onetbb"}
for kind in ("deb", "wheel"):
    text = output_of(sbom, "1.2.3", kind)
    assert text == output_of(sbom, "1.2.3", kind), "the same text each time"
    check(json.loads(text), kind, needed)
print("linked and named:", *sorted(needed))
