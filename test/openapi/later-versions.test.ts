import type { JsonValue } from '../../src/core/json/json-value';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fetchApi } from '../../src/files/load-api';
import { isPrivateAddress } from '../../src/files/description-source';
import type { SpecError } from '../../src/core/errors/standin-error';
import { loadText, thrownBy } from './load-text';
import { temporaryFolder } from '../support/temporary-folder';

const head = (version: string): string => `openapi: ${version}\ninfo: { title: Library, version: 1.0.0 }\n`;

test('OpenAPI 3.2: query and further methods are operations, and a response needs no description', () => {
  const { api, warnings } = loadText(`${head('3.2.0')}paths:
  /books:
    query: { responses: { '200': { summary: found } } }
    additionalOperations: { COPY: { responses: { '204': {} } } }
`);
  expect(warnings).toStrictEqual([]);
  expect(api.operations.map(({ method }) => method)).toStrictEqual(['QUERY', 'COPY']);
});

test('OpenAPI 3.2: media types may be components, and a security requirement may name a scheme by its URI', () => {
  const text = (scheme: string): string => `${head('3.2.0')}security: [{ '${scheme}': [read] }]
paths:
  /books/first:
    get: { responses: { '200': { content: { application/json: { $ref: '#/components/mediaTypes/book' } } } } }
components:
  mediaTypes:
    book: { schema: { type: object, properties: { title: { type: string } } }, example: { title: Emma } }
  securitySchemes: { key.1: { type: http, scheme: bearer } }
`;
  const { api, warnings } = loadText(text('#/components/securitySchemes/key.1'));
  expect(warnings).toStrictEqual([]);
  const [operation] = api.operations;
  expect(operation?.security).toStrictEqual([[{ name: 'key.1', scopes: ['read'] }]]);
  expect(operation?.responses.get('200')?.content).toMatchObject([
    {
      pointer: '/components/mediaTypes/book',
      schema: { value: { type: 'object' } },
      examples: [{ value: { title: 'Emma' } }],
    },
  ]);
  expect(thrownBy(() => loadText(text('#/components/securitySchemes/other'))).findings).toMatchObject([
    { rule: 'security-scheme-defined', line: 3 },
  ]);
});

test('a document of 3.1 is judged by its own schema, in our words', () => {
  const { findings } = thrownBy(() =>
    loadText(`${head('3.1.0')}paths:
  /books:
    get:
      parameters: [{ name: q, in: quer, schema: { type: string } }]
      responses: { '200': { description: x }, ok: { description: x } }
`),
  );
  expect(findings).toMatchObject([
    { rule: 'openapi-schema', line: 6, hint: 'Did you mean "query"?' },
    { rule: 'openapi-schema', line: 7, message: '"ok" is not a property that OpenAPI has here' },
  ]);
});

test('an unknown property of 3.1 is a warning with the name that is near', () => {
  const { warnings } = loadText(`${head('3.1.0')}paths: { /a: { get: { sumary: x } } }\n`);
  expect(warnings).toMatchObject([{ severity: 'warning', hint: 'Did you mean "summary"?' }]);
});

/** What stands at a path of another machine; a number leads to a redirection or an error. */
const REMOTE: Readonly<Record<string, string>> = {
  '/short.yaml': '302 /deep/er/book.yaml',
  '/deep/er/book.yaml': 'Book: { type: object, properties: { title: { $ref: "beside.yaml#/Book" } } }',
  '/deep/er/beside.yaml': 'Book: { type: string }',
  '/beside.yaml': '404 /',
  '/moved.yaml': '302 http://example.com/x',
  '/book.yaml': 'Book: { type: object, properties: { next: { $ref: "#/Book" } } }',
  '/leads.yaml': 'Book: { type: object, properties: { next: { $ref: "#/Book" }, file: { $ref: file:///etc/passwd } } }',
};

function remoteText(path: string): string {
  if (path === '/endless.yaml') return 'a'.repeat(17 * 1024 * 1024);
  const next = Number(/\d+/.exec(path)?.[0] ?? 0) + 1;
  // In JSON, which is read many times faster: the whole is read anew after each step.
  return REMOTE[path] ?? `{"Book":{"type":"object","properties":{"next":{"$ref":"chain-${next}.yaml#/Book"}}}}`;
}

