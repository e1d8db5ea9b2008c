// Whether a mock stays right and small however long it runs: the life of pets, in sandboxes as well, again and again.
//
//   npm run measure -- soak
//   node bench/soak.mjs --requests 20000     fewer of them
//
// Exits 1 after a wrong status, or when the mock's memory at the end is more than 10 % above that before half.
import { parseArgs } from 'node:util';
import { Pool } from 'undici';
import { defaultBin, defaultSpec, mockServer } from './commands.mjs';
import { startServer } from './server-process.mjs';

const { values } = parseArgs({ options: { requests: { type: 'string', default: '300000' } } });
const wanted = Number(values.requests);
if (!(wanted > 0)) throw new Error('--requests takes a number of requests');
const CLIENTS = 8;
/** So many lives until one of them is led in a sandbox of its own. */
const SANDBOX_EVERY = 10;
const MOST_GROWTH = 0.1;

const server = await startServer(mockServer({ bin: defaultBin, spec: defaultSpec }));
const pool = new Pool(`http://127.0.0.1:${server.port}`, { connections: CLIENTS });
const wrong = new Map();
let requests = 0;

async function ask(method, path, status, { body, sandbox } = {}) {
  requests += 1;
  const headers = { Authorization: 'Bearer test-key', 'Content-Type': 'application/json' };
  if (sandbox !== undefined) headers['X-Standin-Sandbox'] = sandbox;
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const response = await pool.request({ method, path, headers, body: text });
  const answer = await response.body.text();
  if (response.statusCode !== status) {
    const key = `${method} ${path.replaceAll(/\d+/g, 'N')}: ${response.statusCode} instead of ${status}`;
    wrong.set(key, (wrong.get(key) ?? 0) + 1);
  }
  return answer === '' ? undefined : JSON.parse(answer);
}

async function leadLife(number) {
  const sandbox = number % SANDBOX_EVERY === 0 ? `soak-${number}` : undefined;
  const at = { sandbox };
  const category = await ask('POST', '/categories', 201, { ...at, body: { name: `Category ${number}` } });
  const pet = await ask('POST', '/pets', 201, { ...at, body: { name: `Pet ${number}`, categoryId: category.id } });
  await ask('GET', `/pets/${pet.id}`, 200, at);
  await ask('GET', '/pets?limit=5', 200, at);
  await ask('PUT', `/categories/${category.id}`, 200, { ...at, body: { name: `Renamed ${number}` } });
  await ask('POST', '/pets', 400, { ...at, body: '{"name":' });
  await ask('DELETE', `/pets/${pet.id}`, 204, at);
  await ask('GET', `/pets/${pet.id}`, 404, at);
  await ask('DELETE', `/categories/${category.id}`, 204, at);
  if (sandbox !== undefined) await ask('DELETE', `/__standin/sandboxes?sandbox=${sandbox}`, 204);
}

let lives = 0;
/** Leads lives until so many requests were sent. */
async function leadLives(until) {
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      while (requests < until) await leadLife((lives += 1));
    }),
  );
  return server.residentMiB();
}

const sizes = [];
for (let tenth = 1; tenth <= 10; tenth++) {
  sizes.push(await leadLives((wanted * tenth) / 10));
  process.stdout.write(`${String(requests).padStart(8)} requests  ${sizes.at(-1).toFixed(1).padStart(6)} MiB\n`);
}
await pool.close();
await server.stop();

/** What garbage is there at one moment is chance: of the third to fifth tenth, and of the last three, the least counts. */
const [before, after] = [sizes.slice(2, 5), sizes.slice(7)].map((part) => Math.min(...part));
for (const [what, count] of wrong) process.stdout.write(`wrong: ${what} (${count} times)\n`);
const grown = after / before - 1;
process.stdout.write(
  `Memory before half of the requests: ${before.toFixed(1)} MiB, at the end ${after.toFixed(1)} MiB\n`,
);
const answeredWrong = [...wrong.values()].reduce((sum, count) => sum + count, 0);
process.stdout.write(
  `figures ${JSON.stringify({ requests, 'wrong answers': answeredWrong, 'MiB at the end': Math.round(after) })}\n`,
);
process.exitCode = wrong.size > 0 || grown > MOST_GROWTH ? 1 : 0;
