import { execFileSync, spawn } from 'node:child_process';
import { appendFileSync, existsSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import request from 'supertest';
import { ConfigError } from '../../src/core/errors/standin-error';
import { createServerParts, type ServerHooks } from '../../src/library/create-mock-server';
import type { CreateMockServerOptions } from '../../src/library/mock-options';
import type { MockServer } from '../../src/server/mock-server';
import { LogFile } from '../../src/store/log-file';
import { StoreError } from '../../src/mock/state/state-log';
import { smallApi } from '../support/small-api';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder';

const NOTE = {
  type: 'object',
  required: ['id', 'text'],
  properties: {
    id: { type: 'integer', readOnly: true },
    text: { type: 'string' },
    pin: { type: 'string', writeOnly: true },
  },
};
const KEY = { name: 'Idempotency-Key', in: 'header', schema: { type: 'string' } };
const API = smallApi(
  {
    'GET /notes': { answers: { 200: { type: 'array', items: { $ref: '#/components/schemas/Note' } } } },
    'POST /notes': {
      body: { $ref: '#/components/schemas/Note' },
      answers: { 201: { $ref: '#/components/schemas/Note' } },
      parameters: [KEY],
    },
    'GET /notes/{id}': { answers: { 200: { $ref: '#/components/schemas/Note' } } },
    'DELETE /notes/{id}': { answers: { 204: null } },
  },
  { Note: NOTE },
  { id: { type: 'integer' } },
);

let folder: TemporaryFolder;
let place: string;
const open = new Set<MockServer>();
beforeEach(() => {
  folder = temporaryFolder();
  place = folder.file('store');
});
afterEach(async () => {
  for (const app of open) await app.closeStore();
  open.clear();
});

/** A mock that goes on with the folder. */
async function start(options: CreateMockServerOptions = {}, hooks: ServerHooks = {}): Promise<MockServer> {
  const description: unknown = JSON.parse(API);
  const { app } = await createServerParts(
    { description: description as object, state: 'empty', auth: 'off', store: `file:${place}`, ...options },
    hooks,
  );
  open.add(app);
  return app;
}

async function stop(app: MockServer): Promise<void> {
  open.delete(app);
  await app.closeStore();
}

/** Ends a mock as a crash does: nothing is written any more, and the lock stays behind. */
function crash(app: MockServer): void {
  open.delete(app);
  writeFileSync(join(place, 'lock'), JSON.stringify({ ...lockOf(), pid: 1, began: 'long ago' }));
}

const lockOf = (): Record<string, unknown> =>
  JSON.parse(readFileSync(join(place, 'lock'), 'utf8')) as Record<string, unknown>;

const post = (app: MockServer, text: string, headers: Record<string, string> = {}): request.Test =>
  request(app).post('/notes').set(headers).send({ text });
const texts = async (app: MockServer, headers: Record<string, string> = {}): Promise<string[]> => {
  const { body } = await request(app).get('/notes').set(headers).expect(200);
  return (body as { text: string }[]).map(({ text }) => text);
};

async function refusal(options: CreateMockServerOptions = {}): Promise<ConfigError> {
  const error: unknown = await start(options).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ConfigError);
  return error as ConfigError;
}

