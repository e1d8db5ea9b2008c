#!/usr/bin/env bash
# Packs the package, installs it in empty folders and uses it there: the only proof that the package works elsewhere.
#
#   contents     what a release needs, and that npm would publish it
#   alone        installed and started as the Dockerfile says; the size of an install, its scripts, the bill of materials,
#                the bundled libraries; CommonJS and ES modules in Node
#   with tools   jest with ES modules, ts-jest with types in Node and jsdom, Vitest
#
# npm run check:package builds what this needs.
set -euo pipefail
cd "$(dirname "$0")/.."
[ -f dist/sbom.cdx.json ] || { echo 'Build first: npm run build -- --package' >&2; exit 1; }
root=$PWD
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
version_of() { node -p "require('$root/package.json').devDependencies['$1']"; }

echo '-- contents'
npm pack --silent --json --ignore-scripts --pack-destination "$folder" >"$folder/packed.json"
tarball=$(echo "$folder"/*.tgz)
# The repository is named before the first release: nothing else may be wrong.
checked=$(node scripts/release.mjs --check --packed "$folder/packed.json" 2>&1 || true)
grep ' MB packed' <<<"$checked"
if grep '^  - ' <<<"$checked" | grep -v 'has no "repository"'; then exit 1; fi

echo '-- alone, as the Dockerfile installs it'
node --import tsx test/container/start-image.ts "$tarball" "$folder/project"
cd "$folder/project"
node "$root/scripts/tarball/footprint.js"
[ "$(node_modules/.bin/standin --version)" = "$(node -p "require('$root/package.json').version")" ]
cp "$root"/scripts/tarball/{*.test.*,request-*,small*,tsconfig.json} .
node request-commonjs.cjs
node request-module.mjs

# npm keeps what it has installed here. Tools that this repository has need no second installation.
echo '-- with tools'
echo '{ "private": true, "dependencies": { "standin": "file:standin.tgz" }, "jest": { "preset": "ts-jest" } }' >package.json
cp "$tarball" standin.tgz
npm install --silent --no-audit --no-fund --no-save --legacy-peer-deps --prefer-offline \
  "jest-environment-jsdom@$(version_of jest)" ts-jest@29 typescript@5.9 vitest@4 >/dev/null
for scope in node_modules node_modules/@*; do ln -s "$root/$scope"/* "$scope" 2>/dev/null || true; done
jest=node_modules/jest/bin/jest.js
node "$jest" --runInBand mock.test.ts mock-jsdom.test.ts
node --experimental-vm-modules "$jest" --runInBand mock-module.test.mjs
node_modules/.bin/vitest run --reporter=dot vitest.test.mjs
