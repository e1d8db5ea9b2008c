import type { Reply, Sketch } from './other-service';
import { runOwn, shelfOf } from './own-run';

const TEXT = { type: 'string' };
const NAMED: readonly Sketch[] = [
  { id: 'ping', at: 'GET /ping', statuses: [200] },
  { id: 'get', at: 'GET /kv/{name}', statuses: [200, 404], query: ['revision'] },
  { id: 'put', at: 'PUT /kv/{name}', statuses: [200, 201, 204], takesBody: true },
  { id: 'patch', at: 'PATCH /kv/{name}', statuses: [200, 201], takesBody: true },
  { id: 'remove', at: 'DELETE /kv/{name}', statuses: [204, 404] },
];

const call = (operation: string, name: string, more: object = {}): object => {
  const body = operation === 'put' || operation === 'patch' ? { body: { v: 2 } } : {};
  const named = { name: `${operation} ${name}`, operation, parameters: { name }, ...body };
  return { ...named, expect: { status: [200, 201, 204, 404] }, ...more };
};
const PING = { name: 'ping', operation: 'ping', expect: { status: 200 } };

/** `a` is there, so that a 404 of the GET says something. */
function store(more: readonly string[] = []) {
  const items = new Map<string, unknown>(['a', ...more].map((name) => [`/kv/${name}`, { v: 1 }]));
  const shelf = shelfOf(items);
  const answer = (line: string, body: object): Reply => {
    const [method, path = ''] = line.split(' ');
    if (path === '/ping') return { status: 200, body: {} };
    if (method !== 'PUT' && method !== 'PATCH') return shelf(line);
    const status = items.has(path) ? 200 : 201;
    items.set(path, body);
    return { status, body };
  };
  return { items, answer };
}

test.each([
  { what: 'a query', more: { parameters: { name: 'b', revision: 9 } } },
  { what: 'a header of its own', more: { headers: { 'X-Tenant': 'other' } } },
])('a 404 of a GET with $what says nothing of what the path names', async ({ more }) => {
  const { items, answer } = store(['b']);
  const { writes, skipped } = await runOwn({
    sketches: NAMED,
    id: TEXT,
    steps: [call('get', 'a'), { ...call('get', 'b'), ...more }, call('remove', 'b')],
    answer: (line, body, { url = '', headers }) =>
      url.includes('?') || headers['x-tenant'] !== undefined ? { status: 404, body: {} } : answer(line, body),
  });
  expect(skipped).toEqual(['remove b']);
  expect(writes).toEqual([]);
  expect(items.size).toBe(2);
});

test('what somebody put there since a GET found nothing is left alone', async () => {
  const { items, answer } = store();
  const { writes, skipped } = await runOwn({
    sketches: NAMED,
    id: TEXT,
    steps: [call('get', 'a'), call('get', 'b'), PING, call('remove', 'b')],
    answer: (line, body) => {
      if (line === 'GET /ping') items.set('/kv/b', { v: 'a colleague’s' });
      return answer(line, body);
    },
  });
  expect(skipped).toEqual(['remove b']);
  expect(writes).toEqual([]);
  expect(items.has('/kv/b')).toBe(true);
});

test('a PUT that is answered 200 where a GET found nothing changed what was hidden: it is told and not removed', async () => {
  const { items, answer } = store(['hidden']);
  const { writes, left } = await runOwn({
    sketches: NAMED,
    id: TEXT,
    steps: [call('get', 'a'), call('get', 'hidden'), call('put', 'hidden', { body: { v: 'mine ${runId}' } })],
    answer: (line, body) => (line === 'GET /kv/hidden' ? { status: 404, body: {} } : answer(line, body)),
  });
  expect(writes).toEqual(['PUT /kv/hidden']);
  expect(left).toEqual(['/kv/hidden']);
  expect(items.has('/kv/hidden')).toBe(true);
});

test.each(['put', 'patch'])(
  'what a %s made where nothing was is the run’s own, and removed in the end',
  async (how) => {
    const { items, answer } = store();
    const { writes, left } = await runOwn({
      sketches: NAMED,
      id: TEXT,
      steps: [call('get', 'a'), call('get', 'b'), call(how, 'b')],
      answer,
    });
    expect(writes).toEqual([`${how.toUpperCase()} /kv/b`, 'DELETE /kv/b']);
    expect(left).toEqual([]);
    expect([...items.keys()]).toEqual(['/kv/a']);
  },
);

test('a text that other runs may use as well is no name of something absent', async () => {
  const { items, answer } = store(['standin-absent']);
  const steps = [call('get', 'a'), call('put', 'standin-absent'), call('remove', 'standin-absent')];
  const { writes, skipped } = await runOwn({ sketches: NAMED, id: TEXT, steps, answer });
  expect(skipped).toEqual(['put standin-absent', 'remove standin-absent']);
  expect(writes).toEqual([]);
  expect(items.size).toBe(2);
});

test('a text with the id of the run is one, and a fixed text where a look finds nothing', async () => {
  const { answer } = store();
  const steps = [call('get', 'a'), call('remove', 'no-${runId}'), call('remove', 'standin-absent')];
  const { writes, skipped } = await runOwn({ sketches: NAMED, id: TEXT, steps, answer });
  expect(skipped).toEqual([]);
  expect(writes).toHaveLength(2);
});

test('what a PUT to a name with the id of the run made is removed, also where it was answered 204', async () => {
  const { items, answer } = store();
  const { writes, left } = await runOwn({
    sketches: NAMED,
    id: TEXT,
    steps: [call('put', 'k-${runId}')],
    answer: (line, body) =>
      line.startsWith('PUT') && answer(line, body).status ? { status: 204 } : answer(line, body),
  });
  expect(writes).toHaveLength(2);
  expect(writes[1]).toMatch(/^DELETE \/kv\/k-/);
  expect(left).toEqual([]);
  expect([...items.keys()]).toEqual(['/kv/a']);
});
