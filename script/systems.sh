# Minimal Debian systems to try packages in; source it, don't run it. `systems` is the folder that they are kept in.
# shellcheck shell=bash
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

systems=$HOME/.cache/hostcl-systems
export bare=

# in_arm64 COMMAND...  runs it where programs for arm64 are started like this machine's, also by its children and in another
# root: the kernel has qemu run them. The kernel knows so for this command alone, in a user namespace, from Linux 6.7 on;
# older kernels need a handler for the whole machine.
in_arm64() {
  if [ "$(uname -m)" = aarch64 ]; then
    "$@"
    return
  fi
  need qemu-user-static
  (
    namespace=(unshare --user --mount) process=$BASHPID
    if [ "$(id -u)" -eq 0 ]; then # root keeps all users, who own files of a system
      map_all_ids $process &
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
        echo "error: this kernel needs a handler for programs of arm64: apt-get install qemu-user-static binfmt-support" >&2
        exit 1
      fi
      exec "$@"' in_arm64 "$@"
  )
}

# map_all_ids PROCESS  has the process be itself in the user namespace that it is about to enter, and all users too.
map_all_ids() {
  local map lines
  for map in uid_map gid_map; do
    lines=$(awk '{ print $1, $1, $3 }' "/proc/self/$map")
    while kill -0 "$1" && ! echo "$lines" >"/proc/$1/$map"; do sleep 0.01; done 2>/dev/null
  done
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
    set -e
    mount -t overlay overlay -o "lowerdir=$0,upperdir=$1/upper,workdir=$1/work" "$1/root"
    mkdir -p "$1/root$3" "$1/root/wheels"
    mount --bind "$3" "$1/root$3"
    mount --bind "$4" "$1/root/wheels"
    mount -t proc proc "$1/root/proc"
    [ -n "$bare" ] || mount -t sysfs sys "$1/root/sys"
    mount --bind /dev "$1/root/dev"
    home=HOME=/root
    [ -z "$bare" ] || home=NO_HOME=1
    exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin "$home" LC_ALL=C DEBIAN_FRONTEND=noninteractive HOSTCL_CACHE=0 \
      ${bare:+taskset -c 0} chroot "$1/root" bash -c "$2"' "$system" "$layer" "$2" "$root" "$systems/wheels-$1" 2>&1
}

make_system() {
  [ -d "$systems/$1" ] && return
  step "A minimal $1"
  rm -rf --one-file-system "$systems/$1.new"
  mkdir -p "$systems/packages"
  debootstrap --variant=minbase --cache-dir="$(realpath "$systems/packages")" \
    --include=python3,python3-venv,clinfo,ocl-icd-libopencl1,ca-certificates "$1" "$systems/$1.new" \
    http://deb.debian.org/debian >"$folder/debootstrap.log" || { tail "$folder/debootstrap.log"; die "debootstrap failed"; }
  mv "$systems/$1.new" "$systems/$1"
}