describe('documents of other machines', () => {
  const server = createServer((request, response) => {
    const text = remoteText(request.url ?? '');
    const [, status, location] = /^(\d{3}) (.*)$/.exec(text) ?? [];
    if (status === undefined) response.end(text);
    else response.writeHead(Number(status), { location }).end();
  });
  const folder = temporaryFolder();
  let host: string;
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    host = `127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  });
  afterAll(() => {
    server.close();
  });

  const read = async (path: string, allowRemote: readonly string[]): Promise<unknown> => {
    const file = folder.write(
      'openapi.yaml',
      `${head('3.0.3')}paths: {}\ncomponents: { schemas: { Book: { $ref: 'http://${host}${path}#/Book' } } }\n`,
    );
    return fetchApi(file, { allowRemote, isStrict: true }).catch((error: unknown) => (error as SpecError).findings);
  };

  test('are read from a host that was allowed', async () => {
    expect(await read('/book.yaml', [host])).toMatchObject({ warnings: [] });
  });

  test('lead on from where they were found in the end', async () => {
    expect(await read('/short.yaml', [host])).toMatchObject({ warnings: [] });
  });

  test.each([
    { path: '/chain.yaml', allowed: ['HOST'], message: 'lead to others more than 100 times in a row' },
    { path: '/book.yaml', allowed: [], message: 'it is not allowed to ask 127.0.0.1' },
    { path: '/moved.yaml', allowed: ['HOST'], message: 'redirected to example.com, which was not allowed' },
    { path: '/endless.yaml', allowed: ['HOST'], message: 'larger than' },
    { path: '/leads.yaml', allowed: ['HOST'], message: 'cannot lead to a file of this machine' },
  ])('$path with $allowed: $message', async ({ path, allowed, message }) => {
    const findings = await read(
      path,
      allowed.map(() => host),
    );
    expect(findings).toMatchObject([{ rule: 'ref-resolves', message: expect.stringContaining(message) as string }]);
  });
});

test.each([
  '127.0.0.1',
  '10.1.2.3',
  '192.168.0.1',
  '169.254.169.254',
  '::1',
  'fd00::1',
  '::ffff:10.0.0.1',
  '::ffff:a00:1',
  '::127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b:1::1',
  '2002:7f00:1::',
  'fec0::1',
  'fe80::1%lo',
])('%s is an address of the own network', (address) => {
  expect(isPrivateAddress(address)).toBe(true);
});

test.each(['93.184.216.34', '2606:2800:220:1::1', '64:ff9b::5db8:d822', '::ffff:93.184.216.34'])(
  '%s is none',
  (address) => {
    expect(isPrivateAddress(address)).toBe(false);
  },
);

describe('large input, in bounded time', () => {
  test('ten thousand values of an enum', () => {
    const values = Array.from({ length: 10_000 }, (_, index) => `"v${index}"`).join(',');
    const { warnings } = loadText(
      `${head('3.0.3')}paths: {}\ncomponents: { schemas: { A: { type: string, enum: [${values}] } } }\n`,
    );
    expect(warnings).toStrictEqual([]);
  });

  test('a YAML text beyond the limit is not parsed', () => {
    const error = thrownBy(() => loadText(`${head('3.0.3')}#${'x'.repeat(17 * 1024 * 1024)}`));
    expect(error).toMatchObject({ code: 'SPEC_SYNTAX', findings: [{ line: 1 }] });
  });

  test.each(['openapi.yaml', 'openapi.json'])('nesting without end: %s', (name) => {
    const error = thrownBy(() => loadText(`{"openapi":"3.0.3","x-a":${'['.repeat(5000)}`, name));
    expect(error.code).toBe('SPEC_SYNTAX');
  });
});

test('what stands beside the $ref of a whole body counts from 3.1 on, and not in 3.0', () => {
  const text = (version: string): string => `openapi: ${version}
info: { title: Library, version: 1.0.0 }
paths:
  /a: { get: { responses: { "200": { description: ok, content: { application/json: { schema: { $ref: "#/components/schemas/A" } } } } } } }
components:
  schemas:
    A: { type: object, $ref: "#/components/schemas/B", properties: { n: { type: integer } }, unevaluatedProperties: false }
    B: { type: object, properties: { b: { type: integer } } }
`;
  const faults = (version: string, value: JsonValue): number => {
    const schema = loadText(text(version)).api.operations[0]!.responses.get('200')!.content[0]!.schema!;
    return schema.validate('response')(value).length;
  };
  expect([{ n: 1, b: 1 }, { n: 'x' }, { x: 1 }].map((value) => faults('3.1.0', value))).toStrictEqual([0, 1, 1]);
  expect([{ n: 1, b: 1 }, { n: 'x' }, { b: 'x' }].map((value) => faults('3.0.3', value))).toStrictEqual([0, 0, 1]);
});

test.each(['3.0.3', '3.1.0', '3.2.0'])(
  'a strange property of a document of %s is told with those of documents',
  (version) => {
    const text = `openapi: ${version}\ninfo: { title: A, version: '1' }\npaths: {}\npathss: {}\ncomponents: {}\n`;
    const [finding] = loadText(text).warnings;
    expect(finding).toMatchObject({ message: '"pathss" is not a property that OpenAPI has here' });
    expect(finding?.expected).toMatch(/^one of openapi, .*components/);
    expect(finding?.expected).not.toMatch(/requestBody|scopes|a name that matches/);
  },
);
