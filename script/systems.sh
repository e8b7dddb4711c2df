# Minimal Debian systems to try packages in; source it, don't run it. `systems` is the folder that they are kept in.
# shellcheck shell=bash
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

systems=$HOME/.cache/hostcl-systems
export bare=

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
