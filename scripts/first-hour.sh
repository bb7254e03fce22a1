#!/bin/sh
# `scripts/first-hour.sh [ARCHIVE]` is a new user: it clones the committed state or unpacks an
# archive of `npm run archive`, runs the commands of "First code in 60 seconds" in README.md as
# written, and prints the seconds to the first scanned code and the megabytes of the installation.
# It uses port 3000, as README does. Exit status 1 if a command does not do what README says, or if
# a bound is missed.
set -eu

seconds_max=3
megabytes_max=1000

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
place=$(mktemp -d)
service=
finish() {
  # npm and the shell around it, too; the service may take some seconds to stop.
  [ -z "$service" ] || kill -- "-$service" 2>/dev/null || true
  while [ -n "$service" ] && kill -0 -- "-$service" 2>/dev/null; do sleep 0.1; done
  rm -rf "$place"
}
trap finish EXIT
trap 'exit 1' INT TERM

fail() {
  echo "first hour: $1" >&2
  [ ! -e "$place/start.log" ] || tail -20 "$place/start.log" >&2
  exit 1
}
now() { date +%s.%N; }
since() { echo "$1 $(now)" | awk '{ printf "%.1f", $2 - $1 }'; }

! curl -s -o /dev/null http://localhost:3000/ || fail 'another program uses port 3000'
if [ $# -gt 0 ]; then
  mkdir "$place/everscan"
  tar -xzf "$1" -C "$place/everscan" --strip-components=1
else
  git clone --quiet "$root" "$place/everscan"
fi
cd "$place/everscan"
# An archive for machines without a network must need none.
[ ! -d node_modules ] || export npm_config_registry=http://127.0.0.1:9/
# Commands of README run outside of any npm script.
unset npm_execpath npm_config_user_agent NODE_ENV 2>/dev/null || true

# The fenced commands of the section, one file a block.
awk -v place="$place" '
  /^## / { inside = ($0 == "## First code in 60 seconds") }
  inside && /^```sh/ { block++; writing = 1; next }
  /^```/ { writing = 0 }
  writing { print > (place "/block-" block ".sh") }
' README.md
[ -s "$place/block-1.sh" ] && [ -s "$place/block-2.sh" ] || fail 'README has no two blocks of commands'

began=$(now)
setsid sh "$place/block-1.sh" > "$place/start.log" 2>&1 &
service=$!
until [ -e node_modules/.everscan-installed ]; do
  kill -0 "$service" 2>/dev/null || fail 'npm start ended'
  sleep 0.1
done
installed=$(since "$began")

# The build ends with the compiled sources. Then the service begins.
compiled=node_modules/.cache/compiled/.compiled-from
until [ -e "$compiled" ]; do
  kill -0 "$service" 2>/dev/null || fail 'npm start ended'
  sleep 0.02
done
built=$(since "$began")
ready=$(now)
phone='Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1'
until url=$(sed -n 's/^Open \(http[^ ]*\) on a phone.*/\1/p' "$place/start.log") && [ -n "$url" ] &&
  curl -sf -A "$phone" "$url" > "$place/page.html"; do
  [ "$(since "$ready" | cut -d. -f1)" -lt 60 ] || fail 'the example was not reached within a minute'
  sleep 0.02
done
scanned=$(since "$ready")
grep -q 'It works!' "$place/page.html" || fail 'the example does not say that it works'

# A person takes longer than the API to be up.
until curl -sf http://localhost:3000/readyz > /dev/null; do sleep 0.05; done
KEY=$(sed -n 's/^ *API key *//p' "$place/start.log")
ORG=$(sed -n 's/.*organizations\/\([a-z0-9_]*\)\/qr-codes.*/\1/p' "$place/start.log" | head -1)
sed "s/evs_…/$KEY/; s/org_…/$ORG/" "$place/block-2.sh" > "$place/commands.sh"
grep -q … "$place/commands.sh" && fail 'README has another placeholder than the key and the organization'
sh -eu "$place/commands.sh" > "$place/answers.log" 2>&1 || fail "$(tail -20 "$place/answers.log")"
expect() { grep -qi "$1" "$place/answers.log" || fail "no answer has $1; see $(cut -c1-300 "$place/answers.log")"; }
expect '^location: https://example.com/lunch'
expect '^location: https://example.com/dinner'
file menu.png 2>/dev/null | grep -q 'PNG image' || [ "$(head -c 4 menu.png | tail -c 3)" = PNG ] || fail 'menu.png is no PNG'
# Analytics follow within two seconds.
tries=0
until sed -n '/^export KEY/p; /^export API/p; /^api()/p; /^export ID/p; /analytics/p' "$place/commands.sh" |
  sh -eu 2>/dev/null | grep -q '"totalScans":2'; do
  tries=$((tries + 1))
  [ "$tries" -lt 20 ] || fail 'the two scans of README are not counted'
  sleep 0.25
done

megabytes=$(du -sk node_modules | awk '{ printf "%.0f", $1 * 1.024 / 1000 }')
said=$(sed -n 's/^Installing dependencies.*about \([0-9]*\) MB.*/\1/p' "$place/start.log")
echo "installed          $installed s, $megabytes MB (bound $megabytes_max MB; announced: ${said:-nothing to install})"
echo "dashboard built    $(echo "$built $installed" | awk '{ printf "%.1f", $1 - $2 }') s"
echo "first scanned code $scanned s after that (bound $seconds_max s)"
echo "commands of README answered as written; both scans counted"
[ "$megabytes" -le "$megabytes_max" ] || fail "takes $megabytes MB"
[ -z "$said" ] || echo "$said $megabytes" | awk '{ exit !($1 > $2 * 0.9 && $1 < $2 * 1.1) }' || fail "announced $said MB, took $megabytes MB"
echo "$scanned $seconds_max" | awk '{ exit !($1 <= $2) }' || fail "took $scanned s to the first scanned code"
