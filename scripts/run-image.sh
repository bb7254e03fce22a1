#!/bin/sh
# Runs a command in the file system of an image as container runtimes do: `run-image.sh ROOT FOLDER
# VOLUME SECRETS UID:GID COMMAND…`, in new namespaces and in that folder. The root is read-only, /tmp
# is in memory, and the command has no capabilities. scripts/try-image.ts uses this, because buildah keeps no processes.
set -eu
root=$1 folder=$2 volume=$3 secrets=$4 user=$5
shift 5
mount --bind "$root" "$root"
mount -t tmpfs -o mode=755 tmpfs "$root/run"
mkdir "$root/run/secrets"
mount -o remount,bind,ro "$root"
mount -t proc proc "$root/proc"
mount --rbind /sys "$root/sys"
mount --rbind /dev "$root/dev"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
mount --bind "$volume" "$root/data"
mount --bind "$secrets" "$root/run/secrets"
mount -o remount,bind,ro "$root/run/secrets"
# Another user than root has no capabilities, and with no-new-privs gets none.
exec setpriv --no-new-privs chroot --userspec="$user" --groups= "$root" env --chdir="$folder" "$@"