describe('a mock that is started again', () => {
  test('has what was stored, and gives out no key twice', async () => {
    const first = await start();
    await post(first, 'one').expect(201);
    const { body } = await post(first, 'two').expect(201);
    await request(first).delete('/notes/2').expect(204);
    await stop(first);
    const second = await start();
    expect(await texts(second)).toEqual(['one']);
    expect((await post(second, 'three').expect(201)).body).toEqual({ ...(body as object), id: 3, text: 'three' });
  });

  test('has it after a crash as well', async () => {
    const first = await start();
    await post(first, 'one').expect(201);
    crash(first);
    expect(await texts(await start())).toEqual(['one']);
  });

  test('answers a request that it answered before by its Idempotency-Key', async () => {
    const first = await start();
    const key = { 'Idempotency-Key': '"a"' };
    const { body } = await post(first, 'one', key).expect(201);
    crash(first);
    const second = await start();
    expect((await post(second, 'one', key).expect(201)).body).toEqual(body);
    expect(await texts(second)).toEqual(['one']);
  });

  test('has its sandboxes, whatever the case of their names, but for those that were removed', async () => {
    const first = await start();
    for (const id of ['Worker-1', 'worker-1', 'other'])
      await post(first, `in ${id}`, { 'X-Standin-Sandbox': id }).expect(201);
    first.sandbox('other').remove();
    crash(first);
    const second = await start();
    expect(
      second
        .sandboxes()
        .map(({ id }) => id)
        .sort(),
    ).toEqual(['Worker-1', 'worker-1']);
    expect(await texts(second, { 'X-Standin-Sandbox': 'Worker-1' })).toEqual(['in Worker-1']);
    expect(await texts(second, { 'X-Standin-Sandbox': 'worker-1' })).toEqual(['in worker-1']);
    expect(await texts(second)).toEqual([]);
  });

  test('has what a program put there, and what it took back', async () => {
    const first = await start();
    await post(first, 'one').expect(201);
    first.putRow('/notes', { id: 7, text: 'seven' });
    first.patchRow('/notes', 7, { text: 'SEVEN' });
    first.putRow('/notes', { id: 8, text: 'eight' });
    first.undo();
    crash(first);
    const second = await start();
    expect(await texts(second)).toEqual(['one', 'SEVEN']);
    second.reset();
    crash(second);
    expect(await texts(await start())).toEqual([]);
  });

  test('accepts the credentials that it gave out, and not those that were ended', async () => {
    const api = smallApi({
      'POST /login': {
        answers: { 200: { type: 'object', required: ['token'], properties: { token: { type: 'string' } } } },
      },
      'POST /logout': { answers: { 204: null } },
      'GET /notes': { answers: { 200: { type: 'array', items: { type: 'object' } } } },
    });
    const description = JSON.parse(api) as { paths: Record<string, Record<string, object>>; components?: object };
    description.components = { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } };
    for (const path of ['/notes', '/logout'])
      for (const operation of Object.values(description.paths[path] ?? {}))
        Object.assign(operation, { security: [{ key: [] }] });
    const options = { description, auth: 'keys' as const };
    const first = await start(options);
    const { body } = await request(first).post('/login').expect(200);
    const key = { Authorization: `Bearer ${(body as { token: string }).token}` };
    crash(first);
    const second = await start(options);
    await request(second).get('/notes').set(key).expect(200);
    await request(second).post('/logout').set(key).expect(204);
    crash(second);
    await request(await start(options))
      .get('/notes')
      .set(key)
      .expect(401);
  });
});

