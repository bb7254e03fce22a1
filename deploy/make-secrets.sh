#!/bin/sh
# Writes random secrets for compose.cluster.yaml and deploy/kubernetes: `make-secrets.sh FOLDER`. Files
# that exist stay as they are. The folder is closed to other users; its files are not, because Docker
# shows them to the user of the container with the mode that they have here.
set -eu
dir=${1:?Usage: make-secrets.sh FOLDER}
mkdir -p "$dir"
chmod 700 "$dir"

random() { od -An -N24 -tx1 /dev/urandom | tr -d ' \n'; }
keep() {
  [ -s "$dir/$1" ] || printf '%s\n' "$2" >"$dir/$1"
  chmod 444 "$dir/$1"
}

for name in secret visitor_key bootstrap_password metrics_token postgres_password clickhouse_password; do
  keep $name "$(random)"
done
keep database_url "postgres://everscan:$(cat "$dir/postgres_password")@postgres/everscan"
keep clickhouse_url "http://everscan:$(cat "$dir/clickhouse_password")@clickhouse:8123/everscan"
