#!/bin/sh
# Builds the image of deploy/Dockerfile without Docker and tries it: `scripts/try-image.sh`, as root,
# on Debian with the packages buildah and debootstrap. scripts/try-image.ts says what is tried.
# Everything is below $TRY_DIR (default /var/tmp/everscan-image), and remains for the next run.
set -eu

for tool in buildah debootstrap unshare setpriv node npm; do
  command -v "$tool" >/dev/null && continue
  echo "$tool is missing: apt-get install buildah debootstrap util-linux, and Node with npm" >&2
  exit 1
done
cd "$(dirname -- "$0")/.."
node scripts/install.mjs
node scripts/build.mjs
dir=${TRY_DIR:-/var/tmp/everscan-image}
mkdir -p "$dir"
export BUILDAH_ISOLATION=chroot BUILDAH_FORMAT=docker

exists() { buildah inspect --type image "$1" >/dev/null 2>&1; }

# Where no registry can be reached, Debian itself is the base, and the Node of this machine builds.
suite=bookworm
base=localhost/everscan-try-base
if ! exists $base; then
  debootstrap --variant=minbase "--include=ca-certificates" $suite "$dir/base" >"$dir/debootstrap.log"
  rm -rf "$dir/base/var/cache/apt" "$dir/base/var/lib/apt/lists"
  container=$(buildah from scratch)
  buildah add --quiet "$container" "$dir/base" / >/dev/null
  buildah commit --quiet --rm "$container" $base >/dev/null
  rm -rf "$dir/base"
fi
build_base=localhost/everscan-try-build-base
if ! exists $build_base; then
  container=$(buildah from $base)
  buildah copy --quiet "$container" "$(readlink -f "$(command -v node)")" /usr/local/bin/node >/dev/null
  buildah copy --quiet "$container" "$(npm root --global)/npm" /usr/local/lib/node_modules/npm >/dev/null
  buildah run "$container" ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm
  # Some networks have a certificate authority of their own, which this machine trusts.
  authorities=/etc/ssl/certs/ca-certificates.crt
  buildah copy --quiet "$container" $authorities $authorities >/dev/null
  buildah config --env NODE_EXTRA_CA_CERTS=$authorities "$container"
  buildah commit --quiet --rm "$container" $build_base >/dev/null
fi

image=localhost/everscan-try
buildah build --layers --file deploy/Dockerfile --tag $image \
  --build-arg BASE=$base --build-arg BUILD_BASE=$build_base \
  --build-arg "VERSION=$(node -p 'require("./package.json").version')" \
  --build-arg "REVISION=$(git rev-parse HEAD)" . >"$dir/build.log" 2>&1 || {
  tail -40 "$dir/build.log" >&2
  exit 1
}
buildah inspect --type image $image >"$dir/image.json"

container=$(buildah from $image)
trap 'buildah rm "$container" >/dev/null' EXIT
root=$(buildah mount "$container")
./node_modules/.bin/node scripts/try-image.ts "$image" "$dir/image.json" "$root" "$dir"