describe('the folder', () => {
  test('holds a fixture file of each sandbox after the end, write-only properties with it, for this user alone', async () => {
    const app = await start();
    await request(app).post('/notes').send({ text: 'one', pin: '1234' }).expect(201);
    await stop(app);
    const file = join(place, 'default.json');
    expect(readFileSync(file, 'utf8')).toBe(
      '{\n  "standin": "fixture/1",\n  "collections": {\n    "/notes": [\n      {"id":1,"text":"one","pin":"1234"}\n    ]\n  },\n  "nextKeys": {\n    "/notes": 2\n  }\n}\n',
    );
    for (const name of readdirSync(place)) expect([name, statSync(join(place, name)).mode & 0o077]).toEqual([name, 0]);
    const other = await start({ store: 'memory', fixtures: file, state: 'seeded' });
    expect(await texts(other)).toEqual(['one']);
  });

  test('may be edited while no mock uses it', async () => {
    const first = await start();
    await post(first, 'one').expect(201);
    await stop(first);
    const file = join(place, 'default.json');
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replace('"one"', '"uno"').replace('{"id":1', '{"id":5,"text":"dos"},\n{"id":1'),
    );
    const second = await start();
    expect(await texts(second)).toEqual(['uno', 'dos']);
    await stop(second);
    expect(await texts(await start())).toEqual(['uno', 'dos']);
  });

  test.each([
    ['{', 'cannot be read (Unexpected end of JSON at line 1, column 2'],
    ['{}', '/collections must be an object with a list of rows for each collection'],
    ['{"collections":{"/notes":{}}}', '/collections/~1notes must be a list of rows'],
    ['{"collections":{"/notes":[1]}}', '/collections/~1notes/0 must be a row'],
    [
      '{"collections":{"/notes":[{"id":1,"text":"a"},{"id":1,"text":"b"}]}}',
      '/collections/~1notes/1 has the key 1, which another row has already',
    ],
  ])('edited into %s is refused, and stays as it is', async (text, message) => {
    const first = await start();
    await post(first, 'one').expect(201);
    await stop(first);
    writeFileSync(join(place, 'default.json'), text);
    const error = await refusal();
    expect(error.code).toBe('STORE_UNUSABLE');
    expect(error.message).toContain(message);
    expect(readFileSync(join(place, 'default.json'), 'utf8')).toBe(text);
    expect(existsSync(join(place, 'lock'))).toBe(false);
  });

  test('edited into rows that the description does not allow is told of, row by row', async () => {
    const first = await start();
    await post(first, 'one').expect(201);
    await stop(first);
    writeFileSync(join(place, 'default.json'), '{"collections":{"/notes":[{"id":1,"text":7}]}}');
    const notices: string[] = [];
    const second = await start({}, { onNotice: (text) => notices.push(text) });
    expect(notices).toEqual(['Stored in default, and not what the description says: /notes/1: /text must be a string']);
    expect((await request(second).get('/notes/1')).body).toEqual({ id: 1, text: 7 });
  });

  test('is used by one process at a time', async () => {
    await start();
    const error = await refusal();
    expect(error.code).toBe('STORE_IN_USE');
    expect(error.message).toBe(`The store ${place} is in use by another mock of this process`);
    expect(error.hint).toContain(`remove ${join(place, 'lock')}`);
  });

  test('is left to the next one by a process that is gone', async () => {
    const gone = spawn(process.execPath, ['-e', '']);
    await new Promise((resolve) => gone.on('close', resolve));
    const first = await start();
    await stop(first);
    for (const lock of [
      { ...lockLike(), boot: 'another' },
      { ...lockLike(), pid: gone.pid },
    ]) {
      writeFileSync(join(place, 'lock'), JSON.stringify(lock));
      await stop(await start());
    }
  });

  test('is left to the next one by a process that ended and that nobody waited for', async () => {
    await stop(await start());
    // It ends when its parent is a program that waits for no child.
    const parent = spawn('bash', ['-c', 'sleep 0.3 & echo $!; exec sleep 20']);
    const pid = await new Promise<number>((resolve) => {
      parent.stdout.once('data', (text) => {
        resolve(Number(text));
      });
    });
    const fieldsOf = (): string[] =>
      readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ');
    while (fieldsOf()[0] !== 'Z') await new Promise((resolve) => setTimeout(resolve, 20));
    const fields = fieldsOf();
    writeFileSync(join(place, 'lock'), JSON.stringify({ ...lockLike(), pid, began: fields[19] }));
    await start();
    parent.kill('SIGKILL');
  });

  test('is not taken from a machine that gave a sign of life just now, and from one that was silent it is', async () => {
    await stop(await start());
    const lock = join(place, 'lock');
    writeFileSync(lock, JSON.stringify({ ...lockLike(), host: 'elsewhere', namespace: 'pid:[1]' }));
    expect((await refusal()).message).toContain('on elsewhere');
    execFileSync('touch', ['-d', '1 minute ago', lock]);
    await start();
  });

  test.each([
    ['store/7', 'it is of the version store/7, and this standin reads store/1'],
    ['recording/1', 'store.info in it is not that of a standin store'],
  ])('of the format %s is refused', async (format, message) => {
    folder.write('store/store.info', JSON.stringify({ standin: format }));
    const error = await refusal();
    expect([error.code, error.message]).toEqual(['STORE_UNUSABLE', `The store ${place} cannot be used: ${message}`]);
  });

  test('that holds something else is refused', async () => {
    folder.write('store/package.json', '{}');
    expect((await refusal()).message).toContain('it holds package.json, and no store.info');
    expect(readdirSync(place)).toEqual(['package.json']);
  });

  test('that is a file is refused', async () => {
    folder.write('store', 'text');
    expect((await refusal()).code).toBe('STORE_UNUSABLE');
  });
});

