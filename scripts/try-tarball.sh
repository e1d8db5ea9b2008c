#!/usr/bin/env bash
# Packs the package, installs it in an empty CommonJS and an empty ESM project, and uses it there: the command line,
# one mocked request by require and by import, and one jest test in the project's own module format.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# The compiler leaves the output of sources that are gone: only a build from nothing is packed.
rm -rf dist
npm run --silent build
tarball=$folder/$(npm pack --silent --pack-destination "$folder")
version=$(node -p "require('./package.json').version")
jest=$(node -p "require('./package.json').devDependencies.jest")
supertest=$(node -p "require('./package.json').devDependencies.supertest")

for format in commonjs module; do
  project=$folder/$format
  mkdir -p "$project"
  cd "$project"
  echo "{ \"name\": \"try-$format\", \"private\": true, \"type\": \"$format\" }" >package.json
  npm install --silent --no-audit --no-fund "$tarball" "jest@$jest" "supertest@$supertest" >/dev/null
  echo "-- $format: standin $(npx standin --version)"
  [ "$(npx standin --version)" = "$version" ]
  cp "$root/scripts/tarball/request-$format.js" request.js
  cp "$root/scripts/tarball/mock-$format.test.js" mock.test.js
  node request.js
  NODE_OPTIONS=$([ "$format" = module ] && echo '--experimental-vm-modules' || true) npx jest --silent=false
done
