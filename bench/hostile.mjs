// Messages that are made to keep whoever judges them busy, beside ordinary ones of the same size.
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { mockServer } from './commands.mjs';
import { exchange } from './exchange.mjs';
import { startServer } from './server-process.mjs';

/** Just below the largest body that is taken: 1 MiB. */
const SIZE = 1024 * 1024 - 512;
const reference = (name) => ({ $ref: `#/components/schemas/${name}` });
const json = (schema) => ({ description: 'an answer', content: { 'application/json': { schema } } });
const line = {
  type: 'object',
  required: ['sku', 'count', 'price', 'unit'],
  properties: {
    sku: { type: 'string' },
    count: { type: 'integer' },
    price: { type: 'number' },
    unit: { type: 'string' },
  },
};
const branch = (op) => ({
  type: 'object',
  required: ['op', 'args'],
  properties: { op: { type: 'string', enum: [op] }, args: { type: 'array', items: reference('Filter') } },
});
const schemas = {
  Line: line,
  Order: { type: 'object', required: ['lines'], properties: { lines: { type: 'array', items: reference('Line') } } },
  Closed: { type: 'object', properties: { name: { type: 'string' } }, additionalProperties: false },
  And: branch('and'),
  Or: branch('or'),
  Leaf: { type: 'object', required: ['field'], properties: { field: { type: 'string' } } },
  Filter: { oneOf: [reference('And'), reference('Or'), reference('Leaf')] },
  Item: {
    type: 'object',
    required: ['id'],
    properties: { id: { type: 'integer', readOnly: true }, any: { type: 'object' } },
  },
};
const takeAs = (type, schema = { type: 'object' }) => ({
  post: {
    requestBody: { required: true, content: { [type]: { schema } } },
    responses: { 204: { description: 'taken' }, 400: { description: 'refused' } },
  },
});
const take = (schema) => takeAs('application/json', schema);
const description = {
  openapi: '3.0.3',
  info: { title: 'Hostile messages', version: '1' },
  paths: {
    '/orders': take(reference('Order')),
    '/closed': take(reference('Closed')),
    '/filters': take(reference('Filter')),
    '/forms': takeAs('application/x-www-form-urlencoded'),
    '/parts': takeAs('multipart/form-data'),
    '/ping': { get: { responses: { 204: { description: 'here' } } } },
    '/lines': {
      get: { operationId: 'listLines', responses: { 200: json({ type: 'array', items: reference('Line') }) } },
    },
    '/items': {
      get: { responses: { 200: json({ type: 'array', items: reference('Item') }) } },
      post: {
        requestBody: { required: true, content: { 'application/json': { schema: reference('Item') } } },
        responses: { 201: json(reference('Item')) },
      },
    },
    '/items/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
      get: { responses: { 200: json(reference('Item')) } },
      patch: {
        requestBody: {
          required: true,
          content: { 'application/json-patch+json': { schema: { type: 'array', items: { type: 'object' } } } },
        },
        responses: { 200: json(reference('Item')), 422: { description: 'refused' } },
      },
    },
  },
  components: { schemas },
};

/** The same text again and again, up to a size. */
function fill(text, size) {
  return Array(Math.floor((size + 1) / (text.length + 1)))
    .fill(text)
    .join();
}

function members(size) {
  let text = '';
  for (let index = 0; text.length < size - 20; index++) text += `${text && ','}"member${index}":0`;
  return text;
}

const GOOD_LINE = '{"sku":"a","count":1,"price":1.5,"unit":"kg"}';
const order = (item, size = SIZE) => `{"lines":[${fill(item, size - 12)}]}`;
const nested = (levels, innermost) => `${'{"op":"or","args":['.repeat(levels)}${innermost}${']}'.repeat(levels)}`;
const patch = (operations) => JSON.stringify([{ op: 'add', path: '/any', value: { a: 'x' } }, ...operations]);
const times = (count, make) => Array.from({ length: count }, (_, index) => make(index));

const FORM = 'application/x-www-form-urlencoded';
const PARTS = 'multipart/form-data; boundary=x';
const part = (name, text, more = '') =>
  `--x\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${text}\r\n`;
const parts = (text) => `${text}--x--\r\n`;
/** Just below the largest body with parts: 32 MiB. */
const LARGE = 32 * SIZE;

