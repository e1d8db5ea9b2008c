#!/usr/bin/env bash
# Starts the built mock on a free port and replays the bundled contracts at it, as a user would.
set -euo pipefail
cd "$(dirname "$0")/.."
log=$(mktemp)
node dist/bin/standin.js mock --port 0 --log json >"$log" &
mock=$!
trap 'kill "$mock" 2>/dev/null || true; rm -f "$log" "$log.json"' EXIT
for _ in $(seq 100); do
  url=$(sed -n 's/.*"url":"\([^"]*\)".*/\1/p' "$log" | head -n 1)
  [ -n "$url" ] && break
  sleep 0.1
done
[ -n "${url:-}" ] || { echo 'the mock did not start'; exit 1; }
node dist/bin/standin.js verify --base-url "$url" --report json="$log.json"
node -p '`figures ${JSON.stringify(JSON.parse(fs.readFileSync(process.argv[1], "utf8")).tally)}`' "$log.json"
kill -TERM "$mock"
wait "$mock"
trap - EXIT
rm -f "$log" "$log.json"