/** What this process writes into a lock. */
function lockLike(): object {
  return {
    pid: 1,
    host: hostname(),
    boot: readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim(),
    namespace: execFileSync('readlink', ['/proc/self/ns/pid'], { encoding: 'utf8' }).trim(),
    began: '1',
  };
}

describe('a log that was damaged', () => {
  const log = (): string => join(place, 'default.log');

  /** A log of three entries, as a crash left it. */
  async function written(): Promise<Buffer> {
    const app = await start();
    for (const text of ['one', 'two', 'three']) await post(app, text).expect(201);
    crash(app);
    return readFileSync(log());
  }

  test('cut at any byte gives what was stored before, and says what was cut off', async () => {
    const bytes = await written();
    const ends = [...bytes.entries()].flatMap(([index, byte]) => (byte === 0x0a ? [index + 1] : []));
    const [head = 0] = ends;
    expect(ends).toHaveLength(4);
    for (let length = bytes.length - 1; length >= 0; length -= length > head + 3 ? 3 : 1) {
      writeFileSync(log(), bytes.subarray(0, length));
      const notices: string[] = [];
      if (length < head) {
        const error = await refusal();
        expect(error.message).toContain(`${log()} does not begin as a log of standin`);
        expect(readFileSync(log())).toHaveLength(length);
        continue;
      }
      const whole = ends.filter((end) => end <= length);
      const app = await start({}, { onNotice: (text) => notices.push(text) });
      expect(await texts(app)).toEqual(['one', 'two', 'three'].slice(0, whole.length - 1));
      const rest = length - (whole.at(-1) ?? 0);
      expect(notices).toEqual(
        rest === 0 ? [] : [expect.stringContaining(`ended in the middle of an entry: ${rest} byte`)],
      );
      await post(app, 'after').expect(201);
      crash(app);
      const again = await start();
      expect(await texts(again)).toEqual([...['one', 'two', 'three'].slice(0, whole.length - 1), 'after']);
      crash(again);
    }
  }, 60_000);

  test('in its middle is refused with the line, and nothing is changed', async () => {
    const bytes = await written();
    const changed = Buffer.from(bytes.toString().replace('"two"', '"TWO"'));
    writeFileSync(log(), changed);
    const error = await refusal();
    expect(error.message).toBe(`The store ${place} cannot be used: line 3 of ${log()} is not what was written`);
    expect(error.hint).toContain('Nothing was changed');
    expect(readFileSync(log())).toEqual(changed);
  });

  test('of which a line was taken out is refused', async () => {
    const lines = (await written()).toString().split('\n');
    lines.splice(2, 1);
    writeFileSync(log(), lines.join('\n'));
    expect((await refusal()).message).toContain(`line 3 of ${log()} does not follow the one before it`);
  });

  test('without its snapshot is refused', async () => {
    await written();
    truncateSync(join(place, 'default.json'));
    expect((await refusal()).code).toBe('STORE_UNUSABLE');
  });
});

describe('a description that changed', () => {
  test('keeps what is stored, begins what is new, and says what does not fit', async () => {
    const first = await start();
    await post(first, 'one').expect(201);
    await stop(first);
    const description = JSON.parse(API.replace('"text":{"type":"string"}', '"text":{"type":"integer"}')) as {
      paths: Record<string, object>;
    };
    const tag = { type: 'object', properties: { id: { type: 'integer' }, name: { type: 'string' } } };
    const content = (schema: object): object => ({ content: { 'application/json': { schema } } });
    description.paths['/tags'] = {
      get: { responses: { 200: { description: 'all', ...content({ type: 'array', items: tag }) } } },
      post: { requestBody: content(tag), responses: { 201: { description: 'made', ...content(tag) } } },
    };
    const notices: string[] = [];
    const second = await start({ description }, { onNotice: (text) => notices.push(text) });
    expect(notices).toEqual([
      `The description is another one than when ${place} was written; what is stored stays as it is`,
      'Stored in default, and not what the description says: /notes/1: /text must be an integer',
    ]);
    expect((await request(second).get('/tags').expect(200)).body).toEqual([]);
    await stop(second);
    expect(await texts(await start())).toEqual(['one']);
  });

  test('into that of another API is refused', async () => {
    const first = await start();
    await post(first, 'one').expect(201);
    await stop(first);
    const before = readdirSync(place).map((name) => [name, readFileSync(join(place, name), 'utf8')]);
    const error = await refusal({ description: undefined });
    expect(error.message).toContain(`The store ${place} is of another API`);
    expect(error.message).toContain('with /notes; "Petstore API" has none of its collections');
    expect(readdirSync(place).map((name) => [name, readFileSync(join(place, name), 'utf8')])).toEqual(before);
  });
});

