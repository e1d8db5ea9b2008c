#!/usr/bin/env bash
# Packs the package as it was built, installs it in an empty project, and uses it there, once as CommonJS and once as
# ESM: what comes with it; the command line, one mocked request by require and by import, and one jest test in the project's own format.
set -euo pipefail
cd "$(dirname "$0")/.."
[ -f dist/bin/standin.js ] || { echo 'Build first: npm run build' >&2; exit 1; }
root=$PWD
node scripts/sbom.mjs
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
tarball=$folder/$(npm pack --silent --pack-destination "$folder")
version=$(node -p "require('./package.json').version")
jest=$(node -p "require('./package.json').devDependencies.jest")
supertest=$(node -p "require('./package.json').devDependencies.supertest")

mkdir "$folder/alone"
cd "$folder/alone"
echo '{ "name": "alone", "private": true }' >package.json
npm install --silent --no-audit --no-fund "$tarball" >/dev/null
node "$root/scripts/tarball/footprint.js"

project=$folder/project
mkdir "$project"
cd "$project"
echo '{ "name": "try", "private": true }' >package.json
npm install --silent --no-audit --no-fund "$tarball" "jest@$jest" "supertest@$supertest" >/dev/null
for format in commonjs module; do
  npm pkg set type="$format"
  echo "-- $format: standin $(npx standin --version)"
  [ "$(npx standin --version)" = "$version" ]
  cp "$root/scripts/tarball/request-$format.js" request.js
  cp "$root/scripts/tarball/mock-$format.test.js" mock.test.js
  node request.js
  NODE_OPTIONS=$([ "$format" = module ] && echo '--experimental-vm-modules' || true) npx jest --silent=false
done

# Where describeContract stands in other runners: Vitest without global functions; and types as TypeScript with ts-jest's usual set-up looks for them, which knows no `exports`.
npm pkg set type=commonjs
cp "$root"/scripts/tarball/small*.yaml .
echo "import { createMockServer } from 'standin/express'; import { describeContract } from 'standin/jest'; export const used = [createMockServer, describeContract];" >types.ts
npm install --silent --no-audit --no-fund vitest@4 typescript@5.9 >/dev/null
echo '-- vitest'
cp "$root/scripts/tarball/vitest.test.mjs" notes.test.mjs
npx vitest run --reporter=dot notes.test.mjs
rm notes.test.mjs
echo '-- types, module: commonjs'
npx tsc --noEmit --strict --skipLibCheck --target es2022 --module commonjs --moduleResolution node10 --types node types.ts

# TypeScript as ts-jest compiles it, in Node and in jsdom, whose globals are a browser's; supertest itself does not load there.
npm install --silent --no-audit --no-fund ts-jest@29 "jest-environment-jsdom@$jest" @types/jest@30 @types/supertest@7 @types/node@20 >/dev/null
cp "$root"/scripts/tarball/mock*.test.ts .
echo '{ "compilerOptions": { "strict": true, "target": "es2022", "module": "commonjs", "moduleResolution": "node10", "esModuleInterop": true, "skipLibCheck": true, "types": ["jest", "node"] } }' >tsconfig.json
echo '-- ts-jest'
npx jest --preset ts-jest mock.test.ts
echo '-- ts-jest, jsdom'
npx jest --preset ts-jest --env jsdom mock-jsdom.test.ts
