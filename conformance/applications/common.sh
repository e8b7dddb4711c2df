# What the scripts of this folder share; conformance/run_applications runs them. Source it, don't run it.
# shellcheck shell=bash
#
# A script declares Debian packages in debian=(...) and PyPI's in pypi=(...), the application itself first, and defines
# run(), which runs it on the only driver that there is. If more than packages has to be there, it defines prepare().
# Each fact that was checked is a line: "passed: NAME", "FAILED: NAME" or "skipped: NAME, WHY"; pytest's last line
# counts as well. Variables for run(): $folder, the application's own, where prepare() was; $modes, the user's choice;
# $quick, which is not empty where less is to be run. A script that --quick leaves out says why in quick_without="...".
source "$(dirname "${BASH_SOURCE[0]}")/../../script/common.sh"

folder=${APPLICATION_FOLDER:?conformance/run_applications sets it}
# shellcheck disable=SC2034 # used by the scripts
modes=${APPLICATION_MODES:-} quick=${APPLICATION_QUICK:-}
debian=() pypi=()
python=$folder/venv/bin/python

prepare() { :; }

# install  makes ready what run() needs. A second time it only looks whether all is there.
install() {
  mkdir -p "$folder"
  [ ${#debian[@]} -eq 0 ] || need "${debian[@]}"
  [ -e "$folder/ready" ] && return
  if [ ${#pypi[@]} -gt 0 ]; then
    python3 -m venv --clear "$folder/venv"
    "$python" -m pip install -q --disable-pip-version-check "${pypi[@]}"
  fi
  (cd "$folder" && prepare)
  touch "$folder/ready"
}

version() {
  if [ ${#pypi[@]} -gt 0 ]; then
    "$python" -c 'import sys, importlib.metadata as m; print(m.version(sys.argv[1]))' "${pypi[0]%%[=<>[]*}"
  else
    dpkg-query -W -f '${Version}\n' "${debian[0]}"
  fi
}

# source_of PACKAGE  unpacks PyPI's source of the installed version into $folder/source, for its tests.
source_of() {
  local installed
  installed=$("$python" -c 'import sys, importlib.metadata as m; print(m.version(sys.argv[1]))' "$1")
  "$python" -m pip download -q --disable-pip-version-check --no-deps --no-binary "$1" -d sdist "$1==$installed"
  mkdir -p source
  tar -xf sdist/*.tar.gz -C source --strip-components=1
}

# check NAME COMMAND...  a fact: the command succeeds within five minutes. Its output is shown when it does not.
check() {
  local name=$1 output
  shift
  if output=$(timeout 300 "$@" 2>&1); then
    printf 'passed: %s\n' "$name"
  else
    printf '%s\nFAILED: %s\n' "$(tail -n 20 <<<"$output")" "$name"
  fi
}
skip() { printf 'skipped: %s\n' "$*"; }

# tests ARGUMENT...  pytest; failures are counted, so they do not end the script.
tests() { "$python" -m pytest -q -p no:cacheprovider -rfE "$@" || true; }

application() {
  case $1 in
    install | version) "$1" ;;
    run) cd "$folder" && run ;;
  esac
}