describe('what cannot be stored', () => {
  test('is not done on a device that is full', () => {
    const paths = { log: '/dev/full', snapshot: folder.file('none') };
    let refused = 0;
    const terms = { policy: 1000, onRefused: () => (refused += 1) };
    const file = new LogFile(paths, terms, { position: 0, from: 0, logBytes: 0, snapshotBytes: 0 });
    const act = (): void => {
      file.append([{ dropped: ['/notes'] }, { dropped: ['/others'] }]);
      file.flush();
    };
    expect(act).toThrow(StoreError);
    expect(act).toThrow(
      '/dev/full cannot be written (ENOSPC: no space left on device, write); the disk is full: make room, then ask again',
    );
    expect([file.position, refused]).toEqual([0, 2]);
  });

  test('is not after the store was closed', async () => {
    const app = await start();
    await stop(app);
    await post(app, 'late').expect(503);
    const { body } = await request(app).get('/__standin/health').expect(200);
    expect(body).toMatchObject({ status: 'failing', store: { place, trouble: expect.any(String) as string } });
    await request(app).get('/__standin/ready').expect(503);
  });

  test('of a lock that somebody removed goes to whoever is there now', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'performance', 'queueMicrotask'] });
    try {
      const app = await start();
      writeFileSync(join(place, 'lock'), JSON.stringify({ ...lockLike(), pid: 1 }));
      jest.advanceTimersByTime(6000);
      expect(() => app.putRow('/notes', { id: 9, text: 'nine' })).toThrow('Another process has taken');
      open.delete(app);
    } finally {
      jest.useRealTimers();
    }
  });
});

describe('options', () => {
  test.each([
    [{ store: 'disk' }, 'The option store must be memory, file:FOLDER, or the address of a Redis'],
    [
      { storeSync: 'often' as unknown as number },
      'The option storeSync must be "always", or a whole number of milliseconds',
    ],
    [{ store: 'memory', storeSync: 5 }, 'storeSync says when a folder is written, and none is named'],
  ])('%j are refused', async (options, message) => {
    expect((await refusal(options)).message).toContain(message);
  });

  test('of a long log make a snapshot of it while the mock goes on', async () => {
    const app = await start({ storeSync: 'always' });
    const text = 'x'.repeat(900_000);
    for (let count = 0; count < 6; count++) await post(app, `${count} ${text}`).expect(201);
    await new Promise((resolve) => setTimeout(resolve, 200));
    await post(app, 'last').expect(201);
    expect(statSync(join(place, 'default.log')).size).toBeLessThan(2_000_000);
    expect(statSync(join(place, 'default.json')).size).toBeGreaterThan(3_600_000);
    crash(app);
    expect((await texts(await start())).map((each) => each.slice(0, 2))).toEqual([
      '0 ',
      '1 ',
      '2 ',
      '3 ',
      '4 ',
      '5 ',
      'la',
    ]);
  });
});

test('a tail of nothing but zeros, as a file system leaves it after a power cut, is cut off', async () => {
  const app = await start();
  await post(app, 'one').expect(201);
  crash(app);
  appendFileSync(join(place, 'default.log'), Buffer.alloc(512));
  expect(await texts(await start({}, { onNotice: () => undefined }))).toEqual(['one']);
});
