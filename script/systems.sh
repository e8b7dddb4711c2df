# Minimal Debian systems to try packages in; source it, don't run it. `systems` is the folder that they are kept in.
# shellcheck shell=bash
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

systems=$HOME/.cache/hostcl-systems
export bare=${bare:-}

# in_arm64 COMMAND...  runs the command so that the command and its children can start programs for arm64, also after
# chroot(): the kernel starts qemu as the handler of such programs. The handler is registered in a user namespace, for
# this command alone, which needs Linux 6.7. With an older kernel, a handler for the whole machine must be installed.
in_arm64() {
  if [ "$(uname -m)" = aarch64 ]; then
    "$@"
    return
  fi
  need qemu-user-static
  (
    namespace=(unshare --user --mount)
    read -r process _ </proc/self/stat
    if [ "$(id -u)" -eq 0 ]; then # the files of a system have several owners, so root maps all users
      map_all_ids "$process" &
    else
      namespace+=(--map-root-user)
    fi
    # shellcheck disable=SC2016 # it is expanded there
    exec "${namespace[@]}" bash -c '
      until [ -n "$(cat /proc/self/gid_map)" ]; do sleep 0.01; done
      handlers=/proc/sys/fs/binfmt_misc
      if mount -t binfmt_misc binfmt_misc $handlers 2>/dev/null; then
        cat /usr/lib/binfmt.d/qemu-aarch64.conf >$handlers/register
      elif ! grep -qs ^enabled $handlers/qemu-aarch64; then
        echo "error: no handler for arm64 programs: apt-get install qemu-user-static binfmt-support" >&2
        exit 1
      fi
      exec "$@"' in_arm64 "$@"
  )
}

# map_all_ids PROCESS  maps all users and groups to themselves in the user namespace that the process is about to enter.
map_all_ids() {
  local map lines
  for map in uid_map gid_map; do
    lines=$(awk '{ print $1, $1, $3 }' "/proc/self/$map")
    while [ -e "/proc/$1" ] && ! echo "$lines" >"/proc/$1/$map"; do sleep 0.01; done 2>/dev/null
  done
}

# on_cpu_of NAME COMMAND...  runs the command, with in_arm64 if the system NAME is for arm64.
on_cpu_of() {
  local run=()
  [[ $1 != *-arm64 ]] || run=(in_arm64)
  "${run[@]}" "${@:2}"
}

# system_of RELEASE  prints the name of the system with this release of Debian, for the CPU of the chosen build.
system_of() {
  local cpu=
  [ "$preset" != aarch64 ] || cpu=-arm64
  printf '%s\n' "$1$cpu"
}

open_systems() {
  [ "$(id -u)" -eq 0 ] || die "a new Debian system can be made by root only"
  need debootstrap
  mkdir -p "$systems"
  folder=$(mktemp -d)
  trap 'rm -rf --one-file-system "$folder"' EXIT
}

# in_system NAME COMMAND  runs it in a layer over the system, with this folder and Python's packages in /wheels; with
# `bare` set on one core, without /sys and a home folder.
in_system() {
  local system=$systems/$1 layer=$folder/layer/$1
  mkdir -p "$layer"/{upper,work,root}
  mkdir -p "$systems/wheels-$1"
  unshare --mount --pid --fork bash -c '
    source "$3/script/systems.sh"
    mount -t overlay overlay -o "lowerdir=$0,upperdir=$1/upper,workdir=$1/work" "$1/root"
    mkdir -p "$1/root$3" "$1/root/wheels"
    mount --bind "$3" "$1/root$3"
    mount --bind "$4" "$1/root/wheels"
    mount -t proc proc "$1/root/proc"
    [ -n "$bare" ] || mount -t sysfs sys "$1/root/sys"
    mount --bind /dev "$1/root/dev"
    home=HOME=/root
    [ -z "$bare" ] || home=NO_HOME=1
    on_cpu_of "$5" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin "$home" LC_ALL=C DEBIAN_FRONTEND=noninteractive \
      HOSTCL_CACHE=0 ${bare:+taskset -c 0} chroot "$1/root" bash -c "$2"' \
    "$system" "$layer" "$2" "$root" "$systems/wheels-$1" "$1" 2>&1
}

make_system() {
  [ -d "$systems/$1" ] && return
  step "A minimal $1"
  rm -rf --one-file-system "$systems/$1.new"
  mkdir -p "$systems/packages"
  local cpu=()
  [[ $1 != *-arm64 ]] || cpu=(--arch=arm64)
  {
    debootstrap "${cpu[@]}" --foreign --variant=minbase --cache-dir="$(realpath "$systems/packages")" \
      --include=python3,python3-venv,clinfo,ocl-icd-libopencl1,ca-certificates "${1%-arm64}" "$systems/$1.new" \
      http://deb.debian.org/debian &&
      unshare --mount --pid --fork bash -c 'source "$2/script/systems.sh"
        mount -t proc proc "$0/proc"
        export container=lxc DEBOOTSTRAP_DIR=$0/debootstrap
        on_cpu_of "$1" debootstrap --second-stage --second-stage-target="$0"' \
        "$systems/$1.new" "$1" "$root"
  } >"$folder/debootstrap.log" || { tail "$folder/debootstrap.log"; die "debootstrap failed"; }
  mv "$systems/$1.new" "$systems/$1"
}

# fetch_pyopencl NAME  downloads PyOpenCL's wheels for the Python of the system NAME, with this machine's settings of
# pip.
fetch_pyopencl() {
  local version cpu
  need python3-pip
  mkdir -p "$systems/wheels-$1"
  [ -z "$(ls "$systems/wheels-$1")" ] || return 0
  version=$(on_cpu_of "$1" chroot "$systems/$1" python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])')
  cpu=$(on_cpu_of "$1" chroot "$systems/$1" uname -m)
  python3 -m pip download --quiet --dest "$systems/wheels-$1" --python-version "$version" --only-binary=:all: \
    --platform "manylinux_2_28_$cpu" --platform "manylinux_2_17_$cpu" --platform "manylinux2014_$cpu" pyopencl
}
# makes_venv is the command that installs PyOpenCL into a virtual environment of the system, /venv.
export makes_venv="python3 -m venv /venv && /venv/bin/pip install -q --no-index --find-links /wheels pyopencl"
