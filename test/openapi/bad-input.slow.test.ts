import { truncateSync } from 'node:fs';
import { createServerParts, type ServerParts } from '../../src/library/create-mock-server';
import { loadApi } from '../../src/files/load-api';
import { loadDescription } from '../../src/files/load-description';
import {
  allOfDocument,
  collectionsDocument,
  enumDocument,
  exampleDocument,
  HEAD,
  membersDocument,
  ringDocument,
  withSchema,
} from './large-documents';
import { thrownBy } from './load-text';
import { toHttpRequest } from '../fuzz/fresh-mock';
import { endedHere } from '../cli/standin-process';
import { countCalls, countCallsSync, useOneCallCounter } from '../support/count-calls';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder';

let folder: TemporaryFolder;
beforeEach(() => {
  folder = temporaryFolder();
});

function write(name: string, text: string): string {
  return folder.write(name, text);
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

type Ask = (method: string, target: string, body?: string) => Promise<Answer>;

/** The defects of the mock are thrown, so that none hides behind a 500. */
async function serve(file: string, options: object = {}): Promise<Ask & { readonly parts: ServerParts }> {
  const defects: unknown[] = [];
  const parts = await createServerParts(
    { description: file, ...options },
    { reportDefect: (error) => defects.push(error) },
  );
  const ask: Ask = async (method, target, body = '') => {
    const headers: [string, string][] = [['Host', 'mock.example']];
    if (body !== '') headers.push(['Content-Type', 'application/json']);
    const answer = await parts.mock.engine.handle(toHttpRequest({ method, target, headers, body }));
    expect(defects).toStrictEqual([]);
    return { status: answer.status, text: Buffer.from(answer.body ?? '').toString() };
  };
  return Object.assign(ask, { parts });
}

describe('a large or hostile document is refused at once, with its place', () => {
  useOneCallCounter();

  // Node reads no file of more than 2 GiB: to read it would be another error.
  test.each(['big.yaml', 'big.json'])('%s of 4 GiB is not even read', (name) => {
    const file = write(name, '{"openapi":"3.0.3",');
    truncateSync(file, 4 * 1024 ** 3);
    expect(thrownBy(() => loadDescription(file))).toMatchObject({
      code: 'SPEC_UNREADABLE',
      message: expect.stringContaining('4294967296 bytes') as string,
    });
  });

  const nested = (depth: number): string => `${'['.repeat(depth)}1${']'.repeat(depth)}`;
  const anchors = Array.from({ length: 400 }, (_, index) => index).reduce(
    (inner, index) => `&n${index} [${inner}, 1]`,
    'x',
  );
  test.each([
    {
      name: 'anchors.yaml',
      text: `${HEAD}paths: {}\nx-a: ${anchors}\nx-b: [${Array.from({ length: 400 }, (_, index) => `*n${index}`).join(', ')}]\n`,
      code: 'SPEC_INVALID',
      line: 4,
    },
    {
      name: 'bomb.yaml',
      text: `a0: &a0 [1,1,1,1,1,1,1,1,1]\n${Array.from({ length: 12 }, (_, index) => `a${index + 1}: &a${index + 1} [${Array(9).fill(`*a${index}`).join(', ')}]\n`).join('')}`,
      code: 'SPEC_SYNTAX',
      line: 1,
    },
    { name: 'deep.yaml', text: `${HEAD}paths: {}\nx-a: ${nested(10_000)}`, code: 'SPEC_INVALID', line: 4 },
    { name: 'deep.json', text: nested(100_000), code: 'SPEC_INVALID', line: 1 },
    { name: 'cut.yaml', text: `${HEAD}paths:\n  /a: { get: { responses`, code: 'SPEC_INVALID', line: 4 },
    { name: 'cut.json', text: '{"openapi":"3.0.3",\n"info":{"title":"a', code: 'SPEC_INVALID', line: 2 },
    { name: 'other.yaml', text: 'hello: world\n', code: 'SPEC_INVALID', line: 1 },
    { name: 'page.json', text: '<!doctype html>', code: 'SPEC_INVALID', line: 1 },
  ])('$name', ({ name, text, line }) => {
    const file = write(name, text);
    let error: ReturnType<typeof thrownBy> | undefined;
    const calls = countCallsSync(() => (error = thrownBy(() => loadDescription(file))));
    expect(calls).toBeLessThan(5_000_000);
    expect(error?.findings[0]).toMatchObject({ file, line });
  });

  test('a file that never ends is no description, and is not read', () => {
    const file = write('openapi.yaml', withSchema('{ $ref: "/dev/zero" }'));
    for (const [allowFiles, message] of [
      [[], 'is outside of the folder'],
      [['/dev'], 'is not a file'],
    ] as const) {
      expect(thrownBy(() => loadApi(file, { allowFiles, isStrict: true })).findings).toMatchObject([
        { rule: 'ref-resolves', line: 3, message: expect.stringContaining(message) as string },
      ]);
    }
  });

  test('a reference to the folder itself says so', () => {
    const file = write('openapi.yaml', withSchema('{ $ref: "./" }'));
    expect(thrownBy(() => loadDescription(file)).findings).toMatchObject([
      { rule: 'ref-resolves', line: 3, message: expect.stringContaining('is a folder') as string },
    ]);
  });
});

describe('strange documents that are valid are served', () => {
  test.each([
    { name: 'CRLF', text: withSchema('{ type: integer }').replaceAll('\n', '\r\n') },
    { name: 'a byte order mark', text: `\ufeff${withSchema('{ type: integer }')}` },
    {
      name: 'half a character as a name',
      text: JSON.stringify({
        openapi: '3.0.3',
        info: { title: '\ud800', version: '1' },
        paths: {
          '/things': {
            get: {
              responses: {
                200: {
                  description: '\ud83d',
                  content: {
                    'application/json': {
                      schema: { type: 'object', required: ['\ud800'], properties: { '\ud800': { type: 'string' } } },
                    },
                  },
                },
              },
            },
          },
        },
      }),
    },
  ])('$name', async ({ text }) => {
    const ask = await serve(write('openapi.yaml', text));
    expect((await ask('GET', '/things')).status).toBe(200);
  });
});

describe('a large document is loaded and served in work that grows with its size', () => {
  useOneCallCounter();

  // Larger sizes take a little more than twice the calls for twice the size.
  test.each([
    { name: 'characters of an example', size: 50_000, document: exampleDocument },
    { name: 'values of an enum', size: 500, document: enumDocument },
    { name: 'schemas in a ring', size: 40, document: ringDocument },
    { name: 'schemas of an allOf in an allOf', size: 30, document: allOfDocument },
    { name: 'members of an object', size: 80, document: membersDocument },
    { name: 'collections', size: 12, document: collectionsDocument },
  ])('$name', async ({ size, document }) => {
    const work = (count: number): Promise<number> => {
      const file = write('openapi.yaml', document(count));
      return countCalls(async () => {
        const ask = await serve(file);
        expect((await ask('GET', '/things')).status).toBe(200);
      });
    };
    await work(3);
    expect(await work(2 * size)).toBeLessThan(2.4 * (await work(size)));
  });
});

describe('names that every object inherits', () => {
  const text = `${HEAD}paths:
  /__proto__:
    get: { responses: { "200": { description: ok, content: { application/json: { schema: { type: array, items: { $ref: "#/components/schemas/__proto__" } } } } } } }
    post: { requestBody: { content: { application/json: { schema: { $ref: "#/components/schemas/__proto__" } } } }, responses: { "201": { description: ok, content: { application/json: { schema: { $ref: "#/components/schemas/__proto__" } } } } } }
  /__proto__/{__proto__}:
    parameters: [{ name: __proto__, in: path, required: true, schema: { type: string } }]
    get: { parameters: [{ name: constructor, in: query, schema: { type: string } }], responses: { "200": { description: ok, content: { application/json: { schema: { $ref: "#/components/schemas/__proto__" } } } } } }
    patch: { requestBody: { content: { application/json: { schema: { $ref: "#/components/schemas/__proto__" } } } }, responses: { "200": { description: ok, content: { application/json: { schema: { $ref: "#/components/schemas/__proto__" } } } } } }
    delete: { responses: { "204": { description: gone } } }
  /constructor:
    get: { parameters: [{ name: toString, in: query, schema: { type: integer } }], responses: { "200": { description: ok, content: { application/json: { schema: { type: array, items: { $ref: "#/components/schemas/constructor" } } } } } } }
    post: { requestBody: { content: { application/json: { schema: { $ref: "#/components/schemas/constructor" } } } }, responses: { "201": { description: ok, content: { application/json: { schema: { $ref: "#/components/schemas/constructor" } } } } } }
components:
  schemas:
    __proto__: { type: object, required: [__proto__], properties: { __proto__: { type: string }, constructor: { type: string }, valueOf: { type: string, default: v } } }
    constructor: { type: object, properties: { id: { type: integer }, constructor: { type: string }, toString: { type: integer } } }
`;

  test('are names like any other, and what all objects share stays as it is', async () => {
    const ask = await serve(write('openapi.yaml', text), { state: 'empty' });
    const made = '{"__proto__":"x","constructor":"c","valueOf":"v"}';
    expect(await ask('POST', '/__proto__', '{"__proto__":"x","constructor":"c"}')).toStrictEqual({
      status: 201,
      text: made,
    });
    expect(await ask('GET', '/__proto__/x?constructor=1')).toStrictEqual({ status: 200, text: made });
    expect((await ask('GET', '/__proto__/toString')).status).toBe(404);
    expect((await ask('PATCH', '/__proto__/x', '{"__proto__":"x","constructor":"d"}')).text).toContain(
      '"constructor":"d"',
    );
    expect(await ask('POST', '/constructor', '{}')).toStrictEqual({ status: 201, text: '{"id":1}' });
    expect(await ask('POST', '/constructor', '{"toString":5}')).toStrictEqual({
      status: 201,
      text: '{"id":2,"toString":5}',
    });
    expect((await ask('GET', '/constructor')).text).toBe('[{"id":1},{"id":2,"toString":5}]');
    expect((await ask('DELETE', '/__proto__/x')).status).toBe(204);
    expect((await ask('GET', '/toString')).status).toBe(404);
    expect(Object.isFrozen(Object.getPrototypeOf({}))).toBe(false);
    expect(Object.keys(Object.getPrototypeOf({}) as object)).toStrictEqual([]);
  });

  test('rows are made up under them', async () => {
    const ask = await serve(write('openapi.yaml', text));
    expect((await ask('GET', '/__proto__')).status).toBe(200);
    expect((await ask('GET', '/constructor')).status).toBe(200);
    expect(Object.isFrozen(Object.getPrototypeOf({}))).toBe(false);
  });
});

describe('a request that would take for ever is answered', () => {
  useOneCallCounter();

  test.each([
    ['nothing', '{ not: {} }'],
    ['a number between 5 and 4', '{ type: integer, minimum: 5, maximum: 4 }'],
    ['three different booleans', '{ type: array, minItems: 3, uniqueItems: true, items: { type: boolean } }'],
    ['a thousand million items', '{ type: array, minItems: 1000000000, items: { type: string } }'],
    ['a text of two thousand million characters', '{ type: string, minLength: 2000000000 }'],
    ['an empty text of a pattern that backtracks', '{ type: string, maxLength: 0, pattern: "^(a+)+b$" }'],
  ])('a schema that %s satisfies is answered with why there is no response', async (_, schema) => {
    const ask = await serve(write('openapi.yaml', withSchema(schema)));
    for (const round of [1, 2]) {
      const calls = await countCalls(async () => {
        const { status, text } = await ask('GET', '/things');
        expect({ round, status }).toStrictEqual({ round, status: 501 });
        expect(text).toContain('No body could be made for GET /things 200');
      });
      expect(calls).toBeLessThan(50_000);
    }
  });

  test.each([
    { name: 'the engine of Node would never come back from', pattern: '^(a+)+$' },
    { name: 'only a clock can stop', pattern: '^(a+)+\\1$' },
  ])('a pattern that $name is matched in work that grows with the text, wherever it stands', async ({ pattern }) => {
    const schema = `{ type: string, pattern: '${pattern}' }`;
    const text = `${HEAD}paths:
  /things:
    post:
      parameters: [{ name: q, in: query, schema: ${schema} }, { name: X-Q, in: header, schema: ${schema} }]
      requestBody: { content: { application/json: { schema: { type: object, properties: { a: ${schema} } } } } }
      responses: { "204": { description: done } }
`;
    const ask = await serve(write('openapi.yaml', text));
    const post = async (length: number): Promise<void> => {
      const slow = `${'a'.repeat(length)}!`;
      expect((await ask('POST', '/things', JSON.stringify({ a: slow }))).status).toBe(400);
      expect((await ask('POST', `/things?q=${slow}`, '{}')).status).toBe(400);
    };
    await post(2500);
    const usual = await countCalls(() => post(2500));
    expect(await countCalls(() => post(5000))).toBeLessThan(2.2 * usual);
  });
});

describe('a description with errors', () => {
  const text = `${HEAD}paths:
  /things: { get: { responses: { "200": { description: ok, content: { application/json: { schema: { type: integer } } } } } } }
  /broken: { get: { responses: { "200": { description: ok, content: { application/json: { schema: { $ref: "#/components/schemas/None" } } } } } } }
`;

  test('starts in spite of an error, serves what can be served, and says of the rest why not', async () => {
    const file = write('openapi.yaml', text);
    expect(thrownBy(() => loadDescription(file)).findings).toMatchObject([{ rule: 'ref-resolves', file, line: 5 }]);
    const ask = await serve(file);
    expect((await ask('GET', '/things')).status).toBe(200);
    const broken = await ask('GET', '/broken');
    expect(broken.status).toBe(501);
    expect(broken.text).toContain('#/components/schemas/None does not exist');
  });

  test('does not make a description of what is none', async () => {
    const file = write('openapi.yaml', 'hello: world\n');
    const { exitCode, stdout, stderr } = await endedHere(['mock', file, '--port', '0']);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(`${file}:1:1`);
    expect(stderr).not.toMatch(/^\s+at .*\.[jt]s:\d+/m);
  });
});

test.each([
  { name: 'cut.yaml', text: `${HEAD}paths:\n  /a: { get: { responses`, code: 'yaml-syntax' },
  { name: 'cut.json', text: '{"openapi":"3.0.3",\n"info":{"title":"a', code: 'json-syntax' },
  { name: 'lost.yaml', text: withSchema('{ $ref: "none.yaml" }'), code: 'ref-resolves' },
  {
    name: 'self.yaml',
    text: withSchema('{ $ref: "#/components/schemas/S" }', ['S: { $ref: "#/components/schemas/S" }']),
    code: 'ref-resolves',
  },
])(
  'with --strict the command line refuses $name by exit code 2, with the place and without a stack',
  async ({ name, text, code }) => {
    const file = write(name, text);
    const run = await endedHere(['mock', file, '--strict', '--port', '0']);
    expect({ exitCode: run.exitCode, stdout: run.stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain(code);
    expect(run.stderr).toMatch(new RegExp(`${name.replace('.', '\\.')}:\\d+:\\d+`));
    expect(run.stderr).not.toMatch(/^\s+at .*\.[jt]s:\d+/m);
  },
);
