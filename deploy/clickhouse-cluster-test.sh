#!/bin/sh
# Runs the suites of the scan store against a real ClickHouse cluster, instead of the embedded engine:
#
#   deploy/clickhouse-cluster-test.sh [--dry-run] http://user:password@ch-1:8123,ch-2:8123,ch-3:8123
#
# It needs three servers of one shard, 25.3 or later, with ClickHouse Keeper and the macro `replica`, each
# reachable here by its own address, and an account that may create and drop databases everscan_test_*
# and may `system sync replica`. It also needs `curl`, and the packages of this repository (`npm ci`).
# Every test makes databases of its own and drops them. A test that fails may leave one: the end lists
# them. Nothing else on the cluster is touched. It takes about half an hour.
#
# --dry-run prints what would run, and asks the cluster nothing.
set -eu

usage() {
  echo "Usage: ${0##*/} [--dry-run] http://user:password@host-1:8123,host-2:8123,host-3:8123" >&2
  exit 2
}

dry_run=
if [ "${1:-}" = --dry-run ]; then
  dry_run=yes
  shift
fi
[ $# -eq 1 ] || usage
address=${1%/}
scheme=${address%%://*}
rest=${address#*://}
case $scheme in http | https) ;; *) usage ;; esac
case $rest in */*) usage ;; esac
account=${rest%@*}
[ "$account" != "$rest" ] || usage
hosts=${rest##*@}
count=$(echo "$hosts" | tr ',' '\n' | grep -c .)
if [ "$count" -ne 3 ]; then
  echo "name three servers, each by its own address: got $count" >&2
  exit 2
fi

# Suites that use a scan store, whatever it is. Those of the engine itself and of the model of replicas
# need no cluster.
suites='server/src/analytics/figures/queries
server/src/analytics/figures/selected-figures
server/src/analytics/insert/doubled-rows
server/src/analytics/copies
server/src/ingest/exactly-once
server/src/ingest/import-scans
server/src/ingest/ingest.test
server/src/ingest/orderings
server/src/ingest/recount-restored
server/src/ingest/retention
server/src/api/archives/organization-archive
server/src/copies/adopt-journal'
soaks=conformance/two-services

cd "$(dirname "$0")/.."
if [ -n "$dry_run" ]; then
  echo "servers:"
  echo "$hosts" | tr ',' '\n' | sed 's/^/  /'
  echo "npm test --"
  echo "$suites" | sed 's/^/  /'
  echo "npm run soak -- $soaks"
  exit 0
fi

ask() { curl -sS --fail-with-body --user "$account" "$scheme://$1/" --data-binary "$2"; }

echo "$hosts" | tr ',' '\n' | while read -r host; do
  version=$(ask "$host" 'select version()') || {
    echo "$host does not answer, or not to this account" >&2
    exit 1
  }
  replica=$(ask "$host" "select substitution from system.macros where macro = 'replica'")
  if [ -z "$replica" ]; then
    echo "$host has no macro replica, which names its replicas" >&2
    exit 1
  fi
  if ! ask "$host" "select count() from system.zookeeper where path = '/'" >/dev/null; then
    echo "$host has no ClickHouse Keeper" >&2
    exit 1
  fi
  echo "$host: ClickHouse $version, replica $replica"
done

export EVERSCAN_TEST_CLICKHOUSE_URL="$scheme://$account@$hosts/everscan"
status=0
# Each suite is a word of the command.
# shellcheck disable=SC2086
npm test -- $suites || status=1
npm run soak -- $soaks || status=1

left=$(ask "${hosts%%,*}" "select name from system.databases where name like 'everscan_test_%'")
if [ -n "$left" ]; then
  echo "left on the cluster (drop them with: drop database NAME sync, on each server):"
  echo "$left"
fi
exit $status
