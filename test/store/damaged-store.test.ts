import { appendFileSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import request from 'supertest';
import { readLogLines } from '../../src/store/log-lines';
import { API, crash, place, post, refusal, start, stop, texts } from './notes-store';

describe('a log that was damaged', () => {
  const log = (): string => join(place, 'default.log');

  /** A log of three entries, as a crash left it. */
  async function written(): Promise<Buffer> {
    const app = await start();
    for (const text of ['one', 'two', 'three']) await post(app, text).expect(201);
    crash(app);
    return readFileSync(log());
  }

  /** The number of bytes up to the end of each line. */
  const endsOf = (bytes: Buffer): number[] =>
    [...bytes.entries()].flatMap(([index, byte]) => (byte === 0x0a ? [index + 1] : []));

  test('cut at any byte, it has the lines before the cut', async () => {
    const bytes = await written();
    const whole = readLogLines(bytes);
    if ('line' in whole) throw new Error(`line ${whole.line} is broken`);
    const ends = endsOf(bytes);
    expect(whole.lines).toHaveLength(ends.length);
    for (let length = 0; length <= bytes.length; length++) {
      const before = ends.filter((end) => end <= length);
      const lines = whole.lines.slice(0, before.length);
      expect(readLogLines(bytes.subarray(0, length))).toEqual({ lines, length: before.at(-1) ?? 0 });
    }
  });

  test('cut in a line or between two, it gives what was stored before, and the mock says what was cut off', async () => {
    const bytes = await written();
    const ends = endsOf(bytes);
    const [head = 0] = ends;
    expect(ends).toHaveLength(4);
    const lengths = ends.flatMap((end, index) => {
      const start = ends[index - 1] ?? 0;
      return [Math.floor((start + end) / 2), end - 1, end];
    });
    // Each cut leaves a shorter file than the one before, because a mock writes what it stores behind the cut.
    for (const length of lengths.filter((each) => each < bytes.length).toReversed()) {
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
  });

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

test('a tail of nothing but zeros, as a file system leaves it after a power cut, is cut off', async () => {
  const app = await start();
  await post(app, 'one').expect(201);
  crash(app);
  appendFileSync(join(place, 'default.log'), Buffer.alloc(512));
  expect(await texts(await start({}, { onNotice: () => undefined }))).toEqual(['one']);
});
