# Shared by the scripts of this folder and .ci/run; source it, don't run it.
# shellcheck shell=bash
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"

# use_preset NAME  chooses one of CMakePresets.json for the functions below, which else use the release build.
use_preset() {
  preset=$1 build=$root/build-$1
  [ "$preset" != release ] || build=$root/build
}
use_preset release

# use_arm64  chooses the build for arm64: cross-compiled, or on such a machine the release build.
use_arm64() { [ "$(uname -m)" = aarch64 ] || use_preset aarch64; }

# Debian packages per purpose. LLVM 22 is in Debian 12's security archive.
build_packages=(cmake ninja-build clang-22 lld-22 llvm-22-dev libclang-22-dev libpolly-22-dev zlib1g-dev libzstd-dev
  libxxhash-dev libtbb-dev libhwloc-dev patchelf spirv-headers opencl-c-headers opencl-clhpp-headers ocl-icd-opencl-dev)
demo_packages=(clinfo)
# Tests of coverage run llvm-cov and lcov. PoCL is the second driver in the tests that load two drivers into one
# process; qemu-user runs older CPUs; gdb debugs kernels; relacy-dev checks memory orders; clang-15 and llvm-spirv-15,
# which newer releases do not have, make SPIR-V as applications of Debian 12 have it.
test_packages=(catch2 llvm-22 lcov pocl-opencl-icd spirv-tools universal-ctags valgrind qemu-user gdb patch relacy-dev)
! grep -qs '^VERSION_CODENAME=bookworm' /etc/os-release || test_packages+=(clang-15 llvm-spirv-15)
check_packages=(clang-format-22 clang-tidy-22)
sanitizer_packages=(libclang-rt-22-dev)

if [ -t 1 ]; then bold=$'\e[1m' plain=$'\e[0m'; else bold='' plain=''; fi
say() { printf '%s\n' "$*"; }
step() { printf '\n%s==> %s%s  [%d min %02d s]\n' "$bold" "$*" "$plain" $((SECONDS / 60)) $((SECONDS % 60)); }
die() { printf 'error: %s\n' "$*" >&2; exit 1; }

# need PACKAGE...  installs what is missing; silent when nothing is.
need() {
  command -v dpkg-query >/dev/null || { say "Not a Debian system: make sure that you have: $*"; return 0; }
  local missing=() package
  for package in "$@"; do
    dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return 0

  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || die "run this as root once, to install: ${missing[*]}"
    as_root=(sudo)
  fi
  step "Installing ${#missing[@]} Debian packages: ${missing[*]}"
  local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -y -q -o Dpkg::Use-Pty=0
    -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3)
  "${apt[@]}" update >/dev/null || say "apt-get update had a problem; trying with the package lists that are here"
  for package in "${missing[@]}"; do
    apt-cache show "$package" >/dev/null 2>&1 || die "no package $package in apt's sources. hostcl is built with LLVM 22," \
      "which Debian 12 has in its security archive: deb http://deb.debian.org/debian-security bookworm-security main"
  done
  "${apt[@]}" install --no-install-recommends "${missing[@]}" </dev/null | one_line_in 25 '^(Get|Unpacking|Setting up)'
}

# one_line_in N PATTERN  passes every N-th line that matches, and the lines that look like trouble.
one_line_in() {
  awk -v n="$1" -v pattern="$2" '
    /^(E|W|Err):?|dpkg: error/ { print; next }
    $0 ~ pattern && count++ % n == 0 { print "  " substr($0, 1, 100); fflush() }'
}

# build_targets [TARGET...]  configures the preset where that has not been done, and builds.
build_targets() {
  if command -v ccache >/dev/null; then
    export CMAKE_C_COMPILER_LAUNCHER=${CMAKE_C_COMPILER_LAUNCHER:-ccache}
    export CMAKE_CXX_COMPILER_LAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER:-ccache}
    # Without these settings, ccache caches no compilation that makes or uses a precompiled header.
    export CCACHE_SLOPPINESS=${CCACHE_SLOPPINESS:-pch_defines,time_macros}
  fi
  if [ ! -f "$build/build.ninja" ]; then
    [ "$preset" != aarch64 ] || [ -e "$build/sysroot/usr" ] || script/sysroot
    step "Configuring"
    cmake --preset "$preset" >"$root/.configure.log" 2>&1 || { cat "$root/.configure.log"; rm "$root/.configure.log"; die "CMake failed"; }
    rm "$root/.configure.log"
  fi
  step "Building ${*:-everything}"
  if [ -t 1 ]; then
    ninja -C "$build" "$@"
  else
    # A line for every twentieth of the way instead of one for every file; warnings and errors all.
    NINJA_STATUS='[%p %f/%t] ' ninja -C "$build" "$@" | awk '
      /^\[ *[0-9]+%/ { percent = substr($0, 2) + 0
                       if (percent < next_percent) next
                       next_percent = percent - percent % 5 + 5 }
      { print; fflush() }'
  fi
}

# Makes the driver of this build the only one that the ICD loader sees.
use_built_driver() {
  [ -f "$build/hostcl.icd" ] || die "there is no $build/hostcl.icd: the build is incomplete"
  unset OCL_ICD_FILENAMES
  export OCL_ICD_VENDORS=$build
}
