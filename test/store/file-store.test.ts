import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import request from 'supertest';
import { StoreError } from '../../src/mock/state/state-log';
import { LogFile } from '../../src/store/log-file';
import { smallApi } from '../support/small-api';
import { until } from '../support/until';
import { crash, folder, open, place, post, refusal, start, stop, texts } from './notes-store';

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
    // The child ends with its input, when its parent is a program that waits for no child.
    const parent = spawn('bash', ['-c', 'read <&3 & echo $!; exec sleep 60'], {
      stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
    });
    const ended = once(parent, 'close');
    const pid = await new Promise<number>((resolve) => {
      parent.stdout?.once('data', (text) => {
        resolve(Number(text));
      });
    });
    const fieldsOf = (): string[] =>
      readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ');
    await until(() => readFileSync(`/proc/${parent.pid}/comm`, 'utf8') === 'sleep\n', 'the parent waits for no child');
    (parent.stdio[3] as Writable).end();
    await until(() => fieldsOf()[0] === 'Z', 'the child has ended');
    const fields = fieldsOf();
    writeFileSync(join(place, 'lock'), JSON.stringify({ ...lockLike(), pid, began: fields[19] }));
    await start();
    parent.kill('SIGKILL');
    await ended;
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

  test('is the last one where half a line is left of it, as later ones would be glued to that', () => {
    const appendAgain = (logBytes: number): (() => void) => {
      const from = { position: 0, from: 0, logBytes, snapshotBytes: 0 };
      const terms = { policy: 1000, onRefused: () => undefined };
      const file = new LogFile({ log: '/dev/full', snapshot: folder.file('none') }, terms, from);
      file.append([{ dropped: ['/notes'] }]);
      expect(() => {
        file.flush();
      }).toThrow(StoreError);
      return () => {
        file.append([{ dropped: ['/others'] }]);
      };
    };
    expect(appendAgain(0)).not.toThrow();
    // A device keeps no half line: here the store believes that the log is shorter than it is.
    expect(appendAgain(-1)).toThrow(StoreError);
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
    const sizeOf = (name: string): number => statSync(join(place, name)).size;
    await until(() => sizeOf('default.json') > 3_600_000 && sizeOf('default.log') < 2_000_000, 'the snapshot');
    await post(app, 'last').expect(201);
    expect(sizeOf('default.log')).toBeLessThan(2_000_000);
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