/** Requests to the mock: a hostile one, and a valid one of the same size. */
const SCENARIOS = [
  {
    title: 'an array of zeros of 1 MB',
    hostile: { path: '/orders', body: order('0'), status: 400 },
    valid: { path: '/orders', body: order(GOOD_LINE), status: 204 },
  },
  {
    title: 'members that nobody knows, 1 MB of them',
    hostile: { path: '/closed', body: `{${members(SIZE)}}`, status: 400 },
    valid: { path: '/orders', body: order(GOOD_LINE), status: 204 },
  },
  {
    title: 'deep nesting below branches that lead back',
    hostile: { path: '/filters', body: nested(30, '{}'), status: 400 },
    valid: { path: '/filters', body: `{"op":"or","args":[${fill('{"field":"a"}', 640)}]}`, status: 204 },
  },
  {
    title: 'deep nesting, 1 MB in the innermost list',
    hostile: { path: '/filters', body: nested(30, fill('{}', SIZE - 700)), status: 400 },
    valid: { path: '/filters', body: `{"op":"or","args":[${fill('{"field":"a"}', SIZE - 30)}]}`, status: 204 },
  },
  {
    title: 'a form of names, 1 MB of them',
    hostile: { path: '/forms', type: FORM, body: times(90_000, (index) => `name${index}=`).join('&'), status: 413 },
    valid: { path: '/orders', body: order(GOOD_LINE), status: 204 },
  },
  {
    title: 'parts without anything in them, 32 MB of them',
    hostile: { path: '/parts', type: PARTS, body: parts(part('a', '').repeat(550_000)), status: 400 },
    valid: { path: '/parts', type: PARTS, body: parts(part('a', 'x'.repeat(LARGE), '; filename="a"')), status: 204 },
  },
  {
    title: 'JSON in a part, 32 MB of it',
    hostile: {
      path: '/parts',
      type: PARTS,
      body: parts(part('a', `{${members(LARGE)}}`, '\r\nContent-Type: application/json')),
      status: 413,
    },
    valid: { path: '/parts', type: PARTS, body: parts(part('a', 'x'.repeat(LARGE), '; filename="a"')), status: 204 },
  },
  {
    title: 'copies that double an item',
    hostile: {
      method: 'PATCH',
      path: '/items/1',
      type: 'application/json-patch+json',
      body: patch(times(40, (index) => ({ op: 'copy', from: '/any', path: `/any/k${index}` }))),
      status: 422,
    },
    valid: {
      method: 'PATCH',
      path: '/items/1',
      type: 'application/json-patch+json',
      body: patch(times(40, (index) => ({ op: 'add', path: `/any/k${index}`, value: index }))),
      status: 200,
    },
  },
];

/** How many times longer a hostile message takes than a valid one, and how long another client waits meanwhile. */
export async function measureHostile(settings) {
  const file = path.join(settings.temporaryFolder, 'hostile.json');
  writeFileSync(file, JSON.stringify(description));
  const { command, label } = mockServer({ ...settings, spec: file });
  const mock = await startServer({ label, command: [...command, '--auth', 'any'] });
  try {
    await send(mock.port, { path: '/items', body: '{"any":{}}', status: 201 });
    const sections = [];
    for (const scenario of SCENARIOS)
      sections.push(await compare(scenario, settings, (each) => timed(mock.port, each)));
    sections.push(await compareRunner(settings, file));
    return sections;
  } finally {
    await mock.stop();
  }
}

async function compare({ title, hostile, valid }, { rounds, log }, measure) {
  log(title);
  const rows = [`${title}`, 'a valid one of the same size', 'longest wait of another client', '1 ms'].map((label) => ({
    label,
    rounds: [],
  }));
  // The first rounds warm up.
  for (let round = -2; round < rounds; round++) {
    const [usual, ours] = [await measure(valid), await measure(hostile)];
    if (round < 0) continue;
    [ours.ms, usual.ms, ours.waitMs, 1].forEach((ms, index) => rows[index].rounds.push({ ms }));
  }
  const [ours, usual, wait, unit] = rows;
  return {
    title,
    unit: 'ms',
    rows,
    goals: [
      { what: `${title}: times a valid one of its size`, of: ours, over: usual, atMost: 10 },
      { what: `${title}: milliseconds that another client waits`, of: wait, over: unit, atMost: 250 },
    ],
  };
}

/** One request, while another client asks for something small again and again. */
async function timed(port, request) {
  let isOver = false;
  let waitMs = 0;
  const other = (async () => {
    while (!isOver) {
      const started = performance.now();
      await exchange(port, { path: '/ping', headers: {} }, { timeoutMs: 60_000 });
      waitMs = Math.max(waitMs, performance.now() - started);
      await sleep(1);
    }
  })();
  const started = performance.now();
  await send(port, request);
  const ms = performance.now() - started;
  isOver = true;
  await other;
  return { ms, waitMs };
}

async function send(port, { method = 'POST', path: target, type = 'application/json', body, status }) {
  const answer = await exchange(
    port,
    { method, path: target, headers: { 'Content-Type': type }, body },
    { timeoutMs: 60_000 },
  );
  if (answer.status !== status) throw new Error(`${method} ${target} answered ${answer.status}, not ${status}`);
}

/** The runner meets a list of 60,000 items, wrong or not. */
async function compareRunner(settings, file) {
  const { runContract } = createRequire(import.meta.url)('../dist/src/index.js');
  const contract = path.join(settings.temporaryFolder, 'hostile.contract.yaml');
  writeFileSync(
    contract,
    'standin: contract/1\nname: Lines\ntags: [core]\nsteps:\n  - { name: list, operation: listLines, expect: { status: 200 } }\n',
  );
  let body = '';
  const server = createServer((_, response) => response.setHeader('Content-Type', 'application/json').end(body));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const baseUrl = `http://127.0.0.1:${server.address().port}`;
  const measure = async ({ item, outcome }) => {
    body = `[${Array(60_000).fill(item).join()}]`;
    let last = performance.now();
    let waitMs = 0;
    const clock = setInterval(() => {
      waitMs = Math.max(waitMs, performance.now() - last);
      last = performance.now();
    }, 1);
    const started = performance.now();
    const result = await runContract({ baseUrl, description: file, contracts: contract, probesAuth: false });
    const ms = performance.now() - started;
    await sleep(2);
    clearInterval(clock);
    if (result.outcome !== outcome) throw new Error(`the run ended with ${result.outcome}, not ${outcome}`);
    return { ms, waitMs };
  };
  try {
    const hostile = { item: '{"sku":1,"count":1,"price":1.5,"unit":"kg"}', outcome: 'violations' };
    const valid = { item: GOOD_LINE, outcome: 'conforms' };
    return await compare({ title: 'a list of 60,000 wrong items at the runner', hostile, valid }, settings, measure);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}
