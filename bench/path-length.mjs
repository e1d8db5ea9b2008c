// How many files and functions of ours one request, or one step of a run, passes through, by the coverage that V8 counts.
// usage: node bench/path-length.mjs [folder of another build]
import { createRequire } from 'node:module';
import { Session } from 'node:inspector/promises';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(process.argv[2] ?? join(fileURLToPath(import.meta.url), '..', '..'));
const require = createRequire(join(root, 'package.json'));
const source = join(root, 'dist', 'src');
const { createMockServer } = require(join(source, 'express.js'));
const { runContract } = require(join(source, 'index.js'));

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

/** Files and functions of ours that run while something is done. What was done before is not counted. */
async function pathOf(action) {
  await session.post('Profiler.takePreciseCoverage');
  await action();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const scripts = result
    .filter(({ url }) => url.includes(source))
    .map(
      ({ functions }) =>
        functions.filter(({ ranges, functionName }) => functionName !== '' && ranges[0].count > 0).length,
    )
    .filter((count) => count > 0);
  return { files: scripts.length, functions: scripts.reduce((sum, count) => sum + count, 0) };
}

const app = await createMockServer();
const server = app.listen(0);
const baseUrl = `http://127.0.0.1:${server.address().port}`;
const headers = { Authorization: 'Bearer test-key', 'Content-Type': 'application/json' };
const send = (path, init = {}) => fetch(baseUrl + path, { headers, ...init }).then((response) => response.text());
const post = { method: 'POST', body: JSON.stringify({ name: 'Rex', categoryId: 1 }) };
const requests = {
  'GET of an item': () => send('/pets/1'),
  POST: () => send('/pets', post),
  'GET of a list': () => send('/pets?limit=2&status=available'),
};
for (const [name, action] of Object.entries(requests)) {
  // What is done once is not part of the path.
  for (let count = 0; count < 3; count++) await action();
  const { files, functions } = await pathOf(action);
  console.log(`${name.padEnd(16)} ${files} files, ${functions} functions`);
}

const folder = mkdtempSync(join(tmpdir(), 'standin-path-'));
const contract = join(folder, 'one-step.yaml');
const step = '{ name: read, operation: getPet, parameters: { petId: 1 }, expect: { status: 200 } }';
writeFileSync(contract, `standin: contract/1\nname: one step\nsteps: [${step}]\n`);
const run = () => runContract({ baseUrl, contracts: contract, apiKey: 'test-key', probesAuth: false });
try {
  await run();
  const { files, functions } = await pathOf(run);
  console.log(`${'a run of one step'.padEnd(16)} ${files} files, ${functions} functions`);
} catch (error) {
  console.log(`a run of one step: ${error.message}`);
}
rmSync(folder, { recursive: true });
server.close();
